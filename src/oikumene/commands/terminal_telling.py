"""What has happened, as sentences: beside the moves as they come, and as the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from oikumene.commands.terminal_table import Told
from oikumene.games.mare_nostrum.sentences import Texts
from oikumene.games.mare_nostrum.state import Setting


class Line(NamedTuple):
    """A sentence, the entry it tells of, its rule, and the name of the event."""

    entry: int
    text: str
    rule: str
    name: str


def sentences(setting: Setting, texts: Texts, told: Sequence[Told]) -> Iterator[Line]:
    """The sentences; what is paid stands in brackets behind what it is paid for."""
    paid: Told | None = None
    for at, one in enumerate(told):
        after = told[at + 1] if at + 1 < len(told) else None
        if one.name == "paid":
            paid = one
            continue
        if one.name == "picked" and after and after.name == "took" and after.facts == one.facts:
            continue
        text = _sentence(setting, texts, one)
        if paid is not None and text:
            text = f"{text.removesuffix('.')} ({texts.aside(setting, 'paid', paid.facts)})."
        paid = None
        if text:
            yield Line(one.entry, text, one.rule, one.name)


def _sentence(setting: Setting, texts: Texts, one: Told) -> str:
    if one.name == "chance":
        return texts.chance(setting, one.facts[0])
    if one.name == "move":
        return texts.move(setting, *one.facts)
    if one.name == "out":
        names = [texts.of("seat", setting.seats[seat]) for seat in one.facts]
        return texts.number("move", "out", len(names)).format(seats=texts.all_of(names))
    if one.name == "undo":
        seat = setting.seats.index(one.facts[0])
        return texts.move(setting, seat, ("undo",))
    return texts.event(setting, one.name, one.facts)


def newly(told: Sequence[Told]) -> list[Told]:
    """What is worth telling as it happens: not that somebody has finished."""
    return [one for one in told if one.name != "move" or one.facts[1][0] not in ("done", "call")]


def standing(told: Sequence[Told]) -> list[Told]:
    """What still stands: without what was taken back (the taking back is told)."""
    found: list[Told] = []
    for one in told:
        if one.name == "undo":
            found = [old for old in found if old.entry < one.facts[1]]
        found.append(one)
    return found
