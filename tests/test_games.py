"""The registry of games says what the games' own data files say."""

from __future__ import annotations

from typing import Any

import pytest

from oikumene.core.errors import OptionError
from oikumene.games import GAMES, load_game


@pytest.mark.parametrize("name", GAMES)
def test_what_is_listed_agrees_with_the_game(name: str) -> None:
    listed, game = GAMES[name], load_game(name)
    options = game.options()
    seats = game.seats
    assert (game.name, game.version) == (name, 1)
    assert listed.players == f"{seats.start}-{seats.stop - 1}"
    assert listed.rule_set == options.default_preset
    assert list(listed.rule_sets) == list(options.presets)
    for preset, built in listed.rule_sets.items():
        assert resolves(game, preset) == built


def resolves(game: Any, preset: str) -> bool:
    try:
        game.options().resolve(preset, {})
    except OptionError:
        return False
    return True


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_set_up_for_each_number_of_seats_on_the_board_listed(name: str) -> None:
    game = load_game(name)
    resolved = game.options().resolve(game.options().default_preset, {})
    for number in game.seats:
        setting = game.setting(resolved, game.advised(number))
        assert game.map_header(setting)["name"] == GAMES[name].board
        assert game.rounds(game.setup(setting)) in (0, 1)


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(OptionError, match=r"unknown game 'senet'; there are: mare-nostrum"):
        load_game("senet")
