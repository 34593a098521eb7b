"""What people give wrongly: each has its own message that says what to do; never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from errno import EACCES
from pathlib import Path
from typing import Any

import pytest

from oikumene.cli import main
from oikumene.commands.records import read_record
from oikumene.core import record as records
from oikumene.core.chance import Committed
from oikumene.core.errors import OikumeneError
from oikumene.core.game import Chance, Decide
from oikumene.core.keyed import Draws, key_of
from oikumene.core.session import Session, replay
from oikumene.games import load_game
from oikumene.games.mare_nostrum.board import load_board
from oikumene.research.selfplay import Plan, play_number

ROOT = Path(__file__).resolve().parent.parent
SEATS = ("rome", "carthage", "greece")
GAME = load_game("mare-nostrum")


def told(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """The message of a command that ends with status 2; it prints nothing else."""
    status = main([str(one) for one in arguments])
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.startswith("oikumene: ")
    assert "Traceback" not in err
    assert err.count("\n") == 1
    return err.removeprefix("oikumene: ").rstrip("\n")


# --- the command line --------------------------------------------------------------------------

SELFPLAY = ("selfplay", "mare-nostrum")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("plya",), "No such command 'plya'"),
        (("games", "--jsno"), "No such option"),
        (("games", "mare-nostrum"), "unexpected extra argument"),
        (("selfplay",), "Missing argument 'GAME'"),
        (("selfplay", "mare-nostro"), "unknown game 'mare-nostro'; there are: mare-nostrum"),
        (("fuzz", "chess"), "unknown game 'chess'; there are: mare-nostrum"),
        (("bench", "chess"), "unknown game 'chess'; there are: mare-nostrum"),
        (("rules", "chess"), "unknown game 'chess'; there are: mare-nostrum"),
        ((*SELFPLAY, "--preset", "staber"), "unknown preset 'staber'"),
        ((*SELFPLAY, "--preset", "mythology-cs"), "is not built yet: it needs"),
        ((*SELFPLAY, "--set", "strt=free"), "unknown option 'strt'; do you mean 'start'?"),
        ((*SELFPLAY, "--set", "start=maybe"), "option start has no value 'maybe'; it has: fixed"),
        ((*SELFPLAY, "--set", "greek_blockade=on"), "is known but not built yet; what can be"),
        ((*SELFPLAY, "--set", "start"), "an option is set by option=value"),
        ((*SELFPLAY, "--set", "start="), "an option is set by option=value"),
        ((*SELFPLAY, "--set", "start=free", "--set", "start=fixed"), "it is given two values"),
        ((*SELFPLAY, "--seats", "rome,sparta,greece"), "unknown civilization 'sparta'; there are"),
        ((*SELFPLAY, "--seats", "rome,rome,greece"), "must be another civilization"),
        ((*SELFPLAY, "--seats", "rome,greece"), "2 seats: Mare Nostrum is played by 3, 4 or 5"),
        ((*SELFPLAY, "--seats", "6"), "6 seats: Mare Nostrum is played by 3, 4 or 5"),
        ((*SELFPLAY, "--seats", "9" * 5000), "seats: Mare Nostrum is played by 3, 4 or 5"),
        ((*SELFPLAY, "--seats", ""), "0 seats: Mare Nostrum is played by 3, 4 or 5"),
        ((*SELFPLAY, "--bots", "stockfish"), "unknown bot 'stockfish'; for mare-nostrum there"),
        ((*SELFPLAY, "--bots", "random,random"), "2 bots for 4 seats; name one for each seat"),
        ((*SELFPLAY, "--bots", ","), "0 bots for 4 seats; name one for each seat"),
        ((*SELFPLAY, "--games", "0"), "Invalid value for '--games'"),
        ((*SELFPLAY, "--max-rounds", "-1"), "Invalid value for '--max-rounds'"),
        ((*SELFPLAY, "--seed", "x"), "Invalid value for '--seed'"),
        ((*SELFPLAY, "--jobs", "0"), "Invalid value for '--jobs'"),
        ((*SELFPLAY, "--map", "no/such/map.toml"), "no/such/map.toml: No such file"),
        (("replay", "no/such/record"), "no/such/record: No such file"),
        (("replay", "x", "--at", "-1"), "Invalid value for '--at'"),
        (("verify", ROOT), f"{ROOT}: Is a directory"),
        (("conformance", "no/such/case"), "no/such/case: No such file"),
        (("conformance",), "Missing argument 'FILE...'"),
        (("rules", "mare-nostrum", "MN-8.99"), "no rule 'MN-8.99'; chapter MN-8 has MN-8.1 to"),
        (("rules", "mare-nostrum", "MN-99.1"), "no rule 'MN-99.1'; `rules GAME` lists"),
        (("rules", "mare-nostrum", "nonsense"), "no rule 'nonsense'; `rules GAME` lists"),
        (("rules", "mare-nostrum", "MN-99"), "no chapter 99; there are 1 to 27"),
        (("rules", "mare-nostrum", "--lang", "la"), "no rulebook in 'la'; there is one in: en"),
        (("rules", "mare-nostrum", "--lang", "../en"), "no rulebook in '../en'"),
        (("rules", "mare-nostrum", "--search", " "), "--search needs words"),
        (("rules", "mare-nostrum", "--options", "strt"), "do you mean 'start'?"),
        (("rules", "mare-nostrum", "MN-8.1", "--coverage"), "one question at a time"),
    ],
)
def test_wrong_use_is_told(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str | Path, ...], message: str
) -> None:
    assert message in told(capsys, *arguments)


def test_a_folder_that_may_not_be_written_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: Path, *_: object, **__: object) -> None:
        raise PermissionError(EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "mkdir", denied)  # root may write everywhere, so no folder refuses
    assert "Permission denied" in told(capsys, *SELFPLAY, "--out", tmp_path / "records")


def test_a_folder_that_is_a_file_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    out = ("--max-rounds", "1", "--out")
    assert "File exists" in told(capsys, *SELFPLAY, *out, tmp_path / "file")
    assert "Not a directory" in told(capsys, *SELFPLAY, *out, tmp_path / "file" / "records")


@pytest.mark.parametrize("command", ["replay", "verify", "conformance"])
def test_a_file_that_is_no_text_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    noise = tmp_path / "noise"
    noise.write_bytes(bytes(range(256)) * 10)
    assert f"{noise}: not a UTF-8 text (byte 129)" in told(capsys, command, noise)


# --- records -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of a good record with dice in it."""
    out = tmp_path_factory.mktemp("records")
    plan = Plan(
        GAME.name, "staber-2003-02-14", {"start": "free"}, SEATS, ("random",) * 3, 1, seed=3,
        max_rounds=4, out=out,
    )  # fmt: skip
    return Path(play_number(plan, 0)["record"]).read_text("utf-8")


def header_with(whole: str, **changes: Any) -> str:
    """The record with a changed header, whose check is made anew."""
    first, rest = whole.split("\n", 1)
    header = records.without_check(json.loads(first)) | changes
    header = {key: value for key, value in header.items() if value is not None}
    header["check"] = records.check_of("", header)
    return records.line_text(header) + "\n" + rest


CANNOT_BEGIN: dict[str, tuple[Callable[[str], str], str]] = {
    "nothing": (lambda _: "", "the file is empty"),
    "blank lines": (lambda _: "\n \n", "the file is empty"),
    "a letter": (lambda _: "Dear friends,\nlet us play.\n", "this is not a game record"),
    "brackets": (lambda _: "[" * 200_000, "this is not a game record"),
    "no header": (lambda whole: whole.split("\n", 1)[1], "this is not a game record"),
    "half a header": (lambda whole: whole[:80], "this is not a game record"),
    "newer": (lambda whole: header_with(whole, format=2), "reads up to 1; use a newer Oikumene"),
    "no number": (lambda whole: header_with(whole, format=[]), "has format []"),
    "newer rules": (lambda whole: header_with(whole, rules=99), "by rules number 99"),
    "another game": (lambda whole: header_with(whole, game="go"), "unknown game 'go'"),
    "no game": (lambda whole: header_with(whole, game=[]), "header is damaged: game"),
    "no seats": (lambda whole: header_with(whole, seats=None), "header lacks: seats"),
    "odd seats": (lambda whole: header_with(whole, seats=["rome", 3]), "is damaged: seats"),
    "one seat": (lambda whole: header_with(whole, seats=["rome"]), "1 seats: Mare Nostrum is"),
    "odd words": (lambda whole: header_with(whole, words=5), "header is damaged: words"),
    "odd option": (lambda whole: header_with(whole, options={"start": []}), "damaged: options"),
    "no options": (lambda whole: header_with(whole, options={}), "header is damaged"),
    "no map": (lambda whole: header_with(whole, map={}), "header is damaged: map"),
    "odd map": (
        lambda whole: header_with(whole, map={"name": "atlantis", "digest": ""}),
        "no board",
    ),
    "changed map": (
        lambda whole: header_with(whole, map={"name": "reconstructed-1", "digest": "0"}),
        "was played on another board",
    ),
    "map text": (
        lambda whole: header_with(whole, map={"name": "x", "digest": "", "text": "x"}),
        "map x: ",
    ),
}


@pytest.mark.parametrize("damage", CANNOT_BEGIN)
@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_record_that_cannot_even_begin_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, whole: str, damage: str, command: str
) -> None:
    how, message = CANNOT_BEGIN[damage]
    path = tmp_path / "record.jsonl"
    path.write_text(how(whole), "utf-8")
    assert message in told(capsys, command, path)


def line_with(whole: str, number: int, **changes: Any) -> str:
    """The record with one line changed; its check stays."""
    lines = whole.split("\n")
    lines[number] = records.line_text(json.loads(lines[number]) | changes)
    return "\n".join(lines)


def without_line(whole: str, number: int) -> str:
    lines = whole.split("\n")
    return "\n".join([*lines[:number], *lines[number + 1 :]])


DAMAGES: dict[str, tuple[Callable[[str], str], int | None, str]] = {
    "cut short": (lambda whole: whole[: len(whole) // 2], None, "is not a record line"),
    "no last line feed": (
        lambda whole: "\n".join(whole.split("\n")[:31]), 30, "the last line is cut short"
    ),
    "another move": (lambda whole: line_with(whole, 30, move="done"), 29, "entry 30: "),
    "no move": (lambda whole: line_with(whole, 30, move="conquer all"), 29, "is not a move"),
    "no text": (lambda whole: line_with(whole, 30, move=7), 29, "not a line that a game can have"),
    "no seat": (lambda whole: line_with(whole, 30, seat="sparta"), 29, "is not a line that a game"),
    "wrong check": (lambda whole: line_with(whole, 30, check="0" * 32), 29, "30: its check is"),
    "a note": (lambda whole: line_with(whole, 30, note="hello"), 29, "entry 30: its check"),
    "changed header": (lambda whole: line_with(whole, 0, seed=4), 0, "the header was changed"),
    "lost line": (lambda whole: without_line(whole, 30), 29, "entry 30 is missing"),
    "noise": (lambda whole: whole.replace("\n", "\n%&!\n", 1), 0, "line 2 is not a record line"),
    "twice": (lambda whole: whole + whole, None, "lines follow after the end"),
    "another secret": (
        lambda whole: line_with(whole, -2, secret="00"), None, "closing line was changed"
    ),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_record_shows_its_longest_valid_part(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, whole: str, damage: str
) -> None:
    how, valid, message = DAMAGES[damage]
    path = tmp_path / "record.jsonl"
    path.write_text(how(whole), "utf-8")
    assert main(["verify", str(path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["whole"]
    assert not found["proven"]
    assert message in found["error"]
    assert found["valid"] == (found["valid"] if valid is None else valid)
    assert main(["replay", str(path)]) == 1
    out = capsys.readouterr().out
    assert "The record is damaged." in out
    assert f"shown here, has {found['valid']} entr" in out
    assert "marker" in out
    assert main(["replay", str(path), "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert (shown["at"], shown["error"]) == (found["valid"], found["error"])
    assert main(["replay", str(path), "--log"]) == 1
    assert main(["verify", str(path)]) == 1
    assert f"damaged: {found['error']}" in capsys.readouterr().out


def test_before_the_damage_a_record_can_be_looked_at(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, whole: str
) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text(line_with(whole, 30, move="done"), "utf-8")
    assert main(["replay", str(path), "--at", "29"]) == 0
    assert "damaged" not in capsys.readouterr().out
    path.write_text(whole[: len(whole) // 2], "utf-8")
    assert main(["replay", str(path), "--at", "99999"]) == 1
    assert "is not a record line" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--at", "99999"), "choose 0 to"),
        (("--seat", "sparta"), "no seat 'sparta' in this game; its seats are: rome carthage"),
        (("--seat", "rome", "--spectator"), "whose view is wanted?"),
    ],
)
def test_what_a_record_does_not_have_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, whole: str,
    arguments: tuple[str, ...], message: str,
) -> None:  # fmt: skip
    path = tmp_path / "record.jsonl"
    path.write_text(whole, "utf-8")
    assert message in told(capsys, "replay", path, *arguments)


def test_an_outcome_other_than_the_promised_one_is_unproven(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Who could leave outcomes out, or make them up, could choose among them."""
    for trick in ("made up", "left out"):
        session = a_session()
        draws, tricked = Draws(key_of("trick")), 0
        while not tricked:
            pending = session.pending
            if isinstance(pending, Chance):
                tricked = len(session.entries) + 1
                if trick == "left out":
                    session.source = None
                    session._next_index["dice"] = 1
                    session.source = Committed.from_seed(1)
                else:
                    session.source = Committed.from_seed(2)
                session.draw()
            else:
                assert isinstance(pending, Decide)
                seat = pending.seats[0]
                session.play(seat, GAME.legal(session.state, seat).sample(draws))
        session.source = Committed.from_seed(1)
        path = tmp_path / "record.jsonl"
        path.write_text(records.dump(session.closed()), "utf-8")
        assert main(["verify", str(path)]) == 1
        assert f"the secret gives other outcomes than entries {tricked}" in capsys.readouterr().out


def a_session() -> Session:
    return Session.new(
        GAME, preset="staber-2003-02-14", options={}, seats=SEATS, source=Committed.from_seed(1)
    )


def test_a_text_may_hold_any_letter() -> None:
    words = ("a\u2028b", "c\x85d", "e\nf", "ü")
    source = Committed.from_seed(1)
    session = Session.new(
        GAME, preset="staber-2003-02-14", options={}, seats=SEATS,
        source=Committed(bytes.fromhex(source.opened()), words),
    )  # fmt: skip
    record = records.read(records.dump(session.closed()))
    assert tuple(record.header["words"]) == words
    assert replay(record, load_game).error == ""


JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 2**70, 1.5, "", "rome", [], {}, [[]], {"a": []}, ["rome"], "\ud800",
    "dice rome 1 1, greece 1",
)  # fmt: skip
MORE_KEYS = ["undo", "alone", "chance", "move", "seat", "to", "stream", "index", "end", "secret"]


def damaged(whole: str, draws: Draws) -> str:
    """The record with one thing wrong somewhere."""
    lines = whole.removesuffix("\n").split("\n")
    at = draws.choice([0, len(lines) - 1, draws.below(len(lines)), 1 + draws.below(10)])
    kind = draws.below(6)
    if kind == 0:
        lines[at] = lines[at][: draws.below(len(lines[at]))]
    elif kind == 1:
        del lines[at]
    elif kind == 2:
        place = draws.below(len(lines[at]))
        letter = draws.choice(['"', "{", "\0", "é", "9", ",", "\u2028", "\r", "\n"])
        lines[at] = lines[at][:place] + letter + lines[at][place + 1 :]
    else:
        line = json.loads(lines[at])
        key = draws.choice([*line, *MORE_KEYS])
        inner = line.get(key)
        if isinstance(inner, dict) and draws.below(2):
            inner[draws.choice([*inner, "text"])] = draws.choice(JUNK)
        else:
            line[key] = draws.choice(JUNK)
        if draws.below(2) and at in (0, len(lines) - 1):
            line.pop("check", None)
            previous = json.loads(lines[at - 1])["check"] if at else ""
            text = json.dumps(line, separators=(",", ":"), ensure_ascii=False)
            if text.isprintable():
                line["check"] = records.check_of(previous, line)
        lines[at] = json.dumps(line)
    return "\n".join(lines) + ("\n" if draws.below(4) else "")


def test_no_damage_whatsoever_raises_anything_else(whole: str) -> None:
    lines = whole.split("\n")
    short = "\n".join([*lines[:60], ""])
    for seed in range(240):
        text = damaged(short if seed % 4 else whole, Draws(key_of("damage", seed)))
        try:
            found = replay(records.read(text), load_game)
            found.session.redacted(None)
        except OikumeneError:
            continue
        except Exception as error:
            pytest.fail(f"damage {seed}: {error!r}")
        state = found.session.state
        assert GAME.position_text(state) == GAME.position_text(found.states[-1])


# --- maps --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "reconstructed-1"', 'name = "reconstructed-1" x', "is not TOML"),
        ('name = "reconstructed-1"', 'name = "My Map"', "`name`"),
        ('sea = "mare_hadriaticum"', 'sea = "mare_incognitum"', "mare_incognitum"),
        (
            '[[province]]\nid = "roma"\n',
            '[[province]]\nid = "roma"\nborders = ["athenae"]\n',
            "athenae",
        ),
        ("legions = 8", "legions = -8", "legions"),
        ("format = 1", "format = 9", "format"),
    ],
)
def test_a_map_that_cannot_be_a_board_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = load_board().text
    assert old in text
    path = tmp_path / "map.toml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    error = told(capsys, *SELFPLAY, "--map", path)
    assert error.startswith("map ")
    assert message in error


def test_a_changed_map_may_not_keep_the_name_of_a_shipped_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "map.toml"
    path.write_text(load_board().text.replace("legions = 8", "legions = 9", 1), "utf-8")
    assert "give it a new name" in told(capsys, *SELFPLAY, "--map", path)


# --- positions, moves and cases ----------------------------------------------------------------

HEAD = 'format = 1\ngame = "mare-nostrum"\n[[case]]\nid = "A"\ntitle = ""\nrules = []\n'
THREE = 'seats = ["rome", "carthage", "greece"]\n'


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("{}", "a position needs `step`"),
        ('{ step = "lunch" }', "`lunch` is not a step; there are: roles"),
        ('{ step = "trade", agenda = [] }', "position key `agenda`"),
        ('{ agenda = ["end-construction"] }', "the agenda of this position ends before"),
        ('{ step = "trade", hands = {} }', "unknown position keys: hands; there are: map"),
        ('{ step = "trade", hand = { rome = "tax*99" } }', "position key `hand`"),
        ('{ step = "trade", hand = { rome = "tax*60" } }', "more cards of tax than the box"),
        ('{ step = "trade", hand = { sparta = "tax" } }', "`sparta` is not a seat"),
        ('{ step = "trade", markers = { atlantis = "rome" } }', "`atlantis` is not a province"),
        ('{ step = "trade", markers = { roma = 3 } }', "`3` is not a civilization"),
        ('{ step = "trade", legions = { rome = "roma*9" } }', "rome has only 8 (MN-1.6)"),
        ('{ step = "trade", fleets = { rome = "roma" } }', "`roma` is not such a place"),
        ('{ step = "trade", occupied = ["roma city carthage"] }', "position key `occupied`"),
        ('{ step = "trade", known = { rome = "gold" } }', "position key `known`"),
        ('{ step = "trade", cards = { rome = ["zeus"], greece = ["zeus"] } }', "only one zeus"),
    ],
)
def test_a_position_that_cannot_be_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, position: str, message: str
) -> None:
    path = tmp_path / "case.toml"
    path.write_text(HEAD + THREE + f"position = {position}\nplay = [{{ asked = [] }}]\n")
    assert main(["conformance", str(path)]) == 1
    out, err = capsys.readouterr()
    assert message in out
    assert out.endswith("0 passed, 1 failed\n")
    assert err == ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('by = "rome", move = "number 9"', "must be legal; refused by MN-8.1"),
        ('by = "greece", move = "number 1"', "must be legal; refused by core.turn"),
        ('by = "rome", move = "jump"', "'jump' is not a move; there are: caravan"),
        ('by = "rome", move = ""', "an empty text is not a move"),
        ('by = "rome", move = "march 1 roma"', "(written: march N PROVINCE PROVINCE"),
        ('by = "sparta", move = "number 1"', "'sparta' is not a seat of this case"),
        ('chance = "dice rome 1"', "no chance is asked for here"),
    ],
)
def test_an_illegal_move_is_told_with_every_rule_against_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str, message: str
) -> None:
    position = '{ step = "trade", hand = { rome = "tax*2" }, roles = { commerce = "rome" } }'
    path = tmp_path / "case.toml"
    path.write_text(HEAD + THREE + f"position = {position}\nplay = [{{ {line} }}]\n")
    assert main(["conformance", str(path)]) == 1
    assert message in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a case file begins with `format = 1`"),
        ("format = 2", "a case file begins with `format = 1`"),
        ("format = [", "not a TOML file"),
        ("format = 1", 'a case file needs `game = "..."`'),
        ('format = 1\ngame = "go"\ncase = [3]', "a case is written as a table"),
        (HEAD, "case A: unknown or missing keys"),
        (HEAD + THREE + "play = 3", "case A: `play` must be a list"),
        (HEAD + THREE + "play = [3]", "case A: line 1 must be a table"),
        (HEAD + THREE + "play = [{ by = 3 }]", "case A: line 1: `by` must be a text"),
        (HEAD + THREE + 'play = [{ move = "done" }]', "`by` and `move` belong together"),
        (HEAD + THREE + "play = [{ refused = [] }]", "`by` and `move` belong together"),
        (HEAD + THREE + "play = [{ legal = { done = [1] } }]", "`legal` must hold texts"),
        (HEAD + THREE + 'play = [{ over = { winners = "x" } }]', "`over` must hold texts"),
        (HEAD + "seats = [1]\nplay = []", "case A: `seats` must hold texts"),
        (HEAD + THREE + "options = { start = 3 }\nplay = []", "`options` must hold texts"),
        (
            (HEAD + THREE + "play = []").replace("mare-nostrum", "go"),
            "unknown game 'go'; there are: mare-nostrum",
        ),
    ],
)
def test_a_file_that_is_no_case_file_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "case.toml"
    path.write_text(text)
    assert message in told(capsys, "conformance", path)


def test_a_folder_without_cases_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "there is no case file (*.toml)" in told(capsys, "conformance", tmp_path)


def test_a_file_that_is_far_too_large_is_not_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oikumene.commands.common.MOST_BYTES", 10)
    (tmp_path / "large").write_text("x" * 11)
    assert "this file is too large" in told(capsys, "verify", tmp_path / "large")


# --- as a process ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("selfplay", "mare-nostrum", "--seats", "7"),
        ("selfplay", "mare-nostrum", "--games", "2", "--jobs", "2", "--bots", "nobody"),
        ("verify", "no-such-record"),
        ("replay", str(ROOT / "README.md")),
        ("conformance", str(ROOT / "pyproject.toml")),
        ("no-such-command",),
    ],
)
def test_the_program_ends_with_status_2_and_one_line(arguments: tuple[str, ...]) -> None:
    result = subprocess.run(
        [sys.executable, "-P", "-m", "oikumene", *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("oikumene: ")
    assert result.stderr.count("\n") == 1


def test_a_record_that_was_read_is_the_record_that_was_written(whole: str, tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text(whole, "utf-8")
    assert records.dump(read_record(path)) == whole
