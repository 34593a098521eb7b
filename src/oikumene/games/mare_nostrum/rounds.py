"""Chapter 6: the round and its phases, and the leaders who call (MN-6.1, MN-6.11 to 6.14)."""

from __future__ import annotations

from dataclasses import dataclass

from oikumene.core.game import Frame, Rule, Seat, Step, Tell, then
from oikumene.core.limits import BitSet, Reason, Row, bits, broken
from oikumene.core.moves import Move, Moves
from oikumene.games.mare_nostrum import (
    commerce,
    construction,
    ending,
    income,
    roles,
    strategy,
    victory,
)
from oikumene.games.mare_nostrum.moves import ROLE
from oikumene.games.mare_nostrum.state import (
    MARKER,
    MILITARY,
    NOBODY,
    POLITICAL,
    ROLES,
    USED_CLEOPATRA,
    USED_HAMMURABI,
    USED_HELEN,
    State,
    drop_post,
)


def round_frames(*, counted: bool) -> tuple[Frame, ...]:
    """A round from its start; `counted` False where the roles are already given (MN-4.13)."""
    given = (*(roles.GiveRole(role) for role in range(len(ROLES))), roles.AllRoles())
    return (
        *(given if counted else ()),
        income.Income(),
        commerce.Trade(),
        Construction(),
        Calls(POLITICAL),
        EndConstruction(),
        Strategy(),
        Calls(MILITARY),
        Round(),
    )


def turn_frames(leader: int, seat: Seat) -> tuple[Frame, ...]:
    """The turn of one player in the phase of a leader (MN-13.1)."""
    if leader == POLITICAL:
        return (construction.Build(seat),)
    return strategy.Fleets(seat), strategy.Legions(seat)


def begin_round(s: State, *, counted: bool) -> None:
    """Put a round on the agenda; markers that lie now have lain since its start (MN-10.1)."""
    s.since = s.marks[: s.setting.n]
    then(s, *round_frames(counted=counted))


@dataclass(frozen=True, slots=True)
class Round(Rule):
    """A new round begins (MN-6.1, MN-22.8)."""

    name = "round"

    def run(self, s: State, tell: Tell) -> None:
        """Count the round and give the roles anew."""
        s.round += 1
        tell("round", s.round, rule="MN-6.1")
        begin_round(s, counted=True)


@dataclass(frozen=True, slots=True)
class Construction(Rule):
    """The Construction phase begins: has the calling order decided who wins (MN-22.9)?"""

    name = "construction"

    def run(self, s: State, tell: Tell) -> None:
        """Look at the candidates; nobody has been called yet."""
        s.called = 0
        s.used &= ~(USED_HAMMURABI | USED_CLEOPATRA)
        winners = victory.decided_by_calling(s)
        if winners:
            ending.end_game(s, winners, "MN-22.5", tell)


@dataclass(frozen=True, slots=True)
class EndConstruction(Rule):
    """Unused takeovers end with the Construction phase (MN-19.29)."""

    name = "end-construction"

    def run(self, s: State, tell: Tell) -> None:
        """The legions step off the markers, where the table plays so."""
        if s.setting.opts.takeover_when != "next":
            return
        for post in s.posts:
            if post.what == MARKER:
                drop_post(s, post)
                tell("takeover_ended", post.power, post.province, rule="MN-19.29")


@dataclass(frozen=True, slots=True)
class Strategy(Rule):
    """The Strategy phase begins: the Military Leader will call (MN-6.12)."""

    name = "strategy"

    def run(self, s: State, tell: Tell) -> None:
        """Nobody has been called, Helen is ready."""
        s.called = 0
        s.used &= ~USED_HELEN


@dataclass(frozen=True, slots=True)
class Calls(Rule):
    """Somebody is called, as long as somebody is left; then the phase is over."""

    leader: int
    name = "calls"
    nouns = (ROLE,)

    def run(self, s: State, tell: Tell) -> None:
        """Go on with the next call."""
        if s.called != (1 << s.setting.n) - 1:
            then(s, Call(self.leader), self)


@dataclass(frozen=True, slots=True)
class Call(Step):
    """The leader of the phase calls the next player, deciding each time anew."""

    leader: int
    name = "call"
    cite = ("MN-6.11", "MN-6.12")
    verbs = ("call",)
    nouns = (ROLE,)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The leader. Without one (in a position made by hand) the seats follow in order."""
        holder = s.roles[self.leader]
        return (holder if holder != NOBODY else bits(self._left(s))[0],)

    def _left(self, s: State) -> BitSet:
        return ((1 << s.setting.n) - 1) & ~s.called

    def moves(self, s: State, seat: Seat) -> Moves:
        """Everybody who has not been called."""
        return Moves((("call", bits(self._left(s))),))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """Each player has exactly one turn in the phase (MN-6.14)."""
        row: Row = ("MN-6.14", self._left(s))
        return [Reason(rule, {"called": s.called}) for rule in broken((row,), move[1])]

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """The last one left needs no call."""
        left = bits(self._left(s))
        if len(left) == 1 or s.roles[self.leader] == NOBODY:
            return self.asked(s)[0], ("call", left[0])
        return None

    def do_call(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The called player has his turn."""
        called: Seat = nouns[0]
        s.called |= 1 << called
        tell("called", called, rule="MN-6.11" if self.leader == POLITICAL else "MN-6.12")
        then(s, *turn_frames(self.leader, called))
