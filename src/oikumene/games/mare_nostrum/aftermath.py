"""Chapters 19 and 20 and Helen: entering a province, and what follows a land fight."""

from __future__ import annotations

from dataclasses import dataclass

from oikumene.core.game import Frame, Rule, Seat, Step, Tell, sole_answer, then
from oikumene.core.limits import NO, BitSet, Reason, Rows, bits, broken, left_open, yes
from oikumene.core.moves import Move, Moves
from oikumene.games.mare_nostrum.cards import CARD, GOODS, HELEN, NEBUCHADNEZZAR, TAX, count
from oikumene.games.mare_nostrum.income import ChooseGood
from oikumene.games.mare_nostrum.moves import PROVINCE, SEAT
from oikumene.games.mare_nostrum.state import (
    CITY,
    FOUGHT,
    MARKER,
    MARKET,
    MOVED,
    NOBODY,
    RESTED,
    TEMPLE,
    USED_HELEN,
    Place,
    Post,
    State,
    add_legions,
    add_post,
    at_war,
    buildings_at,
    changed,
    enemy_units,
    foreign_marks,
    kinds_of_buildings,
    legions_left,
    marker_owner,
    posts_at,
    receive,
    remove_building,
)

# Helen (MN-25.4 to 25.6, MN-25.9) ----------------------------------------------------------------


def helen_frames(s: State, mover: Seat, place: Place) -> tuple[Frame, ...]:
    """The question to Helen's owner when legions enter a province with his marker."""
    owner = marker_owner(s, place)
    if owner in (NOBODY, mover) or owner >= s.setting.n or s.used & USED_HELEN:
        return ()
    if not s.cards[owner] >> HELEN & 1 or legions_left(s, owner) <= 0:
        return ()
    return (AskHelen(owner, mover, place),)


@dataclass(frozen=True, slots=True)
class AskHelen(Step):
    """Helen may turn one of the legions that just entered into one of her owner's."""

    owner: Seat
    mover: Seat
    place: Place
    name = "helen"
    cite = ("MN-25.4", "MN-25.9")
    verbs = ("helen", "no")
    nouns = (SEAT, SEAT, PROVINCE)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The owner of Helen."""
        return (self.owner,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """Use her or not."""
        return Moves((("helen",), ("no",)))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """Both answers are free."""
        return []

    def do_helen(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """One legion changes sides; the piece changed goes back to its former owner's supply."""
        s.used |= USED_HELEN
        add_legions(s, self.mover, self.place, -1)
        s.moved = changed(s.moved, self.place, -1)
        add_legions(s, seat, self.place, 1)
        tell("helen", seat, self.mover, self.place, rule="MN-25.4")

    def do_no(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """She is not used at this entry."""


# What follows (MN-19.1 to 19.5) ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Arrive(Rule):
    """Legions have entered: an attack without dice where no enemy stands (MN-18.4)."""

    place: Place
    mover: Seat
    name = "arrive"
    nouns = (PROVINCE, SEAT)

    def run(self, s: State, tell: Tell) -> None:
        """Where enemies stand a fight will follow; else the case distinction."""
        settle(s, self.mover, self.place)


@dataclass(frozen=True, slots=True)
class After(Rule):
    """A land fight is over: the three cases (MN-19.1, 19.2, 19.5)."""

    place: Place
    attacker: Seat
    name = "after"
    nouns = (PROVINCE, SEAT)

    def run(self, s: State, tell: Tell) -> None:
        """Tell of a war, or let the victor choose."""
        if at_war(s) >> self.place & 1:
            tell("war", self.place, rule="MN-19.2")
        settle(s, self.attacker, self.place)


def settle(s: State, seat: Seat, place: Place) -> None:
    """Case 3: the seat's legions are alone in a foreign province: it chooses, once a turn."""
    if not alone(s, seat) >> place & 1:
        return
    if s.chosen >> place & 1:
        if any(post.what != MARKER for post in posts_at(s, place, seat)):
            then(s, Join(seat, place))
    elif choice_moves(s, seat, place):
        then(s, Choose(seat, place))


def alone(s: State, seat: Seat) -> BitSet:
    """Foreign provinces in which only this seat has land units, legions among them."""
    return s.held[seat] & foreign_marks(s, seat) & ~enemy_units(s, seat)


def may_choose_later(s: State, seat: Seat) -> BitSet:
    """Provinces in which the seat may choose on this turn without a fight (MN-19.24, 19.25)."""
    return alone(s, seat) & ~s.chosen


def whole_rows(s: State, seat: Seat, place: Place) -> Rows:
    """Whether the seat may choose at all in a province (MN-19.5, 19.11, 19.21, 19.22)."""
    bit = 1 << place
    by_itself = yes(s.held[seat] & bit and not enemy_units(s, seat) & bit)
    return (
        ("MN-19.5", by_itself),
        ("MN-19.11", by_itself),
        ("MN-19.21", yes(not s.marks[seat] & bit)),
        ("MN-19.22", yes(not s.chosen & bit)),
    )


def building_rows(s: State, seat: Seat, place: Place) -> Rows:
    """Which buildings may be pillaged or occupied (MN-19.20, MN-20.4)."""
    there = kinds_of_buildings(s, place)
    protected = NO
    capital = s.setting.capitals >> place & 1
    if capital and s.setting.opts.capital_protection == "takeover_and_only_temple_market":
        protected = ~(1 << MARKET | 1 << TEMPLE)
    return ("MN-19.20", there), ("MN-20.4", ~protected)


def takeover_rows(s: State, seat: Seat, place: Place) -> Rows:
    """Whether the marker may be taken over (MN-19.20, MN-20.2, MN-20.7)."""
    neutral_capital = place in s.setting.capital[s.setting.n :]
    open_capital = s.setting.opts.neutral_capital_takeover == "yes"
    return (
        ("MN-19.20", yes(foreign_marks(s, seat) >> place & 1)),
        ("MN-20.2", yes(not s.setting.capitals >> place & 1)),
        ("MN-20.7", yes(open_capital or not neutral_capital)),
    )


def choice_moves(s: State, seat: Seat, place: Place) -> list[tuple[object, ...]]:
    """Pillage, occupy, take over: the rows of what is possible there."""
    found: list[tuple[object, ...]] = []
    whats = left_open(building_rows(s, seat, place), (1 << MARKER) - 1)
    if whats:
        found.append(("pillage", (place,), bits(whats)))
        found.append(("occupy", (place,), bits(whats)))
    if not broken(takeover_rows(s, seat, place)):
        found.append(("takeover", (place,)))
    return found


def choice_limits(s: State, seat: Seat, move: Move) -> list[Reason]:
    """The reasons against one choice."""
    place = move[1]
    rows = whole_rows(s, seat, place)
    rules = broken(rows)
    if not rules:
        if move[0] == "takeover":
            rules = broken(takeover_rows(s, seat, place))
        else:
            rules = broken(building_rows(s, seat, place), move[2])
    return [Reason(rule, {"place": place}) for rule in rules]


def later_choice_limits(s: State, seat: Seat, move: Move) -> list[Reason]:
    """The reasons against a choice without a fight or an entry (MN-19.16, 19.24, 19.25)."""
    found = choice_limits(s, seat, move)
    if s.setting.opts.change_choice == "no":
        return [Reason("MN-19.16", {"place": move[1]}), *found]
    return found


def choose(s: State, seat: Seat, move: Move, tell: Tell) -> None:
    """Carry a choice out; what ran there before ends (MN-19.15)."""
    verb, place = move[:2]
    s.chosen |= 1 << place
    leave_posts(s, seat, place)
    if verb == "pillage":
        pillage(s, seat, place, move[2], tell)
    elif verb == "occupy":
        step_on(s, seat, place, move[2])
        tell("occupied", seat, place, move[2], rule="MN-19.8")
        then(s, Join(seat, place))
    else:
        step_on(s, seat, place, MARKER)
        tell("takeover", seat, place, rule="MN-19.10")


def leave_posts(s: State, seat: Seat, place: Place) -> None:
    """All legions of the seat leave their buildings there."""
    for post in posts_at(s, place, seat):
        s.posts = tuple(other for other in s.posts if other is not post)
        if post.state == MOVED:
            s.moved = changed(s.moved, place, 1)
        elif post.state == FOUGHT:
            s.fought = changed(s.fought, place, 1)


def step_on(s: State, seat: Seat, place: Place, what: int) -> None:
    """One legion steps on a building or the marker: one that cannot move any more, if there is."""
    state = RESTED
    if s.fought[place]:
        state = FOUGHT
        s.fought = changed(s.fought, place, -1)
    elif s.moved[place]:
        state = MOVED
        s.moved = changed(s.moved, place, -1)
    add_post(s, Post(place, seat, what, state))


def pillage(s: State, seat: Seat, place: Place, what: int, tell: Tell) -> None:
    """One building is destroyed; Nebuchadnezzar gains by it (MN-19.6, MN-25.7)."""
    remove_building(s, place, what)
    tell("pillaged", seat, place, what, rule="MN-19.6")
    if not s.cards[seat] >> NEBUCHADNEZZAR & 1:
        return
    if what == CITY and count(s.stock, TAX):
        receive(s, seat, CARD[TAX])
        tell("income", seat, CARD[TAX], rule="MN-25.7")
    elif what < len(GOODS):
        then(s, ChooseGood(seat))


@dataclass(frozen=True, slots=True)
class Choose(Step):
    """The victor must choose exactly one of pillage, occupy, take over (MN-19.5)."""

    seat: Seat
    place: Place
    name = "choose"
    cite = ("MN-19.5", "MN-18.4")
    verbs = ("pillage", "occupy", "takeover")
    elsewhere = dict.fromkeys(("done", "march", "fight"), "MN-19.5")
    nouns = (SEAT, PROVINCE)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The victor."""
        return (self.seat,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """What is possible there."""
        return Moves(choice_moves(s, seat, self.place))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """Here, and what is possible there."""
        if move[1] != self.place:
            return [Reason("MN-19.5", {"place": self.place})]
        return choice_limits(s, seat, move)

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """Where only one thing is possible it is chosen (MN-19.20)."""
        return sole_answer(self, s)

    def do_pillage(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Destroy a building."""
        choose(s, seat, ("pillage", *nouns), tell)

    def do_occupy(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Occupy a first building."""
        choose(s, seat, ("occupy", *nouns), tell)

    def do_takeover(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Stand on the marker."""
        choose(s, seat, ("takeover", *nouns), tell)


@dataclass(frozen=True, slots=True)
class Join(Step):
    """Further legions there may occupy further buildings, one each (MN-19.8, MN-19.22)."""

    seat: Seat
    place: Place
    name = "join"
    cite = ("MN-19.8", "MN-19.22")
    verbs = ("occupy", "done")
    elsewhere = {"pillage": "MN-19.15", "takeover": "MN-19.15"}  # noqa: RUF012
    nouns = (SEAT, PROVINCE)

    def _rows(self, s: State) -> Rows:
        """Free buildings, and a legion off posts to stand on them."""
        free = list(buildings_at(s, self.place))
        posts = posts_at(s, self.place, self.seat)
        for post in posts:
            free.remove(post.what)
        left = s.legions[self.seat][self.place] - len(posts)
        return (
            *building_rows(s, self.seat, self.place),
            ("MN-19.8", sum(1 << what for what in set(free))),
            ("MN-19.8", yes(left > 0)),
        )

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The occupier."""
        return (self.seat,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """Occupy one more, or `done`."""
        whats = left_open(self._rows(s), (1 << MARKER) - 1)
        more = (("occupy", (self.place,), bits(whats)),) if whats else ()
        return Moves((*more, ("done",)))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """One legion on each building of this province."""
        if move[0] == "done":
            return []
        if move[1] != self.place:
            return [Reason("MN-19.5", {"place": self.place})]
        return [Reason(rule, {"place": self.place}) for rule in broken(self._rows(s), move[2])]

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """Nothing is left to occupy, or nobody to do it."""
        return sole_answer(self, s)

    def do_occupy(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """One more legion on one more building."""
        step_on(s, seat, self.place, nouns[1])
        tell("occupied", seat, self.place, nouns[1], rule="MN-19.8")
        then(s, self)

    def do_done(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Enough are occupied."""
