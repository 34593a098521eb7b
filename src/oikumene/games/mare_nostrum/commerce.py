"""Chapter 8: the trade of resource cards."""

from __future__ import annotations

from dataclasses import dataclass

from oikumene.core.game import Rule, Seat, Step, Tell, sole_answer, then
from oikumene.core.limits import NO, YES, BitSet, Reason, Row, bits, broken, left_open, yes
from oikumene.core.moves import Move, Moves, Noun, Words
from oikumene.games.mare_nostrum.cards import (
    CARD,
    ULYSSES,
    Hand,
    Picks,
    count,
    holds,
    kinds,
    size,
    without,
)
from oikumene.games.mare_nostrum.moves import COUNT, KIND, SEAT, SEAT_OR_NONE, hand_text, parse_hand
from oikumene.games.mare_nostrum.state import (
    COMMERCE,
    NOBODY,
    USED_ULYSSES,
    State,
    put,
)

# An offer that has not come yet; a seat that takes no part; an offer that this view does not show.
WAITING, OUT, SEALED = -1, -2, -3
_MARKS = {WAITING: "?", OUT: "-", SEALED: "sealed"}
_MARKED = {text: mark for mark, text in _MARKS.items()}


def _parse_offers(_: Words, tokens: list[str]) -> tuple[Hand, ...]:
    parts = [part.strip() for part in " ".join(tokens).split(",")]
    tokens.clear()
    return tuple(_MARKED[part] if part in _MARKED else parse_hand(part.split()) for part in parts)


OFFERS = Noun(
    "OFFERS",
    _parse_offers,
    lambda _, offers: ", ".join(_MARKS.get(offer) or hand_text(offer) for offer in offers),
)


@dataclass(frozen=True, slots=True)
class Trade(Rule):
    """The trade of a round begins (MN-8.1)."""

    name = "trade"

    def run(self, s: State, tell: Tell) -> None:
        """Ask the Director for a number."""
        s.used &= ~USED_ULYSSES
        if s.roles[COMMERCE] != NOBODY:
            then(s, Number())


@dataclass(frozen=True, slots=True)
class Number(Step):
    """The Director names how many cards everybody must offer (MN-8.1)."""

    name = "number"
    cite = ("MN-8.1", "MN-6.10")
    verbs = ("number",)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The Director of Commerce."""
        return (s.roles[COMMERCE],)

    def moves(self, s: State, seat: Seat) -> Moves:
        """0 to the number of his cards."""
        return Moves((("number", range(size(s.hands[seat]) + 1)),))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """No more than he holds."""
        held = size(s.hands[seat])
        return [Reason("MN-8.1", {"cards": held})] if move[1] > held else []

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """Without cards he can only name 0 (MN-8.20)."""
        director = s.roles[COMMERCE]
        return None if s.hands[director] else (director, ("number", 0))

    def do_number(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Everybody who holds so many cards must lay them; the others take no part (MN-8.4)."""
        number = nouns[0]
        tell("number", seat, number, rule="MN-8.1")
        enough = [size(hand) >= number for hand in s.hands]
        if number == 0 or sum(enough) == 1:
            tell("no_trade", rule="MN-8.2" if number == 0 else "MN-8.19")
            return
        offers = tuple(
            OUT if not part else hand if size(hand) == number else WAITING
            for hand, part in zip(s.hands, enough, strict=True)
        )
        then(s, Offers(number, offers) if WAITING in offers else Reveal(number, offers))


@dataclass(frozen=True, slots=True)
class Offers(Step):
    """Everybody lays cards face down; the answers are sealed until the last has come (MN-8.3)."""

    number: int
    offers: tuple[Hand, ...]
    name = "offers"
    cite = ("MN-8.3",)
    verbs = ("offer",)
    nouns = (COUNT, OFFERS)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """Those who take part and have not answered."""
        return tuple(seat for seat, offer in enumerate(self.offers) if offer == WAITING)

    def moves(self, s: State, seat: Seat) -> Moves:
        """Any pick of so many cards."""
        return Moves((("offer", Picks(s.hands[seat], self.number)),))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """Exactly the number, and cards that he holds."""
        rows: tuple[Row, ...] = (
            ("MN-8.3", yes(size(move[1]) == self.number and holds(s.hands[seat], move[1]))),
        )
        return [Reason(rule, {"number": self.number}) for rule in broken(rows)]

    def do_offer(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Keep the answer; with the last one all are turned up."""
        offers = put(self.offers, seat, nouns[0])
        tell("offered", seat, rule="MN-8.3")
        then(s, Offers(self.number, offers) if WAITING in offers else Reveal(self.number, offers))


@dataclass(frozen=True, slots=True)
class Reveal(Rule):
    """All offers are turned up at the same time (MN-8.5)."""

    number: int
    offers: tuple[Hand, ...]
    name = "reveal"
    nouns = (COUNT, OFFERS)

    def run(self, s: State, tell: Tell) -> None:
        """The offered cards lie open; the Director takes first (MN-8.6)."""
        opened = tuple(max(offer, 0) for offer in self.offers)
        s.hands = tuple(hand - cards for hand, cards in zip(s.hands, opened, strict=True))
        s.known = tuple(without(hand, cards) for hand, cards in zip(s.known, opened, strict=True))
        s.open = opened
        for seat, cards in enumerate(opened):
            if cards:
                tell("opened", seat, cards, rule="MN-8.5")
        then(s, NextTake(s.roles[COMMERCE]))


NOTHING_YET = (NOBODY, NOBODY)
PAIR = Noun(
    "PAIR",
    lambda w, tokens: (SEAT_OR_NONE.parse(w, tokens), SEAT_OR_NONE.parse(w, tokens)),
    lambda w, pair: f"{SEAT_OR_NONE.text(w, pair[0])} {SEAT_OR_NONE.text(w, pair[1])}",
)


@dataclass(frozen=True, slots=True)
class NextTake(Rule):
    """Whose turn it is to take, or the end of the trade (MN-8.11, 8.13, 8.14, 8.18).

    `last` and `before` are the last two takes (taker, from whom); `closed` the pairs that may not
    deal any more under `pair_rule = whole_trade` (bit `5 * lower + higher`).
    """

    taker: Seat
    last: tuple[Seat, Seat] = NOTHING_YET
    before: tuple[Seat, Seat] = NOTHING_YET
    closed: BitSet = 0
    name = "next-take"
    nouns = (SEAT, PAIR, PAIR, COUNT)

    def run(self, s: State, tell: Tell) -> None:
        """Ask the taker, or end."""
        holders = sum(1 for cards in s.open if cards)
        early = holders == 1 and s.setting.opts.single_holder_end == "literal"
        take = Take(self.taker, self.last, self.before, self.closed)
        if holders and not early and take.victims(s):
            then(s, take)
        else:
            then(s, EndTrade(self.last[1], holders))


def _pair(one: Seat, other: Seat) -> BitSet:
    return 1 << 5 * min(one, other) + max(one, other)


@dataclass(frozen=True, slots=True)
class Take(Step):
    """One takes an open card of somebody else (MN-8.6, MN-8.7)."""

    taker: Seat
    last: tuple[Seat, Seat]
    before: tuple[Seat, Seat]
    closed: BitSet
    name = "take"
    cite = ("MN-8.6", "MN-8.7")
    verbs = ("take",)
    nouns = (SEAT, PAIR, PAIR, COUNT)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The one who takes."""
        return (self.taker,)

    def _rows(self, s: State) -> tuple[Row, ...]:
        """From whom he may take: who has open cards, and is not barred by the pair rule."""
        open_cards = sum(1 << seat for seat, cards in enumerate(s.open) if cards)
        barred = 0
        if s.setting.opts.pair_rule == "this_moment":
            if self.before != NOTHING_YET and self.before == self.last[::-1]:
                barred = 1 << self.last[0]
        else:
            for seat in range(s.setting.n):
                if self.closed & _pair(seat, self.taker):
                    barred |= 1 << seat
        return ("MN-8.6", open_cards & ~(1 << self.taker)), ("MN-8.10", ~barred)

    def victims(self, s: State) -> BitSet:
        """The seats he may take from."""
        return left_open(self._rows(s), YES)

    def moves(self, s: State, seat: Seat) -> Moves:
        """One card of each kind that lies open there."""
        return Moves([("take", (one,), kinds(s.open[one])) for one in bits(self.victims(s))])

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """See the rows; and the card must lie open there."""
        rows = (*self._rows(s), ("MN-8.6", YES if count(s.open[move[1]], move[2]) else NO))
        return [Reason(rule, {"from": move[1]}) for rule in broken(rows, move[1])]

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """Only one card can be taken."""
        victims = self.victims(s)
        if victims & victims - 1:
            return None
        victim = bits(victims)[0]
        found = kinds(s.open[victim])
        return (self.taker, ("take", victim, found[0])) if len(found) == 1 else None

    def do_take(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The card is picked; Ulysses may step in before it is taken (MN-25.8)."""
        victim, kind = nouns
        tell("picked", seat, victim, kind, rule="MN-8.6")
        carry = CarryTake(seat, victim, kind, self.last, self.closed)
        owner = _ulysses(s, seat, victim)
        if owner == NOBODY:
            then(s, carry)
        else:
            then(s, AskUlysses(owner, seat), carry)


def _ulysses(s: State, taker: Seat, victim: Seat) -> Seat:
    """The owner of Ulysses, if he may force the taker to take from himself (MN-25.10)."""
    if s.used & USED_ULYSSES:
        return NOBODY
    for seat, owned in enumerate(s.cards):
        if owned >> ULYSSES & 1:
            return seat if s.open[seat] and seat not in (taker, victim) else NOBODY
    return NOBODY


@dataclass(frozen=True, slots=True)
class AskUlysses(Step):
    """The owner of Ulysses may force the card back (MN-25.8, MN-25.10)."""

    owner: Seat
    taker: Seat
    name = "ulysses"
    cite = ("MN-25.8", "MN-25.10")
    verbs = ("ulysses", "no")
    nouns = (SEAT, SEAT)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The owner of Ulysses."""
        return (self.owner,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """Use him or not."""
        return Moves((("ulysses",), ("no",)))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """Both answers are free."""
        return []

    def do_ulysses(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The pick is void; the taker must pick from the owner of Ulysses."""
        carry = s.agenda[-1]
        assert isinstance(carry, CarryTake)
        s.agenda = s.agenda[:-1]
        s.used |= USED_ULYSSES
        tell("ulysses", seat, self.taker, rule="MN-25.8")
        then(s, ForcedTake(self.taker, seat, carry.last, carry.closed))

    def do_no(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The pick stands."""


@dataclass(frozen=True, slots=True)
class ForcedTake(Step):
    """The forced player chooses which card of the Ulysses owner he takes (MN-25.10)."""

    taker: Seat
    owner: Seat
    last: tuple[Seat, Seat]
    closed: BitSet
    name = "forced-take"
    cite = ("MN-25.8", "MN-25.10")
    verbs = ("take",)
    nouns = (SEAT, SEAT, PAIR, COUNT)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The one who was forced."""
        return (self.taker,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """The open cards of the Ulysses owner."""
        return Moves((("take", (self.owner,), kinds(s.open[self.owner])),))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """Only from the Ulysses owner."""
        rows = (
            ("MN-25.8", yes(move[1] == self.owner)),
            ("MN-8.6", yes(count(s.open[move[1]], move[2]))),
        )
        return [Reason(rule, {"from": self.owner}) for rule in broken(rows)]

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """Only one kind of card lies open there."""
        return sole_answer(self, s)

    def do_take(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The take is carried out."""
        then(s, CarryTake(seat, nouns[0], nouns[1], self.last, self.closed))


@dataclass(frozen=True, slots=True)
class CarryTake(Rule):
    """The picked card is laid face down before the taker; its owner takes next (MN-8.7)."""

    taker: Seat
    victim: Seat
    kind: int
    last: tuple[Seat, Seat]
    closed: BitSet
    name = "carry-take"
    nouns = (SEAT, SEAT, KIND, PAIR, COUNT)

    def run(self, s: State, tell: Tell) -> None:
        """Move the card; note the pair when it went back and forth (MN-8.10)."""
        card = CARD[self.kind]
        s.open = put(s.open, self.victim, s.open[self.victim] - card)
        s.won = put(s.won, self.taker, s.won[self.taker] + card)
        tell("took", self.taker, self.victim, self.kind, rule="MN-8.6")
        this = (self.taker, self.victim)
        closed = self.closed
        if self.last == this[::-1] and s.setting.opts.pair_rule == "whole_trade":
            closed |= _pair(*this)
        then(s, NextTake(self.victim, this, self.last, closed))


@dataclass(frozen=True, slots=True)
class EndTrade(Rule):
    """The trade is over: cards go to the hands, the Director makes up a shortfall (MN-8.12)."""

    loser: Seat
    holders: int
    name = "end-trade"
    nouns = (SEAT_OR_NONE, COUNT)

    def run(self, s: State, tell: Tell) -> None:
        """Open cards go back (MN-8.18), won cards go to the hand (MN-8.16)."""
        for seat, cards in enumerate(s.open):
            if cards:
                tell("returned", seat, cards, rule="MN-8.18")
        gained = [won + back for won, back in zip(s.won, s.open, strict=True)]
        s.hands = tuple(hand + cards for hand, cards in zip(s.hands, gained, strict=True))
        s.known = tuple(hand + cards for hand, cards in zip(s.known, gained, strict=True))
        s.open = s.won = (0,) * s.setting.n
        director = s.roles[COMMERCE]
        made_up = not self.holders or s.setting.opts.early_end_compensation == "yes"
        if self.loser not in (NOBODY, director) and made_up:
            then(s, Give(director, self.loser))


@dataclass(frozen=True, slots=True)
class Give(Step):
    """The Director gives the one who lost the last card one of his own, unseen (MN-8.12, 8.20)."""

    director: Seat
    loser: Seat
    name = "give"
    cite = ("MN-8.12", "MN-8.20")
    verbs = ("give",)
    nouns = (SEAT, SEAT)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The Director."""
        return (self.director,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """Any of his cards."""
        return Moves((("give", kinds(s.hands[seat])),))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """A card that he holds."""
        rows = (("MN-8.12", yes(count(s.hands[seat], move[1]))),)
        return [Reason(rule) for rule in broken(rows)]

    def _public_kinds(self, s: State) -> tuple[int, ...]:
        """The kinds he can give, if everybody knows his whole hand; else ()."""
        known = s.known[self.director]
        return kinds(known) if size(known) == size(s.hands[self.director]) else ()

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """He holds one card only, or everybody knows that all are alike."""
        hand = s.hands[self.director]
        if size(hand) == 1 or len(self._public_kinds(s)) == 1:
            return self.director, ("give", kinds(hand)[0])
        return None

    def do_give(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The card changes hands; the others only know that one of his cards is gone."""
        kind = nouns[0]
        card = CARD[kind]
        public = self._public_kinds(s)
        s.hands = put(s.hands, seat, s.hands[seat] - card)
        s.hands = put(s.hands, self.loser, s.hands[self.loser] + card)
        if public == (kind,):
            s.known = put(s.known, self.loser, s.known[self.loser] + card)
        may_be_gone = sum(CARD[known] for known in kinds(s.known[seat]))
        s.known = put(s.known, seat, s.known[seat] - may_be_gone)
        tell("gave", seat, self.loser, rule="MN-8.12")
        for witness in (seat, self.loser):
            tell("gave_card", seat, self.loser, kind, rule="MN-8.12", to=witness)
