"""Positions as keys: there and back, what `set` changes, and every position that cannot be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from oikumene.core.errors import PositionError
from oikumene.core.keyed import Draws, key_of
from oikumene.games.mare_nostrum import position
from oikumene.games.mare_nostrum.board import load_board
from oikumene.games.mare_nostrum.cards import KINDS, count
from oikumene.games.mare_nostrum.read_position import READERS
from oikumene.games.mare_nostrum.state import SLOTS, State

from .tables import GAME, new_session, play_on, setting, state_at

BOARD = load_board()


def states(**options: Any) -> Iterator[State]:
    """States of a game played by chance: the first, then each eleventh."""
    session = play_on(new_session(**options), rounds=12)
    yield session.start
    yield from (one.state for one in session.line[::11])
    yield session.state


# --- there and back ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "options"),
    [
        (3, {}),
        (4, {"start": "free", "change_choice": "any"}),
        (5, {"memory": "own_head", "pair_rule": "whole_trade"}),
    ],
    ids=str,
)
def test_a_state_comes_back_from_its_position_slot_by_slot(
    number: int, options: dict[str, str]
) -> None:
    seen: set[str] = set()
    for s in states(seats=GAME.advised(number), seed=number, **options):
        if s.over is not None:
            continue  # how a game ended stands in the record, not in the keys
        keys = json.loads(json.dumps(GAME.position(s)))
        back = GAME.from_position(s.setting, keys)
        for slot in SLOTS:
            assert slot_of(back, slot) == slot_of(s, slot), slot
        assert GAME.position_text(back) == GAME.position_text(s)
        seen |= keys.keys()
    assert {"hand", "known", "markers", "caravans", "legions", "roles", "called"} <= seen


def slot_of(s: State, slot: str) -> Any:
    """The value of a slot; of `since` what is written: a marker that still lies there."""
    if slot == "since":
        return tuple(since & marks for since, marks in zip(s.since, s.marks, strict=False))
    return getattr(s, slot)


FULL: dict[str, Any] = {
    "map": BOARD.name,
    "round": 7,
    "agenda": ["legions rome", "calls military", "round"],
    "roles": {"commerce": "rome", "political": "greece"},
    "hand": {"rome": "tax*2 gold", "greece": "wine*3"},
    "known": {"rome": "tax", "greece": "wine*3"},
    "open": {"rome": "fish"},
    "won": {"carthage": "fish*2"},
    "cards": {"rome": ["caesar", "helen"], "greece": ["zeus"]},
    "markers": {"roma": "rome", "athenae": "greece", "troas": "greece", "thebae": "egypt"},
    "since": ["roma", "athenae"],
    "caravans": ["roma fish", "roma grain"],
    "cities": ["athenae*2", "roma"],
    "markets": ["roma"],
    "temples": ["athenae"],
    "legions": {"rome": "roma athenae*4 troas", "egypt": "thebae*2"},
    "fortresses": {"rome": "roma*2 athenae", "egypt": "thebae"},
    "fleets": {"rome": "mare_ionium*2"},
    "new_fleets": {"greece": "athenae*2"},
    "occupied": ["athenae city rome fought", "athenae city rome", "athenae temple rome moved"],
    "takeover": ["troas rome"],
    "moved": "mare_ionium",
    "fought": "roma",
    "fortress_fought": "athenae",
    "chosen": ["athenae"],
    "locked": ["troas"],
    "sailed": ["mare_tyrrhenum"],
    "called": ["rome", "greece"],
    "used": ["helen", "cleopatra"],
}


def test_a_position_with_every_key_comes_back() -> None:
    s = GAME.from_position(setting(), FULL)
    found = GAME.position(s)
    assert {*FULL, "step", "stock"} == READERS.keys()
    for key, value in FULL.items():
        assert written(found[key]) == written(value), key
    assert GAME.position_text(GAME.from_position(setting(), found)) == GAME.position_text(s)


def written(value: Any) -> Any:
    """A value without regard to the order of lists and of words."""
    if isinstance(value, dict):
        return {key: written(one) for key, one in value.items()}
    if isinstance(value, list):
        return sorted(value)
    return sorted(value.split()) if isinstance(value, str) else value


def test_keys_at_their_default_are_left_out() -> None:
    found = GAME.position(GAME.from_position(setting(), {"step": "trade"}))
    assert found == {
        "map": BOARD.name,
        "round": 1,
        "agenda": position.agenda_texts(GAME.from_position(setting(), {"step": "trade"})),
    }


def test_the_position_text_is_sorted_and_compact() -> None:
    s = GAME.from_position(setting(), FULL)
    text = GAME.position_text(s)
    assert json.loads(text) == GAME.position(s)
    assert list(json.loads(text)) == sorted(GAME.position(s))
    assert ": " not in text
    assert ", " not in text


def test_the_position_text_of_a_game_that_is_over_says_who_has_won() -> None:
    cards = {"rome": ["caesar", "zeus", "helen"]}
    buying = {"step": "construction rome", "cards": cards, "hand": {"rome": "tax*9"}}
    s = state_at(buying)
    after = GAME.apply(s, 0, GAME.parse(s, "buy ulysses with tax*9"))
    assert json.loads(GAME.position_text(after))["over"] == ["MN-22.2", [[0], [1, 2]]]


@pytest.mark.parametrize(
    ("step", "agenda"),
    [
        ("roles", ["role commerce", "role political", "role military"]),
        ("income", ["income"]),
        ("trade", ["trade"]),
        ("construction", ["construction"]),
        ("construction rome", ["build rome", "calls political"]),
        ("strategy", ["strategy"]),
        ("fleets rome", ["fleets rome", "legions rome", "calls military"]),
        ("legions rome", ["legions rome", "calls military"]),
    ],
)
def test_a_step_stands_for_an_agenda_up_to_the_next_round(step: str, agenda: list[str]) -> None:
    s = GAME.from_position(setting(), {"step": step})
    found = position.agenda_texts(s)
    assert found[: len(agenda)] == agenda
    assert found[-1] == "round"
    assert s.called == (1 if step.endswith("rome") else 0)


# --- the stock ---------------------------------------------------------------------------------


def stock(s: State) -> dict[str, int]:
    return {name: count(s.stock, kind) for kind, name in enumerate(KINDS)}


def test_the_stock_is_what_the_seats_do_not_hold() -> None:
    held = {"hand": {"rome": "tax*3 gold"}, "open": {"greece": "gold"}, "won": {"rome": "tax"}}
    full, left = (
        stock(GAME.from_position(setting(), {"step": "trade", **keys})) for keys in ({}, held)
    )
    assert {kind: full[kind] - left[kind] for kind in KINDS if full[kind] != left[kind]} == {
        "tax": 4, "gold": 2
    }  # fmt: skip


def test_the_stock_may_be_given_and_then_follows_the_hands() -> None:
    s = GAME.from_position(setting(), {"step": "trade", "stock": {"tax": 0, "gold": 2}})
    assert (stock(s)["tax"], stock(s)["gold"]) == (0, 2)
    assert GAME.position(s)["stock"]["tax"] == 0
    s = GAME.amend(s, {"hand": {"rome": "gold"}})
    assert (stock(s)["tax"], stock(s)["gold"]) == (0, 1)


# --- set ---------------------------------------------------------------------------------------


def test_what_is_not_named_keeps_what_it_had() -> None:
    s = GAME.from_position(setting(), FULL)
    before = GAME.position_text(s)
    new = GAME.position(
        GAME.amend(
            s,
            {
                "hand": {"greece": "oil"},
                "known": {"greece": ""},
                "markers": {"troas": "rome", "cyprus": "carthage"},
                "takeover": "",
                "roles": {"political": ""},
            },
        )
    )
    assert GAME.position_text(s) == before
    assert new["hand"] == {"rome": "tax*2 gold", "greece": "oil"}
    assert new["known"] == {"rome": "tax"}
    assert new["markers"] == FULL["markers"] | {"troas": "rome", "cyprus": "carthage"}
    assert new["roles"] == {"commerce": "rome"}
    assert "takeover" not in new
    assert written(new["occupied"]) == written(FULL["occupied"])


def test_lists_are_replaced_whole_and_a_marker_can_be_taken_away() -> None:
    s = GAME.from_position(setting(), FULL)
    new = GAME.position(
        GAME.amend(
            s,
            {
                "caravans": "roma fish",
                "occupied": "",
                "temples": "roma",
                "markers": {"thebae": ""},
                "legions": {"egypt": ""},
                "since": "",
                "moved": "",
            },
        )
    )
    assert new["caravans"] == ["roma fish"]
    assert "occupied" not in new
    assert "moved" not in new
    assert new["temples"] == ["roma"]
    assert "thebae" not in new["markers"]
    assert "egypt" not in new["legions"]
    assert new["since"] == []
    assert new["takeover"] == ["troas rome"]


def test_no_caravans_are_an_empty_text_too() -> None:
    s = GAME.from_position(setting(), FULL)
    assert "caravans" not in GAME.position(GAME.amend(s, {"caravans": ""}))


def test_a_marker_put_by_set_lies_there_since_the_start_of_the_round() -> None:
    s = GAME.from_position(setting(), {"step": "trade", "markers": {"roma": "rome"}})
    assert "since" not in GAME.position(s)
    s = GAME.amend(s, {"since": []})
    assert GAME.position(s)["since"] == []
    assert GAME.position(GAME.amend(s, {"markers": {"troas": "rome"}}))["since"] == ["troas"]


def test_what_was_moved_is_compared_only_on_somebodys_turn() -> None:
    keys = {"moved": "roma*3", "legions": {"rome": "roma"}}
    assert GAME.position(GAME.from_position(setting(), {"step": "trade", **keys}))["moved"]
    with pytest.raises(PositionError, match="so many units do not stand in roma"):
        GAME.from_position(setting(), {"step": "legions rome", **keys})


# --- faults ------------------------------------------------------------------------------------

FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"step": None}, "a position needs `step` (or `agenda`): where does it stand?"),
    ({"hands": {}}, "unknown position keys: hands; there are: map round roles hand"),
    ({"map": "atlantis"}, "`map`: the game is played on reconstructed-1, not on atlantis"),
    ({"round": -1}, "`round`: must be a number"),
    ({"round": "1"}, "`round`: must be a number"),
    ({"step": "dinner"}, "`step`: `dinner` is not a step; there are: roles, income, trade"),
    ({"step": ""}, "`step`: `` is not a step"),
    ({"step": "fleets"}, "`step`: `fleets` is not a step"),
    ({"step": "trade rome"}, "`step`: `trade rome` is not a step"),
    ({"step": "fleets rome greece"}, "`step`"),
    ({"step": "fleets egypt"}, "`step`: `egypt` is not a seat"),
    ({"agenda": ["dinner"]}, "`agenda`: 'dinner' is not a move"),
    ({"agenda": ["legions egypt"]}, "`agenda`: 'legions egypt': 'egypt' is not a SEAT"),
    ({"agenda": []}, "`agenda`: is empty"),
    ({"agenda": [7]}, "`agenda`: must be a list of texts"),
    ({"roles": "rome"}, "`roles`: must be a table"),
    ({"roles": {"commerce": ["rome"]}}, "`roles`: `['rome']` is not a seat"),
    ({"markers": {"roma": ["rome"]}}, "`markers`: `['rome']` is not a civilization"),
    ({"roles": {"king": "rome"}}, "`roles`: `king` is not a role; there are: commerce political"),
    ({"roles": {"commerce": "egypt"}}, "`roles`: `egypt` is not a seat; the seats are: rome car"),
    ({"hand": ["tax"]}, "`hand`: must be a table"),
    ({"hand": {"egypt": "tax"}}, "`hand`: `egypt` is not a seat"),
    ({"hand": {"rome": ["tax"]}}, "`hand`: cards are written as a text"),
    ({"hand": {"rome": "coin"}}, "`hand`: 'coin' is not a card"),
    ({"hand": {"rome": "tax*64"}}, "`hand`: 'tax*64': a count is written"),
    ({"open": {"rome": "coin"}}, "`open`: 'coin' is not a card"),
    ({"hand": {"rome": "gold*6"}}, "`hand`: more cards of gold than the box holds"),
    ({"hand": {"rome": "gold*3"}, "open": {"greece": "gold*3"}}, "more cards of gold than the box"),
    ({"won": {"rome": "gold*6"}}, "`hand`: more cards of gold than the box holds"),
    ({"known": {"rome": "tax"}}, "`known`: a seat is known to hold what it does not hold"),
    ({"stock": ["tax"]}, "`stock`: must be a table"),
    ({"sailed": ["roma"]}, "`sailed`: `roma` is not a zone"),
    ({"stock": {"coin": 1}}, "`stock`: is written { CARD = n }"),
    ({"stock": {"tax": -1}}, "`stock`: is written { CARD = n }"),
    ({"stock": {"tax": 64}}, "`stock`: the box holds fewer cards of tax"),
    ({"stock": {"tax": True}}, "`stock`: is written { CARD = n }"),
    ({"hand": {"rome": "tax*63", "carthage": "tax*63"}}, "more cards of tax than the box holds"),
    ({"legions": {"rome": "roma*63 roma*63"}}, "`legions`: more than 63 of anything"),
    (
        {"fortresses": {"rome": "roma*2 syracusae*2 corsica*2 sardinia*2 illyria"}},
        "`fortresses`: rome has only 8",
    ),
    (
        {"markets": "roma carthago athenae illyria moesia sinai thebae cyrenae arabia"},
        "`markets`: the supply has not so many",
    ),
    (
        {"step": "legions rome", "fortress_fought": "roma"},
        "`fortress_fought`: too few stand in roma",
    ),
    ({"stock": {"tax": "1"}}, "`stock`: is written { CARD = n }"),
    ({"cards": {"rome": ["plato"]}}, "`cards`: `plato` is not a hero or wonder: caesar hannibal"),
    ({"cards": {"egypt": ["zeus"]}}, "`cards`: `egypt` is not a seat"),
    ({"cards": {"rome": "zeus", "greece": "zeus"}}, "`cards`: there is only one zeus (MN-1.8)"),
    ({"cards": {"rome": 7}}, "`cards`: must be a list of texts"),
    ({"markers": {"rom": "rome"}}, "`markers`: `rom` is not a province of the board"),
    ({"markers": {"roma": "sparta"}}, "`markers`: `sparta` is not a civilization; there are: rome"),
    (
        {"markers": dict.fromkeys(BOARD.provinces[: BOARD.markers + 1], "rome")},
        f"`markers`: rome has only {BOARD.markers}",
    ),
    ({"since": ["rom"]}, "`since`: `rom` is not a province"),
    ({"caravans": ["roma"]}, "`caravans`: `roma`: a caravan is written PROVINCE GOOD"),
    ({"caravans": "roma coin"}, "`caravans`: `roma coin`: a caravan is written PROVINCE GOOD"),
    ({"caravans": ["rom gold"]}, "`caravans`: `rom` is not a province"),
    ({"caravans": ["roma gold"]}, "`caravans`: roma has no symbol of gold"),
    ({"cities": ["roma*2"]}, "`cities`: roma has 1 sites"),
    ({"cities": ["rom"]}, "`cities`: `rom` is not such a place"),
    ({"markets": ["rom"]}, "`markets`: `rom` is not a province"),
    ({"temples": 3}, "`temples`: must be a list of texts"),
    ({"legions": {"sparta": "roma"}}, "`legions`: `sparta` is not a civilization"),
    ({"legions": {"rome": "roma*x"}}, "`legions`: 'roma*x': a count is written name*n"),
    ({"legions": {"rome": "mare_ionium"}}, "`legions`: `mare_ionium` is not such a place"),
    ({"legions": {"egypt": "roma*9"}}, "`legions`: egypt has only 8 (MN-1.6)"),
    ({"fortresses": {"rome": "roma*3"}}, "`fortresses`: a province holds at most two fortresses"),
    ({"fortresses": {"sparta": "roma"}}, "`fortresses`: `sparta` is not a civilization"),
    ({"fleets": {"egypt": "mare_ionium"}}, "`fleets`: `egypt` is not a seat"),
    ({"fleets": {"rome": "roma"}}, "`fleets`: `roma` is not such a place"),
    ({"fleets": {"rome": "mare_ionium*6"}}, "`fleets`: rome has only 5 (MN-1.6)"),
    (
        {"fleets": {"rome": "mare_ionium*5"}, "new_fleets": {"rome": "roma"}},
        "`fleets`: rome has only 5 (MN-1.6)",
    ),
    ({"new_fleets": {"rome": "mare_ionium"}}, "`new_fleets`: `mare_ionium` is not such a place"),
    ({"new_fleets": {"rome": "thebae"}}, "`new_fleets`: thebae has no coast"),
    ({"occupied": ["troas rome"]}, "`occupied`: `troas rome` must be written PROVINCE WHAT SEAT"),
    ({"occupied": ["troas tower rome"]}, "must be written PROVINCE WHAT SEAT"),
    ({"occupied": ["troas marker rome"]}, "must be written PROVINCE WHAT SEAT"),
    ({"occupied": [""]}, "must be written PROVINCE WHAT SEAT"),
    ({"occupied": "troas"}, "must be written PROVINCE WHAT SEAT"),
    ({"takeover": ["troas city rome"]}, "`troas city rome` must be written PROVINCE SEAT"),
    ({"takeover": ["rom rome"]}, "`takeover`: `rom` is not a province"),
    ({"takeover": ["troas egypt"]}, "`takeover`: `egypt` is not a seat"),
    ({"takeover": ["troas rome"]}, "`occupied`: too few legions stand in troas"),
    (
        {"occupied": ["roma city greece"], "legions": {"greece": "roma"}},
        "`occupied`: no such building stands in roma",
    ),
    (
        {
            "occupied": ["roma city greece", "roma city greece"],
            "legions": {"greece": "roma*2"},
            "cities": ["roma"],
        },
        "`occupied`: no such building stands in roma",
    ),
    (
        {"takeover": ["roma rome"], "legions": {"rome": "roma"}, "markers": {"roma": "rome"}},
        "`occupied`: roma carries its own marker (MN-19.21)",
    ),
    ({"moved": "rom"}, "`moved`: `rom` is not such a place"),
    ({"fortress_fought": "mare_ionium"}, "`fortress_fought`: `mare_ionium` is not such a place"),
    ({"step": "legions rome", "fought": "roma"}, "`moved`: so many units do not stand in roma"),
    (
        {"step": "fleets rome", "fleets": {"rome": "mare_ionium"}, "moved": "mare_ionium*2"},
        "`moved`: so many units do not stand in mare_ionium",
    ),
    ({"chosen": ["rom"]}, "`chosen`: `rom` is not a province"),
    ({"locked": ["rom"]}, "`locked`: `rom` is not a province"),
    ({"called": ["egypt"]}, "`called`: `egypt` is not a seat"),
    ({"used": ["zeus"]}, "`used`: there are: helen ulysses hammurabi cleopatra"),
]


@pytest.mark.parametrize(("keys", "message"), FAULTS, ids=str)
def test_a_position_that_cannot_be_names_its_key_and_says_why(
    keys: dict[str, Any], message: str
) -> None:
    whole = {key: value for key, value in ({"step": "trade"} | keys).items() if value is not None}
    with pytest.raises(PositionError) as caught:
        GAME.from_position(setting(), whole)
    assert message in str(caught.value)


def test_a_position_that_set_would_make_impossible_is_refused() -> None:
    s = GAME.from_position(setting(), FULL)
    with pytest.raises(PositionError, match="too few legions stand in troas"):
        GAME.amend(s, {"legions": {"rome": ""}})
    unchecked = GAME.amend(s, {"legions": {"rome": ""}}, check=False)
    assert unchecked.legions[0] == bytes(len(BOARD.provinces))


# --- facts and copies --------------------------------------------------------------------------


def test_facts_are_derived_from_the_position() -> None:
    s = GAME.from_position(setting(), FULL | {"occupied": [], "moved": "", "fought": ""})
    assert GAME.fact(s, "price rome legion") == 2
    assert GAME.fact(s, "price greece legion") == 3
    assert GAME.fact(s, "price rome pyramids") == 12
    assert GAME.fact(s, "price rome zeus") == 9
    assert "cnossus" not in GAME.fact(s, "reach greece athenae")
    assert "syracusae" in GAME.fact(s, "reach rome athenae")
    assert GAME.fact(s, "income rome") == "tax grain*2 fish*2"


@pytest.mark.parametrize("name", ["age rome", "reach rome", "price rome love", "income", "price"])
def test_an_unknown_fact_is_refused(name: str) -> None:
    s = GAME.from_position(setting(), FULL)
    with pytest.raises(PositionError, match=r"unknown fact .*; there are: reach, price, income"):
        GAME.fact(s, name)


def test_a_copy_forgets_no_slot() -> None:
    s = GAME.from_position(setting(), FULL)
    new = s.copy()
    assert all(getattr(new, slot) is getattr(s, slot) for slot in SLOTS)
    assert new.listed is None
    draws = Draws(key_of("copy"))
    session = play_on(new_session(seed=3), rounds=2)
    texts = [GAME.position_text(one.state) for one in session.line]
    for _ in range(20):  # nothing that was played later has changed an earlier state
        at = draws.below(len(texts))
        assert GAME.position_text(session.line[at].state) == texts[at]


@pytest.mark.parametrize("option", ["war_only", "yes"])
def test_a_sunk_fleet_is_the_same_before_and_after_its_position_is_read(option: str) -> None:
    s = state_at(
        {
            "step": "fleets rome",
            "fleets": {"rome": "mare_ionium*2 mare_tyrrhenum", "greece": "mare_ionium"},
            "legions": {"rome": "roma"},
        },
        attack_without_moving=option,
    )
    if option == "war_only":
        s = GAME.apply(s, 0, GAME.parse(s, "sail 1 mare_tyrrhenum mare_ionium"))
    s = GAME.apply(s, 0, GAME.parse(s, "fight mare_ionium greece with fleet"))
    read = GAME.from_position(s.setting, GAME.position(s))
    dice = GAME.parse(s, "dice rome 1, greece 6")
    after = GAME.apply(s, None, dice)
    assert GAME.position_text(GAME.apply(read, None, dice)) == GAME.position_text(after)
    assert GAME.legal(after, 0).of("fight")
