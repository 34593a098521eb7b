"""Every conformance case is one test, and the runner notices every kind of case that fails."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from oikumene.core.conformance import read_cases, run_case
from oikumene.core.errors import DataError
from oikumene.core.limits import Reason, Refusal
from oikumene.games import load_game
from oikumene.games.mare_nostrum.game import MareNostrum

CASES = Path(__file__).resolve().parent.parent / "conformance"
FILES = sorted(CASES.rglob("*.toml"))


def every_case() -> list[Any]:
    found: list[Any] = []
    for file in FILES:
        game, cases = read_cases(file.read_text("utf-8"), file.name)
        found.extend(pytest.param(game, case, id=case["id"]) for case in cases)
    return found


@pytest.mark.parametrize(("game", "case"), every_case())
def test_case(game: str, case: dict[str, Any]) -> None:
    result = run_case(load_game(game), case)
    assert (result.id, result.rules, result.failure) == (case["id"], tuple(case["rules"]), "")


def test_there_are_cases_and_no_id_stands_twice() -> None:
    ids = Counter(str(param.id) for param in every_case())
    assert len(ids) >= 360
    assert [name for name, times in ids.items() if times > 1] == []


# --- files that are no case files --------------------------------------------------------------

GOOD_FILE = """
format = 1
game = "mare-nostrum"
[[case]]
id = "A"
title = "A title."
rules = ["MN-8.1"]
seats = ["rome", "carthage", "greece"]
play = [{ by = "rome", move = "number 1" }]
"""


def test_a_good_file_gives_its_game_and_its_cases() -> None:
    game, cases = read_cases(GOOD_FILE, "x.toml")
    assert game == "mare-nostrum"
    assert [case["id"] for case in cases] == ["A"]


FAULTS = [
    ('"mare-nostrum"', "mare", "x.toml: not a TOML file"),
    ("format = 1", "", "begins with `format = 1`"),
    ("format = 1", "format = 2", "begins with `format = 1`"),
    ('game = "mare-nostrum"', "", 'needs `game = "..."`'),
    ('game = "mare-nostrum"', "game = 3", 'needs `game = "..."`'),
    ("[[case]]", "[[cases]]", "at least one"),
    ("[[case]]", "[case]", "at least one"),
    ("rules =", "rule =", r"case A: unknown or missing keys \['rule'\]"),
    ('id = "A"', "", r"case \?: unknown or missing keys \[\]"),
    ("by =", "seat =", r"case A: unknown keys \['seat'\] in a line"),
    ('by = "rome", ', "", "case A: line 1: `by` and `move` belong together"),
    ('move = "number 1"', "refused = []", "case A: line 1: `by` and `move` belong together"),
    ('move = "number 1"', "move = 1", "case A: line 1: `move` must be a text"),
    ('move = "number 1"', "asked = [1]", "case A: line 1: `asked` must hold texts"),
    ('by = "rome", move = "number 1"', "legal = { offer = 1 }", "`legal` must hold texts"),
    ('by = "rome", move = "number 1"', "over = { winners = 1 }", "`over` must hold texts"),
    ('by = "rome", move = "number 1"', "over = { ranking = 1 }", "`over` must hold texts"),
    ('by = "rome", move = "number 1"', "over = { ranking = [1] }", "`over` must hold texts"),
    ('by = "rome", move = "number 1"', 'asked = "rome"', "line 1: `asked` must be a list"),
    ('[{ by = "rome", move = "number 1" }]', "[1]", "case A: line 1 must be a table"),
    ('[{ by = "rome", move = "number 1" }]', "1", "case A: `play` must be a list"),
    ('rules = ["MN-8.1"]', "rules = 1", "case A: `rules` must be a list"),
    ('rules = ["MN-8.1"]', "rules = [1]", "case A: `rules` must hold texts"),
    ("seats =", "options = { start = 1 }\nseats =", "case A: `options` must hold texts"),
    ("seats =", "options = 1\nseats =", "case A: `options` must be a table"),
]


def test_a_case_that_is_no_table_is_refused() -> None:
    text = 'format = 1\ngame = "mare-nostrum"\ncase = [1]'
    with pytest.raises(DataError, match="a case is written as a table"):
        read_cases(text, "x.toml")


@pytest.mark.parametrize(
    ("old", "new", "message"), FAULTS, ids=[f"{old} -> {new}" for old, new, _ in FAULTS]
)
def test_a_file_that_is_no_case_file_says_what_is_wrong(old: str, new: str, message: str) -> None:
    assert old in GOOD_FILE
    with pytest.raises(DataError, match=message):
        read_cases(GOOD_FILE.replace(old, new, 1), "x.toml")


# --- lines that do not hold --------------------------------------------------------------------

TRADE = {
    "step": "trade",
    "roles": {"commerce": "rome", "political": "greece"},
    "hand": {"rome": "tax*2 gold", "carthage": "tax*5", "greece": "wine*5"},
}
BUYING = {
    "step": "construction rome",
    "roles": {"political": "rome"},
    "cards": {"rome": ["caesar", "zeus", "helen"], "greece": ["artemis"]},
    "hand": {"rome": "tax*9"},
}
FIGHT = {
    "step": "fleets rome",
    "roles": {"military": "rome"},
    "fleets": {"rome": "mare_ionium*2", "greece": "mare_ionium"},
    "moved": "mare_ionium*2",
}
NUMBER = {"by": "rome", "move": "number 2"}
BUY = {"by": "rome", "move": "buy ulysses with tax*9"}
BATTLE = {"by": "rome", "move": "fight mare_ionium greece"}
DICE = {"chance": "dice rome 6 6, greece 1"}


def outcome(position: dict[str, Any] | None, *play: dict[str, Any], game: Any = None) -> str:
    """What the runner says about a case with these lines."""
    case: dict[str, Any] = {
        "id": "A",
        "title": "",
        "rules": ["MN-8.1"],
        "seats": ["rome", "carthage", "greece"],
        "play": play,
    }
    if position is not None:
        case["position"] = position
    return run_case(game or load_game("mare-nostrum"), case).failure


HOLD = [
    (TRADE, NUMBER),
    (TRADE, NUMBER | {"allowed": True, "asked": ["rome"]}),
    (TRADE, {"by": "rome", "move": "number 4", "refused": ["MN-8.1"], "asked": ["greece"]}),
    (TRADE, {"by": "rome", "move": "number many", "refused": []}),
    (TRADE, {"by": "rome", "move": "done", "refused": []}),
    (TRADE, {"by": "carthage", "move": "number 1", "refused": ["core.turn", "MN-8.1"]}),
    (TRADE, NUMBER | {"asked": ["greece", "carthage", "rome"]}),
    (TRADE, {"legal": {"number": ["2", "0", "3", "1"], "offer": []}}),
    (TRADE, NUMBER | {"legal": {"offer": ["tax*2", "tax gold"], "number": []}}),
    (TRADE, {"then": {"hand": {"rome": "gold tax*2"}, "roles": {"commerce": "rome"}}}),
    (TRADE, {"then": {"facts": {"price rome city": 3}}}),
    (TRADE, {"set": {"hand": {"rome": "oil"}}, "legal": {"number": ["0", "1"]}}),
    (TRADE, {"set": {"step": "construction"}, "asked": ["greece"]}),
    (TRADE, NUMBER | {"events": ["number rome 2"]}),
    (BUYING, BUY | {"asked": [], "over": {"winners": ["rome"]}}),
    (BUYING, BUY | {"over": {"ranking": [["rome"], ["greece"], ["carthage"]]}}),
    (BUYING, BUY | {"over": {"reason": "MN-22.2"}}),
    (BUYING, BUY | {"events": ["paid rome tax*9", "bought rome ulysses", "won rome"]}),
]


@pytest.mark.parametrize(("position", "line"), HOLD)
def test_a_line_that_holds_passes(position: dict[str, Any], line: dict[str, Any]) -> None:
    assert outcome(position, line) == ""


FAIL = [
    (TRADE, {"by": "rome", "move": "number 4"}, "must be legal; refused by MN-8.1"),
    (TRADE, {"by": "rome", "move": "number 4", "allowed": True}, "refused by MN-8.1"),
    (TRADE, NUMBER | {"refused": []}, "must be refused by []; it is legal"),
    (TRADE, NUMBER | {"refused": ["MN-8.1"]}, "must be refused by ['MN-8.1']; it is legal"),
    (
        TRADE,
        {"by": "rome", "move": "number 4", "refused": ["MN-8.1", "MN-8.2"]},
        "must be refused by ['MN-8.1', 'MN-8.2']; MN-8.1",
    ),
    (TRADE, {"by": "rome", "move": "number many", "refused": ["MN-8.1"]}, "must be a number"),
    (TRADE, {"by": "rome", "move": "trade 4"}, "'trade' is not a move"),
    (TRADE, {"by": "egypt", "move": "number 1"}, "'egypt' is not a seat of this case"),
    (TRADE, {"by": "egypt", "move": "number 9", "refused": []}, "'egypt' is not a seat"),
    (TRADE, NUMBER | {"asked": ["rome"]}, "asked are ['rome', 'carthage', 'greece'], not ['rome']"),
    (TRADE, {"asked": []}, "asked are ['rome'], not []"),
    (TRADE, {"legal": {"number": ["0", "1", "2"]}}, "legal number: ['0', '1', '2', '3'], not"),
    (TRADE, {"legal": {"number": ["0", "1", "2", "3", "4"]}}, "legal number: ['0', '1', '2', '3']"),
    (TRADE, {"legal": {"offer": [""]}}, "legal offer: [], not ['']"),
    (TRADE, {"then": {"hand": {"rome": "tax*2"}}}, "hand is"),
    (TRADE, {"then": {"hands": {"rome": "tax*2"}}}, "unknown position keys: hands"),
    (TRADE, {"then": {"facts": {"price rome city": 4}}}, "fact price rome city is 3, not 4"),
    (TRADE, {"then": {"facts": {"age rome": 4}}}, "unknown fact 'age rome'"),
    (TRADE, {"then": {"facts": {"income egypt": ""}}}, "there is no 'egypt' at this table"),
    (TRADE, {"then": {"facts": {"reach rome nowhere": []}}}, "there is no 'nowhere' at this table"),
    (TRADE, {"set": {"hand": {"rome": "tax*99"}}}, "position key `hand`"),
    (TRADE, {"set": {"hand": {"rome": ""}, "known": {"rome": "tax"}}}, "position key `known`"),
    (TRADE, {"over": {"winners": ["rome"]}}, "the game is not over"),
    (TRADE, {"chance": "any"}, "no chance is asked for here"),
    (
        TRADE,
        NUMBER | {"events": ["number rome 3"]},
        "event 'number rome 3' is missing; heard: ['nu",
    ),
    (BUYING, BUY | {"over": {"winners": ["greece"]}}, "winners are ['rome']"),
    (BUYING, BUY | {"over": {"ranking": [["rome"], ["greece", "carthage"]]}}, "the ranking is"),
    (BUYING, BUY | {"over": {"reason": "MN-22.1"}}, "the reason is MN-22.2"),
    (BUYING, BUY | {"events": ["won rome", "paid rome tax*9"]}, "event 'paid rome tax*9' is miss"),
    (BUYING, BUY | {"then": {"cards": {"rome": ["caesar"]}}}, "cards is"),
]


@pytest.mark.parametrize(("position", "line", "message"), FAIL)
def test_a_line_that_does_not_hold_is_told(
    position: dict[str, Any], line: dict[str, Any], message: str
) -> None:
    shown = line.get("move") or line.get("chance") or ""
    failure = outcome(position, line)
    assert failure.startswith(f"line 1 ({shown}): ")
    assert message in failure


def test_the_line_that_fails_is_numbered_and_the_lines_after_it_do_not_run() -> None:
    good, bad = {"asked": ["rome"]}, {"asked": ["greece"]}
    assert outcome(TRADE, good, good) == ""
    assert outcome(TRADE, good, bad, {"chance": "any"}).startswith("line 2 (): asked are")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (DICE, ""),
        (DICE | {"to": ""}, ""),
        ({"chance": "dice rome 6 1, greece 3"}, ""),
        ({"chance": "any", "asked": ["rome"]}, ""),
        (DICE | {"then": {"fleets": {"rome": "mare_ionium*2", "greece": ""}}}, ""),
        (DICE | {"then": {"fleets": {"rome": "mare_ionium", "greece": ""}}}, "fleets is"),
        (DICE | {"to": "rome"}, "another seat sees this outcome"),
        ({"chance": "dice rome 6, greece 1"}, "the numbers of dice are wrong"),
        ({"chance": "dice rome 7 1, greece 1"}, "dice are written"),
        ({"chance": "lot rome"}, "dice are to be thrown here"),
        ({"chance": "any", "asked": ["rome", "greece"]}, "asked are"),
        ({"by": "rome", "move": "done"}, "refused by core.chance"),
    ],
)
def test_an_outcome_of_chance_is_compared_too(line: dict[str, Any], message: str) -> None:
    failure = outcome(FIGHT, BATTLE, line)
    assert message in failure
    assert bool(failure) == bool(message)


def test_the_facts_of_the_position_are_checked_before_the_first_line() -> None:
    facts = {"price rome city": 3, "reach rome roma": ["south_of_roma", "north_of_roma"]}
    assert outcome(TRADE | {"facts": facts}) == ""
    assert outcome(TRADE | {"facts": {"price rome city": 2}}) == "fact price rome city is 3, not 2"
    paid = TRADE | {"markers": {"roma": "rome"}, "cities": ["roma"]}
    assert outcome(paid | {"facts": {"income rome": "tax"}}) == ""
    assert "is ['tax'], not ['gold', 'tax']" in outcome(
        paid | {"facts": {"income rome": "tax gold"}}
    )


def test_a_case_that_cannot_begin_fails_too() -> None:
    assert "a position needs `step`" in outcome({})
    assert "unknown position keys" in outcome(TRADE | {"hands": {}})
    assert outcome(TRADE | {"facts": 3}) == "`facts` must be a table"
    assert "the agenda of this position ends" in outcome({"agenda": ["trade"]})
    assert "line 1 (number 1): must be legal" in outcome(None, {"by": "rome", "move": "number 1"})


class TooKind(MareNostrum):
    """A game whose `refusal` knows nothing of its limits."""

    def refusal(self, s: Any, seat: int, move: Any) -> Refusal:
        return ()


class TooStrict(MareNostrum):
    """A game whose `refusal` refuses what `legal` lists."""

    def refusal(self, s: Any, seat: int, move: Any) -> Refusal:
        return (Reason("MN-8.1"),)


@pytest.mark.parametrize(("game", "number"), [(TooKind, 4), (TooStrict, 1)])
def test_a_game_whose_legal_and_refusal_differ_fails(game: type[MareNostrum], number: int) -> None:
    line = {"by": "rome", "move": f"number {number}"}
    assert "legal and refusal differ about ('number'" in outcome(TRADE, line, game=game())
    assert "legal and refusal differ" in outcome(TRADE, line | {"refused": ["MN-8.1"]}, game=game())


def test_a_forced_step_may_be_written_or_left_out() -> None:
    position = TRADE | {"hand": {"rome": "tax", "carthage": "tax"}}
    one = {"by": "rome", "move": "number 1", "then": {"open": {"rome": "tax", "carthage": "tax"}}}
    first = {"by": "rome", "move": "take carthage tax", "asked": ["carthage"]}
    second = {"by": "carthage", "move": "take rome tax"}
    end = {"asked": ["greece"], "legal": {"call": ["rome", "carthage", "greece"]}}
    assert outcome(position, one, first, second, end) == ""
    assert outcome(position, one, second, end) == ""
    assert outcome(position, one, end) == ""
    assert "must be legal" in outcome(position, one, second, first)


def test_an_agenda_that_no_game_can_have_fails_the_case_and_is_no_crash() -> None:
    case = {
        "id": "X",
        "title": "Nobody can lose a fleet on land.",
        "rules": ["MN-18.9"],
        "seats": ["rome", "carthage", "greece"],
        "position": {"agenda": ["losses rome roma 1 1 with fleet", "round"]},
        "play": [{"by": "rome", "move": "lose fleet"}],
    }
    assert "cannot be played on" in run_case(load_game("mare-nostrum"), case).failure


def test_an_unknown_word_about_the_end_is_told() -> None:
    case = {
        "id": "X",
        "title": "The game ends when the Pyramids are built.",
        "rules": ["MN-22.1"],
        "seats": ["rome", "carthage", "greece"],
        "position": {"step": "construction rome", "hand": {"rome": "tax*12"}},
        "play": [{"by": "rome", "move": "buy pyramids with tax*12", "over": {"winer": ["rome"]}}],
    }
    assert "winners, ranking and reason" in run_case(load_game("mare-nostrum"), case).failure
