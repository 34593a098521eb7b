"""Keyed randomness: numbers that depend on a key and a counter and on nothing else.

Everything random in Oikumene, opponents too, draws from here, so that the same seed gives the
same game on every Python. Words come from BLAKE2b in keyed mode, 32 bits each, sixteen a block.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct
from typing import TypeVar

_BLOCK = Struct("<16I").unpack
_RANGE = 1 << 32
T = TypeVar("T")


def key_of(*parts: object) -> bytes:
    """A 32-byte key from a list of plain values (ints, texts, bytes); each part counts apart."""
    digest = blake2b(digest_size=32)
    for part in parts:
        raw = part if isinstance(part, bytes) else str(part).encode()
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.digest()


class Draws:
    """A stream of random numbers from one key (32 bytes)."""

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely. Raises ValueError if n < 1."""
        if n < 1:
            raise ValueError("below() needs a number of at least 1")
        if n > _RANGE:
            return self._below_big(n)
        limit = _RANGE - _RANGE % n
        while True:
            if not self._words:
                self._refill()
            word = self._words.pop()
            if word < limit:
                return word % n

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def _refill(self) -> None:
        counter = self._block.to_bytes(8, "little")
        self._words.extend(_BLOCK(blake2b(counter, key=self._key).digest()))
        self._block += 1

    def _below_big(self, n: int) -> int:
        size = n.bit_length() // 32 + 2
        limit = (_RANGE**size) - (_RANGE**size) % n
        while True:
            word = 0
            for _ in range(size):
                word = word << 32 | self.below(_RANGE)
            if word < limit:
                return word % n
