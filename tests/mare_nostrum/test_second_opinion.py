"""The rules against a slow, naive second opinion (`oracle`) on the positions of random games."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

from oikumene.core.chance import Committed
from oikumene.core.game import Chance, Decide
from oikumene.core.keyed import Draws, key_of
from oikumene.core.limits import left_open
from oikumene.games.mare_nostrum import construction, roles, victory
from oikumene.games.mare_nostrum.cards import KINDS, Sets, count, pack
from oikumene.games.mare_nostrum.income import incomes
from oikumene.games.mare_nostrum.state import ROLES, State, chain, markers_left

from . import oracle
from .tables import GAME, setting

TABLES = [
    (("rome", "carthage", "greece", "egypt"), "fixed"),
    (("babylon", "greece", "carthage"), "free"),
    (("egypt", "babylon", "rome", "greece", "carthage"), "fixed"),
    (("carthage", "rome", "egypt"), "free"),
]
ROUNDS, EVERY = 25, 15


@cache
def the_map() -> dict[str, Any]:
    text = files("oikumene.games.mare_nostrum").joinpath("map.toml").read_text("utf-8")
    return tomllib.loads(text)


def positions(seed: int) -> Iterator[State]:
    """Every fifteenth position of a random game."""
    seats, start = TABLES[seed % len(TABLES)]
    draws, chance = Draws(key_of("second opinion", seed)), Committed.from_seed(seed)
    s, step = GAME.setup(setting(seats=seats, start=start)), 0
    while s.round <= ROUNDS:
        pending = GAME.pending(s)
        if isinstance(pending, Chance):
            s = GAME.apply(s, None, chance.outcome(pending.kind, step))
        elif isinstance(pending, Decide):
            seat = pending.seats[0]
            s = GAME.apply(s, seat, GAME.legal(s, seat).sample(draws))
        else:
            return
        step += 1
        if step % EVERY == 0:
            yield s


SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_legions_reach_what_the_naive_search_finds(seed: int) -> None:
    for s in positions(seed):
        board = s.setting.board
        for seat in range(s.setting.n):
            zones = board.sea_ids(chain(s, seat))
            for place, name in enumerate(board.provinces):
                reach = board.ids(board.neighbours(place, chain(s, seat)))
                assert set(reach) == oracle.adjacent(the_map(), name, zones)


@pytest.mark.parametrize("seed", SEEDS)
def test_markers_go_where_the_naive_search_finds(seed: int) -> None:
    for s in positions(seed):
        position = GAME.position(s)
        for seat, name in enumerate(s.setting.seats):
            rows = construction.marker_rows(s, seat)
            everywhere = s.setting.board.everything
            free = everywhere & ~construction.own_takeovers(s, seat)
            found = s.setting.board.ids(left_open(rows, free)) if markers_left(s, seat) else ()
            assert set(found) == oracle.placeable_in(the_map(), position, name)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_income_is_what_the_naive_count_finds(seed: int) -> None:
    for s in positions(seed):
        counted = oracle.income(GAME.position(s), s.setting.seats)
        for seat, hand in enumerate(incomes(s)):
            mine = {KINDS[kind]: count(hand, kind) for kind in range(13) if count(hand, kind)}
            theirs = counted.get(s.setting.seats[seat], {})
            assert mine == {card: n for card, n in theirs.items() if n}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_roles_count_what_the_naive_count_finds(seed: int) -> None:
    for s in positions(seed):
        counted = oracle.role_counts(GAME.position(s), s.setting.seats)
        for role, name in enumerate(ROLES):
            for seat, number in enumerate(roles.counts(s, role)):
                assert number == counted[s.setting.seats[seat]][name]


@pytest.mark.parametrize("seed", range(200))
def test_a_hand_pays_the_sets_that_trying_all_finds(seed: int) -> None:
    draws = Draws(key_of("hands", seed))
    price = draws.choice((2, 3, 5, 6))
    counts = {draws.below(len(KINDS)): draws.below(4) for _ in range(draws.below(7))}
    hand = pack(counts)
    named = {KINDS[kind]: number for kind, number in counts.items()}
    mine = [{KINDS[kind]: count(one, kind) for kind in range(13)} for one in Sets(hand, price)]
    theirs = [{kind: one.get(kind, 0) for kind in KINDS} for one in oracle.sets(named, price)]
    assert sorted(mine, key=str) == sorted(theirs, key=str)
    assert victory.most_sets(hand, price) == oracle.max_sets(named, price)


def test_the_positions_of_the_random_games_are_not_poor() -> None:
    states = [s for seed in SEEDS for s in positions(seed)]
    assert len(states) > 100
    assert any(s.posts for s in states)
    assert any(chain(s, 0) for s in states)
    assert any(s.markets & s.marks[0] for s in states)
