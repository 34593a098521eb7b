"""The shipped boards: all that the sources say about the map, and adjacency over land and sea.

C1 to C45 are the constraints of docs/board.md, section 3. Unless a test says otherwise it holds for
the default board and for the other reading, the strait.
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from typing import Any

import networkx as nx
import pytest

from oikumene.core.errors import DataError
from oikumene.games.mare_nostrum.board import SHIPPED, Board, Civ, load_board
from oikumene.games.mare_nostrum.cards import GOODS, HEROES

from . import oracle

MAP: dict[str, Any] = tomllib.loads(load_board().text)
PROVINCES = {row["id"]: row for row in MAP["province"]}
SEAS = {row["id"]: row for row in MAP["sea"]}
STRAIT = "reconstructed-1-strait"

AEGEAN, LIBYAN = "mare_aegaeum", "mare_libycum"
EGYPTIAN, IONIAN = "mare_aegyptium", "mare_ionium"
TYRRHENIAN = "mare_tyrrhenum"
TWO_FLEETS_OF_GREECE = {
    "constantinopolis", "troas", "cnossus", "rhodus", "cyrenae", "west_of_cyrenae",
}  # fmt: skip


@pytest.fixture(params=SHIPPED)
def board(request: pytest.FixtureRequest) -> Board:
    return load_board(request.param)


@pytest.fixture
def default() -> Board:
    return load_board()


# What the tests ask of a board, in ids.


def near(board: Board, province: str, *fleets: str) -> set[str]:
    """Neighbours by land, and over the seas with fleets."""
    return set(board.ids(board.neighbours(board.index[province], board.mask(*fleets))))


def oversea(board: Board, province: str, *fleets: str) -> set[str]:
    """Provinces on the chains of fleets that start at `province`, alone."""
    water = near(board, province, *fleets) - near(board, province)
    touched = {sea for sea in fleets if province in shore(board, sea)}
    return water | {p for sea in touched for p in shore(board, sea)} - {province}


def shore(board: Board, sea: str) -> set[str]:
    return set(board.ids(board.shore[board.index[sea] - len(board.provinces)]))


def goods(board: Board, province: str) -> set[str]:
    bit = board.mask(province)
    return {good for good, where in zip(GOODS, board.symbols, strict=True) if where & bit}


def sites(board: Board, province: str) -> set[str]:
    return set(board.site_names[board.index[province]])


def civ(board: Board, name: str) -> Civ:
    (found,) = (civ for civ in board.civs if civ.id == name)
    return found


def inland(board: Board) -> set[str]:
    return set(board.ids(board.everything & ~board.coast))


def home(board: Board, name: str) -> set[str]:
    """Where a civilization may build in the free start."""
    its = civ(board, name)
    return set(board.ids(1 << its.capital | board.land[its.capital] | its.extra))


def east_of(one: str, other: str) -> bool:
    places = PROVINCES | SEAS
    return bool(places[one]["lon"] > places[other]["lon"])


def north_of(one: str, other: str) -> bool:
    places = PROVINCES | SEAS
    return bool(places[one]["lat"] > places[other]["lat"])


# --- the shape ---------------------------------------------------------------------------------


def test_c1_there_are_33_land_and_island_provinces(board: Board) -> None:
    assert len(board.provinces) == MAP["provinces_expected"] == 33


def test_c2_there_are_ten_sea_zones(board: Board) -> None:
    assert len(board.seas) == MAP["seas_expected"] == 10


def test_c3_borders_go_both_ways_and_never_back_to_the_same_place(board: Board) -> None:
    for masks in (board.land, board.links):
        for one, mask in enumerate(masks):
            assert not mask >> one & 1
            for other, back in enumerate(masks):
                assert mask >> other & 1 == back >> one & 1
    for province, waters in enumerate(board.waters):
        for sea, shores in enumerate(board.shore):
            assert waters >> sea & 1 == shores >> province & 1


def test_c3_every_border_of_the_file_is_there_once() -> None:
    for table, ends in (("land", "a b"), ("sea_link", "a b"), ("coast", "sea province")):
        pairs = [frozenset(row[end] for end in ends.split()) for row in MAP[table]]
        assert len(set(pairs)) == len(pairs)
        assert all(len(pair) == 2 for pair in pairs)
        assert frozenset().union(*pairs) <= PROVINCES.keys() | SEAS.keys()


def drawing(board: Board, *, straits: bool = True) -> nx.Graph:
    """All places with all borders, as a graph."""
    graph = nx.Graph()
    graph.add_nodes_from(board.places)
    for province in board.provinces:
        graph.add_edges_from((province, other) for other in near(board, province))
    for number, sea in enumerate(board.seas):
        graph.add_edges_from((sea, other) for other in board.sea_ids(board.links[number]))
        graph.add_edges_from((sea, province) for province in shore(board, sea))
    if not straits:
        islands = board.ids(board.islands)
        graph.remove_edges_from([(i, p) for i in islands for p in near(board, i)])
    return graph


def test_c4_the_map_hangs_together_and_so_do_the_seas(board: Board) -> None:
    graph = drawing(board)
    assert len(graph) == 43
    assert nx.is_connected(graph)
    assert nx.is_connected(graph.subgraph(board.seas))


def test_c5_coasts_and_islands_touch_a_sea_and_inland_provinces_none(board: Board) -> None:
    for number, province in enumerate(board.provinces):
        on_the_water = PROVINCES[province]["kind"] != "inland"
        assert bool(board.waters[number]) == on_the_water == bool(board.coast >> number & 1)


def test_c6_islands_have_no_border_by_land(default: Board) -> None:
    assert all(not near(default, island) for island in default.ids(default.islands))


def test_c6_in_the_other_reading_the_strait_is_the_only_exception() -> None:
    board = load_board(STRAIT)
    joined = {island: near(board, island) for island in board.ids(board.islands)}
    assert {island: by for island, by in joined.items() if by} == {"syracusae": {"carthago"}}


# --- goods, sites, pieces ----------------------------------------------------------------------


def test_c7_twelve_goods_have_88_cards(board: Board) -> None:
    assert len(board.supply_cards) == 1 + len(GOODS) == 13
    assert sum(board.supply_cards[1:]) == 88


def test_c8_a_good_has_half_as_many_symbols_as_cards_and_there_are_38(board: Board) -> None:
    numbers = [mask.bit_count() for mask in board.symbols]
    assert [2 * number + 1 for number in numbers] == list(board.supply_cards[1:])
    assert set(numbers) == {2, 3, 5}
    assert sum(numbers) == 38


def test_c9_there_are_symbols_for_all_caravans_and_sites_for_all_cities(board: Board) -> None:
    caravans, cities, _, _ = board.buildings[5]
    assert sum(mask.bit_count() for mask in board.symbols) >= caravans == 28
    assert sum(board.sites) >= cities == 12


def test_c10_the_17_city_sites_are_half_of_the_tax_cards(board: Board) -> None:
    assert sum(board.sites) == (board.supply_cards[0] - 1) // 2 == 17
    assert [len(names) for names in board.site_names] == list(board.sites)


def test_the_box_holds_what_the_rules_list(board: Board) -> None:
    """MN-1.4 to 1.7 and MN-2.2."""
    assert sum(board.supply_cards) == 123
    assert board.buildings == {3: (18, 8, 8, 4), 4: (23, 10, 10, 5), 5: (28, 12, 12, 6)}
    pieces = (board.fleets, board.legions, board.fortresses, board.markers, board.dice)
    assert pieces == (5, 8, 8, 12, 8)
    assert sum(pieces[:4]) == 33


# --- single places -----------------------------------------------------------------------------


def test_c11_papyrus_grows_in_the_capital_province_of_egypt(board: Board) -> None:
    assert board.provinces[civ(board, "egypt").capital] == "alexandria"
    assert goods(board, "alexandria") == {"papyrus"}
    assert sites(board, "alexandria") == {"Alexandria", "Memphis"}


def test_c12_oil_grows_in_the_province_with_troas(board: Board) -> None:
    assert "oil" in goods(board, "troas")
    assert "Troas" in sites(board, "troas")


def test_c13_grain_grows_south_of_memphis_in_the_province_with_thebae(board: Board) -> None:
    assert goods(board, "thebae") == {"grain"}
    assert sites(board, "thebae") == {"Thebae"}
    assert "thebae" in near(board, "alexandria")
    assert north_of("alexandria", "thebae")


def test_c14_cattle_graze_between_alexandria_and_hierosolyma(board: Board) -> None:
    assert goods(board, "sinai") == {"cattle"}
    assert {"alexandria", "hierosolyma"} <= near(board, "sinai")
    assert east_of("sinai", "alexandria")
    assert north_of("hierosolyma", "sinai")


def test_c15_an_island_with_metal_lies_north_west_of_hierosolyma(board: Board) -> None:
    assert "metal" in goods(board, "cyprus")
    assert "cyprus" in board.ids(board.islands)
    assert east_of("hierosolyma", "cyprus")
    assert north_of("cyprus", "hierosolyma")


def test_c16_every_site_that_a_source_names_exists_once(board: Board) -> None:
    names = Counter(name for here in board.site_names for name in here)
    named = """Cnossus Thebae Memphis Troas Alexandria Cyrenae Athenae Constantinopolis Rhodus
        Hierosolyma Syracusae Carthago Roma Babylon Antiochia"""
    assert all(names[name] == 1 for name in named.split())


def test_c17_a_province_that_is_not_named_after_a_city_has_no_site(board: Board) -> None:
    unnamed = """north_of_roma south_of_roma west_of_carthago south_of_carthago west_of_cyrenae
        south_of_cyrenae tigris sinai north_of_athenae cyprus"""
    assert not any(sites(board, province) for province in unnamed.split())


def test_c18_a_sea_that_is_named_after_a_place_touches_it(board: Board) -> None:
    for sea, place in (
        (LIBYAN, "carthago"), (LIBYAN, "cnossus"), (AEGEAN, "athenae"), (EGYPTIAN, "alexandria"),
    ):  # fmt: skip
        assert place in shore(board, sea)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("north_of_roma", "roma"),
        ("roma", "south_of_roma"),
        ("carthago", "south_of_carthago"),
        ("cyrenae", "south_of_cyrenae"),
        ("north_of_athenae", "athenae"),
        ("cnossus", LIBYAN),
        (EGYPTIAN, "alexandria"),
    ],
)
def test_c18_what_the_sources_call_north_is_drawn_further_north(one: str, other: str) -> None:
    assert north_of(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("carthago", "west_of_carthago"),
        ("cyrenae", "west_of_cyrenae"),
        (AEGEAN, "athenae"),
        (LIBYAN, "carthago"),
        ("cnossus", LIBYAN),
        (IONIAN, "roma"),
        ("athenae", IONIAN),
    ],
)
def test_c18_what_the_sources_call_east_is_drawn_further_east(one: str, other: str) -> None:
    assert east_of(one, other)


# --- the fixed starts --------------------------------------------------------------------------

STARTS = {  # (province: cities, caravans, fortresses, choice), MN-4.2 to 4.7
    "rome": {
        "roma": (1, 2, 1, False),
        "north_of_roma": (0, 1, 0, True),
        "south_of_roma": (0, 1, 0, True),
    },
    "carthage": {
        "carthago": (1, 2, 1, False),
        "west_of_carthago": (0, 1, 0, True),
        "south_of_carthago": (0, 1, 0, False),
    },
    "greece": {
        "athenae": (2, 1, 1, False),
        "north_of_athenae": (0, 2, 0, False),
        "constantinopolis": (0, 0, 0, False),
    },
    "egypt": {
        "alexandria": (2, 0, 1, False),
        "thebae": (1, 0, 0, False),
        "cyrenae": (0, 1, 0, False),
    },
    "babylon": {
        "babylon": (1, 2, 1, False),
        "antiochia": (1, 0, 0, False),
        "tigris": (0, 1, 0, True),
    },
}


@pytest.mark.parametrize("name", STARTS)
def test_c19_to_c23_each_fixed_start_can_be_placed_with_the_choices_it_leaves(
    board: Board, name: str
) -> None:
    its = civ(board, name)
    found = {}
    for row in its.start:
        place = board.provinces[row.province]
        found[place] = (row.city, row.caravan, row.fortress, row.choice)
        symbols = len(goods(board, place))
        assert row.marker == 1
        assert row.city <= board.sites[row.province]
        if row.choice:
            assert symbols > row.caravan
        elif row.caravan or row.province in its.one_more_caravan_in:
            assert symbols == row.caravan + (row.province in its.one_more_caravan_in)
    assert found == STARTS[name]


def test_only_egypt_may_choose_the_province_of_a_caravan(board: Board) -> None:
    """MN-4.3: papyrus in the capital, or grain at Thebae."""
    more = {its.id: [board.provinces[p] for p in its.one_more_caravan_in] for its in board.civs}
    assert {name: places for name, places in more.items() if places} == {
        "egypt": ["alexandria", "thebae"]
    }


def start_pieces(its: Civ) -> Counter[str]:
    pieces = Counter(caravan=1 if its.one_more_caravan_in else 0)
    for row in its.start:
        pieces.update(marker=row.marker, city=row.city, caravan=row.caravan, fortress=row.fortress)
    return pieces


def test_c24_every_fixed_start_is_worth_the_36_points_of_the_free_one(board: Board) -> None:
    hero = 9
    for its in board.civs:
        assert 3 * start_pieces(its).total() + hero == 36


def test_c25_starts_lie_in_the_capital_next_to_it_or_in_the_greek_exceptions(board: Board) -> None:
    for its in board.civs:
        assert {board.provinces[row.province] for row in its.start} <= home(board, its.id)


@pytest.mark.parametrize(
    ("names", "caravans", "cities"),
    [
        ("rome carthage greece egypt babylon", 16, 9),
        ("rome carthage greece egypt", 13, 7),
        ("carthage greece babylon", 10, 5),
    ],
)
def test_c26_the_starts_fit_the_supply(
    board: Board, names: str, caravans: int, cities: int
) -> None:
    total: Counter[str] = Counter()
    for name in names.split():
        total += start_pieces(civ(board, name))
    assert (total["caravan"], total["city"]) == (caravans, cities)
    supply = board.buildings[len(names.split())]
    assert caravans <= supply[0]
    assert cities <= supply[1]


def test_the_civilizations_have_their_capitals_heroes_and_first_roles(board: Board) -> None:
    """MN-1.9, MN-4.10."""
    assert [(its.id, board.provinces[its.capital], its.hero, its.role) for its in board.civs] == [
        ("rome", "roma", "caesar", "military"),
        ("carthage", "carthago", "hannibal", "commerce"),
        ("greece", "athenae", "pericles", ""),
        ("egypt", "alexandria", "cleopatra", "political"),
        ("babylon", "babylon", "hammurabi", ""),
    ]
    assert all(its.hero in HEROES for its in board.civs)


# --- worked examples of the sources ------------------------------------------------------------


def test_c27_cyrenae_lies_between_alexandria_and_the_province_to_its_west(board: Board) -> None:
    assert "cyrenae" in near(board, "alexandria")
    assert "west_of_cyrenae" in near(board, "cyrenae") - near(board, "alexandria")


def test_c28_two_greek_fleets_open_six_provinces_carthago_and_syracusae(default: Board) -> None:
    found = oversea(default, "athenae", AEGEAN, LIBYAN)
    assert found == TWO_FLEETS_OF_GREECE | {"carthago", "syracusae"}


def test_c28_in_the_other_reading_they_do_not_open_syracusae() -> None:
    found = oversea(load_board(STRAIT), "athenae", AEGEAN, LIBYAN)
    assert found == TWO_FLEETS_OF_GREECE | {"carthago"}


def test_c29_ex_adj_1_exactly_six_provinces_may_get_a_greek_marker(board: Board) -> None:
    """Carthago, Syracusae and the province north of Athenae carry foreign markers."""
    foreign = board.mask("carthago", "syracusae", "north_of_athenae")
    own = board.mask("athenae")
    open_to_it = board.joined(own, board.mask(AEGEAN, LIBYAN)) & ~own & ~foreign
    assert set(board.ids(open_to_it)) == TWO_FLEETS_OF_GREECE


def test_ex_adj_2_a_marker_of_this_round_does_not_lead_any_further(board: Board) -> None:
    now = board.joined(board.mask("alexandria"), 0)
    later = board.joined(board.mask("alexandria", "cyrenae"), 0)
    assert now & board.mask("cyrenae")
    assert not now & board.mask("west_of_cyrenae")
    assert later & board.mask("west_of_cyrenae")


def coastal_africa(board: Board) -> set[str]:
    africa = {p for p, row in PROVINCES.items() if row["region"] == "north_africa"}
    return africa - inland(board)


def test_c30_ex_adj_3_two_fleets_take_carthage_to_all_of_africa_and_five_more(
    board: Board,
) -> None:
    africa = {"west_of_carthago", "carthago", "west_of_cyrenae", "cyrenae", "alexandria"}
    assert coastal_africa(board) == africa
    beyond = {"hierosolyma", "sinai", "syracusae", "cnossus", "cyprus"}
    found = near(board, "carthago", LIBYAN, EGYPTIAN)
    assert found - inland(board) == africa - {"carthago"} | beyond


def test_c31_ex_adj_3_the_only_other_neighbour_is_the_one_to_the_south(board: Board) -> None:
    found = near(board, "carthago", LIBYAN, EGYPTIAN)
    assert found & inland(board) == {"south_of_carthago"}


def test_c32_ex_adj_3_legions_can_go_to_cyrenae_and_to_hierosolyma(board: Board) -> None:
    assert {"cyrenae", "hierosolyma"} <= near(board, "carthago", LIBYAN, EGYPTIAN)


def test_c33_cyrenae_can_be_attacked_from_the_west_and_from_the_south(board: Board) -> None:
    assert {"west_of_cyrenae", "south_of_cyrenae"} <= near(board, "cyrenae")


def test_c34_one_sea_lies_between_roma_and_athenae_and_the_province_north_of_it(
    board: Board,
) -> None:
    assert {"roma", "athenae", "north_of_athenae"} <= shore(board, IONIAN)
    assert "north_of_athenae" in oversea(board, "roma", IONIAN)


def test_c35_legions_stopped_in_roma_can_still_walk(board: Board) -> None:
    assert near(board, "roma")


def test_c36_carthage_can_walk_to_thebae_around_the_egyptian_capital(board: Board) -> None:
    land = nx.Graph((p, q) for p in board.provinces for q in near(board, p))
    land.remove_node("alexandria")
    assert nx.has_path(land, "carthago", "thebae")


# --- public facts ------------------------------------------------------------------------------


def test_c37_athenae_has_one_neighbour_by_land(board: Board) -> None:
    assert near(board, "athenae") == {"north_of_athenae"}


def test_c38_the_greek_exceptions_are_all_others_on_the_aegean(board: Board) -> None:
    assert set(board.ids(civ(board, "greece").extra)) == shore(board, AEGEAN) - {"athenae"}
    assert [its.id for its in board.civs if its.extra] == ["greece"]


def test_c39_italy_is_three_provinces_and_egypt_needs_two_fleets_to_land(board: Board) -> None:
    assert sum(row["region"] == "italia" for row in PROVINCES.values()) == 3
    assert "south_of_roma" in oversea(board, "cyrenae", LIBYAN, IONIAN)
    for sea in board.seas:
        for start in ("cyrenae", "alexandria"):
            assert "south_of_roma" not in near(board, start, sea)


def test_c40_a_province_lies_just_east_of_carthago(board: Board) -> None:
    assert "west_of_cyrenae" in near(board, "carthago")
    assert east_of("west_of_cyrenae", "carthago")


def test_c41_a_land_way_leads_from_rome_along_the_balkan_coast_to_greece(board: Board) -> None:
    assert {"north_of_roma", "north_of_athenae"} <= near(board, "illyria")
    assert "illyria" not in inland(board)


# --- plausibility ------------------------------------------------------------------------------


def test_c42_every_civilization_has_room_to_start_and_at_least_three_neighbours(
    board: Board,
) -> None:
    for its in board.civs:
        capital = board.provinces[its.capital]
        across = {
            p for sea in board.seas if capital in shore(board, sea) for p in shore(board, sea)
        }
        assert 3 <= len(home(board, its.id)) <= 6
        assert len((near(board, capital) | across) - {capital}) >= 3


EDGE = [
    "north_of_roma", "illyria", "moesia", "pontus_euxinus", "pontus", "armenia", "tigris",
    "babylon", "arabia", "sinai", "thebae", "south_of_cyrenae", "south_of_carthago",
    "west_of_carthago", "mare_sardoum", "mare_ligusticum",
]  # fmt: skip


def test_c43_the_map_can_be_drawn_with_these_places_at_its_edge(board: Board) -> None:
    """A strait is an arrow over water, no border: it is not part of the drawing."""
    graph = drawing(board, straits=False)
    graph.add_edges_from(("edge", place) for place in EDGE)
    planar, _ = nx.check_planarity(graph)
    assert planar


def sketch(board: Board, *seas: tuple[str, set[str]]) -> bool:
    """Whether the land can be drawn with these seas in the middle.

    All western and northern waters are one, W, open to the edge; E is the Aegean, N the sea north
    of Alexandria, with only the contacts that the sources force.
    """
    graph = nx.Graph((p, q) for p in board.provinces for q in near(board, p) if p != "syracusae")
    graph.add_edges_from(("edge", place) for place in EDGE if place in board.provinces)
    graph.add_edge("edge", "W")
    west = """carthago west_of_carthago roma north_of_roma south_of_roma athenae north_of_athenae
        illyria syracusae"""
    graph.add_edges_from(("W", place) for place in west.split())
    graph.add_edges_from(("E", place) for place in shore(board, AEGEAN))
    graph.add_edges_from(("N", p) for p in ("alexandria", "sinai", "hierosolyma", "cyprus"))
    for sea, touches in seas:
        graph.add_edges_from((sea, place) for place in touches)
    return bool(nx.check_planarity(graph)[0])


def test_c44_one_sea_east_of_carthago_and_south_west_of_cnossus_can_be_drawn(
    default: Board,
) -> None:
    all_of_it = {"carthago", "syracusae", "cyrenae", "west_of_cyrenae", "cnossus", "E", "N", "W"}
    assert sketch(default, ("A", all_of_it))


@pytest.mark.parametrize("way", ["E", "athenae"])
def test_c44_two_such_seas_cannot_be_drawn(default: Board, way: str) -> None:
    """So the two lists of the sources speak of one sea, and one of them lacks Syracusae."""
    east_of_carthago = {"carthago", "syracusae", "N"}
    south_west_of_cnossus = {"cyrenae", "west_of_cyrenae", "cnossus", way}
    assert not sketch(default, ("A", east_of_carthago), ("B", south_west_of_cnossus))


def test_c45_every_fact_says_how_it_is_known_and_the_known_ones_where_it_stands() -> None:
    rows = [row for table in ("land", "sea", "sea_link", "coast", "civ") for row in MAP[table]]
    rows += PROVINCES.values()
    details = [x for row in PROVINCES.values() for x in row["sites"] + row["symbols"]]
    for row in rows + details:
        if row["prov"] in ("seed", "public"):
            assert row["cite"].strip()
    found = Counter(row["prov"] for row in rows + details)
    found += Counter(row[key] for row in PROVINCES.values() for key in ("kind_prov",))
    found += Counter(row["symbols_count_prov"] for row in PROVINCES.values())
    assert found == {"seed": 110, "public": 10, "reconstructed": 146}


def test_the_board_tells_which_of_its_facts_are_reconstructed(default: Board) -> None:
    """The numbers of docs/board.md."""
    told = {facts.kind: (facts.total, len(facts.reconstructed)) for facts in default.reconstructed}
    assert told == {
        "province": (33, 6),
        "kind": (33, 19),
        "symbols_count": (33, 20),
        "symbol": (38, 33),
        "site": (17, 2),
        "land": (41, 25),
        "sea": (10, 6),
        "sea_link": (14, 11),
        "coast": (42, 24),
        "civ": (5, 0),
    }
    sure = {facts.kind: facts.reconstructed for facts in default.reconstructed}
    assert sure["site"] == ("phoenicia Tyrus", "athenae Sparta")
    assert "roma fish" in sure["symbol"]
    assert "pontus troas" in sure["land"]


# --- the board as a thing ----------------------------------------------------------------------


def test_adjacency_agrees_with_the_second_opinion_for_every_set_of_fleets(board: Board) -> None:
    """All 1024 sets of zones; the provinces are drawn by lot."""
    seen = oracle.with_variant(MAP, "strait") if board.name == STRAIT else MAP
    lot = random.Random(17)
    for fleets in range(1 << len(board.seas)):
        zones = board.sea_ids(fleets)
        for province in lot.sample(board.provinces, 3):
            assert near(board, province, *zones) == oracle.adjacent(seen, province, zones)


def test_joined_is_the_union_of_the_neighbours(board: Board) -> None:
    lot = random.Random(18)
    for _ in range(300):
        fleets = lot.randrange(1 << len(board.seas))
        chosen = lot.sample(range(len(board.provinces)), lot.randrange(6))
        union = 0
        for province in chosen:
            union |= board.neighbours(province, fleets)
        mask = sum(1 << province for province in chosen)
        assert board.joined(mask, fleets) == board.joined(mask, fleets) == union


def test_the_caches_never_grow_without_bound(
    default: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oikumene.games.mare_nostrum.board._REACHES", 1)
    monkeypatch.setattr("oikumene.games.mare_nostrum.board._JOINS", 1)
    for fleets in range(8):
        assert default.neighbours(0, fleets) == default.joined(1, fleets)
    assert len(default._reach) == len(default._joined) == 1


def test_places_are_provinces_then_seas_and_each_has_its_number(board: Board) -> None:
    assert board.places == board.provinces + board.seas
    assert [board.index[place] for place in board.places] == list(range(43))
    assert len(board.names) == len(board.spots) == 43
    assert board.names[board.index["cyprus"]] == "Cyprus"
    assert board.spots[board.index[LIBYAN]] == (18.8, 34.3)
    assert board.everything == (1 << 33) - 1
    assert board.islands & ~board.coast == 0


def test_masks_and_ids_are_inverse(board: Board) -> None:
    assert board.ids(board.mask("roma", "cyprus", "roma")) == ("roma", "cyprus")
    assert board.sea_ids(board.mask(AEGEAN, TYRRHENIAN)) == (TYRRHENIAN, AEGEAN)
    assert board.mask() == 0


def test_a_mask_of_unknown_or_mixed_places_is_refused(board: Board) -> None:
    with pytest.raises(DataError, match="no place `atlantis`"):
        board.mask("roma", "atlantis")
    with pytest.raises(DataError, match="provinces and seas mixed"):
        board.mask("roma", AEGEAN)


def test_a_board_is_loaded_once_and_cannot_be_changed(board: Board) -> None:
    assert load_board(board.name) is board
    assert board.name in repr(board)
    with pytest.raises(AttributeError):
        board.name = "mine"  # type: ignore[misc]  # what is shown here is that it fails


def test_an_unknown_board_is_refused_with_the_known_ones() -> None:
    with pytest.raises(DataError, match=r"reconstructed-1, reconstructed-1-strait.*--map"):
        load_board("printed")


def test_shipped_boards_never_change() -> None:
    """A correction is a new version with a new name; records hold these digests."""
    assert {name: load_board(name).digest for name in SHIPPED} == {
        "reconstructed-1": "b5b1b3213952c558ae65dbf318034451",
        STRAIT: "7f1612791e73e96a4e072c3137c18dca",
    }
