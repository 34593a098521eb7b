"""The games: a folder each, and one line each in this registry."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

from oikumene.core.errors import OptionError


class Listed(NamedTuple):
    """What is known of a game without loading it; a test sees that its data files say the same."""

    title: str
    players: str
    rule_set: str  # the default one
    rule_sets: Mapping[str, bool]  # all of them, and whether each is built
    board: str
    board_note: str
    module: str
    name: str


GAMES = {
    "mare-nostrum": Listed(
        "Mare Nostrum (2003)",
        "3-5",
        "staber-2003-02-14",
        {
            "staber-2003-02-14": True,
            "staber-2003-02-13": False,
            "mythology-cs": False,
            "english-faq": False,
            "author": False,
            "schwider": False,
            "original-de": False,
        },
        "reconstructed-1",
        "worked out from the rule texts and public reports; parts of it are reconstruction, see "
        "docs/board.md. Who owns a board can play on a corrected file: --map FILE",
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
