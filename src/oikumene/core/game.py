"""The Game protocol and its small vocabulary, and the machine that carries out an agenda.

A *state* is plain data with an `agenda`: a tuple of frames, the next one last. A *frame* is a small
frozen dataclass named after its place in the rulebook. There are three kinds:

- a `Rule` runs by itself;
- a `Step` asks seats: it lists legal moves, names limits, and has one handler a verb;
- a `Throw` asks for chance.

When a handler runs its frame is off the agenda; it puts back what remains with `then(...)`, in the
order in which it will happen. Nothing returns a value, results stand in the state. What another
seat may interrupt is announced, then carried out: the move puts the interrupt and the carrying out
on the agenda and changes nothing yet.

A seat is asked if and only if, judged by public facts alone, more than one answer is possible:
a step whose `forced` names the only answer runs through.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from oikumene.core.chance import ChanceKind
from oikumene.core.errors import IllegalMove, PositionError
from oikumene.core.limits import Reason, Refusal
from oikumene.core.moves import Move, Moves, Noun, Table, Words, move_text, parse_move

Seat: TypeAlias = int


class Decide(NamedTuple):
    """These seats decide now; each answers once. `prompt` is the step's name, `cite` its rules."""

    seats: tuple[Seat, ...]
    prompt: str
    cite: tuple[str, ...]


class Chance(NamedTuple):
    """Chance decides now."""

    kind: ChanceKind
    prompt: str


class Over(NamedTuple):
    """The game is over: groups of seats, the winners first, and the rule that ended it."""

    ranking: tuple[tuple[Seat, ...], ...]
    reason: str

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The first group."""
        return self.ranking[0]


Pending: TypeAlias = Decide | Chance | Over


class Tell(Protocol):
    """Hears each event where it happens: its name, its facts (codec values), the rule behind it,
    and the one seat that may hear it (None: everybody)."""

    def __call__(self, name: str, *facts: Any, rule: str = "", to: Seat | None = None) -> None: ...


def silent(name: str, *facts: Any, rule: str = "", to: Seat | None = None) -> None:
    """A `Tell` that listens to nothing."""


class AgendaState(Protocol):
    """What the machine needs to know of a state.

    `listed` is no part of the position: the moves of the step on top, if they have been listed
    while looking whether it is forced. A copy begins without.
    """

    agenda: tuple[Any, ...]
    over: Over | None
    listed: tuple[Any, Moves] | None

    def copy(self) -> Any: ...


S = TypeVar("S", bound=AgendaState)


class Frame:
    """What every frame has: a name, the rules it stands for, and a noun for each of its fields."""

    __slots__ = ()
    name: ClassVar[str] = ""
    cite: ClassVar[tuple[str, ...]] = ()
    nouns: ClassVar[tuple[Noun, ...]] = ()

    def fields(self) -> tuple[Any, ...]:
        """The values of the fields, in order."""
        slots: tuple[str, ...] = tuple(self.__slots__)
        return tuple(getattr(self, slot) for slot in slots)


class Rule(Frame):
    """A frame that runs by itself: `run(state, tell)`."""

    __slots__ = ()

    def run(self, s: Any, tell: Tell) -> None:
        """Carry the rule out on the state (already a copy)."""
        raise AssertionError(f"{type(self).__name__} must say what it does")


class Throw(Frame):
    """A frame that asks for chance: `kind(state)`, then `settle(state, outcome, tell)`."""

    __slots__ = ()

    def kind(self, s: Any) -> ChanceKind:
        """What is thrown or drawn."""
        raise AssertionError(f"{type(self).__name__} must say what is thrown")

    def settle(self, s: Any, outcome: Move, tell: Tell) -> None:
        """Carry the outcome out."""
        raise AssertionError(f"{type(self).__name__} must say what an outcome does")


class Step(Frame):
    """A frame that asks seats.

    `verbs` are the moves that belong to the step, in order; `elsewhere` gives for verbs of other
    steps the rule that keeps them out of this one. For each verb there is a handler
    `do_VERB(state, seat, nouns, tell)`, nouns being the move without its verb.
    """

    __slots__ = ()
    verbs: ClassVar[tuple[str, ...]] = ()
    elsewhere: ClassVar[dict[str, str]] = {}

    def asked(self, s: Any) -> tuple[Seat, ...]:
        """The seats that still have to answer."""
        raise AssertionError(f"{type(self).__name__} must say whom it asks")

    def moves(self, s: Any, seat: Seat) -> Moves:
        """The legal moves of an asked seat, read from the limits."""
        raise AssertionError(f"{type(self).__name__} must list its moves")

    def limits(self, s: Any, seat: Seat, move: Move) -> Sequence[Reason]:
        """The reasons against a well-formed move of the step's verbs, from the same limits."""
        raise AssertionError(f"{type(self).__name__} must know its limits")

    def forced(self, s: Any) -> tuple[Seat, Move] | None:
        """The only answer possible by public facts, with the seat that would give it."""
        return None


def sole_answer(step: Step, s: Any) -> tuple[Seat, Move] | None:
    """`forced` for steps in which nothing is hidden: the legal move, if it is the only one."""
    (seat,) = step.asked(s)
    moves = step.moves(s, seat)
    s.listed = (step, moves)
    return (seat, next(iter(moves))) if len(moves) == 1 else None


def then(s: AgendaState, *frames: Frame) -> None:
    """Put frames on the agenda, in the order in which they will happen."""
    s.agenda += frames[::-1]


class Game(ABC, Generic[S]):
    """One game. The caller of `apply` vouches for legality; every other method checks."""

    name: ClassVar[str]
    version: ClassVar[int]  # the rules number: raised by a fix that would change a recorded game
    seats: ClassVar[range]
    table: ClassVar[Table]  # verb -> nouns, of moves and of chance

    @abstractmethod
    def view(self, s: S, seat: Seat | None) -> Any:
        """What a seat (None: a spectator) may know, built from an allow-list."""

    @abstractmethod
    def words(self, s: S) -> Words:
        """The names that texts of this table use."""

    def pending(self, s: S) -> Pending:
        """Who or what decides now."""
        if s.over is not None:
            return s.over
        frame = s.agenda[-1]
        if isinstance(frame, Throw):
            return Chance(frame.kind(s), frame.name)
        return Decide(frame.asked(s), frame.name, frame.cite)

    def legal(self, s: S, seat: Seat) -> Moves:
        """All legal moves of a seat; none where it is not asked."""
        frame = s.agenda[-1] if s.over is None else None
        if not isinstance(frame, Step) or seat not in frame.asked(s):
            return Moves(())
        listed = s.listed
        return listed[1] if listed and listed[0] is frame else frame.moves(s, seat)

    def refusal(self, s: S, seat: Seat, move: Move) -> Refusal:
        """Why a well-formed move is not allowed: every reason; empty if it is legal."""
        if s.over is not None:
            return (Reason("core.over", {"rule": s.over.reason}),)
        frame = s.agenda[-1]
        if not isinstance(frame, Step):
            return (Reason("core.chance", {"prompt": frame.name}),)
        asked = frame.asked(s)
        if seat not in asked:
            facts = {"asked": asked, "prompt": frame.name}
            return (Reason("core.turn", facts), *(Reason(rule) for rule in frame.cite))
        if move[0] not in frame.verbs:
            facts = {"verbs": frame.verbs, "prompt": frame.name}
            there = frame.elsewhere.get(move[0])
            return (Reason("core.step", facts), *((Reason(there),) if there else ()))
        return tuple(frame.limits(s, seat, move))

    def forced(self, s: S) -> tuple[Seat, Move] | None:
        """The forced answer of a step before which `apply(..., pause=True)` has stopped."""
        frame = s.agenda[-1] if s.over is None else None
        return frame.forced(s) if isinstance(frame, Step) else None

    def apply(
        self, s: S, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> S:
        """The state after a legal move (seat None: after this chance outcome).

        `pause` stops also before steps that would run through, for cases that look at them.
        """
        new: S = s.copy()
        frame = new.agenda[-1]
        new.agenda = new.agenda[:-1]
        if seat is None:
            frame.settle(new, frame.kind(s).canonical(move), tell)
        else:
            getattr(frame, "do_" + move[0])(new, seat, move[1:], tell)
        self.run(new, tell, pause=pause)
        return new

    def run(self, s: S, tell: Tell = silent, *, pause: bool = False) -> None:
        """Carry out, in place, all that runs by itself."""
        while s.over is None:
            if not s.agenda:
                raise PositionError("the agenda of this position ends before the game is over")
            frame = s.agenda[-1]
            if isinstance(frame, Rule):
                s.agenda = s.agenda[:-1]
                frame.run(s, tell)
                continue
            if pause or isinstance(frame, Throw):
                return
            answer = frame.forced(s)
            if answer is None:
                return
            seat, move = answer
            s.agenda = s.agenda[:-1]
            s.listed = None
            getattr(frame, "do_" + move[0])(s, seat, move[1:], tell)

    def play(self, s: S, seat: Seat | None, move: Move, tell: Tell = silent) -> S:
        """`apply` with the check. Raises IllegalMove with every reason, or ChanceError."""
        if seat is not None:
            refusal = self.refusal(s, seat, move)
            if refusal:
                rules = ", ".join(reason.rule for reason in refusal)
                text = move_text(self.table, self.words(s), move)
                raise IllegalMove(f"'{text}' is not allowed here ({rules})", refusal)
        elif s.over is not None or not isinstance(s.agenda[-1], Throw):
            raise IllegalMove("no chance is asked for here", (Reason("core.chance"),))
        return self.apply(s, seat, move, tell)

    def parse(self, s: S, text: str) -> Move:
        """A move or an outcome from its text. Raises NotationError."""
        return parse_move(self.table, self.words(s), text)

    def text(self, s: S, move: Move) -> str:
        """The canonical text of a move or an outcome."""
        return move_text(self.table, self.words(s), move)
