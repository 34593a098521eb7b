"""Moves and their texts, and legal moves as a collection.

A move is a plain tuple, the verb first: `("march", 3, 7, 10)`. A game's table `verb -> nouns` gives
its text (`march 3 carthago cyrenae`), its parser and its form (`march COUNT PLACE PLACE`). The same
nouns serve events, frames and positions. `parse` and `text` are inverse on canonical texts.

Legal moves are rows `(verb, axes)`: all moves of the verb whose nouns lie each on its axis. An axis
is a tuple (the members of a bit set), a range, or a lazy pick of cards, so that nobody pays for
lists. The order is fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple, Protocol, TypeAlias

from oikumene.core.errors import NotationError
from oikumene.core.keyed import Draws

Move: TypeAlias = tuple[Any, ...]
Words: TypeAlias = Any  # the names of one table (places, seats, ...): each game has its own class


class Noun(NamedTuple):
    """One part of a move: its name, how it is read from tokens, and written ("": left out).

    A literal (`literal("with")`) stands for itself and is no part of the move's tuple.
    """

    name: str
    parse: Callable[[Words, list[str]], Any]
    text: Callable[[Words, Any], str]
    is_literal: bool = False


Table: TypeAlias = Mapping[str, tuple[Noun, ...]]


def literal(word: str) -> Noun:
    """A fixed word inside a move's text."""

    def parse(_: Words, tokens: list[str]) -> None:
        if not tokens or tokens[0] != word:
            raise NotationError(f"expected the word '{word}'")
        del tokens[0]

    return Noun(word, parse, lambda _words, _value: word, is_literal=True)


def one_of(
    name: str, table: Callable[[Words], Mapping[str, int]], names: Callable[[Words], Any]
) -> Noun:
    """A noun that is one word out of a closed list.

    `table(words)` maps each word to its value; `names(words)[value]` is the word of a value.
    """

    def parse(words: Words, tokens: list[str]) -> int:
        if not tokens:
            raise NotationError(f"{name} is missing")
        value = table(words).get(tokens[0])
        if value is None:
            known = " ".join(table(words))
            raise NotationError(f"'{tokens[0]}' is not a {name}; there are: {known}")
        del tokens[0]
        return value

    return Noun(name, parse, lambda words, value: str(names(words)[value]))


def number(name: str) -> Noun:
    """A noun that is a whole number of at least 0."""

    def parse(_: Words, tokens: list[str]) -> int:
        if not tokens or not tokens[0].isascii() or not tokens[0].isdigit() or len(tokens[0]) > 12:
            got = f"'{tokens[0]}'" if tokens else "nothing"
            raise NotationError(f"{name} must be a number, not {got}")
        return int(tokens.pop(0))

    return Noun(name, parse, lambda _words, value: str(value))


def form(table: Table, verb: str) -> str:
    """How a move of this verb is written: `march COUNT PLACE PLACE`."""
    return " ".join([verb, *(noun.name for noun in table[verb])])


def parse_move(table: Table, words: Words, text: str) -> Move:
    """Read a move. Raises NotationError, whose message shows how the verb's moves are written."""
    tokens = text.split()
    if not tokens:
        raise NotationError("an empty text is not a move")
    verb = tokens.pop(0)
    nouns = table.get(verb)
    if nouns is None:
        raise NotationError(f"'{verb}' is not a move; there are: {' '.join(table)}")
    try:
        values = []
        for noun in nouns:
            value = noun.parse(words, tokens)
            if not noun.is_literal:
                values.append(value)
        if tokens:
            raise NotationError(f"too much at the end: '{' '.join(tokens)}'")
    except NotationError as error:
        raise NotationError(f"'{text}': {error} (written: {form(table, verb)})") from None
    return (verb, *values)


def move_text(table: Table, words: Words, move: Move) -> str:
    """The canonical text of a move of this table."""
    parts = [move[0]]
    at = 1
    for noun in table[move[0]]:
        if noun.is_literal:
            parts.append(noun.name)
            continue
        text = noun.text(words, move[at])
        at += 1
        if text:
            parts.append(text)
    return " ".join(parts)


class Axis(Protocol):
    """The values one noun of a legal move may take, in a fixed order."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __contains__(self, value: object) -> bool: ...
    def __getitem__(self, index: int) -> Any: ...


MoveRow: TypeAlias = tuple[Any, ...]  # (verb, axis, axis, ...)


class Moves:
    """All legal moves of a seat: `in`, `len`, iteration in a fixed order, `sample`.

    `rows` hold disjoint families of moves; a family's moves are the product of its axes.
    """

    __slots__ = ("_sizes", "_total", "rows")

    def __init__(self, rows: Sequence[MoveRow]) -> None:
        self.rows = rows
        self._sizes: list[int] | None = None
        self._total = -1  # not counted yet

    def sizes(self) -> list[int]:
        """The number of moves of each row."""
        sizes = self._sizes
        if sizes is None:
            sizes = self._sizes = [prod(map(len, row[1:])) for row in self.rows]
        return sizes

    def __len__(self) -> int:
        if self._total < 0:
            self._total = sum(self.sizes())
        return self._total

    def __iter__(self) -> Iterator[Move]:
        for row in self.rows:
            for nouns in product(*row[1:]):
                yield (row[0], *nouns)

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, tuple) or not move:
            return False
        size = len(move)
        for row in self.rows:
            if row[0] != move[0] or len(row) != size:
                continue
            for axis, noun in zip(row[1:], move[1:], strict=True):
                if noun not in axis:
                    break
            else:
                return True
        return False

    def verbs(self) -> tuple[str, ...]:
        """The verbs that have at least one move, in order, once each."""
        sizes = zip(self.rows, self.sizes(), strict=True)
        return tuple(dict.fromkeys(row[0] for row, size in sizes if size))

    def of(self, verb: str) -> Moves:
        """The legal moves of one verb."""
        return Moves([row for row in self.rows if row[0] == verb])

    def sample(self, draws: Draws) -> Move:
        """One of the moves, each equally likely. Raises IndexError where there are none."""
        total = len(self)
        if not total:
            raise IndexError("there are no legal moves to sample from")
        sizes = self.sizes()
        index = draws.below(total)
        row = 0
        while index >= sizes[row]:
            index -= sizes[row]
            row += 1
        return self._at(self.rows[row], index)

    @staticmethod
    def _at(row: MoveRow, index: int) -> Move:
        """The move number `index` of one row, the last noun running fastest."""
        move = list(row)
        for at in range(len(row) - 1, 0, -1):
            axis = row[at]
            index, place = divmod(index, len(axis))
            move[at] = axis[place]
        return tuple(move)
