"""The table in the terminal: shows what is asked, reads what is typed, tells what happens."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from oikumene.commands import terminal_board as board
from oikumene.commands import terminal_seats as of_seats
from oikumene.commands import terminal_words as typed_words
from oikumene.commands.common import counted
from oikumene.commands.terminal_choices import (
    Choice,
    Match,
    choices,
    grouped,
    matches,
    next_words,
)
from oikumene.commands.terminal_commands import COMMANDS
from oikumene.commands.terminal_input import Reader
from oikumene.commands.terminal_rules import behind, show_reasons, show_rules
from oikumene.commands.terminal_screen import Group, Screen
from oikumene.commands.terminal_table import Table, Wish
from oikumene.commands.terminal_telling import newly, sentences
from oikumene.core.errors import IllegalMove, NotationError, OikumeneError
from oikumene.core.game import Decide
from oikumene.core.limits import Refusal
from oikumene.core.moves import Move
from oikumene.games.mare_nostrum.cards import size
from oikumene.games.mare_nostrum.moves import hand_text
from oikumene.games.mare_nostrum.rounds import Call
from oikumene.games.mare_nostrum.sentences import Texts
from oikumene.games.mare_nostrum.state import MILITARY

MOST_SHOWN = 9  # payments or offers in a list
FEW = 12  # picks of cards that are all listed


class Loop:
    """One game from now to its end."""

    def __init__(self, table: Table, screen: Screen, source: Any, wish: Wish) -> None:
        self.table = table
        self.screen = screen
        self.wish = wish
        self.texts = Texts.load()
        self.book = table.game.rulebook()
        self.reader = Reader(source, screen, self.complete)
        self.found: list[Choice] = []  # the numbered choices
        self.open: Choice | None = None  # a choice whose second step is asked
        self.listed: list[Any] = []  # its numbered values
        self.said = len(table.told)  # how much has been told
        self.leaving = False

    # The course of the game ----------------------------------------------------------------------

    @property
    def setting(self) -> Any:
        """Rules, board and players."""
        return self.table.session.setting

    def run(self) -> None:
        """Until the end, `quit`, or the end of the input."""
        fresh = True
        while not self.leaving:
            if fresh:
                while self.table.go_on():
                    self.tell()
                self.tell()
                self.decision()
            entries = len(self.table.session.entries)
            line = self.reader.ask(self.prompt())
            if line is None:
                break
            table = self.table
            self.take(line)
            fresh = table is not self.table or entries != len(self.table.session.entries)

    def prompt(self) -> str:
        """What stands before the cursor."""
        if self.open is not None:
            return f"{self.seat}: {self.open.words[0]}"
        return self.seat

    @property
    def seat(self) -> str:
        """The name of the person's seat."""
        return str(self.table.seats[self.table.me])

    def tell(self) -> None:
        """Tell what has happened since the last time."""
        told = self.table.told
        for line in sentences(self.setting, self.texts, newly(told[self.said :])):
            if line.name == "round":
                self.screen.heading(line.text)
            else:
                self.screen.say(line.text, indent=2, hang=2)
        self.said = len(told)

    def decision(self) -> None:
        """What is asked of the person, and what can be answered."""
        self.open, self.listed = None, []
        if self.table.over:
            self.ending()
            return
        pending = self.table.session.pending
        assert isinstance(pending, Decide)
        step = pending.prompt
        number = self.table.view.state.round
        when = f"Round {number}, {self.phase()}" if number else self.phase()
        self.screen.heading(f"{when}: {self.me()}")
        self.screen.say(f"{self.texts.prompt(step)} ({', '.join(pending.cite)})")
        self.about(step)
        self.found = choices(self.table.game, self.table.session.state, self.table.legal())
        if len(self.found) == 1 and not self.found[0].single:
            self.ask_open(self.found[0])
        else:
            self.show_choices(range(len(self.found)))

    def me(self) -> str:
        """The person's seat."""
        return f"{self.texts.of('seat', self.table.seats[self.table.me])} decides"

    def phase(self) -> str:
        """The phase that is being played."""
        frame = self.table.view.state.agenda[-1]
        if isinstance(frame, Call) and frame.leader == MILITARY:
            return self.texts.of("phase", "strategy")
        return self.texts.phase(str(frame.name))

    def about(self, step: str) -> None:
        """What one needs to see for a step."""
        view = self.table.view
        if step in ("take", "forced-take", "ulysses"):
            self.screen.table(of_seats.trade_table(view, self.texts)._replace(title=""))
        if step in ("number", "offers", "build", "keep", "give", "good", "take"):
            hand = view.state.hands[view.seat]
            won = view.state.won[view.seat]
            self.screen.listed(
                [(self.texts.number("counted", "card", size(hand)), self.texts.cards(hand)),
                 ("with taken" if won else "sets", of_seats.sets_line(self.texts, hand + won))]
            )  # fmt: skip
        for table in board.fights(view, self.texts):
            self.screen.table(table)

    def takes(self) -> list[str]:
        """Who took what from whom in this trade, in order."""
        found: list[str] = []
        for one in self.table.told:
            if one.name in ("number", "round"):
                found.clear()
            elif one.name == "took":
                text = self.texts.event(self.setting, one.name, one.facts)
                found.append(text.removesuffix("."))
        return found

    def show_choices(self, numbers: Sequence[int]) -> None:
        """The choices with these numbers (counted from 0)."""
        wanted = {number + 1 for number in numbers}
        groups = [
            Group(title, [item for item in items if item[0] in wanted])
            for title, items in grouped(self.found)
        ]
        self.screen.choices(group for group in groups if group.items)

    def ending(self) -> None:
        """Result, reason, and how to check the dice."""
        over = self.table.over
        assert over is not None
        self.found = []
        names = [
            self.texts.all_of(self.texts.of("seat", self.table.seats[seat]) for seat in group)
            for group in over.ranking
        ]
        self.screen.heading(f"The game is over: {names[0]} won.")
        if len(names) > 1:
            self.screen.say(f"Behind: {', then '.join(names[1:])}.")
        show_rules(self.screen, self.book, [over.reason])
        end = self.table.session.record().end or {}
        if "secret" in end:
            self.screen.say(f"The secret of the dice: {end['secret']}")
        self.keep()
        if self.table.saved_as:
            self.screen.say("Every move and every die can be checked:")
            self.screen.command(f"./oikumene verify {short(self.table.saved_as)}")
        self.screen.say("`log` and `board` look back, `undo` tries another way, `quit` leaves.")

    # What is typed -------------------------------------------------------------------------------

    def take(self, line: str) -> None:
        """One line: the answer of a second step, a command, a number, or a move."""
        try:
            self._take(line)
        except IllegalMove as error:
            if not error.refusal:
                self.screen.say(_sentence(str(error)))
                return
            self.screen.say("That is not allowed:")
            show_reasons(self.screen, self.book, self.texts, error.refusal, self.table.seats)
        except OikumeneError as error:
            self.screen.say(_sentence(str(error)))
        except OSError as error:
            self.screen.say(f"{error.filename or ''}: {error.strerror or error}".lstrip(": "))

    def _take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        command = COMMANDS.get(word.casefold())
        if command is not None:
            command(self, rest.strip())
            return
        if self.open is not None and self.answer(line):
            return
        if not line:
            self.decision()
            return
        if line.isascii() and line.isdigit():
            self.by_number(int(line[:9]))
            return
        found = self.matching(line)
        if found:
            self.by_match(found)
            return
        near = [name for name in COMMANDS if name.startswith(word.casefold())]
        if len(near) == 1:
            COMMANDS[near[0]](self, rest.strip())
            return
        self.refuse(line)

    def matching(self, line: str) -> list[Match]:
        """The legal choices that a text can mean."""
        text = typed_words.simple(self.setting, self.texts, line)
        return matches(self.found, text.split())

    def by_number(self, number: int) -> None:
        """A choice by its number."""
        if not self.found:
            self.screen.say("Nothing is asked any more.")
        elif not 1 <= number <= len(self.found):
            self.screen.say(f"The choices are 1 to {len(self.found)}; `moves` shows them.")
        else:
            self.choose(self.found[number - 1], ())

    def by_match(self, found: Sequence[Match]) -> None:
        """A choice by its text."""
        if len(found) == 1:
            self.choose(found[0].choice, found[0].rest)
            return
        self.screen.say("This can be several moves:")
        self.show_choices([self.found.index(match.choice) for match in found])

    def choose(self, choice: Choice, rest: Sequence[str]) -> None:
        """Play it, or ask for what is still open."""
        if rest:
            self.table.play(self.with_rest(choice, rest))
        elif choice.single:
            self.table.play(choice.with_open(choice.axis[0]) if choice.at else choice.move)
        else:
            self.ask_open(choice)

    def with_rest(self, choice: Choice, rest: Sequence[str]) -> Move:
        """The move with what was typed behind it."""
        if choice.move[0] == "fight":
            text = " ".join((*choice.words, "with", *rest))
            found: Move = self.table.game.parse(self.table.session.state, text)
            return found
        if isinstance(choice.axis[0], int) and choice.move[0] in ("number", "march", "sail"):
            if not rest[0].isdigit():
                raise NotationError(f"'{rest[0]}' is not a number")
            return choice.with_open(int(rest[0][:9]))
        return choice.with_open(typed_words.cards_of(rest))

    # The second step -----------------------------------------------------------------------------

    def ask_open(self, choice: Choice) -> None:
        """Show what can be chosen in the second step."""
        self.open = choice
        verb = choice.move[0]
        if verb in ("number", "march", "sail"):
            low, high = choice.axis[0], choice.axis[len(choice.axis) - 1]
            self.listed = []
            self.screen.say(f"{' '.join(choice.words)}: how many? {low} to {high}")
            return
        self.listed = self.best(choice)
        hand = self.table.view.state.hands[self.table.me]
        if verb == "fight":
            self.screen.say(f"{' '.join(choice.words)}: who fights?")
            rows = [(f"{at}", _units(self.table, choice, one)) for at, one in self._numbered()]
            self.screen.listed(rows, indent=2)
        elif verb == "offer":
            number = size(choice.axis[0])
            which = "card" if number == 1 else f"{number} cards"
            example = hand_text(self.listed[0])
            self.screen.say(f"Which {which}? A number, or by name: offer {example}")
            rows = [
                (f"{at}", f"{self.texts.cards(one)} (you keep {self.texts.cards(hand - one)})")
                for at, one in self._numbered()
            ]
            self.screen.listed(rows, indent=2)
        else:
            number = size(choice.axis[0])
            self.screen.say(f"{' '.join(choice.words)}: {number} cards, {len(choice.axis)} ways")
            rows = [
                (f"{at}", f"{self.texts.cards(one)} (leaves {self.texts.cards(hand - one)})")
                for at, one in self._numbered()
            ]
            self.screen.listed(rows, indent=2)
            self.screen.quiet("Enter for 1, a number, other cards by name, or `back`.")

    def _numbered(self) -> list[tuple[int, Any]]:
        return list(enumerate(self.listed, 1))

    def best(self, choice: Choice) -> list[Any]:
        """The values of the open noun that are worth showing, the best first."""
        verb = choice.move[0]
        hand = self.table.view.state.hands[self.table.me]
        if verb in ("build", "buy"):
            return of_seats.cheapest(hand, choice.axis)[:MOST_SHOWN]
        if verb == "offer" and len(choice.axis) > FEW:
            return [of_seats.to_offer(hand, size(choice.axis[0]))]
        if verb == "offer":
            first = of_seats.to_offer(hand, size(choice.axis[0]))
            return [first, *(one for one in choice.axis if one != first)]
        return [choice.axis[at] for at in range(min(len(choice.axis), FEW))]

    def answer(self, line: str) -> bool:
        """What was typed in the second step; False if it is no answer to it."""
        choice = self.open
        assert choice is not None
        if line.casefold() == "back":
            if len(self.found) == 1:
                self.screen.say("This must be answered; `undo` goes back to what was before.")
                return True
            self.open = None
            self.show_choices(range(len(self.found)))
            return True
        if line.isascii() and line.isdigit():
            self.table.play(choice.with_open(self._value(choice, int(line[:9]))))
            return True
        if not line:
            if choice.move[0] in ("build", "buy"):
                self.table.play(choice.with_open(self.listed[0]))
            else:
                self.ask_open(choice)
            return True
        if self.matching(line):
            return False
        words = [word for word in line.replace(",", " ").split() if word != "with"]
        if choice.move[0] in ("build", "buy", "offer") and typed_words.is_card(words):
            self.table.play(choice.with_open(typed_words.cards_of(words)))
            return True
        return False

    def _value(self, choice: Choice, number: int) -> Any:
        if not self.listed:
            return number
        if not 1 <= number <= len(self.listed):
            raise NotationError(f"the numbers are 1 to {len(self.listed)}; `back` leaves it")
        return self.listed[number - 1]

    # Why not -------------------------------------------------------------------------------------

    def judged(self, line: str) -> tuple[str, Move, Refusal]:
        """A text that fits no legal choice: the move it means, and all reasons against it.

        Raises NotationError where it means no move at all.
        """
        state, me = self.table.session.state, self.table.me
        text = typed_words.simple(self.setting, self.texts, line)
        verbs = getattr(state.agenda[-1], "verbs", ()) if state.agenda else ()
        whole = typed_words.completed(self.table.view.state, me, text, verbs)
        move: Move = self.table.game.parse(state, whole)
        if "with" not in text.split():
            whole = whole.partition(" with")[0]  # the payment was ours, not typed
        return whole, move, self.table.game.refusal(state, me, move)

    def against(self, whole: str, refusal: Refusal) -> None:
        """Show all reasons against a move."""
        self.screen.say(f"Not allowed: {whole}")
        show_reasons(self.screen, self.book, self.texts, refusal, self.table.seats)

    def refuse(self, line: str) -> None:
        """A typed text that is no legal choice: why, or that it is no move at all."""
        try:
            whole, move, refusal = self.judged(line)
        except NotationError as error:
            if "is not a move" not in str(error):
                raise
            self.screen.say(
                f"'{line}' is no move and no command here. `moves` lists your moves, "
                "`help` the commands."
            )
            return
        if refusal:
            self.against(whole, refusal)
        else:  # legal, but typed in a way the choices do not know
            self.table.play(move)

    def why(self, text: str) -> None:
        """All reasons against a move, or the rules behind a legal one."""
        if text.isdigit() and 1 <= int(text[:9]) <= len(self.found):
            found = [Match(self.found[int(text) - 1], (), 0)]
        else:
            found = self.matching(text)
        if found:
            choice, rest, _ = found[0]
            move = self.with_rest(choice, rest) if rest else choice.move
            whole = choice.text()
            refusal = self.table.game.refusal(self.table.session.state, self.table.me, move)
        else:
            whole, move, refusal = self.judged(text)
        if refusal:
            self.against(whole, refusal)
            return
        pending = self.table.session.pending
        cite = pending.cite if isinstance(pending, Decide) else ()
        self.screen.say(f"`{whole}` is legal now. The rules behind it:")
        show_rules(self.screen, self.book, behind(cite, move[0]))

    # Leaving and coming back ---------------------------------------------------------------------

    def loaded(self, error: str, *, proven: bool) -> None:
        """Say what was loaded."""
        entries = len(self.table.session.entries)
        self.screen.say(f"Loaded: {counted(entries, 'entry')}.")
        if error:
            self.screen.say(
                f"The record is damaged: {error}. Its longest valid part is here, up to entry "
                f"{entries}; you can play on from it."
            )
        if not proven and not self.table.over:
            self.screen.say(
                "The secret of its dice is not in the file. Dice from here on are thrown anew; "
                "the record marks them as unproven."
            )

    def keep(self) -> None:
        """Keep what nobody saved: in the file it was saved to before, else in one of its own."""
        if self.table.unsaved:
            with suppress(OSError, OikumeneError):
                self.table.save(self.table.saved_as or self.table.own_file())

    def farewell(self) -> None:
        """Where the game is."""
        self.keep()
        kept = self.table.saved_as
        if kept and not self.table.over:
            game = self.table.game.name
            self.screen.say("The game is kept. To go on:")
            self.screen.command(f"./oikumene terminal {game} --load {short(kept)}")

    # Completion ----------------------------------------------------------------------------------

    def complete(self, before: list[str]) -> list[str]:
        """The words that may follow those before the cursor."""
        words = [word.casefold() for word in before]
        if words and words[0] in ("province", "board", "odds"):
            return list(self.setting.board.places)
        if words and words[0] in ("why", "moves"):
            words = words[1:]
            return next_words(self.found, words)
        if words and words[0] == "rules":
            return [one.casefold() for one in self.book.rules]
        follow = next_words(self.found, words)
        if not words:
            follow += list(COMMANDS)
        if self.open is not None or "with" in words or words[:1] == ["offer"]:
            hand = self.table.view.state.hands[self.table.me]
            follow += [word.partition("*")[0] for word in hand_text(hand).split()]
        return follow


def short(path: Path) -> str:
    """A path for the shell; in the user's own folder it begins with `~`."""
    with suppress(ValueError):
        return f"~/{shlex.quote(str(path.absolute().relative_to(Path.home())))}"
    return shlex.quote(str(path))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def _units(table: Table, choice: Choice, units: tuple[int, ...]) -> str:
    """The units of a fight in words."""
    text: str = table.game.text(table.session.state, choice.with_open(units))
    return text.partition(" with ")[2] or "all that can"
