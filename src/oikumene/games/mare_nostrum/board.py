"""The board of Mare Nostrum: provinces and sea zones as a graph of bit sets.

Provinces and seas are numbered from 0 in the order of the map file. A set of provinces (or of
seas) is a plain int with one bit for each. A board never changes once it is built, so all states
of a game share it. The data and what is known about it: map.toml and docs/board.md.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any, NamedTuple

from oikumene.core.errors import DataError
from oikumene.games.mare_nostrum.board_file import neighbours, parse, shown
from oikumene.games.mare_nostrum.cards import GOODS

Mask = int

SHIPPED = ("reconstructed-1", "reconstructed-1-strait")
_REACHES, _JOINS = 1 << 12, 1 << 16
"""Most entries of the two caches of a board; then a cache starts anew."""


class StartRow(NamedTuple):
    """What a civilization has in one province at the fixed start (MN-4.1)."""

    province: int
    marker: int
    city: int
    caravan: int
    fortress: int
    choice: bool
    """The player chooses the symbol of his caravan."""


class Civ(NamedTuple):
    """One of the five civilizations: its home and its fixed start."""

    id: str
    capital: int
    hero: str
    role: str
    """`military`, `commerce`, `political`: its role in round 1 of the fixed start; or empty."""
    start: tuple[StartRow, ...]
    one_more_caravan_in: tuple[int, ...]
    """Provinces one of which gets one caravan more (MN-4.3)."""
    extra: Mask
    """Provinces open to its free start that do not touch the capital (MN-5.4)."""


class Facts(NamedTuple):
    """How many facts of one kind the board states, and which of them are not known."""

    kind: str
    total: int
    reconstructed: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Board:
    """One board; built by `load_board` or `read_board`."""

    name: str
    digest: str
    """BLAKE2b-16 of all that the rules can see; names, citations and drawing do not count."""
    text: str
    """The file it was read from; a record of a game on a map given by hand holds it whole."""

    provinces: tuple[str, ...]
    seas: tuple[str, ...]
    places: tuple[str, ...]
    """Provinces, then seas."""
    index: dict[str, int]
    """Id of a place -> its number in `places`."""
    names: tuple[str, ...]
    """Place -> what people read."""
    spots: tuple[tuple[float, float], ...]
    """Place -> (longitude, latitude) in degrees, for drawing."""

    land: tuple[Mask, ...]
    """Province -> provinces with a common border."""
    waters: tuple[Mask, ...]
    """Province -> seas that touch it."""
    links: tuple[Mask, ...]
    """Sea -> seas that touch it."""
    shore: tuple[Mask, ...]
    """Sea -> provinces that touch it."""
    coast: Mask
    """Coast and island provinces."""
    islands: Mask
    everything: Mask
    """All provinces."""

    sites: tuple[int, ...]
    """Province -> number of its city sites."""
    site_names: tuple[tuple[str, ...], ...]
    symbols: tuple[Mask, ...]
    """Good (in the order of `GOODS`) -> provinces with its symbol."""
    supply_cards: tuple[int, ...]
    """Cards in the box: tax, then the goods."""
    civs: tuple[Civ, ...]
    buildings: dict[int, tuple[int, int, int, int]]
    """Number of players -> caravans, cities, markets, temples in the supply (MN-2.2)."""
    fleets: int
    """Pieces of one colour (MN-1.6)."""
    legions: int
    fortresses: int
    markers: int
    dice: int

    reconstructed: tuple[Facts, ...]
    """Kind by kind, which facts of this board are reconstruction, for the product to say so."""

    _reach: dict[Mask, tuple[Mask, ...]] = field(default_factory=dict, init=False)
    _joined: dict[tuple[Mask, Mask], Mask] = field(default_factory=dict, init=False)

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self.provinces)} provinces, {len(self.seas)} seas>"

    def neighbours(self, province: int, fleets: Mask) -> Mask:
        """Provinces adjacent to `province` (a number) by land or over sea (MN-17.1, MN-17.2).

        `fleets`: the seas with at least one own fleet. An unbroken chain of them joins all the
        provinces it touches. The province itself is not among its neighbours.
        """
        return (self._reach.get(fleets) or self._chains(fleets))[province]

    def joined(self, provinces: Mask, fleets: Mask) -> Mask:
        """Provinces adjacent to at least one of `provinces`, by `neighbours`.

        Those of `provinces` that are adjacent to another of them are among the answer.
        """
        key = (provinces, fleets)
        found = self._joined.get(key)
        if found is None:
            reach = self._reach.get(fleets) or self._chains(fleets)
            found = 0
            for province in _bits(provinces):
                found |= reach[province]
            if len(self._joined) >= _JOINS:
                self._joined.clear()
            self._joined[key] = found
        return found

    def _chains(self, fleets: Mask) -> tuple[Mask, ...]:
        """For every province its neighbours, with these fleets; kept for the next question."""
        reach, todo = list(self.land), fleets
        while todo:
            chain = self._chain(todo & -todo, fleets)
            todo &= ~chain
            shore = 0
            for sea in _bits(chain):
                shore |= self.shore[sea]
            for province in _bits(shore):
                reach[province] |= shore & ~(1 << province)
        if len(self._reach) >= _REACHES:
            self._reach.clear()
        return self._reach.setdefault(fleets, tuple(reach))

    def _chain(self, start: Mask, fleets: Mask) -> Mask:
        """All seas of `fleets` that are joined to `start` through seas of `fleets`."""
        chain = new = start
        while new:
            around = 0
            for sea in _bits(new):
                around |= self.links[sea]
            new = around & fleets & ~chain
            chain |= new
        return chain

    def mask(self, *ids: str) -> Mask:
        """The set of these provinces, or of these seas; not of both at once.

        Errors: DataError for an unknown id, or for provinces and seas mixed.
        """
        numbers = []
        for place in ids:
            if place not in self.index:
                raise DataError(f"no place `{place}` on the board {self.name}; mend the spelling")
            numbers.append(self.index[place])
        seas = [number >= len(self.provinces) for number in numbers]
        if any(seas) and not all(seas):
            raise DataError(f"{', '.join(ids)}: provinces and seas mixed; name one kind only")
        shift = len(self.provinces) if any(seas) else 0
        return sum({1 << (number - shift) for number in numbers})

    def ids(self, mask: Mask) -> tuple[str, ...]:
        """The ids of a set of provinces, in the order of the board."""
        return tuple(self.provinces[number] for number in _bits(mask))

    def sea_ids(self, mask: Mask) -> tuple[str, ...]:
        """The ids of a set of seas, in the order of the board."""
        return tuple(self.seas[number] for number in _bits(mask))


@cache
def load_board(name: str = SHIPPED[0]) -> Board:
    """A board that comes with the program (`SHIPPED` lists them). Errors: DataError."""
    if name not in SHIPPED:
        known = ", ".join(SHIPPED)
        raise DataError(f"no board `{name}`; choose one of {known}, or give a file with --map")
    return _board(_shipped_text(), name)


def read_board(text: str, name: str = "") -> Board:
    """A board from a file that somebody gave: its text, and the name it shall have.

    Without a name it takes the file's own. The name may also be the file's own, a hyphen, and one
    of its variants. The names of shipped boards stay theirs: a changed copy needs a new one.
    Errors: DataError, its message says what is wrong, where, and what to do.
    """
    board = _board(text, name)
    if board.name in SHIPPED and board.digest != load_board(board.name).digest:
        raise DataError(
            f"map {board.name}: this name belongs to a board that comes with the program, and this "
            "file is not the same; give it a new name (a correction is a new version)"
        )
    return board


def _shipped_text() -> str:
    return files("oikumene.games.mare_nostrum").joinpath("map.toml").read_text("utf-8")


def _board(text: str, name: str) -> Board:
    try:
        return _build(parse(text, name), text, name)
    except DataError as error:
        raise DataError(f"map {shown(name)[1:-1] or 'file'}: {error}") from None


def _build(doc: dict[str, Any], text: str, name: str) -> Board:
    """Bit sets from checked tables."""
    provinces = tuple(row["id"] for row in doc["province"])
    seas = tuple(row["id"] for row in doc["sea"])
    land, links, coast = (neighbours(doc, table) for table in ("land", "sea_link", "coast"))
    rows, pieces = doc["province"] + doc["sea"], doc["pieces"]
    return Board(
        name=name or doc["name"],
        digest=_digest(doc),
        text=text,
        provinces=provinces,
        seas=seas,
        places=provinces + seas,
        index={place: number for number, place in enumerate(provinces + seas)},
        names=tuple(row["name"] for row in rows),
        spots=tuple((float(row["lon"]), float(row["lat"])) for row in rows),
        land=tuple(_mask(provinces, land[place]) for place in provinces),
        waters=tuple(_mask(seas, coast[place]) for place in provinces),
        links=tuple(_mask(seas, links[place]) for place in seas),
        shore=tuple(_mask(provinces, coast[place]) for place in seas),
        coast=_mask(provinces, {row["id"] for row in doc["province"] if row["kind"] != "inland"}),
        islands=_mask(provinces, {row["id"] for row in doc["province"] if row["kind"] == "island"}),
        everything=(1 << len(provinces)) - 1,
        sites=tuple(len(row["sites"]) for row in doc["province"]),
        site_names=tuple(tuple(site["name"] for site in row["sites"]) for row in doc["province"]),
        symbols=tuple(_mask(provinces, _with_symbol(doc, good)) for good in GOODS),
        supply_cards=(pieces["tax_cards"], *(doc["goods"][good] for good in GOODS)),
        civs=tuple(_civ(row, provinces) for row in doc["civ"]),
        buildings={number: _buildings(pieces, number) for number in (3, 4, 5)},
        fleets=pieces["fleets"],
        legions=pieces["legions"],
        fortresses=pieces["fortresses"],
        markers=pieces["markers"],
        dice=pieces["dice"],
        reconstructed=_facts(doc),
    )


def _mask(order: tuple[str, ...], ids: set[str]) -> Mask:
    return sum(1 << number for number, place in enumerate(order) if place in ids)


def _with_symbol(doc: dict[str, Any], good: str) -> set[str]:
    return {row["id"] for row in doc["province"] if any(s["good"] == good for s in row["symbols"])}


def _buildings(pieces: dict[str, Any], players: int) -> tuple[int, int, int, int]:
    key = f"p{players}"
    return (
        pieces["caravans"][key],
        pieces["cities"][key],
        pieces["markets"][key],
        pieces["temples"][key],
    )


def _civ(row: dict[str, Any], provinces: tuple[str, ...]) -> Civ:
    return Civ(
        id=row["id"],
        capital=provinces.index(row["capital"]),
        hero=row["hero"],
        role=row["role"],
        start=tuple(
            StartRow(
                province=provinces.index(line["province"]),
                marker=line["marker"],
                city=line.get("city", 0),
                caravan=line.get("caravan", 0),
                fortress=line.get("fortress", 0),
                choice=line.get("choice", False),
            )
            for line in row["start"]
        ),
        one_more_caravan_in=tuple(
            provinces.index(place) for place in row.get("one_more_caravan_in", [])
        ),
        extra=_mask(provinces, set(row.get("free_setup_extra", []))),
    )


def _digest(doc: dict[str, Any]) -> str:
    """BLAKE2b-16, in hex, of what the rules can see.

    The order of provinces, seas and civilizations counts, since they are numbered by it. The
    order of borders and keys, comments, names, citations, provenance and drawing do not.
    """

    def edges(table: str, *keys: str) -> list[list[str]]:
        return sorted(sorted(row[key] for key in keys) for row in doc[table])

    def civ(row: dict[str, Any]) -> list[Any]:
        start = [
            [line["province"], line["marker"]]
            + [int(line.get(key, 0)) for key in ("city", "caravan", "fortress", "choice")]
            for line in row["start"]
        ]
        more = (row.get("one_more_caravan_in", []), sorted(row.get("free_setup_extra", [])))
        return [row["id"], row["capital"], row["hero"], row["role"], start, *more]

    content = {
        "provinces": [
            [row["id"], row["kind"], len(row["sites"]), sorted(s["good"] for s in row["symbols"])]
            for row in doc["province"]
        ],
        "seas": [row["id"] for row in doc["sea"]],
        "land": edges("land", "a", "b"),
        "links": edges("sea_link", "a", "b"),
        "coast": edges("coast", "sea", "province"),
        "goods": doc["goods"],
        "pieces": doc["pieces"],
        "civs": [civ(row) for row in doc["civ"]],
    }
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return blake2b(canonical.encode(), digest_size=16).hexdigest()


def _facts(doc: dict[str, Any]) -> tuple[Facts, ...]:
    """All facts with a provenance, kind by kind; those reconstructed by their ids."""
    found: dict[str, list[tuple[str, str]]] = {}

    def note(kind: str, what: str, prov: str) -> None:
        found.setdefault(kind, []).append((what, prov))

    for row in doc["province"]:
        note("province", row["id"], row["prov"])
        note("kind", row["id"], row["kind_prov"])
        note("symbols_count", row["id"], row["symbols_count_prov"])
        for site in row["sites"]:
            note("site", f"{row['id']} {site['name']}", site["prov"])
        for symbol in row["symbols"]:
            note("symbol", f"{row['id']} {symbol['good']}", symbol["prov"])
    for table, keys in (("land", "a b"), ("sea", "id"), ("sea_link", "a b")):
        for row in doc[table]:
            note(table, " ".join(row[key] for key in keys.split()), row["prov"])
    for row in doc["coast"]:
        note("coast", f"{row['sea']} {row['province']}", row["prov"])
    for row in doc["civ"]:
        note("civ", row["id"], row["prov"])
    return tuple(
        Facts(kind, len(rows), tuple(what for what, prov in rows if prov == "reconstructed"))
        for kind, rows in found.items()
    )


def _bits(mask: Mask) -> list[int]:
    """The numbers of the bits that are set, ascending."""
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return numbers
