"""Moves and their texts, and legal moves as a collection, on a small table of their own."""

from __future__ import annotations

from collections import Counter
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oikumene.core.errors import NotationError
from oikumene.core.keyed import Draws, key_of
from oikumene.core.moves import (
    MoveRow,
    Moves,
    Noun,
    form,
    literal,
    move_text,
    number,
    one_of,
    parse_move,
)

PLACES = ("roma", "ostia", "capua")
WORDS = SimpleNamespace(places={name: at for at, name in enumerate(PLACES)}, names=PLACES)
PLACE = one_of("PLACE", lambda w: w.places, lambda w: w.names)
COUNT = number("COUNT")
MAYBE = Noun(
    "[COUNT]",
    lambda w, tokens: COUNT.parse(w, tokens) if tokens else -1,
    lambda w, value: "" if value < 0 else COUNT.text(w, value),
)
TABLE = {
    "march": (COUNT, PLACE, PLACE),
    "build": (PLACE, literal("with"), COUNT),
    "pay": (MAYBE,),
    "done": (),
}

places = st.integers(0, 2)
counts = st.integers(0, 10**12 - 1)
moves = st.one_of(
    st.tuples(st.just("march"), counts, places, places),
    st.tuples(st.just("build"), places, counts),
    st.tuples(st.just("pay"), st.integers(-1, 9999)),
    st.just(("done",)),
)


# --- texts -------------------------------------------------------------------------------------


@given(moves)
def test_a_move_comes_back_from_its_text(move: tuple[Any, ...]) -> None:
    assert parse_move(TABLE, WORDS, move_text(TABLE, WORDS, move)) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("march 3 roma capua", ("march", 3, 0, 2)),
        ("build ostia with 12", ("build", 1, 12)),
        ("pay 0", ("pay", 0)),
        ("pay", ("pay", -1)),
        ("done", ("done",)),
    ],
)
def test_a_canonical_text_comes_back_from_its_move(text: str, move: tuple[Any, ...]) -> None:
    assert parse_move(TABLE, WORDS, text) == move
    assert move_text(TABLE, WORDS, move) == text


def test_space_between_words_does_not_matter() -> None:
    assert parse_move(TABLE, WORDS, "  march\t3 roma  capua\n") == ("march", 3, 0, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty text is not a move"),
        ("  ", "an empty text is not a move"),
        ("walk 3", "'walk' is not a move; there are: march build pay done"),
        ("March 3 roma capua", "'March' is not a move"),
        ("march", "COUNT must be a number, not nothing"),
        ("march x roma capua", "COUNT must be a number, not 'x'"),
        ("march -1 roma capua", "COUNT must be a number, not '-1'"),
        ("march 1234567890123 roma capua", "COUNT must be a number, not '1234567890123'"),
        ("march ² roma capua", "COUNT must be a number, not '²'"),
        ("march ३ roma capua", "COUNT must be a number, not '३'"),
        ("march 3 roma", "PLACE is missing"),
        ("march 3 roma corinth", "'corinth' is not a PLACE; there are: roma ostia capua"),
        ("march 3 roma capua now and here", "too much at the end: 'now and here'"),
        ("build ostia 3", "expected the word 'with'"),
        ("build ostia", "expected the word 'with'"),
        ("done now", "too much at the end: 'now'"),
    ],
)
def test_a_text_that_is_no_move_says_why(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(TABLE, WORDS, text)
    assert message in str(caught.value)


def test_the_message_shows_the_text_and_how_the_verb_is_written() -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(TABLE, WORDS, "march 3 roma")
    assert str(caught.value) == (
        "'march 3 roma': PLACE is missing (written: march COUNT PLACE PLACE)"
    )
    assert form(TABLE, "build") == "build PLACE with COUNT"
    assert form(TABLE, "done") == "done"


# --- legal moves as a collection ---------------------------------------------------------------

ROWS: list[MoveRow] = [
    ("march", range(1, 4), (5,), (2, 7)),
    ("march", (), (6,), (2,)),
    ("build", (0, 1), ("a",)),
    ("done",),
]
LISTED = [
    *(("march", n, 5, to) for n in (1, 2, 3) for to in (2, 7)),
    ("build", 0, "a"),
    ("build", 1, "a"),
    ("done",),
]


def test_moves_are_listed_in_the_order_of_their_rows() -> None:
    assert list(Moves(ROWS)) == LISTED
    assert list(Moves(ROWS)) == list(Moves(ROWS))


def test_their_number_is_known_without_listing_them() -> None:
    assert len(Moves(ROWS)) == len(LISTED)
    assert Moves(ROWS).sizes() == [6, 0, 2, 1]
    huge = Moves([("march", range(10**6), range(10**6))])
    assert len(huge) == 10**12
    assert ("march", 10**6 - 1, 0) in huge
    assert huge.sample(Draws(key_of(1))) in huge


def test_a_collection_of_moves_is_true_if_it_has_any() -> None:
    assert Moves(ROWS)
    assert Moves([("done",)])
    assert not Moves(())
    assert not Moves([("march", (), (1,)), ("march", (1,), range(0))])


@pytest.mark.parametrize("move", LISTED)
def test_each_listed_move_is_in_it(move: tuple[Any, ...]) -> None:
    assert move in Moves(ROWS)


@pytest.mark.parametrize(
    "other",
    [
        ("march", 4, 5, 2),
        ("march", 1, 6, 2),
        ("march", 1, 5, 3),
        ("march", 1, 5),
        ("march", 1, 5, 2, 2),
        ("build", 2, "a"),
        ("done", 1),
        ("pay",),
        (),
        ["done"],
        "done",
        None,
    ],
)
def test_nothing_else_is_in_it(other: object) -> None:
    assert other not in Moves(ROWS)


def test_the_verbs_are_those_that_have_a_move() -> None:
    assert Moves(ROWS).verbs() == ("march", "build", "done")
    assert Moves([("march", ()), ("done",)]).verbs() == ("done",)


def test_the_moves_of_one_verb_are_a_collection_too() -> None:
    assert list(Moves(ROWS).of("build")) == [("build", 0, "a"), ("build", 1, "a")]
    assert not Moves(ROWS).of("pay")


class Counting:
    """Stands in for `Draws`: gives the numbers it is told, and notes what was asked."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return self.numbers.pop(0)


def test_a_sample_is_the_move_of_one_number_drawn_below_all() -> None:
    legal = Moves(ROWS)
    for at, move in enumerate(LISTED):
        draws: Any = Counting(at)
        assert legal.sample(draws) == move
        assert draws.asked == [len(LISTED)]


def test_samples_are_even() -> None:
    draws = Draws(key_of("samples"))
    found = Counter(Moves(ROWS).sample(draws) for _ in range(500 * len(LISTED)))
    assert set(found) == set(LISTED)
    assert all(abs(times - 500) < 110 for times in found.values())  # five standard deviations


def test_there_is_no_sample_of_nothing() -> None:
    with pytest.raises(IndexError, match="no legal moves"):
        Moves([("march", ())]).sample(Draws(key_of(1)))


axes = st.lists(st.integers(0, 3), unique=True, max_size=3).map(tuple)
rows = st.lists(
    st.one_of(
        st.tuples(st.just("one"), axes),
        st.tuples(st.just("two"), axes, axes),
        st.tuples(st.just("none")),
    ),
    unique_by=lambda row: row[0],
    max_size=3,
)


@given(rows)
def test_number_order_membership_and_samples_agree(drawn: list[MoveRow]) -> None:
    legal = Moves(drawn)
    listed = [(row[0], *nouns) for row in drawn for nouns in product(*row[1:])]
    assert list(legal) == listed
    assert len(legal) == len(listed)
    assert bool(legal) == bool(listed)
    assert [move for move in conceivable() if move in legal] == sorted(listed)
    for at, move in enumerate(listed):
        draws: Any = Counting(at)
        assert legal.sample(draws) == move


def conceivable() -> list[tuple[Any, ...]]:
    """Every move the rows above could hold, sorted."""
    one = [("one", a) for a in range(4)]
    two = [("two", a, b) for a in range(4) for b in range(4)]
    return sorted([*one, *two, ("none",)])
