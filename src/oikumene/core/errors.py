"""Every error a user of Oikumene can cause.

OikumeneError (a ValueError)
├── DataError        a data file (board, options, rulebook, conformance case) is wrong
├── OptionError      an unknown game, preset, option, value or seat, or one that is not built yet
├── NotationError    a text is not a move, a card list, a position, ...
├── PositionError    a position that cannot be
├── IllegalMove      a well-formed move that the rules do not allow here; carries the refusal
├── ChanceError      a chance outcome that is not among the possible ones
└── RecordError      a game record that is damaged; carries the number of valid entries

The message says what is wrong and what to do next; no other exception should reach a user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oikumene.core.limits import Refusal


class OikumeneError(ValueError):
    """Something the user gave cannot be used; the message says what to do next."""


class DataError(OikumeneError):
    """A data file is wrong."""


class OptionError(OikumeneError):
    """An unknown or not yet built game, preset, option, value, seat or number of seats."""


class NotationError(OikumeneError):
    """A text that does not follow the notation."""


class PositionError(OikumeneError):
    """A position that cannot occur."""


class ChanceError(OikumeneError):
    """An outcome that the chance asked for cannot have."""


class IllegalMove(OikumeneError):
    """A move that the rules do not allow here; `refusal` holds every reason."""

    def __init__(self, message: str, refusal: Refusal) -> None:
        super().__init__(message)
        self.refusal = refusal


class RecordError(OikumeneError):
    """A damaged record; `valid` is the number of entries before the damage."""

    def __init__(self, message: str, valid: int = 0) -> None:
        super().__init__(message)
        self.valid = valid
