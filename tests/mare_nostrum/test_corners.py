"""Corners of the rules that no conformance case stands in."""

from __future__ import annotations

from typing import Any

import pytest

from oikumene.core.game import Chance
from oikumene.core.limits import Refusal
from oikumene.games.mare_nostrum.board import load_board
from oikumene.games.mare_nostrum.roles import counts
from oikumene.games.mare_nostrum.state import COMMERCE, POLITICAL, State

from .tables import GAME, PRESET, THREE, state_at

ROME, CARTHAGE, GREECE = range(3)


def play(s: State, seat: int, text: str) -> State:
    return GAME.play(s, seat, GAME.parse(s, text))


def refusal(s: State, seat: int, text: str) -> Refusal:
    found = GAME.refusal(s, seat, GAME.parse(s, text))
    assert bool(found) != (GAME.parse(s, text) in GAME.legal(s, seat))
    return found


def rules(s: State, seat: int, text: str) -> list[str]:
    return [reason.rule for reason in refusal(s, seat, text)]


def after_chance(s: State, text: str) -> State:
    return GAME.play(s, None, GAME.parse(s, text))


# --- building ----------------------------------------------------------------------------------

BUILDING: dict[str, Any] = {
    "step": "construction rome",
    "roles": {"political": "rome"},
    "markers": {"roma": "rome", "athenae": "greece"},
    "hand": {"rome": "tax*6"},
}


def test_only_a_caravan_stands_on_a_symbol() -> None:
    """MN-10.5."""
    s = state_at(BUILDING)
    assert rules(s, ROME, "build caravan roma with tax*3") == ["MN-10.5"]
    assert rules(s, ROME, "build city roma fish with tax*3") == ["MN-10.5"]
    assert rules(s, ROME, "build caravan roma fish with tax*3") == []


def test_only_a_caravan_stands_on_a_symbol_in_the_free_start_too() -> None:
    """MN-10.5."""
    s = state_at({"agenda": ["free-start rome 0 9", "free-rounds"], "markers": {"roma": "rome"}})
    assert rules(s, ROME, "place caravan roma") == ["MN-10.5"]
    assert rules(s, ROME, "place city roma fish") == ["MN-10.5"]
    assert rules(s, ROME, "place caravan roma fish") == []


def test_a_turn_of_building_may_end_at_any_time() -> None:
    assert rules(state_at(BUILDING), ROME, "done") == []


def test_nobody_demolishes_what_is_his() -> None:
    """MN-10.12."""
    s = state_at(BUILDING | {"cities": ["roma"]})
    assert rules(s, ROME, "demolish city roma") == ["MN-10.12"]


def test_cleopatra_swaps_only_for_what_the_stock_has() -> None:
    """MN-24.5, MN-7.10."""
    cards = {"cards": {"rome": ["cleopatra"]}, "hand": {"rome": "tax*2 wine"}}
    s = state_at(BUILDING | cards)
    assert rules(s, ROME, "swap tax gold") == rules(s, ROME, "swap wine tax") == []
    assert rules(s, ROME, "swap tax tax") == rules(s, ROME, "swap wine gold") == ["MN-24.5"]
    s = state_at(BUILDING | cards | {"stock": {"tax": 0, "gold": 0}})
    assert rules(s, ROME, "swap wine tax") == rules(s, ROME, "swap tax gold") == ["MN-7.10"]
    assert rules(s, ROME, "swap tax gems") == []
    used = play(s, ROME, "swap tax gems")
    assert rules(used, ROME, "swap tax gems") == ["MN-24.5"]


# --- trade -------------------------------------------------------------------------------------

TRADE: dict[str, Any] = {
    "step": "trade",
    "roles": {"commerce": "rome", "political": "greece"},
    "hand": {"rome": "tax", "carthage": "gold", "greece": "wine*5"},
}


def test_without_a_director_there_is_no_trade() -> None:
    s = state_at(TRADE | {"roles": {"political": "greece"}})
    assert GAME.position(s)["hand"] == TRADE["hand"]
    assert GAME.position(s)["agenda"][0] == "call political"


GIVE: dict[str, Any] = {
    "agenda": ["give rome greece", "construction", "strategy", "round"],
    "roles": {"commerce": "rome", "political": "greece"},
}


def test_the_only_card_of_the_director_is_given_without_asking() -> None:
    """MN-8.12."""
    s = state_at(GIVE | {"hand": {"rome": "gold"}})
    assert GAME.position(s)["hand"] == {"greece": "gold"}
    assert "known" not in GAME.position(s)


def test_one_of_cards_that_are_known_to_be_alike_is_given_without_asking() -> None:
    """MN-8.12: everybody knows which card it was."""
    s = state_at(GIVE | {"hand": {"rome": "gold*3"}, "known": {"rome": "gold*3"}})
    assert GAME.position(s)["hand"] == {"rome": "gold*2", "greece": "gold"}
    assert GAME.position(s)["known"] == {"rome": "gold*2", "greece": "gold"}


def test_of_cards_that_are_alike_but_unknown_one_is_asked_for() -> None:
    s = state_at(GIVE | {"hand": {"rome": "gold*3"}, "known": {"rome": "gold*2"}})
    assert GAME.position(s)["agenda"][0] == "give rome greece"
    s = play(s, ROME, "give gold")
    assert GAME.position(s)["known"] == {"rome": "gold"}


# --- fights and what follows -------------------------------------------------------------------

WAR: dict[str, Any] = {
    "step": "legions rome",
    "roles": {"military": "rome", "political": "greece"},
    "markers": {"roma": "rome", "athenae": "greece", "troas": "greece"},
}


def test_fortresses_alone_fight_without_dice() -> None:
    """MN-18.6: six points each, no die; each side loses one."""
    keys = {"fortresses": {"rome": "troas", "greece": "troas*2"}, "legions": {"rome": "roma"}}
    s = state_at(WAR | keys)
    assert rules(s, ROME, "done") == ["MN-19.3"]
    s = play(s, ROME, "fight troas greece")
    assert GAME.position(s)["fortresses"] == {"greece": "troas"}


def test_a_fortress_that_rolls_no_die_leaves_its_side_out() -> None:
    keys = {"fortresses": {"greece": "athenae"}, "legions": {"rome": "athenae"}, "moved": "athenae"}
    s = state_at(WAR | keys)  # the fight is the only move
    pending = GAME.pending(s)
    assert isinstance(pending, Chance)
    assert pending.kind.canonical(GAME.parse(s, "dice rome 3")) == ("dice", ((ROME, (3,)),))
    assert "legions" not in GAME.position(after_chance(s, "dice rome 3"))


CHOICE: dict[str, Any] = {
    "legions": {"rome": "athenae*2"},
    "cities": ["athenae"],
    "temples": ["athenae"],
}


def test_who_must_choose_chooses_in_that_province() -> None:
    """MN-19.5."""
    keys = {**CHOICE, "agenda": ["choose rome athenae", "legions rome", "round"]}
    s = state_at({key: value for key, value in (WAR | keys).items() if key != "step"})
    assert rules(s, ROME, "pillage troas city") == ["MN-19.5"]
    assert rules(s, ROME, "done") == ["core.step", "MN-19.5"]
    assert rules(s, ROME, "pillage athenae city") == []


def test_who_joins_joins_in_that_province_and_may_end() -> None:
    """MN-19.8."""
    keys = {
        **CHOICE,
        "occupied": ["athenae city rome"],
        "agenda": ["join rome athenae", "legions rome", "round"],
    }
    s = state_at({key: value for key, value in (WAR | keys).items() if key != "step"})
    assert rules(s, ROME, "occupy troas city") == ["MN-19.5"]
    assert rules(s, ROME, "occupy athenae city") == ["MN-19.8"]
    assert rules(s, ROME, "occupy athenae temple") == []
    assert rules(s, ROME, "done") == []


@pytest.mark.parametrize("state", ["moved", "fought"])
def test_who_leaves_his_posts_has_still_moved_or_fought(state: str) -> None:
    """MN-19.15, MN-13.4."""
    keys = CHOICE | {"occupied": [f"athenae city rome {state}"]}
    keys["legions"] = {"rome": "athenae*2 roma"}
    s = state_at(WAR | keys, change_choice="any")
    s = play(s, ROME, "pillage athenae temple")
    found = GAME.position(s)
    assert found[state] == "athenae"
    assert "occupied" not in found
    assert found["cities"] == ["athenae"]


def test_a_building_occupied_in_nobodys_province_counts_for_the_occupier() -> None:
    """MN-6.13: there is no owner, or no player, who would lose it."""
    keys: dict[str, Any] = {
        "step": "trade",
        "markers": {"thebae": "egypt"},
        "legions": {"rome": "thebae cyprus"},
        "cities": ["thebae"],
        "caravans": ["cyprus metal"],
        "occupied": ["thebae city rome", "cyprus metal rome"],
    }
    s = GAME.from_position(state_at({"step": "trade"}).setting, keys)
    assert counts(s, POLITICAL) == (1, 0, 0)
    assert counts(s, COMMERCE) == (1, 0, 0)


# --- boards given by hand ----------------------------------------------------------------------


def test_a_game_on_a_board_given_by_hand_carries_it_in_its_record() -> None:
    board = load_board()
    other = GAME.read_map(board.text.replace(board.name, "my-board"))
    resolved = GAME.options().resolve(PRESET, {})
    setting = GAME.setting(resolved, THREE, other)
    header = {"map": GAME.map_header(setting), "options": resolved, "seats": list(THREE)}
    assert header["map"] == {"name": "my-board", "digest": other.digest, "text": other.text}
    assert GAME.setting_of(header).board.text == other.text
    assert GAME.map_header(GAME.setting(resolved, THREE)) == {
        "name": board.name, "digest": board.digest
    }  # fmt: skip
