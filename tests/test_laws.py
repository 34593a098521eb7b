"""The laws of every game on random play, and that every one of them can be broken."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from oikumene.core.chance import Lot
from oikumene.core.game import Decide, Over, Seat, Tell, silent
from oikumene.core.keyed import Draws
from oikumene.core.limits import Reason
from oikumene.core.moves import Move, Moves
from oikumene.games import GAMES, load_game
from oikumene.games.mare_nostrum import construction
from oikumene.games.mare_nostrum.cards import KINDS, TAX, count
from oikumene.games.mare_nostrum.game import MareNostrum
from oikumene.games.mare_nostrum.state import State
from oikumene.games.mare_nostrum.view import View
from oikumene.research import fuzz as fuzzing
from oikumene.research import laws
from oikumene.research.fuzz import digest, fuzz, trial_of, try_game
from oikumene.research.laws import LawBroken

SEEDS = range(40)
GOLD = KINDS.index("gold")
WHOLE_GAMES, A_PART = 2000, 50


@pytest.mark.laws
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_no_law_is_broken_in_a_random_game(name: str, seed: int) -> None:
    try_game(load_game(name), seed)


@pytest.mark.parametrize("name", GAMES)
def test_these_games_try_every_number_of_seats_and_every_option(name: str) -> None:
    game = load_game(name)
    trials = [trial_of(game, seed) for seed in SEEDS]
    assert {len(trial.setting.seats) for trial in trials} == set(game.seats)
    tried = {
        (option, getattr(trial.setting.opts, option))
        for trial in trials
        for option in game.options().options
    }
    assert tried == {
        (option.name, value.value)
        for option in game.options().options.values()
        for value in option.values.values()
        if value.built
    }


@pytest.mark.laws
@pytest.mark.long
@pytest.mark.parametrize("first", range(0, WHOLE_GAMES, A_PART))
@pytest.mark.parametrize("name", GAMES)
def test_no_law_is_broken_in_whole_games(name: str, first: int) -> None:
    game = load_game(name)
    for seed in range(10_000 + first, 10_000 + first + A_PART):
        try_game(game, seed, rounds=100)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seeds_give_the_same_games_whatever_python_hashes(name: str) -> None:
    code = (
        "from oikumene.games import load_game\n"
        "from oikumene.research.fuzz import digest\n"
        f"print(digest(load_game({name!r}), range(5)))"
    )
    found = {digest(load_game(name), range(5))}
    for seed in ("1", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout.strip())
    assert len(found) == 1


# Broken games ------------------------------------------------------------------------------------


class Mended(MareNostrum):
    """A game to be broken; a break below changes one method."""


class ShowsHands(Mended):
    def view(self, s: State, seat: Seat | None) -> View:
        seen = super().view(s, seat)
        seen.state.hands = s.hands
        return seen


class ShowsOneCard(Mended):
    """What nobody has seen is told by one bit: who holds gold."""

    def view(self, s: State, seat: Seat | None) -> View:
        seen = super().view(s, seat)
        seen.state.round += any(count(hand, GOLD) for hand in s.hands)
        return seen


class ShowsOffers(Mended):
    def view(self, s: State, seat: Seat | None) -> View:
        seen = super().view(s, seat)
        seen.state.agenda = s.agenda
        return seen


class TellsEverybody(Mended):
    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        def loud(name: str, *facts: Any, rule: str = "", to: Seat | None = None) -> None:
            tell(name, *facts, rule=rule)

        return super().apply(s, seat, move, loud, pause=pause)


class TellsOffers(Mended):
    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        if move[0] == "offer":
            tell("opened", seat, move[1], rule="MN-8.5")
        return super().apply(s, seat, move, tell, pause=pause)


class SkipsByHiddenCards(Mended):
    """Who holds no tax is not asked what he keeps."""

    def run(self, s: State, tell: Tell = silent, *, pause: bool = False) -> None:
        super().run(s, tell, pause=pause)
        top = s.agenda[-1] if s.over is None else None
        if isinstance(top, construction.Keep) and len(self.legal(s, top.seat)) == 1:
            s.agenda = s.agenda[:-1]
            top.do_keep(s, top.seat, (0,), silent)
            self.run(s, tell, pause=pause)


class LimitsByHiddenCards(Mended):
    """The Director can name only small numbers while his neighbour's tax is odd."""

    def legal(self, s: State, seat: Seat) -> Moves:
        found = super().legal(s, seat)
        odd = count(s.hands[seat - 1], TAX) % 2
        if found and found.rows[0][0] == "number" and odd:
            return Moves((("number", (0, 1)),))
        return found

    def refusal(self, s: State, seat: Seat, move: Move) -> tuple[Reason, ...]:
        found = super().refusal(s, seat, move)
        return found if found or move in self.legal(s, seat) else (Reason("MN-8.1"),)


class ForgetsMoves(Mended):
    def legal(self, s: State, seat: Seat) -> Moves:
        found = super().legal(s, seat)
        return Moves(found.rows[1:]) if len(found.rows) > 1 else found


class InventsMoves(Mended):
    def legal(self, s: State, seat: Seat) -> Moves:
        found = super().legal(s, seat)
        return Moves((*found.rows, ("call", (seat,)))) if found else found


class ListsTwice(Mended):
    def legal(self, s: State, seat: Seat) -> Moves:
        found = super().legal(s, seat)
        return Moves((*found.rows, *found.rows))


class Shuffles(Mended):
    turn = 0

    def legal(self, s: State, seat: Seat) -> Moves:
        found = super().legal(s, seat)
        self.turn += 1
        return Moves(found.rows[:: 1 if self.turn % 2 else -1])


class Miscounted(Moves):
    def __len__(self) -> int:
        return super().__len__() + (len(self.rows) > 1)


class Miscounts(Mended):
    def legal(self, s: State, seat: Seat) -> Moves:
        return Miscounted(super().legal(s, seat).rows)


class Lopsided(Moves):
    def sample(self, draws: Draws) -> Move:
        found = super().sample(draws)
        return next(iter(self)) if len(self) > 2 else found


class SamplesUnevenly(Mended):
    def legal(self, s: State, seat: Seat) -> Moves:
        return Lopsided(super().legal(s, seat).rows)


class Closed(Moves):
    def __contains__(self, move: object) -> bool:
        return super().__contains__(move) and move != ("done",)


class ForgetsDone(Mended):
    def legal(self, s: State, seat: Seat) -> Moves:
        return Closed(super().legal(s, seat).rows)


class AllowsAll(Mended):
    def refusal(self, s: State, seat: Seat, move: Move) -> tuple[Reason, ...]:
        return () if s.over is None else super().refusal(s, seat, move)


class RefusesAll(Mended):
    def refusal(self, s: State, seat: Seat, move: Move) -> tuple[Reason, ...]:
        return super().refusal(s, seat, move) or (Reason("MN-1.1"),)


class NamesNoRule(Mended):
    def refusal(self, s: State, seat: Seat, move: Move) -> tuple[Reason, ...]:
        return tuple(reason._replace(rule="MN-0.0") for reason in super().refusal(s, seat, move))


class AsksOthers(Mended):
    def legal(self, s: State, seat: Seat) -> Moves:
        return super().legal(s, seat) or Moves((("done",),))


class AsksForForced(Mended):
    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        return super().apply(s, seat, move, tell, pause=True)


class ChangesItsInput(Mended):
    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        s.hands = (*s.hands,)
        return super().apply(s, seat, move, tell, pause=pause)


class IsFickle(Mended):
    turn = 0

    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        new = super().apply(s, seat, move, tell, pause=pause)
        self.turn += 1
        new.round += self.turn
        return new


class TakesCards(Mended):
    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        new = super().apply(s, seat, move, tell, pause=pause)
        new.stock -= 1
        return new


class ForgetsHeld(Mended):
    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        new = super().apply(s, seat, move, tell, pause=pause)
        new.held = s.held
        return new


class GoesBack(Mended):
    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        new = super().apply(s, seat, move, tell, pause=pause)
        new.round = max(new.round - 1, 0)
        return new


class RemembersWhoWasFirst(Mended):
    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        new = super().apply(s, seat, move, tell, pause=pause)
        if move[0] == "offer" and seat is not None:
            new.called = 1 << seat
        return new


class Stumbles(Mended):
    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        if move[0] == "take":
            raise IndexError("no such card")
        return super().apply(s, seat, move, tell, pause=pause)


class TellsNoRule(Mended):
    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        tell("round", 1)
        return super().apply(s, seat, move, tell, pause=pause)


class TellsNobody(Mended):
    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        tell("round", 1, rule="MN-6.1", to=9)
        return super().apply(s, seat, move, tell, pause=pause)


class WritesLess(Mended):
    def position(self, s: State) -> dict[str, Any]:
        return {key: value for key, value in super().position(s).items() if key != "hand"}


class ReadsLess(Mended):
    def from_position(self, setting: Any, keys: Any) -> State:
        return super().from_position(setting, {k: v for k, v in keys.items() if k != "known"})


class ReadsFromMemory(Mended):
    """What comes back is no position but the text of one: it goes on in another way."""

    def from_position(self, setting: Any, keys: Any) -> State:
        back = super().from_position(setting, keys)
        back.listed = (back.agenda[-1], Moves((("done",),)))
        return back


class KnowsWhatCameBack(Mended):
    """A position that came back goes on in another way than the one that was written."""

    back: State | None = None

    def from_position(self, setting: Any, keys: Any) -> State:
        self.back = super().from_position(setting, keys)
        return self.back

    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        new = super().apply(s, seat, move, tell, pause=pause)
        new.round += s is self.back
        return new


class AsksOtherwise(KnowsWhatCameBack):
    def pending(self, s: State) -> Any:
        found: Any = super().pending(s)
        return found._replace(prompt="back") if s is self.back else found


class AsksTwice(Mended):
    def pending(self, s: State) -> Any:
        found = super().pending(s)
        return found._replace(seats=found.seats * 2) if isinstance(found, Decide) else found


class SealsNothing(Mended):
    def is_sealed(self, s: State, move: Move) -> bool:
        return False


class TellsNonsense(Mended):
    def apply(
        self, s: State, seat: Seat | None, move: Move, tell: Tell = silent, *, pause: bool = False
    ) -> State:
        tell("built", 0, 0, 0, -2, rule="MN-6.1")
        return super().apply(s, seat, move, tell, pause=pause)


class Narrow(Moves):
    def sample(self, draws: Draws) -> Move:
        draws.below(1)
        return super().sample(draws)


class SamplesNarrowly(Mended):
    def legal(self, s: State, seat: Seat) -> Moves:
        return Narrow(super().legal(s, seat).rows)


class Misreads(Mended):
    def parse(self, s: State, text: str) -> Move:
        move = super().parse(s, text)
        return (*move[:-1], 0) if move[0] == "take" else move


class MisreadsDice(Mended):
    def parse(self, s: State, text: str) -> Move:
        return ("dice", ()) if text.startswith("dice") else super().parse(s, text)


class DealsBadly(Mended):
    def determinize(self, seen: View, draws: Draws) -> State:
        dealt = super().determinize(seen, draws)
        dealt.hands = (*dealt.hands[:-1], dealt.hands[-1] + 1)
        return dealt


class DealsOtherCards(Mended):
    """The own hand is dealt anew too, as if it were not seen."""

    def determinize(self, seen: View, draws: Draws) -> State:
        blind = self.view(seen.state, None)._replace(sizes=seen.sizes)
        return super().determinize(blind, draws)


BREAKS: dict[type[MareNostrum], str] = {
    ShowsHands: "a view shows a seat only what it may know",
    ShowsOneCard: "what is dealt from a view looks like it",
    ShowsOffers: "a view shows a seat only what it may know",
    TellsEverybody: "events tell a seat only what it may know",
    TellsOffers: "a sealed answer is told to nobody",
    SkipsByHiddenCards: "who is asked tells nothing hidden",
    LimitsByHiddenCards: "legal moves tell only what a seat may know",
    ForgetsMoves: "a move is legal if nothing is said against it",
    InventsMoves: "a legal move is not refused",
    ListsTwice: "a legal move is listed once",
    Shuffles: "legal moves have a fixed order",
    Miscounts: "len counts the moves",
    SamplesUnevenly: "sample number k is move number k",
    AllowsAll: "a move is legal if nothing is said against it",
    RefusesAll: "a legal move is not refused",
    NamesNoRule: "a refusal names its rule",
    AsksOthers: "who is asked can answer, nobody else",
    AsksForForced: "nobody is asked for a forced answer",
    ChangesItsInput: "a move leaves its input alone",
    IsFickle: "a move does the same twice",
    TakesCards: "the position is possible",
    ForgetsHeld: "the position is possible",
    GoesBack: "rounds only go on",
    RemembersWhoWasFirst: "the order of sealed answers leaves no trace",
    Stumbles: "nothing goes wrong",
    TellsNoRule: "an event names its rule",
    TellsNobody: "an event is heard by a seat",
    WritesLess: "the position text holds the position's keys",
    ReadsLess: "a position comes back",
    ReadsFromMemory: "a position that came back has the same moves",
    KnowsWhatCameBack: "a position that came back goes on alike",
    AsksOtherwise: "a position that came back asks the same",
    AsksTwice: "seats are asked once each, in order",
    SealsNothing: "an answer is sealed until the last has come",
    TellsNonsense: "an event's text reads back",
    SamplesNarrowly: "a sample is drawn among all moves",
    Misreads: "a move's text reads back",
    MisreadsDice: "an outcome's text reads back",
    DealsBadly: "the position is possible",
    DealsOtherCards: "what is dealt from a view looks like it",
}


def broken_by(game: MareNostrum, seeds: range = range(100, 160), rounds: int = 6) -> str:
    """The law that random games find broken; "" if none."""
    for seed in seeds:
        try:
            try_game(game, seed, rounds=rounds)
        except LawBroken as found:
            return found.law
    return ""


def test_the_game_that_is_broken_here_is_not_broken() -> None:
    assert broken_by(Mended(), range(100, 103)) == ""


@pytest.mark.parametrize("game", BREAKS, ids=lambda game: game.__name__)
def test_a_broken_game_is_found(game: type[MareNostrum]) -> None:
    assert broken_by(game()) == BREAKS[game]


# Laws that a broken game meets only behind others ------------------------------------------------


def trial(game: MareNostrum | None = None) -> laws.Trial:
    return trial_of(game or Mended(), 1)


@contextmanager
def breaks(law: str) -> Iterator[None]:
    with pytest.raises(LawBroken) as found:
        yield
    assert found.value.law == law


def test_the_end_of_a_game() -> None:
    t = trial()
    s: State = t.game.setup(t.setting)
    over = s.over = Over(((1,), (0, *range(2, s.setting.n))), "MN-22.2")
    laws.check_over(t, s, over)
    short = over._replace(ranking=over.ranking[:1])
    with breaks("the ranking holds every seat once"):
        laws.check_over(t, s, short)
    for game in (PlaysOn(), AllowsAllAfterTheEnd()):
        with breaks("after the end nobody moves"):
            laws.check_over(t._replace(game=game), s, over)


class PlaysOn(Mended):
    def legal(self, s: State, seat: Seat) -> Moves:
        return Moves((("done",),)) if s.over is not None else super().legal(s, seat)


class AllowsAllAfterTheEnd(Mended):
    def refusal(self, s: State, seat: Seat, move: Move) -> tuple[Reason, ...]:
        return ()


def test_a_copy_that_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    t = trial()
    s = t.game.setup(t.setting)
    laws.check_copy(t, s)
    whole = State.copy

    def forgetful(old: State) -> State:
        new = whole(old)
        new.hands = (*old.hands,)
        return new

    monkeypatch.setattr(State, "copy", forgetful)
    with breaks("a copy forgets nothing"):
        laws.check_copy(t, s)


class Loaded(Lot):
    """A lot that is drawn wrongly in one of several ways."""

    way = ""

    def outcomes(self) -> Iterator[tuple[Move, float]]:
        found = list(super().outcomes())
        if self.way == "twice":
            found[-1] = found[0]
        if self.way == "sum":
            found[0] = (found[0][0], 0.9)
        if self.way == "never":
            found = [(outcome, 0.0 if at else 1.0) for at, (outcome, _) in enumerate(found)]
        if self.way == "other":
            found = [(("lot", at + 100), 1 / len(found)) for at in range(len(found))]
        yield from found

    def canonical(self, outcome: Move) -> Move:
        return ("lot", 0) if self.way == "canonical" else super().canonical(outcome)


LOADED = {
    "twice": "an outcome is listed once",
    "sum": "probabilities add up to 1",
    "never": "an outcome that is listed can occur",
    "other": "a sample is one of the outcomes",
    "canonical": "an outcome is canonical",
}


@pytest.mark.parametrize("way", LOADED)
def test_a_loaded_lot(way: str) -> None:
    t = trial()
    s = t.game.from_position(t.setting, {"agenda": ["first-builder"]})
    kind = Loaded(tuple(range(s.setting.n)))
    laws.check_chance(t, s, kind)
    kind.way = way
    with breaks(LOADED[way]):
        laws.check_chance(t, s, kind)


def test_a_move_that_is_sampled_but_not_legal() -> None:
    t = trial(ForgetsDone())
    seat = t.setting.seats[0]
    s = t.game.from_position(t.setting, {"step": f"fleets {seat}", "fleets": {seat: "mare_ionium"}})
    with breaks("a sampled move is legal"):
        laws.check_apply(t, s, 0, ("done",))
    with breaks("a listed move is in the collection"):
        laws.check_collection(t, s, 0)


# Here and above, by hand.
BROKEN_BY_HAND = {
    "the ranking holds every seat once",
    "after the end nobody moves",
    "a copy forgets nothing",
    "a listed move is in the collection",
    "a sampled move is legal",
    *LOADED.values(),
}
OF_THE_HOOKS = {"the hooks name a legal move"}


def test_every_law_is_broken_here() -> None:
    text = "".join(Path(str(module.__file__)).read_text("utf-8") for module in (laws, fuzzing))
    found = set(re.findall(r'LawBroken\(\s*"([^"]+)"', text))
    assert found == {*BREAKS.values(), *BROKEN_BY_HAND, *OF_THE_HOOKS}


# `fuzz` ------------------------------------------------------------------------------------------


def test_fuzz_tells_the_seed_that_shows_it_again() -> None:
    told: list[str] = []
    assert fuzz(Stumbles(), 0, 7, told.append, rounds=2) == 1
    assert "nothing goes wrong" in told[0]
    assert "\nseed 7, step " in told[0]
    assert "oikumene fuzz mare-nostrum --seed 7 --minutes 0" in told[0]
    again: list[str] = []
    fuzz(Stumbles(), 0, 7, again.append, rounds=2)
    assert again == told


def test_fuzz_stops_when_enough_is_broken() -> None:
    told: list[str] = []
    assert fuzz(Stumbles(), 5, 0, told.append, rounds=2) == 10
    assert told[-2] == "10 games broke a law: that is enough"


def test_fuzz_counts_what_it_has_tried() -> None:
    told: list[str] = []
    assert fuzz(Mended(), 0, 3, told.append, rounds=2) == 0
    assert told[-1].startswith("1 games (seeds 3 to 3), ")
    assert told[-1].endswith(": no games broke a law")
