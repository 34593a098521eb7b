"""The games: a folder each, and one line each in this registry."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from oikumene.core.errors import OptionError


class Listed(NamedTuple):
    """What is known of a game without loading it."""

    title: str
    players: str
    rule_set: str
    module: str
    name: str


GAMES = {
    "mare-nostrum": Listed(
        "Mare Nostrum (2003)",
        "3-5",
        "staber-2003-02-14",
        "oikumene.games.mare_nostrum.game",
        "MareNostrum",
    ),
}


def load_game(name: str) -> Any:
    """A game by its name. Raises OptionError, naming the games there are."""
    listed = GAMES.get(name)
    if listed is None:
        raise OptionError(f"unknown game '{name}'; there are: {', '.join(GAMES)}")
    return getattr(import_module(listed.module), listed.name)()
