"""A bot for every game: each legal move is equally likely."""

from __future__ import annotations

from typing import Any

from oikumene.core.keyed import Draws
from oikumene.core.moves import Move, Moves


class RandomBot:
    """Chooses among the legal moves by chance; a measure for the others, and good for tests."""

    name = "random"

    def choose(self, game: Any, view: Any, moves: Moves, draws: Draws) -> Move:
        """Any of the moves."""
        return moves.sample(draws)
