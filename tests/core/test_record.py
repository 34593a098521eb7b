"""The record's lines: their canonical text, their checks, and reading files that are damaged."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oikumene.core.errors import RecordError
from oikumene.core.record import (
    FORMAT,
    Record,
    check_of,
    check_of_text,
    dump,
    line_text,
    read,
    without_check,
)

HEADER: dict[str, Any] = {
    "format": 1, "game": "mare-nostrum", "rules": 1, "preset": "p", "options": {"start": "fixed"},
    "map": {"name": "m"}, "seats": ["rome"], "commitment": "00", "check": "aa",
}  # fmt: skip
ENTRIES: list[dict[str, Any]] = [
    {"n": 1, "move": "number 2", "seat": "rome", "check": "bb"},
    {"n": 2, "chance": "lot rome", "stream": "lot", "index": 0, "check": "cc"},
]
END: dict[str, Any] = {"end": {"reason": "unfinished"}, "check": "dd"}


def test_a_line_is_compact_json_in_the_order_of_its_keys() -> None:
    assert line_text({"n": 1, "move": "čas", "a": [1, None]}) == '{"n":1,"move":"čas","a":[1,null]}'


def test_a_check_is_pinned() -> None:
    assert check_of("", {"n": 1}) == "4559d9129ceff8741cbe9f1718cb9750"
    check = "8e95dfc2461ad75258baa8dc12cda504"
    assert check_of("aa", {"n": 1, "move": "číslo"}, '{"round":1}') == check
    assert check_of_text("aa", '{"n":1,"move":"číslo"}', '{"round":1}') == check


def test_a_check_depends_on_all_before_it_on_the_line_and_on_the_position() -> None:
    checks = [
        check_of("aa", {"n": 1}, "p"),
        check_of("ab", {"n": 1}, "p"),
        check_of("aa", {"n": 2}, "p"),
        check_of("aa", {"n": 1}, "q"),
        check_of("aa", {"n": 1}),
    ]
    assert len(set(checks)) == len(checks)
    assert all(len(check) == 32 and int(check, 16) >= 0 for check in checks)


def test_a_line_without_its_check_is_another_line() -> None:
    assert without_check(ENTRIES[0]) == {"n": 1, "move": "number 2", "seat": "rome"}
    assert ENTRIES[0]["check"] == "bb"
    assert without_check({"n": 1}) == {"n": 1}


@pytest.mark.parametrize("end", [None, END])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_record_comes_back_from_its_text(end: dict[str, Any] | None, number: int) -> None:
    record = Record(HEADER, ENTRIES[:number], end)
    text = dump(record)
    assert text.count("\n") == 1 + number + bool(end)
    assert read(text) == record
    assert dump(read(text)) == text


def changed(**changes: Any) -> str:
    header = {key: value for key, value in (HEADER | changes).items() if value != "gone"}
    return json.dumps(header)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("\n  \n", "the file is empty"),
        ("hello\n", "this is not a game record"),
        ('{"format": 1\n', "this is not a game record"),
        ("[1]\n", "this is not a game record"),
        ("[" * 100_000 + "\n", "this is not a game record"),
        ('{"game": "mare-nostrum"}\n', "this is not a game record"),
        (changed(format=FORMAT + 1), "has format 2, this program reads up to 1; use a newer"),
        (changed(format=0), "has format 0, this program reads up to 1"),
        (changed(format=[1]), r"has format \[1\], this program reads up to 1"),
        (changed(format="1"), "has format 1, this program reads up to 1"),
        (changed(rules="gone", seats="gone"), "the record's header lacks: rules, seats"),
        (changed(options=[]), "the record's header is damaged: options;"),
        (changed(options={"start": 1}), "the record's header is damaged: options;"),
        (changed(seats={}), "the record's header is damaged: seats;"),
        (changed(seats=["rome", 1]), "the record's header is damaged: seats;"),
        (changed(game=1, rules="1"), "the record's header is damaged: game, rules;"),
        (changed(words="salve"), "the record's header is damaged: words;"),
        (changed(preset="\ud800"), "this is not a game record"),
    ],
)
def test_a_file_without_a_usable_header_is_refused(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        read(text)
    assert caught.value.valid == 0


WHOLE = dump(Record(HEADER, ENTRIES, END))
LINES = WHOLE.splitlines()


@pytest.mark.parametrize(
    ("lines", "entries", "message"),
    [
        ([*LINES[:2], "nonsense", LINES[3]], 1, "line 3 is not a record line"),
        ([*LINES[:2], "[2]", LINES[3]], 1, "line 3 is not a record line"),
        ([*LINES[:2], '{"n":2,"move":"\\ud800"}'], 1, "line 3 is not a record line"),
        ([*LINES[:2], "", *LINES[2:]], 1, "line 3 is not a record line"),
        ([LINES[0], LINES[2], LINES[3]], 0, "line 2: entry 1 is missing"),
        ([*LINES[:2], LINES[1]], 1, "line 3: entry 2 is missing"),
        ([*LINES[:2], '{"move":"done"}'], 1, "line 3: entry 2 is missing"),
        ([*LINES, LINES[2]], 2, "lines follow after the end"),
    ],
)
def test_a_damaged_file_gives_what_stands_before_the_damage(
    lines: list[str], entries: int, message: str
) -> None:
    record = read("\n".join(lines) + "\n")
    assert (record.entries, record.error) == (ENTRIES[:entries], message)
    assert record.end == (END if message.startswith("lines follow") else None)


def test_blank_lines_after_the_end_do_not_matter() -> None:
    assert read(WHOLE + "\n  \n") == read(WHOLE)


def test_a_line_separator_inside_of_a_text_separates_no_lines() -> None:
    header = HEADER | {"words": ["a\u2028b\x85c", "\u00e9"]}
    record = Record(header, ENTRIES, END)
    assert read(dump(record)) == record


@pytest.mark.parametrize("cut", [1, 2, 20, len(LINES[2]) - 1])
def test_a_last_line_cut_short_is_told_wherever_it_was_cut(cut: int) -> None:
    text = "\n".join(LINES[:3])[:-cut]
    record = read(text)
    assert record.entries == ENTRIES[:1]
    assert record.error == "line 3 is not a record line"


def test_a_whole_last_line_without_its_line_end_is_kept_and_told() -> None:
    record = read("\n".join(LINES[:3]))
    assert (record.entries, record.error) == (ENTRIES, "the last line is cut short")


def test_every_line_of_a_record_is_json_by_itself() -> None:
    assert [json.loads(line) for line in LINES] == [HEADER, *ENTRIES, END]
