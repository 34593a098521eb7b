"""One live game: its record, its state, and its undo policy.

A session appends an entry for each move and each outcome of chance. Nothing is ever deleted: an
undo is an entry that points back. The *line* is the list of entries that still stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from oikumene.core import record as records
from oikumene.core.chance import Committed
from oikumene.core.errors import IllegalMove, OikumeneError, RecordError
from oikumene.core.game import Chance, Over, Pending, Seat, Tell, silent
from oikumene.core.moves import Move
from oikumene.core.record import Line, Record

Policy: TypeAlias = Literal["strict", "free"]


class Standing(NamedTuple):
    """An entry that stands: its number, who made it (None: chance), the move, the state after."""

    number: int
    seat: Seat | None
    move: Move
    state: Any


class Session:
    """A game being played.

    `policy` strict: an undo is free within one's own turn while nothing was revealed, drawn or
    decided by another seat since; free (solo and hot-seat tables): always.
    """

    def __init__(
        self, game: Any, setting: Any, header: Mapping[str, Any], source: Committed | None = None,
        *, policy: Policy = "strict", tell: Tell = silent, start: Any = None,
    ) -> None:  # fmt: skip
        self.game = game
        self.setting = setting
        self.source = source
        self.policy = policy
        self.tell = tell
        self.header: Line = dict(header)
        self.header["check"] = records.check_of("", records.without_check(self.header))
        self.entries: list[Line] = []
        self.line: list[Standing] = []
        self.start = game.setup(setting, tell) if start is None else start
        self._next_index: dict[str, int] = {}
        self._last_check: str = self.header["check"]

    @classmethod
    def new(
        cls, game: Any, *, preset: str, options: Mapping[str, str], seats: tuple[str, ...],
        source: Committed, board: Any = None, extra: Mapping[str, Any] | None = None,
        policy: Policy = "strict", tell: Tell = silent,
    ) -> Session:  # fmt: skip
        """A new game at its first decision or chance. Raises OptionError."""
        resolved = game.options().resolve(preset, options)
        setting = game.setting(resolved, seats, board)
        header = {
            "format": records.FORMAT,
            "game": game.name,
            "rules": game.version,
            "preset": preset,
            "options": resolved,
            "map": game.map_header(setting),
            "seats": list(seats),
            "commitment": source.commitment,
            "words": list(source.words),
            **(extra or {}),
        }
        return cls(game, setting, header, source, policy=policy, tell=tell)

    # What stands ---------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The present state."""
        return self.line[-1].state if self.line else self.start

    @property
    def pending(self) -> Pending:
        """Who or what decides now."""
        found: Pending = self.game.pending(self.state)
        return found

    @property
    def check(self) -> str:
        """The check of the last line."""
        return self._last_check

    # What happens --------------------------------------------------------------------------------

    def play(self, seat: Seat, move: Move | str) -> None:
        """A seat's move, as tuple or text. Raises NotationError or IllegalMove; then nothing has
        changed."""
        parsed: Move = self.game.parse(self.state, move) if isinstance(move, str) else move
        self._carry_out(seat, parsed, {"seat": self.setting.seats[seat]})

    def draw(self) -> None:
        """Chance decides, out of the table's source. Raises IllegalMove if it is not asked."""
        pending = self.pending
        if not isinstance(pending, Chance) or self.source is None:
            raise IllegalMove("no chance is asked for here", ())
        kind = pending.kind
        index = self.next_index(kind.stream)
        outcome = self.source.outcome(kind, index)
        self._carry_out(None, outcome, {"stream": kind.stream, "index": index, "to": kind.to})

    def next_index(self, stream: str) -> int:
        """The number of the stream's next outcome. Each is used once, also if it was undone."""
        return self._next_index.get(stream, 0)

    def settle(self) -> None:
        """Draw as long as chance is asked for."""
        while isinstance(self.pending, Chance):
            self.draw()

    def throw(self, text: str) -> None:
        """An outcome typed in from a real table; `verify` names it as unproven."""
        pending = self.pending
        if not isinstance(pending, Chance):
            raise IllegalMove("no chance is asked for here", ())
        outcome = pending.kind.canonical(self.game.parse(self.state, text))
        self._carry_out(None, outcome, {"by_hand": True, "to": pending.kind.to})

    def _carry_out(self, seat: Seat | None, move: Move, about: Line) -> None:
        before = self.state
        after = self.game.play(before, seat, move, self.tell)
        text = self.game.text(before, move)
        what = {"move": text} if seat is not None else {"chance": text}
        shown = {key: value for key, value in about.items() if value is not None}
        self._append({"n": len(self.entries) + 1, **what, **shown}, after)
        if "index" in shown:
            self._next_index[shown["stream"]] = shown["index"] + 1
        self.line.append(Standing(len(self.entries), seat, move, after))

    def _append(self, entry: Line, after: Any) -> None:
        position = self.game.position_text(after)
        entry["check"] = records.check_of(self._last_check, entry, position)
        self._last_check = entry["check"]
        self.entries.append(entry)

    # Undo ----------------------------------------------------------------------------------------

    def why_not_undo(self, seat: Seat) -> str:
        """Why the seat may not take its last move back now; "" if it may."""
        if not any(one.seat == seat for one in self.line):
            return "there is no move of this seat to take back"
        if self.policy == "free" or self._sealed(seat) is not None:
            return ""
        last = self.line[-1]
        if last.seat is None:
            return "dice or lots have been drawn since; the others must agree"
        if last.seat != seat:
            return "another seat has decided since; the others must agree"
        before = self.line[-2].state if len(self.line) > 1 else self.start
        if self.game.reveals(before, last.seat, last.move, last.state):
            return "the move has shown something that was hidden; the others must agree"
        return ""

    def _sealed(self, seat: Seat) -> int | None:
        """Where in the line the seat's own sealed answer stands that may be taken back alone."""
        for at in range(len(self.line) - 1, -1, -1):
            one = self.line[at]
            if one.seat is None or not self.game.is_sealed(self.state, one.move):
                break
            if one.seat == seat:
                return at
        return None

    def undo(self, seat: Seat) -> None:
        """Take the seat's last move back. Raises IllegalMove with the reason."""
        why = self.why_not_undo(seat)
        if why:
            raise IllegalMove(f"undo is not possible: {why}", ())
        at = self._sealed(seat)
        alone = at is not None
        if at is None:
            at = max(n for n, one in enumerate(self.line) if one.seat == seat)
        number = self.line[at].number
        self._take_back(at, alone=alone)
        entry: Line = {"n": len(self.entries) + 1, "undo": number}
        entry |= {"alone": True} if alone else {}
        entry["seat"] = self.setting.seats[seat]
        self._append(entry, self.state)

    def _take_back(self, at: int, *, alone: bool) -> None:
        """Take the entry at this place of the line back, alone or with all that came after it."""
        later = self.line[at + 1 :] if alone else []
        del self.line[at:]
        for one in later:
            after = self.game.apply(self.state, one.seat, one.move)
            self.line.append(one._replace(state=after))

    # The record ----------------------------------------------------------------------------------

    def record(self) -> Record:
        """The whole record; with result and opened secret once the game is over."""
        pending = self.pending
        end: Line | None = None
        if isinstance(pending, Over):
            names = self.setting.seats
            ranking = [[names[seat] for seat in group] for group in pending.ranking]
            end = self._closed(
                {"winners": ranking[0], "ranking": ranking, "reason": pending.reason}
            )
        return Record(self.header, self.entries, end)

    def closed(self) -> Record:
        """The whole record of a game that is given up as it stands."""
        found = self.record()
        return found if found.end else found._replace(end=self._closed({"reason": "unfinished"}))

    def _closed(self, result: Line) -> Line:
        end: Line = {"end": result}
        if self.source is not None:
            end["secret"] = self.source.opened()
        end["check"] = records.check_of(self._last_check, end)
        return end

    def redacted(self, viewer: Seat | None) -> list[Line]:
        """The entries as a seat (None: a spectator) may see them, without checks."""
        over = isinstance(self.pending, Over)
        standing = {one.number for one in self.line}
        found = []
        for entry, before, seat, move in self._history():
            line = records.without_check(entry)
            if not over and seat is not None and seat != viewer and move is not None:
                now = self.state if entry["n"] in standing else None
                if not self.game.shows(before, seat, move, now, viewer):
                    line["move"] = move[0]
                    line["hidden"] = True
            found.append(line)
        return found

    def _history(self) -> Iterator[tuple[Line, Any, Seat | None, Move | None]]:
        """Every entry with the state before it, undone ones too."""
        again = Session(self.game, self.setting, self.header, start=self.start)
        for entry in self.entries:
            before = again.state
            seat, move = again.follow(entry)
            yield entry, before, seat, move

    # Following a record --------------------------------------------------------------------------

    def follow(self, entry: Line) -> tuple[Seat | None, Move | None]:
        """Carry an entry of a record out. Raises an OikumeneError where it cannot be right."""
        if "undo" in entry:
            at = [one.number for one in self.line].index(entry["undo"])
            self._take_back(at, alone=bool(entry.get("alone")))
            self._keep(entry)
            return None, None
        before = self.state
        if "move" in entry:
            seat: Seat | None = self.setting.seats.index(entry["seat"])
            move = self.game.parse(before, entry["move"])
        else:
            seat, move = None, self.game.parse(before, entry["chance"])
        after = self.game.play(before, seat, move, self.tell)
        if "index" in entry:
            self._next_index[entry["stream"]] = entry["index"] + 1
        self._keep(entry)
        self.line.append(Standing(entry["n"], seat, move, after))
        return seat, move

    def step_back(self, line: list[Standing], check: str) -> None:
        """Stand again as before an entry that cannot be right."""
        self.line = line
        self._last_check = check

    def _keep(self, entry: Line) -> None:
        """An entry that was checked elsewhere becomes part of the record."""
        self.entries.append(entry)
        self._last_check = entry.get("check", "")


class Replay(NamedTuple):
    """A record played again: the session after its last valid entry, and what stopped it ("")."""

    session: Session
    error: str
    unproven: tuple[int, ...]  # entries whose outcome the opened secret does not prove
    states: list[Any]  # after the set-up and after each entry
    proven: bool  # the secret was opened and fits the commitment


def replay(
    record: Record, load_game: Callable[[str], Any], at: int | None = None, tell: Tell = silent
) -> Replay:
    """Play a record again, up to entry `at`, checking every line.

    A damaged record gives its longest valid part and the reason. Raises OptionError or RecordError
    where it cannot even begin.
    """
    game = load_game(record.header["game"])
    if record.header["rules"] != game.version:
        raise RecordError(
            f"this record was played by rules number {record.header['rules']} of {game.name}, "
            f"this program has {game.version}; use the Oikumene it was played with"
        )
    setting = game.setting_of(record.header)
    session = Session(game, setting, records.without_check(record.header), tell=tell)
    source = _opened(record)
    states, unproven = [session.state], []
    if session.check != record.header.get("check"):
        return Replay(session, "the header was changed: its check is wrong", (), states, False)
    error = ""
    wanted = record.entries if at is None else record.entries[:at]
    check = session.check
    for entry in wanted:
        due = session.next_index(str(entry.get("stream")))
        line, length = session.line, len(session.line)
        if "undo" in entry:
            session.line = list(line)
        try:
            session.follow(entry)
        except (LookupError, ValueError, TypeError, AttributeError) as problem:
            session.step_back(line[:length], check)
            error = f"entry {entry.get('n')}: {_said(problem)}"
            break
        position = game.position_text(session.state)
        previous, check = check, records.check_of(check, records.without_check(entry), position)
        if check != entry.get("check"):
            session.entries.pop()
            session.step_back(line[:length], previous)
            error = f"entry {entry['n']}: its check is wrong; it or an earlier line was changed"
            break
        states.append(session.state)
        if "chance" in entry and not _proven(game, source, states[-2], entry, due):
            unproven.append(entry["n"])
    if not error and at is None:
        error = record.error or _end_error(record, session, check)
    return Replay(session, error, tuple(unproven), states, source is not None)


def _said(problem: Exception) -> str:
    if isinstance(problem, OikumeneError):
        return str(problem)
    return "it is not a line that a game can have"


def _opened(record: Record) -> Committed | None:
    """The source, if the secret is opened and fits the commitment."""
    secret = (record.end or {}).get("secret", "")
    try:
        source = Committed(bytes.fromhex(secret), record.header.get("words", ()))
    except (ValueError, TypeError):
        return None
    return source if secret and source.commitment == record.header["commitment"] else None


def _proven(game: Any, source: Committed | None, before: Any, entry: Line, due: int) -> bool:
    """Whether the opened secret gives this outcome, and it was the one whose turn it was: who
    could leave outcomes out could choose among them."""
    pending = game.pending(before)
    if source is None or "index" not in entry or not isinstance(pending, Chance):
        return False
    outcome = source.outcome(pending.kind, due)
    return bool(
        (entry["stream"], entry["index"]) == (pending.kind.stream, due)
        and game.text(before, outcome) == entry["chance"]
    )


def _end_error(record: Record, session: Session, check: str) -> str:
    """What is wrong with the closing line."""
    if record.end is None:
        return "" if not isinstance(session.pending, Over) else "the closing line is missing"
    if records.check_of(check, records.without_check(record.end)) != record.end.get("check"):
        return "the closing line was changed: its check is wrong"
    if record.end.get("secret") and _opened(record) is None:
        return "the opened secret does not fit the commitment"
    closed = session.closed().end
    if closed is None or record.end["end"] != closed["end"]:
        return f"the closing line does not say how the game ended: {record.end['end']}"
    return ""
