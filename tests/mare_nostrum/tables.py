"""Tables of Mare Nostrum for tests: settings, states from position keys, and games being played."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from oikumene.core.chance import Committed
from oikumene.core.game import Chance, Over, Tell, silent
from oikumene.core.keyed import Draws, key_of
from oikumene.core.session import Policy, Session
from oikumene.games.mare_nostrum.game import MareNostrum
from oikumene.games.mare_nostrum.state import Setting, State

GAME = MareNostrum()
PRESET = GAME.options().default_preset
THREE = ("rome", "carthage", "greece")


def setting(*, seats: tuple[str, ...] = THREE, **options: Any) -> Setting:
    """A table with the default preset and single options on top."""
    return GAME.setting(GAME.options().resolve(PRESET, options), seats)


def state_at(
    position: Mapping[str, Any], *, seats: tuple[str, ...] = THREE, tell: Tell = silent,
    **options: Any,
) -> State:  # fmt: skip
    """The state of a position, at its first decision or chance."""
    s = GAME.from_position(setting(seats=seats, **options), position)
    GAME.run(s, tell)
    return s


def new_session(
    *, seats: tuple[str, ...] = THREE, seed: int = 1, policy: Policy = "strict", **options: Any
) -> Session:
    """A new game out of a seed."""
    source = Committed.from_seed(seed)
    return Session.new(
        GAME, preset=PRESET, options=options, seats=seats, source=source, policy=policy
    )


def session_at(
    position: Mapping[str, Any], *, seats: tuple[str, ...] = THREE, seed: int = 1,
    policy: Policy = "strict", **options: Any,
) -> Session:  # fmt: skip
    """A game that begins at a position."""
    new = new_session(seats=seats, seed=seed, **options)
    start = state_at(position, seats=seats, **options)
    header = {key: value for key, value in new.header.items() if key != "check"}
    return Session(GAME, new.setting, header, new.source, policy=policy, start=start)


def play_on(session: Session, *, seed: int = 1, rounds: int = 100) -> Session:
    """Play by chance until the game is over, or would enter round `rounds + 1`."""
    draws = Draws(key_of("tests", seed))
    while session.state.round <= rounds:
        pending = session.pending
        if isinstance(pending, Over):
            break
        if isinstance(pending, Chance):
            session.draw()
            continue
        seat = draws.choice(pending.seats)
        session.play(seat, GAME.legal(session.state, seat).sample(draws))
    return session


@cache
def finished_game() -> Session:
    """A whole game that did not last long (whoever holds all three roles wins); only to look at."""
    for seed in range(100):
        session = new_session(
            seats=GAME.advised(5), seed=seed, start="free", all_roles_victory="on"
        )
        if isinstance(play_on(session, seed=seed, rounds=8).pending, Over):
            return session
    raise AssertionError("no game was over after eight rounds; the tests need one")
