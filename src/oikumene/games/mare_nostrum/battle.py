"""Chapter 18: combat. One round: both sides roll, every full 5 points cost the enemy one unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from oikumene.core.chance import Dice
from oikumene.core.game import Frame, Seat, Step, Tell, Throw, then
from oikumene.core.limits import Reason, broken, yes
from oikumene.core.moves import Move, Moves
from oikumene.games.mare_nostrum.aftermath import After
from oikumene.games.mare_nostrum.cards import HANNIBAL, PERICLES
from oikumene.games.mare_nostrum.moves import (
    COUNT,
    FLEET,
    FORTRESS,
    LEGION,
    PLACE,
    POWER,
    WITH_UNITS,
)
from oikumene.games.mare_nostrum.state import (
    FOUGHT,
    RESTED,
    Place,
    Power,
    State,
    add_fleets,
    add_legions,
    changed,
    drop_post,
    forts_at,
    posts_at,
    remove_fort,
)

FORTRESS_POINTS = 6  # MN-18.6
POINTS_A_LOSS = 5  # MN-18.8
# A hero's bonus a unit (MN-18.7). Civilization heroes only, so only seats hold them.
BONUS = {HANNIBAL: LEGION, PERICLES: FLEET}


def is_zone(s: State, place: Place) -> bool:
    """Whether the place is a sea zone."""
    return place >= len(s.setting.board.provinces)


def defenders(s: State, power: Power, place: Place) -> tuple[int, ...]:
    """All units of the attacked power there (MN-18.13, MN-15.7), sorted."""
    if is_zone(s, place):
        return (FLEET,) * s.fleets[power][place - len(s.setting.board.provinces)]
    posts = posts_at(s, place, power)
    plain = s.legions[power][place] - len(posts)
    forts = forts_at(s, power, place)
    return (*sorted(post.what for post in posts), *(LEGION,) * plain, *(FORTRESS,) * forts)


def dice_of(units: tuple[int, ...]) -> int:
    """One die for each unit but fortresses (MN-18.5, MN-18.6)."""
    return sum(unit != FORTRESS for unit in units)


def _kind(unit: int) -> int:
    """LEGION for a legion wherever it stands, else the unit."""
    return LEGION if unit < LEGION else unit


def points(s: State, power: Power, units: tuple[int, ...], dice: tuple[int, ...]) -> int:
    """A side's sum (MN-18.5 to 18.7)."""
    total = sum(dice) + FORTRESS_POINTS * units.count(FORTRESS)
    if power < s.setting.n:
        for card, unit in BONUS.items():
            if s.cards[power] >> card & 1:
                total += sum(_kind(one) == unit for one in units)
    return total


@dataclass(frozen=True, slots=True)
class Battle(Throw):
    """A fight of one round: the attacker's units of this fight against all of the attacked."""

    place: Place
    attacker: Seat
    defender: Power
    units: tuple[int, ...]
    name = "battle"
    cite = ("MN-18.1", "MN-18.5")
    nouns = (PLACE, POWER, POWER, WITH_UNITS)

    def throws(self, s: State) -> tuple[tuple[int, int], ...]:
        """Dice by side; a side without dice is left out."""
        both = (
            (self.attacker, dice_of(self.units)),
            (self.defender, dice_of(defenders(s, self.defender, self.place))),
        )
        return tuple((who, number) for who, number in both if number)

    def kind(self, s: State) -> Dice:
        """Both sides roll at the same time; the attacker rolls for a neutral side (MN-3.5)."""
        return Dice(self.throws(s))

    def settle(self, s: State, outcome: Move, tell: Tell) -> None:
        """Count, and let both sides take their losses at the same time (MN-18.10)."""
        self.strike(s, dict(outcome[1]), tell)

    def strike(self, s: State, dice: Mapping[int, tuple[int, ...]], tell: Tell) -> None:
        """Every full 5 points cost the enemy one unit (MN-18.8)."""
        defending = defenders(s, self.defender, self.place)
        attack = points(s, self.attacker, self.units, dice.get(self.attacker, ()))
        defence = points(s, self.defender, defending, dice.get(self.defender, ()))
        tell("fought", self.attacker, attack, self.place, rule="MN-18.8")
        tell("fought", self.defender, defence, self.place, rule="MN-18.8")
        hits, costs = attack // POINTS_A_LOSS, defence // POINTS_A_LOSS
        then(
            s,
            *losses(self.defender, self.place, hits, defending, RESTED),
            *losses(self.attacker, self.place, costs, self.units, FOUGHT),
        )


def join_battle(s: State, fight: Battle, back: Frame, tell: Tell) -> None:
    """Put a fight on the agenda; where nobody has a die it is settled at once."""
    if is_zone(s, fight.place):
        then(s, back)
    else:
        then(s, After(fight.place, fight.attacker), back)
    if fight.throws(s):
        then(s, fight)
    else:
        fight.strike(s, {}, tell)


def losses(
    power: Power, place: Place, number: int, units: tuple[int, ...], state: int
) -> tuple[Frame, ...]:
    """The frame in which a side takes its losses; more than it has is void (MN-18.12)."""
    number = min(number, len(units))
    return (Losses(power, place, number, state, units),) if number else ()


@dataclass(frozen=True, slots=True)
class Losses(Step):
    """The loser of units chooses which, out of those of this fight (MN-18.9, MN-18.14)."""

    power: Power
    place: Place
    number: int
    state: int  # FOUGHT for the side on turn, RESTED for the attacked one
    units: tuple[int, ...]
    name = "losses"
    cite = ("MN-18.9", "MN-18.14")
    verbs = ("lose",)
    nouns = (POWER, PLACE, COUNT, COUNT, WITH_UNITS)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The loser."""
        return (self.power,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """One unit of each kind; plain legions first."""
        kinds = sorted(set(self.units), key=lambda unit: (unit != LEGION, unit))
        return Moves((("lose", tuple(kinds)),))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """Only units that took part in this fight."""
        return [Reason(rule) for rule in broken((("MN-18.14", yes(move[1] in self.units)),))]

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """All are lost, all are alike, or nobody plays them (MN-3.5: legions first)."""
        everything = self.number >= len(self.units) or len(set(self.units)) == 1
        if everything or self.power >= s.setting.n:
            return self.power, next(iter(self.moves(s, self.power)))
        return None

    def do_lose(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The unit returns to its owner's supply."""
        unit = nouns[0]
        lose_unit(s, self.power, self.place, unit, self.state)
        tell("lost", self.power, unit, self.place, rule="MN-18.9")
        left = list(self.units)
        left.remove(unit)
        then(s, *losses(self.power, self.place, self.number - 1, tuple(left), self.state))


def lose_unit(s: State, power: Power, place: Place, unit: int, state: int) -> None:
    """Take one unit off the board, with what the turn remembers of it."""
    if unit == FLEET:
        add_fleets(s, power, place - len(s.setting.board.provinces), -1)
        if state == FOUGHT:
            s.fought = changed(s.fought, place, -1)
    elif unit == FORTRESS:
        remove_fort(s, power, place)
        if state == FOUGHT:
            s.forts_fought = changed(s.forts_fought, place, -1)
    elif unit == LEGION:
        add_legions(s, power, place, -1)
        if state == FOUGHT:
            s.fought = changed(s.fought, place, -1)
    else:
        post = next(p for p in posts_at(s, place, power) if p[2:] == (unit, state))
        drop_post(s, post)
        add_legions(s, power, place, -1)
