"""Resource cards in hands (MN-1.4) and the hero and wonder cards (MN-1.8, MN-1.9).

A hand is one int: thirteen fields of seven bits, tax first, then the goods in the order of `GOODS`.
Six bits count up to 63, the seventh stays free, so that a subtraction in one field can never borrow
from the next. Adding and removing cards is plain addition and subtraction of hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import comb
from typing import TypeAlias

from oikumene.core.limits import BitSet

Hand: TypeAlias = int

GOODS = (
    "perfume", "papyrus", "gold", "gems", "oil", "wine",
    "cattle", "fruit", "metal", "grain", "fish", "slaves",
)  # fmt: skip
KINDS = ("tax", *GOODS)
TAX = 0
WIDTH = 7
FIELD = (1 << WIDTH) - 1
CARD: tuple[Hand, ...] = tuple(1 << WIDTH * kind for kind in range(len(KINDS)))
_GUARD = sum(one << WIDTH - 1 for one in CARD)
_SPREAD = (1 << WIDTH - 1) - 1

HEROES = (
    "caesar", "hannibal", "hammurabi", "pericles", "cleopatra",
    "helen", "agamemnon", "archimedes", "nebuchadnezzar", "solomon", "ulysses",
)  # fmt: skip
WONDERS = ("artemis", "mausoleum", "zeus", "gardens", "lighthouse", "colossus", "pyramids")
CARDS = HEROES + WONDERS
(
    CAESAR, HANNIBAL, HAMMURABI, PERICLES, CLEOPATRA,
    HELEN, AGAMEMNON, ARCHIMEDES, NEBUCHADNEZZAR, SOLOMON, ULYSSES,
    ARTEMIS, MAUSOLEUM, ZEUS, GARDENS, LIGHTHOUSE, COLOSSUS, PYRAMIDS,
) = range(len(CARDS))  # fmt: skip
ALL_CARDS: BitSet = (1 << len(CARDS)) - 1
CIVILIZATION_HEROES: BitSet = (1 << HELEN) - 1


def count(hand: Hand, kind: int) -> int:
    """How many cards of a kind the hand holds."""
    return hand >> WIDTH * kind & FIELD


def size(hand: Hand) -> int:
    """How many cards the hand holds: the digit sum in base 128, as 123 cards are fewer than 127."""
    return hand % FIELD


def holds(hand: Hand, cards: Hand) -> bool:
    """Whether the hand holds all these cards."""
    return ((hand | _GUARD) - cards) & _GUARD == _GUARD


def without(hand: Hand, cards: Hand) -> Hand:
    """The hand less these cards, kind by kind, but never below none."""
    rest = (hand | _GUARD) - cards
    kept = rest & _GUARD
    return rest & (kept >> WIDTH - 1) * _SPREAD


def common(one: Hand, other: Hand) -> Hand:
    """The cards that both hands hold."""
    return one - without(one, other)


def pack(counts: Mapping[int, int]) -> Hand:
    """A hand from counts by kind."""
    return sum(CARD[kind] * number for kind, number in counts.items())


@lru_cache(maxsize=65536)
def kinds(hand: Hand) -> tuple[int, ...]:
    """The kinds of which the hand holds at least one card, ascending."""
    found = []
    kind = 0
    while hand:
        if hand & FIELD:
            found.append(kind)
        hand >>= WIDTH
        kind += 1
    return tuple(found)


def goods(hand: Hand) -> tuple[int, ...]:
    """The kinds of goods (never tax) that the hand holds, ascending."""
    found = kinds(hand)
    return found[1:] if found and found[0] == TAX else found


def is_set(cards: Hand) -> bool:
    """Whether the cards are tax only, or goods that are all different (MN-9.2)."""
    return all(count(cards, kind) == 1 for kind in kinds(cards)) if not cards & FIELD else (
        cards <= FIELD
    )  # fmt: skip


class Sets:
    """The sets of one price that a hand can pay (MN-9.2, MN-9.4): the tax set first, then the sets
    of different goods in lexicographic order. A lazy sequence."""

    __slots__ = ("_goods", "_size", "_tax", "hand", "price")

    def __init__(self, hand: Hand, price: int) -> None:
        self.hand = hand
        self.price = price
        self._tax = 1 if hand & FIELD >= price else 0
        self._goods = goods(hand)
        self._size = self._tax + comb(len(self._goods), price)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Hand]:
        return (self[at] for at in range(len(self)))

    def __contains__(self, cards: object) -> bool:
        return (
            isinstance(cards, int)
            and size(cards) == self.price
            and holds(self.hand, cards)
            and is_set(cards)
        )

    def __getitem__(self, at: int) -> Hand:
        if self._tax:
            if at == 0:
                return self.price * CARD[TAX]
            at -= 1
        cards = 0
        left = self.price
        number = len(self._goods)
        for place, kind in enumerate(self._goods):
            if not left:
                return cards
            with_kind = comb(number - place - 1, left - 1)
            if at < with_kind:
                cards += CARD[kind]
                left -= 1
            else:
                at -= with_kind
        if left:
            raise IndexError("there are not so many sets")
        return cards


@lru_cache(maxsize=65536)
def _picks(hand: Hand, number: int) -> int:
    """How many different picks of `number` cards the hand allows."""
    if not hand or number <= 0:
        return int(number == 0)
    held = hand & FIELD
    rest = hand >> WIDTH
    return sum(_picks(rest, number - n) for n in range(min(held, number) + 1))


class Picks:
    """All picks of `number` cards out of a hand. A lazy sequence."""

    __slots__ = ("hand", "number")

    def __init__(self, hand: Hand, number: int) -> None:
        self.hand = hand
        self.number = number

    def __len__(self) -> int:
        return _picks(self.hand, self.number)

    def __iter__(self) -> Iterator[Hand]:
        return (self[at] for at in range(len(self)))

    def __contains__(self, cards: object) -> bool:
        return isinstance(cards, int) and size(cards) == self.number and holds(self.hand, cards)

    def __getitem__(self, at: int) -> Hand:
        cards = shift = 0
        rest, left = self.hand, self.number
        while left:
            if not rest:
                raise IndexError("there are not so many picks")
            held = rest & FIELD
            rest >>= WIDTH
            for number in range(min(held, left), -1, -1):
                ways = _picks(rest, left - number)
                if at < ways:
                    break
                at -= ways
            else:
                raise IndexError("there are not so many picks")
            cards |= number << shift
            shift += WIDTH
            left -= number
        return cards
