"""What every game shares. Knows no game, does no I/O, imports only the standard library."""
