"""Keyed randomness: pinned values, so that a seed gives the same game on every Python."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oikumene.core.keyed import Draws, key_of

KEY = bytes(range(32))


def with_words(*words: int) -> Draws:
    """A stream that gives these words first."""
    draws = Draws(KEY)
    draws._words = list(reversed(words))
    return draws


def test_the_stream_of_a_key_is_pinned() -> None:
    draws = Draws(KEY)
    assert [draws.below(1 << 32) for _ in range(4)] == [
        626896806,
        2223285986,
        3543378606,
        456501511,
    ]
    draws = Draws(KEY)
    assert [draws.below(6) for _ in range(40)] == list(
        map(int, "0201252554424212541321545514455250212200")
    )


def test_the_words_are_the_blocks_of_keyed_blake2b_from_their_ends() -> None:
    draws = Draws(KEY)
    drawn = b"".join(draws.below(1 << 32).to_bytes(4, "big") for _ in range(48))
    blocks = [blake2b(n.to_bytes(8, "little"), key=KEY).digest()[::-1] for n in range(3)]
    assert drawn == b"".join(blocks)


def test_a_choice_and_an_order_are_pinned() -> None:
    draws = Draws(KEY)
    assert [draws.choice("abcdefg") for _ in range(12)] == list("effefefcecea")
    assert Draws(KEY).shuffled(range(10)) == (0, 7, 3, 5, 1, 8, 4, 9, 2, 6)


def test_a_key_is_pinned() -> None:
    assert (
        key_of("bot", 7, 0).hex()
        == "459ff58080e6e1cd6bd1a190a1fdd7c1c2c505bd7ff1bc0e9a9e10c6be476edf"
    )
    assert key_of("bot", 7, 0) == key_of("bot", "7", b"0")


@pytest.mark.parametrize(
    "other", [("bot7", 0), ("bot", 70), ("bot", 7, 0, ""), ("bo", "t7", 0), (0, 7, "bot"), ()]
)
def test_each_part_of_a_key_counts_apart(other: tuple[object, ...]) -> None:
    assert key_of(*other) != key_of("bot", 7, 0)


def test_another_key_gives_another_stream() -> None:
    one, other = (Draws(key_of("seed", n)) for n in range(2))
    assert [one.below(100) for _ in range(20)] != [other.below(100) for _ in range(20)]


@given(st.integers(1, 1 << 70), st.binary(min_size=1, max_size=64))
def test_a_number_below_n_lies_from_0_to_n_less_1(n: int, key: bytes) -> None:
    draws = Draws(key)
    assert all(0 <= draws.below(n) < n for _ in range(5))


@pytest.mark.parametrize("n", [0, -1])
def test_there_is_no_number_below_0(n: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Draws(KEY).below(n)


def test_words_at_the_upper_end_are_thrown_away_so_that_no_number_is_favoured() -> None:
    top = (1 << 32) - 1
    assert with_words(top, 5).below(3) == 2  # 2^32 = 3 * k + 1: the last word alone is too many
    assert with_words(top - 1, 5).below(3) == 2
    assert with_words(top, top - 3, top - 4).below(6) == (top - 4) % 6  # 2^32 = 6 * k + 4
    assert with_words(top).below(1 << 32) == top
    assert with_words(top).below(2) == 1


def test_numbers_above_32_bits_take_as_many_words_as_they_need() -> None:
    top = (1 << 32) - 1
    n = (1 << 32) + 1
    assert with_words(0, 1, 2).below(n) == (1 << 32 | 2) % n
    rest = (1 << 96) % n
    assert rest
    assert with_words(top, top, top, 0, 0, 7).below(n) == 7
    below_the_limit = (1 << 96) - rest - 1
    words = [below_the_limit >> shift & top for shift in (64, 32, 0)]
    assert with_words(*words).below(n) == below_the_limit % n == n - 1


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 12])
def test_small_numbers_come_equally_often(n: int) -> None:
    draws, expected = Draws(key_of("even", n)), 2000
    found = Counter(draws.below(n) for _ in range(n * expected))
    chi_square = sum((found[value] - expected) ** 2 / expected for value in range(n))
    assert chi_square < n + 5 * (2 * n) ** 0.5  # five standard deviations


def test_every_order_of_three_comes_equally_often() -> None:
    draws = Draws(key_of("orders"))
    found = Counter(draws.shuffled("abc") for _ in range(6000))
    assert set(found) == set(permutations("abc"))
    assert all(abs(times - 1000) < 150 for times in found.values())  # five standard deviations
