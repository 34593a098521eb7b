"""What every game shares. Knows no game, does no I/O, imports nothing outside the standard library."""
