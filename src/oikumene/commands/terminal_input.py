"""Reading what is typed: from the keyboard with history and completion, or from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from oikumene.commands.terminal_screen import Screen

Complete = Callable[[list[str]], Sequence[str]]  # the words before -> those that may follow


class Reader:
    """Lines from the keyboard or from a pipe; None at the end of the input."""

    def __init__(self, source: TextIO, screen: Screen, complete: Complete) -> None:
        self.source = source
        self.screen = screen
        self.keyboard = source is sys.stdin and source.isatty() and screen.out.isatty()
        if self.keyboard and not screen.plain:
            _set_completion(complete)

    def ask(self, prompt: str) -> str | None:
        """One line, without the spaces around it."""
        if self.keyboard:
            try:
                return input(f"{prompt}> ").strip()
            except EOFError:
                print(file=self.screen.out)
                return None
            except KeyboardInterrupt:
                print(file=self.screen.out)
                raise
        print(f"{prompt}> ", end="", file=self.screen.out, flush=True)
        line = self.source.readline()
        if not line:
            print(file=self.screen.out)
            return None
        print(line.strip(), file=self.screen.out)  # so that a transcript can be read
        return line.strip()


def _set_completion(complete: Complete) -> None:
    """Completion with the tab key, where Python has `readline`."""
    try:
        import readline
    except ImportError:
        return

    found: list[str] = []

    def completer(text: str, number: int) -> str | None:
        if number == 0:
            before = readline.get_line_buffer()[: readline.get_begidx()].split()
            found[:] = [word for word in complete(before) if word.startswith(text.casefold())]
        return found[number] + " " if number < len(found) else None

    readline.set_completer(completer)
    readline.set_completer_delims(" ")
    old = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if old else "tab: complete")
