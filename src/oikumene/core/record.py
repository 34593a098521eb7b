"""The game record: one text file a game, JSON lines, each closed by a check.

The first line is the header: format, game, rules number, preset and resolved options, board, seats,
the commitment of the chance secret. Then one entry a move or outcome, then, once the game is over,
a last line with the result and the opened secret. See docs/record.md.

A check is BLAKE2b over the previous check, the line's own text without its check, and (for an
entry) the position text after it. Whoever saw the checks of a running game could find hidden
hands by trying them: a redacted record has none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple, TypeAlias

from oikumene.core.errors import RecordError

FORMAT = 1
Line: TypeAlias = dict[str, Any]
HEADER = {
    "game": str, "rules": int, "preset": str, "options": dict, "map": dict, "seats": list,
    "commitment": str,
}  # fmt: skip


class Record(NamedTuple):
    """A record as read: header, entries, and the closing line (None while the game runs).

    `error` tells where a damaged file stops being readable; what stands before it is here.
    """

    header: Line
    entries: list[Line]
    end: Line | None = None
    error: str = ""


def line_text(line: Mapping[str, Any]) -> str:
    """The canonical text of a line: compact JSON in the order of its keys."""
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False)


def check_of(previous: str, line: Mapping[str, Any], position: str = "") -> str:
    """The check that closes a line (32 hexadecimal digits); `line` is without its check."""
    return check_of_text(previous, line_text(line), position)


def check_of_text(previous: str, text: str, position: str) -> str:
    """`check_of` for a line already written as text."""
    whole = f"{previous}\n{text}\n{position}"
    return blake2b(whole.encode(), digest_size=16).hexdigest()


def without_check(line: Mapping[str, Any]) -> Line:
    """The line as it was when its check was made."""
    return {key: value for key, value in line.items() if key != "check"}


def dump(record: Record) -> str:
    """The file's text."""
    end = [record.end] if record.end else []
    return "".join(line_text(line) + "\n" for line in (record.header, *record.entries, *end))


def read(text: str) -> Record:
    """A record from a file's text, as far as it can be read.

    Raises RecordError where not even the header is usable.
    """
    lines = text.removesuffix("\n").split("\n")  # `splitlines` would split inside of texts too
    if not text.strip():
        raise RecordError("the file is empty; a game record begins with its header line")
    header = _header(lines[0])
    entries: list[Line] = []
    for number, raw in enumerate(lines[1:], 2):
        line = _json(raw)
        if line is None:
            return Record(header, entries, None, f"line {number} is not a record line")
        if "end" in line:
            extra = any(rest.strip() for rest in lines[number:])
            return Record(header, entries, line, "lines follow after the end" if extra else "")
        if line.get("n") != len(entries) + 1:
            wanted = len(entries) + 1
            return Record(header, entries, None, f"line {number}: entry {wanted} is missing")
        entries.append(line)
    cut = "" if text.endswith("\n") else "the last line is cut short"
    return Record(header, entries, None, cut)


def _json(raw: str) -> Line | None:
    try:
        line = json.loads(raw)
        if "\\u" in raw:
            line_text(line).encode()  # half a character, which JSON can write, is no text
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None


def _header(raw: str) -> Line:
    header = _json(raw)
    if header is None or "format" not in header:
        raise RecordError("this is not a game record: the first line must be its header")
    if header["format"] not in range(1, FORMAT + 1):
        raise RecordError(
            f"this record has format {header['format']}, this program reads up to {FORMAT}; "
            "use a newer Oikumene"
        )
    missing = [key for key in HEADER if key not in header]
    if missing:
        raise RecordError(
            f"the record's header lacks: {', '.join(missing)}; take the file from where it was made"
        )
    wrong = [key for key, kind in HEADER.items() if not isinstance(header[key], kind)]
    wrong += [key for key in ("options", "seats", "words") if not _holds_texts(header.get(key, []))]
    if wrong:
        raise RecordError(
            f"the record's header is damaged: {', '.join(dict.fromkeys(wrong))}; "
            "take the file from where it was made"
        )
    return header


def _holds_texts(values: Any) -> bool:
    """Whether it is a list of texts, or a table of them."""
    parts = values.values() if isinstance(values, dict) else values
    return isinstance(values, dict | list) and all(isinstance(one, str) for one in parts)
