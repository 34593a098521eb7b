"""A game's rules by id, on a small rulebook of their own."""

from __future__ import annotations

import re

import pytest

from oikumene.core.errors import DataError, OptionError
from oikumene.core.rulebook import Rulebook

TEXT = """
[[source]]
id = "S0"
title = "The German text"

[[chapter]]
number = 8
title = "Trade"

[[rule]]
id = "MN-8.1"
kind = "limit"
text = "The Director names a number."
source = "S0 trade 1"

[[rule]]
id = "MN-8.2"
kind = "procedure"
text = "A name for ZERO cards."
source = "S1"
ours = true
reading = "we read it so"
options = ["start"]
when = { start = "free", order = ["a", "b"] }
"""
BOOK = Rulebook.read(TEXT, "en.toml")


def test_rules_chapters_and_sources_are_read() -> None:
    assert list(BOOK.rules) == ["MN-8.1", "MN-8.2"]
    assert BOOK.chapters == {8: "Trade"}
    assert BOOK.sources == {"S0": "The German text"}


def test_what_a_rule_leaves_out_has_a_default() -> None:
    first, second = BOOK.rules.values()
    assert first == (
        "MN-8.1", "limit", "The Director names a number.", "S0 trade 1", False, "", (), {}
    )  # fmt: skip
    assert (second.ours, second.reading, second.options) == (True, "we read it so", ("start",))
    assert second.when == {"start": ("free",), "order": ("a", "b")}


def test_a_rule_is_found_by_its_id_in_any_case() -> None:
    assert BOOK.rule("MN-8.1") is BOOK.rule("mn-8.1") is BOOK.rules["MN-8.1"]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("MN-8.9", "no rule 'MN-8.9'; chapter MN-8 has MN-8.1 to MN-8.2"),
        ("mn-8", "no rule 'mn-8'; chapter MN-8 has MN-8.1 to MN-8.2"),
        ("MN-9.1", "no rule 'MN-9.1'"),
        ("", "no rule ''"),
    ],
)
def test_an_unknown_rule_names_near_ones(rule: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        BOOK.rule(rule)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("name", ["MN-8.1", "MN-8.2"]),
        ("zero name", ["MN-8.2"]),
        ("director NUMBER", ["MN-8.1"]),
        ("mn-8.2", ["MN-8.2"]),
        ("s0", ["MN-8.1"]),
        ("director zero", []),
        ("", ["MN-8.1", "MN-8.2"]),
    ],
)
def test_a_search_finds_the_rules_that_hold_all_the_words(words: str, found: list[str]) -> None:
    assert [rule.id for rule in BOOK.search(words)] == found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "MN-8.1"', "id = MN-8.1", "TOMLDecodeError"),
        ('id = "MN-8.1"', "", "'id'"),
        ("[[chapter]]", "[[chapters]]", "'chapter'"),
        ("[[source]]", "[[sources]]", "'source'"),
        ("[[rule]]", "[[rules]]", "'rule'"),
        ('options = ["start"]', "options = 3", "TypeError"),
        ("number = 8", "", "'number'"),
        ("MN-8.2", "MN-8.1", "a rule id stands twice"),
        ('"procedure"', '"rule"', "the kind must be one of limit, procedure, fact, note: "),
    ],
)
def test_a_rulebook_that_cannot_be_read_says_why(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(DataError, match=re.escape(message)) as caught:
        Rulebook.read(TEXT.replace(old, new), "a/en.toml")
    assert str(caught.value).startswith("a/en.toml: ")


GAME = "oikumene.games.mare_nostrum"


def test_a_games_rulebook_is_read_once() -> None:
    assert Rulebook.load(GAME, "en") is Rulebook.load(GAME, "en")
    assert "MN-8.1" in Rulebook.load(GAME).rules


@pytest.mark.parametrize("language", ["xx", "", "../en", "en.toml"])
def test_a_language_there_is_not_is_refused_with_those_there_are(language: str) -> None:
    with pytest.raises(OptionError, match=re.escape(f"no rulebook in '{language}'") + r".*in: en"):
        Rulebook.load(GAME, language)
