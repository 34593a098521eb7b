"""The golden games replay to the same checks, line by line (tests/golden/make.py made them)."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from oikumene.core import record as records
from oikumene.core.record import Record
from oikumene.core.session import Replay, replay
from oikumene.games import load_game

FILES = sorted((Path(__file__).resolve().parent / "golden").glob("*.jsonl"))
WHOLE = "mn-3-fixed-whole"
games = pytest.mark.parametrize("name", [file.stem for file in FILES])


@cache
def read(name: str) -> Record:
    (file,) = (file for file in FILES if file.stem == name)
    return records.read(file.read_text("utf-8"))


@cache
def replayed(name: str) -> Replay:
    return replay(read(name), load_game)


@games
def test_a_golden_game_replays_to_the_same_checks(name: str) -> None:
    found = replayed(name)
    assert found.error == ""
    assert found.session.entries == read(name).entries
    assert len(found.states) == len(read(name).entries) + 1


@games
def test_every_outcome_of_a_golden_game_is_proven(name: str) -> None:
    assert (replayed(name).unproven, replayed(name).proven) == ((), True)


@games
def test_a_golden_file_is_written_as_it_is_written_today_and_is_small(name: str) -> None:
    (file,) = (file for file in FILES if file.stem == name)
    text = file.read_text("utf-8")
    assert records.dump(read(name)) == text
    assert len(text.encode()) < 150_000


def test_the_golden_games_show_every_number_of_seats_both_starts_and_many_options() -> None:
    headers = [read(file.stem).header for file in FILES]
    tables = Counter((len(header["seats"]), header["options"]["start"]) for header in headers)
    assert set(tables) == {(seats, start) for seats in (3, 4, 5) for start in ("fixed", "free")}
    options = load_game("mare-nostrum").options()
    changed = {
        option
        for header in headers
        for option in options.differences(header["preset"], header["options"])
    }
    assert len(changed) >= 15


def test_golden_games_are_whole_and_one_has_moves_taken_back() -> None:
    reasons = Counter((read(file.stem).end or {})["end"]["reason"] for file in FILES)
    assert reasons.keys() > {"unfinished"}
    assert (read(WHOLE).end or {})["end"]["winners"]
    undone = [file.stem for file in FILES if any("undo" in e for e in read(file.stem).entries)]
    assert undone == ["mn-4-free-undone"]


def test_the_golden_games_show_nearly_every_verb() -> None:
    game = load_game("mare-nostrum")
    texts = [
        str(entry.get("move") or entry.get("chance"))
        for file in FILES
        for entry in read(file.stem).entries
    ]
    shown = {text.split()[0] for text in texts}
    assert set(game.table) - shown <= {"demolish", "helen", "no"}
