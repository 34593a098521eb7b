"""Chapter 22, several possible winners: when the leader's calling order decides (MN-22.5, 22.9)."""

from __future__ import annotations

from oikumene.core.game import Seat
from oikumene.core.limits import BitSet
from oikumene.games.mare_nostrum import construction
from oikumene.games.mare_nostrum.cards import (
    ALL_CARDS,
    CARD,
    CLEOPATRA,
    PYRAMIDS,
    TAX,
    Hand,
    Sets,
    count,
    goods,
    size,
)
from oikumene.games.mare_nostrum.state import NOBODY, POLITICAL, USED_CLEOPATRA, State

SET = construction.CARD_PRICE


def decided_by_calling(s: State) -> BitSet:
    """Who has won because the leader's calling order decides it (MN-22.5, MN-22.9); 0: nobody.

    A candidate is a seat that, called first, could meet a victory condition. The leader and
    others: the leader has won. Two or more others: they win together. Otherwise play goes on.
    """
    if s.setting.opts.multi_winner != "joint_if_leader_decides":
        return 0
    candidates = sum(1 << seat for seat in range(s.setting.n) if can_win(s, seat))
    if candidates.bit_count() < 2:
        return 0
    leader = s.roles[POLITICAL]
    if leader != NOBODY and candidates >> leader & 1:
        return 1 << leader
    return candidates


def can_win(s: State, seat: Seat) -> bool:
    """Whether the seat, called now, could meet a victory condition with its hand and powers."""
    hand = s.hands[seat]
    if size(hand) < SET:  # no swap adds a card
        return False
    rows = construction.card_rows(s, seat)
    for_sale = ALL_CARDS
    for _, left in rows:
        for_sale &= left
    missing = s.setting.opts.cards_to_win - s.cards[seat].bit_count()
    may_swap = bool(s.cards[seat] >> CLEOPATRA & 1 and not s.used & USED_CLEOPATRA)
    goal = Goal(
        pyramids=s.setting.opts.pyramids_price if for_sale >> PYRAMIDS & 1 else 0,
        cards=missing if missing <= (for_sale & ~(1 << PYRAMIDS)).bit_count() else 0,
    )
    stock = s.stock
    if goal.met(hand) or (may_swap and goal.met_by_swap(hand, stock)):
        return True
    # Egypt may buy Cleopatra first, and then swap.
    if not for_sale >> CLEOPATRA & 1:
        return False
    later = Goal(goal.pyramids, goal.cards - 1 if goal.cards > 1 else 0)
    return any(later.met_by_swap(hand - paid, stock + paid) for paid in Sets(hand, SET))


class Goal:
    """What has to be paid to win: the price of the Pyramids, or so many sets of nine.

    0 stands for a way that is closed.
    """

    __slots__ = ("cards", "pyramids")

    def __init__(self, pyramids: int, cards: int) -> None:
        self.pyramids = pyramids
        self.cards = cards

    def met(self, hand: Hand) -> bool:
        """Whether the hand pays for one of the ways."""
        if self.pyramids and self.pyramids <= max(count(hand, TAX), len(goods(hand))):
            return True
        return bool(self.cards) and most_sets(hand, SET) >= self.cards

    def met_by_swap(self, hand: Hand, stock: Hand) -> bool:
        """Whether it does after one swap with the stock (MN-24.5)."""
        if count(stock, TAX) and any(self.met(hand - CARD[one] + CARD[TAX]) for one in goods(hand)):
            return True
        return bool(count(hand, TAX)) and any(
            self.met(hand - CARD[TAX] + CARD[one]) for one in goods(stock)
        )


def most_sets(hand: Hand, number: int) -> int:
    """How many disjoint sets of `number` cards the hand holds (MN-9.2).

    k sets of different goods are possible if and only if the goods, each counted at most k times,
    are at least k times `number` (each good is in a set at most once; Gale and Ryser).
    """
    held = [count(hand, kind) for kind in goods(hand)]
    sets = 0
    while sum(min(one, sets + 1) for one in held) >= (sets + 1) * number:
        sets += 1
    return sets + count(hand, TAX) // number
