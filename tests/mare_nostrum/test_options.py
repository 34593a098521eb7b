"""`options.toml` and the types of `options.py` say the same, and what is built can be played."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import pytest

from oikumene.core.errors import OptionError
from oikumene.core.game import Decide
from oikumene.games.mare_nostrum.options import Options

from .tables import GAME, PRESET, new_session, play_on, setting

TABLE = GAME.options()
TYPES = {name: get_args(kind) for name, kind in get_type_hints(Options).items()}
BUILT = [
    (name, value.value)
    for name, option in TABLE.options.items()
    for value in option.values.values()
    if value.built
]
NOT_BUILT = [
    (name, value.value)
    for name, option in TABLE.options.items()
    for value in option.values.values()
    if not value.built
]


def test_the_options_of_both_files_are_the_same() -> None:
    assert set(TABLE.options) == set(TYPES)


@pytest.mark.parametrize("name", TABLE.options)
def test_the_values_of_both_files_are_the_same(name: str) -> None:
    assert sorted(TABLE.options[name].values) == sorted(TYPES[name])


@pytest.mark.parametrize("name", TABLE.options)
def test_an_option_tells_what_it_asks_and_who_says_what(name: str) -> None:
    option = TABLE.options[name]
    assert option.text.endswith("?")
    assert option.rules
    assert len(option.values) > 1
    assert option.default in option.values
    assert all(value.text and value.source for value in option.values.values())


@pytest.mark.parametrize("name", TABLE.options)
def test_what_an_option_defaults_to_is_built(name: str) -> None:
    option = TABLE.options[name]
    assert option.values[option.default].built


@pytest.mark.parametrize("preset", TABLE.presets)
def test_every_value_of_a_preset_exists(preset: str) -> None:
    for name, value in TABLE.presets[preset].values.items():
        assert value in TYPES[name]


@pytest.mark.parametrize("preset", TABLE.presets)
def test_a_preset_resolves_if_and_only_if_it_is_built(preset: str) -> None:
    if TABLE.presets[preset].built:
        found = TABLE.resolve(preset, {})
        assert found.keys() == TYPES.keys()
        # Types cannot follow a table of texts; that both agree is what this file tests.
        assert Options(**found).__class__ is Options  # type: ignore[arg-type]
    else:
        with pytest.raises(OptionError, match=f"preset {preset} is not built yet"):
            TABLE.resolve(preset, {})


def test_the_default_preset_is_built() -> None:
    assert TABLE.default_preset == PRESET == "staber-2003-02-14"
    assert TABLE.presets[PRESET].built


@pytest.mark.parametrize(("name", "value"), BUILT)
def test_a_built_value_can_be_played(name: str, value: str) -> None:
    chosen: dict[str, Any] = {name: value}
    assert getattr(setting(**chosen).opts, name) == value
    session = play_on(new_session(seed=5, **chosen), rounds=3)
    assert session.header["options"][name] == value
    assert session.state.round == 4 or not isinstance(session.pending, Decide)


@pytest.mark.parametrize(("name", "value"), NOT_BUILT)
def test_a_value_that_is_not_built_is_refused(name: str, value: str) -> None:
    chosen: dict[str, Any] = {name: value}
    with pytest.raises(OptionError, match=f"{name} = {value} is known but not built yet"):
        setting(**chosen)


def test_the_numbers_that_follow_from_an_option() -> None:
    four, five = (setting(hero_victory=value).opts for value in ("4_and_12", "5_and_13"))
    assert (four.cards_to_win, four.pyramids_price) == (4, 12)
    assert (five.cards_to_win, five.pyramids_price) == (5, 13)


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        (("rome", "greece"), "2 seats: Mare Nostrum is played by 3, 4 or 5"),
        ((), "0 seats: Mare Nostrum is played by 3, 4 or 5"),
        (("rome", "greece", "rome"), "every seat must be another civilization"),
        (("rome", "greece", "sparta"), "unknown civilization 'sparta'; there are: rome"),
    ],
)
def test_seats_that_cannot_play_are_refused(seats: tuple[str, ...], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        setting(seats=seats)


@pytest.mark.parametrize("number", [2, 6])
def test_only_three_to_five_are_advised(number: int) -> None:
    assert [len(GAME.advised(n)) for n in GAME.seats] == [3, 4, 5]
    with pytest.raises(OptionError, match=f"{number} seats"):
        GAME.advised(number)
