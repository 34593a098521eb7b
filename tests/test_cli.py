"""The commands: what they print, their exit status, and that the same seed gives the same games."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from oikumene import __version__
from oikumene.cli import main
from oikumene.commands import bench as bench_command
from oikumene.commands import coverage
from oikumene.commands.cases import cases_of
from oikumene.commands.coverage import names
from oikumene.commands.records import read_record
from oikumene.core import record as records
from oikumene.core.chance import Committed
from oikumene.core.errors import DataError
from oikumene.core.game import Chance, Decide
from oikumene.core.keyed import Draws, key_of
from oikumene.core.session import Session, replay
from oikumene.games import GAMES, load_game
from oikumene.games.mare_nostrum.board import load_board
from oikumene.research import bench
from oikumene.research.selfplay import Plan, play_plan, scores

ROOT = Path(__file__).resolve().parent.parent
KEYS = [
    "game", "preset", "seed", "seats", "winners", "ranking", "reason", "rounds", "decisions",
    "seconds", "hash", "record",
]  # fmt: skip


class Cli:
    """Runs commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str | Path, status: int = 0) -> str:
        """The output of a command that ends with this status."""
        found = main([str(one) for one in arguments])
        out, err = self.capsys.readouterr()
        assert (found, err) == (status, "")
        return out

    def lines(self, *arguments: str | Path, status: int = 0) -> list[dict[str, Any]]:
        """The JSON lines of a command."""
        return [json.loads(line) for line in self(*arguments, status=status).splitlines()]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(capsys)


def played(folder: Path, *more: str) -> Path:
    """The record of a short game."""
    arguments = ["--max-rounds", "4", "--seed", "7", "--out", str(folder), "--json", *more]
    assert main(["selfplay", "mare-nostrum", *arguments]) == 0
    return folder / "mare-nostrum-7.jsonl"


@pytest.fixture
def record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    found = played(tmp_path / "records")
    capsys.readouterr()
    return found


# --- games, play, help -------------------------------------------------------------------------


def test_games_lists_players_rule_sets_and_the_board(cli: Cli) -> None:
    out = cli("games")
    assert "mare-nostrum: Mare Nostrum (2003), 3 to 5 players" in out
    assert "staber-2003-02-14 (default)" in out
    assert "mythology-cs (not built yet)" in out
    assert "reconstruct" in out
    (line,) = cli.lines("games", "--json")
    assert line["rule_sets"][0] == {"name": "staber-2003-02-14", "built": True, "default": True}


def test_what_the_list_of_games_says_is_what_their_data_say() -> None:
    for name, listed in GAMES.items():
        game = load_game(name)
        table = game.options()
        assert listed.rule_set == table.default_preset
        built = {preset.name: preset.built for preset in table.presets.values()}
        assert dict(listed.rule_sets) == built
        assert listed.players == f"{game.seats[0]}-{game.seats[-1]}"
    board = load_board()
    assert GAMES["mare-nostrum"].board == board.name
    assert any(facts.reconstructed for facts in board.reconstructed)


def test_without_a_command_and_with_play_it_says_what_can_be_done(cli: Cli) -> None:
    assert cli() == cli("play")
    assert "./oikumene selfplay mare-nostrum" in cli("play")


def test_version_and_help(cli: Cli) -> None:
    assert cli("--version") == f"oikumene {__version__}\n"
    for command in ("selfplay", "replay", "verify", "rules", "conformance", "fuzz", "bench"):
        assert command in cli("--help")
        assert "Usage: oikumene " + command in cli(command, "--help")


# --- selfplay ----------------------------------------------------------------------------------


def test_a_game_is_one_json_line_with_these_keys(cli: Cli) -> None:
    (line,) = cli.lines("selfplay", "mare-nostrum", "--max-rounds", "3", "--json")
    assert list(line) == KEYS
    assert line["game"] == "mare-nostrum"
    assert line["preset"] == "staber-2003-02-14"
    assert [seat["name"] for seat in line["seats"]] == ["rome", "carthage", "greece", "egypt"]
    assert (line["winners"], line["ranking"], line["reason"]) == ([], [], "unfinished")
    assert (line["rounds"], line["record"]) == (3, None)
    assert line["decisions"] > 50


def test_a_finished_game_names_winners_ranking_and_the_rule(cli: Cli) -> None:
    bots = ["--seats", "3", "--bots", "greedy", "--games", "2", "--seed", "1", "--jobs", "2"]
    finished = [
        line
        for line in cli.lines("selfplay", "mare-nostrum", *bots, "--json")
        if line["reason"] != "unfinished"
    ]
    assert finished
    for line in finished:
        assert line["winners"] == line["ranking"][0]
        assert sorted(seat for group in line["ranking"] for seat in group) == [0, 1, 2]
        assert line["reason"].startswith("MN-22.")


def without_seconds(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def test_the_same_seed_gives_the_same_games_in_one_process_or_in_several(cli: Cli) -> None:
    plan = ["selfplay", "mare-nostrum", "--games", "3", "--seed", "5", "--max-rounds", "3"]
    plan += ["--set", "start=free", "--json"]
    first = without_seconds(cli.lines(*plan))
    assert [line["seed"] for line in first] == [5, 6, 7]
    assert len({line["hash"] for line in first}) == 3
    assert without_seconds(cli.lines(*plan)) == first
    assert without_seconds(cli.lines(*plan, "--jobs", "2")) == first
    (last,) = cli.lines(*plan[:2], "--seed", "7", *plan[6:], "--no-rotate")
    assert last["hash"] == first[2]["hash"]


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_the_same_seed_gives_the_same_game_under_every_hash_seed(hash_seed: str) -> None:
    plan = ["selfplay", "mare-nostrum", "--bots", "greedy,random,greedy,random"]
    result = run(*plan, "--max-rounds", "4", "--json", PYTHONHASHSEED=hash_seed)
    here = next(
        play_plan(
            Plan(
                "mare-nostrum", "staber-2003-02-14", {}, ("rome", "carthage", "greece", "egypt"),
                ("greedy", "random", "greedy", "random"), 1, max_rounds=4,
            )
        )
    )  # fmt: skip
    assert json.loads(result.stdout)["hash"] == here["hash"]


def test_seats_rotate_unless_told_otherwise(cli: Cli) -> None:
    plan = ["selfplay", "mare-nostrum", "--seats", "egypt,rome,greece", "--games", "3"]
    plan += ["--bots", "greedy,random,random", "--max-rounds", "1", "--json"]

    def greedy(line: dict[str, Any]) -> int:
        return [seat["bot"] for seat in line["seats"]].index("greedy")

    lines = cli.lines(*plan)
    assert [seat["name"] for seat in lines[0]["seats"]] == ["egypt", "rome", "greece"]
    assert [greedy(line) for line in lines] == [0, 1, 2]
    assert [greedy(line) for line in cli.lines(*plan, "--no-rotate")] == [0, 0, 0]


def test_for_people_there_is_a_line_a_game_and_a_closing_table(cli: Cli) -> None:
    out = cli("selfplay", "mare-nostrum", "--games", "2", "--max-rounds", "2", "--seats", "3")
    lines = out.splitlines()
    assert lines[0].startswith("seed 0: unfinished: carthage (random) greece (random) babylon")
    assert lines[1].startswith("seed 1: ")
    assert lines[3] == "2 games: 0 finished, 2 unfinished"
    assert lines[-1].split() == ["random", "6", "0", "0.0", "%", "0.0", "to", "39.0", "%"]


def test_scores_count_a_shared_victory_for_each_winner() -> None:
    seats = [{"bot": "greedy"}, {"bot": "random"}, {"bot": "random"}]
    games = [{"seats": seats, "winners": [0]}, {"seats": seats, "winners": [0, 2]}]
    greedy, other = scores(games)
    assert (greedy.bot, greedy.seats, greedy.wins) == ("greedy", 2, 2)
    assert (other.bot, other.seats, other.wins) == ("random", 4, 1)
    assert 0 < other.low < 0.25 < other.high < 1


def test_a_map_of_ones_own_is_written_into_the_record(cli: Cli, tmp_path: Path) -> None:
    text = load_board().text.replace('name = "reconstructed-1"', 'name = "my-copy"', 1)
    (tmp_path / "map.toml").write_text(text, "utf-8")
    played(tmp_path, "--map", str(tmp_path / "map.toml"))
    cli.capsys.readouterr()
    record = read_record(tmp_path / "mare-nostrum-7.jsonl")
    assert record.header["map"]["name"] == "my-copy"
    assert record.header["map"]["text"] == text
    assert "proven" in cli("verify", tmp_path / "mare-nostrum-7.jsonl")


# --- replay and verify -------------------------------------------------------------------------


def test_a_record_is_whole_and_proven(cli: Cli, record: Path) -> None:
    out = cli("verify", record)
    assert "whole: every move is legal" in out
    assert "proven: " in out
    assert "end: unfinished" in out
    (told,) = cli.lines("verify", record, "--json")
    assert (told["whole"], told["proven"], told["error"]) == (True, True, "")
    assert (told["unproven"], told["by_hand"]) == ([], [])
    assert told["valid"] == told["entries"] > 100
    assert told["hash"] == json.loads(record.read_text().splitlines()[-1])["check"]


def test_the_hash_told_by_selfplay_is_the_last_check(cli: Cli, tmp_path: Path) -> None:
    plan = ["selfplay", "mare-nostrum", "--max-rounds", "2", "--out", str(tmp_path), "--json"]
    (line,) = cli.lines(*plan)
    assert line["record"] == str(tmp_path / "mare-nostrum-0.jsonl")
    last = Path(line["record"]).read_text().splitlines()[-1]
    assert json.loads(last)["check"] == line["hash"]


def test_a_running_game_is_whole_but_not_proven(cli: Cli, record: Path) -> None:
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(lines[:-1]))
    out = cli("verify", record, status=1)
    assert "whole" in out
    assert "the record does not open the secret" in out


def test_outcomes_typed_in_by_hand_are_named(cli: Cli, record: Path) -> None:
    session = Session.new(
        load_game("mare-nostrum"), preset="staber-2003-02-14", options={"start": "free"},
        seats=("rome", "carthage", "greece"), source=Committed.from_seed(1),
    )  # fmt: skip
    draws, thrown = Draws(key_of("by hand")), 0
    while thrown < 2:
        pending = session.pending
        if isinstance(pending, Chance):
            session.throw(session.game.text(session.state, pending.kind.sample(draws)))
            thrown += 1
        else:
            assert isinstance(pending, Decide)
            seat = pending.seats[0]
            session.play(seat, session.game.legal(session.state, seat).sample(draws))
    record.write_text(records.dump(session.closed()), "utf-8")
    by_hand = [entry["n"] for entry in session.entries if entry.get("by_hand")]
    (told,) = cli.lines("verify", record, "--json", status=1)
    assert (told["whole"], told["proven"]) == (True, False)
    assert told["by_hand"] == told["unproven"] == by_hand
    out = cli("verify", record, status=1)
    assert f"typed in by hand: entries {', '.join(map(str, by_hand))}" in out
    assert "(typed in by hand)" in cli("replay", record, "--log")


def test_replay_shows_the_position_at_an_entry(cli: Cli, record: Path) -> None:
    out = cli("replay", record, "--at", "20")
    assert "entry 20 of" in out
    assert "roma" in out
    assert "still to come:" in out
    (start,) = cli.lines("replay", record, "--at", "0", "--json")
    assert (start["at"], start["view"], start["error"]) == (0, "everything", "")
    assert start["asked"] == ["rome"]
    end = cli.lines("replay", record, "--json")[0]
    assert end["at"] == end["entries"]
    found = replay(read_record(record), load_game)
    assert end["position"] == found.session.game.position(found.session.state)


def test_replay_hides_from_a_seat_what_it_may_not_see(cli: Cli, record: Path) -> None:
    found = replay(read_record(record), load_game)
    at = next(
        n
        for n, state in enumerate(found.states)
        if all(state.hands) and "income" not in found.session.game.pending(state).prompt
    )
    (seen,) = cli.lines("replay", record, "--at", str(at), "--seat", "rome", "--json")
    assert set(seen["position"]["hand"]) == {"rome"}
    assert set(seen["position"]["held"]) == {"rome", "carthage", "greece", "egypt"}
    (seen,) = cli.lines("replay", record, "--at", str(at), "--spectator", "--json")
    assert "hand" not in seen["position"]
    (seen,) = cli.lines("replay", record, "--at", str(at), "--json")
    assert len(seen["position"]["hand"]) == 4
    assert "hidden" in cli("replay", record, "--at", str(at), "--seat", "rome")
    assert "cards held" in cli("replay", record, "--at", str(at), "--spectator")


def test_the_log_tells_moves_and_events_with_their_rules(cli: Cli, record: Path) -> None:
    out = cli("replay", record, "--log")
    assert "   1  rome: caravan" in out
    assert "(MN-4.1)" in out
    assert "(MN-7.1)" in out
    lines = cli.lines("replay", record, "--log", "--json")
    assert [line["n"] for line in lines] == list(range(len(read_record(record).entries) + 1))
    assert lines[1]["events"][0]["rule"] == "MN-4.1"


def test_the_log_of_a_seat_leaves_out_what_others_have_sealed(cli: Cli, record: Path) -> None:
    entries = read_record(record).entries
    offer = next(
        n
        for n, (one, after) in enumerate(pairwise(entries), 1)
        if one.get("move", "").startswith("offer") and after.get("move", "").startswith("offer")
    )
    shown = cli.lines("replay", record, "--at", str(offer), "--log", "--spectator", "--json")[-1]
    assert (shown["move"], shown["hidden"]) == ("offer", True)
    assert "(sealed)" in cli("replay", record, "--at", str(offer), "--log", "--spectator")
    seat = entries[offer - 1]["seat"]
    shown = cli.lines("replay", record, "--at", str(offer), "--log", "--seat", seat, "--json")[-1]
    assert shown["move"] == entries[offer - 1]["move"]


# --- conformance -------------------------------------------------------------------------------

CASE = """format = 1
game = "mare-nostrum"
[[case]]
id = "A"
title = "The number is at most the largest hand"
rules = ["MN-8.1"]
seats = ["rome", "carthage", "greece"]
position = {{ step = "trade", hand = {{ rome = "tax*2" }}, roles = {{ commerce = "rome" }} }}
play = [{{ by = "rome", move = "number {number}" }}]
"""


def test_all_cases_of_the_project_pass(cli: Cli) -> None:
    out = cli("conformance", ROOT / "conformance")
    assert out.splitlines()[-1].endswith(" passed, 0 failed")


def test_a_failing_case_is_told_with_its_reason(cli: Cli, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "sub" / "bad.toml"
    bad.parent.mkdir()
    good.write_text(CASE.format(number=1))
    bad.write_text(CASE.format(number=9))
    assert cli("conformance", good) == "1 passed, 0 failed\n"
    out = cli("conformance", tmp_path, status=1)
    assert f"{bad}: A: line 1 (number 9): must be legal; refused by MN-8.1" in out
    assert out.endswith("1 passed, 1 failed\n")
    (told,) = cli.lines("conformance", good, bad, "--json", status=1)
    assert (told["passed"], told["failed"]) == (1, 1)
    assert told["failures"][0]["rules"] == ["MN-8.1"]


# --- rules -------------------------------------------------------------------------------------


def test_a_rule_is_told_with_kind_source_and_cases(cli: Cli) -> None:
    out = cli("rules", "mare-nostrum", "mn-8.10")
    assert out.startswith("MN-8.10  ")
    assert "Source: " in out
    assert "Option pair_rule: this_moment | whole_trade; default this_moment" in out
    assert "conformance/mare_nostrum/trade.toml" in out
    told = json.loads(cli("rules", "mare-nostrum", "MN-8.10", "--json"))
    assert told["id"] == "MN-8.10"
    assert told["cases"]
    assert "Only under: start = free" in cli("rules", "mare-nostrum", "MN-5.1")
    assert "Our reading: " in cli("rules", "mare-nostrum", "MN-3.6")


def test_chapters_and_their_rules(cli: Cli) -> None:
    assert "Adjacency over sea" in cli("rules", "mare-nostrum")
    assert cli("rules", "mare-nostrum", "MN-17") == cli("rules", "mare-nostrum", "17")
    assert cli("rules", "mare-nostrum", "MN-17").startswith("17. Adjacency over sea\n\nMN-17.1")
    chapters = cli.lines("rules", "mare-nostrum", "--json")
    assert [line["chapter"] for line in chapters] == list(range(1, 28))
    rules = cli.lines("rules", "mare-nostrum", "MN-17", "--json")
    assert [rule["id"] for rule in rules] == chapters[16]["rules"]


def test_rules_are_found_by_words(cli: Cli) -> None:
    out = cli("rules", "mare-nostrum", "--search", "helen LEGION")
    assert "MN-25.4" in out
    assert cli.lines("rules", "mare-nostrum", "--search", "helen legion", "--json")
    assert "no rule holds all" in cli("rules", "mare-nostrum", "--search", "spaceship")
    assert cli.lines("rules", "mare-nostrum", "--search", "spaceship", "--json") == []


def test_options_are_told_with_values_sources_and_rule_sets(cli: Cli) -> None:
    out = cli("rules", "mare-nostrum", "--options")
    assert "fixed* | free" in out
    assert "mythology-cs (not built yet)" in out
    one = cli("rules", "mare-nostrum", "--options", "greek_blockade")
    assert "(not built yet)" in one
    assert "mythology-cs: on" in one
    (told,) = cli.lines("rules", "mare-nostrum", "--options", "role_tie", "--json")
    assert [value["value"] for value in told["values"]] == ["incumbent", "dice", "lot"]
    assert len(cli.lines("rules", "mare-nostrum", "--options", "--json")) > 40


def test_every_rule_of_what_is_built_is_covered(cli: Cli) -> None:
    out = cli("rules", "mare-nostrum", "--coverage")
    assert "Gaps" not in out
    assert "MN-21.1  greek_blockade = on" in out
    (told,) = cli.lines("rules", "mare-nostrum", "--coverage", "--json")
    assert (told["gaps"], told["unknown"]) == ([], [])
    assert "MN-21.16" in told["not_built_yet"]
    assert "MN-5.1" not in told["not_built_yet"]


def test_gaps_in_the_coverage_give_status_1(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [case for case in cases_of("mare-nostrum") if not names(case[1], "MN-8.1")]
    cases[0][1]["rules"].append("MN-99.9")
    monkeypatch.setattr(coverage, "cases_of", lambda _: cases)
    out = cli("rules", "mare-nostrum", "--coverage", status=1)
    assert re.search(r"MN-8\.1 +limit +needs a case inside it and a refusal", out)
    assert "name them: MN-99.9" in out
    monkeypatch.setattr(coverage, "data_tests", lambda _: frozenset())
    (told,) = cli.lines("rules", "mare-nostrum", "--coverage", "--json", status=1)
    assert {"id": "MN-1.3", "kind": "fact", "needs": "a case or a data test"} in told["gaps"]


def test_without_the_projects_folder_the_coverage_says_so(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oikumene.commands.cases.PROJECT", tmp_path)
    assert main(["rules", "mare-nostrum", "--coverage"]) == 2
    assert "works in a checkout of the project" in cli.capsys.readouterr().err
    assert "No conformance case names this rule" in cli("rules", "mare-nostrum", "MN-8.1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'fact = [{ id = "MN-1.1", test = "tests/test_cli.py::test_nothing" }]',
            "there is no test",
        ),
        ('fact = [{ id = "MN-1.1", test = "tests/gone.py::test_nothing" }]', "there is no test"),
        ('fact = [{ id = "MN-1.1" }]', "a row has `id` and `test`"),
        ("fact = [", "a row has"),
    ],
)
def test_a_list_of_data_tests_must_name_tests_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.setattr(coverage, "PROJECT", tmp_path)
    assert coverage.data_tests("mare-nostrum") == frozenset()
    (tmp_path / "tests" / "mare_nostrum").mkdir(parents=True)
    (tmp_path / "tests" / "mare_nostrum" / "facts.toml").write_text(text)
    with pytest.raises(DataError, match=message):
        coverage.data_tests("mare-nostrum")


# --- bench -------------------------------------------------------------------------------------


def test_the_bench_measures_all_figures_and_compares_round_by_round(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = bench.bench("mare-nostrum", 3, rounds=2, seconds=0.15)
    for figure in bench_command.FIGURES.keys() - {"games_per_second"}:
        assert found[figure] > 0
    assert bench.games_per_second([bench.Speed(9, 2.0, 3, 1.5)]) == 2
    assert len(found["rounds"]) == 2
    ratios = [one["ratio_python_chess"] for one in found["rounds"]]
    assert min(ratios) <= found["ratio_python_chess"] <= max(ratios)
    monkeypatch.setattr(bench_command, "measure", lambda _: found)
    assert json.loads(cli("bench", "mare-nostrum", "--json")) == found
    assert "times as fast as python-chess" in cli("bench", "mare-nostrum")


def test_without_python_chess_the_bench_says_how_to_compare(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "MODULES", {"python_chess": "no_chess", "catanatron": "no_catan"})
    found = bench.bench("mare-nostrum", 3, rounds=1, seconds=0.1)
    assert found["ratio_python_chess"] is None
    monkeypatch.setattr(bench_command, "measure", lambda _: found)
    assert "not compared with python-chess" in cli("bench", "mare-nostrum")


# --- fuzz --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("findings", "status"), [(0, 0), (2, 1)])
def test_fuzz_gives_status_1_for_what_it_finds(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, findings: int, status: int
) -> None:
    def fuzz(game: Any, minutes: float, seed: int, report: Any) -> int:
        report(f"{game.name} {minutes} {seed}")
        return findings

    monkeypatch.setitem(sys.modules, "oikumene.research.fuzz", SimpleNamespace(fuzz=fuzz))
    out = cli("fuzz", "mare-nostrum", "--minutes", "0.5", "--seed", "3", status=status)
    assert out == "mare-nostrum 0.5 3\n"


# --- the program as a process ------------------------------------------------------------------


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "oikumene", *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")} | env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_list_of_games_loads_no_game() -> None:
    code = (
        "import sys; from oikumene.cli import main; main(['games'])\n"
        "heavy = ['oikumene.games.mare_nostrum', 'oikumene.core.session', 'rich', 'tomllib']\n"
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stderr == "[]\n"


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = [sys.executable, "-P", "-m", "oikumene", "rules", "mare-nostrum", "--options"]
    with subprocess.Popen(
        command,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_an_interrupt_ends_quietly(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(bench_command, "measure", interrupted)
    assert main(["bench", "mare-nostrum"]) == 130
    assert "Traceback" not in cli.capsys.readouterr().err


def test_a_terminal_without_our_letters_is_no_error() -> None:
    result = run("rules", "mare-nostrum", "--options", PYTHONIOENCODING="ascii")
    assert (result.returncode, result.stderr) == (0, "")


def test_the_scripts_entry_is_the_same_main() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"oikumene": "oikumene.cli:main"}
