"""The redacted record by non-interference: two games that differ only in what a viewer cannot know
leave him the same record, the same view and the same moves, for as long as they can look alike."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from oikumene.core.game import Chance, Decide, Over, Seat
from oikumene.core.keyed import Draws, key_of
from oikumene.core.moves import Move
from oikumene.core.session import Session
from oikumene.games.mare_nostrum import invariants
from oikumene.games.mare_nostrum.state import State

from .tables import GAME, new_session

pytestmark = pytest.mark.laws
SEEDS = range(30)
STEPS = 60
SEATS = ("greece", "babylon", "rome", "egypt")
VIEWERS: tuple[Seat | None, ...] = (0, 1, 2, 3, None)
TABLES: tuple[dict[str, Any], ...] = (
    {}, {"memory": "own_head"}, {"gardens_keep": "2"}, {"trade_hand_contents": "open"},
)  # fmt: skip


def session_from(start: State, **options: Any) -> Session:
    """A game that begins in a state."""
    new = new_session(seats=SEATS, **options)
    header = {key: value for key, value in new.header.items() if key != "check"}
    return Session(GAME, new.setting, header, new.source, start=start)


def some_start(seed: int, draws: Draws, **options: Any) -> State:
    """The start of a trade or of the building; much of the hands has been seen by nobody."""
    setting = new_session(seats=SEATS, **options).setting
    keys = invariants.wild_position(setting, draws)
    step = ("trade", "construction")[seed % 3 == 0]
    s = GAME.from_position(setting, {**keys, "step": step, "round": 1})
    GAME.run(s)
    return s


def twin_of(one: State, two: State, seat: Seat, move: Move, viewer: Seat | None, draws: Draws) -> (
    Move | None
):  # fmt: skip
    """The same move where it can be; half of the sealed offers are others."""
    pending = GAME.pending(one)
    sealed = isinstance(pending, Decide) and len(pending.seats) > 1
    if sealed and move in GAME.legal(two, seat) and draws.below(2):
        return move
    return invariants.same_move(GAME, one, two, seat, move, viewer, draws)


@cache
def alike(seed: int, viewer: Seat | None) -> Counter[str]:
    """Play two games side by side; the verbs of other seats whose moves were not the same."""
    draws = Draws(key_of("secrecy", seed))
    options = {**TABLES[seed % len(TABLES)], "multi_winner": "first_by_call"}
    start = some_start(seed, draws, **options)
    one = session_from(start, **options)
    two = session_from(invariants.redeal(GAME, start, viewer, draws), **options)
    differed: Counter[str] = Counter()
    for _ in range(STEPS):
        pending = one.pending
        assert pending == two.pending
        if isinstance(pending, Over):
            break
        if isinstance(pending, Chance):
            one.draw()
            two.draw()
        elif isinstance(pending, Decide):
            seat = draws.choice(pending.seats)
            moves = GAME.legal(one.state, seat)
            move = moves.of(draws.choice(moves.verbs())).sample(draws)
            twin = twin_of(one.state, two.state, seat, move, viewer, draws)
            if twin is None:
                break
            one.play(seat, move)
            two.play(seat, twin)
            differed[move[0]] += move != twin
        if invariants.tells_by_ending(one.state) or invariants.tells_by_ending(two.state):
            break
        assert one.redacted(viewer) == two.redacted(viewer)
        seen = [invariants.observed(GAME.view(game.state, viewer)) for game in (one, two)]
        assert seen[0] == seen[1]
    return differed


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_viewer_cannot_know_leaves_no_trace_in_his_record(seed: int) -> None:
    for viewer in VIEWERS:
        alike(seed, viewer)


def test_the_games_differ_in_every_way_that_can_be_hidden() -> None:
    differed: Counter[str] = Counter()
    for seed in SEEDS:
        for viewer in VIEWERS:
            differed += alike(seed, viewer)
    assert {"offer", "give", "keep"} == set(differed)


def all_alike() -> None:
    for seed in SEEDS:
        alike.__wrapped__(seed, None)


def test_a_record_that_shows_too_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME), "shows", lambda *_: True)
    with pytest.raises(AssertionError):
        all_alike()
