"""The four kinds of chance, and the committed source."""

from __future__ import annotations

from collections import Counter
from math import comb, isclose
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oikumene.core.chance import ChanceKind, Committed, Dice, Draw, Lot, Order
from oikumene.core.errors import ChanceError
from oikumene.core.keyed import Draws, key_of

KINDS: list[ChanceKind] = [
    Dice(((0, 1),)),
    Dice(((2, 3), (0, 2))),
    Dice(()),
    Lot((1, 3, 4)),
    Lot((2,)),
    Order((0, 1, 4)),
    Order(()),
    Draw((2, 0, 3, 1), 3),
    Draw((2, 1), 0),
    Draw((1, 1), 2),
]
NUMBERS = [6, 56 * 21, 1, 3, 1, 6, 1, 6, 1, 1]  # of outcomes, counted by hand


def ids(kind: ChanceKind) -> str:
    return f"{type(kind).__name__}-{'-'.join(map(str, kind[:2]))}"


@pytest.mark.parametrize(("kind", "number"), list(zip(KINDS, NUMBERS, strict=True)))
def test_every_outcome_is_listed_once_and_the_probabilities_sum_to_1(
    kind: ChanceKind, number: int
) -> None:
    listed = dict(kind.outcomes())
    assert len(listed) == len(list(kind.outcomes())) == number
    assert isclose(sum(listed.values()), 1)
    assert all(share > 0 for share in listed.values())


@pytest.mark.parametrize("kind", KINDS, ids=ids)
def test_every_outcome_is_canonical(kind: ChanceKind) -> None:
    assert all(kind.canonical(outcome) == outcome for outcome, _ in kind.outcomes())


@pytest.mark.parametrize("kind", KINDS, ids=ids)
def test_samples_are_as_probable_as_the_list_says(kind: ChanceKind) -> None:
    draws, number = Draws(key_of("chance", ids(kind))), 4000
    shares = dict(kind.outcomes())
    found = Counter(kind.sample(draws) for _ in range(number))
    assert set(found) <= set(shares)
    for outcome, share in shares.items():
        wide = 5 * (number * share * (1 - share)) ** 0.5 + 1
        assert abs(found[outcome] - number * share) <= wide


def test_probabilities_known_by_hand() -> None:
    dice = dict(Dice(((0, 2), (1, 1))).outcomes())
    assert isclose(dice["dice", ((0, (6, 6)), (1, (3,)))], 1 / 216)
    assert isclose(dice["dice", ((0, (1, 6)), (1, (3,)))], 2 / 216)
    assert isclose(dict(Lot((1, 3, 4)).outcomes())["lot", 3], 1 / 3)
    assert isclose(dict(Order((1, 3, 4)).outcomes())["order", (3, 1, 4)], 1 / 6)
    assert isclose(dict(Draw((2, 0, 3, 1), 3).outcomes())["draw", (1, 0, 2, 0)], 6 / comb(6, 3))


def test_dice_in_any_order_become_canonical() -> None:
    dice = Dice(((1, 3), (0, 1)))
    assert dice.canonical(("dice", ((1, (6, 2, 4)), (0, (5,))))) == (
        ("dice", ((1, (2, 4, 6)), (0, (5,))))
    )


@pytest.mark.parametrize(
    ("kind", "outcome", "message"),
    [
        (Dice(((0, 2),)), ("lot", 0), "dice are to be thrown here"),
        (Dice(((0, 2),)), ("dice", ((0, (1,)),)), "wanted are: 2"),
        (Dice(((0, 2),)), ("dice", ((1, (1, 1)),)), "wanted are: 2"),
        (Dice(((0, 2), (1, 1))), ("dice", ((1, (1,)), (0, (1, 1)))), "wanted are: 2, 1"),
        (Dice(((0, 2),)), ("dice", ((0, (0, 1)),)), "a die shows 1 to 6"),
        (Dice(((0, 2),)), ("dice", ((0, (1, 7)),)), "a die shows 1 to 6"),
        (Lot((1, 3)), ("dice", ()), "a lot is drawn here"),
        (Lot((1, 3)), ("lot", 2), "a lot is drawn here"),
        (Order((1, 3)), ("lot", 1), "an order of all who take part"),
        (Order((1, 3)), ("order", (1,)), "an order of all who take part"),
        (Order((1, 3)), ("order", (1, 1)), "an order of all who take part"),
        (Draw((2, 1), 2), ("lot", 1), "things are drawn from the bag here"),
        (Draw((2, 1), 2), ("draw", (2,)), "things are drawn from the bag here"),
        (Draw((2, 1), 2), ("draw", (1, 0)), "2 are drawn, not 1"),
        (Draw((2, 1), 2), ("draw", (0, 2)), "the bag does not hold these"),
        (Draw((2, 1), 2), ("draw", (3, -1)), "the bag does not hold these"),
    ],
)
def test_an_outcome_that_cannot_occur_is_refused(
    kind: ChanceKind, outcome: Any, message: str
) -> None:
    with pytest.raises(ChanceError, match=message):
        kind.canonical(outcome)


def test_a_kind_says_who_sees_it_and_which_stream_it_uses() -> None:
    assert [kind.to for kind in KINDS] == [None] * len(KINDS)
    assert {type(kind): kind.stream for kind in KINDS} == {
        Dice: "dice", Lot: "lot", Order: "order", Draw: "draw"
    }  # fmt: skip
    assert Draw((1,), 1, to=2).to == 2


# --- the committed source ----------------------------------------------------------------------

SECRET = bytes(range(32))


def test_the_source_of_a_secret_is_pinned() -> None:
    source = Committed(SECRET, ["salve", "ave"])
    assert source.commitment == "cb2f5160fc1f7e05a55ef49d340b48da2e5a78099d53393351cd579dd42503d6"
    assert source.opened() == SECRET.hex()
    assert source.outcome(Dice(((0, 4), (2, 4))), 0) == (
        "dice",
        ((0, (1, 2, 4, 4)), (2, (3, 3, 4, 5))),
    )
    assert source.outcome(Dice(((0, 4), (2, 4))), 1) == (
        "dice",
        ((0, (3, 4, 5, 5)), (2, (1, 1, 1, 1))),
    )
    assert source.outcome(Lot((0, 1, 2, 3, 4)), 0) == ("lot", 1)
    assert source.outcome(Order((0, 1, 2, 3, 4)), 0) == ("order", (4, 0, 2, 3, 1))
    assert source.outcome(Draw((9, 9, 9), 12), 0) == ("draw", (4, 5, 3))


def test_a_seed_is_pinned() -> None:
    assert (
        Committed.from_seed(7).commitment
        == "c1bf58c045f8a0eef71267431eaa42a933e3487d8eb5beeb9c2b22eff6e9df3d"
    )
    assert Committed.from_seed(7).opened() == Committed.from_seed("7").opened()
    assert Committed.from_seed(7).opened() != Committed.from_seed(8).opened()


def test_the_commitment_is_the_hash_of_the_secret_alone() -> None:
    assert Committed(SECRET, ["a"]).commitment == Committed(SECRET).commitment
    assert Committed(SECRET[:-1] + b"!").commitment != Committed(SECRET).commitment


@given(st.integers(0, 1000))
def test_an_outcome_depends_on_secret_words_stream_and_index_alone(index: int) -> None:
    kind = Dice(((0, 12), (1, 12)))
    source = Committed(SECRET, ["salve"])
    outcome = source.outcome(kind, index)
    source.outcome(kind, index + 1)  # what was drawn in between does not matter
    assert source.outcome(kind, index) == outcome
    others = [
        Committed(SECRET, ["ave"]).outcome(kind, index),
        Committed(SECRET).outcome(kind, index),
        Committed(bytes(32), ["salve"]).outcome(kind, index),
        source.outcome(kind, index + 1),
        source.outcome(kind._replace(stream="roles"), index),
    ]
    assert outcome not in others


def test_a_source_does_not_show_its_secret() -> None:
    assert SECRET.hex() not in repr(Committed(SECRET))
    assert str(list(SECRET)) not in repr(Committed(SECRET))
