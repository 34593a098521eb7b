"""What several commands share: reading files, printing JSON, and tables in plain text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from oikumene.core.errors import OikumeneError

MOST_BYTES = 64 * 1024 * 1024  # a file larger than this is none of ours


def read_text(path: Path) -> str:
    """A file's text. Raises OikumeneError for what is no UTF-8 text, OSError where it lacks."""
    if path.is_file() and path.stat().st_size > MOST_BYTES:
        raise OikumeneError(f"{path}: this file is too large to be one of ours; check its name")
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise OikumeneError(
            f"{path}: not a UTF-8 text (byte {error.start + 1}); check that this is the right file"
        ) from None


def print_json(value: Any) -> None:
    """One JSON value on one line."""
    print(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def columns(rows: Iterable[Sequence[str]], head: Sequence[str] = ()) -> list[str]:
    """The lines of a table: columns as wide as they must be, two spaces between.

    >>> columns([("roma", "rome"), ("athenae", "")], ("province", "marker"))
    ['province  marker', '--------  ------', 'roma      rome', 'athenae']
    """
    table = [tuple(row) for row in rows]
    if head:
        width = [max(len(cell) for cell in column) for column in zip(head, *table, strict=True)]
        table = [tuple(head), tuple("-" * n for n in width), *table]
    else:
        width = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    return [
        "  ".join(cell.ljust(n) for cell, n in zip(row, width, strict=True)).rstrip()
        for row in table
    ]


def counted(number: int, what: str) -> str:
    """A number with its noun.

    >>> counted(1, "entry"), counted(3, "entry"), counted(0, "game")
    ('1 entry', '3 entries', '0 games')
    """
    if number == 1:
        return f"1 {what}"
    plural = what[:-1] + "ies" if what.endswith("y") else what + "s"
    return f"{number} {plural}"
