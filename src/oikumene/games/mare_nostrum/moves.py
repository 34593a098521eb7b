"""The words of Mare Nostrum: nouns, the table of moves, the table of events.

See `docs/conformance.md` for what each move means and at which step it belongs.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from oikumene.core.errors import NotationError
from oikumene.core.limits import BitSet, bits
from oikumene.core.moves import Noun, Table, Words, literal, number, one_of
from oikumene.games.mare_nostrum.board import Board
from oikumene.games.mare_nostrum.cards import CARDS, FIELD, GOODS, KINDS, Hand, count, kinds, pack
from oikumene.games.mare_nostrum.state import ROLES, THINGS, WHATS

# A unit that takes part in a fight: a WHAT (the legion that stands there) or one of these.
LEGION, FORTRESS, FLEET = range(len(WHATS), len(WHATS) + 3)
UNITS = ("legion", "fortress", "fleet")


class Names:
    """The names that the texts of one table use; `Words` to the nouns below."""

    __slots__ = ("board", "places", "powers", "provinces", "seats", "seats_by", "zones_by")

    def __init__(self, board: Board, seats: tuple[str, ...], powers: tuple[str, ...]) -> None:
        self.board = board
        self.places = board.index
        self.provinces = {place: at for at, place in enumerate(board.provinces)}
        self.zones_by = {zone: at for at, zone in enumerate(board.seas)}
        self.seats = {seat: at for at, seat in enumerate(seats)}
        self.powers = {power: at for at, power in enumerate(powers)}
        self.seats_by = powers


def _index(names: tuple[str, ...]) -> dict[str, int]:
    return {name: at for at, name in enumerate(names)}


_KINDS, _GOODS, _CARDS = _index(KINDS), _index(GOODS), _index(CARDS)
_THINGS, _WHATS, _ROLES = _index(THINGS), _index(WHATS), _index(ROLES)

SEAT = one_of("SEAT", lambda w: w.seats, lambda w: w.seats_by)
POWER = one_of("SEAT", lambda w: w.powers, lambda w: w.seats_by)
PLACE = one_of("PLACE", lambda w: w.places, lambda w: w.board.places)
PROVINCE = one_of("PROVINCE", lambda w: w.provinces, lambda w: w.board.provinces)
GOOD = one_of("GOOD", lambda _: _GOODS, lambda _: GOODS)
KIND = one_of("CARD", lambda _: _KINDS, lambda _: KINDS)
CARD_ID = one_of("HERO-OR-WONDER", lambda _: _CARDS, lambda _: CARDS)
THING = one_of("THING", lambda _: _THINGS, lambda _: THINGS)
WHAT = one_of("WHAT", lambda _: _WHATS, lambda _: WHATS)
ROLE = one_of("ROLE", lambda _: _ROLES, lambda _: ROLES)
COUNT = number("N")


def _optional(noun: Noun, name: str) -> Noun:
    """The noun, or nothing: -1."""

    def parse(words: Words, tokens: list[str]) -> int:
        try:
            return int(noun.parse(words, tokens))
        except NotationError:
            return -1

    return Noun(name, parse, lambda w, value: "" if value < 0 else noun.text(w, value))


GOOD_OR_NONE = _optional(GOOD, "[GOOD]")
SEAT_OR_NONE = Noun(
    "SEAT-OR-NOBODY",
    lambda w, tokens: (
        -1 if tokens and tokens[0] == "nobody" and tokens.pop(0) else SEAT.parse(w, tokens)
    ),
    lambda w, value: "nobody" if value < 0 else SEAT.text(w, value),
)


def counted(token: str) -> tuple[str, int]:
    """A counted word `name*n` (n from 1 to 63), or a word alone: once. Raises NotationError."""
    name, star, times = token.partition("*")
    if not star:
        return name, 1
    if not (times.isascii() and times.isdigit() and len(times) < 3 and 0 < int(times) <= 63):
        raise NotationError(f"'{token}': a count is written name*n with n from 1 to 63")
    return name, int(times)


@lru_cache(maxsize=65536)
def hand_text(hand: Hand) -> str:
    """A hand or a pick of cards: `tax*2 gold wine*3`; "" without cards."""
    parts = []
    for kind in kinds(hand):
        held = count(hand, kind)
        parts.append(f"{KINDS[kind]}*{held}" if held > 1 else KINDS[kind])
    return " ".join(parts)


def parse_hand(tokens: list[str]) -> Hand:
    """Read (and use up) all tokens as cards, in any order. Raises NotationError."""
    counts: Counter[int] = Counter()
    for token in tokens:
        name, times = counted(token)
        if name not in _KINDS:
            raise NotationError(f"'{name}' is not a card; there are: {' '.join(KINDS)}")
        counts[_KINDS[name]] += times
    tokens.clear()
    if sum(counts.values()) >= FIELD or any(times > 63 for times in counts.values()):
        raise NotationError("these are more cards than the game has")
    return pack(counts)


PICK = Noun("CARDS", lambda _, tokens: parse_hand(tokens), lambda _, hand: hand_text(hand))


def _unit_text(unit: int) -> str:
    if unit < LEGION:
        return f"legion on {WHATS[unit]}"
    return UNITS[unit - LEGION]


def _parse_unit(tokens: list[str]) -> tuple[int, int]:
    """One counted unit off the tokens: (unit, number)."""
    if not tokens:
        raise NotationError("a unit is missing: legion, legion on WHAT, fortress, fleet")
    name, times = counted(tokens.pop(0))
    if name not in UNITS:
        raise NotationError(f"'{name}' is not a unit; there are: {' '.join(UNITS)}")
    if name == "legion" and tokens and tokens[0] == "on":
        del tokens[0]
        if not tokens or tokens[0] not in _WHATS:
            raise NotationError(f"'legion on' needs one of: {' '.join(WHATS)}")
        return _WHATS[tokens.pop(0)], times
    return LEGION + UNITS.index(name), times


def _parse_one_unit(_: Words, tokens: list[str]) -> int:
    unit, times = _parse_unit(tokens)
    if times != 1:
        raise NotationError("units are lost one by one")
    return unit


UNIT = Noun("UNIT", _parse_one_unit, lambda _, unit: _unit_text(unit))


def _parse_with(_: Words, tokens: list[str]) -> tuple[int, ...]:
    if not tokens:
        return ()
    if tokens.pop(0) != "with":
        raise NotationError("after the opponent only 'with UNITS' may follow")
    units: list[int] = []
    while tokens:
        unit, times = _parse_unit(tokens)
        units.extend([unit] * times)
    if not units:
        raise NotationError("'with' needs units")
    return tuple(sorted(units))


def units_text(units: tuple[int, ...]) -> str:
    """Units as `legion*2 legion on city fortress`; plain legions first."""
    parts = []
    for unit, times in sorted(Counter(units).items(), key=lambda item: (item[0] != LEGION, item)):
        if unit < LEGION:
            parts.extend([_unit_text(unit)] * times)
        else:
            parts.append(_unit_text(unit) + (f"*{times}" if times > 1 else ""))
    return " ".join(parts)


WITH_UNITS = Noun("[with UNITS]", _parse_with, lambda _, u: "with " + units_text(u) if u else "")


def _parse_leaving(_: Words, tokens: list[str]) -> tuple[int, ...]:
    if not tokens:
        return ()
    if tokens.pop(0) != "leaving":
        raise NotationError("after the target only 'leaving WHAT...' may follow")
    whats: list[int] = []
    for token in tokens:
        name, times = counted(token)
        if name not in _WHATS:
            raise NotationError(f"'{name}' is not a building; there are: {' '.join(WHATS)}")
        whats.extend([_WHATS[name]] * times)
    tokens.clear()
    if not whats:
        raise NotationError("'leaving' needs buildings")
    return tuple(sorted(whats))


def whats_text(whats: tuple[int, ...]) -> str:
    """Buildings as `grain city*2`."""
    return " ".join(
        WHATS[what] + (f"*{times}" if times > 1 else "")
        for what, times in sorted(Counter(whats).items())
    )


LEAVING = Noun(
    "[leaving WHAT...]", _parse_leaving, lambda _, w: "leaving " + whats_text(w) if w else ""
)


def _parse_dice(words: Words, tokens: list[str]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    sides = []
    for side in " ".join(tokens).split(","):
        parts = side.split()
        who = POWER.parse(words, parts)
        if not parts or any(part not in "123456" or len(part) != 1 for part in parts):
            raise NotationError("dice are written: SEAT n n, SEAT n with n from 1 to 6")
        sides.append((who, tuple(sorted(int(part) for part in parts))))
    tokens.clear()
    return tuple(sides)


def _dice_text(words: Words, sides: tuple[tuple[int, tuple[int, ...]], ...]) -> str:
    return ", ".join(
        f"{words.seats_by[who]} {' '.join(str(die) for die in dice)}" for who, dice in sides
    )


DICE = Noun("SEAT n n, SEAT n", _parse_dice, _dice_text)


def _parse_seats(words: Words, tokens: list[str]) -> BitSet:
    found = 0
    for token in tokens:
        if token not in words.seats:
            raise NotationError(f"'{token}' is not a seat")
        found |= 1 << words.seats[token]
    tokens.clear()
    return found


SEATS = Noun("SEATS", _parse_seats, lambda w, mask: " ".join(w.seats_by[at] for at in bits(mask)))

MOVES: Table = {
    # set-up
    "caravan": (PROVINCE, GOOD),
    "place": (THING, PROVINCE, GOOD_OR_NONE),
    "hero": (),
    # roles and income
    "name": (SEAT,),
    "good": (GOOD,),
    # trade
    "number": (COUNT,),
    "offer": (PICK,),
    "take": (SEAT, KIND),
    "ulysses": (),
    "give": (KIND,),
    # calling
    "call": (SEAT,),
    # construction
    "build": (THING, PROVINCE, GOOD_OR_NONE, literal("with"), PICK),
    "buy": (CARD_ID, literal("with"), PICK),
    "free": (literal("marker"), PROVINCE),
    "swap": (KIND, KIND),
    "demolish": (THING, PROVINCE, GOOD_OR_NONE),
    "keep": (PICK,),
    # strategy
    "sail": (COUNT, PLACE, PLACE),
    "march": (COUNT, PROVINCE, PROVINCE, LEAVING),
    "fight": (PLACE, POWER, WITH_UNITS),
    "helen": (),
    "lose": (UNIT,),
    "pillage": (PROVINCE, WHAT),
    "occupy": (PROVINCE, WHAT),
    "takeover": (PROVINCE,),
    # everywhere
    "no": (),
    "done": (),
    # chance
    "dice": (DICE,),
    "lot": (SEAT,),
}

EVENTS: Table = {
    "round": (COUNT,),
    "placed": (SEAT, THING, PROVINCE, GOOD_OR_NONE),
    "neutral": (POWER, PROVINCE),
    "role": (SEAT, ROLE),
    "income": (SEAT, PICK),
    "number": (SEAT, COUNT),
    "offered": (SEAT,),
    "opened": (SEAT, PICK),
    "picked": (SEAT, SEAT, KIND),
    "ulysses": (SEAT, SEAT),
    "took": (SEAT, SEAT, KIND),
    "returned": (SEAT, PICK),
    "gave": (SEAT, SEAT),
    "gave_card": (SEAT, SEAT, KIND),
    "no_trade": (),
    "called": (SEAT,),
    "built": (SEAT, THING, PROVINCE, GOOD_OR_NONE),
    "paid": (SEAT, PICK),
    "replaced": (SEAT, POWER, PROVINCE),
    "bought": (SEAT, CARD_ID),
    "swapped": (SEAT, KIND, KIND),
    "kept": (SEAT, COUNT),
    "discarded": (SEAT, PICK),
    "takeover_ended": (SEAT, PROVINCE),
    "sailed": (SEAT, COUNT, PLACE, PLACE),
    "marched": (SEAT, COUNT, PROVINCE, PROVINCE),
    "helen": (SEAT, SEAT, PROVINCE),
    "fight": (SEAT, POWER, PLACE),
    "fought": (POWER, COUNT, PLACE),
    "lost": (POWER, UNIT, PLACE),
    "war": (PROVINCE,),
    "pillaged": (SEAT, PROVINCE, WHAT),
    "occupied": (SEAT, PROVINCE, WHAT),
    "takeover": (SEAT, PROVINCE),
    "won": (SEATS,),
}
