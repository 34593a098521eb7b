"""The commands of the terminal beside moves: looking, asking, saving."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oikumene.commands import terminal_board as of_board
from oikumene.commands import terminal_seats as of_seats
from oikumene.commands import terminal_words as typed_words
from oikumene.commands.terminal_rules import look_up
from oikumene.commands.terminal_screen import Table as Shown
from oikumene.commands.terminal_table import load_table
from oikumene.commands.terminal_telling import sentences, standing

if TYPE_CHECKING:
    from oikumene.commands.terminal_loop import Loop

HELP = (
    ("NUMBER", "the choice with this number"),
    ("a move", "its words, or their beginnings: `b c roma` is build city roma"),
    ("moves [WORD]", "what you may do now, written out"),
    ("why MOVE", "why a move is not allowed, with the rules and their sources"),
    ("rules [ID|WORD]", "rules by number, chapter or word"),
    ("board, seas", "provinces by owner; seas with their fleets"),
    ("province NAME", "all about one province or sea"),
    ("hand", "your cards and sets, and what is known of the others"),
    ("cards", "heroes and wonders, held and for sale"),
    ("race", "the roles, and how near everybody is to winning"),
    ("prices, supply", "what you can pay; what is left"),
    ("trade", "the open offers"),
    ("odds [PLACE [N]]", "the chances of fights; of N of your units there"),
    ("log [N]", "the last N sentences, with their rules"),
    ("undo", "back to your last decision; the record says so"),
    ("save FILE, load FILE", "keep the game; go on with another"),
    ("quit", "leave; the game is kept"),
)


def show_help(loop: Loop, rest: str) -> None:
    """All commands."""
    loop.screen.listed(HELP)


def moves(loop: Loop, rest: str) -> None:
    """The legal moves written out; those that hold a word."""
    wanted = typed_words.simple(loop.setting, loop.texts, rest).split()
    hits = [
        number
        for number, choice in enumerate(loop.found)
        if all(any(one.startswith(word) for one in choice.words) for word in wanted)
    ]
    if not hits:
        loop.screen.say("No legal move holds that." if wanted else "Nothing is asked.")
    elif not wanted:
        loop.show_choices(hits)
    else:
        loop.screen.listed((str(number + 1), loop.found[number].text()) for number in hits)


def rules(loop: Loop, rest: str) -> None:
    """Look rules up."""
    look_up(loop.screen, loop.book, rest)


def show(loop: Loop, *tables: Shown) -> None:
    """Tables, one after the other."""
    for table in tables:
        loop.screen.table(table)


def board(loop: Loop, rest: str) -> None:
    """Provinces by owner."""
    if rest:
        province(loop, rest)
        return
    view = loop.table.view
    spoken = loop.screen.plain
    loop.screen.tables(of_board.province_tables(view, loop.texts, spoken=spoken))
    loop.screen.say()
    loop.screen.say(of_board.fleet_line(view, loop.texts))


def seas(loop: Loop, rest: str) -> None:
    """Seas with fleets and shores."""
    show(loop, of_board.sea_table(loop.table.view, loop.texts))


def province(loop: Loop, rest: str) -> None:
    """All about a place."""
    for place in places(loop, rest):
        show(loop, of_board.province_facts(loop.table.view, loop.texts, place))


def places(loop: Loop, text: str) -> list[Any]:
    """The one place that a name means; else none, and what to type is said."""
    found = typed_words.place_of(loop.setting, loop.texts, text) if text else []
    if len(found) == 1:
        return found
    if found and text:
        names = ", ".join(loop.setting.board.places[place] for place in found)
        loop.screen.say(f"Which one? {names}")
    else:
        loop.screen.say("Name a province or sea, for example: province roma")
    return []


def hand(loop: Loop, rest: str) -> None:
    """Hands."""
    show(loop, of_seats.hand_table(loop.table.view, loop.texts))


def cards(loop: Loop, rest: str) -> None:
    """Heroes and wonders."""
    show(loop, *of_seats.card_tables(loop.table.view, loop.texts))


def race(loop: Loop, rest: str) -> None:
    """Roles and victory."""
    show(loop, *of_seats.race_tables(loop.table.view, loop.texts))


def prices(loop: Loop, rest: str) -> None:
    """The price list."""
    show(loop, of_seats.price_table(loop.table.view, loop.texts))


def supply(loop: Loop, rest: str) -> None:
    """What is left."""
    show(loop, *of_seats.supply_tables(loop.table.view, loop.texts))


def trade(loop: Loop, rest: str) -> None:
    """The open offers."""
    show(loop, of_seats.trade_table(loop.table.view, loop.texts))
    takes = loop.takes()
    if takes:
        loop.screen.say("Taken so far: " + "; ".join(takes))


def odds(loop: Loop, rest: str) -> None:
    """The chances of fights: those that can be called, or of some units at a place."""
    view = loop.table.view
    words = rest.split()
    number = int(words.pop()) if words and words[-1].isdigit() and len(words[-1]) < 3 else 3
    if not words:
        found = list(of_board.fights(view, loop.texts))
        if not found:
            loop.screen.say("You can call no fight now. `odds PLACE N` asks for N units there.")
        show(loop, *found)
        return
    for place in places(loop, " ".join(words)):
        found = list(of_board.attack_odds(view, loop.texts, place, max(1, number)))
        if not found:
            loop.screen.say("Nobody else has units there.")
        show(loop, *found)


def log(loop: Loop, rest: str) -> None:
    """The last sentences with their rules."""
    number = int(rest) if rest.isdigit() and len(rest) < 6 else 20
    lines = list(sentences(loop.setting, loop.texts, standing(loop.table.told)))
    for line in lines[-number:] if number else lines:
        mark = f" [{line.rule}]" if line.rule else ""
        loop.screen.say(f"{line.entry:>4}  {line.text}{mark}", hang=6)


def undo(loop: Loop, rest: str) -> None:
    """Back to the last decision."""
    undone = loop.table.undo()
    loop.said = len(loop.table.told)
    loop.screen.say(f"Back to your decision of entry {undone}; the record says so.")


# Leaving and coming back -------------------------------------------------------------------------


def save(loop: Loop, rest: str) -> None:
    """Write the record."""
    path = Path(rest).expanduser() if rest else loop.table.own_file()
    loop.table.save(path)
    loop.screen.say(f"Saved: {path} (it holds the secret of the dice, so that you can go on)")


def load(loop: Loop, rest: str) -> None:
    """Go on with another game."""
    if not rest:
        loop.screen.say("Load which file? load FILE")
        return
    loop.keep()
    wish = loop.wish._replace(seat=None, bots=None, seed=None)
    loaded = load_table(Path(rest).expanduser(), wish)
    loop.table = loaded.table
    loop.said = len(loop.table.told)
    loop.loaded(loaded.error, proven=loaded.proven)


def leave(loop: Loop, rest: str) -> None:
    """Leave."""
    loop.leaving = True


def why(loop: Loop, rest: str) -> None:
    """Why a move is not allowed."""
    if rest:
        loop.why(rest)
    else:
        loop.screen.say("Why what? Name a move, or its number: why build city roma")


COMMANDS: dict[str, Callable[[Loop, str], None]] = {
    "help": show_help, "moves": moves, "why": why, "rules": rules, "board": board, "seas": seas,
    "province": province, "hand": hand, "cards": cards, "race": race, "prices": prices,
    "supply": supply, "trade": trade, "odds": odds, "log": log, "undo": undo, "save": save,
    "load": load, "quit": leave, "exit": leave, "?": show_help,
}  # fmt: skip
