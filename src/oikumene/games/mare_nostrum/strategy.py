"""Chapters 13 to 17: the Strategy phase; moving fleets and legions, and calling fights.

On its owner's turn a unit is rested, has moved, or has fought. Of those off posts `State.moved` and
`State.fought` count these by place; a legion on a post carries its own state (`Post.state`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from oikumene.core.game import Seat, Step, Tell, sole_answer, then
from oikumene.core.limits import NO, BitSet, Reason, Row, Rows, bits, broken, left_open, yes
from oikumene.core.moves import Move, Moves
from oikumene.games.mare_nostrum import aftermath, battle
from oikumene.games.mare_nostrum.moves import FLEET, FORTRESS, LEGION, SEAT
from oikumene.games.mare_nostrum.state import (
    FOUGHT,
    MOVED,
    RESTED,
    Place,
    State,
    add_fleets,
    add_harbour,
    add_legions,
    chain,
    changed,
    drop_post,
    enemy_units,
    forts_at,
    holding,
    land_units,
    posts_at,
)

NO_POST: tuple[tuple[int, ...], ...] = ((),)


def up_to(number: int) -> BitSet:
    """The counts 1 to `number` as a bit set."""
    return (2 << number) - 2 if number > 0 else NO


# Fleets (chapters 14 and 15) -------------------------------------------------------------------


def fleets_at(s: State, seat: Seat, place: Place) -> int:
    """The seat's fleets in a zone, or its new ones in a province."""
    zone = place - len(s.setting.board.provinces)
    return s.fleets[seat][zone] if zone >= 0 else s.harbour[seat][place]


def sail_rows(s: State, seat: Seat, place: Place) -> tuple[Rows, Rows]:
    """How many fleets may leave a place, and where to (MN-14.1, 14.2, 13.4, 13.5)."""
    board = s.setting.board
    first_zone = len(board.provinces)
    there = fleets_at(s, seat, place)
    if place < first_zone:
        return (("MN-14.1", up_to(there)),), (("MN-14.1", board.waters[place] << first_zone),)
    rested = up_to(there - s.moved[place] - s.fought[place])
    counts: list[Row] = [("MN-14.2", up_to(there))]
    if s.moved[place]:
        counts.append(("MN-13.4", rested))
    if s.fought[place]:
        counts.append(("MN-13.5", rested))
    return tuple(counts), (("MN-14.2", board.links[place - first_zone] << first_zone),)


def zone_fight_rows(s: State, seat: Seat, place: Place) -> Rows:
    """Whom the seat may attack in a zone (MN-15.1, 15.2, 13.4, 18.2)."""
    zone = place - len(s.setting.board.provinces)
    if zone < 0:  # a new fleet does not fight, and legions do so later
        return (("MN-14.5" if s.harbour[seat][place] else "MN-13.1", NO),)
    there = s.fleets[seat][zone]
    sailed_in = s.sailed >> zone & 1  # also when all that sailed in are sunk
    opponents = sum(
        1 << other for other, fleets in enumerate(s.fleets) if other != seat and fleets[zone]
    )
    return (
        ("MN-15.1", yes(there)),
        ("MN-15.2", yes(sailed_in or s.setting.opts.attack_without_moving == "yes")),
        ("MN-13.4", yes(there > s.fought[place] or not there)),
        ("MN-18.2", opponents),
    )


@dataclass(frozen=True, slots=True)
class Fleets(Step):
    """A player moves his fleets and fights at sea, in any order (MN-13.1, MN-15.6)."""

    seat: Seat
    name = "fleets"
    cite = ("MN-13.1", "MN-14.2", "MN-15.1")
    verbs = ("sail", "fight", "done")
    elsewhere = dict.fromkeys(("march", "pillage", "occupy", "takeover"), "MN-13.1")
    nouns = (SEAT,)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The called player."""
        return (self.seat,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """Sailing from port, sailing from zone to zone, fights, `done`."""
        found: list[tuple[object, ...]] = []
        board = s.setting.board
        first_zone = len(board.provinces)
        fleets, moved, fought = s.fleets[seat], s.moved, s.fought
        for place in bits(holding(s.harbour[seat])):
            numbers = range(1, s.harbour[seat][place] + 1)
            found.append(("sail", numbers, (place,), bits(board.waters[place] << first_zone)))
        zones = holding(fleets)
        for zone in bits(zones):  # the same as `sail_rows` leave open (laws compare the two)
            place = first_zone + zone
            rested = fleets[zone] - moved[place] - fought[place]
            if rested:
                to = bits(board.links[zone] << first_zone)
                found.append(("sail", range(1, rested + 1), (place,), to))
        crowded = 0
        for other, numbers_of_other in enumerate(s.fleets):
            if other != seat:
                crowded |= holding(numbers_of_other)
        for zone in bits(zones & crowded):
            place = first_zone + zone
            rows = zone_fight_rows(s, seat, place)
            opponents = left_open(rows, (1 << s.setting.n) - 1)
            if opponents:
                ready = fleets_at(s, seat, place) - s.fought[place]
                some = tuple((FLEET,) * number for number in range(ready))
                found.append(("fight", (place,), bits(opponents), some))
        if not broken(self._done_rows(s, seat)):
            found.append(("done",))
        return Moves(found)

    def _done_rows(self, s: State, seat: Seat) -> Rows:
        must = s.setting.opts.new_fleet_must_leave == "yes"
        return (("MN-14.4", yes(not (must and any(s.harbour[seat])))),)

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """The rows of the verb."""
        if move[0] == "done":
            return [Reason(rule) for rule in broken(self._done_rows(s, seat))]
        if move[0] == "sail":
            number, place, to = move[1:]
            counts, targets = sail_rows(s, seat, place)
            rules = (*broken(counts, number), *broken(targets, to))
            return [Reason(rule, {"from": place, "to": to}) for rule in dict.fromkeys(rules)]
        place, opponent, units = move[1:]
        rules = broken(zone_fight_rows(s, seat, place), opponent)
        if not rules and units:
            ready = fleets_at(s, seat, place) - s.fought[place]
            fits = set(units) == {FLEET} and len(units) < ready
            rules = broken((("MN-15.7", yes(fits)),))
        return [Reason(rule, {"place": place}) for rule in rules]

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """All fleets lie open, so a sole answer is seen by everybody."""
        if not any(s.fleets[self.seat]) and not any(s.harbour[self.seat]):
            return self.seat, ("done",)
        return sole_answer(self, s)

    def do_sail(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Fleets move into a zone; that ends their move."""
        number, place, to = nouns
        first_zone = len(s.setting.board.provinces)
        if place < first_zone:
            add_harbour(s, seat, place, -number)
        else:
            add_fleets(s, seat, place - first_zone, -number)
        add_fleets(s, seat, to - first_zone, number)
        s.moved = changed(s.moved, to, number)
        if s.setting.opts.attack_without_moving == "war_only":
            s.sailed |= 1 << to - first_zone
        tell(
            "sailed", seat, number, place, to, rule="MN-14.2" if place >= first_zone else "MN-14.1"
        )
        then(s, self)

    def do_fight(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Fleets that have moved go first: the others could still sail (MN-15.7)."""
        place, opponent, units = nouns
        ready = fleets_at(s, seat, place) - s.fought[place]
        number = len(units) or ready
        moved = min(number, s.moved[place])
        s.moved = changed(s.moved, place, -moved)
        s.fought = changed(s.fought, place, number)
        tell("fight", seat, opponent, place, rule="MN-15.1")
        battle.join_battle(s, battle.Battle(place, seat, opponent, (FLEET,) * number), self, tell)

    def do_done(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The legions are next (MN-13.3)."""


# Legions (chapter 16) ----------------------------------------------------------------------------


class Ready:
    """The active seat's own units in one province, by what they have done this turn."""

    __slots__ = ("forts", "free", "moved", "posts", "standing", "there")

    def __init__(self, s: State, seat: Seat, place: Place) -> None:
        posts = posts_at(s, place, seat)
        self.there = s.legions[seat][place]
        self.moved = s.moved[place]
        self.standing = len(posts)
        self.free = self.there - self.standing - self.moved - s.fought[place]  # rested, off posts
        self.posts = tuple(post for post in posts if post.state != FOUGHT) if posts else ()
        forts = forts_at(s, seat, place) - s.forts_fought[place]
        self.forts = forts if s.setting.opts.fortress_attacks == "yes" else 0

    def units(self) -> tuple[int, ...]:
        """All units that may still fight this turn (MN-13.4), sorted."""
        plain = (LEGION,) * (self.free + self.moved) + (FORTRESS,) * self.forts
        return (*(post.what for post in self.posts), *plain)

    def rested_posts(self) -> tuple[int, ...]:
        """The WHATs on which rested legions stand."""
        if not self.posts:
            return ()
        return tuple(post.what for post in self.posts if post.state == RESTED)

    def can_lift(self, leaving: tuple[int, ...]) -> bool:
        """Whether rested legions stand on all these posts."""
        return not leaving or not Counter(leaving) - Counter(self.rested_posts())


def ready_units(s: State, place: Place) -> tuple[int, ...]:
    """All units of the seat on turn that may fight in a place, or () outside a turn; sorted."""
    frame = s.agenda[-1] if s.agenda else None
    if isinstance(frame, Fleets) and place >= len(s.setting.board.provinces):
        return (FLEET,) * (fleets_at(s, frame.seat, place) - s.fought[place])
    if isinstance(frame, Legions) and place < len(s.setting.board.provinces):
        return Ready(s, frame.seat, place).units()
    return ()


def march_rows(s: State, seat: Seat, place: Place, leaving: tuple[int, ...]) -> tuple[Rows, Rows]:
    """How many legions may leave a province, and where to (MN-16.1, 13.4, 13.5, 19.25)."""
    ready = Ready(s, seat, place)
    lifted = len(leaving)
    fewer = up_to(lifted - 1)  # no fewer march than leave their posts
    free = up_to(ready.free + lifted) & ~fewer
    off_posts = up_to(ready.there - ready.standing + lifted) & ~fewer
    counts: list[Row] = [
        ("MN-16.1", off_posts if ready.can_lift(leaving) else NO),
        ("MN-19.25", yes(not s.locked >> place & 1)),
    ]
    if s.moved[place]:
        counts.append(("MN-13.4", free))
    if s.fought[place]:
        counts.append(("MN-13.5", free))
    return tuple(counts), (("MN-16.1", s.setting.board.neighbours(place, chain(s, seat))),)


def fronts(s: State, seat: Seat) -> BitSet:
    """Provinces in which own land units face enemy ones."""
    return land_units(s, seat) & enemy_units(s, seat)


def land_fight_rows(s: State, seat: Seat, place: Place, units: tuple[int, ...]) -> Rows:
    """Whom the seat may fight in a province, with `units` ready (MN-13.4, MN-18.2)."""
    return (
        ("MN-13.4", yes(units)),
        ("MN-18.2", opponents_at(s, seat, place)),
    )


def opponents_at(s: State, seat: Seat, place: Place) -> BitSet:
    """The other powers with land units in a province."""
    found = 0
    for power in range(len(s.held)):
        if power != seat and land_units(s, power) >> place & 1:
            found |= 1 << power
    return found


def split_rows(s: State, seat: Seat, place: Place, units: tuple[int, ...]) -> Rows:
    """Whether only these units may fight: only where several opponents stand (MN-16.6, 19.26)."""
    if not units:
        return ()
    ready = Counter(Ready(s, seat, place).units())
    chosen = Counter(units)
    several = opponents_at(s, seat, place).bit_count() > 1
    return (
        ("MN-19.26", yes(several)),
        ("MN-13.4", yes(not chosen - ready and chosen != ready)),
    )


def parts(units: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All sub-multisets but the empty one and the whole, each sorted."""
    counted = sorted(Counter(units).items())
    for numbers in product(*(range(times + 1) for _, times in counted)):
        if 0 < sum(numbers) < len(units):
            yield tuple(
                unit
                for (unit, _), number in zip(counted, numbers, strict=True)
                for _ in range(number)
            )


def lifts(whats: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All sub-multisets of the posts but the empty one."""
    if whats:
        yield from parts(whats)
        yield whats


@dataclass(frozen=True, slots=True)
class Legions(Step):
    """A player moves legions, fights and settles provinces, in any order (MN-16.2)."""

    seat: Seat
    name = "legions"
    cite = ("MN-13.1", "MN-16.1", "MN-16.2")
    verbs = ("march", "fight", "pillage", "occupy", "takeover", "done")
    elsewhere = {"sail": "MN-13.1"}  # noqa: RUF012
    nouns = (SEAT,)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The called player."""
        return (self.seat,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """Marches, fights, later choices (MN-19.25), `done`."""
        found: list[tuple[object, ...]] = []
        everywhere = s.setting.board.everything
        joined, legions = chain(s, seat), s.legions[seat]
        posted = 0
        for post in s.posts:
            posted |= 1 << post.province
        for place in bits(s.held[seat] & ~s.locked):
            if not posted >> place & 1:  # the same as below, but short (laws compare the two)
                free = legions[place] - s.moved[place] - s.fought[place]
                if free:
                    to = s.setting.board.neighbours(place, joined)
                    numbers = range(1, free + 1)
                    found.append(("march", numbers, (place,), bits(to), NO_POST))
                continue
            ready = Ready(s, seat, place)
            for leaving in ((), *lifts(ready.rested_posts())):
                counts, targets = march_rows(s, seat, place, leaving)
                number = left_open(counts, up_to(ready.there))
                if number:
                    to = left_open(targets, everywhere)
                    found.append(("march", bits(number), (place,), bits(to), (leaving,)))
        front = fronts(s, seat)
        for place in bits(front):
            units = Ready(s, seat, place).units()
            rows = land_fight_rows(s, seat, place, units)
            opponents = left_open(rows, (1 << len(s.held)) - 1)
            if opponents:
                several = opponents.bit_count() > 1
                some = ((), *parts(units)) if several else ((),)
                found.append(("fight", (place,), bits(opponents), some))
        abroad = s.held[seat] & ~s.marks[seat]
        if abroad and s.setting.opts.change_choice == "any":
            for place in bits(aftermath.may_choose_later(s, seat)):
                found.extend(aftermath.choice_moves(s, seat, place))
        if not front or not broken(self._done_rows(s, seat)):
            found.append(("done",))
        return Moves(found)

    def _done_rows(self, s: State, seat: Seat) -> Rows:
        """What entered must attack, what stands at war must fight (MN-18.3, MN-19.3)."""
        entered = stayed = False
        for place in bits(fronts(s, seat)):
            ready = Ready(s, seat, place)
            came = ready.moved + sum(post.state == MOVED for post in ready.posts)
            entered = entered or came > 0
            stayed = stayed or len(ready.units()) > came
        return ("MN-18.3", yes(not entered)), ("MN-19.3", yes(not stayed))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """The rows of the verb."""
        if move[0] == "done":
            return [Reason(rule) for rule in broken(self._done_rows(s, seat))]
        if move[0] == "march":
            number, place, to, leaving = move[1:]
            counts, targets = march_rows(s, seat, place, leaving)
            rules = (*broken(counts, number), *broken(targets, to))
            return [Reason(rule, {"from": place, "to": to}) for rule in dict.fromkeys(rules)]
        if move[0] == "fight":
            place, opponent, units = move[1:]
            if place >= len(s.setting.board.provinces):
                return [Reason("MN-13.3", {"place": place})]
            ready = Ready(s, seat, place).units()
            rules = broken(land_fight_rows(s, seat, place, ready), opponent)
            if not rules:
                rules = broken(split_rows(s, seat, place, units))
            return [Reason(rule, {"place": place}) for rule in rules]
        return aftermath.later_choice_limits(s, seat, move)

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """All units lie open, so a sole answer is seen by everybody."""
        if not s.held[self.seat] and not s.forts[self.seat] & enemy_units(s, self.seat):
            return self.seat, ("done",)
        return sole_answer(self, s)

    def do_march(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Legions enter a province together; then Helen, then what follows from the entry."""
        number, place, to, leaving = nouns
        for what in leaving:
            drop_post(s, next(p for p in posts_at(s, place, seat) if p[2:] == (what, RESTED)))
        add_legions(s, seat, place, -number)
        add_legions(s, seat, to, number)
        s.moved = changed(s.moved, to, number)
        tell("marched", seat, number, place, to, rule="MN-16.1")
        then(s, *aftermath.helen_frames(s, seat, to), aftermath.Arrive(to, seat), self)

    def do_fight(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """One round against one opponent (MN-16.10, MN-18.1)."""
        place, opponent, units = nouns
        chosen = units or Ready(s, seat, place).units()
        commit(s, seat, place, chosen)
        tell("fight", seat, opponent, place, rule="MN-18.1")
        battle.join_battle(s, battle.Battle(place, seat, opponent, chosen), self, tell)

    def do_pillage(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """A later choice (MN-19.25)."""
        self._choose(s, seat, "pillage", nouns, tell)

    def do_occupy(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """A later choice (MN-19.25)."""
        self._choose(s, seat, "occupy", nouns, tell)

    def do_takeover(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """A later choice (MN-19.25)."""
        self._choose(s, seat, "takeover", nouns, tell)

    def _choose(self, s: State, seat: Seat, verb: str, nouns: Move, tell: Tell) -> None:
        """After a later choice no own legion of that province moves in this turn."""
        s.locked |= 1 << nouns[0]
        then(s, self)
        aftermath.choose(s, seat, (verb, *nouns), tell)

    def do_done(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The turn is over; nothing of it is remembered."""
        s.moved = s.fought = bytes(len(s.moved))
        s.forts_fought = bytes(len(s.forts_fought))
        s.chosen = s.locked = s.sailed = 0
        if s.posts:
            s.posts = tuple(sorted(post._replace(state=RESTED) for post in s.posts))


def commit(s: State, seat: Seat, place: Place, units: tuple[int, ...]) -> None:
    """Note that these units fight now (MN-13.4). Legions that have moved go first: the others
    could still leave."""
    plain = units.count(LEGION)
    s.moved = changed(s.moved, place, -min(plain, s.moved[place]))
    s.fought = changed(s.fought, place, plain)
    s.forts_fought = changed(s.forts_fought, place, units.count(FORTRESS))
    for what in units:
        if what < LEGION:
            posts = [p for p in posts_at(s, place, seat) if p.what == what and p.state != FOUGHT]
            post = max(posts, key=lambda p: p.state)
            s.posts = tuple(
                sorted((*(p for p in s.posts if p is not post), post._replace(state=FOUGHT)))
            )
