"""Chance: four kinds, their outcomes as moves by nobody, and the committed source.

The *outcome* is recorded, never the generator; a replay needs no source. Outcomes are canonical
tuples: `("dice", ((who, (1, 4)), ...))` with each side ascending, `("lot", who)`,
`("order", (who, ...))`, `("draw", (count, ...))`.

Fairness (commit and reveal): the table's source holds a secret of 32 bytes. Its hash, the
commitment, is published before the first outcome and the players' words are mixed in afterwards;
outcome number `index` of a stream is a function of secret, words, stream and index alone. When the
game is over the secret is opened and anybody can compute every outcome again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import combinations_with_replacement, permutations, product
from math import comb, factorial, prod
from typing import NamedTuple, TypeAlias

from oikumene.core.errors import ChanceError
from oikumene.core.keyed import Draws, key_of
from oikumene.core.moves import Move

SIDES = 6


class Dice(NamedTuple):
    """Six-sided dice, thrown together by several sides: `((who, number), ...)`; sides without
    dice are left out. Everybody sees them."""

    throws: tuple[tuple[int, int], ...]
    stream: str = "dice"
    to: int | None = None

    def sample(self, draws: Draws) -> Move:
        """One outcome."""
        return (
            "dice",
            tuple(
                (who, tuple(sorted(draws.below(SIDES) + 1 for _ in range(number))))
                for who, number in self.throws
            ),
        )

    def canonical(self, outcome: Move) -> Move:
        """The outcome in its canonical form. Raises ChanceError where it cannot occur."""
        if outcome[0] != "dice":
            raise ChanceError("dice are to be thrown here")
        got = outcome[1]
        if tuple((who, len(dice)) for who, dice in got) != self.throws:
            wanted = ", ".join(f"{number}" for _, number in self.throws)
            raise ChanceError(f"the sides or the numbers of dice are wrong; wanted are: {wanted}")
        if any(not 1 <= die <= SIDES for _, dice in got for die in dice):
            raise ChanceError(f"a die shows 1 to {SIDES}")
        return ("dice", tuple((who, tuple(sorted(dice))) for who, dice in got))

    def outcomes(self) -> Iterator[tuple[Move, float]]:
        """Every outcome with its probability."""
        sides = [
            [(throw, _orders(throw)) for throw in combinations_with_replacement(range(1, 7), n)]
            for _, n in self.throws
        ]
        total = SIDES ** sum(number for _, number in self.throws)
        for chosen in product(*sides):
            ways = prod(count for _, count in chosen)
            dice = tuple(
                (who, throw) for (who, _), (throw, _) in zip(self.throws, chosen, strict=True)
            )
            yield ("dice", dice), ways / total


def _orders(throw: Sequence[int]) -> int:
    """In how many orders the dice of one side can show these numbers."""
    return factorial(len(throw)) // prod(factorial(n) for n in Counter(throw).values())


class Lot(NamedTuple):
    """One of several is drawn by lot."""

    among: tuple[int, ...]
    stream: str = "lot"
    to: int | None = None

    def sample(self, draws: Draws) -> Move:
        """One outcome."""
        return ("lot", draws.choice(self.among))

    def canonical(self, outcome: Move) -> Move:
        """The outcome in its canonical form. Raises ChanceError where it cannot occur."""
        if outcome[0] != "lot" or outcome[1] not in self.among:
            raise ChanceError("a lot is drawn here, among those who take part")
        return outcome

    def outcomes(self) -> Iterator[tuple[Move, float]]:
        """Every outcome with its probability."""
        for one in self.among:
            yield ("lot", one), 1 / len(self.among)


class Order(NamedTuple):
    """Several are put into a random order."""

    among: tuple[int, ...]
    stream: str = "order"
    to: int | None = None

    def sample(self, draws: Draws) -> Move:
        """One outcome."""
        return ("order", draws.shuffled(self.among))

    def canonical(self, outcome: Move) -> Move:
        """The outcome in its canonical form. Raises ChanceError where it cannot occur."""
        if outcome[0] != "order" or sorted(outcome[1]) != sorted(self.among):
            raise ChanceError("an order of all who take part is drawn here")
        return outcome

    def outcomes(self) -> Iterator[tuple[Move, float]]:
        """Every outcome with its probability."""
        for order in permutations(self.among):
            yield ("order", order), 1 / factorial(len(self.among))


class Draw(NamedTuple):
    """`number` things are drawn from a multiset, unseen by others where `to` names a seat.

    `counts[kind]` is how many of a kind lie in the bag; an outcome counts the drawn ones likewise.
    """

    counts: tuple[int, ...]
    number: int
    stream: str = "draw"
    to: int | None = None

    def sample(self, draws: Draws) -> Move:
        """One outcome."""
        left = list(self.counts)
        drawn = [0] * len(left)
        for _ in range(self.number):
            at = draws.below(sum(left))
            kind = 0
            while at >= left[kind]:
                at -= left[kind]
                kind += 1
            left[kind] -= 1
            drawn[kind] += 1
        return ("draw", tuple(drawn))

    def canonical(self, outcome: Move) -> Move:
        """The outcome in its canonical form. Raises ChanceError where it cannot occur."""
        if outcome[0] != "draw" or len(outcome[1]) != len(self.counts):
            raise ChanceError("things are drawn from the bag here")
        if sum(outcome[1]) != self.number:
            raise ChanceError(f"{self.number} are drawn, not {sum(outcome[1])}")
        if any(not 0 <= n <= held for n, held in zip(outcome[1], self.counts, strict=True)):
            raise ChanceError("the bag does not hold these")
        return outcome

    def outcomes(self) -> Iterator[tuple[Move, float]]:
        """Every outcome with its probability."""
        total = comb(sum(self.counts), self.number)
        for drawn in product(*(range(min(n, self.number) + 1) for n in self.counts)):
            if sum(drawn) == self.number:
                ways = prod(comb(held, n) for held, n in zip(self.counts, drawn, strict=True))
                yield ("draw", drawn), ways / total


ChanceKind: TypeAlias = Dice | Lot | Order | Draw


class Committed:
    """The source of a table's outcomes: a secret of 32 bytes and the players' words."""

    __slots__ = ("_secret", "words")

    def __init__(self, secret: bytes, words: Sequence[str] = ()) -> None:
        self._secret = secret
        self.words = tuple(words)

    @classmethod
    def from_seed(cls, seed: int | str) -> Committed:
        """A source for self-play and tests: everybody who knows the seed knows the dice."""
        return cls(key_of("oikumene seed", seed))

    @property
    def commitment(self) -> str:
        """The published hash of the secret (64 hexadecimal digits)."""
        return blake2b(self._secret, digest_size=32).hexdigest()

    def opened(self) -> str:
        """The secret in hexadecimal. Only for a game that is over."""
        return self._secret.hex()

    def outcome(self, kind: ChanceKind, index: int) -> Move:
        """Outcome number `index` of the kind's stream: always the same for the same arguments."""
        return kind.sample(Draws(key_of(self._secret, *self.words, kind.stream, index)))
