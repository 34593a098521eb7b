"""Chapter 6: the three roles (for the round itself and the leaders' calls see `rounds`)."""

from __future__ import annotations

from dataclasses import dataclass

from oikumene.core.chance import Dice
from oikumene.core.game import Rule, Seat, Step, Tell, Throw, then
from oikumene.core.limits import BitSet, Reason, bits, broken
from oikumene.core.moves import Move, Moves
from oikumene.games.mare_nostrum.cards import AGAMEMNON, ARCHIMEDES, SOLOMON
from oikumene.games.mare_nostrum.ending import end_game
from oikumene.games.mare_nostrum.moves import ROLE, SEATS
from oikumene.games.mare_nostrum.state import (
    CITY,
    COMMERCE,
    MARKER,
    MILITARY,
    NOBODY,
    POLITICAL,
    TEMPLE,
    State,
    at_war,
    marker_owner,
    put,
)

BONUS = 2  # Agamemnon, Solomon, Archimedes with the base texts (MN-25.1 to 25.3)
BONUS_CARD = {COMMERCE: AGAMEMNON, POLITICAL: SOLOMON, MILITARY: ARCHIMEDES}


def counts(s: State, role: int) -> tuple[int, ...]:
    """What each seat counts for a role, with the bonus of its hero (MN-6.3 to 6.7, 6.13)."""
    n = s.setting.n
    if role == MILITARY:
        found = [
            sum(s.legions[seat])
            + s.forts[seat].bit_count()
            + s.forts2[seat].bit_count()
            + sum(s.fleets[seat])
            + sum(s.harbour[seat])
            for seat in range(n)
        ]
    elif role == COMMERCE:
        found = [
            sum((where & marks).bit_count() for where in s.caravans)
            + (s.markets & marks).bit_count()
            for marks in s.marks[:n]
        ]
    else:
        found = [
            sum(s.cities[place] for place in bits(marks)) + (s.temples & marks).bit_count()
            for marks in s.marks[:n]
        ]
    if role != MILITARY:
        _move_occupied(s, role, found)
    card = BONUS_CARD[role]
    for seat in range(n):
        if s.cards[seat] >> card & 1:
            found[seat] += BONUS
    return tuple(found)


def _move_occupied(s: State, role: int, found: list[int]) -> None:
    """Occupied buildings count for the legion's owner, but not in a province at war (MN-6.13)."""
    war = at_war(s)
    for post in s.posts:
        political = post.what in (CITY, TEMPLE)
        if post.what == MARKER or political != (role == POLITICAL) or war >> post.province & 1:
            continue
        owner = marker_owner(s, post.province)
        if 0 <= owner < len(found):
            found[owner] -= 1
        found[post.power] += 1


@dataclass(frozen=True, slots=True)
class GiveRole(Rule):
    """One role card goes to whoever counts most (MN-6.2)."""

    role: int
    name = "role"
    nouns = (ROLE,)

    def run(self, s: State, tell: Tell) -> None:
        """Give it, or ask how the tie is broken (MN-6.8, MN-6.15, MN-6.16)."""
        found = counts(s, self.role)
        most = max(found)
        tied = sum(1 << seat for seat, number in enumerate(found) if number == most)
        holder = s.roles[self.role]
        if tied.bit_count() == 1:
            give_role(s, self.role, bits(tied)[0], tell)
        elif holder == NOBODY:
            then(s, RoleDice(self.role, tied))
        elif not tied >> holder & 1:
            then(s, NameHolder(self.role, tied))


def give_role(s: State, role: int, seat: Seat, tell: Tell) -> None:
    """A role card changes hands."""
    if s.roles[role] != seat:
        new = put(s.roles, role, seat)
        s.roles = (new[0], new[1], new[2])
        tell("role", seat, role, rule=f"MN-6.{role + 3}")


@dataclass(frozen=True, slots=True)
class RoleDice(Throw):
    """Nobody holds the role yet: the tied roll, the highest gets it (MN-6.15)."""

    role: int
    tied: BitSet
    name = "role-dice"
    cite = ("MN-6.15",)
    nouns = (ROLE, SEATS)

    def kind(self, s: State) -> Dice:
        """One die for each of the tied."""
        return Dice(tuple((seat, 1) for seat in bits(self.tied)), stream="roles")

    def settle(self, s: State, outcome: Move, tell: Tell) -> None:
        """The highest gets the role; equals roll again."""
        best = max(dice[0] for _, dice in outcome[1])
        first = sum(1 << seat for seat, dice in outcome[1] if dice[0] == best)
        if first.bit_count() == 1:
            give_role(s, self.role, bits(first)[0], tell)
        else:
            then(s, RoleDice(self.role, first))


@dataclass(frozen=True, slots=True)
class NameHolder(Step):
    """The present holder, who is not among the tied, names one of them (MN-6.16)."""

    role: int
    tied: BitSet
    name = "name"
    cite = ("MN-6.8", "MN-6.16")
    verbs = ("name",)
    nouns = (ROLE, SEATS)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The present holder."""
        return (s.roles[self.role],)

    def moves(self, s: State, seat: Seat) -> Moves:
        """One of the tied."""
        return Moves((("name", bits(self.tied)),))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """Only one of the tied."""
        return [
            Reason(rule, {"tied": self.tied}) for rule in broken((("MN-6.16", self.tied),), move[1])
        ]

    def do_name(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The card goes to the one named."""
        give_role(s, self.role, nouns[0], tell)


@dataclass(frozen=True, slots=True)
class AllRoles(Rule):
    """Where the table plays so, all three roles at the start of a round win (MN-22.6, 22.13)."""

    name = "all-roles"

    def run(self, s: State, tell: Tell) -> None:
        """Look at the holders."""
        holder = s.roles[0]
        if s.setting.opts.all_roles_victory == "on" and s.roles == (holder,) * 3 != (NOBODY,) * 3:
            end_game(s, 1 << holder, "MN-22.6", tell)
