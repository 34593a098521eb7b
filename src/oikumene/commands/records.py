"""`oikumene replay` and `oikumene verify`: what a record holds, and what of it is proven."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from oikumene.commands import show
from oikumene.commands.common import counted, print_json, read_text
from oikumene.core import record as records
from oikumene.core.errors import OptionError, RecordError
from oikumene.core.moves import move_text
from oikumene.core.record import Line, Record
from oikumene.core.session import Replay, Session
from oikumene.core.session import replay as play_again
from oikumene.games import load_game

EVERYTHING = "everything"  # who looks: nobody in particular


class Looked(NamedTuple):
    """A record played again, and how it is looked at."""

    path: Path
    record: Record
    replay: Replay
    viewer: str  # EVERYTHING, "spectator" or a seat


def read_record(path: Path) -> Record:
    """The record in a file. Raises OikumeneError, naming the file."""
    try:
        return records.read(read_text(path))
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def replayed(path: Path, record: Record, at: int | None = None) -> Replay:
    """The record played again. Raises OikumeneError, naming the file."""
    try:
        return play_again(record, load_game, at)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def replay(
    path: Path, *, at: int | None, seat: str | None, spectator: bool, as_json: bool, log: bool
) -> int:
    """Show the position after entry `at`, or the moves up to it."""
    if seat and spectator:
        raise OptionError("--seat and --spectator: whose view is wanted? leave one out")
    record = read_record(path)
    found = replayed(path, record, at)
    seats = found.session.setting.seats
    if seat and seat not in seats:
        raise OptionError(f"no seat '{seat}' in this game; its seats are: {' '.join(seats)}")
    if at is not None and at > len(record.entries) and not found.error:
        found = found._replace(error=record.error or "")
        if not found.error:
            raise OptionError(
                f"--at {at}: this record has {counted(len(record.entries), 'entry')}; "
                f"choose 0 to {len(record.entries)}"
            )
    looked = Looked(path, record, found, seat or ("spectator" if spectator else EVERYTHING))
    if log:
        print_log(looked, as_json=as_json)
    elif as_json:
        print_json({**told(looked), "position": keys(looked)})
    else:
        print_position(looked)
    if found.error and not as_json:
        print(f"\nThe record is damaged. {sentence(found.error)}")
        print(f"Its longest valid part, shown here, has {valid_entries(found)}.")
    return 1 if found.error else 0


def sentence(text: str) -> str:
    """The text as a sentence."""
    return text[:1].upper() + text[1:] + "."


def valid_entries(found: Replay) -> str:
    """The length of the valid part, in words."""
    return counted(len(found.session.entries), "entry")


def keys(looked: Looked) -> dict[str, Any]:
    """The position keys of the last state, as the viewer sees them."""
    session = looked.replay.session
    game, state = session.game, session.state
    if looked.viewer == EVERYTHING:
        found: dict[str, Any] = game.position(state)
    else:
        found = game.view(state, seat_number(looked)).position()
    return found


def seat_number(looked: Looked) -> int | None:
    """The number of the seat that looks; None: a spectator."""
    seats = looked.replay.session.setting.seats
    return seats.index(looked.viewer) if looked.viewer in seats else None


def told(looked: Looked) -> dict[str, Any]:
    """What is said of the position beside its keys."""
    session = looked.replay.session
    return {
        "game": session.game.name,
        "at": len(session.entries),
        "entries": len(looked.record.entries),
        "view": looked.viewer,
        "round": session.game.rounds(session.state),
        "error": looked.replay.error,
        **show.decides(session.game, session.state),
    }


def print_position(looked: Looked) -> None:
    """The position in tables."""
    session = looked.replay.session
    game, state = session.game, session.state
    seen = "" if looked.viewer == EVERYTHING else f", as seen by {looked.viewer}"
    print(
        f"{game.name}, preset {session.header['preset']}, map {session.header['map']['name']}: "
        f"entry {len(session.entries)} of {len(looked.record.entries)}{seen}"
    )
    print(f"round {game.rounds(state)}; {show.who_decides(game, state)}")
    print()
    print("\n".join(show.position(keys(looked), session.setting.seats)))


# The log -----------------------------------------------------------------------------------------


def print_log(looked: Looked, *, as_json: bool) -> None:
    """Every entry with the events it caused and their rules."""
    for entry, events in history(looked):
        if as_json:
            print_json({**records.without_check(entry), "events": events})
            continue
        print(entry_text(entry))
        for event in events:
            rule = f"  ({event['rule']})" if event["rule"] else ""
            print(f"       {event['text']}{rule}")


def entry_text(entry: Line) -> str:
    """An entry on one line."""
    if "undo" in entry:
        return f"{entry['n']:>4}  {entry['seat']} takes entry {entry['undo']} back"
    if "chance" in entry:
        by_hand = "  (typed in by hand)" if entry.get("by_hand") else ""
        return f"{entry['n']:>4}  chance: {entry['chance']}{by_hand}"
    hidden = " (sealed)" if entry.get("hidden") else ""
    return f"{entry['n']:>4}  {entry['seat']}: {entry['move']}{hidden}"


def history(looked: Looked) -> Iterator[tuple[Line, list[dict[str, str]]]]:
    """The entries as the viewer may see them, each with the events that he hears.

    The first line stands for the set-up: entry 0."""
    session = looked.replay.session
    game = session.game
    words = game.words(session.start)
    viewer = seat_number(looked)
    all_seen = looked.viewer == EVERYTHING
    heard: list[dict[str, str]] = []

    def tell(name: str, *facts: Any, rule: str = "", to: int | None = None) -> None:
        if to is None or to == viewer or all_seen:
            heard.append({"text": move_text(game.events, words, (name, *facts)), "rule": rule})

    again = Session(game, session.setting, session.header, tell=tell)
    yield {"n": 0, "seat": "everybody", "move": "set-up"}, list(heard)
    lines = session.entries if all_seen else session.redacted(viewer)
    for entry, line in zip(session.entries, lines, strict=True):
        heard.clear()
        again.follow(entry)
        yield line, list(heard)


# Verify ------------------------------------------------------------------------------------------


def verify(path: Path, *, as_json: bool) -> int:
    """Say what of a record is proven; 0 only if it is whole and all of it is."""
    record = read_record(path)
    found = replayed(path, record)
    session = found.session
    by_hand = tuple(
        entry["n"] for entry in session.entries if "chance" in entry and "index" not in entry
    )
    outcomes = sum("chance" in entry for entry in session.entries)
    whole = not found.error
    closed = whole and record.end is not None
    proven = closed and found.proven and not found.unproven
    if as_json:
        print_json(
            {
                "game": session.game.name,
                "record": str(path),
                "whole": whole,
                "proven": proven,
                "entries": len(record.entries),
                "valid": len(session.entries),
                "error": found.error,
                "outcomes": outcomes,
                "unproven": list(found.unproven),
                "by_hand": list(by_hand),
                "end": record.end["end"] if closed and record.end else None,
                "hash": (record.end if closed and record.end else {}).get("check", session.check),
            }
        )
        return 0 if proven else 1
    print(f"{path}: {session.game.name}, {counted(len(record.entries), 'entry')}")
    if not whole:
        print(f"damaged: {found.error}")
        print(f"valid up to there: {valid_entries(found)}; replay {path} shows them")
    else:
        print(f"whole: every move is legal, and all {len(session.entries) + 1} checks are right")
    print("\n".join(proof_lines(found, outcomes, by_hand, closed=closed)))
    if closed and record.end is not None:
        print(f"end: {end_text(record.end['end'])}")
    return 0 if proven else 1


def end_text(end: dict[str, Any]) -> str:
    """The result in a closing line."""
    ranking = ", then ".join(" and ".join(group) for group in end.get("ranking", ()))
    return f"{ranking} ({end['reason']})" if ranking else str(end["reason"])


def proof_lines(
    found: Replay, outcomes: int, by_hand: tuple[int, ...], *, closed: bool
) -> Iterator[str]:
    """What is known of the dice and lots."""
    doubtful = [number for number in found.unproven if number not in by_hand]
    shown = counted(outcomes, "outcome") + " of chance"
    if not closed or not found.proven:
        yield f"unproven: {shown}; the record does not open the secret that they come from"
    elif not found.unproven:
        yield f"proven: {shown}, each follows from the secret that was promised at the start"
    elif doubtful:
        yield f"unproven: the secret gives other outcomes than entries {numbers(doubtful)}"
    else:
        yield f"proven: {counted(outcomes - len(by_hand), 'outcome')} of chance"
    if by_hand:
        yield f"unproven, typed in by hand: entries {numbers(by_hand)}"


def numbers(found: tuple[int, ...] | list[int]) -> str:
    """Numbers in a row."""
    return ", ".join(map(str, found))
