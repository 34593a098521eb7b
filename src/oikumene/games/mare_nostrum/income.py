"""Chapter 7: income."""

from __future__ import annotations

from dataclasses import dataclass

from oikumene.core.game import Rule, Seat, Step, Tell, sole_answer, then
from oikumene.core.limits import BitSet, Reason, bits, broken
from oikumene.core.moves import Move, Moves
from oikumene.games.mare_nostrum.cards import (
    ARTEMIS,
    CARD,
    COLOSSUS,
    GOODS,
    TAX,
    Hand,
    common,
    kinds,
)
from oikumene.games.mare_nostrum.moves import SEAT
from oikumene.games.mare_nostrum.state import (
    CITY,
    COMMERCE,
    MARKET,
    TEMPLE,
    Post,
    State,
    at_war,
    receive,
)


def incomes(s: State) -> tuple[Hand, ...]:
    """What board and Colossus pay to each seat (MN-7.1 to 7.9), whatever the stock holds."""
    n = s.setting.n
    posts: tuple[Post, ...] = ()
    if s.posts:
        war = at_war(s)
        posts = tuple(post for post in s.posts if not war >> post.province & 1)
    taken = [0] * len(GOODS)  # provinces where the caravan on this good is occupied
    market_taken = temple_taken = 0
    cities = s.cities
    if posts:
        left = bytearray(cities)
        for post in posts:
            bit = 1 << post.province
            if post.what == CITY:
                left[post.province] -= 1
            elif post.what == MARKET:
                market_taken |= bit
            elif post.what == TEMPLE:
                temple_taken |= bit
            elif post.what < len(GOODS):
                taken[post.what] |= bit
        cities = bytes(left)
    doubling = s.markets & ~market_taken
    temples = s.temples & ~temple_taken
    found = []
    for seat in range(n):
        marks = s.marks[seat]
        hand = 0
        for place in bits(marks):
            if cities[place]:
                hand += cities[place] << (temples >> place & 1)
        for good, where in enumerate(s.caravans):
            pays = where & marks & ~taken[good]
            if pays:
                hand += (pays.bit_count() + (pays & doubling).bit_count()) * CARD[good + 1]
        for post in posts:
            if post.power == seat:
                hand += _occupied_yield(posts, post)
        if s.cards[seat] >> COLOSSUS & 1:
            hand += CARD[TAX]
        found.append(hand)
    return tuple(found)


def _occupied_yield(posts: tuple[Post, ...], post: Post) -> Hand:
    """What one occupied building pays to its occupier (MN-7.5, MN-7.6)."""
    if post.what == CITY:
        card, doubler = CARD[TAX], TEMPLE
    elif post.what < len(GOODS):
        card, doubler = CARD[post.what + 1], MARKET
    else:
        return 0
    doubled = any(other[:3] == (post.province, post.power, doubler) for other in posts)
    return 2 * card if doubled else card


@dataclass(frozen=True, slots=True)
class Income(Rule):
    """Everybody gets his income, the Director first if a stock does not suffice (MN-7.12)."""

    name = "income"

    def run(self, s: State, tell: Tell) -> None:
        """Pay out, then let the owner of the Temple of Artemis choose."""
        paid = incomes(s)
        for seat in from_director(s):
            cards = common(paid[seat], s.stock)
            receive(s, seat, cards)
            tell("income", seat, cards, rule="MN-7.1")
        for seat in range(s.setting.n):
            if s.cards[seat] >> ARTEMIS & 1:
                then(s, ChooseGood(seat))


def from_director(s: State) -> tuple[Seat, ...]:
    """The seats clockwise, the Director of Commerce first."""
    first = max(s.roles[COMMERCE], 0)
    n = s.setting.n
    return tuple((first + at) % n for at in range(n))


@dataclass(frozen=True, slots=True)
class ChooseGood(Step):
    """A good of choice out of the stock: Temple of Artemis (MN-7.9), Nebuchadnezzar (MN-25.7)."""

    seat: Seat
    name = "good"
    cite = ("MN-7.9", "MN-23.2", "MN-25.7")
    verbs = ("good", "done")
    nouns = (SEAT,)

    def _left(self, s: State) -> BitSet:
        return sum(1 << kind - 1 for kind in kinds(s.stock) if kind != TAX)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The owner of the card."""
        return (self.seat,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """Any good in stock; if there is none, nothing is chosen (MN-7.10)."""
        left = self._left(s)
        return Moves((("good", bits(left)),)) if left else Moves((("done",),))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """Only a good of which the stock has a card (MN-7.10); `done` only without any."""
        if move[0] == "done":
            return [Reason("MN-7.9")] if self._left(s) else []
        return [Reason(rule) for rule in broken((("MN-7.10", self._left(s)),), move[1])]

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """Without a choice of goods nobody is asked."""
        return sole_answer(self, s)

    def do_good(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The card goes to the hand."""
        card = CARD[nouns[0] + 1]
        receive(s, seat, card)
        tell("income", seat, card, rule="MN-7.9")

    def do_done(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The stock has no good at all."""
