"""`python -m oikumene`: the command line."""

from oikumene.cli import main

main()
