"""Chapters 2 to 5: preparing a game, neutral civilizations, the fixed and the free start."""

from __future__ import annotations

from dataclasses import dataclass

from oikumene.core.chance import Lot
from oikumene.core.game import Frame, Rule, Seat, Step, Tell, Throw, silent, sole_answer, then
from oikumene.core.limits import NO, BitSet, Reason, Row, Rows, bits, broken, left_open, yes
from oikumene.core.moves import Move, Moves
from oikumene.games.mare_nostrum import construction, roles, rounds
from oikumene.games.mare_nostrum.board import StartRow
from oikumene.games.mare_nostrum.moves import COUNT, ROLE, SEAT, SEATS
from oikumene.games.mare_nostrum.state import (
    COMMERCE,
    MILITARY,
    NOBODY,
    POLITICAL,
    ROLES,
    SLOTS,
    T_CARAVAN,
    T_FLEET,
    T_FORTRESS,
    T_LEGION,
    T_MARKER,
    THINGS,
    Setting,
    State,
    add_fort,
    add_legions,
    changed,
    foreign_marks,
    put,
)


def empty_state(setting: Setting) -> State:
    """A table with nothing on it: all cards in the stock, all pieces in the supplies."""
    board = setting.board
    powers, n = len(setting.powers), setting.n
    s = State()
    for slot in SLOTS:
        setattr(s, slot, 0)
    s.listed = None
    s.setting = setting
    s.agenda = ()
    s.over = None
    s.roles = (NOBODY, NOBODY, NOBODY)
    s.hands = s.known = s.open = s.won = s.cards = s.since = (0,) * n
    s.stock = setting.all_cards
    s.marks = s.held = s.forts = s.forts2 = (0,) * powers
    s.caravans = (0,) * len(board.symbols)
    s.cities = s.forts_fought = bytes(len(board.provinces))
    s.legions = (bytes(len(board.provinces)),) * powers
    s.fleets = (bytes(len(board.seas)),) * n
    s.harbour = (bytes(len(board.provinces)),) * n
    s.posts = ()
    s.moved = s.fought = bytes(len(board.places))
    return s


def new_game(setting: Setting, tell: Tell = silent) -> State:
    """A new game before the first thing that runs by itself (MN-2)."""
    s = empty_state(setting)
    for power in range(setting.n, len(setting.powers)):
        set_neutral(s, power, tell)
    if setting.opts.start == "free":
        then(s, FirstBuilder())
    else:
        then(s, FixedStart())
    return s


def set_neutral(s: State, power: int, tell: Tell) -> None:
    """A civilization without a player: marker and legion around its fortress (MN-3.2, 3.3, 3.8)."""
    civ = s.setting.civs[power]
    if s.setting.opts.neutral_area == "adjacent":
        area = 1 << civ.capital | s.setting.board.land[civ.capital]
    else:
        area = sum(1 << row.province for row in civ.start)
    s.marks = put(s.marks, power, area)
    add_fort(s, power, civ.capital)
    for place in bits(area):
        add_legions(s, power, place, 1)
        tell("neutral", power, place, rule="MN-3.2")


# The fixed start (chapter 4) ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FixedStart(Rule):
    """Every civilization gets what its player aid shows (MN-4.1 to 4.8)."""

    name = "fixed-start"

    def run(self, s: State, tell: Tell) -> None:
        """Put out what is fixed; where a symbol may be chosen its player is asked."""
        choices: list[Frame] = []
        for seat in range(s.setting.n):
            civ = s.setting.civs[seat]
            s.cards = put(s.cards, seat, s.setting.heroes[seat])
            for row in civ.start:
                self._set_row(s, seat, row, tell)
                if row.choice:
                    choices.extend([StartCaravan(seat, 1 << row.province)] * row.caravan)
            if civ.one_more_caravan_in:
                among = sum(1 << place for place in civ.one_more_caravan_in)
                choices.append(StartCaravan(seat, among))
        then(s, *choices, FirstRoles())

    def _set_row(self, s: State, seat: Seat, row: StartRow, tell: Tell) -> None:
        bit = 1 << row.province
        s.marks = put(s.marks, seat, s.marks[seat] | bit)
        tell("placed", seat, T_MARKER, row.province, -1, rule="MN-4.1")
        s.cities = changed(s.cities, row.province, row.city)
        for _ in range(row.fortress):
            add_fort(s, seat, row.province)
        if row.caravan and not row.choice:
            for good, where in enumerate(s.setting.board.symbols):
                if where & bit:
                    s.caravans = put(s.caravans, good, s.caravans[good] | bit)


@dataclass(frozen=True, slots=True)
class StartCaravan(Step):
    """A player chooses the symbol of a caravan (MN-4.1, MN-4.3)."""

    seat: Seat
    among: BitSet
    name = "start-caravan"
    cite = ("MN-4.1",)
    verbs = ("caravan",)
    nouns = (SEAT, COUNT)

    def _rows(self, s: State, good: int) -> Rows:
        """Provinces of the choice with this symbol free."""
        free = s.setting.board.symbols[good] & ~s.caravans[good]
        return ("MN-4.1", self.among), ("MN-10.5", free)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The player of the civilization."""
        return (self.seat,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """Every free symbol of the choice."""
        universe = s.setting.board.everything
        goods = range(len(s.caravans))
        return Moves(
            [
                ("caravan", bits(where), (good,))
                for good in goods
                if (where := left_open(self._rows(s, good), universe))
            ]
        )

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """See the rows."""
        return [Reason(rule) for rule in broken(self._rows(s, move[2]), move[1])]

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """Only one symbol is left."""
        return sole_answer(self, s)

    def do_caravan(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The caravan is placed."""
        place, good = nouns
        s.caravans = put(s.caravans, good, s.caravans[good] | 1 << place)
        tell("placed", seat, T_CARAVAN, place, good, rule="MN-4.1")


@dataclass(frozen=True, slots=True)
class FirstRoles(Rule):
    """The roles of round 1 are given, not counted (MN-4.10 to 4.13)."""

    name = "first-roles"

    def run(self, s: State, tell: Tell) -> None:
        """Who the rules name; else, among those without a role, by possessions or by lot."""
        s.round = 1
        tell("round", 1, rule="MN-6.1")
        named: dict[int, Seat] = {}
        for seat in range(s.setting.n):
            name = s.setting.civs[seat].role
            if name in ROLES:
                named[ROLES.index(name)] = seat
        if POLITICAL not in named and "greece" in s.setting.seats:
            named[POLITICAL] = s.setting.seats.index("greece")
        for role, seat in named.items():
            roles.give_role(s, role, seat, tell)
        missing = [role for role in (COMMERCE, POLITICAL, MILITARY) if role not in named]
        then(s, *(FirstHolder(role) for role in missing), StartRounds())


@dataclass(frozen=True, slots=True)
class FirstHolder(Rule):
    """A role whose holder is absent: most possessions, or for the Military Leader a lot, among
    those without a role (MN-4.11, MN-4.12)."""

    role: int
    name = "first-holder"
    nouns = (ROLE,)

    def run(self, s: State, tell: Tell) -> None:
        """Give the card where there is no choice, else draw a lot."""
        free = [seat for seat in range(s.setting.n) if seat not in s.roles]
        if self.role != MILITARY:
            found = roles.counts(s, self.role)
            most = max(found[seat] for seat in free)
            free = [seat for seat in free if found[seat] == most]
        if len(free) == 1:
            roles.give_role(s, self.role, free[0], tell)
        else:
            then(s, RoleLot(self.role, sum(1 << seat for seat in free)))


@dataclass(frozen=True, slots=True)
class RoleLot(Throw):
    """A role is drawn by lot (MN-4.11, MN-4.12)."""

    role: int
    among: BitSet
    name = "role-lot"
    cite = ("MN-4.11", "MN-4.12")
    nouns = (ROLE, SEATS)

    def kind(self, s: State) -> Lot:
        """One of them."""
        return Lot(bits(self.among), stream="roles")

    def settle(self, s: State, outcome: Move, tell: Tell) -> None:
        """He holds the role in round 1."""
        roles.give_role(s, self.role, outcome[1], tell)


@dataclass(frozen=True, slots=True)
class StartRounds(Rule):
    """Round 1 begins with the income: its roles are given."""

    name = "start-rounds"

    def run(self, s: State, tell: Tell) -> None:
        """See `begin_round`."""
        rounds.begin_round(s, counted=False)


# The free start (chapter 5) ----------------------------------------------------------------------

POINTS = construction.PRICES  # MN-5.1: the same numbers, without reductions (MN-5.2)
HERO_POINTS = 9
A_TURN = 9
TURNS = 4


@dataclass(frozen=True, slots=True)
class FirstBuilder(Throw):
    """Who begins the free start is drawn by lot (MN-5.14)."""

    name = "first-builder"
    cite = ("MN-5.14",)

    def kind(self, s: State) -> Lot:
        """One of all."""
        return Lot(tuple(range(s.setting.n)), stream="start")

    def settle(self, s: State, outcome: Move, tell: Tell) -> None:
        """Four turns each, to the left."""
        n = s.setting.n
        order = [(outcome[1] + at) % n for at in range(n)]
        turns = (FreeTurn(seat, turn, A_TURN) for turn in range(TURNS) for seat in order)
        then(s, *turns, FreeRounds())


@dataclass(frozen=True, slots=True)
class FreeRounds(Rule):
    """Round 1 of the free start: the roles are counted by the normal rule (MN-5.11)."""

    name = "free-rounds"

    def run(self, s: State, tell: Tell) -> None:
        """Count the roles and go on."""
        s.round = 1
        tell("round", 1, rule="MN-6.1")
        rounds.begin_round(s, counted=True)


@dataclass(frozen=True, slots=True)
class FreeTurn(Step):
    """One turn of the free start: exactly 9 points are spent (MN-5.14)."""

    seat: Seat
    turn: int
    points: int
    name = "free-start"
    cite = ("MN-5.1", "MN-5.14")
    verbs = ("place", "hero", "done")
    elsewhere = {"buy": "MN-5.6", "free": "MN-5.9", "swap": "MN-5.9"}  # noqa: RUF012
    nouns = (SEAT, COUNT, COUNT)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The player on turn."""
        return (self.seat,)

    def _point_rows(self, s: State, seat: Seat, cost: int, *, for_capital: bool) -> tuple[Row, ...]:
        """The points suffice, also for the capital's marker later (MN-5.1, MN-5.15)."""
        capital = 1 << s.setting.capital[seat]
        later = self.points - cost + A_TURN * (TURNS - 1 - self.turn)
        secured = for_capital or s.marks[seat] & capital or later >= POINTS[T_MARKER]
        return ("MN-5.1", yes(cost <= self.points)), ("MN-5.15", yes(secured))

    def _place_rows(self, s: State, seat: Seat, thing: int, good: int) -> Rows:
        """Where a thing may be placed (MN-5.3 to 5.5, 5.10, 5.16)."""
        home, capital = s.setting.homes[seat], 1 << s.setting.capital[seat]
        rows = list(construction.room_rows(s, seat, thing, good))
        rows.append(("MN-5.5", capital) if thing in (T_LEGION, T_FLEET) else ("MN-5.3", home))
        if thing == T_MARKER:
            rows.append(("MN-11.1", ~(foreign_marks(s, seat) | s.marks[seat])))
        else:
            rows.append(("MN-5.10", s.marks[seat]))
        if thing == T_FORTRESS:
            rows.append(("MN-10.8", ~s.forts[seat]))
        return tuple(rows)

    def moves(self, s: State, seat: Seat) -> Moves:
        """Everything that can be placed, the hero; `done` only where nothing else is possible."""
        found: list[tuple[object, ...]] = []
        universe = s.setting.board.everything
        capital = 1 << s.setting.capital[seat]
        for thing in range(len(THINGS)):
            goods = range(len(s.caravans)) if thing == T_CARAVAN else (-1,)
            for good in goods:
                where = left_open(self._place_rows(s, seat, thing, good), universe)
                if broken(self._point_rows(s, seat, POINTS[thing], for_capital=False)):
                    where &= capital if thing == T_MARKER else NO
                    if broken(self._point_rows(s, seat, POINTS[thing], for_capital=True)):
                        where = NO
                if where:
                    found.append(("place", (thing,), bits(where), (good,)))
        if not broken(self._hero_rows(s, seat)):
            found.append(("hero",))
        return Moves(found or [("done",)])

    def _hero_rows(self, s: State, seat: Seat) -> Rows:
        bought = s.cards[seat] & s.setting.heroes[seat]
        points = self._point_rows(s, seat, HERO_POINTS, for_capital=False)
        return (("MN-12.3", yes(not bought)), *points)

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """The rows of the verb."""
        if move[0] == "done":
            nothing = self.moves(s, seat).verbs() == ("done",)
            return [Reason(rule) for rule in broken((("MN-5.14", yes(nothing)),))]
        if move[0] == "hero":
            return [Reason(rule) for rule in broken(self._hero_rows(s, seat))]
        thing, place, good = move[1:]
        if (thing == T_CARAVAN) != (good >= 0):
            return [Reason("MN-10.5")]
        for_capital = thing == T_MARKER and place == s.setting.capital[seat]
        points = self._point_rows(s, seat, POINTS[thing], for_capital=for_capital)
        rules = (*broken(points), *broken(self._place_rows(s, seat, thing, good), place))
        return [Reason(rule, {"points": self.points}) for rule in dict.fromkeys(rules)]

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """Everything lies open."""
        return sole_answer(self, s)

    def _spend(self, s: State, cost: int) -> None:
        if self.points > cost:
            then(s, FreeTurn(self.seat, self.turn, self.points - cost))

    def do_place(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The thing stands on the board."""
        thing, place, good = nouns
        if thing == T_MARKER:
            s.marks = put(s.marks, seat, s.marks[seat] | 1 << place)
        else:
            construction.put_thing(s, seat, thing, place, good)
        tell("placed", seat, thing, place, good, rule="MN-5.1")
        self._spend(s, POINTS[thing])

    def do_hero(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The own civilization's hero (MN-5.6); his powers do not count yet (MN-5.9)."""
        hero = s.setting.heroes[seat]
        s.cards = put(s.cards, seat, s.cards[seat] | hero)
        tell("bought", seat, bits(hero)[0], rule="MN-5.6")
        self._spend(s, HERO_POINTS)

    def do_done(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Nothing can be bought: the points lapse (MN-5.13)."""
