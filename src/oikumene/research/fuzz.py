"""Random games under the laws: one by its seed, or as many as the time allows (`oikumene fuzz`)."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from time import monotonic
from typing import Any, NamedTuple

from oikumene.core.chance import Committed
from oikumene.core.game import Chance, Over, Seat
from oikumene.core.keyed import Draws, key_of
from oikumene.core.moves import Move
from oikumene.research.laws import (
    Heard,
    LawBroken,
    Trial,
    check_apply,
    check_dear,
    check_events,
    check_faults,
    check_over,
    check_step,
    hooks_of,
    text_of,
)

MOST_BROKEN = 10  # games with a broken law after which it is enough
A_REPORT = 60  # seconds between two reports
ROUNDS = 100


class Tried(NamedTuple):
    """A random game that broke no law."""

    seed: int
    said: str
    steps: int
    looked: int  # steps at which the dear laws were tried
    rounds: int
    over: str  # the rule that ended it, or ""
    last: str  # position text


# A random game -----------------------------------------------------------------------------------


def trial_of(game: Any, seed: int) -> Trial:
    """The table of a seed: number of seats, players, and options out of all that are built."""
    hooks = hooks_of(game)
    draws = Draws(key_of("laws", seed))
    table = game.options()
    chosen = {}
    for option in table.options.values():
        built = [value.value for value in option.values.values() if value.built]
        if draws.below(3) == 0:
            chosen[option.name] = draws.choice(built)
    seats = hooks.seats(draws, draws.choice(game.seats))
    options = table.resolve(table.default_preset, chosen)
    setting = game.setting(options, seats)
    differ = table.differences(table.default_preset, options)
    said = " ".join([*seats, *(f"{name}={value}" for name, value in differ.items())])
    return Trial(game, hooks, setting, draws, Committed.from_seed(seed), said)


def try_game(game: Any, seed: int, *, rounds: int = 30, dear: int = 20) -> Tried:
    """Play one random game under the laws. Raises LawBroken.

    `dear`: at how many steps, at most, the dear laws are tried; rare steps come first.
    """
    t = trial_of(game, seed)
    s: Any = None
    steps = 0
    move: Move | None = None
    try:
        s = _start(t)
        indices: dict[str, int] = {}
        looked: dict[str, int] = {}
        pending = game.pending(s)
        after = max(game.rounds(s), 1) + rounds
        while not isinstance(pending, Over) and game.rounds(s) < after:
            move = None
            check_step(t, s, pending)
            seat, move = _next(t, pending, s, indices)
            times = looked.get(pending.prompt, 0)
            if sum(looked.values()) < dear and t.draws.below(2 + 30 * times) == 0:
                looked[pending.prompt] = times + 1
                check_dear(t, s, pending, seat, move)
            s = check_apply(t, s, seat, move)
            steps += 1
            pending = game.pending(s)
        check_faults(t, s)
        if isinstance(pending, Over):
            check_over(t, s, pending)
    except LawBroken as broken:
        raise broken.at(_where(t, seed, steps, s, move)) from broken
    except Exception as error:
        where = _where(t, seed, steps, s, move)
        raise LawBroken("nothing goes wrong", repr(error), where) from error
    over = pending.reason if isinstance(pending, Over) else ""
    text = game.position_text(s)
    return Tried(seed, t.said, steps, sum(looked.values()), game.rounds(s), over, text)


def _start(t: Trial) -> Any:
    """Set-up, or in every second game a position of any kind."""
    if t.draws.below(2):
        heard = Heard()
        s = t.game.setup(t.setting, heard)
        check_events(t, s, heard.events)
        return s
    s = t.hooks.starts(t.game, t.setting, t.draws)
    check_faults(t, s)
    t.game.run(s)
    return s


def _next(
    t: Trial, pending: Any, s: Any, indices: dict[str, int]
) -> tuple[Seat | None, Move]:  # fmt: skip
    """The next move: an outcome, or a legal move of one of the asked.

    Half of the time each verb is equally likely, so that rare ones are not lost among many others.
    """
    if isinstance(pending, Chance):
        index = indices.get(pending.kind.stream, 0)
        indices[pending.kind.stream] = index + 1
        return None, t.chance.outcome(pending.kind, index)
    seat = t.draws.choice(pending.seats)
    moves = t.game.legal(s, seat)
    if t.draws.below(2):
        moves = moves.of(t.draws.choice(moves.verbs()))
    return seat, moves.sample(t.draws)


def _where(t: Trial, seed: int, steps: int, s: Any, move: Move | None) -> str:
    """What is needed to look at a finding."""
    text = "" if s is None else t.game.position_text(s)
    made = "" if s is None or move is None else f"\nmove: {text_of(t, s, move)}"
    return f"\nseed {seed}, step {steps}, {t.said}{made}\nposition: {text}"


# Many of them -----------------------------------------------------------------------------------


def fuzz(
    game: Any, minutes: float, seed: int, report: Callable[[str], None], *, rounds: int = ROUNDS
) -> int:  # fmt: skip
    """Play random games (any number of seats, any players, any options that are built) until the
    time is over; the game in hand is finished. Returns how many broke a law.

    Game number k has the seed `seed + k`, so the seed of a report shows the finding again at once.
    """
    started = told = monotonic()
    games = steps = looked = broken = 0
    while not games or monotonic() - started < 60 * minutes:
        try:
            tried = try_game(game, seed + games, rounds=rounds)
            steps += tried.steps
            looked += tried.looked
        except LawBroken as error:
            broken += 1
            again = f"oikumene fuzz {game.name} --seed {seed + games} --minutes 0"
            report(f"broken: {error}\nsee it again: {again}")
        games += 1
        if monotonic() - told > A_REPORT:
            told = monotonic()
            report(_said(games, steps, looked, broken, seed))
        if broken == MOST_BROKEN:
            report(f"{broken} games broke a law: that is enough")
            break
    report(_said(games, steps, looked, broken, seed))
    return broken


def _said(games: int, steps: int, looked: int, broken: int, seed: int) -> str:
    return (
        f"{games} games (seeds {seed} to {seed + games - 1}), {steps} steps, "
        f"{looked} of them looked at closely: {broken or 'no'} games broke a law"
    )


def digest(game: Any, seeds: range, *, rounds: int = 30) -> str:
    """One hash of the last positions of some random games: the same on every Python, always."""
    found = blake2b(digest_size=16)
    for seed in seeds:
        found.update(try_game(game, seed, rounds=rounds, dear=5).last.encode())
    return found.hexdigest()
