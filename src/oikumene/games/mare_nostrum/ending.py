"""Chapter 22, the end: what ends the game, and how it is ranked."""

from __future__ import annotations

from oikumene.core.game import Over, Seat, Tell
from oikumene.core.limits import BitSet, bits
from oikumene.games.mare_nostrum.cards import PYRAMIDS
from oikumene.games.mare_nostrum.state import State


def reached(s: State, seat: Seat) -> str:
    """The rule by which the seat has won, or "" (MN-22.1, MN-22.2)."""
    owned = s.cards[seat]
    if owned >> PYRAMIDS & 1:
        return "MN-22.1"
    return "MN-22.2" if owned.bit_count() >= s.setting.opts.cards_to_win else ""


def end_game(s: State, winners: BitSet, rule: str, tell: Tell) -> None:
    """The game ends at once. Behind the winners the others rank by heroes and wonders (ours)."""
    owned = {seat: s.cards[seat].bit_count() for seat in range(s.setting.n)}
    others = [seat for seat in owned if not winners >> seat & 1]
    groups = [
        tuple(seat for seat in others if owned[seat] == number)
        for number in sorted({owned[seat] for seat in others}, reverse=True)
    ]
    tell("won", winners, rule=rule)
    s.over = Over((bits(winners), *groups), rule)
