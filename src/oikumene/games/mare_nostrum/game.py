"""Mare Nostrum as a `Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oikumene.core.errors import OptionError, PositionError, RecordError
from oikumene.core.game import Game, Seat, Tell, silent
from oikumene.core.keyed import Draws
from oikumene.core.moves import Move
from oikumene.core.options import OptionTable
from oikumene.core.rulebook import Rulebook
from oikumene.games.mare_nostrum import (
    construction,
    position,
    read_position,
    setup,
    strategy,
)
from oikumene.games.mare_nostrum import view as views
from oikumene.games.mare_nostrum.board import SHIPPED, Board, load_board, read_board
from oikumene.games.mare_nostrum.cards import CARDS
from oikumene.games.mare_nostrum.commerce import Give, Offers
from oikumene.games.mare_nostrum.income import incomes
from oikumene.games.mare_nostrum.moves import EVENTS, MOVES, Names, hand_text
from oikumene.games.mare_nostrum.options import Options
from oikumene.games.mare_nostrum.state import THINGS, Setting, State, chain

PACKAGE = "oikumene.games.mare_nostrum"

# Without Babylon with four, without Rome and Egypt with three (advice, MN-2.4).
ADVISED = {
    3: ("carthage", "greece", "babylon"),
    4: ("rome", "carthage", "greece", "egypt"),
    5: ("rome", "carthage", "greece", "egypt", "babylon"),
}


class MareNostrum(Game[State]):
    """Mare Nostrum (2003), 3 to 5 players."""

    name = "mare-nostrum"
    version = 1
    seats = range(3, 6)
    table = MOVES
    events = EVENTS

    def setting(
        self, options: Mapping[str, str], seats: Sequence[str], board: Board | None = None
    ) -> Setting:
        """Rules, board and players of a table. Raises OptionError."""
        board = board or load_board()
        known = tuple(civ.id for civ in board.civs)
        if len(seats) not in self.seats:
            raise OptionError(f"{len(seats)} seats: Mare Nostrum is played by 3, 4 or 5")
        if len(set(seats)) != len(seats):
            raise OptionError("every seat must be another civilization")
        for seat in seats:
            if seat not in known:
                raise OptionError(f"unknown civilization '{seat}'; there are: {' '.join(known)}")
        # The table of options has checked the values; types cannot follow a table.
        opts = Options(**options)  # type: ignore[arg-type]
        return Setting(opts, board, tuple(seats))

    def read_map(self, text: str) -> Board:
        """A board from a file that somebody gave. Raises DataError."""
        return read_board(text)

    def map_header(self, setting: Setting) -> dict[str, str]:
        """How a record names the board: a map given by hand is written into it whole."""
        board = setting.board
        found = {"name": board.name, "digest": board.digest}
        return found if board.name in SHIPPED else {**found, "text": board.text}

    def setting_of(self, header: Mapping[str, Any]) -> Setting:
        """The setting a record's header names. Raises OptionError, DataError or RecordError."""
        try:
            named = header["map"]
            name, digest, text = named["name"], named["digest"], named.get("text")
            board = load_board(name) if text is None else read_board(text, name)
            setting = self.setting(header["options"], header["seats"], board)
        except (KeyError, TypeError, AttributeError):
            raise RecordError("the record's header is damaged: map, options or seats") from None
        if board.digest != digest:
            raise RecordError(f"the record was played on another board called {name}")
        table = self.options()
        for option, value in header["options"].items():
            table.check(option, value)
        return setting

    def setup(self, setting: Setting, tell: Tell = silent, *, pause: bool = False) -> State:
        """A new game at its first decision or lot."""
        s = setup.new_game(setting, tell)
        self.run(s, tell, pause=pause)
        return s

    def advised(self, number: int) -> tuple[str, ...]:
        """The civilizations advised for a number of players (MN-2.4). Raises OptionError."""
        if number not in ADVISED:
            raise OptionError(f"{number} seats: Mare Nostrum is played by 3, 4 or 5")
        return ADVISED[number]

    def options(self) -> OptionTable:
        """The options, their values and presets."""
        return OptionTable.load(PACKAGE)

    def rulebook(self, language: str = "en") -> Rulebook:
        """The rules by id. Raises OptionError for a language there is not."""
        return Rulebook.load(PACKAGE, language)

    def words(self, s: State) -> Names:
        """The names of the table."""
        return position.names_of(s.setting)

    def view(self, s: State, seat: Seat | None) -> views.View:
        """See `view.view`."""
        return views.view(s, seat)

    def determinize(self, seen: views.View, draws: Draws) -> State:
        """See `view.determinize`."""
        return views.determinize(seen, draws)

    def is_sealed(self, s: State, move: Move) -> bool:
        """Whether the move is an answer that is still sealed."""
        return move[0] == "offer" and isinstance(s.agenda[-1], Offers)

    def reveals(self, before: State, seat: Seat, move: Move, after: State) -> bool:
        """Whether the move has shown somebody what was hidden from him."""
        if move[0] == "number":  # who holds exactly so many cards lays them, perhaps everybody
            return any(after.open) or after.known != before.known
        return move[0] == "give" or (move[0] == "offer" and not self.is_sealed(after, move))

    def shows(
        self, before: State, seat: Seat, move: Move, now: State | None, viewer: Seat | None
    ) -> bool:
        """Whether a viewer may see the nouns of another seat's move (`now` None: it was undone)."""
        if before.setting.opts.trade_hand_contents == "open" and move[0] != "offer":
            return True
        if move[0] == "offer":
            return now is not None and not (now.round == before.round and self.is_sealed(now, move))
        if move[0] == "give":
            frame = before.agenda[-1]
            return isinstance(frame, Give) and viewer == frame.loser
        return move[0] != "keep" or not construction.goods_kept(before, seat)

    def rounds(self, s: State) -> int:
        """The number of the round."""
        return s.round

    def position(self, s: State) -> dict[str, Any]:
        """The position as keys of the notation."""
        return position.to_position(s)

    def position_text(self, s: State) -> str:
        """The canonical text of the position."""
        return position.position_text(s)

    def from_position(self, setting: Setting, keys: Mapping[str, Any]) -> State:
        """A state from position keys, before anything runs by itself. Raises PositionError."""
        return read_position.from_position(setting, keys)

    def amend(self, s: State, keys: Mapping[str, Any], *, check: bool = True) -> State:
        """A copy with these position keys changed. Raises PositionError."""
        new = s.copy()
        read_position.amend(new, keys)
        if check:
            read_position.check(new)
        return new

    def parse(self, s: State, text: str) -> Move:
        """A move from its text; a fight that names all units that may is a fight with all."""
        move = super().parse(s, text)
        if move[0] == "fight" and move[3] and move[3] == strategy.ready_units(s, move[1]):
            return (*move[:3], ())
        return move

    def fact(self, s: State, name: str) -> Any:
        """A derived fact of the conformance format. Raises PositionError for an unknown one."""
        kind, *words = name.split() or [""]
        names = self.words(s)
        try:
            return self._fact(s, names, kind, words)
        except KeyError as error:
            raise PositionError(f"fact '{name}': there is no {error} at this table") from None

    def _fact(self, s: State, names: Names, kind: str, words: list[str]) -> Any:
        if kind == "reach" and len(words) == 2:
            place, seat = names.provinces[words[1]], names.seats[words[0]]
            reach = s.setting.board.neighbours(place, chain(s, seat))
            return sorted(s.setting.board.ids(reach))
        if kind == "price" and len(words) == 2 and words[1] in CARDS:
            return construction.card_price(s, CARDS.index(words[1]))
        if kind == "price" and len(words) == 2 and words[1] in THINGS:
            return construction.price(s, names.seats[words[0]], THINGS.index(words[1]))
        if kind == "income" and len(words) == 1:
            return hand_text(incomes(s)[names.seats[words[0]]])
        unknown = " ".join([kind, *words])
        raise PositionError(f"unknown fact '{unknown}'; there are: reach, price, income")
