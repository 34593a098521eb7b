"""The second opinions themselves, on the worked examples of the two source texts.

EX-... are the names of the examples; what they say is in their test.
"""

from __future__ import annotations

import random
import tomllib
from itertools import product
from typing import Any

import pytest

from oikumene.games.mare_nostrum.board import load_board

from . import oracle

MAP: dict[str, Any] = tomllib.loads(load_board().text)
AEGEAN, LIBYAN, EGYPTIAN = "mare_aegaeum", "mare_libycum", "mare_aegyptium"
LISTED = {"constantinopolis", "troas", "cnossus", "rhodus", "cyrenae", "west_of_cyrenae"}


# --- adjacency and markers ---------------------------------------------------------------------


def test_ex_adj_1_six_provinces_may_get_a_greek_marker() -> None:
    foreign = {"carthago", "syracusae", "north_of_athenae"}
    assert oracle.placeable(MAP, ["athenae"], [AEGEAN, LIBYAN], foreign) == LISTED


def test_ex_adj_1_as_a_position() -> None:
    position = {
        "markers": {
            "athenae": "greece", "carthago": "carthage", "syracusae": "rome",
            "north_of_athenae": "rome",
        },
        "fleets": {"greece": f"{AEGEAN} {LIBYAN}*2", "rome": EGYPTIAN},
    }  # fmt: skip
    assert oracle.placeable_in(MAP, position, "greece") == LISTED


def test_ex_adj_2_a_marker_of_this_round_opens_nothing_until_the_next() -> None:
    position: dict[str, Any] = {"markers": {"alexandria": "egypt"}}
    assert "cyrenae" in oracle.placeable_in(MAP, position, "egypt")
    position = {"markers": {"alexandria": "egypt", "cyrenae": "egypt"}, "since": ["alexandria"]}
    assert "west_of_cyrenae" not in oracle.placeable_in(MAP, position, "egypt")
    del position["since"]
    assert "west_of_cyrenae" in oracle.placeable_in(MAP, position, "egypt")


def test_ex_adj_3_two_fleets_bridge_the_sea_to_hierosolyma() -> None:
    coast = {
        "west_of_carthago", "west_of_cyrenae", "cyrenae", "alexandria", "hierosolyma", "sinai",
        "syracusae", "cnossus", "cyprus",
    }  # fmt: skip
    found = oracle.adjacent(MAP, "carthago", [LIBYAN, EGYPTIAN])
    assert found == coast | {"south_of_carthago"}


def test_a_chain_breaks_where_a_zone_has_no_own_fleet() -> None:
    """MN-17.2."""
    assert "cnossus" not in oracle.adjacent(MAP, "troas", ["pontus_euxinus", LIBYAN])
    assert "alexandria" not in oracle.adjacent(MAP, "troas", ["pontus_euxinus", EGYPTIAN])
    assert oracle.adjacent(MAP, "babylon", ["mare_ionium"]) == oracle.adjacent(MAP, "babylon", [])


def test_in_the_other_reading_syracusae_is_a_neighbour_of_carthago_by_land() -> None:
    strait = oracle.with_variant(MAP, "strait")
    assert "syracusae" in oracle.adjacent(strait, "carthago", [])
    assert "syracusae" not in oracle.adjacent(strait, "cyrenae", [LIBYAN])


def test_the_lighthouse_opens_every_free_province() -> None:
    """MN-11.7."""
    position = {"markers": {"roma": "rome", "cyprus": "egypt"}, "cards": {"rome": ["lighthouse"]}}
    found = oracle.placeable_in(MAP, position, "rome")
    assert found == {row["id"] for row in MAP["province"]} - {"roma", "cyprus"}


def test_enemy_units_close_a_free_province_only_where_the_rules_say_so() -> None:
    """MN-11.5, 11.9, 11.10."""
    position = {
        "markers": {"roma": "rome"},
        "legions": {"carthage": "south_of_roma", "rome": "south_of_roma north_of_roma"},
    }
    assert "south_of_roma" in oracle.placeable_in(MAP, position, "rome")
    found = oracle.placeable_in(MAP, position, "rome", influence_block="enemy_units")
    assert found == {"north_of_roma"}


def test_a_besieged_capital_alone_cannot_expand_in_the_czech_rules() -> None:
    """MN-20.5, 20.6."""
    position: dict[str, Any] = {"markers": {"roma": "rome"}, "legions": {"egypt": "roma"}}
    besieged = {"siege_stops_expansion": "yes"}
    assert oracle.placeable_in(MAP, position, "rome", **besieged) == set()
    assert oracle.placeable_in(MAP, position, "rome")
    position["markers"]["cyprus"] = "rome"
    assert oracle.placeable_in(MAP, position, "rome", **besieged)


def test_nobody_places_a_thirteenth_marker() -> None:
    """MN-10.11."""
    first = [row["id"] for row in MAP["province"]][:12]
    assert not oracle.placeable_in(MAP, {"markers": dict.fromkeys(first, "rome")}, "rome")


# --- cards -------------------------------------------------------------------------------------

KATKA = {"tax": 3, "grain": 2, "perfume": 1, "cattle": 1, "gold": 1, "slaves": 1}


@pytest.mark.parametrize(
    ("sizes", "possible"), [([9], False), ([6], False), ([3, 3, 3], True), ([3] * 4, False)]
)
def test_ex_pay_1_nine_cards_make_three_small_sets_but_no_large_one(
    sizes: list[int], possible: bool
) -> None:
    assert oracle.can_make(KATKA, sizes) is possible
    assert oracle.max_sets(KATKA, 3) == 3


def test_a_set_is_never_mixed_and_its_goods_are_all_different() -> None:
    """MN-9.2."""
    assert not oracle.can_make({"tax": 2, "wine": 1}, [3])
    assert not oracle.can_make({"wine": 3}, [3])
    assert list(oracle.sets({"tax": 3, "wine": 1, "oil": 2, "fish": 1}, 3)) == [
        {"tax": 3},
        {"fish": 1, "oil": 1, "wine": 1},
    ]


def by_counting(hand: dict[str, int], sizes: list[int]) -> bool:
    """The same by a theorem (Gale and Ryser) in place of a search."""
    goods = [number for card, number in hand.items() if card != "tax"]
    for by_tax in product((True, False), repeat=len(sizes)):
        tax = sum(size for size, taxed in zip(sizes, by_tax, strict=True) if taxed)
        rest = sorted(
            (s for s, taxed in zip(sizes, by_tax, strict=True) if not taxed), reverse=True
        )
        enough = all(
            sum(rest[:n]) <= sum(min(number, n) for number in goods)
            for n in range(1, len(rest) + 1)
        )
        if tax <= hand.get("tax", 0) and enough:
            return True
    return False


def test_the_search_agrees_with_the_theorem_on_random_hands() -> None:
    lot = random.Random(3)
    for _ in range(400):
        cards = lot.sample(["tax", "gold", "oil", "wine", "metal", "fish", "slaves"], 5)
        hand = {card: lot.randrange(5) for card in cards}
        sizes = [lot.choice((2, 3, 3, 5, 6)) for _ in range(lot.randrange(1, 4))]
        assert oracle.can_make(hand, sizes) == by_counting(hand, sizes), (hand, sizes)


# --- income and roles --------------------------------------------------------------------------

SEATS = ["rome", "carthage"]


def held_by_rome(**more: Any) -> dict[str, Any]:
    """A province of Rome in which Carthage has legions."""
    return {"markers": {"roma": "rome"}, "legions": {"carthage": "roma*2"}, **more}


def test_ex_inc_occ_1_an_occupied_city_with_its_temple_pays_two_to_the_occupier() -> None:
    position = held_by_rome(
        cities=["roma"], temples=["roma"], occupied=["roma city carthage", "roma temple carthage"]
    )
    assert oracle.income(position, SEATS) == {"rome": {}, "carthage": {"tax": 2}}


def test_ex_inc_occ_2_a_market_left_alone_counts_but_pays_nothing() -> None:
    position = held_by_rome(
        cities=["roma"],
        markets=["roma"],
        caravans=["roma fish"],
        occupied=["roma fish carthage", "roma city carthage"],
    )
    assert oracle.income(position, SEATS) == {"rome": {}, "carthage": {"fish": 1, "tax": 1}}
    counts = oracle.role_counts(position, SEATS)
    assert counts["carthage"] == {"commerce": 1, "political": 1, "military": 2}
    assert counts["rome"] == {"commerce": 1, "political": 0, "military": 0}


def test_ex_inc_occ_3_an_occupied_temple_doubles_for_nobody() -> None:
    position = held_by_rome(
        cities=["roma*2"], temples=["roma"], occupied=["roma temple carthage fought"]
    )
    assert oracle.income(position, SEATS) == {"rome": {"tax": 2}, "carthage": {}}


def fixed_start() -> dict[str, Any]:
    """The fixed start of all five, as far as buildings go; free choices go to the first symbol."""
    cities: list[str] = []
    caravans: list[str] = []
    markers = {}
    symbols = {row["id"]: [s["good"] for s in row["symbols"]] for row in MAP["province"]}
    for civ in MAP["civ"]:
        for row in civ["start"]:
            place = row["province"]
            markers[place] = civ["id"]
            cities += [place] * row.get("city", 0)
            caravans += [f"{place} {good}" for good in symbols[place][: row.get("caravan", 0)]]
        for place in civ.get("one_more_caravan_in", [])[:1]:
            caravans.append(f"{place} {symbols[place][0]}")
    fortresses = {civ["id"]: civ["capital"] for civ in MAP["civ"]}
    return {
        "markers": markers, "cities": cities, "caravans": caravans, "fortresses": fortresses,
    }  # fmt: skip


def test_ex_start_1_the_first_income_of_the_fixed_start() -> None:
    names = [civ["id"] for civ in MAP["civ"]]
    due = oracle.income(fixed_start(), names)
    sums = {
        name: (cards.get("tax", 0), sum(cards.values()) - cards.get("tax", 0))
        for name, cards in due.items()
    }
    assert sums == {
        "rome": (1, 4), "carthage": (1, 4), "greece": (2, 3), "egypt": (3, 2), "babylon": (2, 3),
    }  # fmt: skip


def test_war_gives_everything_back_to_the_marker() -> None:
    """MN-7.8, MN-6.13; what makes a war is an option (MN-19.2)."""
    position = held_by_rome(
        cities=["roma"], occupied=["roma city carthage"], fortresses={"rome": "roma"}
    )
    assert oracle.income(position, SEATS)["rome"] == {"tax": 1}
    assert oracle.role_counts(position, SEATS)["carthage"]["political"] == 0
    assert oracle.income(position, SEATS, "legions") == {"rome": {}, "carthage": {"tax": 1}}
    assert not oracle.at_war({"new_fleets": {"rome": "roma"}, "legions": {"egypt": "roma"}}, "roma")


def test_two_powers_at_war_in_a_province_of_a_third_count_for_nothing() -> None:
    position = held_by_rome(cities=["roma"], occupied=["roma city carthage"])
    position["legions"]["egypt"] = "roma"
    assert oracle.income(position, ["rome", "carthage", "egypt"])["rome"] == {"tax": 1}


def test_markets_and_temples_double_what_the_same_player_has() -> None:
    """MN-7.2, MN-7.4; a takeover that is only announced changes nothing (MN-7.7)."""
    position = held_by_rome(
        cities=["roma*2"], temples=["roma"], markets=["roma"],
        caravans=["roma fish", "roma grain"], takeover=["roma carthage"],
    )  # fmt: skip
    assert oracle.income(position, SEATS)["rome"] == {"tax": 4, "fish": 2, "grain": 2}
    position["occupied"] = ["roma market carthage", "roma fish carthage"]
    assert oracle.income(position, SEATS) == {
        "rome": {"tax": 4, "grain": 1},
        "carthage": {"fish": 2},
    }


def test_cards_add_to_income_and_counts() -> None:
    """MN-7.9, MN-6.7, MN-25.1 to 25.3: also to nothing at all."""
    position = {"cards": {"rome": ["colossus", "solomon"], "carthage": ["agamemnon", "archimedes"]}}
    assert oracle.income(position, SEATS) == {"rome": {"tax": 1}, "carthage": {}}
    assert oracle.role_counts(position, SEATS, hero_bonus=3) == {
        "rome": {"commerce": 0, "political": 3, "military": 0},
        "carthage": {"commerce": 3, "political": 0, "military": 3},
    }


def test_fleets_in_port_count_for_the_military_leader_and_neutrals_for_nobody() -> None:
    """MN-6.5, MN-6.15."""
    position = {
        "markers": {"babylon": "babylon"},
        "legions": {"rome": "roma*3 corsica", "babylon": "babylon"},
        "fortresses": {"rome": "roma"},
        "fleets": {"rome": "mare_tyrrhenum*2"},
        "new_fleets": {"rome": "roma"},
    }
    counts = oracle.role_counts(position, SEATS)
    assert counts["rome"]["military"] == 8
    assert "babylon" not in counts
