"""The machine that carries out an agenda, on a toy game of a few frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from oikumene.core.chance import Lot
from oikumene.core.errors import ChanceError, IllegalMove, NotationError
from oikumene.core.game import (
    Chance,
    Decide,
    Frame,
    Game,
    Over,
    Rule,
    Step,
    Tell,
    Throw,
    silent,
    sole_answer,
    then,
)
from oikumene.core.limits import Reason
from oikumene.core.moves import Move, Moves, number, one_of

SEATS = ("red", "blue")
WORDS = SimpleNamespace(seats={name: at for at, name in enumerate(SEATS)}, names=SEATS)
SEAT = one_of("SEAT", lambda w: w.seats, lambda w: w.names)
N = number("N")


class ToyState:
    """What has been said so far, and the agenda."""

    def __init__(self, *agenda: Frame) -> None:
        self.agenda: tuple[Any, ...] = agenda[::-1]
        self.over: Over | None = None
        self.listed: tuple[Any, Moves] | None = None
        self.said: tuple[Any, ...] = ()

    def copy(self) -> ToyState:
        new = ToyState()
        new.agenda, new.over, new.said = self.agenda, self.over, self.said
        return new


@dataclass(frozen=True, slots=True)
class Say(Rule):
    """Says something; `more` are said next, and before what was to come."""

    what: int
    more: tuple[int, ...] = ()
    name = "say"
    nouns = (N,)

    def run(self, s: Any, tell: Tell) -> None:
        s.said += (self.what,)
        tell("said", self.what, rule="T-1")
        then(s, *map(Say, self.more))


@dataclass(frozen=True, slots=True)
class End(Rule):
    """Ends the game."""

    name = "end"

    def run(self, s: Any, tell: Tell) -> None:
        s.over = Over(((1,), (0,)), "T-9")


@dataclass(frozen=True, slots=True)
class Ask(Step):
    """Asks a seat for a number up to `most`; 0 alone is forced."""

    seat: int
    most: int
    name = "ask"
    cite = ("T-2",)
    verbs = ("say", "pass")
    elsewhere = {"roll": "T-3"}  # noqa: RUF012
    nouns = (SEAT, N)

    def asked(self, s: Any) -> tuple[int, ...]:
        return (self.seat,)

    def moves(self, s: Any, seat: int) -> Moves:
        return Moves([("say", range(self.most + 1))])

    def limits(self, s: Any, seat: int, move: Move) -> Sequence[Reason]:
        if move[0] == "pass":
            return [Reason("T-4"), Reason("T-5")]
        return [Reason("T-6", {"most": self.most})] if move[1] > self.most else []

    def forced(self, s: Any) -> tuple[int, Move] | None:
        return sole_answer(self, s)

    def do_say(self, s: Any, seat: int, nouns: Move, tell: Tell) -> None:
        s.said += ((seat, nouns[0]),)


@dataclass(frozen=True, slots=True)
class Both(Step):
    """Asks both seats at once."""

    name = "both"
    verbs = ("pass",)

    def asked(self, s: Any) -> tuple[int, ...]:
        return (0, 1)

    def moves(self, s: Any, seat: int) -> Moves:
        return Moves([("pass",)])

    def limits(self, s: Any, seat: int, move: Move) -> Sequence[Reason]:
        return []


@dataclass(frozen=True, slots=True)
class Roll(Throw):
    """Draws a lot."""

    name = "roll"

    def kind(self, s: Any) -> Lot:
        return Lot((0, 1))

    def settle(self, s: Any, outcome: Move, tell: Tell) -> None:
        s.said += (outcome,)


class Toy(Game[Any]):
    """A game that says numbers."""

    name = "toy"
    version = 1
    seats = range(2, 3)
    table = {"say": (N,), "pass": (), "roll": (), "lot": (SEAT,)}  # noqa: RUF012

    def view(self, s: Any, seat: int | None) -> Any:
        return None

    def words(self, s: Any) -> Any:
        return WORDS


GAME = Toy()


def started(*agenda: Frame, pause: bool = False) -> ToyState:
    s = ToyState(*agenda)
    GAME.run(s, pause=pause)
    return s


# --- the agenda --------------------------------------------------------------------------------


def test_rules_run_by_themselves_and_what_they_put_back_happens_before_the_rest() -> None:
    s = started(Say(1, (2, 3)), Say(4), Ask(0, 5))
    assert s.said == (1, 2, 3, 4)
    assert s.agenda == (Ask(0, 5),)


def test_a_step_with_a_choice_stops_and_asks() -> None:
    s = started(Ask(1, 2), Say(9))
    assert GAME.pending(s) == Decide((1,), "ask", ("T-2",))
    assert list(GAME.legal(s, 1)) == [("say", 0), ("say", 1), ("say", 2)]
    assert not GAME.legal(s, 0)


def test_a_forced_step_runs_through_unless_it_is_looked_at() -> None:
    assert started(Ask(0, 0), Say(1), Ask(0, 1)).said == ((0, 0), 1)
    s = started(Ask(0, 0), Say(1), Ask(0, 1), pause=True)
    assert s.said == ()
    assert GAME.forced(s) == (0, ("say", 0))
    after = GAME.apply(s, 0, ("say", 0), pause=True)
    assert after.said == ((0, 0), 1)
    assert GAME.forced(after) is None


def test_a_move_is_carried_out_on_a_copy() -> None:
    s = started(Ask(0, 3), Say(1), Ask(1, 3))
    before = s.agenda
    after = GAME.apply(s, 0, ("say", 2))
    assert (after.said, after.agenda) == (((0, 2), 1), (Ask(1, 3),))
    assert (s.said, s.agenda) == ((), before)


def test_what_was_listed_to_see_whether_a_step_is_forced_is_listed_once() -> None:
    s = started(Ask(0, 3))
    assert GAME.legal(s, 0) is GAME.legal(s, 0)
    assert GAME.legal(started(Ask(0, 3), pause=True), 0) is not None
    assert list(GAME.legal(s.copy(), 0)) == list(GAME.legal(s, 0))


def test_chance_is_asked_for_and_settled_in_its_canonical_form() -> None:
    s = started(Roll(), Say(1))
    assert GAME.pending(s) == Chance(Lot((0, 1)), "roll")
    assert not GAME.legal(s, 0)
    assert GAME.forced(s) is None
    with pytest.raises(ChanceError):
        GAME.play(s, None, ("lot", 2))


def test_when_the_game_is_over_nothing_runs_and_nobody_is_asked() -> None:
    s = started(Say(1), End(), Say(2))
    assert (s.said, GAME.pending(s)) == ((1,), Over(((1,), (0,)), "T-9"))
    assert s.over is not None
    assert s.over.winners == (1,)
    assert not GAME.legal(s, 0)
    assert GAME.forced(s) is None


def test_events_are_told_where_they_happen() -> None:
    heard: list[Any] = []

    def tell(name: str, *facts: Any, rule: str = "", to: int | None = None) -> None:
        heard.append((name, facts, rule, to))

    GAME.run(ToyState(Say(1, (2,)), Roll()), tell)
    assert heard == [("said", (1,), "T-1", None), ("said", (2,), "T-1", None)]
    silent("said", 1, rule="T-1")


# --- why not -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "seat", "move", "refusal"),
    [
        (Ask(0, 2), 0, ("say", 2), ()),
        (Ask(0, 2), 0, ("say", 3), (("T-6", {"most": 2}),)),
        (Ask(0, 2), 0, ("pass",), (("T-4", {}), ("T-5", {}))),
        (Ask(0, 2), 0, ("lot", 0), (("core.step", {"verbs": ("say", "pass"), "prompt": "ask"}),)),
        (
            Ask(0, 2),
            0,
            ("roll",),
            (("core.step", {"verbs": ("say", "pass"), "prompt": "ask"}), ("T-3", {})),
        ),
        (
            Ask(0, 2),
            1,
            ("say", 1),
            (("core.turn", {"asked": (0,), "prompt": "ask"}), ("T-2", {})),
        ),
        (Both(), 1, ("pass",), ()),
        (Roll(), 0, ("say", 1), (("core.chance", {"prompt": "roll"}),)),
        (End(), 0, ("say", 1), (("core.over", {"rule": "T-9"}),)),
    ],
)
def test_a_refusal_names_every_reason(frame: Frame, seat: int, move: Move, refusal: Any) -> None:
    s = started(frame)
    assert GAME.refusal(s, seat, move) == refusal
    if refusal:
        with pytest.raises(IllegalMove) as caught:
            GAME.play(s, seat, move)
        assert caught.value.refusal == refusal
        rules = ", ".join(rule for rule, _ in refusal)
        assert str(caught.value) == f"'{GAME.text(s, move)}' is not allowed here ({rules})"


def test_chance_cannot_be_settled_where_a_seat_decides_or_the_game_is_over() -> None:
    for frame in (Ask(0, 2), End()):
        with pytest.raises(IllegalMove, match="no chance is asked for here") as caught:
            GAME.play(started(frame), None, ("lot", 0))
        assert caught.value.refusal == (("core.chance", {}),)


def test_a_legal_move_is_played() -> None:
    assert GAME.play(started(Ask(0, 2), Roll()), 0, ("say", 2)).said == ((0, 2),)
    assert GAME.play(started(Roll(), Ask(0, 2)), None, ("lot", 1)).said == (("lot", 1),)


def test_moves_are_read_and_written_by_the_games_table() -> None:
    s = started(Ask(0, 2))
    assert GAME.parse(s, "say 2") == ("say", 2)
    assert GAME.text(s, ("lot", 1)) == "lot blue"
    with pytest.raises(NotationError):
        GAME.parse(s, "shout 2")


# --- frames ------------------------------------------------------------------------------------


def test_a_frame_gives_its_fields_in_order() -> None:
    assert Ask(1, 5).fields() == (1, 5)
    assert Roll().fields() == ()


class Unfinished(Step, Throw, Rule):  # what somebody who writes a frame may forget
    """A frame that overrides nothing."""


@pytest.mark.parametrize(
    ("method", "arguments", "message"),
    [
        ("run", (silent,), "must say what it does"),
        ("kind", (), "must say what is thrown"),
        ("settle", (("lot", 0), silent), "must say what an outcome does"),
        ("asked", (), "must say whom it asks"),
        ("moves", (0,), "must list its moves"),
        ("limits", (0, ("pass",)), "must know its limits"),
    ],
)
def test_a_frame_that_lacks_a_part_says_so(method: str, arguments: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=f"Unfinished {message}"):
        getattr(Unfinished(), method)(ToyState(), *arguments)


def test_a_step_with_a_choice_is_not_forced_unless_it_says_so() -> None:
    assert Both().forced(ToyState()) is None
