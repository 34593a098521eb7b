"""`oikumene terminal`: a game in the terminal, one person against programs."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TextIO

from oikumene.commands.common import read_text
from oikumene.commands.selfplay import settings_of
from oikumene.commands.terminal_commands import COMMANDS
from oikumene.commands.terminal_loop import Loop
from oikumene.commands.terminal_screen import Screen
from oikumene.commands.terminal_table import Table, Wish, load_table, new_table
from oikumene.core.errors import OptionError
from oikumene.games import load_game

PLAYED = ("mare-nostrum",)  # games with screens for the terminal


def terminal(
    name: str = "mare-nostrum", *, seat: str | None = None, seats: str = "4",
    bots: str | None = None, preset: str | None = None, settings: list[str] | None = None,
    map_file: Path | None = None, seed: int | None = None, plain: bool = False,
    load: Path | None = None, source: TextIO | None = None, out: TextIO | None = None,
) -> int:  # fmt: skip
    """Play one game; it ends with its result, with `quit`, or with the input."""
    load_game(name)
    if name not in PLAYED:
        raise OptionError(f"{name} cannot be played in the terminal yet")
    wish = Wish(
        name, seats, seat, bots, preset, settings_of(settings or []),
        None if map_file is None else read_text(map_file), seed,
    )  # fmt: skip
    screen = Screen(out or sys.stdout, plain=plain)
    error, proven = "", True
    if load is not None:
        table, error, proven = load_table(load, wish)
    else:
        table = new_table(wish)
    loop = Loop(table, screen, source or sys.stdin, wish)
    welcome(loop, table)
    if load is not None:
        loop.loaded(error, proven=proven)
    COMMANDS["board"](loop, "")
    if loop.reader.keyboard:
        leave_well()
    try:
        loop.run()
    finally:
        loop.farewell()
    return 0


def leave_well() -> None:
    """A closed window, or an order to end, leaves like Ctrl-C does: the game is kept."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    for name in ("SIGHUP", "SIGTERM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), leave)


def welcome(loop: Loop, table: Table) -> None:
    """Who plays what, and the promise of fair dice."""
    screen, texts, header = loop.screen, loop.texts, table.session.header
    others = texts.all_of(
        f"{texts.of('seat', seat)} ({table.bot_names[at]})"
        for at, seat in enumerate(table.seats)
        if at != table.me
    )
    me = texts.of("seat", table.seats[table.me])
    screen.say(f"Mare Nostrum: you are {me}, against {others}.")
    screen.say(f"Rules {header['preset']}, board {header['map']['name']}.")
    changed = table.game.options().differences(header["preset"], header["options"])
    if changed:
        screen.say("Set: " + ", ".join(f"{key} = {value}" for key, value in changed.items()))
    if header.get("seed") is not None:
        screen.say(f"Seed {header['seed']}: whoever knows it knows the dice.")
    screen.say(f"Dice and lots follow from a secret whose hash is {header['commitment']}.")
    screen.say("Type a number, a move, or a question; `help` lists what there is.")
