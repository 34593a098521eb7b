"""Maps given by hand: what is read, and every fault a file can have, with the advice it gets."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from oikumene.core.errors import DataError
from oikumene.games.mare_nostrum.board import load_board, read_board

Doc = dict[str, Any]
MAP = tomllib.loads(load_board().text)


def dump(value: Any) -> str:
    """A TOML value; tables are written inline."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {dump(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(dump, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def text_of(doc: Doc) -> str:
    return "\n".join(f"{key} = {dump(value)}" for key, value in doc.items())


def copy(**changes: Any) -> Doc:
    return deepcopy(MAP) | changes


def row(doc: Doc, table: str, **where: Any) -> Doc:
    """The one row of a table with these values."""
    (found,) = (r for r in doc[table] if all(r.get(k) == v for k, v in where.items()))
    assert isinstance(found, dict)
    return found


def province(doc: Doc, name: str) -> Doc:
    return row(doc, "province", id=name)


def start(doc: Doc, civ: str, place: str) -> Doc:
    found: Doc = row(row(doc, "civ", id=civ), "start", province=place)
    return found


def add_border(doc: Doc, a: str, b: str, **more: Any) -> None:
    doc["land"].append({"a": a, "b": b, "prov": "owner", **more})


def add_coast(doc: Doc, sea: str, place: str) -> None:
    doc["coast"].append({"sea": sea, "province": place, "prov": "owner"})


def add_provinces(doc: Doc, number: int) -> None:
    """Provinces `more_0`, ... beside Moesia."""
    doc.pop("provinces_expected")
    for name in (f"more_{n}" for n in range(number)):
        doc["province"].append({**province(doc, "arabia"), "id": name, "symbols": []})
        add_border(doc, name, "moesia")


def add_seas(doc: Doc, number: int) -> None:
    """Sea zones `water_0`, ... beside the Mare Ionium."""
    doc.pop("seas_expected")
    for name in (f"water_{n}" for n in range(number)):
        doc["sea"].append({**row(doc, "sea", id="mare_ionium"), "id": name})
        doc["sea_link"].append({"a": name, "b": "mare_ionium", "prov": "owner"})


def unreachable(doc: Doc) -> None:
    add_provinces(doc, 1)
    doc["land"].pop()


# --- what is read ------------------------------------------------------------------------------


def test_a_file_without_comments_and_in_another_order_is_the_same_board() -> None:
    doc = dict(reversed(copy().items()))
    doc["land"] = [{"b": r["a"], "a": r["b"], "prov": r["prov"]} for r in reversed(doc["land"])]
    for name in ("coast", "sea_link"):
        doc[name].reverse()
    board = read_board(text_of(doc))
    assert board.name == "reconstructed-1"
    assert board.digest == load_board().digest
    assert board.land == load_board().land


@pytest.mark.parametrize("name", ["", "mine"])
def test_a_board_has_the_name_it_is_given_or_that_of_its_file(name: str) -> None:
    board = read_board(text_of(copy(name="ours-2")), name)
    assert board.name == (name or "ours-2")
    assert board.text.startswith("format = 1")


def test_prose_and_drawing_are_not_in_the_digest() -> None:
    doc = copy(name="prose")
    place = province(doc, "roma")
    place |= {"name": "Rome", "about": "the city", "cite": "seen", "prov": "owner", "lat": 41.9}
    place["sites"][0]["name"] = "Rome"
    board = read_board(text_of(doc))
    assert board.digest == load_board().digest
    assert board.names[board.index["roma"]] == "Rome"


def remove_border(doc: Doc) -> None:
    doc["land"].remove(row(doc, "land", a="pontus", b="troas"))


def remove_link(doc: Doc) -> None:
    doc["sea_link"].pop()


def remove_coast(doc: Doc) -> None:
    doc["coast"].remove(row(doc, "coast", sea="mare_cilicium", province="cyprus"))


def other_symbol(doc: Doc) -> None:
    province(doc, "cyprus")["symbols"][0]["good"] = "gold"


def less_sites(doc: Doc) -> None:
    province(doc, "cyrenae")["sites"].clear()


def other_kind(doc: Doc) -> None:
    province(doc, "cyprus")["kind"] = "coast"


def other_supply(doc: Doc) -> None:
    doc["pieces"]["caravans"]["p4"] = 24


def more_cards(doc: Doc) -> None:
    doc["goods"]["gems"] = 6


def other_order(doc: Doc) -> None:
    doc["province"].reverse()


def other_start(doc: Doc) -> None:
    start(doc, "babylon", "antiochia")["city"] = 0


def no_exception(doc: Doc) -> None:
    row(doc, "civ", id="greece")["free_setup_extra"].remove("troas")


@pytest.mark.parametrize(
    "edit",
    [
        remove_border, remove_link, remove_coast, other_symbol, less_sites, other_kind,
        other_supply, more_cards, other_order, other_start, no_exception,
    ],
)  # fmt: skip
def test_every_fact_that_the_rules_see_is_in_the_digest(edit: Callable[[Doc], None]) -> None:
    doc = copy(name="changed")
    edit(doc)
    assert read_board(text_of(doc)).digest != load_board().digest


def test_a_corrected_board_may_have_other_numbers_of_places() -> None:
    doc = copy(name="bigger")
    add_provinces(doc, 27)
    add_seas(doc, 10)
    board = read_board(text_of(doc))
    assert (len(board.provinces), len(board.seas)) == (60, 20)


def test_a_file_may_list_neighbours_as_one_reads_a_board() -> None:
    doc = copy(name="lists")
    board = load_board()
    for number, place in enumerate(board.provinces):
        its = province(doc, place)
        its["borders"] = list(board.ids(board.land[number]))
        its["seas"] = list(board.sea_ids(board.waters[number]))
    assert read_board(text_of(doc)).digest == board.digest


def test_an_island_may_have_a_strait() -> None:
    doc = copy(name="strait")
    add_border(doc, "syracusae", "south_of_roma", strait=True)
    board = read_board(text_of(doc))
    assert board.ids(board.land[board.index["syracusae"]]) == ("south_of_roma",)


def test_the_strait_is_read_from_the_same_file_under_its_own_name() -> None:
    text, strait = load_board().text, load_board("reconstructed-1-strait")
    assert read_board(text, "reconstructed-1-strait").digest == strait.digest
    assert strait.text == text
    assert strait.reconstructed != load_board().reconstructed


@pytest.mark.parametrize("name", ["strait", "reconstructed-1", "reconstructed-1-mine"])
def test_a_name_that_only_looks_like_a_variant_is_just_a_name(name: str) -> None:
    assert read_board(load_board().text, name).digest == load_board().digest


# --- faults ------------------------------------------------------------------------------------

Fault = tuple[str, Callable[[Doc], Any], str]

SHAPE: list[Fault] = [
    ("no format", lambda d: d.pop("format"), "format: is missing.*`format = 1`"),
    ("format of words", lambda d: d.update(format="one"), "not a whole number"),
    ("format is true", lambda d: d.update(format=True), "not a whole number"),
    ("newer format", lambda d: d.update(format=2), "2 is newer than this program knows.*newer"),
    ("unknown key", lambda d: d.update(rivers=[]), "the file: unknown key 'rivers'.*spelling"),
    (
        "unknown key of a province",
        lambda d: province(d, "roma").update(legions=1),
        "province roma: unknown key 'legions'",
    ),
    (
        "unknown key of a start",
        lambda d: start(d, "rome", "roma").update(temple=1),
        "civ rome, `start`, row 1: unknown key 'temple'",
    ),
    ("no provinces", lambda d: d.pop("province"), "the file: `province` is missing"),
    ("no name", lambda d: d.pop("name"), "`name` is missing"),
    ("name in capitals", lambda d: d.update(name="My map"), "'My map' cannot name a board"),
    ("a table is a number", lambda d: d.update(pieces=3), "`pieces`: is not a table"),
    ("a list is a table", lambda d: d.update(land={}), "`land`: is not a list"),
    ("a row is a number", lambda d: d["land"].append(3), "`land` no. 42: is not a table"),
    ("a row with wrong ends", lambda d: d["land"][0].update(a=[]), r"land no. 1, `a`: \[\] is no"),
    ("a row without ends", lambda d: d["land"].append({}), "land no. 42: `a` is missing"),
    ("variants as a list", lambda d: d.update(variant=[]), "`variant`: is not a table"),
    (
        "a variant with a bad name",
        lambda d: d.update(variant={"A b": {"note": "x"}}),
        "'A b' is not an id",
    ),
    (
        "a variant with half a border",
        lambda d: d["variant"]["strait"].update(add_land=[["roma"]]),
        r"variant strait, `add_land` no. 1: \['roma'\] is not a pair",
    ),
    (
        "id in capitals",
        lambda d: province(d, "roma").update(id="Roma"),
        "province Roma, `id`: 'Roma' is not an id",
    ),
    (
        "id is a number",
        lambda d: province(d, "roma").update(id=7),
        "province no. 2, `id`: 7 is not an id",
    ),
    ("empty name", lambda d: province(d, "roma").update(name=" "), "`name`: ' ' is not a text"),
    ("no such kind", lambda d: province(d, "roma").update(kind="lake"), "'lake' is not one of inl"),
    ("far away", lambda d: province(d, "roma").update(lon=500), "500 is not a number of degrees"),
    (
        "no provenance",
        lambda d: d["land"][0].pop("prov"),
        "land north_of_roma - roma: `prov` is missing",
    ),
    (
        "unknown provenance",
        lambda d: d["coast"][0].update(prov="guess"),
        "coast mare_ligusticum - north_of_roma, `prov`: 'guess' is not one of seed, public, own",
    ),
    (
        "a symbol without provenance",
        lambda d: province(d, "roma")["symbols"][1].pop("prov"),
        "province roma, `symbols` no. 2: `prov` is missing",
    ),
    (
        "unknown good of a symbol",
        lambda d: province(d, "roma")["symbols"][0].update(good="pottery"),
        "province roma, `symbols` no. 1, `good`: 'pottery' is not one of perfume",
    ),
    ("a strait of words", lambda d: d["land"][0].update(strait="yes"), "'yes' is not true or fal"),
    ("unknown role", lambda d: d["civ"][0].update(role="king"), "'king' is not military"),
    ("half a caravan", lambda d: start(d, "rome", "roma").update(caravan=0.5), "0.5 is not a who"),
    ("minus one", lambda d: d["pieces"].update(fleets=-1), "-1 is not a whole number from 0 to 99"),
    ("too many", lambda d: d["pieces"].update(fleets=100), "100 is not a whole number"),
    (
        "eleven goods",
        lambda d: d["goods"].pop("gold"),
        "not the twelve goods.*'gold'.*exactly perf",
    ),
    ("thirteen goods", lambda d: d["goods"].update(pottery=5), "missing or unknown.*'pottery'"),
    (
        "goods in another order",
        lambda d: d.update(goods=dict(reversed(d["goods"].items()))),
        "another order.*perfume papyrus gold gems oil wine cattle fruit metal grain fish slaves",
    ),
]

GRAPH: list[Fault] = [
    ("no province at all", lambda d: d.update(province=[]), r"\[\[province\]\]: 0 of them"),
    (
        "too many provinces",
        lambda d: add_provinces(d, 28),
        "61 of them; a board has 1 to 60",
    ),
    (
        "too many seas",
        lambda d: add_seas(d, 11),
        "21 of them; a board has 1 to 20",
    ),
    (
        "a province too few",
        lambda d: d["province"].pop(),
        "32 of them, but provinces_expected = 33; add what is missing, or correct",
    ),
    ("a sea too few", lambda d: d["sea"].pop(), "9 of them, but seas_expected = 10"),
    (
        "an id twice",
        lambda d: province(d, "corsica").update(id="sardinia"),
        "sardinia: this id is used 2 times; give each its own id",
    ),
    (
        "a sea with the id of a province",
        lambda d: d["sea"][0].update(id="roma"),
        "roma: this id is used 2 times",
    ),
    (
        "a city site twice",
        lambda d: province(d, "thebae")["sites"][0].update(name="Memphis"),
        "city site Memphis: listed 2 times",
    ),
    (
        "unknown province in a border",
        lambda d: add_border(d, "roma", "atlantis"),
        r"land roma - atlantis: unknown province `atlantis`; mend the spelling, or add it",
    ),
    (
        "a sea in a border by land",
        lambda d: add_border(d, "roma", "mare_ionium"),
        "unknown province `mare_ionium`",
    ),
    (
        "unknown sea",
        lambda d: add_coast(d, "red_sea", "thebae"),
        "coast red_sea - thebae: unknown sea `red_sea`",
    ),
    (
        "unknown sea in a link",
        lambda d: d["sea_link"][0].update(b="atlantic"),
        "sea_link mare_ligusticum - atlantic: unknown sea `atlantic`",
    ),
    (
        "a border with itself",
        lambda d: add_border(d, "roma", "roma"),
        "land roma - roma: a border of a place with itself; name its neighbour",
    ),
    (
        "a border twice",
        lambda d: add_border(d, "roma", "north_of_roma"),
        "land roma - north_of_roma: this border is there twice; leave one out",
    ),
    (
        "a coast twice",
        lambda d: add_coast(d, "mare_ionium", "roma"),
        "coast mare_ionium - roma: this border is there twice",
    ),
    (
        "inland with a sea",
        lambda d: add_coast(d, "mare_libycum", "thebae"),
        "province thebae: inland, yet on mare_libycum; make it kind",
    ),
    (
        "coast without a sea",
        lambda d: province(d, "thebae").update(kind="coast"),
        "province thebae: coast without a sea; add its",
    ),
    (
        "island without a sea",
        lambda d: (
            d["coast"].remove(row(d, "coast", sea="mare_aegaeum", province="rhodus"))
            or d["coast"].remove(row(d, "coast", sea="mare_cilicium", province="rhodus"))
        ),
        "province rhodus: island without a sea",
    ),
    (
        "an island with a border",
        lambda d: add_border(d, "syracusae", "south_of_roma"),
        "province syracusae: an island with a border to south_of_roma; .*strait = true",
    ),
    (
        "a list without the border",
        lambda d: province(d, "roma").update(borders=["north_of_roma", "south_of_roma", "illyria"]),
        r"province roma, `borders`: lists illyria, no \[\[land\]\] joins them; add",
    ),
    (
        "a list on one side only",
        lambda d: (
            province(d, "roma").update(borders=["north_of_roma", "south_of_roma", "illyria"]),
            province(d, "illyria").update(borders=["north_of_roma", "north_of_athenae", "moesia"]),
        ),
        "province roma, `borders`: lists illyria.* and illyria does not list it",
    ),
    (
        "a border missing in a list",
        lambda d: province(d, "roma").update(borders=["north_of_roma"]),
        r"province roma, `borders`: lacks south_of_roma, which \[\[land\]\] joins to it",
    ),
    (
        "a list with a name twice",
        lambda d: province(d, "thebae").update(borders=["alexandria", "alexandria"]),
        "`borders`: alexandria is listed 2 times; list it once",
    ),
    (
        "a list with an unknown place",
        lambda d: province(d, "thebae").update(borders=["nubia"]),
        "province thebae, `borders`: unknown province `nubia`",
    ),
    (
        "a list of seas without the coast",
        lambda d: province(d, "roma").update(seas=["mare_ionium"]),
        r"province roma, `seas`: lacks mare_tyrrhenum, which \[\[coast\]\] joins to it",
    ),
    (
        "a list of seas with a wrong one",
        lambda d: province(d, "thebae").update(seas=["mare_aegyptium"]),
        r"lists mare_aegyptium, no \[\[coast\]\] joins them; add",
    ),
    (
        "an unreachable province",
        unreachable,
        "the map: no way leads from north_of_roma to more_0; add the borders",
    ),
]

RULES: list[Fault] = [
    (
        "two symbols of a good in a province",
        lambda d: province(d, "roma")["symbols"][0].update(good="grain"),
        "province roma: 2 symbols of grain; a province has at most one",
    ),
    (
        "fewer cards than symbols",
        lambda d: d["goods"].update(slaves=4),
        "4 slaves cards for 5 symbols; correct the number of cards",
    ),
    (
        "fewer tax cards than sites",
        lambda d: d["pieces"].update(tax_cards=16),
        "16 tax cards for 17 city sites",
    ),
    (
        "more cards of a kind than a hand can count",
        lambda d: d["goods"].update(fish=64),
        "64 fish cards; a kind can have 63 at most",
    ),
    (
        "more cards than a hand can count",
        lambda d: d["goods"].update(fish=15),
        "more than 126 cards",
    ),
    (
        "a civilization too few",
        lambda d: d["civ"].pop(),
        r"\[\[civ\]\]: missing or unknown: babylon; list exactly rome carthage",
    ),
    (
        "a civilization of another game",
        lambda d: d["civ"][0].update(id="atlantis"),
        "missing or unknown: atlantis, rome",
    ),
    (
        "a civilization twice",
        lambda d: d["civ"].append(d["civ"][0]),
        "rome: this id is used 2 times",
    ),
    ("a role twice", lambda d: d["civ"][1].update(role="military"), "2 of them start as military"),
    (
        "another hero",
        lambda d: d["civ"][0].update(hero="hannibal"),
        "civ rome: its hero cannot be hannibal; write caesar",
    ),
    (
        "unknown capital",
        lambda d: d["civ"][0].update(capital="ostia"),
        "civ rome, `capital`: unknown province `ostia`",
    ),
    (
        "unknown exception",
        lambda d: d["civ"][2]["free_setup_extra"].append("ithaca"),
        "civ greece, `free_setup_extra`: unknown province `ithaca`",
    ),
    (
        "an exception twice",
        lambda d: d["civ"][2]["free_setup_extra"].append("troas"),
        "troas is listed 2 times",
    ),
    (
        "no start in the capital",
        lambda d: d["civ"][0]["start"].pop(0),
        "civ rome, `start`: no row for the capital roma; add it",
    ),
    (
        "a start in an unknown province",
        lambda d: start(d, "rome", "north_of_roma").update(province="gallia"),
        "civ rome, `start`, gallia: unknown province `gallia`",
    ),
    (
        "two rows for a province",
        lambda d: d["civ"][0]["start"].append({"province": "roma", "marker": 1}),
        "civ rome, `start`, roma: 2 rows for it; put them into one",
    ),
    (
        "a start far from the capital",
        lambda d: d["civ"][0]["start"].append({"province": "sardinia", "marker": 1}),
        "sardinia: neither the capital nor next to it nor an exception; move it",
    ),
    (
        "no marker",
        lambda d: start(d, "rome", "north_of_roma").update(marker=0),
        "north_of_roma: 0 markers; a province of a start has exactly one",
    ),
    (
        "two fortresses",
        lambda d: start(d, "rome", "roma").update(fortress=2),
        "2 fortresses; a province holds one",
    ),
    (
        "more cities than sites",
        lambda d: start(d, "rome", "roma").update(city=2),
        "civ rome, `start`, roma: 2 cities on 1 city sites; correct",
    ),
    (
        "more caravans than symbols",
        lambda d: start(d, "carthage", "south_of_carthago").update(caravan=2),
        "south_of_carthago: 2 caravans on 1 symbols; correct",
    ),
    (
        "no symbol for the one more",
        lambda d: d["civ"][3]["one_more_caravan_in"].append("cyrenae"),
        "cyrenae: 1 caravans and the one more on 1 symbols",
    ),
    (
        "the one more where no marker is",
        lambda d: d["civ"][3]["one_more_caravan_in"].append("sinai"),
        "one_more_caravan_in names sinai, where no marker lies; add its row",
    ),
    (
        "a choice of nothing",
        lambda d: start(d, "carthage", "south_of_carthago").update(choice=True),
        "choice = true, but 1 caravans on 1 symbols leave none; leave `choice` out",
    ),
    (
        "a choice that nobody makes",
        lambda d: start(d, "rome", "roma").update(caravan=1),
        "roma: 1 caravans on 2 symbols; say choice = true",
    ),
    (
        "two home areas meet",
        lambda d: add_border(d, "roma", "west_of_carthago"),
        "province west_of_carthago: in the home areas of rome and carthage",
    ),
    (
        "too few caravans",
        lambda d: d["pieces"]["caravans"].update(p5=15),
        "15 caravans for 5 players, 16 needed; correct",
    ),
    ("too few cities", lambda d: d["pieces"]["cities"].update(p4=7), "7 cities for 4 players, 8"),
    ("no temple", lambda d: d["pieces"]["temples"].update(p3=0), "0 temples for 3 players, 1 nee"),
    ("too few legions", lambda d: d["pieces"].update(legions=4), "4 legions, a set-up needs 5"),
    ("too few markers", lambda d: d["pieces"].update(markers=2), "2 markers, a set-up needs 5"),
    ("no fortress", lambda d: d["pieces"].update(fortresses=0), "0 fortresses, a set-up needs 1"),
    ("no fleet", lambda d: d["pieces"].update(fleets=0), "0 fleets, a set-up needs 1"),
    ("no dice", lambda d: d["pieces"].update(dice=0), "0 dice, a set-up needs 1"),
]

FAULTS = SHAPE + GRAPH + RULES


@pytest.mark.parametrize(("edit", "message"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_fault_is_named_with_its_place_and_what_to_do(
    edit: Callable[[Doc], Any], message: str
) -> None:
    doc = copy(name="broken")
    edit(doc)
    with pytest.raises(DataError, match=message) as caught:
        read_board(text_of(doc))
    assert str(caught.value).startswith("map file: ")
    assert "; " in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format = 1\nname name", "map mine: the file: is not TOML .*line 2"),
        ("format = " + "[" * 2000, "is not TOML"),
        ("format = " + "9" * 5000, "is not TOML"),
        ("format = 1 # " + "x" * 300_000, "is longer than 256 KiB"),
        ("format = 1\n[goods]\nx = " + "[" * 40 + "]" * 40, "not the twelve goods"),
        ("", "format: is missing"),
    ],
    ids=["broken", "deep", "long number", "long", "nested", "empty"],
)
def test_a_file_that_is_no_map_at_all_is_refused(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_board(text, "mine")


def test_a_number_that_cannot_be_printed_is_refused_too() -> None:
    text = text_of(copy()).replace('"dice" = 8', '"dice" = 0x' + "f" * 5000)
    with pytest.raises(DataError, match="`dice`: this number is not a whole number"):
        read_board(text, "mine")


def test_a_board_cannot_be_called_like_a_path() -> None:
    with pytest.raises(DataError, match=r"map /tmp/my map.toml: the name: .* cannot name a board"):
        read_board(load_board().text, "/tmp/my map.toml")


def test_a_variant_can_only_remove_what_is_there() -> None:
    doc = copy(name="mine")
    doc["variant"]["strait"]["remove_coast"] = [["mare_libycum", "roma"]]
    with pytest.raises(DataError, match="variant strait: there is no coast mare_libycum - roma"):
        read_board(text_of(doc), "mine-strait")


def test_a_changed_copy_needs_a_new_name() -> None:
    doc = copy()
    other_symbol(doc)
    with pytest.raises(DataError, match=r"map reconstructed-1: this name belongs.*new name"):
        read_board(text_of(doc))
