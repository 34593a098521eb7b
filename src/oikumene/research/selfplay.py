"""Whole games played by opponents against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from oikumene.bots import Bot
from oikumene.core.chance import Committed
from oikumene.core.game import Chance, Decide, Over
from oikumene.core.keyed import Draws, key_of
from oikumene.core.session import Session


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


def rotated(bots: Sequence[Bot], by: int) -> tuple[Bot, ...]:
    """The opponents moved round the table by some seats."""
    by %= len(bots)
    return (*bots[-by:], *bots[:-by]) if by else tuple(bots)


def summary(table: Table, bots: Sequence[Bot], seed: int, number: int, played: Played) -> Any:
    """What a game is told as, a JSON line: `docs/programs.md` explains the keys."""
    session = played.session
    pending = session.pending
    over = pending if isinstance(pending, Over) else None
    return {
        "game": number,
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
        "hash": session.check,
        "record": None,
    }
