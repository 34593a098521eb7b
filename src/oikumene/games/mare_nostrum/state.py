"""The state of a game of Mare Nostrum: plain data, and the few facts everybody asks of it.

Provinces and zones are numbered as on the board (`Board.places`: provinces first); sets of them are
bit sets. A *power* owns pieces: the seats come first, then the neutral civilizations (MN-3.1).
Everything else in this package changes a state only while it is the copy of `Game.apply`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from oikumene.core.game import Frame, Over, Seat
from oikumene.core.limits import BitSet
from oikumene.core.moves import Moves
from oikumene.games.mare_nostrum.board import Board, Civ
from oikumene.games.mare_nostrum.cards import CARDS, GOODS, Hand, pack, without
from oikumene.games.mare_nostrum.options import Options

Power: TypeAlias = int
Place: TypeAlias = int

# What a legion may stand on: a caravan (by its good), then:
CITY, MARKET, TEMPLE, MARKER = range(len(GOODS), len(GOODS) + 4)
WHATS = (*GOODS, "city", "market", "temple", "marker")
THINGS = ("marker", "caravan", "city", "temple", "market", "legion", "fleet", "fortress")
(
    T_MARKER, T_CARAVAN, T_CITY, T_TEMPLE, T_MARKET, T_LEGION, T_FLEET, T_FORTRESS,
) = range(len(THINGS))  # fmt: skip
ROLES = ("commerce", "political", "military")
COMMERCE, POLITICAL, MILITARY = range(3)
NOBODY = -1

# Powers of cards that can be used once a phase (`State.used`).
USED = ("helen", "ulysses", "hammurabi", "cleopatra")
USED_HELEN, USED_ULYSSES, USED_HAMMURABI, USED_CLEOPATRA = (1 << at for at in range(len(USED)))

# What a legion on a building has done on its owner's turn (`Post.state`).
RESTED, MOVED, FOUGHT = range(3)


class Post(NamedTuple):
    """One legion that stands on a building or on the marker (MN-19.8, MN-19.10)."""

    province: Place
    power: Power
    what: int
    state: int = RESTED


class Setting:
    """What never changes in a game: the rules chosen, the board, and who plays."""

    __slots__ = (
        "all_cards", "board", "buildings", "capital", "capitals", "civs", "heroes", "homes", "n",
        "opts", "powers", "seats", "sites",
    )  # fmt: skip

    def __init__(self, opts: Options, board: Board, seats: tuple[str, ...]) -> None:
        by_id = {civ.id: civ for civ in board.civs}
        self.opts = opts
        self.board = board
        self.seats = seats
        self.n = len(seats)
        neutral = tuple(civ.id for civ in board.civs if civ.id not in seats)
        self.powers: tuple[str, ...] = seats + neutral
        self.civs: tuple[Civ, ...] = tuple(by_id[power] for power in self.powers)
        self.capital: tuple[Place, ...] = tuple(civ.capital for civ in self.civs)
        self.capitals: BitSet = sum(1 << place for place in self.capital[: self.n])
        self.all_cards: Hand = pack(dict(enumerate(board.supply_cards)))
        self.buildings = board.buildings[self.n]
        self.heroes: tuple[BitSet, ...] = tuple(1 << CARDS.index(civ.hero) for civ in self.civs)
        self.sites = bytes(board.sites)
        self.homes = tuple(self._home(civ) for civ in self.civs)

    def _home(self, civ: Civ) -> BitSet:
        """Where a civilization may build in the free start (MN-5.3, MN-5.4)."""
        home = 1 << civ.capital | self.board.land[civ.capital]
        return home | civ.extra if self.opts.greek_setup == "with_exceptions" else home


SLOTS = (
    "setting", "round", "agenda", "over", "roles", "hands", "known", "stock", "open", "won",
    "cards", "marks", "since", "caravans", "cities", "markets", "temples", "legions", "held",
    "forts", "forts2", "fleets", "harbour", "posts", "moved", "fought", "forts_fought", "chosen",
    "locked", "sailed", "used", "called",
)  # fmt: skip


class State:
    """One position. Tuples over powers or seats; see the comments for the rest."""

    __slots__ = (*SLOTS, "listed")

    listed: tuple[Frame, Moves] | None  # see `AgendaState`; no part of the position
    setting: Setting
    round: int
    agenda: tuple[Frame, ...]
    over: Over | None
    roles: tuple[Seat, Seat, Seat]  # holder of each role, or NOBODY
    hands: tuple[Hand, ...]
    known: tuple[Hand, ...]  # the part of each hand that everybody has seen
    stock: Hand
    open: tuple[Hand, ...]  # offered cards that lie open
    won: tuple[Hand, ...]  # cards taken in this trade
    cards: tuple[BitSet, ...]  # heroes and wonders of each seat
    marks: tuple[BitSet, ...]  # provinces with the power's marker
    since: tuple[BitSet, ...]  # ... that has lain there since the start of the round (seats only)
    caravans: tuple[BitSet, ...]  # by good: provinces with a caravan on it
    cities: bytes  # number by province
    markets: BitSet
    temples: BitSet
    legions: tuple[bytes, ...]  # by power: number by province, wherever they stand there
    held: tuple[BitSet, ...]  # by power: provinces with legions (follows from `legions`)
    forts: tuple[BitSet, ...]  # by power: provinces with at least one fortress
    forts2: tuple[BitSet, ...]  # ... with two
    fleets: tuple[bytes, ...]  # by seat: number by zone
    harbour: tuple[bytes, ...]  # by seat: new fleets by province
    posts: tuple[Post, ...]  # sorted
    moved: bytes  # by place: the active seat's units (off posts) that moved and have not fought
    fought: bytes  # by place: those that fought
    forts_fought: bytes  # by province: the active seat's fortresses that fought
    chosen: BitSet  # provinces where the active seat has chosen this turn (MN-19.22)
    locked: BitSet  # provinces whose legions may not leave this turn (MN-19.25)
    sailed: BitSet  # where MN-15.2 asks for it: zones sailed into this turn
    used: BitSet
    called: BitSet  # seats called in this phase

    def copy(self) -> State:
        """A copy that shares every value; values are replaced, never changed."""
        new = _new(State)
        new.listed = None
        new.setting = self.setting
        new.round = self.round
        new.agenda = self.agenda
        new.over = self.over
        new.roles = self.roles
        new.hands = self.hands
        new.known = self.known
        new.stock = self.stock
        new.open = self.open
        new.won = self.won
        new.cards = self.cards
        new.marks = self.marks
        new.since = self.since
        new.caravans = self.caravans
        new.cities = self.cities
        new.markets = self.markets
        new.temples = self.temples
        new.legions = self.legions
        new.held = self.held
        new.forts = self.forts
        new.forts2 = self.forts2
        new.fleets = self.fleets
        new.harbour = self.harbour
        new.posts = self.posts
        new.moved = self.moved
        new.fought = self.fought
        new.forts_fought = self.forts_fought
        new.chosen = self.chosen
        new.locked = self.locked
        new.sailed = self.sailed
        new.used = self.used
        new.called = self.called
        return new


_new = State.__new__


def put(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    """The tuple with one value replaced."""
    return (*values[:at], value, *values[at + 1 :])


def put_bytes(values: tuple[bytes, ...], at: int, value: bytes) -> tuple[bytes, ...]:
    """The tuple with one value replaced."""
    return (*values[:at], value, *values[at + 1 :])


def changed(counts: bytes, at: int, by: int) -> bytes:
    """The counts with one of them changed."""
    new = bytearray(counts)
    new[at] += by
    return bytes(new)


# Questions that many chapters ask -------------------------------------------------------------


def marker_owner(s: State, province: Place) -> Power:
    """Whose marker lies in the province, or NOBODY."""
    for power, marks in enumerate(s.marks):
        if marks >> province & 1:
            return power
    return NOBODY


def land_units(s: State, power: Power) -> BitSet:
    """Provinces with legions or fortresses of the power."""
    return s.held[power] | s.forts[power]


def enemy_units(s: State, power: Power) -> BitSet:
    """Provinces with legions or fortresses of any other power (MN-3.7)."""
    found = 0
    for other, held in enumerate(s.held):
        if other != power:
            found |= held | s.forts[other]
    return found


def at_war(s: State) -> BitSet:
    """Provinces in which units of different powers stand (MN-19.2)."""
    seen = war = 0
    for held, forts in zip(s.held, s.forts, strict=True):
        here = held | forts
        war |= seen & here
        seen |= here
    return war


def foreign_marks(s: State, power: Power) -> BitSet:
    """Provinces with the marker of any other power."""
    found = 0
    for other, marks in enumerate(s.marks):
        if other != power:
            found |= marks
    return found


def taken_over(s: State, power: Power) -> BitSet:
    """Provinces in which a legion of another power stands on the marker."""
    found = 0
    for post in s.posts:
        if post.what == MARKER and post.power != power:
            found |= 1 << post.province
    return found


def chain(s: State, seat: Seat) -> BitSet:
    """Zones with at least one fleet of the seat (MN-17.2)."""
    return holding(s.fleets[seat])


@lru_cache(maxsize=65536)
def holding(numbers: bytes) -> BitSet:
    """The places at which there is something, of numbers by place."""
    return sum(1 << at for at, number in enumerate(numbers) if number)


def forts_at(s: State, power: Power, province: Place) -> int:
    """The number of the power's fortresses in the province: 0, 1 or 2."""
    return (s.forts[power] >> province & 1) + (s.forts2[power] >> province & 1)


def posts_at(s: State, province: Place, power: Power) -> tuple[Post, ...]:
    """The power's legions that stand on buildings or on the marker of the province."""
    if not s.posts:
        return ()
    return tuple(post for post in s.posts if post.province == province and post.power == power)


def buildings_at(s: State, province: Place) -> tuple[int, ...]:
    """The buildings in a province, as WHATs, each as often as it stands there."""
    found = [good for good, where in enumerate(s.caravans) if where >> province & 1]
    found.extend([CITY] * s.cities[province])
    if s.markets >> province & 1:
        found.append(MARKET)
    if s.temples >> province & 1:
        found.append(TEMPLE)
    return tuple(found)


def kinds_of_buildings(s: State, province: Place) -> BitSet:
    """The kinds of buildings in a province, as a set of WHATs."""
    found = 0
    for what, where in enumerate(s.caravans):
        found |= (where >> province & 1) << what
    found |= (s.cities[province] > 0) << CITY
    return found | (s.markets >> province & 1) << MARKET | (s.temples >> province & 1) << TEMPLE


def legions_left(s: State, power: Power) -> int:
    """Legions in the power's own supply (MN-1.6)."""
    return s.setting.board.legions - sum(s.legions[power])


def fleets_left(s: State, seat: Seat) -> int:
    """Fleets in the seat's own supply."""
    return s.setting.board.fleets - sum(s.fleets[seat]) - sum(s.harbour[seat])


def forts_left(s: State, power: Power) -> int:
    """Fortresses in the power's own supply."""
    placed = s.forts[power].bit_count() + s.forts2[power].bit_count()
    return s.setting.board.fortresses - placed


def markers_left(s: State, power: Power) -> int:
    """Markers in the power's own supply."""
    return s.setting.board.markers - s.marks[power].bit_count()


def buildings_left(s: State, thing: int) -> int:
    """Caravans, cities, temples or markets (T_...) in the common supply (MN-2.2)."""
    caravans, cities, markets, temples = s.setting.buildings
    if thing == T_CARAVAN:
        return caravans - _members(s.caravans)
    if thing == T_CITY:
        return cities - sum(s.cities)
    if thing == T_MARKET:
        return markets - s.markets.bit_count()
    return temples - s.temples.bit_count()


@lru_cache(maxsize=65536)
def _members(sets: tuple[BitSet, ...]) -> int:
    """How many members several sets have together."""
    return sum(one.bit_count() for one in sets)


@lru_cache(maxsize=65536)
def open_sites(sites: bytes, cities: bytes) -> BitSet:
    """Provinces with a city site left (MN-10.6), of numbers by province."""
    both = enumerate(zip(sites, cities, strict=True))
    return sum(1 << place for place, (number, built) in both if number > built)


# Changes that many chapters make (on the copy) -------------------------------------------------


def add_legions(s: State, power: Power, province: Place, by: int) -> None:
    """Put legions into a province or take them out."""
    new = changed(s.legions[power], province, by)
    s.legions = put_bytes(s.legions, power, new)
    bit = 1 << province
    mask = s.held[power] | bit if new[province] else s.held[power] & ~bit
    s.held = put(s.held, power, mask)


def add_fort(s: State, power: Power, province: Place) -> None:
    """Put one fortress into a province."""
    bit = 1 << province
    if s.forts[power] & bit:
        s.forts2 = put(s.forts2, power, s.forts2[power] | bit)
    else:
        s.forts = put(s.forts, power, s.forts[power] | bit)


def remove_fort(s: State, power: Power, province: Place) -> None:
    """Take one fortress out of a province."""
    bit = 1 << province
    if s.forts2[power] & bit:
        s.forts2 = put(s.forts2, power, s.forts2[power] & ~bit)
    else:
        s.forts = put(s.forts, power, s.forts[power] & ~bit)


def add_fleets(s: State, seat: Seat, zone: int, by: int) -> None:
    """Put fleets into a zone (numbered among the zones) or take them out."""
    s.fleets = put_bytes(s.fleets, seat, changed(s.fleets[seat], zone, by))


def add_harbour(s: State, seat: Seat, province: Place, by: int) -> None:
    """Put new fleets into a province or take them out (MN-10.9)."""
    s.harbour = put_bytes(s.harbour, seat, changed(s.harbour[seat], province, by))


def drop_post(s: State, post: Post) -> None:
    """One legion leaves its building or marker; it still stands in the province."""
    left = list(s.posts)
    left.remove(post)
    s.posts = tuple(left)


def add_post(s: State, post: Post) -> None:
    """One legion steps on a building or on the marker."""
    s.posts = tuple(sorted((*s.posts, post)))


def remove_building(s: State, province: Place, what: int) -> None:
    """A building goes back to the common supply (MN-19.6)."""
    bit = 1 << province
    if what == CITY:
        s.cities = changed(s.cities, province, -1)
    elif what == MARKET:
        s.markets &= ~bit
    elif what == TEMPLE:
        s.temples &= ~bit
    else:
        s.caravans = put(s.caravans, what, s.caravans[what] & ~bit)


def pay(s: State, seat: Seat, cards: Hand) -> None:
    """Cards go openly from a hand to the stock (MN-9.9)."""
    s.hands = put(s.hands, seat, s.hands[seat] - cards)
    s.known = put(s.known, seat, without(s.known[seat], cards))
    s.stock += cards


def receive(s: State, seat: Seat, cards: Hand) -> None:
    """Cards go openly from the stock to a hand."""
    s.hands = put(s.hands, seat, s.hands[seat] + cards)
    s.known = put(s.known, seat, s.known[seat] + cards)
    s.stock -= cards
