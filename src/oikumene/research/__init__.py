"""Studying games: programs against each other, measurements, and laws on random play."""
