"""Limits as tables: the one place that says what is allowed.

A limit is a row `(rule id, what it leaves open)`. Where a move has a target (a province, a zone,
a good) the second part is a bit set of targets; where it has none it is `YES` or `NO`, which are
the full and the empty bit set. A game writes its rows once per verb, in the rulebook's order:
`legal` is what all rows leave open (`left_open`), `refusal` names the rows that do not (`broken`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

BitSet: TypeAlias = int
Row: TypeAlias = tuple[str, BitSet]
Rows: TypeAlias = tuple[Row, ...]

YES: BitSet = -1
NO: BitSet = 0


class Reason(NamedTuple):
    """One reason why a move is not allowed: the rule that decides, and the facts it saw."""

    rule: str
    facts: Mapping[str, Any] = {}


Refusal: TypeAlias = tuple[Reason, ...]


def yes(condition: object) -> BitSet:
    """The row value of a limit without a target: `YES` where the condition holds, else `NO`."""
    return YES if condition else NO


def left_open(rows: Iterable[Row], universe: BitSet) -> BitSet:
    """The targets of `universe` that every row leaves open."""
    for _, open_targets in rows:
        universe &= open_targets
    return universe


def broken(rows: Iterable[Row], target: int = 0) -> tuple[str, ...]:
    """The rule ids, in order and once each, of the rows that do not leave `target` open."""
    return tuple(dict.fromkeys(rule for rule, targets in rows if not targets >> target & 1))


@lru_cache(maxsize=65536)
def bits(mask: BitSet) -> tuple[int, ...]:
    """The members of a finite bit set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)
