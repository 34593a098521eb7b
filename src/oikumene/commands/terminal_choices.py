"""Legal moves as choices that people can read, number, type and complete.

A collection of legal moves may hold thousands: a city here, paid in any of 50 ways. A choice is
a family of moves that differ in one noun only, the *open* one: how it is paid, how many march, what
is offered. It is settled in a second step, or typed at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from oikumene.core.moves import Axis, Move, Moves

# Which noun of a verb is open, counted in the move's tuple (the verb is 0).
OPEN: Mapping[str, int] = {
    "build": 4, "buy": 2, "offer": 1, "march": 1, "sail": 1, "fight": 3, "number": 1,
}  # fmt: skip
COUNTED = ("march", "sail")  # the open noun is a number right behind the verb
TITLE_WORDS = {"build": 2, "take": 2, "occupy": 2, "pillage": 2, "place": 2, "march": 2, "sail": 2}
FILLERS = ("from", "to", "in", "at", "for")


class Choice(NamedTuple):
    """Moves that differ in the open noun only; `at` 0: a single move."""

    words: tuple[str, ...]  # the text without the open noun
    move: Move  # one of the moves
    at: int
    axis: Axis

    @property
    def single(self) -> bool:
        """Whether nothing is left to choose."""
        return self.at == 0 or len(self.axis) == 1

    def with_open(self, value: Any) -> Move:
        """The move with the open noun settled."""
        return (*self.move[: self.at], value, *self.move[self.at + 1 :]) if self.at else self.move

    @property
    def counts(self) -> bool:
        """Whether the open noun is a number behind the verb."""
        return self.move[0] in COUNTED

    def text(self) -> str:
        """The text, with the numbers that may stand there."""
        if not self.counts:
            return " ".join(self.words)
        low, high = self.axis[0], self.axis[len(self.axis) - 1]
        number = str(low) if low == high else f"{low}-{high}"
        return " ".join((self.words[0], number, *self.words[1:]))


def choices(game: Any, state: Any, moves: Moves) -> list[Choice]:
    """All choices, in the order of the moves."""
    found = []
    for row in moves.rows:
        at = OPEN.get(row[0], 0)
        axes = [axis if number + 1 != at else (None,) for number, axis in enumerate(row[1:])]
        axis: Axis = row[at] if at else ()
        if at and not len(axis):
            continue
        for nouns in product(*axes):
            move: Move = (row[0], *nouns)
            if at:
                move = (*move[:at], axis[0], *move[at + 1 :])
            found.append(Choice(words_of(game, state, move, at), move, at, axis))
    return found


def words_of(game: Any, state: Any, move: Move, at: int) -> tuple[str, ...]:
    """The words of a move's text without its open noun."""
    words = game.text(state, move).split()
    if not at:
        return tuple(words)
    if move[0] in COUNTED:
        return (words[0], *words[2:])
    if "with" in words:
        return tuple(words[: words.index("with")])
    return tuple(words[:1]) if at == 1 else tuple(words)


def grouped(found: Sequence[Choice]) -> Iterator[tuple[str, list[tuple[int, str, str]]]]:
    """Titles with numbered items (number, what differs, the whole text); numbers begin with 1."""
    title = ""
    items: list[tuple[int, str, str]] = []
    for number, choice in enumerate(found, 1):
        cut = TITLE_WORDS.get(choice.words[0], 1)
        here = " ".join(choice.words[:cut])
        rest = " ".join(choice.words[cut:])
        if choice.counts:
            here = f"{choice.words[0]} from {choice.words[1]}"
            rest = f"{rest}{count_note(choice)}"
        if here != title and items:
            yield title, items
            items = []
        title = here
        rest = rest or ("nothing" if choice.words == ("keep",) else "")
        items.append((number, rest, choice.text()))
    if items:
        yield title, items


def count_note(choice: Choice) -> str:
    """How many may go, where there is a choice."""
    low, high = choice.axis[0], choice.axis[len(choice.axis) - 1]
    return "" if low == high else f" ({low}-{high})"


# Typed texts -------------------------------------------------------------------------------------


class Match(NamedTuple):
    """A choice that a typed text means, and what was typed of the open noun."""

    choice: Choice
    rest: tuple[str, ...]
    exact: int  # words typed in full; one more for a text typed to its end


def matches(found: Sequence[Choice], typed: Sequence[str]) -> list[Match]:
    """The choices that a text can mean; if some fit better than others, only those."""
    words = [word for word in typed if word not in FILLERS]
    hits = [match for choice in found if (match := _match(choice, words)) is not None]
    best = max((match.exact for match in hits), default=0)
    return [match for match in hits if match.exact == best]


def _match(choice: Choice, typed: Sequence[str]) -> Match | None:
    words = list(choice.words)
    given = list(typed)
    rest: list[str] = []
    if choice.counts and len(given) > 1 and given[1].isdigit():
        rest = [given.pop(1)]
        if int(rest[0]) not in choice.axis:
            return None
    if len(given) > len(words):
        tail = given[len(words) :]
        given = given[: len(words)]
        if choice.at == 0 or choice.counts:
            return None
        rest = tail[1:] if tail[0] == "with" else tail
        if not rest:
            return None
    if not all(full.startswith(part) for full, part in zip(words, given, strict=False)):
        return None
    exact = sum(full == part for full, part in zip(words, given, strict=False))
    return Match(choice, tuple(rest), 2 * exact + (len(given) == len(words)))


def next_words(found: Sequence[Choice], typed: Sequence[str]) -> list[str]:
    """The words that may follow the typed ones, for completion."""
    done = [word for word in typed if word not in FILLERS]
    follow: dict[str, None] = {}
    for choice in found:
        words = list(choice.words)
        begun = done
        if choice.counts and len(done) > 1 and done[1].isdigit():
            begun = [done[0], *done[2:]]
        elif choice.counts and len(done) == 1 and words[0].startswith(done[0]):
            follow.update(dict.fromkeys(str(one) for one in choice.axis))
        fits = all(full.startswith(part) for full, part in zip(words, begun, strict=False))
        if fits and len(begun) < len(words):
            follow[words[len(begun)]] = None
    return list(follow)
