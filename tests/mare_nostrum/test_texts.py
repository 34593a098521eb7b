"""Every event, step, move and reason has a text, and its placeholders fit."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import oikumene.core
from oikumene.core.chance import Dice, Lot
from oikumene.core.errors import OptionError
from oikumene.core.game import Step
from oikumene.games import load_game
from oikumene.games.mare_nostrum.board import load_board
from oikumene.games.mare_nostrum.cards import CARDS, KINDS, pack
from oikumene.games.mare_nostrum.moves import EVENTS, LEGION, UNITS
from oikumene.games.mare_nostrum.position import FRAMES
from oikumene.games.mare_nostrum.sentences import FACTS, PLURALS, Texts, placeholders
from oikumene.games.mare_nostrum.state import ROLES, THINGS, WHATS, Setting

GAME = load_game("mare-nostrum")
LANGUAGES = ["en"]
STEPS = sorted(name for name, frame in FRAMES.items() if issubclass(frame, Step))
CORE = Path(oikumene.core.__file__).parent
REASONS = sorted(
    {
        found
        for file in CORE.glob("*.py")
        for found in re.findall(r'"(core\.\w+)"', file.read_text())
    }
)
# One value for each placeholder.
VALUES: dict[str, Any] = {
    "n": 2, "seat": 0, "other": 1, "power": 4, "thing": 1, "place": 1, "to": 35, "good": 3,
    "role": 0, "cards": pack({0: 2, 4: 1}), "card": 4, "got": 0, "hero": 9, "unit": LEGION,
    "what": 2, "seats": 0b101,
}  # fmt: skip


def setting() -> Setting:
    """A table of four; the fifth civilization is neutral."""
    options = GAME.options().resolve(GAME.options().default_preset, {})
    found: Setting = GAME.setting(options, ("rome", "carthage", "greece", "egypt"))
    return found


@pytest.fixture(params=LANGUAGES)
def texts(request: pytest.FixtureRequest) -> Texts:
    return Texts.load(request.param)


def forms(entry: Any) -> list[str]:
    """All forms of a text."""
    return list(entry.values()) if isinstance(entry, dict) else [entry]


def test_every_event_has_facts_for_all_its_nouns() -> None:
    assert {name: len(nouns) for name, nouns in EVENTS.items()} == {
        name: len(facts) for name, facts in FACTS.items()
    }


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_has_a_sentence_whose_placeholders_fit(texts: Texts, event: str) -> None:
    for table in ("event", "aside"):
        for text in forms(texts.doc[table].get(event, [] if table == "aside" else None) or ""):
            assert placeholders(text) <= set(FACTS[event])


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("number", [0, 1, 2, 5])
def test_every_event_can_be_said(texts: Texts, event: str, number: int) -> None:
    values = VALUES | {"n": number, "good": -1 if number else 3, "thing": 2 if number else 1}
    facts = tuple(values[key] for key in FACTS[event])
    said = texts.event(setting(), event, facts)
    assert said.endswith(".")
    assert not re.search(r"[{}_]|  ", said)


def test_no_text_is_left_over(texts: Texts) -> None:
    assert set(texts.doc["event"]) == set(EVENTS)
    assert set(texts.doc["aside"]) <= set(EVENTS)
    assert set(texts.doc["prompt"]) == set(STEPS)
    assert set(texts.doc["reason"]) == set(REASONS)


@pytest.mark.parametrize("step", STEPS)
def test_every_step_has_a_prompt_and_a_phase(texts: Texts, step: str) -> None:
    assert texts.prompt(step)
    assert texts.phase(step)
    assert placeholders(texts.prompt(step)) == set()


def test_every_reason_of_the_core_has_a_text_and_its_placeholders_fit(texts: Texts) -> None:
    assert len(REASONS) >= 4
    for reason in REASONS:
        said = texts.reason(reason, asked="Rome", prompt="Build.")
        assert said
        assert "{" not in said


def test_a_rule_of_the_rulebook_needs_no_text_of_ours(texts: Texts) -> None:
    assert texts.reason("MN-9.1") == ""


def test_everything_has_a_name(texts: Texts) -> None:
    board = load_board()
    for table, names in (
        ("seat", [civ.id for civ in board.civs]), ("role", ROLES), ("role_does", ROLES),
        ("card", KINDS), ("thing", THINGS), ("things", THINGS), ("unit", UNITS), ("hero", CARDS),
    ):  # fmt: skip
        assert set(names) <= set(texts.doc[table]), table
    assert set(WHATS[12:]) <= set(texts.doc["what"])
    assert set(texts.doc["place"]) <= set(board.places)
    for place in range(len(board.places)):
        assert len(texts.place(board, place)) <= 18


def test_every_card_names_the_rule_of_what_it_does(texts: Texts) -> None:
    book = GAME.rulebook()
    for card in CARDS:
        entry = texts.doc["hero"][card]
        rule = book.rule(entry["rule"])
        assert entry["name"].split()[-1] in rule.text
        assert entry["does"]


def test_numbers_decide_the_form(texts: Texts) -> None:
    assert texts.event(setting(), "kept", (0, 0)) == "Rome keeps nothing."
    assert texts.event(setting(), "kept", (0, 1)) == "Rome keeps 1 card."
    assert texts.event(setting(), "kept", (0, 2)) == "Rome keeps 2 cards."
    assert [PLURALS["cs"](n) for n in (1, 2, 4, 5)] == ["one", "few", "few", "other"]


def test_sentences_that_are_put_together(texts: Texts) -> None:
    table = setting()
    assert texts.event(table, "placed", (0, 1, 0, 8)) == (
        "Rome sets out a caravan for metal in north of Roma."
    )
    assert texts.event(table, "swapped", (3, 0, 3)) == (
        "Egypt uses Cleopatra: tax goes to the stock for gold."
    )
    assert texts.event(table, "lost", (1, 2, 1)) == (
        "Carthage loses the legion on the caravan for gold in Roma."
    )
    assert texts.event(table, "won", (0b111,)) == "Rome, Carthage and Greece won."
    assert texts.cards(0) == "nothing"


def test_chance_and_silent_moves_are_told(texts: Texts) -> None:
    table = setting()
    dice = Dice(((0, 2), (4, 1))).canonical(("dice", ((0, (5, 2)), (4, (3,)))))
    assert texts.chance(table, dice) == "Dice: Rome 2 5, Babylon 3."
    assert texts.chance(table, Lot((0, 1)).canonical(("lot", 1))) == "The lot falls on Carthage."
    assert texts.move(table, 2, ("done",)) == "Greece is done."
    assert texts.move(table, 2, ("build",)) == ""


def test_a_language_there_is_not_is_refused() -> None:
    for language in ("xx", "../en", "de"):
        with pytest.raises(OptionError, match="there are some in: en"):
            Texts.load(language)
