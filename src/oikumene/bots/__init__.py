"""Opponents: programs that choose moves. They get a View, never a State.

A bot sees what its seat may know, the moves that are legal for it, and a stream of random numbers;
nothing else, and no clock. So the same seed gives the same game on every Python.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from oikumene.core.errors import OptionError
from oikumene.core.keyed import Draws
from oikumene.core.moves import Move, Moves
from oikumene.games import load_game


class Bot(Protocol):
    """An opponent. `choose` returns one of `moves`, which are not empty."""

    name: str

    def choose(self, game: Any, view: Any, moves: Moves, draws: Draws) -> Move:
        """The move of the seat whose view this is."""
        ...


# Game -> name of the bot -> where it is: module and class.
BOTS: dict[str, dict[str, tuple[str, str]]] = {
    "mare-nostrum": {
        "random": ("oikumene.bots.random_bot", "RandomBot"),
        "greedy": ("oikumene.bots.mare_nostrum_greedy", "Greedy"),
    },
}


def load_bot(game: str, name: str) -> Bot:
    """A bot for a game, by its name. Raises OptionError, naming the bots there are.

    >>> load_bot("mare-nostrum", "random").name
    'random'
    """
    known = BOTS.get(game)
    if known is None:
        load_game(game)  # an unknown game is told by the games' own registry
        raise OptionError(f"there are no bots for '{game}' yet; let people take all its seats")
    if name not in known:
        raise OptionError(f"unknown bot '{name}'; for {game} there are: {', '.join(known)}")
    module, title = known[name]
    return cast(Bot, getattr(import_module(module), title)())
