"""Mare Nostrum in the terminal: whole games through a pipe, every command, every width."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO, cast

import pytest

from oikumene.commands import terminal_board as board
from oikumene.commands.terminal import terminal
from oikumene.commands.terminal_choices import choices, matches, next_words
from oikumene.commands.terminal_loop import Loop
from oikumene.commands.terminal_screen import Screen, shared, wrapped
from oikumene.commands.terminal_screen import Table as Shown
from oikumene.commands.terminal_table import Wish, load_table, new_table
from oikumene.core import record as records
from oikumene.core.errors import OikumeneError, OptionError
from oikumene.core.keyed import Draws, key_of
from oikumene.core.session import replay
from oikumene.games import load_game
from oikumene.games.mare_nostrum.sentences import Texts

HOME = Path(__file__).parents[1]
GAME = load_game("mare-nostrum")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Games that nobody saves are kept here; the width is 80 and there is no colour."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def play(*lines: str, **wish: Any) -> str:
    """What the terminal shows when these lines are typed."""
    out = io.StringIO()
    wish = {"seed": 5, "bots": "random", **wish}
    assert (
        terminal(source=io.StringIO("".join(f"{line}\n" for line in lines)), out=out, **wish) == 0
    )
    return out.getvalue()


def after(text: str, typed: str) -> str:
    """What is shown between a typed line and the next prompt."""
    return text.split(f"> {typed}\n", 1)[1].split("rome", 1)[0] if typed else text


def at(
    keys: dict[str, Any], seats: tuple[str, ...] = ("rome", "carthage", "greece", "egypt")
) -> Loop:
    """A table in a position of the notation; the person is Rome."""
    table = new_table(Wish("mare-nostrum", ",".join(seats), bots="random", seed=1))
    state = GAME.from_position(table.session.setting, keys)
    GAME.run(state)
    table.session.start = state
    loop = Loop(table, Screen(io.StringIO()), io.StringIO(), Wish("mare-nostrum"))
    loop.decision()
    return loop


def shown(loop: Loop) -> str:
    """What a table has shown since the last time."""
    out = loop.screen.out
    assert isinstance(out, io.StringIO)
    text = out.getvalue()
    out.seek(0)
    out.truncate()
    return text


BUILD = {
    "step": "construction rome", "called": ["rome"], "roles": {"political": "egypt"},
    "markers": {"roma": "rome", "north_of_roma": "rome"},
    "cities": ["roma"], "hand": {"rome": "tax*2 grain fish wine metal*2"},
}  # fmt: skip


class Anybody:
    """Types numbers of what is offered; ends after some rounds."""

    def __init__(
        self, seed: int, always: Callable[[int], int] | None = None, rounds: int = 30
    ) -> None:
        self.rounds = rounds
        self.draws = Draws(key_of("terminal test", seed))
        self.always = always
        self.loop: Loop | None = None

    def readline(self) -> str:
        """The next line."""
        loop = self.loop
        assert loop is not None
        if loop.table.over or loop.table.session.state.round > self.rounds:
            return ""
        if loop.open is not None and not loop.listed:
            return f"{self.draws.choice(list(loop.open.axis))}\n"
        number = len(loop.listed) if loop.open is not None else len(loop.found)
        return f"{self.always(number) if self.always else self.draws.below(number) + 1}\n"

    def isatty(self) -> bool:
        """It is no keyboard."""
        return False


@pytest.fixture
def anybody(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Plays a whole game and gives its transcript."""

    def whole(
        seed: int, always: Callable[[int], int] | None = None, rounds: int = 30, **wish: Any
    ) -> str:
        source, out = Anybody(seed, always, rounds), io.StringIO()
        make = Loop.__init__

        def init(self: Loop, *args: Any) -> None:
            make(self, *args)
            source.loop = self

        monkeypatch.setattr(Loop, "__init__", init)
        terminal(source=cast("TextIO", source), out=out, seed=seed, **wish)
        monkeypatch.setattr(Loop, "__init__", make)
        return out.getvalue()

    return whole


# Whole games -------------------------------------------------------------------------------------


def run(*arguments: str, typed: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "oikumene", "terminal", "mare-nostrum", *arguments],
        input=typed, capture_output=True, text=True, timeout=110, check=False,
        env={**os.environ, "PYTHONPATH": str(HOME / "src"), "XDG_STATE_HOME": str(folder), **env},
    )  # fmt: skip


def test_a_whole_game_through_a_pipe_by_always_taking_the_first_choice(folder: Path) -> None:
    done = run("--seed", "5", "--bots", "random", "--plain", typed="1\n" * 1500, folder=folder)
    assert done.stderr == ""
    assert done.returncode == 0
    text = done.stdout
    assert "\x1b" not in text
    rounds = [int(n) for n in re.findall(r"^Round (\d+) begins", text, re.M)]
    assert rounds == list(range(1, len(rounds) + 1))
    assert "The game is over" in text or max(rounds) >= 30


def test_the_end_of_the_input_ends_quietly_and_says_where_the_game_is_kept(folder: Path) -> None:
    done = run("--seed", "5", "--bots", "random", typed="1\n1\n", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "The game is kept. To go on:\n  ./oikumene terminal mare-nostrum" in done.stdout
    found = re.search(r"--load (\S+)", done.stdout.replace(" \\\n    ", " "))
    assert found
    again = run("--load", found[1], typed="log 3\n", folder=folder)
    assert (again.returncode, again.stderr) == (0, "")
    assert "Loaded: " in again.stdout
    assert done.stdout.count("Rome decides") == again.stdout.count("Rome decides") + 2


@pytest.mark.parametrize("seed", range(3))
def test_a_game_at_random_reaches_its_end_or_round_30_and_can_be_verified(
    seed: int, anybody: Callable[..., str], folder: Path
) -> None:
    text = anybody(seed, bots="random", plain=True)
    (path,) = (folder / "state" / "oikumene").glob("*.jsonl")
    again = replay(records.read(path.read_text()), load_game)
    assert (again.error, again.unproven, again.proven) == ("", (), True)
    assert "The game is over" in text or "Round 31" in text


def test_the_registered_opponents_play_too(anybody: Callable[..., str]) -> None:
    text = anybody(2, lambda number: number)
    assert "The game is over" in text or "Round 31" in text


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_longer_than_the_window(
    width: int, anybody: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null/nowhere")  # a path is never broken
    text = anybody(4, rounds=12, bots="random")
    text += play(
        "board", "seas", "hand", "cards", "race", "prices", "supply", "trade", "odds carthago 4",
        "odds", "log 100", "help", "rules", "rules MN-8", "rules helen", "rules MN-8.10",
        "why build city athenae", "province roma", "province mare ionium", "moves", "moves car",
        "save x/y/z", "load nothing", "what is this", "undo", "quit",
    )  # fmt: skip
    typed = re.compile(r"^rome(: \w+)?> ")
    longest = max((line for line in text.split("\n") if not typed.match(line)), key=len)
    assert len(longest) <= width, longest


def test_the_width_is_asked_anew_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(io.StringIO())
    monkeypatch.setenv("COLUMNS", "100")
    assert screen.width == 100
    monkeypatch.setenv("COLUMNS", "60")
    assert screen.width == 60


def test_plain_writes_one_fact_a_line_without_breaking_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = play("1", "rules MN-8.10", "board", plain=True)
    assert "Roma: city, caravans for grain, fish; 1 fortress; pays tax, grain, fish\n" in text
    assert "\n\n" not in text
    assert "  " not in text
    assert max(map(len, text.split("\n"))) > 200


def test_the_same_seed_and_the_same_answers_give_the_same_game(anybody: Callable[..., str]) -> None:
    first = anybody(7, rounds=4, bots="random")
    assert first == anybody(7, rounds=4, bots="random")
    assert first != anybody(8, rounds=4, bots="random")


def test_without_a_seed_the_secret_is_fresh_and_only_its_hash_is_shown() -> None:
    one, other = play(seed=None), play(seed=None)
    hashes = [re.search(r"hash is\s+([0-9a-f\s]{64,66})", text) for text in (one, other)]
    assert hashes[0]
    assert hashes[1]
    assert hashes[0][1] != hashes[1][1]


# The page for players ----------------------------------------------------------------------------

PAGE = (HOME / "docs/playing-in-the-terminal.md").read_text("utf-8")


def test_the_first_game_of_the_page_goes_as_it_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every line of the page's transcripts is shown, in order; `...` stands for lines left out.

    To write them anew: type the page's moves at a width of 76 columns.
    """
    monkeypatch.setenv("COLUMNS", "76")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    blocks = re.findall(r"^```text\n(.*?)^```", PAGE, re.M | re.S)
    typed = re.findall(r"^rome(?:: \w+)?> (.*)$", "".join(blocks), re.M)
    assert len(typed) > 30
    shown_lines = play(*typed, seed=8)
    place = 0
    for part in re.split(r"^\.\.\.\n", "...\n".join(blocks), flags=re.M):
        assert part in shown_lines[place:], part
        place = shown_lines.index(part, place) + len(part)
    assert "no move and no command" not in shown_lines


def test_the_page_names_every_command_and_every_option() -> None:
    from oikumene.cli import app
    from oikumene.commands.terminal_commands import COMMANDS

    for command in COMMANDS:
        assert command in ("?", "exit") or re.search(rf"`{command}\b", PAGE), command
    (own,) = [
        one
        for one in app.registered_commands
        if one.callback and one.callback.__name__ == "terminal"
    ]
    assert own.callback
    options = set(own.callback.__annotations__) - {"game", "return"}
    names = {"settings": "set", "map_file": "map"}
    for option in options:
        assert f"--{names.get(option, option)}" in PAGE, option


def test_the_settings_of_the_page_can_be_played() -> None:
    settings = re.findall(r"^\| `--set (\S+)`", PAGE, re.M)
    assert len(settings) > 3
    for setting in settings:
        assert "Set: " in play(settings=[setting], plain=True)


# Typed moves -------------------------------------------------------------------------------------


def test_a_move_by_number_by_words_and_by_their_beginnings() -> None:
    for typed in ("2", "caravan north_of_roma metal", "car north m", "CARAVAN North of Roma metal",
                  "caravan in north of roma metal"):  # fmt: skip
        assert "Rome sets out a caravan for metal in north of Roma." in play(typed), typed


def test_what_can_be_several_moves_is_asked_back() -> None:
    text = after(play("caravan"), "caravan")
    assert "This can be several moves" in text
    assert "north_of_roma cattle" in text


def test_a_payment_is_shown_before_it_is_made_the_one_missed_least_first() -> None:
    loop = at(BUILD)
    loop.take("build city roma")
    assert "Not allowed: build city roma" in shown(loop)  # its one site is free only without city
    loop.take("b legion roma")
    text = shown(loop)
    assert re.search(r"1 +\S.*\(leaves .*\)", text)
    loop.take("back")
    assert "build legion" in shown(loop)
    loop.take("b legion roma")
    loop.take("")
    loop.tell()
    assert "Rome builds a legion in Roma (for " in shown(loop)


def test_a_payment_can_be_named() -> None:
    for typed in (["build legion roma", "gr fi met"], ["build legion roma with grain fish metal"],
                  ["build legion roma", "metal, fish, grain"]):  # fmt: skip
        loop = at(BUILD)
        for line in typed:
            loop.take(line)
        entry = loop.table.session.entries[-1]
        assert entry["move"] == "build legion roma with metal grain fish"


def test_a_wrong_payment_is_refused_with_its_rule() -> None:
    loop = at(BUILD)
    loop.take("build legion roma")
    shown(loop)
    loop.take("metal*2 fish")
    text = shown(loop)
    assert "MN-9.2" in text
    assert "Source:" in text
    assert loop.table.session.entries == []


def test_several_legions_march_by_number_or_in_two_steps() -> None:
    keys = {
        "step": "legions rome", "called": ["rome"], "roles": {"military": "rome"},
        "markers": {"roma": "rome", "north_of_roma": "rome"}, "legions": {"rome": "roma*3"},
    }  # fmt: skip
    for typed in (["march 2 roma north"], ["march roma north_of_roma", "2"],
                  ["march 2 from roma to north of roma"]):  # fmt: skip
        loop = at(keys)
        for line in typed:
            loop.take(line)
        assert loop.table.session.entries[-1]["move"] == "march 2 roma north_of_roma"
    loop = at(keys)
    shown(loop)
    loop.take("march 4 roma north_of_roma")
    assert "MN-16.1" in shown(loop)


@pytest.mark.parametrize(
    "line",
    ["", "0", "99", "99999999999999999999", "xyz", "build", "build city", "build city roma with",
     "take rome gold", "why", "why xyz", "why 99", "offer gold", "caravan roma", "caravan x y z",
     "march 3", "province", "province xyz", "odds xyz 3", "load /nowhere/x.jsonl", "load",
     "rules 99", "rules MN-99.1", "rules zzzz", "log x", "log 0", "moves zzz",
     "save /dev/null/at/all", "b*3", "*",
     "é", "why build marker roma with tax*99", "lose", "fight roma", "\x00", "with", "from to"],
)  # fmt: skip
def test_whatever_is_typed_is_answered_and_changes_nothing(line: str) -> None:
    table = new_table(Wish("mare-nostrum", bots="random", seed=5))
    loop = Loop(table, Screen(io.StringIO()), io.StringIO(), Wish("mare-nostrum"))
    loop.decision()
    shown(loop)
    loop.take(line)
    assert shown(loop)
    assert table.session.entries == []
    other = at(BUILD)
    other.take("build legion roma")
    if line not in ("", "0", "99"):
        shown(other)
        other.take(line)
        assert shown(other)
        assert other.table.session.entries == []


def test_nonsense_made_of_known_words_is_answered_at_every_stage() -> None:
    """Lines of words that mean something, in any order: never an error that reaches the player."""
    from oikumene.commands.terminal_commands import COMMANDS

    table = new_table(Wish("mare-nostrum", bots="random", seed=12))
    loop = Loop(table, Screen(io.StringIO()), io.StringIO(), Wish("mare-nostrum"))
    draws = Draws(key_of("nonsense"))
    board_ = loop.setting.board
    words = [
        *GAME.table, *(one for one in COMMANDS if one not in ("save", "load")), *board_.places,
        "with", "on", "leaving", "from", "legion", "city", "marker", "tax", "tax*2", "grain", "gr",
        "fish", "rome", "carthage", "1", "2", "3", "99", "*", "helen", "pyramids", "back", "x",
    ]  # fmt: skip
    for number in range(600):
        if number % 12 == 0:
            while table.go_on():
                pass
            if table.over:
                break
            loop.decision()
            table.play(table.legal().sample(draws))
            while table.go_on():
                pass
            loop.tell()
            loop.decision()
        line = " ".join(draws.choice(words) for _ in range(draws.below(5) + 1))
        if draws.below(3) == 0 and loop.found:
            line = f"{draws.choice(loop.found).text()} {line}"
        loop.take(line)
        if not table.asked:
            while table.go_on():
                pass
        if loop.leaving:
            loop.leaving = False
        if not table.over:
            loop.decision()
    assert len(table.session.entries) > 50


def test_play_at_a_terminal_starts_the_game(folder: Path) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(HOME / "src"), "TERM": "xterm"}
    command = [sys.executable, "-P", "-m", "oikumene", "play", "mare-nostrum"]
    game = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    os.write(ours, b"hand\nquit\n")
    seen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux: the other side is closed
            break
        if not part:
            break
        seen += part
    os.close(ours)
    assert game.wait(60) == 0
    assert b"you are Rome" in seen
    assert b"your cards" in seen


def test_every_move_that_is_legal_can_be_typed_as_it_stands(anybody: Callable[..., str]) -> None:
    """Each choice's own text finds that choice, at many decisions."""
    tried = 0
    take = Loop.take

    def checked(self: Loop, line: str) -> None:
        nonlocal tried
        for choice in self.found[:: max(1, len(self.found) // 20)]:
            hits = matches(self.found, choice.words)
            assert [hit.choice for hit in hits] == [choice], choice.text()
            tried += 1
        take(self, line)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Loop, "take", checked)
        anybody(3, rounds=8, bots="random")
    assert tried > 300


def test_completion_offers_the_words_that_may_follow() -> None:
    loop = at(BUILD)
    assert {"build", "done", "help", "why"} <= set(loop.complete([]))
    assert "legion" in loop.complete(["build"])
    assert set(loop.complete(["build", "legion"])) == {"roma", "north_of_roma"}
    assert {"grain", "tax"} <= set(loop.complete(["build", "legion", "roma", "with"]))
    assert "legion" in loop.complete(["why", "build"])
    assert "athenae" in loop.complete(["province"])
    assert "mn-8.10" in loop.complete(["rules"])
    state = loop.table.session.state
    assert next_words(choices(GAME, state, loop.table.legal()), ["xyz"]) == []


# Reasons -----------------------------------------------------------------------------------------


def test_why_gives_every_reason_with_text_and_source() -> None:
    loop = at(BUILD)
    shown(loop)
    loop.take("why build city athenae")
    text = shown(loop)
    rules = re.findall(r"^ +(MN-\d+\.\d+)", text, re.M)
    assert "MN-10.1" in rules
    assert text.count("Source:") == len(rules)
    state = loop.table.session.state
    move = GAME.parse(state, "build city athenae with metal grain fish")
    wanted = [reason.rule for reason in GAME.refusal(state, 0, move)]
    assert rules == list(dict.fromkeys(wanted))


def test_why_says_so_where_a_move_is_legal_and_names_the_rules_behind_it() -> None:
    loop = at(BUILD)
    shown(loop)
    for asked in ("why build legion roma", "why 1"):
        loop.take(asked)
        text = shown(loop)
        assert "is legal now" in text
        assert "MN-9.1" in text


def test_why_answers_for_a_move_of_another_step_or_another_seat() -> None:
    assert "does not belong here" in after(play("why call greece"), "why call greece")
    loop = at(BUILD | {"step": "construction greece", "called": ["greece"]})
    assert loop.table.asked is False or loop.table.session.state is not None


# The screens -------------------------------------------------------------------------------------


def test_the_board_says_what_a_province_pays_and_to_whom() -> None:
    keys = BUILD | {
        "markers": {"roma": "rome", "carthago": "carthage"}, "cities": ["roma", "carthago"],
        "temples": ["carthago"], "legions": {"rome": "carthago"},
        "occupied": ["carthago city rome"],
    }  # fmt: skip
    loop = at(keys)
    view, texts = loop.table.view, Texts.load()
    place = loop.setting.board.index
    assert board.pays(view, texts, place["roma"]) == "tax"
    assert board.pays(view, texts, place["carthago"]) == "tax to Rome"
    assert "Rome 1 legion (on city)" in board.units(view, texts, place["carthago"])


def test_the_yields_of_the_provinces_add_up_to_the_income() -> None:
    from oikumene.games.mare_nostrum.income import incomes

    table = new_table(Wish("mare-nostrum", bots="random", seed=3))
    for _ in range(400):
        if table.asked:
            table.play(table.legal().sample(Draws(key_of("x", len(table.session.entries)))))
        elif not table.go_on():
            break
        state = table.session.state
        found = [board.yields(state, place) for place in range(33)]
        plain = state.copy()
        plain.cards = (0,) * 4  # the Colossus stands in no province
        assert tuple(map(sum, zip(*found, strict=True))) == incomes(plain)


def test_the_odds_are_those_of_all_dice() -> None:
    keys = {
        "step": "legions rome", "called": ["rome"], "roles": {"military": "rome"},
        "markers": {"roma": "rome", "carthago": "carthage"},
        "legions": {"rome": "carthago*2 roma", "carthage": "carthago"}, "moved": "carthago*2",
        "fortresses": {"carthage": "carthago"}, "cards": {"carthage": ["hannibal"]},
    }  # fmt: skip
    loop = at(keys)
    state = loop.table.session.state
    (table,) = board.fights(loop.table.view, Texts.load())
    fight = GAME.parse(state, "fight carthago carthage")
    rolled = GAME.apply(state, 0, fight)
    outcomes = GAME.pending(rolled).kind.outcomes()
    mine, theirs = [0.0] * 3, [0.0] * 3
    for outcome, chance in outcomes:
        dice = dict(outcome[1])
        theirs[min(2, sum(dice[0]) // 5)] += chance
        mine[min(2, (sum(dice[1]) + 1 + 6) // 5)] += chance
    from oikumene.games.mare_nostrum import battle

    units = (16, 16)
    assert battle.dice_of(units) == 2
    assert board.losses_inflicted(state, 0, units, 2) == pytest.approx(theirs)
    foe = battle.defenders(state, 1, fight[1])
    assert board.losses_inflicted(state, 1, foe, 2) == pytest.approx(mine)
    said = {row[0]: row[1] for row in table.rows}
    assert said["they lose"].endswith(f"all 2: {board.percent(theirs[2])}")


def test_chances_are_never_rounded_to_certainty() -> None:
    assert [board.percent(p) for p in (0, 0.001, 0.5, 0.999, 1)] == [
        "0 %", "under 1 %", "50 %", "over 99 %", "100 %",
    ]  # fmt: skip


def test_other_hands_are_not_shown_beyond_what_all_have_seen() -> None:
    for memory, known in (("counted", True), ("own_head", False)):
        text = play("1", "1", "hand", settings=[f"memory={memory}"])
        hands = after(text, "hand")
        assert ("5 cards: " in hands.split("Carthage", 1)[1]) is known


def test_the_trade_names_who_is_barred_and_by_which_rule() -> None:
    keys = {
        "agenda": ["take rome carthage rome rome carthage 0"], "roles": {"commerce": "rome"},
        "open": {"carthage": "gold", "greece": "tax", "egypt": "tax", "rome": "fish"},
    }  # fmt: skip
    loop = at(keys)
    loop.take("trade")
    assert "barred from Rome (MN-8.10)" in re.sub(r"\s+", " ", shown(loop))


def test_every_screen_shows_something(anybody: Callable[..., str]) -> None:
    for command, wanted in {
        "board": "Without a marker", "seas": "Mare Ionium", "hand": "your cards", "cards": "helen",
        "race": "counted now", "prices": "legions", "supply": "Cards in stock",
        "trade": "Greece", "odds": "no fight", "help": "undo", "rules": "Trade",
        "province sicilia": "Name a province",
        "province athenae": "touches", "board roma": "stands there",
        "log": "Neutral", "moves": "caravan", "odds babylon 3": "they lose",
    }.items():  # fmt: skip
        assert wanted in play(command, plain=True).split(f"> {command}\n", 1)[1], command


def test_discounts_stand_in_the_price_list() -> None:
    loop = at(BUILD | {"cards": {"rome": ["caesar", "mausoleum"]}})
    shown(loop)
    loop.take("prices")
    text = shown(loop)
    assert re.search(r"legions +2 \(not 3\) +yes, tax or goods", text)
    assert re.search(r"temples +5 \(not 6\)", text)


def test_the_log_tells_with_rules_and_leaves_out_what_was_taken_back() -> None:
    text = play("caravan north cattle", "undo", "caravan north metal", "log 50")
    log = text.split("> log 50\n")[1]
    assert "cattle in north of Roma" not in log
    assert "Rome takes a move back." in log
    assert "caravan for metal in north of Roma. [MN-4.1]" in log


# Undo, saving, loading ---------------------------------------------------------------------------


def test_undo_goes_back_to_the_last_decision_and_the_record_says_so(folder: Path) -> None:
    path = folder / "game.jsonl"
    text = play("1", "1", "1", "undo", f"save {path}", "quit")
    assert "Back to your decision" in text
    record = records.read(path.read_text())
    assert "undo" in record.entries[-1]
    again = replay(record, load_game)
    assert (again.error, again.proven) == ("", True)
    assert "no move of this seat" in play("undo")


def test_a_saved_game_goes_on_as_if_it_had_never_been_left(folder: Path) -> None:
    path = folder / "game.jsonl"
    lines = ["1"] * 30
    whole = play(*lines, "log 9999")
    play(*lines[:12], f"save {path}", "quit")
    rest = play(*lines[12:], "log 9999", load=path, seed=None, bots=None)
    assert (
        whole.split("> log 9999\n")[1].split("rome")[0]
        == (rest.split("> log 9999\n")[1].split("rome")[0])
    )


def test_load_while_playing_goes_on_with_the_other_game(folder: Path) -> None:
    path = folder / "game.jsonl"
    play("1", "1", f"save {path}", "quit", seed=9)
    text = play("1", f"load {path}", "log 3", "quit")
    assert "Loaded: " in text


def damaged(text: str) -> dict[str, str]:
    """A record, spoilt in several ways."""
    lines = text.splitlines(keepends=True)
    wrong = json.loads(lines[4])
    wrong["check"] = "0" * 32
    illegal = {**json.loads(lines[4]), "move": "done", "seat": "rome"}
    return {
        "cut": "".join(lines[:6]) + lines[6][:20],
        "missing": "".join(lines[:4] + lines[5:]),
        "check": "".join([*lines[:4], json.dumps(wrong, separators=(",", ":")) + "\n", *lines[5:]]),
        "illegal": "".join([*lines[:4], json.dumps(illegal) + "\n", *lines[5:]]),
        "noise": "".join(lines[:4]) + "noise\n" + "".join(lines[5:]),
    }


@pytest.mark.parametrize("how", ["cut", "missing", "check", "illegal", "noise"])
def test_a_damaged_record_offers_its_longest_valid_part(how: str, folder: Path) -> None:
    path, out = folder / "game.jsonl", folder / "again.jsonl"
    play(*["1"] * 8, f"save {path}", "quit")
    path.write_text(damaged(path.read_text())[how])
    text = play("1", f"save {out}", "quit", load=path, seed=None, bots=None)
    assert "The record is damaged" in text
    assert "you can play on from it" in re.sub(r"\s+", " ", text)
    again = replay(records.read(out.read_text()), load_game)
    assert again.error == ""


@pytest.mark.parametrize("text", ["", "noise", "{}", '{"format":1}', '{"format":9}'])
def test_a_file_that_is_no_record_is_refused(text: str, folder: Path) -> None:
    path = folder / "game.jsonl"
    path.write_text(text)
    with pytest.raises(OikumeneError):
        load_table(path, Wish("mare-nostrum"))
    assert "oikumene" not in play(f"load {path}").split("> load")[1].split("\n")[1]


def test_dice_whose_secret_is_not_in_the_file_are_marked_as_unproven(folder: Path) -> None:
    path, out = folder / "game.jsonl", folder / "again.jsonl"
    play(*["1"] * 3, f"save {path}", "quit", seed=None)
    record = records.read(path.read_text())
    path.write_text(records.dump(record._replace(end=None)))
    text = play(*["1"] * 150, f"save {out}", load=path, seed=None, bots="random")
    assert "The secret of its dice is not in the file" in text
    entries = records.read(out.read_text()).entries
    thrown = [one for one in entries if "chance" in one]
    assert all(one.get("by_hand") for one in thrown)


def test_a_finished_game_shows_its_result_its_reason_and_its_secret(folder: Path) -> None:
    from oikumene.commands.selfplay import selfplay

    selfplay(
        "mare-nostrum", seats="4", bots="greedy", games=1, seed=3, preset=None, settings=[],
        map_file=None, max_rounds=200, out=folder, as_json=True, rotate=True, jobs=1,
    )  # fmt: skip
    path = folder / "mare-nostrum-3.jsonl"
    text = play("1", "quit", load=path, seed=None, plain=True)
    assert "The game is over: " in text
    assert "MN-22" in text
    assert "The secret of the dice: " in text
    assert "Nothing is asked any more" in text


# Setting up --------------------------------------------------------------------------------------


def test_the_seat_is_rome_or_else_the_first_or_the_one_that_is_named() -> None:
    assert "you are Rome" in play()
    assert "you are Carthage" in play(seats="3")
    assert "you are Egypt" in play(seat="egypt")
    assert "you are Babylon" in play(seats="rome,greece,babylon", seat="babylon")
    with pytest.raises(OptionError, match="nobody sits there"):
        play(seat="babylon")


def test_opponents_one_for_all_or_one_for_each() -> None:
    text = play(bots="random", plain=True)
    assert "Carthage (random), Greece (random) and Egypt (random)" in text
    with pytest.raises(OptionError, match="2 opponents for 3 seats"):
        play(bots="random,random")
    with pytest.raises(OptionError, match="unknown bot"):
        play(bots="nobody")


def test_options_presets_and_maps_are_taken_over(folder: Path) -> None:
    text = play(settings=["start=free"], preset="staber-2003-02-14")
    assert "Set: start = free" in text
    assert "Build your start" in text
    with pytest.raises(OikumeneError, match="not built"):
        play(preset="mythology-cs")
    source = HOME / "src/oikumene/games/mare_nostrum/map.toml"
    own = folder / "own.toml"
    own.write_text(source.read_text("utf-8").replace('"reconstructed-1"', '"mine"', 1))
    assert "board mine" in play(map_file=own)


def test_free_start_and_five_seats_can_be_played(anybody: Callable[..., str]) -> None:
    text = anybody(11, rounds=3, bots="random", seats="5", settings=["start=free"], seat="greece")
    assert "Round 2 begins" in text


# The screen itself -------------------------------------------------------------------------------


class Tty(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_colour_only_at_a_terminal_and_never_with_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Screen(Tty()).styled
    assert not Screen(Tty(), plain=True).styled
    assert not Screen(io.StringIO()).styled
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Screen(Tty()).styled
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not Screen(Tty()).styled


def test_columns_give_way_until_they_fit() -> None:
    assert sum(shared([30, 80, 40], [5, 9, 9], 60)) + 4 <= 60
    assert sum(shared([90, 90], [90, 90], 60)) + 2 <= 60
    out = io.StringIO()
    os.environ["COLUMNS"] = "60"
    Screen(out).table(Shown("T", ("a", "b"), [("x" * 70, "y" * 90)]))
    assert max(map(len, out.getvalue().split("\n"))) <= 60
    assert wrapped("", 60, 0, 0) == []
