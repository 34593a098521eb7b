"""The position notation, written: a state as the keys of `docs/conformance.md`.

The *position text* (keys sorted, defaults left out) is what states are compared by and what
records are checked with. `read_position` is the way back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from oikumene.core.game import Frame
from oikumene.core.limits import BitSet, bits
from oikumene.core.moves import move_text
from oikumene.games.mare_nostrum import (
    aftermath,
    battle,
    commerce,
    construction,
    income,
    roles,
    rounds,
    setup,
    strategy,
)
from oikumene.games.mare_nostrum.cards import CARDS, GOODS, KINDS, count
from oikumene.games.mare_nostrum.moves import Names, hand_text
from oikumene.games.mare_nostrum.state import (
    MARKER,
    NOBODY,
    ROLES,
    USED,
    WHATS,
    Setting,
    State,
)

FRAMES: dict[str, type[Frame]] = {
    frame.name: frame
    for chapter in (
        setup,
        rounds,
        roles,
        income,
        commerce,
        construction,
        strategy,
        battle,
        aftermath,
    )
    for frame in vars(chapter).values()
    if isinstance(frame, type) and issubclass(frame, Frame) and frame.name
}
FRAME_TABLE = {name: frame.nouns for name, frame in FRAMES.items()}
WORDS_OF_STATE = ("", "moved", "fought")  # by Post.state


@lru_cache(maxsize=256)
def names_of(setting: Setting) -> Names:
    """The names that texts of this table use."""
    return Names(setting.board, setting.seats, setting.powers)


# State to keys -----------------------------------------------------------------------------------


@lru_cache(maxsize=65536)
def _counts(numbers: bytes, ids: tuple[str, ...]) -> str:
    return " ".join(
        f"{place}*{number}" if number > 1 else place
        for place, number in zip(ids, numbers, strict=True)
        if number
    )


def _by(names: tuple[str, ...], values: Iterable[Any]) -> dict[str, Any]:
    return {name: value for name, value in zip(names, values, strict=False) if value}


def to_position(s: State) -> dict[str, Any]:
    """The position as keys of the notation; keys at their default are left out."""
    setting = s.setting
    board, seats, powers = setting.board, setting.seats, setting.powers
    provinces = board.provinces
    found: dict[str, Any] = {
        "map": board.name,
        "round": s.round,
        "agenda": agenda_texts(s),
        "roles": {
            role: seats[seat] for role, seat in zip(ROLES, s.roles, strict=True) if seat != NOBODY
        },
        "hand": _by(seats, map(hand_text, s.hands)),
        "known": _by(seats, map(hand_text, s.known)),
        "open": _by(seats, map(hand_text, s.open)),
        "won": _by(seats, map(hand_text, s.won)),
        "cards": {
            seat: [CARDS[card] for card in bits(owned)]
            for seat, owned in zip(seats, s.cards, strict=True)
            if owned
        },
        "markers": {
            provinces[place]: power
            for power, marks in zip(powers, s.marks, strict=True)
            for place in bits(marks)
        },
        "caravans": [
            f"{provinces[place]} {GOODS[good]}"
            for good, where in enumerate(s.caravans)
            for place in bits(where)
        ],
        "cities": _counts(s.cities, provinces).split(),
        "markets": list(board.ids(s.markets)),
        "temples": list(board.ids(s.temples)),
        "legions": _by(powers, (_counts(numbers, provinces) for numbers in s.legions)),
        "fortresses": _by(powers, map(" ".join, _forts(s))),
        "fleets": _by(seats, (_counts(numbers, board.seas) for numbers in s.fleets)),
        "new_fleets": _by(seats, (_counts(numbers, provinces) for numbers in s.harbour)),
        "moved": _counts(s.moved, board.places),
        "fought": _counts(s.fought, board.places),
        "fortress_fought": _counts(s.forts_fought, provinces),
        "chosen": list(board.ids(s.chosen)),
        "locked": list(board.ids(s.locked)),
        "sailed": list(board.sea_ids(s.sailed & ~zones_used(s))),
        "called": [seats[seat] for seat in bits(s.called)],
        "used": [name for at, name in enumerate(USED) if s.used >> at & 1],
    }
    if s.posts:
        _add_posts(s, found)
    stock = derived_stock(s)
    if s.stock != stock:
        found["stock"] = {name: count(s.stock, kind) for kind, name in enumerate(KINDS)}
    since = _since(s)
    if since is not None:
        found["since"] = since
    return {key: value for key, value in found.items() if value or key in ("round", "since")}


def zones_used(s: State) -> BitSet:
    """Zones where fleets stand that have moved or fought this turn: these were sailed into."""
    first = len(s.setting.board.provinces)
    return sum(
        1 << zone
        for zone in range(len(s.setting.board.seas))
        if s.moved[first + zone] or s.fought[first + zone]
    )


def _since(s: State) -> list[str] | None:
    """The provinces with a marker since the start of the round; None: all."""
    old = 0
    for since, marks in zip(s.since, s.marks, strict=False):
        old |= since & marks
    every = 0
    for marks in s.marks[: s.setting.n]:
        every |= marks
    return None if old == every else list(s.setting.board.ids(old))


def _forts(s: State) -> list[list[str]]:
    provinces = s.setting.board.provinces
    return [
        [provinces[place] + ("*2" if two >> place & 1 else "") for place in bits(one)]
        for one, two in zip(s.forts, s.forts2, strict=True)
    ]


def _add_posts(s: State, found: dict[str, Any]) -> None:
    occupied, takeover = [], []
    for post in s.posts:
        state = (WORDS_OF_STATE[post.state],) if post.state else ()
        place, power = s.setting.board.provinces[post.province], s.setting.powers[post.power]
        if post.what == MARKER:
            takeover.append(" ".join((place, power, *state)))
        else:
            occupied.append(" ".join((place, WHATS[post.what], power, *state)))
    found["occupied"], found["takeover"] = occupied, takeover


def derived_stock(s: State) -> int:
    """The cards that nobody holds."""
    return s.setting.all_cards - sum(s.hands) - sum(s.open) - sum(s.won)


def frame_text(words: Names, frame: Frame) -> str:
    """A frame as text: its name and its fields."""
    return move_text(FRAME_TABLE, words, (frame.name, *frame.fields()))


def agenda_texts(s: State) -> list[str]:
    """The agenda as texts, in the order in which it will happen."""
    words = names_of(s.setting)
    return [frame_text(words, frame) for frame in reversed(s.agenda)]


def position_text(s: State) -> str:
    """The canonical text of a position: compact JSON, keys sorted."""
    found = to_position(s)
    if s.over is not None:
        found["over"] = [s.over.reason, s.over.ranking]
    return json.dumps(found, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
