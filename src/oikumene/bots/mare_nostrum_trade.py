"""How `greedy` trades: the Director's number, the offer, what to take, Ulysses, what to give.

A trade changes nobody's number of cards, only their kinds. So everything is judged by what the
hand will buy after it (`best_plan`), and by a smooth worth of single cards where that is equal.
"""

from __future__ import annotations

from oikumene.bots.mare_nostrum_plan import Menu, Plan, best_plan
from oikumene.core.moves import Move, Moves
from oikumene.games.mare_nostrum.cards import (
    CARD,
    FIELD,
    TAX,
    Hand,
    count,
    goods,
    kinds,
    size,
    without,
)
from oikumene.games.mare_nostrum.commerce import Offers
from oikumene.games.mare_nostrum.construction import CARD_PRICE
from oikumene.games.mare_nostrum.evaluate import Outlook

# The worth of the first, second, ... card of a good in a hand: it goes into so many sets.
COPIES = (1.0, 0.45, 0.25, 0.12)
TAX_CARD = 0.72  # tax pays only with tax, but it is the one kind that can always be used up
TAX_NEAR = 0.95  # ... and a card of it is dear when the next price in tax is near


class Hands:
    """What the seat knows of all hands in a trade, and what its own hand can buy."""

    __slots__ = ("_plans", "hand", "menu", "o")

    def __init__(self, o: Outlook, menu: Menu) -> None:
        self.o = o
        self.menu = menu
        self.hand = o.s.hands[o.seat]
        self._plans: dict[Hand, Plan] = {}

    def plan(self, hand: Hand) -> Plan:
        """The best purchases of a hand; remembered, as many hands come up again."""
        found = self._plans.get(hand)
        if found is None:
            found = self._plans[hand] = best_plan(hand, self.menu)
        return found

    def known(self, seat: int) -> Hand:
        """The cards that this seat is known to hold."""
        s = self.o.s
        return s.hands[seat] or s.known[seat]

    def likely_offer(self, seat: int, number: int) -> Hand:
        """What another seat will lay, as far as its hand is known."""
        held = self.known(seat)
        return least_useful(self, held, min(number, size(held)))


def copy_worth(hand: Hand, kind: int) -> float:
    """The smooth worth of one more card of a kind on top of a hand."""
    held = count(hand, kind)
    if kind == TAX:
        return TAX_NEAR if held + 1 in (3, 6, 8, 9, 11, 12) else TAX_CARD
    return COPIES[min(held, len(COPIES) - 1)]


def least_useful(hands: Hands, hand: Hand, number: int) -> Hand:
    """The cards of which the hand would part most easily."""
    offer = 0
    for _ in range(number):
        rest = hand - offer
        kind = min(kinds(rest), key=lambda one: (copy_worth(rest - CARD[one], one), one))
        offer += CARD[kind]
    return offer


def filled(hand: Hand, pool: Hand, number: int) -> Hand:
    """The hand with so many cards of the pool, the most useful first."""
    for _ in range(number):
        left = kinds(pool)
        if not left:
            break
        kind = max(left, key=lambda one: (copy_worth(hand, one), count(pool, one), -one))
        hand += CARD[kind]
        pool -= CARD[kind]
    return hand


# The Director's number ----------------------------------------------------------------------------


def choose_number(hands: Hands, moves: Moves) -> Move:
    """So many cards that the own hand gains most, and the others little."""
    o, hand = hands.o, hands.hand
    if hands.plan(hand).value >= o.w["win"]:
        return ("number", 0)
    numbers = range(min(size(hand), MOST_NUMBER) + 1)
    best = max(numbers, key=lambda number: (_number_value(hands, number), -number))
    move = ("number", best)
    return move if move in moves else next(iter(moves))


MOST_NUMBER = 9  # of cards to trade; the first of them are worth most


def partners(hands: Hands, number: int) -> list[int]:
    """The other seats that hold so many cards: only they take part (MN-8.4)."""
    o = hands.o
    return [at for at, held in enumerate(o.sizes) if at != o.seat and held >= number]


def _number_value(hands: Hands, number: int) -> float:
    """What the hand will be worth after a trade of so many, less what leading seats gain.

    Everybody is taken to lay what he needs least, as far as his hand is known. Of two partners
    each gets little: the rule of pairs ends their trade after a take and another back (MN-8.10).
    """
    o, hand = hands.o, hands.hand
    others = partners(hands, number)
    if not number or not others:
        return _use(hands, hand)
    offers = {seat: hands.likely_offer(seat, number) for seat in others}
    pool = sum(offers.values())
    own = least_useful(hands, hand, number)
    taken = number if len(others) > 1 else 1
    value = _use(hands, filled(hand - least_useful(hands, own, taken), pool, taken))
    for seat in others:
        held = hands.known(seat)
        theirs = filled(held - offers[seat], own + pool - offers[seat], taken)
        gain = _smooth(theirs) - _smooth(held)
        value -= o.w["deny_card"] * (1 + o.lead(seat)) * gain / len(others)
        if _could_win(o, seat, theirs) and not _could_win(o, seat, held):
            value -= o.w["deny_trade"]
    return value


def _could_win(o: Outlook, seat: int, hand: Hand) -> bool:
    """Whether the seat could buy the last card to victory with this hand, or the Pyramids."""
    opts = o.s.setting.opts
    different = max(len(goods(hand)), count(hand, TAX))
    if opts.cards_to_win - o.s.cards[seat].bit_count() <= 1 and different >= CARD_PRICE:
        return True
    return different >= opts.pyramids_price


def _smooth(hand: Hand) -> float:
    total, seen = 0.0, 0
    for kind in kinds(hand):
        for _ in range(count(hand, kind)):
            total += copy_worth(seen, kind)
            seen += CARD[kind]
    return total


def _use(hands: Hands, hand: Hand) -> float:
    """What a hand is worth to the seat: what it buys, and its cards one by one."""
    return hands.o.w["plan"] * hands.plan(hand).value + _smooth(hand)


# The offer ----------------------------------------------------------------------------------------


def choose_offer(hands: Hands, frame: Offers, moves: Moves) -> Move:
    """Duplicates first; among equal ones those that help the others least."""
    hand, number = hands.hand, frame.number
    pool = sum(hands.likely_offer(seat, number) for seat in partners(hands, number))
    candidates = [least_useful(hands, hand, number)]
    tax = min(count(hand, TAX), number)
    if tax:
        others = hand & ~FIELD
        if size(others) >= number - tax:
            candidates.append(tax * CARD[TAX] + least_useful(hands, others, number - tax))
        if size(others) >= number:
            candidates.append(least_useful(hands, others, number))
    offer = max(candidates, key=lambda one: _use(hands, filled(hand - one, pool, number)))
    move = ("offer", offer)
    return move if move in moves else next(iter(moves))


# Taking -------------------------------------------------------------------------------------------


def choose_take(hands: Hands, moves: Moves) -> Move:
    """The card that helps most, looking at the further ones that can still be taken; then whether
    somebody else waits for it, and who is to take next."""
    o = hands.o
    s, me = o.s, o.seat
    own = s.hands[me] + s.won[me]
    later = size(s.open[me])
    pool = sum(cards for seat, cards in enumerate(s.open) if seat != me)
    worth = {
        kind: _take_worth(hands, own, kind, pool, later) for row in moves.rows for kind in row[2]
    }
    best, best_value = next(iter(moves)), -1e9
    for move in moves:
        _, victim, kind = move
        value = worth[kind] + _denied(hands, kind, pool) - 0.02 * o.threat(victim) / 10
        if value > best_value + 1e-9:
            best, best_value = move, value
    return best


def _take_worth(hands: Hands, own: Hand, kind: int, pool: Hand, later: int) -> float:
    """What the hand is worth with this card now and some of the pool's later."""
    after = own + CARD[kind]
    rest = without(pool, CARD[kind])
    sure = (2 * later + 2) // 3  # others take as well
    full = filled(after, rest, sure)
    scarce = 0.1 / count(pool, kind)
    return (
        hands.o.w["plan"] * hands.plan(full).value
        + 0.3 * _smooth(full)
        + copy_worth(own, kind)
        + scarce
    )


def _denied(hands: Hands, kind: int, pool: Hand) -> float:
    """How much the others miss the card: those near to a set that wins who lack this good."""
    if kind == TAX or count(pool, kind) > 1:
        return 0.0
    o = hands.o
    s = o.s
    value = 0.0
    for seat in range(s.setting.n):
        if seat == o.seat:
            continue
        held = s.known[seat] + s.won[seat]
        if count(held, kind):
            continue
        different = len(kinds(held & ~FIELD))
        missing = s.setting.opts.cards_to_win - s.cards[seat].bit_count()
        if different >= 10 or (missing <= 1 and different >= 6):
            value = max(value, o.w["deny_win"])
        elif missing <= 2 and different >= 6:
            value = max(value, o.w["deny_card"])
    return value


def choose_ulysses(hands: Hands, picked: int) -> Move:
    """Yes, if the picked card is one that we want ourselves: then we take next."""
    s, me = hands.o.s, hands.o.seat
    own = s.hands[me] + s.won[me]
    return ("ulysses",) if copy_worth(own, picked) >= COPIES[0] else ("no",)


def choose_gift(hands: Hands, moves: Moves) -> Move:
    """The card whose loss hurts least."""
    hand = hands.hand
    return max(moves, key=lambda move: (_use(hands, hand - CARD[move[1]]), -move[1]))


def best_good(hands: Hands, choices: tuple[int, ...]) -> int:
    """The good (numbered from 0) that helps the hand most; then the rarest."""
    o, hand = hands.o, hands.hand
    return max(
        choices,
        key=lambda good: (
            _use(hands, hand + CARD[good + 1]),
            -o.world[good],
            -good,
        ),
    )
