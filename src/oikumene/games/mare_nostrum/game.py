"""Mare Nostrum as a `Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from oikumene.core.errors import OptionError, PositionError
from oikumene.core.game import Game, Seat, Tell, silent
from oikumene.core.keyed import Draws
from oikumene.core.moves import Move
from oikumene.core.options import OptionTable
from oikumene.games.mare_nostrum import construction, position, setup, strategy
from oikumene.games.mare_nostrum import view as views
from oikumene.games.mare_nostrum.board import Board, load_board
from oikumene.games.mare_nostrum.cards import CARDS
from oikumene.games.mare_nostrum.commerce import incomes
from oikumene.games.mare_nostrum.moves import EVENTS, MOVES, Names, hand_text
from oikumene.games.mare_nostrum.options import Options
from oikumene.games.mare_nostrum.state import THINGS, Setting, State, chain

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
        return Setting(Options(**options), board, tuple(seats))  # type: ignore[arg-type]

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
        return OptionTable.load(__package__)

    def words(self, s: State) -> Names:
        """The names of the table."""
        return _names(s.setting)

    def view(self, s: State, seat: Seat | None) -> views.View:
        """See `view.view`."""
        return views.view(s, seat)

    def determinize(self, seen: views.View, draws: Draws) -> State:
        """See `view.determinize`."""
        return views.determinize(seen, draws)

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
        return position.from_position(setting, keys)

    def amend(self, s: State, keys: Mapping[str, Any], *, check: bool = True) -> State:
        """A copy with these position keys changed. Raises PositionError."""
        new = s.copy()
        position.amend(new, keys)
        if check:
            position.check(new)
        return new

    def parse(self, s: State, text: str) -> Move:
        """A move from its text; a fight that names all units that may is a fight with all."""
        move = super().parse(s, text)
        if move[0] == "fight" and move[3] and move[3] == strategy.ready_units(s, move[1]):
            return (*move[:3], ())
        return move

    def fact(self, s: State, name: str) -> Any:
        """A derived fact of the conformance format. Raises PositionError for an unknown one."""
        kind, *words = name.split()
        names = self.words(s)
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
        raise PositionError(f"unknown fact '{name}'; there are: reach, price, income")


@lru_cache(maxsize=256)
def _names(setting: Setting) -> Names:
    return position.names_of(setting)
