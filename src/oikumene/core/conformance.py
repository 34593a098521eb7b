"""Runs conformance cases (docs/conformance.md): positions, moves, and what must hold.

The runner knows no game: it reads positions and moves by the game's own notation.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from oikumene.core.chance import ChanceKind
from oikumene.core.errors import DataError, NotationError, OikumeneError
from oikumene.core.game import Chance, Decide, Over
from oikumene.core.keyed import Draws, key_of
from oikumene.core.moves import Move, move_text, parse_move

FORMAT = 1
# The keys of a case and of a line, and what kind of value each has.
CASE: dict[str, type] = {
    "id": str, "title": str, "rules": list, "source": str, "preset": str, "options": dict,
    "seats": list, "position": dict, "play": list,
}  # fmt: skip
LINE: dict[str, type] = {
    "by": str, "move": str, "refused": list, "allowed": bool, "chance": str, "to": str,
    "set": dict, "asked": list, "legal": dict, "then": dict, "over": dict, "events": list,
}  # fmt: skip
TEXTS = ("rules", "seats", "refused", "asked", "events")  # lists of texts
KINDS = {str: "a text", list: "a list", dict: "a table", bool: "true or false"}


class Result(NamedTuple):
    """One case: its id, its rules, and what failed ("" if it passed)."""

    id: str
    rules: tuple[str, ...]
    failure: str


class Failed(Exception):
    """A line of a case does not hold."""


def read_cases(text: str, name: str) -> tuple[str, list[dict[str, Any]]]:
    """The game and the cases of one file. Raises DataError."""
    try:
        doc = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{name}: not a TOML file ({error}); mend that line") from None
    if doc.get("format") != FORMAT:
        raise DataError(f"{name}: a case file begins with `format = {FORMAT}`")
    cases = doc.get("case", [])
    if not isinstance(doc.get("game"), str) or not isinstance(cases, list) or not cases:
        raise DataError(f'{name}: a case file needs `game = "..."` and at least one [[case]]')
    for case in cases:
        _check_case(case, name)
    return doc["game"], cases


def _check_case(case: Any, name: str) -> None:
    """Raise DataError unless the case has the right keys and kinds of values."""
    if not isinstance(case, dict):
        raise DataError(f"{name}: a case is written as a table [[case]]")
    where = f"{name}: case {case.get('id', '?')}"
    unknown = case.keys() - CASE.keys()
    if unknown or not {"id", "title", "rules", "seats", "play"} <= case.keys():
        raise DataError(f"{where}: unknown or missing keys {sorted(unknown)}")
    _check_kinds(case, CASE, where)
    for number, line in enumerate(case["play"], 1):
        if not isinstance(line, dict):
            raise DataError(f"{where}: line {number} must be a table {{ by = ..., move = ... }}")
        if line.keys() - LINE.keys():
            unknown = line.keys() - LINE.keys()
            raise DataError(f"{where}: unknown keys {sorted(unknown)} in a line")
        _check_kinds(line, LINE, f"{where}: line {number}")
        if ("move" in line) != ("by" in line) or ("refused" in line and "move" not in line):
            raise DataError(f"{where}: line {number}: `by` and `move` belong together")


def _check_kinds(table: Mapping[str, Any], kinds: Mapping[str, type], where: str) -> None:
    for key, value in table.items():
        if not isinstance(value, kinds[key]):
            raise DataError(f"{where}: `{key}` must be {KINDS[kinds[key]]}")
        if not all(map(_is_texts, _lists(key, value))):
            raise DataError(f"{where}: `{key}` must hold texts")


def _lists(key: str, value: Any) -> list[Any]:
    """What under this key must be lists of texts."""
    if key == "options":
        return [list(value.values())]
    if key == "over":
        ranking = value.get("ranking", [])
        return [value.get("winners", []), *(ranking if isinstance(ranking, list) else [ranking])]
    if key == "legal":
        return list(value.values())
    return [value] if key in TEXTS else []


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def run_case(game: Any, case: Mapping[str, Any]) -> Result:
    """Carry one case out."""
    rules = tuple(case["rules"])
    try:
        Run(game, case).play()
    except (Failed, OikumeneError) as error:
        return Result(case["id"], rules, str(error) or type(error).__name__)
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError) as error:
        # An agenda written by hand can be well-formed and yet no agenda that a game can have.
        return Result(case["id"], rules, f"the position cannot be played on: {error!r}")
    return Result(case["id"], rules, "")


class Run:
    """One case being carried out. The state pauses before every step, forced ones too."""

    def __init__(self, game: Any, case: Mapping[str, Any]) -> None:
        self.game = game
        self.case = case
        self.heard: list[str] = []
        options = game.options()
        preset = case.get("preset", options.default_preset)
        setting = game.setting(options.resolve(preset, case.get("options", {})), case["seats"])
        if "position" in case:
            keys = dict(case["position"])
            facts = keys.pop("facts", {})
            self.state = game.from_position(setting, keys)
            self.check_facts(self.state, facts)
            game.run(self.state, self.tell, pause=True)
        else:
            self.state = game.setup(setting, self.tell, pause=True)

    def tell(self, name: str, *facts: Any, rule: str = "", to: int | None = None) -> None:
        """Keep the texts of events."""
        words = self.game.words(self.state) if hasattr(self, "state") else None
        if words is not None:
            self.heard.append(move_text(self.game.events, words, (name, *facts)))

    def play(self) -> None:
        """All lines. Raises Failed at the first that does not hold."""
        for number, line in enumerate(self.case["play"], 1):
            self.heard = []
            try:
                self.line(line)
            except (Failed, OikumeneError) as error:
                shown = line.get("move") or line.get("chance") or ""
                raise Failed(f"line {number} ({shown}): {error}") from None

    def line(self, line: Mapping[str, Any]) -> None:
        """One line: do, then look. Where a forced step and a later one allow the same move, the
        line's expectations tell which is meant."""
        if "set" in line:
            *_, settled = self.forced_on(self.state)
            self.state = self.game.amend(settled, line["set"])
            if "step" in line["set"] or "agenda" in line["set"]:
                self.game.run(self.state, self.tell, pause=True)
        if "refused" in line:
            self.refused(line)
            return
        failure: Exception | None = None
        for before in self.forced_on(self.state):
            try:
                state = self.done(before, line)
                self.look(state, line)
            except (Failed, OikumeneError) as error:
                failure = failure or error
                continue
            self.state = state
            return
        raise failure or Failed("nothing happens here")

    def done(self, state: Any, line: Mapping[str, Any]) -> Any:
        """The state after the line's move or outcome."""
        if "chance" in line:
            return self.chance(state, line)
        if "move" not in line:
            return state
        seat = self.seat(line["by"])
        move = self.game.parse(state, line["move"])
        reasons = self.reasons(state, seat, move)
        if reasons:
            raise Failed(f"must be legal; refused by {', '.join(reasons)}")
        return (
            state
            if line.get("allowed")
            else self.game.apply(state, seat, move, self.tell, pause=True)
        )

    def reasons(self, state: Any, seat: int, move: Move) -> tuple[str, ...]:
        """The rules against a move. `legal` and `refusal` must say the same."""
        found = tuple(reason.rule for reason in self.game.refusal(state, seat, move))
        if (move in self.game.legal(state, seat)) == bool(found):
            raise Failed(f"legal and refusal differ about {move}")
        return found

    def refused(self, line: Mapping[str, Any]) -> None:
        """A move that must be illegal, by at least the rules that are named."""
        seat = self.seat(line["by"])
        got: tuple[str, ...] = ()
        for state in self.forced_on(self.state):
            try:
                move = self.game.parse(state, line["move"])
            except NotationError as error:
                if not line["refused"]:
                    return
                raise Failed(str(error)) from None
            found = self.reasons(state, seat, move)
            if found and set(line["refused"]) <= set(found):
                return
            got = got or found
        raise Failed(f"must be refused by {line['refused']}; {', '.join(got) or 'it is legal'}")

    def forced_on(self, state: Any) -> Iterator[Any]:
        """The state, and those reached from it by running forced steps through."""
        while True:
            yield state
            answer = self.game.forced(state)
            if answer is None:
                return
            state = self.game.apply(state, *answer, self.tell, pause=True)

    def chance(self, state: Any, line: Mapping[str, Any]) -> Any:
        """The state after an outcome of the chance now asked for."""
        pending = self.game.pending(state)
        if not isinstance(pending, Chance):
            raise Failed("no chance is asked for here")
        to = line.get("to")
        if "to" in line and pending.kind.to != (self.seat(to) if to else None):
            raise Failed("another seat sees this outcome")
        outcome = self.outcome(pending.kind, line["chance"])
        return self.game.apply(state, None, outcome, self.tell, pause=True)

    def outcome(self, kind: ChanceKind, text: str) -> Move:
        """The outcome written in the case, or any."""
        if text == "any":
            return kind.sample(Draws(key_of("any")))
        return kind.canonical(parse_move(self.game.table, self.game.words(self.state), text))

    def seat(self, name: str) -> int:
        """A seat by its name."""
        if name not in self.case["seats"]:
            raise Failed(f"'{name}' is not a seat of this case")
        return int(self.case["seats"].index(name))

    def look(self, after: Any, line: Mapping[str, Any]) -> None:
        """What must hold after the line, before or after forced steps have run through."""
        if {"asked", "legal", "then", "over"} & line.keys():
            failure = ""
            for state in self.forced_on(after):
                now = self.mismatch(state, line)
                if not now:
                    break
                failure = failure or now
            else:
                raise Failed(failure)
        events = line.get("events", [])
        heard = iter(self.heard)
        for event in events:
            if event not in heard:
                raise Failed(f"event '{event}' is missing; heard: {self.heard}")

    def mismatch(self, state: Any, line: Mapping[str, Any]) -> str:
        """What does not hold in this state, or ""."""
        pending = self.game.pending(state)
        if "asked" in line:
            asked = pending.seats if isinstance(pending, Decide) else ()
            names = [self.game.words(state).seats_by[seat] for seat in asked]
            if sorted(names) != sorted(line["asked"]):
                return f"asked are {names}, not {line['asked']}"
        if "over" in line:
            failure = self.over_differs(pending, line["over"])
            if failure:
                return failure
        for verb, nouns in line.get("legal", {}).items():
            failure = self.legal_differs(state, pending, verb, nouns)
            if failure:
                return failure
        then = dict(line.get("then", {}))
        try:
            self.check_facts(state, then.pop("facts", {}))
        except Failed as error:
            return str(error)
        return self.position_differs(state, then)

    def over_differs(self, pending: Any, wanted: Mapping[str, Any]) -> str:
        """How the end differs from what is wanted."""
        if not isinstance(pending, Over):
            return "the game is not over"
        if wanted.keys() - {"winners", "ranking", "reason"}:
            return f"`over` tells winners, ranking and reason, not {sorted(wanted)}"
        names = self.case["seats"]
        winners = sorted(names[seat] for seat in pending.winners)
        if "winners" in wanted and winners != sorted(wanted["winners"]):
            return f"winners are {winners}"
        if "reason" in wanted and pending.reason != wanted["reason"]:
            return f"the reason is {pending.reason}"
        ranking = [sorted(names[seat] for seat in group) for group in pending.ranking]
        if "ranking" in wanted and ranking != [sorted(group) for group in wanted["ranking"]]:
            return f"the ranking is {ranking}"
        return ""

    def legal_differs(self, state: Any, pending: Any, verb: str, nouns: list[str]) -> str:
        """How the legal moves of a verb differ from what is wanted."""
        seat = pending.seats[0] if isinstance(pending, Decide) else 0
        found = sorted(
            self.game.text(state, move).removeprefix(verb).strip()
            for move in self.game.legal(state, seat).of(verb)
        )
        wanted = sorted(nouns)
        return "" if found == wanted else f"legal {verb}: {found}, not {wanted}"

    def position_differs(self, state: Any, then: Mapping[str, Any]) -> str:
        """How the position differs from the named keys."""
        if not then:
            return ""
        have = self.game.position(state)
        want = self.game.position(self.game.amend(state, then, check=False))
        for key in then:
            if have.get(key) != want.get(key):
                return f"{key} is {have.get(key)}, not {want.get(key)}"
        return ""

    def check_facts(self, state: Any, facts: Mapping[str, Any]) -> None:
        """Derived facts of a position. Raises Failed."""
        if not isinstance(facts, Mapping):
            raise Failed("`facts` must be a table")
        for name, value in facts.items():
            found = self.game.fact(state, name)
            if isinstance(value, list):
                value = sorted(map(str, value))
            if isinstance(found, str) and isinstance(value, str):
                found, value = sorted(found.split()), sorted(value.split())
            if found != value:
                raise Failed(f"fact {name} is {found}, not {value}")
