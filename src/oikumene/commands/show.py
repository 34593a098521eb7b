"""A position for reading, in plain text: from the keys of its notation (docs/conformance.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oikumene.commands.common import columns
from oikumene.core.game import Chance, Decide, Over

# Keys whose values are shown in the tables of seats, provinces and zones.
OF_SEATS = {
    "hand": "hand", "known": "known to all", "open": "offered", "won": "taken", "cards": "cards",
}  # fmt: skip
IN_TABLES = {
    *OF_SEATS, "held", "roles", "called", "markers", "caravans", "cities", "markets", "temples",
    "legions", "fortresses", "occupied", "takeover", "fleets", "new_fleets",
}  # fmt: skip
ALREADY_SAID = {"map", "round", "agenda", "over", "since"}


def who_decides(game: Any, state: Any) -> str:
    """Who or what decides now, with the rules behind it, in one line."""
    pending = game.pending(state)
    names = state.setting.seats
    if isinstance(pending, Over):
        winners = " and ".join(names[seat] for seat in pending.winners)
        return f"the game is over: {winners} won by {pending.reason}"
    if isinstance(pending, Chance):
        return f"chance decides: {pending.prompt}"
    seats = " and ".join(names[seat] for seat in pending.seats)
    cite = f" ({', '.join(pending.cite)})" if pending.cite else ""
    return f"to decide: {seats}, {pending.prompt}{cite}"


def decides(game: Any, state: Any) -> dict[str, Any]:
    """The same as data."""
    pending = game.pending(state)
    names = state.setting.seats
    if isinstance(pending, Over):
        ranking = [[names[seat] for seat in group] for group in pending.ranking]
        return {"over": {"ranking": ranking, "reason": pending.reason}}
    if isinstance(pending, Decide):
        seats = [names[seat] for seat in pending.seats]
        return {"asked": seats, "prompt": pending.prompt, "rules": list(pending.cite)}
    return {"chance": pending.prompt}


def position(keys: Mapping[str, Any], seats: tuple[str, ...]) -> list[str]:
    """The lines that show a position."""
    lines = [*seat_table(keys, seats), "", *province_table(keys)]
    zones = zone_table(keys)
    if zones:
        lines += ["", *zones]
    rest = {key: value for key, value in keys.items() if key not in IN_TABLES | ALREADY_SAID}
    if rest:
        lines += ["", *columns((key.replace("_", " "), said(value)) for key, value in rest.items())]
    agenda = keys.get("agenda", [])
    if agenda:
        lines += ["", "still to come: " + ", ".join(agenda)]
    return lines


def said(value: Any) -> str:
    """A value of the notation as words.

    >>> said({"tax": 30, "gold": 2}), said(["roma", "athenae"])
    ('tax*30 gold*2', 'roma athenae')
    """
    if isinstance(value, Mapping):
        return " ".join(
            f"{name}*{part}" if isinstance(part, int) else f"{name}: {said(part)}"
            for name, part in value.items()
        )
    return " ".join(value) if isinstance(value, list) else str(value)


def seat_table(keys: Mapping[str, Any], seats: tuple[str, ...]) -> list[str]:
    """One row a seat: its roles, its cards."""
    shown = [key for key in OF_SEATS if keys.get(key)]
    held = keys.get("held", {})
    roles: dict[str, list[str]] = {}
    for role, seat in keys.get("roles", {}).items():
        roles.setdefault(seat, []).append(role)
    called = keys.get("called", [])
    rows = []
    for seat in seats:
        row = [seat, " ".join(roles.get(seat, ()))]
        if called:
            row.append("yes" if seat in called else "")
        for key in shown:
            text = said(keys[key].get(seat, ""))
            if key == "hand" and held.get(seat) and not text:
                text = f"{held[seat]} hidden"
            row.append(text)
        if held and "hand" not in shown:
            row.append(str(held.get(seat, 0)))
        rows.append(row)
    head = ["seat", "roles", *(["called"] if called else []), *(OF_SEATS[key] for key in shown)]
    if held and "hand" not in shown:
        head.append("cards held")
    return columns(rows, head)


def province_table(keys: Mapping[str, Any]) -> list[str]:
    """One row a province in which something lies: marker, buildings, units."""
    markers = keys.get("markers", {})
    buildings: dict[str, list[str]] = {}
    units: dict[str, list[str]] = {}
    for kind, word in (("cities", "city"), ("temples", "temple"), ("markets", "market")):
        for place in keys.get(kind, ()):
            name, star, times = place.partition("*")
            buildings.setdefault(name, []).append(word + star + times)
    for caravan in keys.get("caravans", ()):
        place, good = caravan.split()
        buildings.setdefault(place, []).append(good)
    for kind, word in (("legions", "legion"), ("fortresses", "fortress"), ("new_fleets", "fleet")):
        for owner, places in keys.get(kind, {}).items():
            for place in places.split():
                name, star, times = place.partition("*")
                units.setdefault(name, []).append(f"{owner} {word}{star}{times}")
    for post in keys.get("occupied", ()):
        place, what, owner, *_ = post.split()
        units.setdefault(place, []).append(f"({owner} on {what})")
    for post in keys.get("takeover", ()):
        place, owner, *_ = post.split()
        units.setdefault(place, []).append(f"({owner} on the marker)")
    places = sorted({*markers, *buildings, *units}, key=lambda p: (markers.get(p, "~"), p))
    rows = [
        (place, markers.get(place, ""), " ".join(buildings.get(place, ())),
         ", ".join(units.get(place, ())))
        for place in places
    ]  # fmt: skip
    return columns(rows, ("province", "marker", "buildings (goods: caravans)", "units"))


def zone_table(keys: Mapping[str, Any]) -> list[str]:
    """One row a zone with fleets."""
    fleets: dict[str, list[str]] = {}
    for seat, zones in keys.get("fleets", {}).items():
        for zone in zones.split():
            name, star, times = zone.partition("*")
            fleets.setdefault(name, []).append(seat + star + times)
    rows = [(zone, " ".join(owners)) for zone, owners in sorted(fleets.items())]
    return columns(rows, ("sea zone", "fleets")) if rows else []
