"""Hands as one int against plain counters, and the lazy collections against plain listings."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oikumene.games.mare_nostrum import cards
from oikumene.games.mare_nostrum.board import load_board
from oikumene.games.mare_nostrum.cards import (
    CARD,
    CARDS,
    GOODS,
    HEROES,
    KINDS,
    TAX,
    WONDERS,
    Hand,
    Picks,
    Sets,
    common,
    count,
    goods,
    holds,
    is_set,
    kinds,
    size,
    without,
)

SUPPLY = load_board().supply_cards
Cards = Counter[int]

counters = st.tuples(*(st.integers(0, held) for held in SUPPLY)).map(
    lambda numbers: Counter({kind: n for kind, n in enumerate(numbers) if n})
)
small = st.tuples(*(st.integers(0, 2) for _ in range(5))).map(
    lambda numbers: Counter({kind: n for kind, n in enumerate(numbers) if n})
)


def hand_of(counter: Cards) -> Hand:
    return sum(CARD[kind] * number for kind, number in counter.items())


# --- arithmetic --------------------------------------------------------------------------------


def test_all_cards_of_the_box_fit_into_one_hand() -> None:
    everything = hand_of(Counter(dict(enumerate(SUPPLY))))
    assert size(everything) == sum(SUPPLY) < 127
    assert [count(everything, kind) for kind in range(len(KINDS))] == list(SUPPLY)
    assert kinds(everything) == tuple(range(len(KINDS)))


@given(counters)
def test_a_hand_counts_like_a_counter(counter: Cards) -> None:
    hand = hand_of(counter)
    assert size(hand) == counter.total()
    assert [count(hand, kind) for kind in range(len(KINDS))] == [
        counter[kind] for kind in range(len(KINDS))
    ]
    assert kinds(hand) == tuple(sorted(counter))
    assert goods(hand) == tuple(kind for kind in sorted(counter) if kind != TAX)


@given(st.one_of(counters, small), st.one_of(counters, small))
def test_hands_compare_and_subtract_like_counters(one: Cards, other: Cards) -> None:
    a, b = hand_of(one), hand_of(other)
    assert holds(a, b) == (one >= other)
    assert without(a, b) == hand_of(one - other)
    assert common(a, b) == hand_of(one & other)
    assert common(a, b) == common(b, a)
    if holds(a, b):
        assert a - b == hand_of(one - other)


@given(counters, counters)
def test_cards_dealt_out_and_put_together_are_the_same_cards(one: Cards, other: Cards) -> None:
    part = one & other
    assert hand_of(one - part) + hand_of(part) == hand_of(one)
    assert common(hand_of(one), hand_of(other)) + without(hand_of(one), hand_of(part)) == hand_of(
        one
    )


def test_a_hand_holds_itself_and_nothing_more() -> None:
    hand = CARD[TAX] * 3 + CARD[4] + CARD[12] * 2
    assert holds(hand, hand)
    assert holds(hand, 0)
    for kind in range(len(KINDS)):
        assert not holds(hand, hand + CARD[kind])
        assert without(hand, hand + CARD[kind]) == 0
        assert without(hand + CARD[kind], hand) == CARD[kind]


@given(counters)
def test_a_set_is_tax_only_or_goods_that_are_all_different(counter: Cards) -> None:
    only_tax = set(counter) <= {TAX}
    different = not counter[TAX] and all(number == 1 for number in counter.values())
    assert is_set(hand_of(counter)) == (only_tax or different)


@pytest.mark.parametrize(
    ("counter", "a_set"),
    [
        ({}, True),
        ({TAX: 1}, True),
        ({TAX: 9}, True),
        ({1: 1}, True),
        ({1: 1, 5: 1, 12: 1}, True),
        ({1: 2}, False),
        ({1: 1, 5: 2}, False),
        ({TAX: 1, 1: 1}, False),
    ],
    ids=str,
)
def test_sets_known_by_hand(counter: dict[int, int], a_set: bool) -> None:
    assert is_set(hand_of(Counter(counter))) == a_set


# --- collections -------------------------------------------------------------------------------


def all_picks(counter: Cards, number: int) -> set[Hand]:
    """Every pick of so many cards, by going through all numbers of each kind."""
    ranges = [range(counter[kind] + 1) for kind in sorted(counter)]
    return {
        hand_of(Counter(dict(zip(sorted(counter), numbers, strict=True))))
        for numbers in product(*ranges)
        if sum(numbers) == number
    }


def all_sets(counter: Cards, price: int) -> list[Hand]:
    """The set of tax, then every choice of different goods in lexicographic order."""
    tax = [CARD[TAX] * price] if counter[TAX] >= price else []
    choices = combinations(sorted(kind for kind in counter if kind != TAX), price)
    return tax + [sum(CARD[kind] for kind in choice) for choice in choices]


@given(small, st.integers(0, 11))
def test_picks_are_every_pick_once(counter: Cards, number: int) -> None:
    picks, expected = Picks(hand_of(counter), number), all_picks(counter, number)
    listed = list(picks)
    assert len(listed) == len(picks) == len(set(listed)) == len(expected)
    assert set(listed) == expected
    assert [picks[at] for at in range(len(picks))] == listed


@given(small, small, st.integers(0, 6))
def test_only_picks_are_among_the_picks(counter: Cards, other: Cards, number: int) -> None:
    found = hand_of(other) in Picks(hand_of(counter), number)
    assert found == (hand_of(other) in all_picks(counter, number))


@given(counters, st.integers(1, 13))
def test_sets_are_every_set_once_in_order(counter: Cards, price: int) -> None:
    sets, expected = Sets(hand_of(counter), price), all_sets(counter, price)
    assert (len(sets), list(sets)) == (len(expected), expected)
    assert [sets[at] for at in range(len(sets))] == expected
    assert all(one in sets for one in expected)


@given(small, small, st.integers(1, 4))
def test_only_sets_are_among_the_sets(counter: Cards, other: Cards, price: int) -> None:
    found = hand_of(other) in Sets(hand_of(counter), price)
    assert found == (hand_of(other) in all_sets(counter, price))


@pytest.mark.parametrize("counter", [{}, {TAX: 2}, {TAX: 3, 1: 1, 2: 1, 5: 2, 9: 1}], ids=str)
def test_there_is_nothing_behind_the_last(counter: dict[int, int]) -> None:
    hand = hand_of(Counter(counter))
    for collection in (Picks(hand, 3), Sets(hand, 3)):
        with pytest.raises(IndexError, match="there are not so many"):
            collection[len(collection)]


def test_what_is_no_hand_is_in_no_collection() -> None:
    for collection in (Picks(CARD[TAX], 1), Sets(CARD[TAX], 1)):
        assert CARD[TAX] in collection
        assert "tax" not in collection
        assert None not in collection


# --- heroes and wonders ------------------------------------------------------------------------


def test_every_card_has_a_name_and_a_number_of_its_own() -> None:
    assert len(set(KINDS)) == len(KINDS) == len(GOODS) + 1 == 13
    assert len(set(CARDS)) == len(HEROES) + len(WONDERS) == 18
    assert [getattr(cards, name.upper()) for name in CARDS] == list(range(len(CARDS)))
    assert cards.ALL_CARDS == (1 << 18) - 1


def test_the_first_heroes_belong_to_the_civilizations() -> None:
    own = {HEROES.index(civ.hero) for civ in load_board().civs}
    assert sum(1 << hero for hero in own) == cards.CIVILIZATION_HEROES
