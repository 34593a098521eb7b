"""What the commands do, one module each; `cli.py` has their names and options.

A command is a function that prints and returns the exit status: 0 all well, 1 the answer is bad
news (a damaged record, a failed case, a gap). Errors of use are raised as OikumeneErrors and told
in one place, `cli.main`, with status 2.
"""
