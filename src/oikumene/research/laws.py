"""The laws that every game obeys at every step of play; `fuzz` tries them on random games.

Cheap laws (`check_step`, `check_apply`) are for every step, dear ones (`check_dear`) for some. They
know the `Game` protocol and a few hooks that a game keeps in a module `invariants` beside its own
(see `Hooks`). A law that does not hold raises LawBroken.

The secrecy laws are non-interference: all that a seat cannot know is dealt again; what the seat
sees, may do and is told must come out the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice
from math import comb, factorial, isclose, prod
from typing import Any, NamedTuple, Protocol

from oikumene.core.chance import ChanceKind, Committed, Dice, Draw, Order
from oikumene.core.errors import OikumeneError
from oikumene.core.game import Chance, Decide, Over, Seat
from oikumene.core.keyed import Draws
from oikumene.core.moves import Move, Moves, Noun, move_text, parse_move

LISTED = 5000  # collections up to this size are listed whole
TEXTS = 200  # moves of a collection whose texts are read back
NEAR = 150  # conceivable moves compared with the limits
OUTCOMES = 1000  # chances with up to so many outcomes are listed whole


class LawBroken(Exception):
    """A law does not hold: which, and what was seen."""

    def __init__(self, law: str, seen: str, where: str = "") -> None:
        super().__init__(f"{law}: {seen}{where}")
        self.law = law
        self.seen = seen

    def at(self, where: str) -> LawBroken:
        """The same finding with the place where it was made."""
        return LawBroken(self.law, self.seen, where)


class Hooks(Protocol):
    """What a game's module `invariants` offers."""

    SLOTS: tuple[str, ...]  # the slots of a state that hold the position

    def seats(self, draws: Draws, number: int) -> tuple[str, ...]:
        """Players of a table, in any order."""

    def starts(self, game: Any, setting: Any, draws: Draws) -> Any:
        """A state from which to play instead of set-up, as varied as the rules allow; before
        anything runs by itself."""

    def faults(self, s: Any) -> Sequence[str]:
        """What is impossible in a position."""

    def nouns(self, s: Any) -> Mapping[Noun, Sequence[Any]]:
        """For the nouns of moves: values that a text could name."""

    def veiled(self, s: Any, draws: Draws) -> Any:
        """The state as if everybody had seen less of what is hidden."""

    def redeal(self, game: Any, s: Any, seat: Seat | None, draws: Draws) -> Any:
        """The state with all that the seat cannot know dealt again."""

    def observed(self, view: Any) -> Any:
        """A view as a value that can be compared."""

    def same_move(
        self, game: Any, s: Any, other: Any, seat: Seat, move: Move, viewer: Seat | None,
        draws: Draws,
    ) -> Move | None:  # fmt: skip
        """A legal move in the redealt state that the viewer must not be able to tell from `move`
        in `s`; None where what all see of the move would contradict the redeal."""

    def tells_by_ending(self, s: Any) -> bool:
        """Whether the game has ended by a rule that looks into hidden hands."""


def hooks_of(game: Any) -> Hooks:
    """The hooks beside a game's module."""
    for cls in type(game).__mro__:
        if cls.__module__.startswith("oikumene.games."):
            found: Hooks = import_module(f"{cls.__module__.rpartition('.')[0]}.invariants")
            return found
    raise AssertionError(f"{type(game).__name__} is no game of oikumene.games")


Event = tuple[str, tuple[Any, ...], str, Seat | None]


class Heard:
    """A `Tell` that keeps what it hears."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def __call__(self, name: str, *facts: Any, rule: str = "", to: Seat | None = None) -> None:
        self.events.append((name, facts, rule, to))

    def by(self, viewer: Seat | None) -> list[Event]:
        """What a viewer hears."""
        return [event for event in self.events if event[3] is None or event[3] == viewer]


class Trial(NamedTuple):
    """One random game under the laws."""

    game: Any
    hooks: Hooks
    setting: Any
    draws: Draws
    chance: Committed
    said: str  # the table, for reports


def text_of(t: Trial, s: Any, move: Move) -> str:
    """The text of a move, for reports; also of one that has none."""
    try:
        return str(t.game.text(s, move))
    except Exception:
        return repr(move)


# Cheap laws --------------------------------------------------------------------------------------


def check_step(t: Trial, s: Any, pending: Any) -> None:
    """Somebody is asked who can answer, nobody else can, and the answer is not forced."""
    check_faults(t, s)
    game = t.game
    asked = pending.seats if isinstance(pending, Decide) else ()
    if isinstance(pending, Decide) and (not asked or sorted(set(asked)) != list(asked)):
        raise LawBroken("seats are asked once each, in order", repr(asked))
    for seat in range(len(t.setting.seats)):
        if bool(game.legal(s, seat)) != (seat in asked):
            raise LawBroken("who is asked can answer, nobody else", f"seat {seat} of {asked}")
    forced = game.forced(s)
    if forced is not None:
        raise LawBroken("nobody is asked for a forced answer", repr(forced))


def check_faults(t: Trial, s: Any) -> None:
    """The game's own invariants."""
    faults = t.hooks.faults(s)
    if faults:
        raise LawBroken("the position is possible", "; ".join(faults))


def check_apply(t: Trial, s: Any, seat: Seat | None, move: Move) -> Any:
    """Carry a move out: it is legal, and the old state stays what it was."""
    game = t.game
    if seat is not None:
        if move not in game.legal(s, seat):
            raise LawBroken("a sampled move is legal", repr(move))
        if game.refusal(s, seat, move):
            raise LawBroken("a legal move is not refused", repr(game.refusal(s, seat, move)))
    before = [getattr(s, slot) for slot in t.hooks.SLOTS]
    new = game.apply(s, seat, move)
    for slot, value in zip(t.hooks.SLOTS, before, strict=True):
        if getattr(s, slot) is not value:
            raise LawBroken("a move leaves its input alone", f"slot {slot} has changed")
    if new is s:
        raise LawBroken("a move leaves its input alone", "the same state came back")
    if game.rounds(new) < game.rounds(s):
        raise LawBroken("rounds only go on", f"{game.rounds(s)} to {game.rounds(new)}")
    return new


def check_over(t: Trial, s: Any, over: Over) -> None:
    """Every seat is ranked once, nobody can move, and every move is refused for that reason."""
    n = len(t.setting.seats)
    if sorted(seat for group in over.ranking for seat in group) != list(range(n)):
        raise LawBroken("the ranking holds every seat once", repr(over.ranking))
    for seat in range(n):
        if t.game.legal(s, seat):
            raise LawBroken("after the end nobody moves", f"seat {seat}")
        refusal = t.game.refusal(s, seat, ("done",))
        if [reason.rule for reason in refusal] != ["core.over"]:
            raise LawBroken("after the end nobody moves", repr(refusal))
    check_views(t, s)


# Dear laws ---------------------------------------------------------------------------------------


def check_dear(t: Trial, s: Any, pending: Any, seat: Seat | None, move: Move) -> None:
    """All that takes its time, at one step."""
    check_copy(t, s)
    check_twice(t, s, seat, move)
    if isinstance(pending, Chance):
        check_chance(t, s, pending.kind)
    else:
        for one in pending.seats:
            check_collection(t, s, one)
        check_limits(t, s, pending)
        check_sealed(t, s, pending)
    check_position(t, s, seat, move)
    check_views(t, s)
    check_secrecy(t, s, pending, seat, move)
    check_secrecy(t, t.hooks.veiled(s, t.draws), pending, seat, move)


def check_copy(t: Trial, s: Any) -> None:
    """A copy shares every slot of the position."""
    new = s.copy()
    for slot in t.hooks.SLOTS:
        if getattr(new, slot) is not getattr(s, slot):
            raise LawBroken("a copy forgets nothing", f"slot {slot}")


def check_position(t: Trial, s: Any, seat: Seat | None, move: Move) -> None:
    """The position text there and back; what comes back plays on in the same way."""
    game = t.game
    text = game.position_text(s)
    keys = game.position(s)
    if json.loads(text) != json.loads(json.dumps(keys)):
        raise LawBroken("the position text holds the position's keys", text)
    for way, read in (("keys", keys), ("text", json.loads(text))):
        back = game.from_position(t.setting, read)
        if game.position_text(back) != text:
            raise LawBroken("a position comes back", f"from its {way}: {game.position_text(back)}")
        check_faults(t, back)
    if game.pending(back) != game.pending(s):
        raise LawBroken("a position that came back asks the same", repr(game.pending(back)))
    for one in range(len(t.setting.seats)):
        if not _same_moves(game.legal(back, one), game.legal(s, one)):
            raise LawBroken("a position that came back has the same moves", f"seat {one}")
    after, there = Heard(), Heard()
    one = game.position_text(game.apply(s, seat, move, after))
    other = game.position_text(game.apply(back, seat, move, there))
    if one != other or after.events != there.events:
        raise LawBroken("a position that came back goes on alike", f"{one}\nor {other}")


def _same_moves(one: Moves, other: Moves) -> bool:
    return len(one) == len(other) and list(islice(one, LISTED)) == list(islice(other, LISTED))


def check_twice(t: Trial, s: Any, seat: Seat | None, move: Move) -> None:
    """A move carried out twice says and does the same twice, and its input reads as before."""
    game = t.game
    before = game.position_text(s)
    said = []
    for _ in range(2):
        heard = Heard()
        said.append((game.position_text(game.apply(s, seat, move, heard)), heard.events))
    if said[0] != said[1]:
        raise LawBroken("a move does the same twice", repr(said))
    if game.position_text(s) != before:
        raise LawBroken("a move leaves its input alone", "its position text has changed")
    check_events(t, s, said[0][1])


def check_events(t: Trial, s: Any, events: Sequence[Event]) -> None:
    """Events have a text that reads back, a rule of the rulebook, and a seat that exists."""
    game = t.game
    words = game.words(s)
    rules = game.rulebook().rules
    for name, facts, rule, to in events:
        text = move_text(game.events, words, (name, *facts))
        if parse_move(game.events, words, text) != (name, *facts):
            raise LawBroken("an event's text reads back", text)
        if rule not in rules:
            raise LawBroken("an event names its rule", f"{text}: {rule!r}")
        if to is not None and to not in range(len(t.setting.seats)):
            raise LawBroken("an event is heard by a seat", f"{text}: {to!r}")


# Legal moves -------------------------------------------------------------------------------------


class _Given(Draws):
    """Draws that give one number."""

    __slots__ = ("_number",)

    def __init__(self, number: int) -> None:
        self._number = number

    def below(self, n: int) -> int:
        if not 0 <= self._number < n:
            raise LawBroken("a sample is drawn among all moves", f"{self._number} of {n}")
        return self._number


def check_collection(t: Trial, s: Any, seat: Seat) -> None:
    """`len`, iteration, `in`, `sample` and the texts of the legal moves agree."""
    game = t.game
    moves = game.legal(s, seat)
    again = list(islice(game.legal(s.copy(), seat), LISTED))
    listed = list(islice(moves, LISTED))
    if listed != again or listed != list(islice(moves, LISTED)):
        raise LawBroken("legal moves have a fixed order", f"seat {seat}")
    if len(moves) <= LISTED and len(moves) != len(listed):
        raise LawBroken("len counts the moves", f"{len(moves)}, but {len(listed)} come")
    if len(moves) > LISTED and len(listed) != LISTED:
        raise LawBroken("len counts the moves", f"{len(moves)}, but {len(listed)} come")
    if len(set(listed)) != len(listed):
        twice = next(move for at, move in enumerate(listed) if move in listed[:at])
        raise LawBroken("a legal move is listed once", text_of(t, s, twice))
    some = [*listed[:20], *(t.draws.choice(listed) for _ in range(TEXTS - 20)), listed[-1]]
    for move in dict.fromkeys(some):
        if move not in moves:
            raise LawBroken("a listed move is in the collection", text_of(t, s, move))
        text = game.text(s, move)
        if game.parse(s, text) != move:
            raise LawBroken("a move's text reads back", f"{text}: {game.parse(s, text)}")
        reasons = game.refusal(s, seat, move)
        if reasons:
            raise LawBroken("a legal move is not refused", f"{text}: {reasons}")
    for _ in range(50):
        at = t.draws.below(len(listed))
        if moves.sample(_Given(at)) != listed[at]:
            raise LawBroken("sample number k is move number k", f"{at} of {len(moves)}")
        if moves.sample(t.draws) not in moves:
            raise LawBroken("a sampled move is legal", f"seat {seat}")


def check_limits(t: Trial, s: Any, pending: Decide) -> None:
    """A conceivable move is legal if and only if nothing is said against it."""
    game = t.game
    legal = {seat: game.legal(s, seat) for seat in range(len(t.setting.seats))}
    others = [seat for seat in legal if seat not in pending.seats]
    known = game.rulebook().rules
    for near in near_moves(t, s, pending, t.hooks.nouns(s)):
        try:
            move = game.parse(s, game.text(s, near))
        except OikumeneError:
            continue  # not well-formed, so no move at all
        other = [t.draws.choice(others)] if others and t.draws.below(10) == 0 else []
        for seat in (*pending.seats, *other):
            refusal = game.refusal(s, seat, move)
            if (move in legal[seat]) != (not refusal):
                raise LawBroken(
                    "a move is legal if nothing is said against it",
                    f"seat {seat}, {game.text(s, move)}: {refusal or 'not refused'}",
                )
            for reason in refusal:
                if reason.rule not in known and not reason.rule.startswith("core."):
                    raise LawBroken("a refusal names its rule", repr(reason))


def near_moves(
    t: Trial, s: Any, pending: Decide, values: Mapping[Noun, Sequence[Any]]
) -> Iterator[Move]:  # fmt: skip
    """Moves that are legal but for one noun, and moves put together from the nouns."""
    game, draws = t.game, t.draws
    nouns_of = {
        verb: [noun for noun in nouns if not noun.is_literal] for verb, nouns in game.table.items()
    }
    moves = game.legal(s, pending.seats[0])
    for _ in range(NEAR):
        some = moves.of(draws.choice(moves.verbs()))
        move = some.sample(draws)
        nouns = nouns_of[move[0]]
        if nouns:
            at = draws.below(len(nouns))
            pool = values[nouns[at]]
            yield (*move[: at + 1], draws.choice(pool), *move[at + 2 :])
    verbs = [verb for verb, nouns in nouns_of.items() if all(noun in values for noun in nouns)]
    here = [verb for verb in getattr(s.agenda[-1], "verbs", ()) if verb in verbs]
    for _ in range(NEAR):
        verb = draws.choice(here if here and draws.below(4) else verbs)
        yield (verb, *(draws.choice(values[noun]) for noun in nouns_of[verb]))


# Chance ------------------------------------------------------------------------------------------


def check_chance(t: Trial, s: Any, kind: ChanceKind) -> None:
    """Samples are canonical outcomes; all outcomes together have the probability 1."""
    game = t.game
    samples = [kind.sample(t.draws) for _ in range(10)]
    for outcome in samples:
        check_outcome(t, s, kind, outcome)
    if _number(kind) > OUTCOMES:
        return
    listed = list(kind.outcomes())
    found = {outcome for outcome, _ in listed}
    if len(found) != len(listed):
        raise LawBroken("an outcome is listed once", repr(kind))
    if not isclose(sum(chance for _, chance in listed), 1):
        raise LawBroken("probabilities add up to 1", repr(kind))
    if any(outcome not in found for outcome in samples):
        raise LawBroken("a sample is one of the outcomes", repr(samples))
    for _ in range(10):
        outcome, chance = t.draws.choice(listed)
        if not 0 < chance <= 1:
            raise LawBroken("an outcome that is listed can occur", repr(outcome))
        check_outcome(t, s, kind, outcome)
        check_faults(t, game.apply(s, None, outcome))


def check_outcome(t: Trial, s: Any, kind: ChanceKind, outcome: Move) -> None:
    """An outcome is its own canonical form, and its text reads back."""
    if kind.canonical(outcome) != outcome:
        raise LawBroken("an outcome is canonical", repr(outcome))
    text = t.game.text(s, outcome)
    if t.game.parse(s, text) != outcome:
        raise LawBroken("an outcome's text reads back", text)


def _number(kind: ChanceKind) -> int:
    """About how many outcomes a chance has."""
    if isinstance(kind, Dice):
        return prod(comb(number + 5, 5) for _, number in kind.throws)
    if isinstance(kind, Draw):
        return prod(min(held, kind.number) + 1 for held in kind.counts)
    if isinstance(kind, Order):
        return factorial(len(kind.among))
    return len(kind.among)


# Secrecy -----------------------------------------------------------------------------------------


def viewers(t: Trial) -> tuple[Seat | None, ...]:
    """Every seat, and a spectator."""
    return (*range(len(t.setting.seats)), None)


def check_views(t: Trial, s: Any) -> None:
    """A view can be written as JSON, and a state dealt from it is possible and looks the same."""
    for viewer in viewers(t):
        view = t.game.view(s, viewer)
        json.dumps(view.position())
        dealt = t.game.determinize(view, t.draws)
        check_faults(t, dealt)
        seen = t.game.view(dealt, viewer)
        if t.hooks.observed(seen) != t.hooks.observed(view):
            raise LawBroken("what is dealt from a view looks like it", f"viewer {viewer}")


def check_secrecy(t: Trial, s: Any, pending: Any, seat: Seat | None, move: Move) -> None:
    """With all that a seat cannot know dealt again it sees, may do and is told the same."""
    for viewer in viewers(t):
        other = t.hooks.redeal(t.game, s, viewer, t.draws)
        check_faults(t, other)
        _compare(t, viewer, s, other, "now")
        twin: Move | None = move
        if seat is not None:
            twin = t.hooks.same_move(t.game, s, other, seat, move, viewer, t.draws)
        if twin is None:
            continue
        if seat is not None and twin not in t.game.legal(other, seat):
            raise LawBroken("the hooks name a legal move", repr(twin))
        here, there = Heard(), Heard()
        after, later = t.game.apply(s, seat, move, here), t.game.apply(other, seat, twin, there)
        if t.hooks.tells_by_ending(after) or t.hooks.tells_by_ending(later):
            continue
        _compare(t, viewer, after, later, f"after {text_of(t, s, move)}")
        if here.by(viewer) != there.by(viewer):
            raise LawBroken(
                "events tell a seat only what it may know",
                f"viewer {viewer}: {here.by(viewer)}\nor {there.by(viewer)}",
            )


def _compare(t: Trial, viewer: Seat | None, s: Any, other: Any, when: str) -> None:
    """Two states look the same to a viewer."""
    game, observed = t.game, t.hooks.observed
    if game.pending(s) != game.pending(other):
        raise LawBroken(
            "who is asked tells nothing hidden",
            f"viewer {viewer}, {when}: {game.pending(s)} or {game.pending(other)}",
        )
    one, two = game.view(s, viewer), game.view(other, viewer)
    if observed(one) != observed(two) or one.position() != two.position():
        raise LawBroken(
            "a view shows a seat only what it may know",
            f"viewer {viewer}, {when}: {one.position()}\nor {two.position()}",
        )
    if viewer is not None and not _same_moves(game.legal(s, viewer), game.legal(other, viewer)):
        raise LawBroken("legal moves tell only what a seat may know", f"viewer {viewer}, {when}")


def check_sealed(t: Trial, s: Any, pending: Decide) -> None:
    """A sealed answer tells nobody else anything, and the order of answers leaves no trace."""
    game = t.game
    if len(pending.seats) < 2:
        return
    for seat in pending.seats:
        moves = game.legal(s, seat)
        move, twin = moves.sample(t.draws), moves.sample(t.draws)
        here, there = Heard(), Heard()
        after, later = game.apply(s, seat, move, here), game.apply(s, seat, twin, there)
        if not game.is_sealed(after, move):
            raise LawBroken("an answer is sealed until the last has come", text_of(t, s, move))
        for viewer in viewers(t):
            if viewer != seat:
                if here.by(viewer) != there.by(viewer):
                    raise LawBroken("a sealed answer is told to nobody", f"viewer {viewer}")
                _compare(t, viewer, after, later, f"after the sealed {text_of(t, s, move)}")
    answers = [(seat, game.legal(s, seat).sample(t.draws)) for seat in pending.seats]
    ends = set()
    for order in (answers, answers[::-1], t.draws.shuffled(answers)):
        new = s
        for seat, move in order:
            new = game.apply(new, seat, move)
        ends.add(game.position_text(new))
    if len(ends) > 1:
        raise LawBroken("the order of sealed answers leaves no trace", " or ".join(ends))
