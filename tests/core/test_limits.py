"""Limits as tables: what all rows leave open, and which rows do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oikumene.core.limits import NO, YES, Reason, Rows, bits, broken, left_open, yes

ROWS: Rows = (("A", 0b0110), ("B", ~0b0100), ("A", 0b0011), ("C", YES))

rows = st.lists(st.tuples(st.sampled_from("ABC"), st.integers(-(1 << 8), 1 << 8)), max_size=5)


def test_what_is_left_open_is_what_every_row_leaves_open() -> None:
    assert left_open(ROWS, 0b1111) == 0b0010
    assert left_open(ROWS, 0b1101) == 0
    assert left_open((), 0b1101) == 0b1101
    assert left_open((("A", NO),), 0b1111) == 0


def test_broken_names_the_rows_that_do_not_in_order_and_once_each() -> None:
    assert broken(ROWS, 0) == ("A",)
    assert broken(ROWS, 1) == ()
    assert broken(ROWS, 2) == ("B", "A")
    assert broken(ROWS, 3) == ("A",)
    assert broken((("B", NO), ("A", NO), ("B", NO)), 5) == ("B", "A")


def test_a_row_without_a_target_is_yes_or_no() -> None:
    assert (yes(1), yes([]), yes("x"), yes(None)) == (YES, NO, YES, NO)
    assert broken((("A", yes(True)), ("B", yes(False)))) == ("B",)
    assert left_open((("A", YES),), 0b101) == 0b101


@given(rows, st.integers(0, 9))
def test_a_target_is_left_open_exactly_when_no_row_is_broken(drawn: Rows, target: int) -> None:
    is_open = bool(left_open(drawn, (1 << 10) - 1) >> target & 1)
    assert is_open == (broken(drawn, target) == ())


@given(st.sets(st.integers(0, 130)))
def test_the_members_of_a_bit_set_come_ascending(members: set[int]) -> None:
    assert bits(sum(1 << member for member in members)) == tuple(sorted(members))


@pytest.mark.parametrize(("mask", "members"), [(0, ()), (1, (0,)), (0b1010, (1, 3))])
def test_a_bit_set_holds_its_bits(mask: int, members: tuple[int, ...]) -> None:
    assert bits(mask) == members


def test_a_reason_needs_no_facts() -> None:
    assert Reason("MN-8.1") == ("MN-8.1", {})
