"""`oikumene selfplay`: whole games between programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from oikumene.commands.common import columns, counted, print_json, read_text
from oikumene.core.errors import OptionError
from oikumene.games import load_game
from oikumene.research.selfplay import Plan, play_plan, scores


def selfplay(
    name: str, *, seats: str, bots: str, games: int, seed: int, preset: str | None,
    settings: list[str], map_file: Path | None, max_rounds: int, out: Path | None,
    as_json: bool, rotate: bool, jobs: int,
) -> int:  # fmt: skip
    """Play the games and tell them one by one."""
    game = load_game(name)
    taken = seats_of(game, seats)
    chosen = [bot.strip() for bot in bots.split(",") if bot.strip()]
    plan = Plan(
        game=name,
        preset=preset or game.options().default_preset,
        options=settings_of(settings),
        seats=taken,
        bots=tuple(chosen * len(taken) if len(chosen) == 1 else chosen),
        games=games,
        seed=seed,
        max_rounds=max_rounds,
        rotate=rotate,
        map_text=None if map_file is None else read_text(map_file),
        out=out,
    )
    told = []
    for one in play_plan(plan, jobs):
        told.append(one)
        if as_json:
            print_json(one)
        else:
            print(line(one))
        sys.stdout.flush()  # whoever waits for the lines sees them as they come
    if not as_json:
        print_scores(told)
    return 0


def seats_of(game: Any, text: str) -> tuple[str, ...]:
    """A number of seats, as advised for it, or their names with commas between."""
    if text.isascii() and text.isdigit():
        found: tuple[str, ...] = game.advised(int(text[:9]))
        return found
    return tuple(seat.strip() for seat in text.split(",") if seat.strip())


def settings_of(settings: list[str]) -> dict[str, str]:
    """The single values of `--set option=value`. Raises OptionError."""
    found: dict[str, str] = {}
    for setting in settings:
        option, sign, value = setting.partition("=")
        option, value = option.strip(), value.strip()
        if not sign or not option or not value:
            raise OptionError(f"--set {setting}: an option is set by option=value")
        if found.get(option, value) != value:
            raise OptionError(f"--set {option}: it is given two values; leave one out")
        found[option] = value
    return found


def line(told: dict[str, Any]) -> str:
    """One game on one line."""
    seated = [f"{seat['name']} ({seat['bot']})" for seat in told["seats"]]
    winners = " and ".join(seated[at] for at in told["winners"])
    how = f"{winners} won by {told['reason']}" if winners else f"unfinished: {' '.join(seated)}"
    where = f"  {told['record']}" if told["record"] else ""
    return (
        f"seed {told['seed']}: {how}, {counted(told['rounds'], 'round')}, "
        f"{counted(told['decisions'], 'decision')}, {told['seconds']:.1f} s{where}"
    )


def print_scores(told: list[dict[str, Any]]) -> None:
    """The closing table."""
    open_games = sum(one["reason"] == "unfinished" for one in told)
    shared = sum(len(one["winners"]) > 1 for one in told)
    print()
    print(
        f"{counted(len(told), 'game')}: {len(told) - open_games} finished, {open_games} unfinished"
        + (f", {shared} won by several together" if shared else "")
    )
    rows = [
        (
            score.bot,
            str(score.seats),
            str(score.wins),
            f"{100 * score.wins / score.seats:.1f} %",
            f"{100 * score.low:.1f} to {100 * score.high:.1f} %",
        )
        for score in scores(told)
    ]
    head = ("bot", "seats played", "won", "share", "95 % interval")
    print("\n".join(columns(rows, head)))
