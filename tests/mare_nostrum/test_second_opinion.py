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
from oikumene.games.mare_nostrum import construction, invariants, roles, victory
from oikumene.games.mare_nostrum.cards import KINDS, Sets, count, pack
from oikumene.games.mare_nostrum.income import incomes
from oikumene.games.mare_nostrum.state import MARKER, ROLES, State, at_war, chain, markers_left
from oikumene.research.fuzz import trial_of

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


def some_table(seed: int) -> State:
    """A position of any kind, with wars and occupied buildings, under any options."""
    made = trial_of(GAME, seed)
    start: State = GAME.from_position(
        made.setting, invariants.wild_position(made.setting, made.draws)
    )
    return start


@pytest.mark.parametrize("seed", range(100))
def test_wars_and_occupations_count_as_the_naive_count_finds(seed: int) -> None:
    s = some_table(seed)
    position, opts, names = GAME.position(s), s.setting.opts, s.setting.seats
    pays = oracle.income(position, names)
    counted = oracle.role_counts(position, names)
    everywhere = s.setting.board.everything
    for seat, name in enumerate(names):
        hand = incomes(s)[seat]
        assert pays[name] == {
            card: n for kind, card in enumerate(KINDS) if (n := count(hand, kind))
        }
        assert list(counted[name].values()) == [roles.counts(s, role)[seat] for role in range(3)]
        free = everywhere & ~construction.own_takeovers(s, seat)
        found = s.setting.board.ids(left_open(construction.marker_rows(s, seat), free))
        assert set(found) == oracle.placeable_in(
            the_map(), position, name,
            influence_block=opts.influence_block, siege_stops_expansion=opts.siege_stops_expansion,
        )  # fmt: skip


def test_the_positions_of_any_kind_hold_wars_and_occupations() -> None:
    states = [some_table(seed) for seed in range(100)]
    at_peace = [post for s in states for post in s.posts if not at_war(s) >> post.province & 1]
    assert len([post for post in at_peace if post.what != MARKER]) > 30
    assert len([s for s in states if at_war(s)]) > 50


def test_the_positions_of_the_random_games_are_not_poor() -> None:
    states = [s for seed in SEEDS for s in positions(seed)]
    assert len(states) > 100
    assert any(s.posts for s in states)
    assert any(chain(s, 0) for s in states)
    assert any(s.markets & s.marks[0] for s in states)
