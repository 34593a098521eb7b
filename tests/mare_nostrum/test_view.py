"""What a seat knows: its own cards, what lies open, and the numbers of the others' cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from oikumene.core.keyed import Draws, key_of
from oikumene.games.mare_nostrum.cards import KINDS, count, holds, size
from oikumene.games.mare_nostrum.commerce import OUT, SEALED, WAITING, Offers
from oikumene.games.mare_nostrum.moves import hand_text
from oikumene.games.mare_nostrum.state import SLOTS, State
from oikumene.games.mare_nostrum.view import PUBLIC

from .tables import GAME, new_session, play_on, state_at

ROME, CARTHAGE, GREECE = range(3)
HANDS = {"rome": "tax*2 gold", "carthage": "tax gold*2", "greece": "oil wine*5"}
TRADE: dict[str, Any] = {
    "step": "trade",
    "roles": {"commerce": "rome", "political": "greece"},
    "hand": HANDS,
    "known": {"rome": "gold", "greece": "wine*2"},
}


def offering() -> State:
    """Rome and Greece have offered, Carthage has not."""
    s = state_at(TRADE)
    for seat, text in ((ROME, "number 2"), (ROME, "offer tax gold"), (GREECE, "offer wine*2")):
        s = GAME.play(s, seat, GAME.parse(s, text))
    return s


def states() -> Iterator[State]:
    for number in GAME.seats:
        session = play_on(new_session(seats=GAME.advised(number), seed=number), rounds=5)
        yield from (one.state for one in session.line[::11])


# --- view --------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_the_number_of_the_others_cards() -> None:
    for seat, name in enumerate(HANDS):
        position = GAME.view(state_at(TRADE), seat).position()
        assert position["hand"] == {name: HANDS[name]}
        assert position["held"] == {"rome": 3, "carthage": 3, "greece": 6}


def test_a_spectator_sees_no_hand() -> None:
    position = GAME.view(state_at(TRADE), None).position()
    assert "hand" not in position
    assert position["held"] == {"rome": 3, "carthage": 3, "greece": 6}


def test_where_hands_lie_open_everybody_sees_them() -> None:
    s = state_at(TRADE, trade_hand_contents="open")
    for seat in (CARTHAGE, None):
        assert GAME.view(s, seat).position()["hand"] == HANDS
        assert GAME.determinize(GAME.view(s, seat), Draws(key_of("open"))).hands == s.hands


def test_everybody_sees_the_stock_whole() -> None:
    s = state_at(TRADE)
    stock = GAME.view(s, None).position()["stock"]
    assert stock == {name: count(s.stock, kind) for kind, name in enumerate(KINDS)}


def test_what_all_have_seen_is_remembered_where_the_table_plays_so() -> None:
    counted, own_head = state_at(TRADE), state_at(TRADE, memory="own_head")
    assert GAME.view(counted, CARTHAGE).position()["known"] == TRADE["known"]
    assert "known" not in GAME.view(own_head, CARTHAGE).position()


def test_sealed_offers_show_to_their_own_seat_alone() -> None:
    s = offering()
    frame = s.agenda[-1]
    assert isinstance(frame, Offers)
    rome, _, greece = frame.offers
    seen = [GAME.view(s, seat).state.agenda[-1].fields() for seat in (ROME, CARTHAGE, GREECE, None)]
    assert seen == [
        (2, (rome, WAITING, SEALED)),
        (2, (SEALED, WAITING, SEALED)),
        (2, (SEALED, WAITING, greece)),
        (2, (SEALED, WAITING, SEALED)),
    ]
    assert GAME.view(s, CARTHAGE).position()["agenda"][0] == "offers 2 sealed, ?, sealed"


def test_who_takes_no_part_shows_to_everybody() -> None:
    s = state_at(TRADE | {"hand": HANDS | {"carthage": ""}})
    s = GAME.play(s, ROME, ("number", 2))
    assert GAME.view(s, CARTHAGE).state.agenda[-1].fields() == (2, (WAITING, OUT, WAITING))


def test_an_agenda_without_secrets_shows_as_it_is() -> None:
    s = state_at(TRADE)
    assert GAME.view(s, GREECE).state.agenda == s.agenda


def test_every_slot_is_public_or_hidden_on_purpose() -> None:
    hidden = {"setting", "agenda", "hands", "known"}
    assert {*PUBLIC} | hidden == {*SLOTS}
    assert not {*PUBLIC} & hidden
    for s in states():
        seen = GAME.view(s, CARTHAGE).state
        assert all(getattr(seen, slot) is getattr(s, slot) for slot in (*PUBLIC, "setting"))


def test_a_view_of_a_game_that_is_over_says_who_has_won() -> None:
    s = state_at(
        {
            "step": "construction rome",
            "cards": {"rome": ["caesar", "zeus", "helen"]},
            "hand": {"rome": "tax*9"},
        }
    )
    assert "over" not in GAME.view(s, GREECE).position()
    s = GAME.play(s, ROME, GAME.parse(s, "buy ulysses with tax*9"))
    assert GAME.view(s, GREECE).position()["over"] == {"winners": ["rome"], "reason": "MN-22.2"}


# --- determinize -------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [ROME, CARTHAGE, GREECE, None])
def test_a_state_dealt_out_of_a_view_has_that_view(seat: int | None) -> None:
    draws = Draws(key_of("determinize", seat))
    for s in states():
        if s.over is not None:
            continue
        view = GAME.view(s, seat)
        dealt = GAME.determinize(view, draws)
        again = GAME.view(dealt, seat)
        assert again.position() == view.position()
        assert again.sizes == view.sizes
        assert sum(dealt.hands) == sum(s.hands)
        assert all(holds(hand, known) for hand, known in zip(dealt.hands, dealt.known, strict=True))


def test_cards_nobody_has_seen_are_dealt_anew_and_the_others_stay() -> None:
    s = state_at(TRADE)
    draws = Draws(key_of("dealt"))
    found = {GAME.determinize(GAME.view(s, CARTHAGE), draws).hands for _ in range(40)}
    assert len(found) > 3
    for hands in found:
        assert hands[CARTHAGE] == s.hands[CARTHAGE]
        assert list(map(size, hands)) == [3, 3, 6]
        assert holds(hands[ROME], s.known[ROME])
        assert holds(hands[GREECE], s.known[GREECE])
        assert sum(hands) == sum(s.hands)


def test_the_sealed_offers_of_others_are_dealt_anew_too() -> None:
    s = offering()
    own = s.agenda[-1].fields()[1][ROME]
    draws = Draws(key_of("sealed"))
    found = set()
    for _ in range(30):
        dealt = GAME.determinize(GAME.view(s, ROME), draws)
        frame = dealt.agenda[-1]
        assert isinstance(frame, Offers)
        assert (frame.offers[ROME], frame.offers[CARTHAGE]) == (own, WAITING)
        assert size(frame.offers[GREECE]) == 2
        assert holds(dealt.hands[GREECE], frame.offers[GREECE])
        found.add(hand_text(frame.offers[GREECE]))
    assert len(found) > 2


def test_a_spectator_may_deal_all_hands() -> None:
    s = offering()
    dealt = GAME.determinize(GAME.view(s, None), Draws(key_of(1)))
    assert list(map(size, dealt.hands)) == [3, 3, 6]
    assert SEALED not in dealt.agenda[-1].fields()[1]
    GAME.play(dealt, CARTHAGE, next(iter(GAME.legal(dealt, CARTHAGE))))


def test_a_view_holds_the_table_it_is_of() -> None:
    s = state_at(TRADE)
    assert GAME.view(s, ROME).state.setting is s.setting
    assert GAME.view(s, ROME).seat == ROME
