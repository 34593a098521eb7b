"""The words of Mare Nostrum: every noun there and back, and every fault a text can have."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oikumene.core.errors import NotationError
from oikumene.core.moves import Noun, form, move_text, parse_move
from oikumene.games.mare_nostrum.board import load_board
from oikumene.games.mare_nostrum.cards import CARD, CARDS, GOODS, KINDS
from oikumene.games.mare_nostrum.commerce import OUT, PAIR, SEALED, WAITING
from oikumene.games.mare_nostrum.moves import EVENTS, FLEET, FORTRESS, LEGION, MOVES, Names
from oikumene.games.mare_nostrum.position import FRAME_TABLE, names_of
from oikumene.games.mare_nostrum.state import CITY, MARKER, THINGS, WHATS

from .tables import GAME, THREE, setting

WORDS: Names = names_of(setting())
BOARD = load_board()
SEATS, POWERS = st.integers(0, 2), st.integers(0, 4)
PLACES = st.integers(0, len(BOARD.places) - 1)
PROVINCES = st.integers(0, len(BOARD.provinces) - 1)
NUMBERS = st.integers(0, 10**12 - 1)
GOOD_AT, WHAT_AT = st.integers(0, len(GOODS) - 1), st.integers(0, len(WHATS) - 1)
KIND_AT, THING_AT = st.integers(0, len(KINDS) - 1), st.integers(0, len(THINGS) - 1)
CARD_AT, ROLE_AT = st.integers(0, len(CARDS) - 1), st.integers(0, 2)
UNIT_AT = st.integers(0, FLEET)
HANDS = st.tuples(*(st.integers(0, 9) for _ in KINDS)).map(
    lambda held: sum(number * one for number, one in zip(held, CARD, strict=True))
)
UNITS = st.lists(UNIT_AT, max_size=6).map(lambda units: tuple(sorted(units)))
LEFT = st.lists(WHAT_AT, max_size=6).map(lambda whats: tuple(sorted(whats)))
DICE = st.dictionaries(POWERS, st.lists(st.integers(1, 6), min_size=1), min_size=1).map(
    lambda sides: tuple((who, tuple(sorted(dice))) for who, dice in sides.items())
)
MASKS = st.integers(0, 7)
OFFERS = st.lists(st.one_of(HANDS, st.sampled_from((WAITING, OUT, SEALED))), min_size=1)
PAIRS = st.tuples(st.integers(-1, 2), st.integers(-1, 2))

# The values of each noun, by its name.
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "SEAT": SEATS,
    "SEAT-OR-NOBODY": st.integers(-1, 2),
    "PLACE": PLACES,
    "PROVINCE": PROVINCES,
    "GOOD": GOOD_AT,
    "[GOOD]": st.integers(-1, len(GOODS) - 1),
    "CARD": KIND_AT,
    "HERO-OR-WONDER": CARD_AT,
    "THING": THING_AT,
    "WHAT": WHAT_AT,
    "ROLE": ROLE_AT,
    "N": NUMBERS,
    "CARDS": HANDS,
    "UNIT": UNIT_AT,
    "[with UNITS]": UNITS,
    "[leaving WHAT...]": LEFT,
    "SEAT n n, SEAT n": DICE,
    "SEATS": MASKS,
    "OFFERS": OFFERS.map(tuple),
    "PAIR": PAIRS,
}
TABLES = {"moves": MOVES, "events": EVENTS, "frames": FRAME_TABLE}


def nouns_of(name: str) -> list[Noun]:
    nouns = [noun for verb in TABLES[name].values() for noun in verb]
    return [noun for noun in nouns if not noun.is_literal]


# --- there and back ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
@given(st.data())
def test_every_move_event_and_frame_comes_back_from_its_text(name: str, data: Any) -> None:
    table = TABLES[name]
    verb = data.draw(st.sampled_from(sorted(table)))
    nouns = [noun for noun in table[verb] if not noun.is_literal]
    move = (verb, *(data.draw(VALUES[noun.name]) for noun in nouns))
    text = move_text(table, WORDS, move)
    assert parse_move(table, WORDS, text) == move
    assert text == " ".join(text.split())


@pytest.mark.parametrize("name", TABLES)
def test_the_values_above_are_those_of_every_noun(name: str) -> None:
    assert {noun.name for noun in nouns_of(name)} <= VALUES.keys()


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("caravan roma grain", ("caravan", "roma", "grain")),
        ("place city roma", ("place", "city", "roma", -1)),
        ("place caravan roma grain", ("place", "caravan", "roma", "grain")),
        ("number 12", ("number", 12)),
        ("offer tax*2 wine", ("offer", {"tax": 2, "wine": 1})),
        ("keep", ("keep", {})),
        ("take greece gold", ("take", "greece", "gold")),
        ("build caravan roma fish with tax*3", ("build", "caravan", "roma", "fish", {"tax": 3})),
        ("build legion roma with tax*3", ("build", "legion", "roma", -1, {"tax": 3})),
        ("buy ulysses with tax*9", ("buy", "ulysses", {"tax": 9})),
        ("free marker roma", ("free", "roma")),
        ("swap tax gold", ("swap", "tax", "gold")),
        ("sail 2 roma mare_tyrrhenum", ("sail", 2, "roma", "mare_tyrrhenum")),
        ("march 1 roma syracusae", ("march", 1, "roma", "syracusae", ())),
        (
            "march 3 roma syracusae leaving city*2 marker",
            ("march", 3, "roma", "syracusae", (CITY, CITY, MARKER)),
        ),
        ("fight roma egypt", ("fight", "roma", "egypt", ())),
        (
            "fight roma greece with legion*2 legion on city fortress",
            ("fight", "roma", "greece", (CITY, LEGION, LEGION, FORTRESS)),
        ),
        ("lose legion on marker", ("lose", MARKER)),
        ("lose fleet", ("lose", FLEET)),
        ("pillage roma city", ("pillage", "roma", "city")),
        ("dice rome 1 6, egypt 3", ("dice", (("rome", (1, 6)), ("egypt", (3,))))),
        ("lot carthage", ("lot", "carthage")),
        ("done", ("done",)),
    ],
)
def test_texts_known_from_the_format(text: str, move: tuple[Any, ...]) -> None:
    found = parse_move(MOVES, WORDS, text)
    assert found == (move[0], *map(number_of, spelled(found), move[1:]))
    assert move_text(MOVES, WORDS, found) == text


def spelled(move: tuple[Any, ...]) -> list[str]:
    return [noun.name for noun in MOVES[move[0]] if not noun.is_literal]


def number_of(noun: str, value: Any) -> Any:
    """The value of a noun from its name."""
    if isinstance(value, dict):
        return sum(CARD[KINDS.index(card)] * number for card, number in value.items())
    if noun.startswith("SEAT n"):
        return tuple((WORDS.powers[who], dice) for who, dice in value)
    if not isinstance(value, str):
        return value
    tables: dict[str, Any] = {
        "SEAT": WORDS.powers,
        "PLACE": WORDS.places,
        "PROVINCE": WORDS.provinces,
    }
    if noun in tables:
        return tables[noun][value]
    lists: dict[str, tuple[str, ...]] = {
        "GOOD": GOODS, "[GOOD]": GOODS, "CARD": KINDS, "HERO-OR-WONDER": CARDS, "THING": THINGS,
        "WHAT": WHATS,
    }  # fmt: skip
    return lists[noun].index(value)


@pytest.mark.parametrize(
    ("loose", "canonical"),
    [
        ("offer wine tax wine", "offer tax wine*2"),
        ("offer gold*1", "offer gold"),
        (
            "fight roma greece with fortress legion legion",
            "fight roma greece with legion*2 fortress",
        ),
        (
            "march 3 roma syracusae leaving marker grain",
            "march 3 roma syracusae leaving grain marker",
        ),
        ("dice rome 6 1 3", "dice rome 1 3 6"),
        ("fight roma greece with legion*1", "fight roma greece with legion"),
    ],
)
def test_a_loose_text_has_one_canonical_text(loose: str, canonical: str) -> None:
    assert move_text(MOVES, WORDS, parse_move(MOVES, WORDS, loose)) == canonical


# --- faults ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("call", "SEAT is missing"),
        ("call egypt", "'egypt' is not a SEAT; there are: rome carthage greece"),
        ("fight roma sparta", "'sparta' is not a SEAT; there are: rome carthage greece egypt bab"),
        ("caravan rom grain", "'rom' is not a PROVINCE; there are: "),
        ("caravan mare_ionium grain", "'mare_ionium' is not a PROVINCE"),
        ("caravan roma tax", "'tax' is not a GOOD; there are: perfume"),
        ("place tower roma", "'tower' is not a THING; there are: marker caravan"),
        ("place city roma gold gems", "too much at the end: 'gems'"),
        ("place city roma gld", "too much at the end: 'gld'"),
        ("number -1", "N must be a number, not '-1'"),
        ("take greece coin", "'coin' is not a CARD; there are: tax perfume"),
        ("offer coin", "'coin' is not a card; there are: tax perfume"),
        ("offer tax*", "'tax*': a count is written name*n with n from 1 to 63"),
        ("offer tax*0", "a count is written name*n"),
        ("offer tax*64", "a count is written name*n"),
        ("offer tax*x", "a count is written name*n"),
        ("offer tax*²", "a count is written name*n"),
        ("offer tax*001", "a count is written name*n"),
        ("offer tax*63 tax", "these are more cards than the game has"),
        ("offer tax*63 gold*63 gems", "these are more cards than the game has"),
        ("buy ulyses with tax*9", "'ulyses' is not a HERO-OR-WONDER"),
        ("buy ulysses tax*9", "expected the word 'with'"),
        ("free city roma", "expected the word 'marker'"),
        ("sail 1 roma nowhere", "'nowhere' is not a PLACE"),
        ("march 1 roma", "PROVINCE is missing"),
        ("march 1 roma syracusae city", "only 'leaving WHAT...' may follow"),
        ("march 1 roma syracusae leaving", "'leaving' needs buildings"),
        ("march 1 roma syracusae leaving tower", "'tower' is not a building; there are: perfume"),
        ("march 1 roma syracusae leaving city*0", "a count is written name*n"),
        ("fight roma greece fortress", "after the opponent only 'with UNITS' may follow"),
        ("fight roma greece with", "'with' needs units"),
        ("fight roma greece with tank", "'tank' is not a unit; there are: legion fortress fleet"),
        ("fight roma greece with legion on", "'legion on' needs one of: perfume"),
        ("fight roma greece with legion on tower", "'legion on' needs one of: perfume"),
        ("lose", "a unit is missing: legion, legion on WHAT, fortress, fleet"),
        ("lose legion*2", "units are lost one by one"),
        ("lose fortress on city", "too much at the end: 'on city'"),
        ("pillage roma tower", "'tower' is not a WHAT"),
        ("dice", "SEAT is missing"),
        ("dice rome", "dice are written: SEAT n n, SEAT n with n from 1 to 6"),
        ("dice rome 7", "dice are written"),
        ("dice rome 0", "dice are written"),
        ("dice rome 12", "dice are written"),
        ("dice rome 1,", "SEAT is missing"),
        ("dice rome 1, sparta 2", "'sparta' is not a SEAT"),
        ("lot egypt", "'egypt' is not a SEAT"),
        ("attack roma", "'attack' is not a move; there are: caravan place"),
    ],
)
def test_a_text_that_is_no_move_says_why_and_how_it_is_written(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(MOVES, WORDS, text)
    assert message in str(caught.value)
    verb = text.split()[0]
    if verb in MOVES:
        assert f"(written: {form(MOVES, verb)})" in str(caught.value)


@pytest.mark.parametrize(
    ("table", "text", "message"),
    [
        (EVENTS, "won rome egypt", "'egypt' is not a seat"),
        (FRAME_TABLE, "offers 2 coin, tax", "'coin' is not a card"),
        (FRAME_TABLE, "take rome nobody", "SEAT is missing"),
        (FRAME_TABLE, "role king", "'king' is not a ROLE; there are: commerce political military"),
        (FRAME_TABLE, "king", "'king' is not a move"),
    ],
)
def test_events_and_frames_have_faults_too(table: Any, text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(table, WORDS, text)
    assert message in str(caught.value)


def test_a_pair_may_be_nobody() -> None:
    tokens = ["nobody", "rome", "greece", "nobody"]
    assert PAIR.parse(WORDS, tokens) == (-1, 0)
    assert PAIR.parse(WORDS, tokens) == (2, -1)
    assert PAIR.text(WORDS, (2, -1)) == "greece nobody"


def test_the_words_of_a_table_are_those_of_its_seats_and_board() -> None:
    assert WORDS.seats == {"rome": 0, "carthage": 1, "greece": 2}
    assert list(WORDS.powers) == [*THREE, "egypt", "babylon"]
    assert WORDS.seats_by == (*THREE, "egypt", "babylon")
    assert list(WORDS.places) == [*BOARD.provinces, *BOARD.seas]
    assert [*WORDS.provinces, *WORDS.zones_by] == [*BOARD.provinces, *BOARD.seas]


def test_every_verb_belongs_to_a_step_or_to_chance() -> None:
    from oikumene.games.mare_nostrum.position import FRAMES

    verbs = {verb for frame in FRAMES.values() for verb in getattr(frame, "verbs", ())}
    assert set(MOVES) == verbs | {"dice", "lot"}
    assert GAME.table is MOVES
