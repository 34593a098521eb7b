"""What the terminal shows: paragraphs, tables and numbered choices, at the width that is there.

Two ways of writing. The usual one wraps at the width of the window, asked anew each time, and sets
tables in columns. The plain one (`--plain`) is for screen readers and pipes: no columns, no colour,
one fact a line, never broken.
"""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TextIO

LEAST, MOST, READABLE = 40, 120, 96  # widths: of a window, of a table, of a paragraph
BOLD, DIM, RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"
GAP = 2


class Table(NamedTuple):
    """A table; its first column names the row. Empty cells are not spoken."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""
    labels: tuple[str, ...] = ()  # what is said before each cell but the first; else the head


class Group(NamedTuple):
    """Choices that have the beginning of their text in common."""

    title: str
    items: Sequence[tuple[int, str, str]]  # number, what differs, the whole text


class Screen:
    """Where everything is written."""

    def __init__(self, out: TextIO, *, plain: bool = False) -> None:
        self.out = out
        self.plain = plain
        self.styled = (
            not plain
            and out.isatty()
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM", "") != "dumb"
        )

    @property
    def width(self) -> int:
        """The width of the window now."""
        return max(LEAST, min(MOST, shutil.get_terminal_size((80, 24)).columns))

    def _write(self, lines: Iterable[str], style: str = "") -> None:
        for line in lines:
            shown = line.rstrip()
            print(f"{style}{shown}{RESET}" if style and self.styled else shown, file=self.out)

    # Paragraphs ----------------------------------------------------------------------------------

    def say(self, text: str = "", *, indent: int = 0, hang: int = 0, style: str = "") -> None:
        """A paragraph; later lines are indented by `hang` more."""
        if self.plain:
            if text:
                self._write([text])
            return
        self._write(wrapped(text, min(self.width, READABLE), indent, hang) or [""], style)

    def quiet(self, text: str, *, indent: int = 0, hang: int = 0) -> None:
        """A paragraph of less weight."""
        self.say(text, indent=indent, hang=hang, style=DIM)

    def command(self, text: str) -> None:
        """A command for the shell, on one line, or on several that can be copied together."""
        whole = f"  {text}"
        if self.plain or len(whole) <= self.width:
            self._write([text if self.plain else whole])
            return
        lines = textwrap.wrap(
            whole, self.width - 2, subsequent_indent="    ", break_long_words=False,
            break_on_hyphens=False,
        )  # fmt: skip
        self._write([*(f"{line} \\" for line in lines[:-1]), lines[-1]])

    def heading(self, text: str) -> None:
        """A line that stands out, with room above."""
        self.say()
        self.say(text, style=BOLD)

    def listed(self, rows: Iterable[tuple[str, str]], *, indent: int = 0) -> None:
        """Names with texts beside them."""
        found = list(rows)
        if self.plain:
            self._write(f"{name}: {text}" for name, text in found)
            return
        margin = min(max((len(name) for name, _ in found), default=0) + GAP, self.width // 3)
        for name, text in found:
            lines = wrapped(text, min(self.width, READABLE), indent + margin, 0) or [""]
            if len(name) + GAP <= margin:
                lines[0] = " " * indent + name.ljust(margin) + lines[0].lstrip()
            else:
                self.say(name, indent=indent, hang=2)
            self._write(lines)

    # Tables --------------------------------------------------------------------------------------

    def table(self, table: Table) -> None:
        """A table: in columns, or row by row as sentences."""
        if self.plain:
            self._speak(table)
            return
        if table.title:
            self.heading(table.title)
        if not table.rows:
            self.say(table.note or "nothing", indent=0)
            return
        if len(table.head) == 2 and not table.head[1]:
            self.listed([(row[0], row[1]) for row in table.rows])
        else:
            self._columns(table)
        if table.note:
            self.quiet(table.note)

    def tables(self, tables: Iterable[Table]) -> None:
        """Tables of one kind, their columns in line."""
        found = list(tables)
        rows = [row for table in found for row in table.rows]
        for table in found:
            if self.plain or not table.rows:
                self.table(table)
                continue
            self.heading(table.title)
            if self._fits(table.head, rows):
                self._columns(table, rows)
            elif table.labels:
                self.listed([(row[0], _spoken(table, row)) for row in table.rows])
            else:
                self._columns(table)

    def _fits(self, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> bool:
        """Whether the columns of these rows need no wrapping."""
        natural = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        return sum(natural) + GAP * (len(natural) - 1) <= self.width

    def _speak(self, table: Table) -> None:
        if table.title:
            self._write([table.title if ":" in table.title else f"{table.title}:"])
        for row in table.rows:
            text = _spoken(table, row)
            self._write([f"{row[0]}: {text}" if text else row[0]])
        if table.note or not table.rows:
            self._write([table.note or "nothing"])

    def _columns(self, table: Table, measure: Sequence[tuple[str, ...]] = ()) -> None:
        """Rows in columns as wide as `measure` needs; a column without a cell is left out."""
        rows = list(table.rows)
        columns = list(zip(table.head, *(measure or rows), strict=True))
        used = [at for at, column in enumerate(columns) if at == 0 or any(column[1:])]
        natural = [max(map(len, columns[at])) for at in used]
        least = [_least(columns[at]) for at in used]
        least[0] = min(natural[0], 16)  # the names of the rows stay whole
        widths = shared(natural, least, self.width)
        self._write(_row([table.head[at] for at in used], widths), DIM)
        for row in rows:
            self._write(_row([row[at] for at in used], widths))

    # Choices -------------------------------------------------------------------------------------

    def choices(self, groups: Iterable[Group]) -> None:
        """Numbered choices, those of a group beside each other."""
        found = list(groups)
        if self.plain:
            self._write(f"{at}: {text}" for group in found for at, _, text in group.items)
            return
        most = max(18, self.width // 4)  # longer titles get a line of their own
        titles = [len(group.title) for group in found if len(group.title) + GAP <= most]
        margin = max(titles, default=0) + GAP
        for group in found:
            fits = len(group.title) + GAP <= most
            if not fits:
                self.say(group.title)
            left = margin if fits else GAP
            for number, line in enumerate(_filled(group, self.width - left)):
                head = group.title if fits and number == 0 else ""
                self._write([head.ljust(left) + line])


def _filled(group: Group, room: int) -> list[str]:
    """The items of a group beside each other, in lines of this width."""
    lines: list[str] = []
    for at, item, _ in group.items:
        part = f"{at} {item}".rstrip()
        if lines and len(lines[-1]) + GAP + len(part) <= room:
            lines[-1] += " " * GAP + part
        else:
            lines.append(part)
    return [piece for line in lines for piece in wrapped(line, room, 0, GAP)]


def wrapped(text: str, width: int, indent: int, hang: int) -> list[str]:
    """The lines of a paragraph."""
    return textwrap.wrap(
        text, width, initial_indent=" " * indent, subsequent_indent=" " * (indent + hang),
        break_on_hyphens=False, drop_whitespace=True,
    )  # fmt: skip


def _spoken(table: Table, row: tuple[str, ...]) -> str:
    """The cells of a row but the first, as words."""
    labels = table.labels or table.head[1:]
    return "; ".join(
        f"{label} {cell}".strip() for label, cell in zip(labels, row[1:], strict=True) if cell
    )


def _least(column: Sequence[str]) -> int:
    """How narrow a column may become: its longest word."""
    return max((len(word) for cell in column for word in cell.split()), default=1)


def shared(natural: Sequence[int], least: Sequence[int], width: int) -> list[int]:
    """Widths of columns that fit the window: the widest one gives way first.

    >>> shared([10, 40, 30], [5, 10, 10], 60)
    [10, 23, 23]
    """
    widths = list(natural)
    room = width - GAP * (len(widths) - 1)
    while sum(widths) > room:
        can = [at for at, one in enumerate(widths) if one > least[at]]
        if not can:
            widest = max(range(len(widths)), key=lambda at: widths[at])
            widths[widest] -= 1
        else:
            widths[max(can, key=lambda at: widths[at])] -= 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """The lines of one row: each cell wrapped in its column."""
    columns = [
        textwrap.wrap(cell, width, subsequent_indent=" " if width > 12 else "") or [""]
        for cell, width in zip(cells, widths, strict=True)
    ]
    return [
        (" " * GAP).join(
            (column[at] if at < len(column) else "").ljust(width)
            for column, width in zip(columns, widths, strict=True)
        )
        for at in range(max(map(len, columns)))
    ]
