"""The board as a file: what a map file of format 1 may say, and whether it makes a board.

`parse` takes the text apart, applies a variant, and checks everything: first the shape (keys and
kinds of values), then the graph, then what the rules need of it. It answers with the plain TOML
tables; `board.py` makes bit sets of them. Every fault is a `DataError` that says where it is, what
is wrong, and what to do. The format is described for owners of the game in docs/board.md.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from typing import Any, NoReturn

from oikumene.core.errors import DataError
from oikumene.games.mare_nostrum.cards import GOODS

FORMAT = 1
MAX_BYTES, MAX_PROVINCES, MAX_SEAS, MAX_PIECES = 256 * 1024, 60, 20, 99
MAX_OF_A_CARD, MAX_CARDS = 63, 126  # what a hand can count, see cards.py
KINDS = ("inland", "coast", "island")
PROVENANCE = ("seed", "public", "owner", "reconstructed")
CIV_HEROES = {
    "rome": "caesar",
    "carthage": "hannibal",
    "greece": "pericles",
    "egypt": "cleopatra",
    "babylon": "hammurabi",
}
ROLES = ("military", "commerce", "political", "")

Table = dict[str, Any]

_CITE = {"prov": "prov", "cite?": "text"}
_COUNTS = {"p3": "count", "p4": "count", "p5": "count"}
_PIECES = ("fleets", "legions", "fortresses", "markers", "dice")
_BUILDINGS = {"caravans": "caravan", "cities": "city", "markets": "market", "temples": "temple"}

# Kind of table -> its keys -> kind of value. "key?": may be left out. "[kind]": a list of such.
SHAPES: dict[str, dict[str, str]] = {
    "file": {
        "format": "count", "name": "id", "provinces_expected?": "count", "seas_expected?": "count",
        "goods": "goods", "pieces": "pieces", "province": "[province]", "land": "[land]",
        "sea": "[sea]", "sea_link": "[sea_link]", "coast": "[coast]", "civ": "[civ]",
        "variant?": "variants",
    },
    "goods": dict.fromkeys(GOODS, "count"),
    "pieces": {"tax_cards": "count"}
    | dict.fromkeys(_PIECES, "count")
    | dict.fromkeys(_BUILDINGS, "counts"),
    "counts": _COUNTS,
    "province": {
        "id": "id", "name": "text", "about?": "text", "kind": "kind", "region?": "text",
        "lon": "number", "lat": "number", **_CITE, "kind_prov": "prov", "kind_cite?": "text",
        "sites": "[site]", "symbols": "[symbol]", "symbols_count_prov": "prov",
        "symbols_count_cite?": "text", "borders?": "[id]", "seas?": "[id]",
    },
    "site": {"name": "text", **_CITE},
    "symbol": {"good": "good", **_CITE},
    "land": {"a": "id", "b": "id", "strait?": "flag", **_CITE},
    "sea": {
        "id": "id", "name": "text", "about?": "text", "lon": "number", "lat": "number", **_CITE,
    },
    "sea_link": {"a": "id", "b": "id", **_CITE},
    "coast": {"sea": "id", "province": "id", **_CITE},
    "civ": {
        "id": "id", "capital": "id", "hero": "id", "role": "role", "free_setup_extra?": "[id]",
        "one_more_caravan_in?": "[id]", "start": "[row]", **_CITE,
    },
    "row": {
        "province": "id", "marker": "count", "city?": "count", "caravan?": "count",
        "fortress?": "count", "choice?": "flag",
    },
    "variant": {"note": "text", "remove_coast?": "[pair]", "add_land?": "[pair]"},
}  # fmt: skip

_ID = re.compile(r"[a-z0-9_]+")
_NAME = re.compile(r"[a-z0-9_-]+")

# Kind of value -> what it must be, in words, and the test.
_VALUES: dict[str, tuple[str, Any]] = {
    "id": (
        "an id of small letters, digits and underscores",
        lambda v: isinstance(v, str) and _ID.fullmatch(v),
    ),
    "text": ("a text that is not empty", lambda v: isinstance(v, str) and v.strip()),
    "count": (
        f"a whole number from 0 to {MAX_PIECES}",
        lambda v: type(v) is int and 0 <= v <= MAX_PIECES,
    ),
    "number": (
        "a number of degrees from -180 to 180",
        lambda v: type(v) in (int, float) and -180 <= v <= 180,
    ),
    "flag": ("true or false", lambda v: isinstance(v, bool)),
    "prov": ("one of " + ", ".join(PROVENANCE), lambda v: v in PROVENANCE),
    "kind": ("one of " + ", ".join(KINDS), lambda v: v in KINDS),
    "good": ("one of " + ", ".join(GOODS), lambda v: v in GOODS),
    "role": ("military, commerce, political or empty", lambda v: v in ROLES),
    "pair": (
        "a pair of two ids",
        lambda v: isinstance(v, list) and len(v) == 2 and all(isinstance(x, str) for x in v),
    ),
}


def fail(where: str, what: str, advice: str) -> NoReturn:
    """Refuse the file: where the fault is, what is wrong, what to do next."""
    raise DataError(f"{where}: {what}; {advice}")


def parse(text: str, name: str = "") -> Table:
    """The checked tables of a map file.

    `name`: what the board shall be called, empty for the file's own name. If it is the file's own,
    a hyphen and the name of one of its variants, that variant is applied. Errors: DataError.
    """
    if name and not _NAME.fullmatch(name):
        fail("the name", f"{shown(name)} cannot name a board", "use small letters, digits, _ and -")
    doc = _toml(text)
    _check_format(doc)
    _check_goods_order(doc)
    _check_shape(doc, "file", "the file")
    own = f"{doc['name']}-"
    if name.startswith(own):
        doc = _apply_variant(doc, name.removeprefix(own))
    _check_sizes(doc)
    _check_ids(doc)
    _check_edges(doc)
    _check_kinds(doc)
    _check_lists(doc)
    _check_connected(doc)
    _check_symbols(doc)
    _check_civs(doc)
    _check_supply(doc)
    return doc


def shown(value: object) -> str:
    """A value out of a file as an error may quote it: short, and never an error itself."""
    try:
        return f"{value!r:.60}"
    except ValueError:  # an int of more than 4300 digits
        return "this number"


# --- shape -------------------------------------------------------------------------------------


def _toml(text: str) -> Table:
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        fail("the file", f"is longer than {MAX_BYTES // 1024} KiB", "a map file needs about 30 KiB")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError, or a number without end
        fail("the file", f"is not TOML ({error})", "mend it there; https://toml.io shows the form")


def _check_format(doc: Table) -> None:
    number = doc.get("format")
    if type(number) is not int or number < 1:
        fail("format", "is missing or not a whole number", f"write `format = {FORMAT}` first")
    if number > FORMAT:
        fail(
            "format",
            f"{number} is newer than this program knows ({FORMAT})",
            "get a newer program, or give the map in the older format",
        )


def _check_goods_order(doc: Table) -> None:
    """Exactly the twelve goods in the fixed order (MN-1.4): cards are numbered by it."""
    goods = doc.get("goods")
    if isinstance(goods, dict) and tuple(goods) != GOODS:
        wrong = sorted(set(goods) ^ set(GOODS))
        what = f"missing or unknown: {shown(wrong)}" if wrong else "they are in another order"
        fail("[goods]", f"not the twelve goods ({what})", f"list exactly {' '.join(GOODS)}")


def _check_shape(table: Any, kind: str, where: str) -> None:
    if not isinstance(table, dict):
        fail(where, "is not a table", "write it as docs/board.md shows")
    shape = {key.rstrip("?"): value for key, value in SHAPES[kind].items()}
    for key in table:
        if key not in shape:
            advice = "mend the spelling or leave it out (a newer format needs a newer program)"
            fail(where, f"unknown key {shown(key)}, known are {', '.join(shape)}", advice)
    for key in SHAPES[kind]:
        if not key.endswith("?") and key not in table:
            fail(where, f"`{key}` is missing", "add it as docs/board.md shows")
    for key, value in table.items():
        at = f"`{key}`" if kind == "file" else f"{where}, `{key}`"
        _check_value(value, "name" if (kind, key) == ("file", "name") else shape[key], at)


def _check_value(value: Any, kind: str, where: str) -> None:
    if kind.startswith("["):
        if not isinstance(value, list):
            fail(where, "is not a list", "write it in square brackets, or as [[...]] tables")
        for number, row in enumerate(value, 1):
            _check_value(row, kind[1:-1], _place(kind[1:-1], row, number, where))
    elif kind == "variants":
        if not isinstance(value, dict):
            fail(where, "is not a table", "write variants as [variant.NAME]")
        for name, row in value.items():
            _check_value(name, "id", "[variant]")
            _check_shape(row, "variant", f"variant {name}")
    elif kind == "name":
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            fail(where, f"{shown(value)} cannot name a board", "use small letters, digits, _ and -")
    elif kind in SHAPES:
        _check_shape(value, kind, where)
    elif not _VALUES[kind][1](value):
        fail(where, f"{shown(value)} is not {_VALUES[kind][0]}", "correct the value")


def _place(kind: str, row: Any, number: int, where: str) -> str:
    """How an error names one row of a list."""
    if not isinstance(row, dict) or kind in ("site", "symbol"):
        return f"{where} no. {number}"
    if kind == "row":
        return f"{where}, row {number}"
    ends = [row[key] for key in ("id", "a", "b", "sea", "province") if key in row]
    if ends and all(isinstance(end, str) for end in ends):
        return f"{kind} {' - '.join(ends)}"
    return f"{kind} no. {number}"


def _apply_variant(doc: Table, name: str) -> Table:
    """The tables with one of the file's variants applied, if `name` is one."""
    variant = doc.get("variant", {}).get(name)
    if variant is None:
        return doc
    coasts = [[row["sea"], row["province"]] for row in doc["coast"]]
    for pair in variant.get("remove_coast", []):
        if pair not in coasts:
            advice = "remove a coast that [[coast]] lists, sea first"
            fail(f"variant {name}", f"there is no coast {' - '.join(pair)}", advice)
    gone = variant.get("remove_coast", [])
    kept = [row for row in doc["coast"] if [row["sea"], row["province"]] not in gone]
    straits = [
        {"a": a, "b": b, "strait": True, "prov": "reconstructed"}
        for a, b in variant.get("add_land", [])
    ]
    return doc | {"coast": kept, "land": doc["land"] + straits}


# --- the graph ---------------------------------------------------------------------------------


def _check_sizes(doc: Table) -> None:
    for kind, most in (("province", MAX_PROVINCES), ("sea", MAX_SEAS)):
        have, expected = len(doc[kind]), doc.get(f"{kind}s_expected")
        if not 1 <= have <= most:
            fail(f"[[{kind}]]", f"{have} of them", f"a board has 1 to {most}")
        if expected is not None and have != expected:
            advice = f"add what is missing, or correct `{kind}s_expected`"
            fail(f"[[{kind}]]", f"{have} of them, but {kind}s_expected = {expected}", advice)


def _check_ids(doc: Table) -> None:
    for kinds in (("province", "sea"), ("civ",)):
        count = Counter(row["id"] for kind in kinds for row in doc[kind])
        for place, times in count.items():
            if times > 1:
                fail(place, f"this id is used {times} times", "give each its own id")
    names = Counter(site["name"] for row in doc["province"] for site in row["sites"])
    for site, times in names.items():
        if times > 1:
            fail(f"city site {site}", f"listed {times} times", "list each site once")


def _known(place: str, kind: str, doc: Table, where: str) -> None:
    if all(row["id"] != place for row in doc[kind]):
        fail(where, f"unknown {kind} `{place}`", f"mend the spelling, or add it as [[{kind}]]")


EDGES = {
    "land": (("a", "province"), ("b", "province")),
    "sea_link": (("a", "sea"), ("b", "sea")),
    "coast": (("sea", "sea"), ("province", "province")),
}


def _check_edges(doc: Table) -> None:
    """Borders name known places, each once, none with itself."""
    for table, ends in EDGES.items():
        seen = set()
        for row in doc[table]:
            pair = tuple(row[key] for key, _ in ends)
            where = f"{table} {' - '.join(pair)}"
            for key, kind in ends:
                _known(row[key], kind, doc, where)
            if pair[0] == pair[1]:
                fail(where, "a border of a place with itself", "name its neighbour")
            if frozenset(pair) in seen:
                fail(where, "this border is there twice", "leave one out; order does not matter")
            seen.add(frozenset(pair))


def neighbours(doc: Table, *tables: str, straits: bool = True) -> dict[str, set[str]]:
    """Place id -> ids of the places that the named tables join it to."""
    found: dict[str, set[str]] = {row["id"]: set() for row in doc["province"] + doc["sea"]}
    for table in tables:
        (first, _), (second, _) = EDGES[table]
        for row in doc[table]:
            if straits or not row.get("strait"):
                found[row[first]].add(row[second])
                found[row[second]].add(row[first])
    return found


def _check_kinds(doc: Table) -> None:
    """Coasts and islands touch a sea, inland provinces none; an island has only straits."""
    seas, land = neighbours(doc, "coast"), neighbours(doc, "land", straits=False)
    for row in doc["province"]:
        place, kind = row["id"], row["kind"]
        where = f"province {place}"
        if kind == "inland" and seas[place]:
            touched = ", ".join(sorted(seas[place]))
            fail(where, f"inland, yet on {touched}", 'make it kind = "coast" or drop the [[coast]]')
        if kind != "inland" and not seas[place]:
            fail(where, f"{kind} without a sea", 'add its [[coast]] or make it kind = "inland"')
        if kind == "island" and land[place]:
            advice = "make it a coast, or write strait = true on that [[land]]"
            fail(where, f"an island with a border to {', '.join(sorted(land[place]))}", advice)


def _check_lists(doc: Table) -> None:
    """The lists that a province may carry agree with [[land]] and [[coast]], both ways."""
    for key, table, other in (("borders", "land", "province"), ("seas", "coast", "sea")):
        real = neighbours(doc, table)
        for row in doc["province"]:
            if key not in row:
                continue
            where = f"province {row['id']}, `{key}`"
            for place, times in Counter(row[key]).items():
                _known(place, other, doc, where)
                if times > 1:
                    fail(where, f"{place} is listed {times} times", "list it once")
            listed = set(row[key])
            for place in sorted(listed - real[row["id"]]):
                back = f" and {place} does not list it" if _lists(doc, place, key) else ""
                fail(where, f"lists {place}, no [[{table}]] joins them{back}", f"add [[{table}]]")
            for place in sorted(real[row["id"]] - listed):
                fail(where, f"lacks {place}, which [[{table}]] joins to it", "add it to the list")


def _lists(doc: Table, place: str, key: str) -> bool:
    return any(row["id"] == place and key in row for row in doc["province"])


def _check_connected(doc: Table) -> None:
    joined = neighbours(doc, "land", "sea_link", "coast")
    start = doc["province"][0]["id"]
    seen, todo = {start}, [start]
    while todo:
        new = joined[todo.pop()] - seen
        seen |= new
        todo += new
    lost = sorted(set(joined) - seen)
    if lost:
        advice = "add the borders that are missing"
        fail("the map", f"no way leads from {start} to {', '.join(lost)}", advice)


# --- what the rules need -----------------------------------------------------------------------


def _check_symbols(doc: Table) -> None:
    """Each good once a province; at least as many cards as places that pay them (MN-7.1, 7.3)."""
    total: Counter[str] = Counter()
    for row in doc["province"]:
        count = Counter(symbol["good"] for symbol in row["symbols"])
        for good, times in count.items():
            if times > 1:
                advice = "a province has at most one symbol of a good; leave one out"
                fail(f"province {row['id']}", f"{times} symbols of {good}", advice)
        total += count
    sites = sum(len(row["sites"]) for row in doc["province"])
    pays = [("tax", sites, "city sites", doc["pieces"]["tax_cards"])]
    pays += [(good, total[good], "symbols", doc["goods"][good]) for good in GOODS]
    for card, need, what, have in pays:
        if have > MAX_OF_A_CARD:
            advice = f"a kind can have {MAX_OF_A_CARD} at most; correct the number"
            fail("[goods], [pieces]", f"{have} {card} cards", advice)
        if have < max(need, 1):
            advice = "correct the number of cards (the box names it)"
            fail("[goods], [pieces]", f"{have} {card} cards for {need} {what}", advice)
    if sum(have for *_, have in pays) > MAX_CARDS:
        advice = "correct the number of cards (the box has 123)"
        fail("[goods], [pieces]", f"more than {MAX_CARDS} cards", advice)


def _check_civs(doc: Table) -> None:
    """The five civilizations, their capitals, areas and fixed starts."""
    ids = {row["id"] for row in doc["civ"]}
    if ids != set(CIV_HEROES):
        wrong = ", ".join(sorted(ids ^ set(CIV_HEROES)))
        fail("[[civ]]", f"missing or unknown: {wrong}", f"list exactly {' '.join(CIV_HEROES)}")
    roles = Counter(row["role"] for row in doc["civ"] if row["role"])
    for role, times in roles.items():
        if times > 1:
            fail("[[civ]]", f"{times} of them start as {role}", "give each role to one at most")
    land = neighbours(doc, "land")
    for civ in doc["civ"]:
        where = f"civ {civ['id']}"
        if civ["hero"] != CIV_HEROES[civ["id"]]:
            fail(
                where,
                f"its hero cannot be {civ['hero']}",
                f"write {CIV_HEROES[civ['id']]} (MN-1.9)",
            )
        _known(civ["capital"], "province", doc, f"{where}, `capital`")
        for key in ("free_setup_extra", "one_more_caravan_in"):
            for place, times in Counter(civ.get(key, [])).items():
                _known(place, "province", doc, f"{where}, `{key}`")
                if times > 1:
                    fail(f"{where}, `{key}`", f"{place} is listed {times} times", "list it once")
        _check_start(civ, doc, land)
    _check_areas(doc, land)


def _check_start(civ: Table, doc: Table, land: dict[str, set[str]]) -> None:
    """The fixed start can be placed as it is written (MN-4.1 to 4.7)."""
    rows = {row["id"]: row for row in doc["province"]}
    area = {civ["capital"], *land[civ["capital"]], *civ.get("free_setup_extra", [])}
    where = f"civ {civ['id']}, `start`"
    count = Counter(row["province"] for row in civ["start"])
    if civ["capital"] not in count:
        fail(where, f"no row for the capital {civ['capital']}", "add it, with marker = 1")
    for row in civ["start"]:
        place = row["province"]
        at = f"{where}, {place}"
        _known(place, "province", doc, at)
        if count[place] > 1:
            fail(at, f"{count[place]} rows for it", "put them into one")
        if place not in area:
            advice = "move it, add the border, or list it in free_setup_extra (MN-5.3, 5.4)"
            fail(at, "neither the capital nor next to it nor an exception", advice)
        _check_row(row, rows[place], place in civ.get("one_more_caravan_in", []), at)
    for place in civ.get("one_more_caravan_in", []):
        if place not in count:
            fail(where, f"one_more_caravan_in names {place}, where no marker lies", "add its row")


def _check_row(row: Table, province: Table, one_more: bool, at: str) -> None:
    symbols, sites = len(province["symbols"]), len(province["sites"])
    caravans, cities = row.get("caravan", 0), row.get("city", 0)
    if row["marker"] != 1:
        fail(at, f"{row['marker']} markers", "a province of a start has exactly one (MN-7.11)")
    if row.get("fortress", 0) > 1:
        fail(at, f"{row['fortress']} fortresses", "a province holds one (MN-10.8)")
    if cities > sites:
        fail(at, f"{cities} cities on {sites} city sites", "correct the row or add the sites")
    if caravans + one_more > symbols:
        extra = " and the one more" if one_more else ""
        what = f"{caravans} caravans{extra} on {symbols} symbols"
        fail(at, what, "correct the row or add the symbols")
    if row.get("choice") and not 0 < caravans < symbols:
        what = f"choice = true, but {caravans} caravans on {symbols} symbols leave none"
        fail(at, what, "leave `choice` out")
    if 0 < caravans < symbols and not row.get("choice"):
        what = f"{caravans} caravans on {symbols} symbols"
        fail(at, what, "say choice = true, so that the player picks the symbol")


def _check_areas(doc: Table, land: dict[str, set[str]]) -> None:
    """No province belongs to the set-up of two civilizations (MN-3.3, MN-3.8)."""
    home: dict[str, str] = {}
    near = {civ["id"]: {civ["capital"], *land[civ["capital"]]} for civ in doc["civ"]}
    for civ in doc["civ"]:
        area = near[civ["id"]] | {row["province"] for row in civ["start"]}
        for place in sorted(area):
            other = home.setdefault(place, civ["id"])
            if other != civ["id"]:
                advice = "no rule says whose set-up it is (MN-3.8); keep the two areas apart"
                fail(f"province {place}", f"in the home areas of {other} and {civ['id']}", advice)


def _check_supply(doc: Table) -> None:
    """Enough pieces for any three, four or five civilizations, played or neutral (MN-2.2, 3.3)."""
    pieces, land = doc["pieces"], neighbours(doc, "land")
    advice = "correct the number of pieces (the box names it)"
    for what, key in _BUILDINGS.items():
        needs = sorted(_in_start(civ, key) for civ in doc["civ"])
        for players in (3, 4, 5):
            need, have = max(1, sum(needs[-players:])), pieces[what][f"p{players}"]
            if have < need:
                fail("[pieces]", f"{have} {what} for {players} players, {need} needed", advice)
    area = max(1 + len(land[civ["capital"]]) for civ in doc["civ"])
    least = {
        "fleets": 1,
        "legions": area,
        "fortresses": max(1, *(_in_start(civ, "fortress") for civ in doc["civ"])),
        "markers": max(area, *(len(civ["start"]) for civ in doc["civ"])),
        "dice": 1,
    }
    for what, need in least.items():
        if pieces[what] < need:
            fail("[pieces]", f"{pieces[what]} {what}, a set-up needs {need}", advice)


def _in_start(civ: Table, key: str) -> int:
    """How many of one piece the fixed start of a civilization takes."""
    number: int = sum(row.get(key, 0) for row in civ["start"])
    return number + (key == "caravan" and bool(civ.get("one_more_caravan_in")))
