"""Slow second opinions on the hard parts of Mare Nostrum, written from rules.md alone.

Nothing here comes from `src`: plain dicts, sets and ids, no numbers, no bit sets. Places come from
the parsed map file (`tomllib.loads(board.text)`), positions are the dicts of docs/conformance.md.
Other tests compare the game with these on random positions.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

Position = Mapping[str, Any]
Cards = dict[str, int]


# --- adjacency (MN-17.1, 17.2) -----------------------------------------------------------------


def with_variant(map_toml: Mapping[str, Any], variant: str) -> dict[str, Any]:
    """The map as a variant of it reads: some coasts fewer, some land borders more."""
    change = map_toml["variant"][variant]
    coast = [
        row
        for row in map_toml["coast"]
        if [row["sea"], row["province"]] not in change["remove_coast"]
    ]
    land = map_toml["land"] + [{"a": a, "b": b} for a, b in change["add_land"]]
    return {**map_toml, "coast": coast, "land": land}


def adjacent(
    map_toml: Mapping[str, Any], province: str, own_fleet_zones: Iterable[str]
) -> set[str]:
    """Provinces that a legion could enter from `province`: by a border, or by a chain of fleets."""
    fleets = set(own_fleet_zones)
    found = set()
    for row in map_toml["land"]:
        if row["a"] == province:
            found.add(row["b"])
        if row["b"] == province:
            found.add(row["a"])

    touching = [row["sea"] for row in map_toml["coast"] if row["province"] == province]
    queue = deque(zone for zone in touching if zone in fleets)
    reached = set(queue)
    while queue:
        zone = queue.popleft()
        for row in map_toml["sea_link"]:
            for here, there in ((row["a"], row["b"]), (row["b"], row["a"])):
                if here == zone and there in fleets and there not in reached:
                    reached.add(there)
                    queue.append(there)
    found |= {row["province"] for row in map_toml["coast"] if row["sea"] in reached}
    return found - {province}


def placeable(
    map_toml: Mapping[str, Any],
    own: Iterable[str],
    own_fleet_zones: Iterable[str],
    marked: Iterable[str],
) -> set[str]:
    """Provinces that may get a marker (MN-11.1, 11.2, 11.4), whatever else forbids it.

    `own`: provinces where the own marker lay at the start of the round and still lies.
    `marked`: all other provinces with a marker, own ones of this round too.
    """
    zones = set(own_fleet_zones)
    found: set[str] = set()
    for province in own:
        found |= adjacent(map_toml, province, zones)
    return found - set(own) - set(marked)


def placeable_in(
    map_toml: Mapping[str, Any],
    position: Position,
    seat: str,
    *,
    influence_block: str = "none",
    siege_stops_expansion: str = "no",
) -> set[str]:
    """Free provinces into which the seat may build or place a marker now, takeovers apart.

    Rules: MN-10.11, 10.14, 11.1, 11.2, 11.4, 11.5, 11.7, 11.10, 20.5, 20.6. Not the price.
    """
    markers = position.get("markers", {})
    mine = {province for province, owner in markers.items() if owner == seat}
    if len(mine) >= map_toml["pieces"]["markers"]:
        return set()
    (capital,) = (row["capital"] for row in map_toml["civ"] if row["id"] == seat)
    foes_at = {
        province
        for province in {row["id"] for row in map_toml["province"]}
        if land_powers(position, province) - {seat}
    }
    if siege_stops_expansion == "yes" and mine == {capital} and capital in foes_at:
        return set()
    if "lighthouse" in position.get("cards", {}).get(seat, []):
        found = {row["id"] for row in map_toml["province"]} - set(markers)
    else:
        old = mine & set(position.get("since", mine))
        zones = {zone for zone, _ in counted(position.get("fleets", {}).get(seat, ""))}
        found = placeable(map_toml, old, zones, set(markers))
    return found - foes_at if influence_block == "enemy_units" else found


# --- sets of cards (MN-9.1 to 9.4) -------------------------------------------------------------


def can_make(hand: Mapping[str, int], sizes: Iterable[int]) -> bool:
    """Whether disjoint sets of these sizes can be paid from the hand: found by trying them all.

    A set is tax cards only, or goods that are all different.
    """
    hopeless: set[tuple[tuple[tuple[str, int], ...], tuple[int, ...]]] = set()

    def search(rest: Cards, todo: tuple[int, ...]) -> bool:
        if not todo:
            return True
        key = (tuple(sorted(rest.items())), todo)
        if key in hopeless:
            return False
        if any(search(_without(rest, paid), todo[1:]) for paid in sets(rest, todo[0])):
            return True
        hopeless.add(key)
        return False

    return search({card: n for card, n in hand.items() if n}, tuple(sorted(sizes, reverse=True)))


def sets(hand: Mapping[str, int], size: int) -> Iterator[Cards]:
    """Every set of one size that the hand can pay."""
    if hand.get("tax", 0) >= size:
        yield {"tax": size}
    goods = sorted(card for card, n in hand.items() if card != "tax" and n)
    for chosen in combinations(goods, size):
        yield dict.fromkeys(chosen, 1)


def max_sets(hand: Mapping[str, int], size: int) -> int:
    """How many sets of one size the hand can pay at once; for small hands."""
    number = 0
    while can_make(hand, [size] * (number + 1)):
        number += 1
    return number


def _without(hand: Cards, paid: Cards) -> Cards:
    rest = Counter(hand)
    rest.subtract(paid)
    return {card: n for card, n in rest.items() if n}


# --- positions ---------------------------------------------------------------------------------


def counted(text: str) -> list[tuple[str, int]]:
    """`roma*2 corsica` as [("roma", 2), ("corsica", 1)]."""
    found = []
    for word in text.split():
        name, _, number = word.partition("*")
        found.append((name, int(number or 1)))
    return found


def at(position: Position, key: str, province: str) -> int:
    """How many cities, markets or temples a position has in a province."""
    return sum(n for name, n in counted(" ".join(position.get(key, []))) if name == province)


def caravans_at(position: Position, province: str) -> list[str]:
    """The goods of the caravans in a province."""
    rows = [row.split() for row in position.get("caravans", [])]
    return [good for place, good in rows if place == province]


def land_powers(position: Position, province: str) -> set[str]:
    """Seats and neutral civilizations with a legion or a fortress in a province (MN-14.6)."""
    return {
        power
        for key in ("legions", "fortresses")
        for power, text in position.get(key, {}).items()
        if any(place == province and n for place, n in counted(text))
    }


def at_war(position: Position, province: str, war_pieces: str = "units") -> bool:
    """Whether pieces of different powers stand in a province (MN-19.2).

    `units`: legions and fortresses. `legions`: only legions.
    """
    assert war_pieces in ("units", "legions"), "no second opinion on other values"
    if war_pieces == "units":
        return len(land_powers(position, province)) > 1
    return len(land_powers({"legions": position.get("legions", {})}, province)) > 1


def occupations(position: Position, war_pieces: str = "units") -> list[tuple[str, str, str]]:
    """(province, what, seat) of every occupation that counts: none where there is war."""
    rows = [tuple(row.split()[:3]) for row in position.get("occupied", [])]
    return [
        (province, what, seat)
        for province, what, seat in rows
        if not at_war(position, province, war_pieces)
    ]


def possessions(
    position: Position, province: str, war_pieces: str = "units"
) -> dict[str, Counter[str]]:
    """Who has which buildings in a province: `city`, `temple`, `market`, or a caravan's good.

    Occupied ones belong to the occupier, the others to the marker (MN-7.5, 7.8, 7.11, 6.6, 6.13).
    """
    left = Counter(
        {key: at(position, many, province) for key, many in
         (("city", "cities"), ("temple", "temples"), ("market", "markets"))}
    )  # fmt: skip
    left.update(caravans_at(position, province))
    held: dict[str, Counter[str]] = {}
    for place, what, seat in occupations(position, war_pieces):
        if place == province:
            held.setdefault(seat, Counter())[what] += 1
            left[what] -= 1
            assert left[what] >= 0, f"more legions than {what} in {province}"
    owner = position.get("markers", {}).get(province)
    if owner is not None:
        held.setdefault(owner, Counter()).update(+left)
    return held


def built_up(position: Position) -> list[str]:
    """The provinces with at least one building."""
    found = {row.split()[0] for row in position.get("caravans", [])}
    for key in ("cities", "markets", "temples"):
        found |= {name for name, _ in counted(" ".join(position.get(key, [])))}
    return sorted(found)


# --- income (MN-7.1 to 7.9) and roles (MN-6.3 to 6.7) -------------------------------------------


def income(position: Position, seats: Iterable[str], war_pieces: str = "units") -> dict[str, Cards]:
    """The cards each seat is due, if the stock suffices; without the good of choice of Artemis."""
    due: dict[str, Counter[str]] = {seat: Counter() for seat in seats}
    for province in built_up(position):
        for seat, has in possessions(position, province, war_pieces).items():
            if seat not in due:
                continue
            for what, number in has.items():
                if what == "city":
                    due[seat]["tax"] += number * (2 if has["temple"] else 1)
                elif what not in ("temple", "market"):
                    due[seat][what] += number * (2 if has["market"] else 1)
    for seat, cards in due.items():
        if "colossus" in position.get("cards", {}).get(seat, []):
            cards["tax"] += 1
    return {seat: {card: n for card, n in cards.items() if n} for seat, cards in due.items()}


def role_counts(
    position: Position, seats: Iterable[str], *, hero_bonus: int = 2, war_pieces: str = "units"
) -> dict[str, dict[str, int]]:
    """Seat -> what it has for `commerce`, `political` and `military`.

    `hero_bonus`: what Agamemnon, Solomon and Archimedes add, 2, or 3 with the Mythology texts.
    """
    counts = {seat: {"commerce": 0, "political": 0, "military": 0} for seat in seats}
    for province in built_up(position):
        for seat, has in possessions(position, province, war_pieces).items():
            if seat in counts:
                political = has["city"] + has["temple"]
                counts[seat]["political"] += political
                counts[seat]["commerce"] += has.total() - political
    for key in ("legions", "fortresses", "fleets", "new_fleets"):
        for seat, text in position.get(key, {}).items():
            if seat in counts:
                counts[seat]["military"] += sum(n for _, n in counted(text))
    heroes = {"agamemnon": "commerce", "solomon": "political", "archimedes": "military"}
    for seat in counts:
        for card in position.get("cards", {}).get(seat, []):
            if card in heroes:
                counts[seat][heroes[card]] += hero_bonus
    return counts
