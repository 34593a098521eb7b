"""The rulebook: its order, and that whoever cites a rule cites one there is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import oikumene
from oikumene.core.rulebook import KINDS, RuleText
from oikumene.games.mare_nostrum.moves import MOVES
from oikumene.games.mare_nostrum.position import FRAMES

from .tables import GAME

SOURCE = Path(oikumene.__file__).parent
ROOT = SOURCE.parent.parent
BOOK = GAME.rulebook()
OPTIONS = GAME.options().options
CITED = re.compile(r"\bMN-\d+\.\d+\b")


def numbers(rule: str) -> tuple[int, int]:
    chapter, number = rule.removeprefix("MN-").split(".")
    return int(chapter), int(number)


def cited_in(folder: Path, *suffixes: str) -> dict[str, set[str]]:
    """The rules that each file of a folder cites."""
    files = sorted(file for file in folder.rglob("*") if file.suffix in suffixes)
    found = {str(file.relative_to(ROOT)): set(CITED.findall(file.read_text())) for file in files}
    return {file: rules for file, rules in found.items() if rules}


def test_the_rules_stand_in_order() -> None:
    ids = list(BOOK.rules)
    assert all(CITED.fullmatch(rule) for rule in ids)
    assert ids == sorted(ids, key=numbers)
    assert len(ids) > 290


def test_the_numbers_of_a_chapter_have_no_gap() -> None:
    for chapter in BOOK.chapters:
        found = [number for place, number in map(numbers, BOOK.rules) if place == chapter]
        assert found == list(range(1, len(found) + 1)), chapter


def test_every_rule_stands_in_a_chapter_that_has_a_title() -> None:
    assert {numbers(rule)[0] for rule in BOOK.rules} == BOOK.chapters.keys()
    assert list(BOOK.chapters) == sorted(BOOK.chapters)
    assert all(BOOK.chapters.values())


@pytest.mark.parametrize("rule", BOOK.rules.values(), ids=lambda rule: rule.id)
def test_a_rule_has_a_text_a_source_and_options_there_are(rule: RuleText) -> None:
    assert rule.text.endswith(".")
    assert rule.source
    assert rule.kind in KINDS
    assert set(rule.options) <= OPTIONS.keys()
    for option, values in rule.when.items():
        assert set(values) <= OPTIONS[option].values.keys()
        assert option in rule.options


def test_a_reading_of_our_own_says_so() -> None:
    read = [rule for rule in BOOK.rules.values() if rule.reading]
    assert read
    assert [rule.id for rule in read if not rule.ours] == []


@pytest.mark.parametrize("name", OPTIONS)
def test_the_rules_that_an_option_names_exist_and_name_it(name: str) -> None:
    assert set(OPTIONS[name].rules) <= BOOK.rules.keys()
    assert [rule for rule in OPTIONS[name].rules if name not in BOOK.rules[rule].options] == []


@pytest.mark.parametrize(
    ("folder", "suffixes"),
    [
        (SOURCE, (".py", ".toml")),
        (ROOT / "conformance", (".toml",)),
        (ROOT / "docs", (".md",)),
    ],
    ids=["src", "conformance", "docs"],
)
def test_every_rule_that_is_cited_exists(folder: Path, suffixes: tuple[str, ...]) -> None:
    cited = cited_in(folder, *suffixes)
    assert cited
    unknown = {file: sorted(rules - BOOK.rules.keys()) for file, rules in cited.items()}
    assert {file: rules for file, rules in unknown.items() if rules} == {}


def test_the_rules_that_frames_cite_exist() -> None:
    for frame in FRAMES.values():
        elsewhere = getattr(frame, "elsewhere", {})
        assert {*frame.cite, *elsewhere.values()} <= BOOK.rules.keys(), frame.name
        assert elsewhere.keys() <= MOVES.keys(), frame.name


def test_steps_cite_the_rules_they_stand_for() -> None:
    asked = {name for name, frame in FRAMES.items() if hasattr(frame, "verbs")}
    assert asked
    assert [name for name in sorted(asked) if not FRAMES[name].cite] == []


def test_the_file_says_which_game_and_language_it_is_for() -> None:
    doc = tomllib.loads((SOURCE / "games/mare_nostrum/rulebook/en.toml").read_text("utf-8"))
    assert (doc["format"], doc["language"], doc["game"]) == (1, "en", GAME.name)
    assert len(BOOK.sources) == len(doc["source"])
