"""Games being played: entries, undo, what each seat sees of the record, and replaying it."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest

from mare_nostrum.tables import (
    GAME,
    PRESET,
    finished_game,
    new_session,
    play_on,
    session_at,
    setting,
)
from oikumene.core import record as records
from oikumene.core.chance import Committed
from oikumene.core.errors import (
    ChanceError,
    IllegalMove,
    NotationError,
    OptionError,
    RecordError,
)
from oikumene.core.game import Chance, Decide, Over
from oikumene.core.record import Line, Record
from oikumene.core.session import Replay, Session, replay
from oikumene.games import load_game

ROME, CARTHAGE, GREECE = range(3)

TRADE = {
    "step": "trade",
    "roles": {"commerce": "rome", "political": "greece", "military": "rome"},
    "hand": {"rome": "tax*2 gold", "carthage": "tax gold*2", "greece": "wine*5 oil"},
}
BUILDING = {
    "step": "construction rome",
    "roles": {"political": "rome", "military": "rome"},
    "markers": {"roma": "rome", "north_of_roma": "rome"},
    "hand": {"rome": "tax*7 wine fish", "carthage": "tax*3"},
    "called": ["greece"],
}
AT_SEA = {
    "step": "fleets rome",
    "roles": {"political": "rome", "military": "rome"},
    "fleets": {"rome": "mare_ionium*2", "greece": "mare_ionium*2"},
    "moved": "mare_ionium*2",
}


def text(session: Session) -> str:
    return GAME.position_text(session.state)


def moves(lines: list[Line]) -> list[str]:
    return [str(line["move"]) for line in lines if "move" in line]


# --- playing -----------------------------------------------------------------------------------


def test_a_new_game_writes_its_header_and_stands_at_its_first_decision() -> None:
    session = new_session(gardens_keep="2")
    header = session.header
    assert list(header) == [
        "format", "game", "rules", "preset", "options", "map", "seats", "commitment", "words",
        "check",
    ]  # fmt: skip
    assert (header["game"], header["rules"], header["preset"]) == ("mare-nostrum", 1, PRESET)
    assert header["options"] == GAME.options().resolve(PRESET, {"gardens_keep": "2"})
    assert header["seats"] == ["rome", "carthage", "greece"]
    assert session.source is not None
    assert header["commitment"] == session.source.commitment
    assert header["check"] == session.check == records.check_of("", records.without_check(header))
    assert isinstance(session.pending, Decide)
    assert session.record() == Record(header, [], None)


def test_what_a_table_adds_to_the_header_stands_in_it() -> None:
    source = Committed(bytes(32), ["salve"])
    session = Session.new(
        GAME, preset=PRESET, options={}, seats=GAME.advised(3), source=source, extra={"seed": 7}
    )
    assert (session.header["words"], session.header["seed"]) == (["salve"], 7)


def test_a_game_that_cannot_be_played_is_not_begun() -> None:
    with pytest.raises(OptionError):
        new_session(seats=("rome", "greece"))
    with pytest.raises(OptionError):
        new_session(start="late")


def test_a_move_is_a_text_or_a_tuple_and_becomes_an_entry_with_a_check() -> None:
    one, other = session_at(TRADE), session_at(TRADE)
    before = one.check
    one.play(ROME, "number 2")
    other.play(ROME, ("number", 2))
    entry = {"n": 1, "move": "number 2", "seat": "rome"}
    check = records.check_of(before, entry, text(one))
    assert one.entries == other.entries == [entry | {"check": check}]
    assert one.check == check


def test_a_move_is_written_in_its_canonical_text() -> None:
    session = session_at(TRADE)
    session.play(ROME, "number 2")
    session.play(GREECE, " offer  wine oil ")
    assert session.entries[-1]["move"] == "offer oil wine"


@pytest.mark.parametrize(
    ("seat", "move", "error"),
    [
        (ROME, "number 4", IllegalMove),
        (GREECE, "number 2", IllegalMove),
        (ROME, "done", IllegalMove),
        (ROME, "number", NotationError),
    ],
)
def test_a_move_that_is_refused_changes_nothing(
    seat: int, move: str, error: type[Exception]
) -> None:
    session = session_at(TRADE)
    before = (session.state, session.check)
    with pytest.raises(error):
        session.play(seat, move)
    assert (session.state, session.check) == before
    assert session.entries == []
    assert session.line == []


# --- chance ------------------------------------------------------------------------------------


def at_sea(*, policy: Any = "strict", seed: int = 1) -> Session:
    """Rome has just attacked Greece at sea; dice are to be thrown."""
    session = session_at(AT_SEA, policy=policy, seed=seed)
    session.play(ROME, "fight mare_ionium greece")
    assert isinstance(session.pending, Chance)
    return session


def test_an_outcome_is_drawn_from_the_source_and_its_index_recorded() -> None:
    session = at_sea()
    pending = session.pending
    assert isinstance(pending, Chance)
    assert session.source is not None
    expected = session.source.outcome(pending.kind, 0)
    chance = GAME.text(session.state, expected)
    session.draw()
    entry = records.without_check(session.entries[-1])
    assert entry == {"n": 2, "chance": chance, "stream": "dice", "index": 0}


def test_each_outcome_of_a_stream_has_the_next_index() -> None:
    session = play_on(new_session(start="free"), rounds=12)
    drawn: dict[str, list[int]] = {}
    for entry in session.entries:
        if "chance" in entry:
            drawn.setdefault(entry["stream"], []).append(entry["index"])
    assert len(drawn) > 1
    assert all(found == list(range(len(found))) for found in drawn.values())
    assert max(map(len, drawn.values())) > 2


def test_chance_decides_only_where_it_is_asked_and_only_with_a_source() -> None:
    session = session_at(TRADE)
    for draw in (session.draw, lambda: session.throw("dice rome 1")):
        with pytest.raises(IllegalMove, match="no chance is asked for here"):
            draw()
    without = Session(GAME, session.setting, session.header, start=at_sea().state)
    with pytest.raises(IllegalMove, match="no chance is asked for here"):
        without.draw()
    assert without.entries == []


def test_chance_is_settled_until_a_seat_decides_or_the_game_is_over() -> None:
    session = new_session(start="free")
    first = type(session.pending)
    session.settle()
    assert (first, type(session.pending)) == (Chance, Decide)
    session.settle()
    assert len(session.entries) == 1


def test_dice_thrown_by_hand_are_entered_and_marked() -> None:
    session = at_sea()
    session.throw("dice rome 6 1, greece 2 1")
    entry = records.without_check(session.entries[-1])
    assert entry == {"n": 2, "chance": "dice rome 1 6, greece 1 2", "by_hand": True}
    assert session.state.fleets[GREECE][session.setting.board.seas.index("mare_ionium")] == 1


@pytest.mark.parametrize(
    ("thrown", "error"),
    [
        ("dice rome 6 1, greece 2", ChanceError),
        ("lot rome", ChanceError),
        ("dice rome 9 1, greece 2 1", NotationError),
    ],
)
def test_dice_that_cannot_fall_are_refused(thrown: str, error: type[Exception]) -> None:
    session = at_sea()
    with pytest.raises(error):
        session.throw(thrown)
    assert len(session.entries) == 1


def test_dice_thrown_by_hand_use_up_no_index() -> None:
    session = at_sea(policy="free")
    session.throw("dice rome 1 1, greece 1 1")
    session.undo(ROME)
    session.play(ROME, "fight mare_ionium greece")
    session.draw()
    assert session.entries[-1]["index"] == 0


def test_nobody_rolls_again_by_taking_a_move_back() -> None:
    session = at_sea(policy="free")
    for index in range(3):
        session.draw()
        assert session.entries[-1]["index"] == index
        session.undo(ROME)
        session.play(ROME, "fight mare_ionium greece")
    drawn = [entry["chance"] for entry in session.entries if "chance" in entry]
    assert len(set(drawn)) > 1


# --- undo --------------------------------------------------------------------------------------


def test_an_undo_is_an_entry_that_points_back_and_nothing_is_deleted() -> None:
    session = session_at(BUILDING)
    before = text(session)
    session.play(ROME, "build legion roma with tax*3")
    session.play(ROME, "build legion north_of_roma with tax*3")
    middle = GAME.position_text(session.line[0].state)
    session.undo(ROME)
    assert text(session) == middle
    assert records.without_check(session.entries[-1]) == {"n": 3, "undo": 2, "seat": "rome"}
    session.undo(ROME)
    assert text(session) == before
    assert records.without_check(session.entries[-1]) == {"n": 4, "undo": 1, "seat": "rome"}
    assert [entry["n"] for entry in session.entries] == [1, 2, 3, 4]
    assert session.line == []
    session.play(ROME, "build legion roma with tax*3")
    assert [one.number for one in session.line] == [5]


def test_the_check_of_an_undo_holds_the_position_after_it() -> None:
    session = session_at(BUILDING)
    session.play(ROME, "build legion roma with tax*3")
    previous = session.check
    session.undo(ROME)
    line = records.without_check(session.entries[-1])
    assert session.check == records.check_of(previous, line, text(session))


REFUSED = "undo is not possible: "


def refused_undo(session: Session, seat: int, why: str) -> None:
    before = (session.state, list(session.entries))
    assert why in session.why_not_undo(seat)
    with pytest.raises(IllegalMove) as caught:
        session.undo(seat)
    assert str(caught.value) == REFUSED + session.why_not_undo(seat)
    assert (session.state, session.entries) == before


def test_without_a_move_there_is_nothing_to_take_back() -> None:
    for policy in ("strict", "free"):
        session = session_at(TRADE, policy=policy)
        refused_undo(session, ROME, "there is no move of this seat")
        session.play(ROME, "number 0")
        refused_undo(session, CARTHAGE, "there is no move of this seat")
        session.undo(ROME)
        refused_undo(session, ROME, "there is no move of this seat")


def test_what_another_seat_has_answered_is_not_taken_back() -> None:
    session = session_at(BUILDING | {"step": "construction", "called": []})
    session.play(ROME, "call carthage")
    session.play(CARTHAGE, "done")
    refused_undo(session, ROME, "another seat has decided since")
    assert session.why_not_undo(CARTHAGE) == ""


def test_what_dice_have_answered_is_not_taken_back() -> None:
    session = at_sea()
    assert session.why_not_undo(ROME) == ""
    session.draw()
    refused_undo(session, ROME, "dice or lots have been drawn since")


def test_a_free_table_takes_everything_back() -> None:
    session = at_sea(policy="free")
    session.throw("dice rome 6 6, greece 1 1")
    assert session.why_not_undo(ROME) == ""
    session.undo(ROME)
    assert text(session) == GAME.position_text(session.start)
    assert records.without_check(session.entries[-1]) == {"n": 3, "undo": 1, "seat": "rome"}


def test_a_free_undo_takes_all_that_came_after_back_too() -> None:
    session = session_at(BUILDING | {"step": "construction", "called": []}, policy="free")
    session.play(ROME, "call carthage")
    session.play(CARTHAGE, "done")
    session.play(CARTHAGE, "keep tax*2")
    session.play(ROME, "call rome")
    session.undo(CARTHAGE)
    assert [session.state.round, len(session.line)] == [1, 2]
    session.undo(ROME)
    assert session.line == []
    assert moves(session.entries) == ["call carthage", "done", "keep tax*2", "call rome"]


# --- sealed answers ----------------------------------------------------------------------------


def offering(*, policy: Any = "strict", **options: Any) -> Session:
    session = session_at(TRADE, policy=policy, **options)
    session.play(ROME, "number 2")
    return session


def test_a_sealed_answer_is_taken_back_alone() -> None:
    session = offering()
    session.play(ROME, "offer tax gold")
    session.play(GREECE, "offer wine*2")
    expected = offering()
    expected.play(GREECE, "offer wine*2")
    assert session.why_not_undo(ROME) == ""
    session.undo(ROME)
    undone = {"n": 4, "undo": 2, "alone": True, "seat": "rome"}
    assert records.without_check(session.entries[-1]) == undone
    assert text(session) == text(expected)
    assert session.pending == Decide((ROME, CARTHAGE), "offers", ("MN-8.3",))
    assert [one.number for one in session.line] == [1, 3]


def test_the_order_of_sealed_answers_leaves_no_trace() -> None:
    offers = {ROME: "offer tax gold", CARTHAGE: "offer gold*2", GREECE: "offer wine*2"}
    found = set()
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
        session = offering()
        for seat in order:
            session.play(seat, offers[seat])
        found.add(text(session))
    assert len(found) == 1


def test_the_number_is_not_taken_back_once_somebody_has_answered() -> None:
    session = offering()
    session.play(GREECE, "offer wine*2")
    refused_undo(session, ROME, "another seat has decided since")
    assert session.why_not_undo(CARTHAGE) == "there is no move of this seat to take back"
    session.undo(GREECE)
    assert session.why_not_undo(ROME) == ""


def test_once_the_last_answer_has_come_none_is_taken_back() -> None:
    session = offering()
    session.play(ROME, "offer tax gold")
    session.play(CARTHAGE, "offer gold*2")
    session.play(GREECE, "offer wine*2")
    refused_undo(session, ROME, "another seat has decided since")
    refused_undo(session, GREECE, "the move has shown something that was hidden")


def test_on_a_free_table_an_opened_answer_is_taken_back_with_all_after_it() -> None:
    session = offering(policy="free")
    session.play(ROME, "offer tax gold")
    session.play(CARTHAGE, "offer gold*2")
    session.play(GREECE, "offer wine*2")
    session.undo(CARTHAGE)
    assert session.pending == Decide((CARTHAGE, GREECE), "offers", ("MN-8.3",))
    assert "alone" not in session.entries[-1]


def test_the_answer_that_opens_all_as_the_very_first_move_is_not_taken_back() -> None:
    session = session_at(
        {
            "agenda": ["offers 1 -, tax, ?", "construction", "strategy", "round"],
            "roles": {"commerce": "carthage", "political": "rome"},
            "hand": {"carthage": "tax", "greece": "wine oil"},
        }
    )
    session.play(GREECE, "offer oil")
    refused_undo(session, GREECE, "the move has shown something that was hidden")


@pytest.mark.parametrize("number", [1, 2])
def test_a_number_that_turns_all_cards_up_at_once_is_not_taken_back(number: int) -> None:
    """Who holds exactly so many cards lays them without being asked."""
    one = {"rome": "tax", "carthage": "gold", "greece": "gems"}
    two = {"rome": "tax*2", "carthage": "gold*2"}  # the whole trade runs through
    session = session_at(TRADE | {"hand": one if number == 1 else two})
    session.play(ROME, f"number {number}")
    refused_undo(session, ROME, "the move has shown something that was hidden")


def test_a_card_given_unseen_is_not_taken_back() -> None:
    session = giving()
    session.play(ROME, "give gold")
    refused_undo(session, ROME, "the move has shown something that was hidden")


# --- what each seat sees of the record ---------------------------------------------------------


def giving(**options: Any) -> Session:
    return session_at(
        {
            "agenda": ["give rome greece", "construction", "strategy", "round"],
            "roles": {"commerce": "rome", "political": "greece"},
            "hand": {"rome": "tax*2 gold", "carthage": "tax*3"},
        },
        **options,
    )


def seen(session: Session) -> list[list[str]]:
    """The moves as rome, carthage, greece and a spectator see them."""
    return [moves(session.redacted(viewer)) for viewer in (ROME, CARTHAGE, GREECE, None)]


def test_a_redacted_record_has_no_checks_and_marks_what_it_hides() -> None:
    session = offering()
    session.play(GREECE, "offer wine*2")
    assert session.redacted(GREECE) == [records.without_check(one) for one in session.entries]
    assert session.redacted(ROME) == [
        {"n": 1, "move": "number 2", "seat": "rome"},
        {"n": 2, "move": "offer", "seat": "greece", "hidden": True},
    ]


def test_sealed_offers_show_to_others_only_when_the_last_has_come() -> None:
    session = offering()
    session.play(ROME, "offer tax gold")
    session.play(GREECE, "offer wine*2")
    number = "number 2"
    assert seen(session) == [
        [number, "offer tax gold", "offer"],
        [number, "offer", "offer"],
        [number, "offer", "offer wine*2"],
        [number, "offer", "offer"],
    ]
    session.play(CARTHAGE, "offer gold*2")
    assert seen(session) == [[number, "offer tax gold", "offer wine*2", "offer gold*2"]] * 4


def test_an_offer_that_was_taken_back_stays_hidden_for_good() -> None:
    session = offering()
    session.play(GREECE, "offer oil wine")
    session.undo(GREECE)
    session.play(GREECE, "offer wine*2")
    session.play(ROME, "offer tax gold")
    session.play(CARTHAGE, "offer gold*2")
    others = ["number 2", "offer", "offer wine*2", "offer tax gold", "offer gold*2"]
    own = ["number 2", "offer oil wine", *others[2:]]
    assert seen(session) == [others, others, own, others]
    assert session.redacted(None)[2] == {"n": 3, "undo": 2, "alone": True, "seat": "greece"}


def test_where_hands_lie_open_only_sealed_offers_are_hidden() -> None:
    session = offering(trade_hand_contents="open")
    session.play(GREECE, "offer wine*2")
    assert seen(session)[ROME] == ["number 2", "offer"]
    session = giving(trade_hand_contents="open")
    session.play(ROME, "give gold")
    assert seen(session) == [["give gold"]] * 4


def test_the_offers_of_an_earlier_round_show_while_new_ones_are_sealed() -> None:
    session = play_on(new_session(), rounds=3)
    session = Session(GAME, session.setting, session.header, session.source, start=session.start)
    drawn = play_on(new_session(), rounds=3).entries
    for entry in drawn:
        session.follow(entry)
        offers = [
            (line, whole)
            for line, whole in zip(session.redacted(None), session.entries, strict=True)
            if str(line.get("move")).startswith("offer")
        ]
        sealed = "offers" in (getattr(session.pending, "prompt", ""),)
        for line, whole in offers:
            hidden = sealed and session.line[whole["n"] - 1].state.round == session.state.round
            assert line.get("hidden", False) == hidden
    assert moves(drawn).count("number 0") < len(drawn)


def test_a_card_given_unseen_shows_to_the_two_concerned() -> None:
    session = giving()
    session.play(ROME, "give gold")
    assert seen(session) == [["give gold"], ["give"], ["give gold"], ["give"]]


def test_what_is_kept_shows_unless_the_gardens_keep_a_good() -> None:
    session = session_at(BUILDING)
    session.play(ROME, "done")
    session.play(ROME, "keep tax*2")
    assert seen(session) == [["done", "keep tax*2"]] * 4
    session = session_at(BUILDING | {"cards": {"rome": ["gardens"]}})
    session.play(ROME, "done")
    session.play(ROME, "keep tax*2 wine")
    own, others = ["done", "keep tax*2 wine"], ["done", "keep"]
    assert seen(session) == [own, others, others, others]


def test_dice_and_open_moves_show_to_everybody() -> None:
    session = at_sea()
    session.throw("dice rome 6 6, greece 1 1")
    lines = [records.without_check(entry) for entry in session.entries]
    assert [session.redacted(viewer) for viewer in (0, 1, 2, None)] == [lines] * 4


def test_when_the_game_is_over_everything_shows() -> None:
    session = session_at(BUILDING | {"cards": {"rome": ["gardens", "zeus", "helen"]}})
    session = session_at(
        BUILDING
        | {
            "agenda": ["keep rome", "build carthage"],
            "step": "construction",
            "cards": {"rome": ["gardens"], "carthage": ["zeus", "helen", "artemis"]},
            "hand": {"rome": "wine fish", "carthage": "tax*9"},
        }
    )
    session.play(ROME, "keep fish")
    assert seen(session)[GREECE] == ["keep"]
    session.play(CARTHAGE, "buy ulysses with tax*9")
    assert isinstance(session.pending, Over)
    assert seen(session) == [["keep fish", "buy ulysses with tax*9"]] * 4


# --- the record --------------------------------------------------------------------------------


@cache
def whole() -> Record:
    return finished_game().record()


@cache
def unfinished() -> Record:
    """A game with undone moves of both kinds and dice thrown by hand, given up as it stands."""
    session = new_session(policy="free", role_tie="incumbent")
    while session.state.round < 2:
        play_one(session)
    session.undo(ROME)
    while not isinstance(session.pending, Decide) or session.pending.prompt != "offers":
        play_one(session)
    seat = session.pending.seats[0]
    if len(session.pending.seats) > 1:
        session.play(seat, next(iter(GAME.legal(session.state, seat))))
        session.undo(seat)
    play_on(session, rounds=4)
    return session.closed()


def play_one(session: Session) -> None:
    pending = session.pending
    if isinstance(pending, Chance):
        session.throw(GAME.text(session.state, next(pending.kind.outcomes())[0]))
    else:
        assert isinstance(pending, Decide)
        legal = list(GAME.legal(session.state, pending.seats[0]))
        session.play(pending.seats[0], legal[len(legal) // 2])


def test_a_game_that_runs_has_no_closing_line_unless_it_is_given_up() -> None:
    session = at_sea()
    assert session.record().end is None
    end = session.closed().end
    assert end is not None
    assert session.source is not None
    assert (end["end"], end["secret"]) == ({"reason": "unfinished"}, session.source.opened())
    assert end["check"] == records.check_of(session.check, records.without_check(end))


def test_a_game_that_is_over_closes_with_its_result_and_the_opened_secret() -> None:
    session = finished_game()
    pending = session.pending
    assert isinstance(pending, Over)
    record = session.record()
    assert record.end is not None
    result = record.end["end"]
    assert result["reason"] == pending.reason
    assert result["winners"] == [session.setting.seats[seat] for seat in pending.winners]
    assert result["winners"] == result["ranking"][0]
    assert sorted(seat for group in result["ranking"] for seat in group) == sorted(
        session.setting.seats
    )
    assert session.source is not None
    assert record.end["secret"] == session.source.opened()
    assert session.closed() == record


def test_a_session_without_a_source_closes_without_a_secret() -> None:
    session = Session(GAME, setting(), {}, start=at_sea().state)
    assert session.closed().end == {
        "end": {"reason": "unfinished"},
        "check": records.check_of(session.check, {"end": {"reason": "unfinished"}}),
    }


# --- replay ------------------------------------------------------------------------------------


def again(record: Record, at: int | None = None) -> Replay:
    return replay(records.read(records.dump(record)), load_game, at)


def test_a_whole_game_replays_to_the_same_checks_and_is_proven() -> None:
    found = again(whole())
    assert (found.error, found.unproven, found.proven) == ("", (), True)
    assert found.session.entries == whole().entries
    assert len(found.states) == len(whole().entries) + 1
    end, first = found.session.record().end, whole().end
    assert end is not None
    assert first is not None
    unopened = {key: value for key, value in first.items() if key != "secret"}
    assert end == unopened | {"check": end["check"]}
    assert isinstance(found.session.pending, Over)


def test_a_game_with_undone_moves_and_dice_by_hand_replays_and_names_the_unproven() -> None:
    record = unfinished()
    assert any("undo" in entry for entry in record.entries)
    by_hand = tuple(entry["n"] for entry in record.entries if entry.get("by_hand"))
    found = again(record)
    assert (found.error, found.unproven, found.proven) == ("", by_hand, True)
    assert found.session.entries == record.entries


def test_a_replay_up_to_an_entry_stops_there() -> None:
    record = whole()
    assert again(record, 0).session.entries == []
    found = again(record, 5)
    assert (found.error, found.session.entries) == ("", record.entries[:5])
    assert GAME.position_text(found.session.state) == GAME.position_text(found.states[5])
    assert again(record, 10**6).session.entries == record.entries


def test_without_the_opened_secret_nothing_is_proven() -> None:
    record = whole()._replace(end=None)
    drawn = tuple(entry["n"] for entry in record.entries if "chance" in entry)
    found = again(record)
    assert (found.error, found.proven) == ("the closing line is missing", False)
    assert found.unproven == drawn != ()


def test_a_record_of_another_game_or_other_rules_cannot_begin() -> None:
    record = whole()
    for key, value, error in (
        ("game", "senet", OptionError),
        ("rules", 2, RecordError),
        ("rules", "1", RecordError),
        ("seats", ["rome"], OptionError),
        ("map", {"name": "atlantis"}, RecordError),
        ("map", record.header["map"] | {"digest": "00"}, RecordError),
    ):
        with pytest.raises(error):
            again(record._replace(header=record.header | {key: value}))


GONE = "gone"


def changed(line: Line, changes: Line) -> Line:
    return {key: value for key, value in (line | changes).items() if value != GONE}


def damaged(number: int, changes: Line, *, mend: bool = False) -> Record:
    """The whole game with one entry changed; `mend`: with the right check for it."""
    entries = list(whole().entries)
    entry = changed(entries[number - 1], changes)
    if mend:
        previous = entries[number - 2]["check"] if number > 1 else whole().header["check"]
        position = GAME.position_text(again(whole()).states[number])
        entry["check"] = records.check_of(previous, records.without_check(entry), position)
    entries[number - 1] = entry
    return whole()._replace(entries=entries)


def first(verb: str) -> int:
    key, word = ("chance", verb) if verb in ("dice", "lot") else ("move", verb)
    lines = (one for one in whole().entries if str(one.get(key)).split(" ")[0] == word)
    return int(next(lines)["n"])


WRONG_CHECK = "its check is wrong"
NO_LINE = "it is not a line that a game can have"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"check": "0" * 32}, WRONG_CHECK),
        ({"check": GONE}, WRONG_CHECK),
        ({"remark": "hello"}, WRONG_CHECK),
        ({"move": "number 99"}, "'number 99' is not allowed here (MN-8.1)"),
        ({"move": "done"}, "'done' is not allowed here (core.step"),
        ({"move": "numbers"}, "'numbers' is not a move"),
        ({"move": 7}, NO_LINE),
        ({"seat": "sparta"}, NO_LINE),
        ({"seat": GONE}, NO_LINE),
        ({"move": GONE}, NO_LINE),
        ({"undo": 999}, NO_LINE),
        ({"undo": [1]}, NO_LINE),
        ({"chance": "lot rome", "move": GONE}, "no chance is asked for here"),
    ],
    ids=str,
)
def test_a_damaged_entry_ends_the_replay_before_it(changes: Line, message: str) -> None:
    number = first("number")
    found = again(damaged(number, changes))
    assert found.error.startswith(f"entry {number}: ")
    assert message in found.error
    assert found.session.entries == whole().entries[: number - 1]
    assert len(found.states) == number
    assert found.session.check == whole().entries[number - 2]["check"]
    assert GAME.position_text(found.session.state) == GAME.position_text(found.states[-1])


def test_another_legal_move_in_an_entry_is_told_by_its_check() -> None:
    number = first("call")
    states = again(whole()).states
    entry = whole().entries[number - 1]
    seat = whole().header["seats"].index(entry["seat"])
    texts = [GAME.text(states[number - 1], m) for m in GAME.legal(states[number - 1], seat)]
    other = next(one for one in texts if one != entry["move"])
    found = again(damaged(number, {"move": other}))
    assert "its check is wrong" in found.error
    assert found.session.entries == whole().entries[: number - 1]
    assert GAME.position_text(found.session.state) == GAME.position_text(states[number - 1])


def test_an_undo_that_was_changed_is_told_by_its_check() -> None:
    record = copy.deepcopy(unfinished())
    entry = next(one for one in record.entries if "undo" in one)
    entry["seat"] = "greece" if entry["seat"] != "greece" else "rome"
    found = again(record)
    assert f"entry {entry['n']}: its check is wrong" in found.error
    assert found.session.entries == unfinished().entries[: entry["n"] - 1]
    assert GAME.position_text(found.session.state) == GAME.position_text(found.states[-1])


def test_an_outcome_that_the_secret_does_not_give_is_unproven() -> None:
    number = first("lot")
    changes: list[Line] = [{"index": 77}, {"stream": "roles"}]
    for change in changes:
        record = damaged(number, change, mend=True)
        found = again(record._replace(entries=record.entries[:number]), number)
        assert (found.error, found.unproven) == ("", (number,))


@pytest.mark.parametrize("index", [0, 1, 7])
def test_an_outcome_is_proven_only_in_its_turn(index: int) -> None:
    """Who may leave outcomes out, or use one twice, may choose."""
    session = new_session(start="free")
    session._next_index["start"] = index
    session.draw()
    assert session.entries[0]["index"] == index
    play_on(session, rounds=1)
    assert again(session.closed()).unproven == ((1,) if index else ())


def test_an_outcome_that_is_used_twice_is_unproven() -> None:
    session = new_session(seats=GAME.advised(5))
    session._next_index = Stuck()
    play_on(session, rounds=9)
    drawn = [entry["n"] for entry in session.entries if "chance" in entry]
    assert len(drawn) > 1
    assert again(session.closed()).unproven == tuple(drawn[1:])


class Stuck(dict[str, int]):
    """Every stream begins anew each time."""

    def get(self, key: str, default: Any = None) -> Any:
        return 0


def test_a_changed_header_is_told_by_its_check() -> None:
    record = whole()
    found = again(record._replace(header=record.header | {"seed": 9}))
    assert found.error == "the header was changed: its check is wrong"
    assert (found.session.entries, found.proven) == ([], False)
    assert len(found.states) == 1


def ended(record: Record, **changes: Any) -> Record:
    """The record with another closing line, whose check is right."""
    end = records.without_check(changed(record.end or {}, changes))
    return record._replace(end=end | {"check": records.check_of(record.entries[-1]["check"], end)})


NOT_SO = "the closing line does not say how the game ended"


def test_a_closing_line_that_was_changed_is_told_by_its_check() -> None:
    record = whole()
    found = again(record._replace(end=(record.end or {}) | {"remark": 1}))
    assert found.error == "the closing line was changed: its check is wrong"
    assert found.session.entries == record.entries


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, ""),
        ({"secret": GONE}, ""),
        ({"secret": "00" * 32}, "the opened secret does not fit the commitment"),
        ({"secret": "xyz"}, "the opened secret does not fit the commitment"),
        ({"secret": 7}, "the opened secret does not fit the commitment"),
        ({"end": {"reason": "MN-1"}}, NOT_SO + ": {'reason': 'MN-1'}"),
    ],
    ids=str,
)
def test_a_closing_line_that_does_not_fit_is_told(changes: Line, message: str) -> None:
    found = again(ended(whole(), **changes))
    assert found.error == message
    assert found.session.entries == whole().entries


def test_a_closing_line_of_a_game_that_is_not_over_must_say_so() -> None:
    record = unfinished()
    assert again(record._replace(end=None)).error == ""
    found = again(ended(record, end={"reason": "MN-22.1"}))
    assert found.error.startswith(NOT_SO)


def test_a_file_that_is_cut_off_gives_what_can_be_read_and_says_so() -> None:
    text = records.dump(whole())
    for cut in (2, 40, len(text) // 2):
        record = records.read(text[:-cut])
        found = replay(record, load_game)
        assert found.session.entries == whole().entries[: len(record.entries)]
        assert found.error
    assert "line" in replay(records.read(text[: len(text) // 2]), load_game).error


def test_a_replay_tells_the_events_again() -> None:
    heard: list[str] = []

    def tell(name: str, *facts: Any, rule: str = "", to: int | None = None) -> None:
        heard.append(name)

    replay(whole(), load_game, tell=tell)
    assert heard.count("won") == 1
    assert "income" in heard
