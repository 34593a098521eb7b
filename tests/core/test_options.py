"""Rule options as data, on a small table of their own."""

from __future__ import annotations

import re

import pytest

from oikumene.core.errors import DataError, OptionError
from oikumene.core.options import OptionTable

TEXT = """
[[option]]
name = "start"
text = "Which start?"
values = [
  { value = "fixed", text = "Fixed.", source = "S0", built = true },
  { value = "free", text = "Free.", source = "S1", built = true },
  { value = "secret", text = "Secret.", source = "S2", built = false },
]
default = "fixed"
rules = ["MN-4.1", "MN-5.1"]
note = "A note."

[[option]]
name = "lots"
text = "How many?"
values = [
  { value = "1", text = "One.", source = "S0", built = true },
  { value = "2", text = "Two.", source = "S1", built = false },
]
default = "1"
rules = []

[[preset]]
name = "german"
title = "The German rules"
text = "By Staber."
source = "S0"
built = true
values = { start = "free" }

[[preset]]
name = "czech"
title = "The Czech rules"
text = "Mythology."
source = "S1"
built = true
values = { lots = "2" }

[[preset]]
name = "french"
title = "The French rules"
text = "Lost."
source = "S2"
built = false
values = {}
"""
TABLE = OptionTable.read(TEXT, "options.toml")


def test_options_and_presets_are_read_in_their_order() -> None:
    assert list(TABLE.options) == ["start", "lots"]
    assert list(TABLE.presets) == ["german", "czech", "french"]
    start = TABLE.options["start"]
    assert (start.text, start.default, start.note) == ("Which start?", "fixed", "A note.")
    assert start.rules == ("MN-4.1", "MN-5.1")
    assert list(start.values) == ["fixed", "free", "secret"]
    assert start.values["free"] == ("free", "Free.", "S1", True)
    assert TABLE.options["lots"].note == ""
    assert TABLE.presets["czech"] == (
        "czech", "The Czech rules", "Mythology.", "S1", True, {"lots": "2"}
    )  # fmt: skip


def test_the_first_preset_is_the_default() -> None:
    assert TABLE.default_preset == "german"


def test_a_preset_decides_some_options_and_defaults_the_rest() -> None:
    assert TABLE.resolve("german", {}) == {"start": "free", "lots": "1"}


def test_single_values_go_on_top_of_the_preset() -> None:
    assert TABLE.resolve("german", {"start": "fixed"}) == {"start": "fixed", "lots": "1"}
    assert TABLE.resolve("czech", {"lots": "1"}) == {"start": "fixed", "lots": "1"}


def test_what_differs_from_the_preset_is_named() -> None:
    assert TABLE.differences("german", {"start": "free", "lots": "1"}) == {}
    assert TABLE.differences("german", {"start": "fixed", "lots": "1"}) == {"start": "fixed"}
    assert TABLE.differences("czech", {"start": "free", "lots": "1"}) == {
        "start": "free", "lots": "1"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("preset", "overrides", "message"),
    [
        (
            "germn",
            {},
            "unknown preset 'germn'; do you mean 'german'?; there are: german, czech, french",
        ),
        ("xyz", {}, "unknown preset 'xyz'; there are: german, czech, french"),
        ("german", {"strat": "fixed"}, "unknown option 'strat'; do you mean 'start'?"),
        ("german", {"xyz": "fixed"}, "unknown option 'xyz'"),
        ("german", {"start": "late"}, "option start has no value 'late'; it has: fixed, free, sec"),
        (
            "german",
            {"start": "secret"},
            "start = secret is known but not built yet; what can be played: fixed, free",
        ),
        ("czech", {}, "preset czech is not built yet: it needs lots = 2; play german"),
        ("french", {}, "preset french is not built yet; play german"),
    ],
)
def test_what_cannot_be_played_is_refused_with_advice(
    preset: str, overrides: dict[str, str], message: str
) -> None:
    with pytest.raises(OptionError) as caught:
        TABLE.resolve(preset, overrides)
    assert str(caught.value).startswith(message)


def test_a_value_may_be_looked_at_though_it_is_not_built() -> None:
    TABLE.check("start", "secret", built=False)
    with pytest.raises(OptionError, match="not built yet"):
        TABLE.check("start", "secret")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "start"', "name ="),
        ('name = "start"', ""),
        ("[[preset]]", "[[presets]]"),
        ("[[option]]", "[[options]]"),
        ("source =", "src ="),
        ("rules = []", "rules = 3"),
        ('values = { start = "free" }', ""),
        ("values = [", "values = 3 # ["),
    ],
)
def test_a_table_that_cannot_be_read_names_its_file(old: str, new: str) -> None:
    assert old in TEXT
    with pytest.raises(DataError, match=re.escape("a/options.toml: ")):
        OptionTable.read(TEXT.replace(old, new), "a/options.toml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('default = "fixed"', 'default = "late"', "option start has no value 'late'"),
        ('{ start = "free" }', '{ start = "late" }', "option start has no value 'late'"),
        ('{ start = "free" }', '{ begin = "free" }', "unknown option 'begin'"),
    ],
)
def test_defaults_and_presets_must_name_values_there_are(old: str, new: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        OptionTable.read(TEXT.replace(old, new), "options.toml")
