"""How fast the rules are, and beside other people's rules libraries in the same run.

The speed of a shared machine moves by a third from hour to hour, so a figure alone says little:
the rounds of all candidates are interleaved, and what counts is the median of the rounds' ratios.
Rates are by processor time, which other programs disturb less; rounds end by the clock. A decision
is a seat's choice with more than one answer.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from platform import python_version
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

from oikumene.core import record as records
from oikumene.core.chance import Committed
from oikumene.core.game import Chance, Decide
from oikumene.core.keyed import Draws, key_of
from oikumene.core.session import Session, replay
from oikumene.games import load_game

ROUNDS = 5
SECONDS = 1.2  # for one candidate in one round
MAX_ROUNDS = 100  # of a game
REPLAY_ENTRIES = 500


class Speed(NamedTuple):
    """What was done in one round: steps (decisions, plies, actions), and whole games."""

    steps: int
    seconds: float
    games: int = 0
    games_seconds: float = 0.0  # until the last of them was over

    @property
    def per_second(self) -> float:
        """Steps a second."""
        return self.steps / self.seconds


def bench(
    name: str, seats: int = 4, *, rounds: int = ROUNDS, seconds: float = SECONDS
) -> dict[str, Any]:
    """All figures of a game; `docs/programs.md` explains the keys."""
    game = load_game(name)
    setting = a_setting(game, seats)
    peers = {peer: play() for peer, play in PEERS.items() if find_spec(MODULES[peer])}
    play_games(game, setting, 0, seconds / 4)  # fill the caches
    ours: list[Speed] = []
    theirs: dict[str, list[Speed]] = {peer: [] for peer in peers}
    copies: list[float] = []
    for number in range(rounds):
        ours.append(play_games(game, setting, number, seconds))
        for peer, play in peers.items():
            theirs[peer].append(play(number, seconds))
        copies.append(copies_per_second(game, setting, number, seconds / 4))
    decisions = median(speed.per_second for speed in ours)
    found: dict[str, Any] = {
        "game": name,
        "seats": seats,
        "python": python_version(),
        "decisions_per_second": round(decisions),
        "games_per_second": round(games_per_second(ours), 2),
        "copies_per_second": round(median(copies)),
        "copy_ratio": round(median(copies) / decisions, 1),
        "bytes_a_state": bytes_a_state(game, setting),
        "replay_500_ms": round(replay_ms(game, seats), 1),
    }
    for peer in PEERS:
        ratios = [
            mine.per_second / other.per_second
            for mine, other in zip(ours, theirs.get(peer, ()), strict=False)
        ]
        found[f"ratio_{peer}"] = round(median(ratios), 2) if ratios else None
    found["rounds"] = [
        {
            "decisions_per_second": round(mine.per_second),
            **{
                f"{peer}_per_second": round(speeds[at].per_second)
                for peer, speeds in theirs.items()
            },
            **{
                f"ratio_{peer}": round(mine.per_second / speeds[at].per_second, 2)
                for peer, speeds in theirs.items()
            },
        }
        for at, mine in enumerate(ours)
    ]
    return found


def a_setting(game: Any, seats: int) -> Any:
    """The default rules for a number of players."""
    table = game.options()
    return game.setting(table.resolve(table.default_preset, {}), game.advised(seats))


# Random play -------------------------------------------------------------------------------------


def play_games(game: Any, setting: Any, seed: int, seconds: float) -> Speed:
    """Random games, one after the other, until the time is over; the last one is broken off."""
    draws = Draws(key_of("bench", seed))
    decisions = games = 0
    end = perf_counter() + seconds
    over = started = process_time()
    while True:
        s = game.setup(setting)
        while game.rounds(s) <= MAX_ROUNDS:
            pending = game.pending(s)
            if isinstance(pending, Decide):
                seat = pending.seats[0]
                moves = game.legal(s, seat)
                if len(moves) > 1:
                    decisions += 1
                s = game.apply(s, seat, moves.sample(draws))
                if not decisions & 63 and perf_counter() > end:
                    return Speed(decisions, process_time() - started, games, over - started)
            elif isinstance(pending, Chance):
                s = game.apply(s, None, pending.kind.sample(draws))
            else:
                break
        games += 1
        over = process_time()


def games_per_second(speeds: list[Speed]) -> float:
    """Whole games a second, over all rounds."""
    seconds = sum(one.games_seconds for one in speeds)
    return sum(one.games for one in speeds) / seconds if seconds else 0.0


def a_line(game: Any, setting: Any, seed: int, length: int) -> list[Any]:
    """The states of a random game, as many as are wanted if it lasts so long."""
    draws = Draws(key_of("bench line", seed))
    states = [game.setup(setting)]
    while len(states) < length:
        s = states[-1]
        pending = game.pending(s)
        if isinstance(pending, Decide):
            seat = pending.seats[0]
            states.append(game.apply(s, seat, game.legal(s, seat).sample(draws)))
        elif isinstance(pending, Chance):
            states.append(game.apply(s, None, pending.kind.sample(draws)))
        else:
            break
    return states


def copies_per_second(game: Any, setting: Any, seed: int, seconds: float) -> float:
    """How often a state can be copied."""
    states = a_line(game, setting, seed, 500)
    done = 0
    end = perf_counter() + seconds
    started = process_time()
    while perf_counter() < end:
        for state in states:
            state.copy()
        done += len(states)
    return done / (process_time() - started)


def bytes_a_state(game: Any, setting: Any, length: int = 2000) -> int:
    """What one state more costs, when all states of a random game are kept."""
    a_line(game, setting, 0, length)  # fill the caches
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        states = a_line(game, setting, 0, length)
        return (tracemalloc.get_traced_memory()[0] - before) // len(states)
    finally:
        tracemalloc.stop()


def replay_ms(game: Any, seats: int) -> float:
    """Milliseconds to read a record of 500 entries and to play it again, with all checks."""
    text = a_record(game, seats, REPLAY_ENTRIES)
    times = []
    for _ in range(5):
        started = perf_counter()
        found = replay(records.read(text), lambda _: game)
        times.append(perf_counter() - started)
        assert not found.error, found.error
    return 1000 * median(times)


def a_record(game: Any, seats: int, entries: int) -> str:
    """The record of a random game after so many entries."""
    session = Session.new(
        game,
        preset=game.options().default_preset,
        options={},
        seats=game.advised(seats),
        source=Committed.from_seed("bench"),
    )
    draws = Draws(key_of("bench record"))
    while len(session.entries) < entries:
        pending = session.pending
        if isinstance(pending, Decide):
            seat = pending.seats[0]
            session.play(seat, game.legal(session.state, seat).sample(draws))
        elif isinstance(pending, Chance):
            session.draw()
        else:
            break
    return records.dump(session.closed())


# Other people's rules ----------------------------------------------------------------------------

Play = Callable[[int, float], Speed]


def python_chess() -> Play:
    """Random plies of python-chess, to the end of each game as its documentation shows it."""
    chess = import_module("chess")

    def play(seed: int, seconds: float) -> Speed:
        rng = Random(seed)
        plies = 0
        end = perf_counter() + seconds
        started = process_time()
        while True:
            board = chess.Board()
            while not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
                plies += 1
                if not plies & 63 and perf_counter() > end:
                    return Speed(plies, process_time() - started)

    return play


def catanatron() -> Play:
    """Random actions of Catanatron with four players."""
    catan = import_module("catanatron")
    colors = list(catan.Color)[:4]

    def play(seed: int, seconds: float) -> Speed:
        actions = games = 0
        end = perf_counter() + seconds
        started = process_time()
        while perf_counter() < end:
            game = catan.Game([catan.RandomPlayer(color) for color in colors], seed=seed + games)
            while game.winning_color() is None and game.state.num_turns < 1000:
                holder = game if hasattr(game, "playable_actions") else game.state  # by version
                actions += len(holder.playable_actions) > 1
                game.play_tick()
            games += 1
        return Speed(actions, process_time() - started)

    return play


PEERS: dict[str, Callable[[], Play]] = {"python_chess": python_chess, "catanatron": catanatron}
MODULES = {"python_chess": "chess", "catanatron": "catanatron"}
