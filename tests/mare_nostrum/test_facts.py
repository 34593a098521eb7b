"""The facts of the rulebook (chapters 1 and 2) that no case shows; facts.toml names these tests."""

from __future__ import annotations

import pytest

from oikumene.core.errors import OptionError
from oikumene.core.limits import bits
from oikumene.games import load_game
from oikumene.games.mare_nostrum.board import load_board
from oikumene.games.mare_nostrum.cards import (
    CARDS,
    CIVILIZATION_HEROES,
    GOODS,
    HEROES,
    KINDS,
    WONDERS,
    count,
)
from oikumene.games.mare_nostrum.state import ROLES

BOARD = load_board()


def test_the_board_is_provinces_and_zones_and_no_island_is_joined_to_land() -> None:
    """MN-1.1."""
    assert set(BOARD.places) == {*BOARD.provinces, *BOARD.seas}
    assert not {*BOARD.provinces} & {*BOARD.seas}
    islands = bits(BOARD.islands)
    assert len(islands) >= 6
    assert [place for place in islands if BOARD.land[place]] == []
    assert all(BOARD.waters[place] for place in islands)


def test_provinces_have_named_city_sites_and_symbols_several_or_none() -> None:
    """MN-1.2."""
    assert [len(names) for names in BOARD.site_names] == list(BOARD.sites)
    assert {0, 1, 2} <= set(BOARD.sites)
    symbols = [
        sum(where >> place & 1 for where in BOARD.symbols) for place in range(len(BOARD.provinces))
    ]
    assert {0, 1, 2} <= set(symbols)


def test_there_are_144_cards() -> None:
    """MN-1.3."""
    kinds = (len(ROLES), CIVILIZATION_HEROES.bit_count(), 6, len(WONDERS), sum(BOARD.supply_cards))
    assert kinds == (3, 5, 6, 7, 123)
    assert len(HEROES) == 5 + 6
    assert len(set(CARDS)) == len(CARDS) == 11 + 7
    assert sum(kinds) == 144


def test_there_are_35_tax_cards_and_88_goods() -> None:
    """MN-1.4."""
    numbers = dict(zip(KINDS, BOARD.supply_cards, strict=True))
    assert numbers.pop("tax") == 35
    assert list(numbers) == list(GOODS)
    assert [good for good, n in numbers.items() if n == 5] == ["perfume", "papyrus", "gold", "gems"]
    seven = ["oil", "wine", "cattle", "fruit", "metal"]
    assert [good for good, n in numbers.items() if n == 7] == seven
    assert [good for good, n in numbers.items() if n == 11] == ["grain", "fish", "slaves"]
    assert sum(numbers.values()) == 88


def test_there_are_58_buildings() -> None:
    """MN-1.5."""
    assert BOARD.buildings[5] == (28, 12, 12, 6)
    assert sum(BOARD.buildings[5]) == 58


def test_each_civilization_has_its_hero() -> None:
    """MN-1.9."""
    assert {civ.id: civ.hero for civ in BOARD.civs} == {
        "rome": "caesar",
        "carthage": "hannibal",
        "babylon": "hammurabi",
        "greece": "pericles",
        "egypt": "cleopatra",
    }


@pytest.mark.parametrize("number", [3, 4, 5])
def test_three_to_five_take_part_and_all_cards_lie_open(number: int) -> None:
    """MN-2.1: each with the pieces of one colour; cards, heroes and wonders are in the stock."""
    game = load_game("mare-nostrum")
    seats = game.advised(number)
    table = game.options()
    s = game.setup(game.setting(table.resolve(table.default_preset, {}), seats))
    assert len(set(seats)) == number
    assert len(s.fleets) == number
    in_hands = sum(count(hand, kind) for hand in s.hands for kind in range(len(KINDS)))
    in_stock = sum(count(s.stock, kind) for kind in range(len(KINDS)))
    assert (in_hands, in_stock) == (0, 123)


@pytest.mark.parametrize("number", [0, 1, 2, 6])
def test_fewer_or_more_cannot_play(number: int) -> None:
    """MN-2.1."""
    with pytest.raises(OptionError, match="3, 4 or 5"):
        load_game("mare-nostrum").advised(number)
