"""MN-22.5 and MN-22.9: the formula for several winners against brute force.

The brute force knows nothing of the formula: it plays the Construction phase by the rules' own
moves in every calling order and looks who wins. A seat that can win wins; one that cannot passes.
Left out is only what cannot matter for winning: things other than heroes and wonders, and which of
the cards for sale is bought, but for Cleopatra and the Pyramids.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest

from oikumene.core.game import Over
from oikumene.core.keyed import Draws, key_of
from oikumene.core.limits import bits
from oikumene.core.moves import Move
from oikumene.games.mare_nostrum import victory
from oikumene.games.mare_nostrum.cards import CLEOPATRA, GOODS, HEROES, KINDS, PYRAMIDS, WONDERS
from oikumene.games.mare_nostrum.state import State

from .tables import GAME, setting

SEATS = ("carthage", "greece", "egypt")
OWN = {"carthage": "hannibal", "greece": "pericles", "egypt": "cleopatra"}
ORDINARY = [card for card in HEROES[5:] + WONDERS if card != "pyramids"]


def steps_to_victory(s: State, seat: int) -> Iterator[Move]:
    """The moves of a turn that can bring a victory nearer."""
    legal = GAME.legal(s, seat)
    yield from legal.of("swap")
    buys = list(legal.of("buy"))
    plain = [move[1] for move in buys if move[1] not in (PYRAMIDS, CLEOPATRA)]
    wanted = {PYRAMIDS, CLEOPATRA, min(plain, default=PYRAMIDS)}
    yield from (move for move in buys if move[1] in wanted)


def wins_now(s: State, seat: int, seen: set[str]) -> bool:
    """Whether the called seat can end the game with itself as the winner, by trying everything."""
    position = GAME.position_text(s)
    if position in seen:
        return False
    seen.add(position)
    for move in steps_to_victory(s, seat):
        after = GAME.apply(s, seat, move)
        if isinstance(GAME.pending(after), Over) or wins_now(after, seat, seen):
            return True
    return False


def asked_for(s: State) -> str:
    """The step that is asked for."""
    pending = GAME.pending(s)
    assert not isinstance(pending, Over)
    return pending.prompt


def winner_by_order(start: State, order: tuple[int, ...]) -> int | None:
    """Who wins when the seats are called in this order."""
    s = start
    for seat in order:
        s = GAME.apply(s, 0, ("call", seat)) if asked_for(s) == "call" else s
        if asked_for(s) != "build":  # without cards there is nothing to decide
            continue
        if wins_now(s, seat, set()):
            return seat
        s = GAME.apply(s, seat, ("done",))
        if asked_for(s) == "keep":
            s = GAME.apply(s, seat, ("keep", 0))
    return None


def by_brute_force(start: State, leader: int) -> int:
    """Who has won before anybody is called, as a bit set; 0: the order decides nothing."""
    winners = {winner_by_order(start, order) for order in permutations(range(len(SEATS)))} - {None}
    if len(winners) < 2:
        return 0
    return (
        1 << leader if leader in winners else sum(1 << seat for seat in winners if seat is not None)
    )


def some_hand(draws: Draws) -> str:
    """A hand around the thresholds: sets of nine, twelve kinds, and one short of them."""
    tax = draws.choice((0, 0, 7, 8, 9, 9, 11, 12))
    kinds = draws.choice((0, 3, 8, 8, 9, 9, 10, 11, 12)) if tax < 11 else draws.choice((0, 1, 8))
    goods = draws.shuffled(GOODS)[:kinds]
    doubles = draws.below(3) if kinds > 3 else 0
    words = [f"tax*{tax}"] if tax else []
    words += [f"{good}*{2 if at < doubles else 1}" for at, good in enumerate(goods)]
    return " ".join(word.removesuffix("*1") for word in words)


def position(seed: int) -> tuple[dict[str, object], int]:
    """A start of the Construction phase near its end, and the leader."""
    draws = Draws(key_of("joint victory", seed))
    leader = draws.below(len(SEATS))
    for_all = list(draws.shuffled(ORDINARY))
    cards = {}
    for seat in SEATS:
        number = draws.choice((1, 2, 2, 3))
        own = [OWN[seat]] if draws.below(3) else []
        cards[seat] = own + [for_all.pop() for _ in range(number - len(own))]
    sold = for_all if draws.below(4) == 0 else []  # sometimes hardly anything is left for sale
    cards[SEATS[0]] = (cards[SEATS[0]] + sold)[:3]
    hands = {seat: some_hand(draws) for seat in SEATS}
    keys = {"roles": {"political": SEATS[leader]}, "cards": cards, "hand": hands}
    return keys, leader


@pytest.mark.parametrize("seed", range(60))
def test_the_formula_agrees_with_all_calling_orders_played_out(seed: int) -> None:
    keys, leader = position(seed)
    table = setting(seats=SEATS)
    before = GAME.from_position(table, {**keys, "step": "construction"})
    found = victory.decided_by_calling(before)
    unlimited = setting(seats=SEATS, multi_winner="first_by_call")
    start = GAME.from_position(unlimited, {**keys, "step": "construction"})
    GAME.run(start)
    assert bits(found) == bits(by_brute_force(start, leader))


def test_the_positions_show_every_answer_of_the_formula() -> None:
    answers = set()
    for seed in range(60):
        keys, leader = position(seed)
        s = GAME.from_position(setting(seats=SEATS), {**keys, "step": "construction"})
        found = victory.decided_by_calling(s)
        answers.add("nobody" if not found else "leader" if found == 1 << leader else "together")
    assert answers == {"nobody", "leader", "together"}


def test_the_cards_of_the_positions_are_real() -> None:
    assert set(OWN.values()) | set(ORDINARY) <= set(HEROES + WONDERS)
    assert KINDS[0] == "tax"
