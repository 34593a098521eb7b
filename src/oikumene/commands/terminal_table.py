"""One person against programs: the session, who plays which seat, what was told, saving."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_bytes
from typing import Any, NamedTuple

from oikumene.bots import BOTS, Bot, load_bot
from oikumene.commands.common import read_text
from oikumene.core import record as records
from oikumene.core.chance import Committed
from oikumene.core.errors import OikumeneError, OptionError, RecordError
from oikumene.core.game import Chance, Decide, Over
from oikumene.core.keyed import Draws, key_of
from oikumene.core.moves import Move
from oikumene.core.record import Record
from oikumene.core.session import Session
from oikumene.core.session import replay as play_again
from oikumene.games import load_game

HUMAN = "human"  # among the players that a record names


class Told(NamedTuple):
    """An event as it was told, and the entry it belongs to (0: set-up)."""

    entry: int
    name: str  # an event, or: `move`, `chance`, `undo`
    facts: tuple[Any, ...]
    rule: str


class Wish(NamedTuple):
    """What the command line asks for."""

    game: str
    seats: str = "4"
    seat: str | None = None
    bots: str | None = None
    preset: str | None = None
    settings: Mapping[str, str] = {}
    map_text: str | None = None
    seed: int | None = None


class Table:
    """A session with one person at it. `told` holds all that this person may hear."""

    def __init__(self, session: Session, seat: str, bots: Sequence[str], secret: bytes) -> None:
        self.session = session
        self.game = session.game
        self.seats: tuple[str, ...] = session.setting.seats
        self.me = self.seats.index(seat)
        self.bot_names = tuple(bots)
        self.bots: list[Bot] = [load_bot(self.game.name, name) for name in bots]
        self.told: list[Told] = []
        self.secret = secret
        self.saved_at = 0  # the number of entries when it was saved last
        self.saved_as: Path | None = None
        session.policy = "free"
        session.tell = self._tell

    # What is told --------------------------------------------------------------------------------

    def _tell(self, name: str, *facts: Any, rule: str = "", to: int | None = None) -> None:
        if to is None or to == self.me:
            self.told.append(Told(len(self.session.entries) + 1, name, facts, rule))

    def _tell_move(
        self, number: int, before: int, state: Any, seat: int | None, move: Move
    ) -> None:
        """Tell a move or an outcome where no event did, or beside the events it caused.

        `before`: how much had been told; `state`: the position then.
        """
        if seat is None:
            self.told.insert(before, Told(number, "chance", (move,), ""))
        elif len(self.told) == before:
            self.told.append(Told(number, "move", (seat, move), ""))
        elif move[0] == "number":
            sizes = self.game.view(state, None).sizes
            out = tuple(at for at, held in enumerate(sizes) if held < move[1])
            if out and len(out) < len(sizes) - 1:
                self.told.insert(before + 1, Told(number, "out", out, "MN-8.4"))

    def retell(self) -> None:
        """Tell everything anew from the record, as after loading it."""
        session, self.told = self.session, []
        words = session.setting
        again = Session(session.game, words, session.header)
        again.tell = lambda name, *facts, rule="", to=None: (
            self.told.append(Told(len(again.entries) + 1, name, facts, rule))
            if to is None or to == self.me
            else None
        )
        again.start = session.game.setup(words, again.tell)
        self.told = [one._replace(entry=0) for one in self.told]
        for entry in session.entries:
            before = len(self.told)
            state = again.state
            seat, move = again.follow(entry)
            if "undo" in entry:
                self.told.append(Told(entry["n"], "undo", (entry["seat"], entry["undo"]), ""))
            elif move is not None:
                self._tell_move(entry["n"], before, state, seat, move)

    # What happens --------------------------------------------------------------------------------

    @property
    def view(self) -> Any:
        """What the person knows."""
        return self.game.view(self.session.state, self.me)

    @property
    def asked(self) -> bool:
        """Whether the person must decide now."""
        pending = self.session.pending
        return isinstance(pending, Decide) and self.me in pending.seats

    @property
    def over(self) -> Over | None:
        """The result, once there is one."""
        pending = self.session.pending
        return pending if isinstance(pending, Over) else None

    def legal(self) -> Any:
        """The person's legal moves."""
        return self.game.legal(self.session.state, self.me)

    def play(self, move: Move) -> None:
        """The person's move. Raises IllegalMove."""
        before, state = len(self.told), self.session.state
        try:
            self.session.play(self.me, move)
        except OikumeneError:
            del self.told[before:]
            raise
        self._tell_move(len(self.session.entries), before, state, self.me, move)

    def go_on(self) -> bool:
        """Let chance or one program decide; False where the person is asked, or it is over."""
        pending, state = self.session.pending, self.session.state
        before, number = len(self.told), len(self.session.entries) + 1
        if isinstance(pending, Over):
            return False
        if isinstance(pending, Chance):
            self._draw()
            self._tell_move(number, before, state, None, self.session.line[-1].move)
            return True
        others = [seat for seat in pending.seats if seat != self.me]
        if not others:
            return False
        seat = others[0]
        draws = Draws(key_of("oikumene bot", self.secret, seat, len(self.session.line)))
        view, moves = self.game.view(state, seat), self.game.legal(state, seat)
        move = self.bots[seat].choose(self.game, view, moves, draws)
        self.session.play(seat, move)
        self._tell_move(number, before, state, seat, move)
        return True

    def _draw(self) -> None:
        """Chance decides: out of the promised secret, or else marked as unproven."""
        if self.session.source is not None:
            self.session.draw()
            return
        pending = self.session.pending
        assert isinstance(pending, Chance)
        spare = Committed(key_of("oikumene spare", self.secret))
        outcome = spare.outcome(pending.kind, len(self.session.entries))
        self.session.throw(self.game.text(self.session.state, outcome))

    def undo(self) -> int:
        """Take the person's last decision back; the entry that was undone. Raises IllegalMove."""
        self.session.undo(self.me)
        entry = self.session.entries[-1]
        seat, undone = entry["seat"], entry["undo"]
        self.told.append(Told(entry["n"], "undo", (seat, undone), ""))
        return int(undone)

    # Saving --------------------------------------------------------------------------------------

    @property
    def unsaved(self) -> bool:
        """Whether something has happened since it was saved."""
        return len(self.session.entries) != self.saved_at

    def save(self, path: Path) -> None:
        """Write the record, with the secret, so that the game can go on. Raises OSError."""
        text = records.dump(self.session.closed())
        try:
            part = path.with_name(path.name + ".part")
            part.write_bytes(text.encode())
            part.replace(path)
        except (OSError, ValueError) as error:
            raise OikumeneError(
                f"{path}: {getattr(error, 'strerror', '') or error}; save under another name"
            ) from None
        self.saved_at, self.saved_as = len(self.session.entries), path

    def own_file(self) -> Path:
        """Where a game is kept that nobody saved: under the user's data, named by its promise."""
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        folder = Path(home) / "oikumene"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{self.game.name}-{self.session.header['commitment'][:8]}.jsonl"


# New and loaded games ----------------------------------------------------------------------------


def new_table(wish: Wish) -> Table:
    """A new game. Raises an OikumeneError where it cannot be set up."""
    game = load_game(wish.game)
    seats = _seats(game, wish.seats)
    board = None if wish.map_text is None else game.read_map(wish.map_text)
    secret = token_bytes(32) if wish.seed is None else key_of("oikumene seed", wish.seed)
    extra: dict[str, Any] = {} if wish.seed is None else {"seed": wish.seed}
    seat = _seat(seats, wish.seat)
    bots = bots_of(game.name, seats, seat, wish.bots)
    extra["players"] = [
        "human" if one == seat else bot for one, bot in zip(seats, bots, strict=True)
    ]
    heard: list[Told] = []
    session = Session.new(
        game,
        preset=wish.preset or game.options().default_preset,
        options=wish.settings,
        seats=seats,
        source=Committed(secret),
        board=board,
        extra=extra,
        policy="free",
        tell=lambda name, *facts, rule="", to=None: heard.append(Told(0, name, facts, rule)),
    )
    table = Table(session, seat, bots, secret)
    table.told = heard
    return table


def _seats(game: Any, text: str) -> tuple[str, ...]:
    if text.isascii() and text.isdigit():
        found: tuple[str, ...] = game.advised(int(text[:9]))
        return found
    return tuple(seat.strip() for seat in text.split(",") if seat.strip())


def _seat(seats: Sequence[str], wanted: str | None) -> str:
    if wanted is None:
        return "rome" if "rome" in seats else seats[0]
    if wanted not in seats:
        raise OptionError(
            f"--seat {wanted}: nobody sits there; the seats are {', '.join(seats)} "
            "(--seats names others)"
        )
    return wanted


def bots_of(game: str, seats: Sequence[str], seat: str, wanted: str | None) -> tuple[str, ...]:
    """The name of a bot for each seat (also for the person's, where it is not used)."""
    known = list(BOTS.get(game, {}))
    usual = "greedy" if "greedy" in known else known[0]
    names = [name.strip() for name in (wanted or usual).split(",") if name.strip()]
    others = [one for one in seats if one != seat]
    if len(names) == 1:
        names *= len(others)
    if len(names) != len(others):
        raise OptionError(
            f"--bots: {len(names)} opponents for {len(others)} seats; name one for each, "
            "or one for all of them"
        )
    for name in names:
        load_bot(game, name)
    by_seat = dict(zip(others, names, strict=True))
    return tuple(by_seat.get(one, usual) for one in seats)


class Loaded(NamedTuple):
    """A record that can be played on; `error` tells where a damaged one broke off."""

    table: Table
    error: str
    proven: bool  # its secret is known


def load_table(path: Path, wish: Wish) -> Loaded:
    """The game in a record, at its last valid entry. Raises OikumeneError or OSError."""
    try:
        record = records.read(read_text(path))
        found = play_again(record, load_game)
        session = found.session
        if found.error:  # what was tried of the broken entry must leave no trace
            valid = record.entries[: len(session.entries)]
            session = play_again(Record(record.header, valid), load_game).session
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    header = record.header
    if header["game"] != wish.game:
        raise OptionError(f"{path} is a game of {header['game']}; start the terminal with that")
    seats = tuple(session.setting.seats)
    players = header.get("players")
    people = players if isinstance(players, list) and len(players) == len(seats) else []
    usual = seats[people.index(HUMAN)] if HUMAN in people else None
    seat = _seat(seats, wish.seat or usual)
    bots = bots_of(
        header["game"], seats, seat, wish.bots or _players(header["game"], people, seat, seats)
    )
    source = _source(record, wish.seed)
    session.source = source
    secret = bytes.fromhex(source.opened()) if source else key_of("oikumene", header["commitment"])
    table = Table(session, seat, bots, secret)
    table.retell()
    table.saved_at, table.saved_as = len(session.entries), None if found.error else path
    return Loaded(table, found.error, source is not None)


def _players(game: str, people: Sequence[Any], seat: str, seats: Sequence[str]) -> str | None:
    """The opponents that the record names, if all of them are known here."""
    others = [one for at, one in zip(seats, people, strict=False) if at != seat]
    known = BOTS.get(game, {})
    return ",".join(others) if others and all(one in known for one in others) else None


def _source(record: Record, seed: int | None) -> Committed | None:
    """The source of what is still to come: by the opened secret, or by the seed."""
    words = tuple(record.header.get("words", ()))
    wanted = record.header["commitment"]
    tries: list[bytes] = []
    secret = (record.end or {}).get("secret")
    if isinstance(secret, str):
        with suppress(ValueError):
            tries.append(bytes.fromhex(secret))
    seeds = (seed, record.header.get("seed"))
    tries += [key_of("oikumene seed", one) for one in seeds if isinstance(one, int)]
    for one in tries:
        source = Committed(one, words)
        if source.commitment == wanted:
            return source
    return None
