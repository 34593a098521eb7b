"""Whole games played by opponents against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from oikumene.bots import Bot, load_bot
from oikumene.core import record as records
from oikumene.core.chance import Committed
from oikumene.core.errors import OptionError
from oikumene.core.game import Chance, Decide, Over
from oikumene.core.keyed import Draws, key_of
from oikumene.core.session import Session
from oikumene.games import load_game


class Table(NamedTuple):
    """What is played: the game, its rules, its board (None: the game's own), and who sits there."""

    game: Any
    preset: str
    options: Mapping[str, str]
    seats: tuple[str, ...]
    board: Any = None
    max_rounds: int = 100


class Played(NamedTuple):
    """One game as it ended."""

    session: Session
    decisions: int
    seconds: float


class Plan(NamedTuple):
    """A row of games as plain values, so that it can be sent to other processes.

    Game number k has the seed `seed + k`; with `rotate` the opponents move on by k seats.
    """

    game: str
    preset: str
    options: Mapping[str, str]
    seats: tuple[str, ...]
    bots: tuple[str, ...]  # one for each seat, as they sit in game 0
    games: int
    seed: int = 0
    max_rounds: int = 100
    rotate: bool = True
    map_text: str | None = None
    out: Path | None = None  # the folder for the records


def play_game(table: Table, bots: Sequence[Bot], seed: int) -> Played:
    """One game; it stops, unfinished, when it would enter round `max_rounds + 1`.

    Chance and every opponent draw from streams of their own, so that the seed alone decides.
    """
    started = perf_counter()
    game = table.game
    session = Session.new(
        game,
        preset=table.preset,
        options=table.options,
        seats=table.seats,
        source=Committed.from_seed(seed),
        board=table.board,
        extra={"seed": seed, "players": [bot.name for bot in bots]},
    )
    draws = [Draws(key_of("bot", seed, seat)) for seat in range(len(bots))]
    decisions = 0
    while game.rounds(session.state) <= table.max_rounds:
        pending = session.pending
        if isinstance(pending, Over):
            break
        if isinstance(pending, Chance):
            session.draw()
            continue
        assert isinstance(pending, Decide)
        seat = pending.seats[0]
        view = game.view(session.state, seat)
        moves = game.legal(session.state, seat)
        session.play(seat, bots[seat].choose(game, view, moves, draws[seat]))
        decisions += 1
    return Played(session, decisions, perf_counter() - started)


def rotated(bots: Sequence[Any], by: int) -> tuple[Any, ...]:
    """The opponents moved round the table by some seats.

    >>> rotated(("greedy", "random", "random"), 1)
    ('random', 'greedy', 'random')
    """
    by %= len(bots)
    return (*bots[-by:], *bots[:-by]) if by else tuple(bots)


def summary(table: Table, bots: Sequence[Bot], seed: int, played: Played) -> dict[str, Any]:
    """What a game is told as, a JSON line: `docs/programs.md` explains the keys."""
    session = played.session
    pending = session.pending
    over = pending if isinstance(pending, Over) else None
    end = session.closed().end
    return {
        "game": table.game.name,
        "preset": table.preset,
        "seed": seed,
        "seats": [
            {"name": seat, "bot": bot.name} for seat, bot in zip(table.seats, bots, strict=True)
        ],
        "winners": list(over.winners) if over else [],
        "ranking": [list(group) for group in over.ranking] if over else [],
        "reason": over.reason if over else "unfinished",
        "rounds": min(table.game.rounds(session.state), table.max_rounds),
        "decisions": played.decisions,
        "seconds": round(played.seconds, 3),
        "hash": end["check"] if end else session.check,
        "record": None,
    }


# Many games --------------------------------------------------------------------------------------


def table_of(plan: Plan) -> Table:
    """The table of a plan. Raises an OikumeneError where it cannot be set up."""
    game = load_game(plan.game)
    board = None if plan.map_text is None else _board(plan.game, plan.map_text)
    table = Table(game, plan.preset, plan.options, plan.seats, board, plan.max_rounds)
    game.setting(game.options().resolve(plan.preset, plan.options), plan.seats, board)
    if len(plan.bots) != len(plan.seats):
        raise OptionError(
            f"{len(plan.bots)} bots for {len(plan.seats)} seats; "
            "name one for each seat, or one alone to fill them all"
        )
    for bot in plan.bots:
        load_bot(plan.game, bot)
    return table


@lru_cache(maxsize=4)
def _board(game: str, text: str) -> Any:
    return load_game(game).read_map(text)


def play_number(plan: Plan, number: int) -> dict[str, Any]:
    """Game number `number` of a plan: played, its record written if wanted, and told."""
    table = table_of(plan)
    names = rotated(plan.bots, number) if plan.rotate else plan.bots
    bots = [load_bot(plan.game, name) for name in names]
    seed = plan.seed + number
    played = play_game(table, bots, seed)
    told = summary(table, bots, seed, played)
    if plan.out is not None:
        path = plan.out / f"{plan.game}-{seed}.jsonl"
        path.write_bytes(records.dump(played.session.closed()).encode())
        told["record"] = str(path)
    return told


def play_plan(plan: Plan, jobs: int = 1) -> Iterator[dict[str, Any]]:
    """All games of a plan, in order, told one by one; with `jobs` processes at once."""
    table_of(plan)
    if plan.out is not None:
        plan.out.mkdir(parents=True, exist_ok=True)
    if jobs == 1 or plan.games == 1:
        for number in range(plan.games):
            yield play_number(plan, number)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(min(jobs, plan.games), initializer=_leave_interrupts) as pool:
        yield from pool.map(play_number, [plan] * plan.games, range(plan.games))


def _leave_interrupts() -> None:
    """An interrupt ends the process that has asked, and with it this one: without a word."""
    from signal import SIG_IGN, SIGINT, signal

    signal(SIGINT, SIG_IGN)


# Who wins ----------------------------------------------------------------------------------------


class Score(NamedTuple):
    """How often seats played by one opponent have won."""

    bot: str
    seats: int  # in all games together
    wins: int  # a shared victory is one for each winner
    low: float  # Wilson's 95 % interval of the share of wins
    high: float


def wilson(wins: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share.

    >>> low, high = wilson(8, 10)
    >>> f"{low:.3f} {high:.3f}"
    '0.490 0.943'
    """
    if of == 0:
        return 0.0, 1.0
    z = 1.959964
    share = wins / of
    middle = share + z * z / (2 * of)
    half = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    scale = 1 + z * z / of
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def scores(told: Sequence[Mapping[str, Any]]) -> list[Score]:
    """The scores of all opponents, in the order in which they first sat down."""
    seats: dict[str, int] = {}
    wins: dict[str, int] = {}
    for game in told:
        for at, seat in enumerate(game["seats"]):
            bot = seat["bot"]
            seats[bot] = seats.get(bot, 0) + 1
            wins[bot] = wins.get(bot, 0) + (at in game["winners"])
    return [Score(bot, n, wins[bot], *wilson(wins[bot], n)) for bot, n in seats.items()]
