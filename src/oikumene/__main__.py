"""`python -m oikumene`: the command line."""

import sys

from oikumene.cli import main

sys.exit(main())
