"""`oikumene rules`: rules, chapters, options, and which rules the cases cover."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from oikumene.commands import coverage as covers
from oikumene.commands.cases import PROJECT, cases_of
from oikumene.commands.common import columns, counted, print_json
from oikumene.core.errors import OptionError
from oikumene.core.options import Option
from oikumene.core.rulebook import Rulebook, RuleText
from oikumene.games import load_game

WIDTH = 92


def rules(
    name: str, rule_id: str | None, *, search: str | None, language: str, coverage: bool,
    options: bool, as_json: bool,
) -> int:  # fmt: skip
    """Show a rule, a chapter, what a search finds, the chapters, the options or the coverage."""
    game = load_game(name)
    book = game.rulebook(language)
    asked = [bool(search is not None), coverage, options]
    if sum(asked) > 1 or (rule_id and not options and any(asked)):
        raise OptionError("one question at a time: an ID, --search, --options or --coverage")
    if coverage:
        return covers.coverage(game, book, as_json=as_json)
    if options:
        return option_table(game, rule_id, as_json=as_json)
    if search is not None:
        return found_rules(book, search, as_json=as_json)
    if rule_id is None:
        return chapters(name, book, as_json=as_json)
    number = chapter_number(rule_id)
    if number is not None:
        return chapter(book, number, as_json=as_json)
    return one_rule(game, book, book.rule(rule_id), as_json=as_json)


def wrapped(text: str, indent: str = "") -> str:
    """A paragraph."""
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def listed(found: list[RuleText]) -> str:
    """Rules with their whole texts, the ids in the margin."""
    width = max(len(rule.id) for rule in found) + 2
    return "\n".join(
        textwrap.fill(rule.text, WIDTH, initial_indent=rule.id.ljust(width),
                      subsequent_indent=" " * width)
        for rule in found
    )  # fmt: skip


def as_data(rule: RuleText) -> dict[str, Any]:
    """A rule as JSON."""
    return {**rule._asdict(), "options": list(rule.options), "when": dict(rule.when)}


# Chapters and rules ------------------------------------------------------------------------------


def chapter_number(rule_id: str) -> int | None:
    """The number in `MN-8`, `mn-8` or `8`; None for anything else."""
    found = re.fullmatch(r"(?:[A-Za-z]+-)?([0-9]{1,3})", rule_id)
    return int(found[1]) if found else None


def in_chapter(book: Rulebook, number: int) -> list[RuleText]:
    """The rules of a chapter."""
    wanted = str(number)
    return [rule for rule in book.rules.values() if rule.id.split("-")[1].split(".")[0] == wanted]


def chapters(name: str, book: Rulebook, *, as_json: bool) -> int:
    """All chapters with their first and last rules."""
    rows = []
    for number, title in book.chapters.items():
        found = in_chapter(book, number)
        if as_json:
            print_json({"chapter": number, "title": title, "rules": [rule.id for rule in found]})
        elif found:
            rows.append((str(number), title, f"{found[0].id} to {found[-1].id}"))
    if not as_json:
        print("\n".join(columns(rows, ("chapter", "title", "rules"))))
        first = next(iter(book.rules))
        print(f"\nOne chapter: ./oikumene rules {name} {first.split('.')[0]}")
        print(f"One rule:    ./oikumene rules {name} {first}")
        print(f'By words:    ./oikumene rules {name} --search "WORDS"')
    return 0


def chapter(book: Rulebook, number: int, *, as_json: bool) -> int:
    """All rules of one chapter."""
    if number not in book.chapters:
        known = list(book.chapters)
        raise OptionError(f"no chapter {number}; there are {known[0]} to {known[-1]}")
    found = in_chapter(book, number)
    if as_json:
        for rule in found:
            print_json(as_data(rule))
        return 0
    print(f"{number}. {book.chapters[number]}\n")
    print(listed(found))
    return 0


def found_rules(book: Rulebook, words: str, *, as_json: bool) -> int:
    """The rules that hold all the words."""
    if not words.split():
        raise OptionError("--search needs words to look for")
    found = book.search(words)
    if as_json:
        for rule in found:
            print_json(as_data(rule))
        return 0
    if not found:
        print(f"no rule holds all of these words: {words}")
        return 0
    print(listed(found))
    print(f"\n{counted(len(found), 'rule')}")
    return 0


def one_rule(game: Any, book: Rulebook, rule: RuleText, *, as_json: bool) -> int:
    """One rule with all that is known of it."""
    cases = [(file, case) for file, case in cases_of(game.name) if covers.names(case, rule.id)]
    if as_json:
        shown = [{"id": case["id"], "title": case["title"]} for _, case in cases]
        print_json({**as_data(rule), "cases": shown})
        return 0
    number = chapter_number(rule.id.split(".")[0]) or 0
    print(f"{rule.id}  {rule.kind}, in chapter {number}: {book.chapters.get(number, '')}\n")
    print(wrapped(rule.text))
    print()
    print(wrapped(f"Source: {rule.source}"))
    for source in sources_named(book, rule.source):
        print(wrapped(f"{source}: {book.sources[source]}", "  "))
    if rule.ours:
        print(wrapped(f"Our reading: {rule.reading or 'no text decides'}"))
    elif rule.reading:
        print(wrapped(f"Reading: {rule.reading}"))
    for option, values in rule.when.items():
        print(f"Only under: {option} = {' or '.join(values)}")
    for option in rule.options:
        print(option_line(game.options().options[option]))
    print()
    print_cases(cases)
    return 0


def print_cases(cases: list[tuple[Any, dict[str, Any]]]) -> None:
    """The cases that name a rule."""
    if not cases:
        print("No conformance case names this rule.")
        return
    print("Conformance cases that name it:")
    for file, case in cases:
        print(wrapped(f"{case['id']}: {case['title']} ({file.relative_to(PROJECT)})", "  "))


def sources_named(book: Rulebook, text: str) -> list[str]:
    """The sources a text cites by their ids, S0/14 before S0."""
    words = set(re.findall(r"[A-Za-z0-9]+(?:/[A-Z0-9]+)?", text))
    return [source for source in book.sources if source in words]


# Options -----------------------------------------------------------------------------------------


def option_line(option: Option) -> str:
    """An option and its values on one line."""
    values = " | ".join(
        value.value + ("" if value.built else " (not built yet)")
        for value in option.values.values()
    )
    return wrapped(f"Option {option.name}: {values}; default {option.default}")


def option_table(game: Any, name: str | None, *, as_json: bool) -> int:
    """All options, or one with its values, sources and presets."""
    table = game.options()
    if name is not None:
        table.check(name, next(iter(table.options[name].values)) if name in table.options else "")
    chosen = [table.options[name]] if name else list(table.options.values())
    if as_json:
        for option in chosen:
            values = [value._asdict() for value in option.values.values()]
            in_presets = {
                preset.name: preset.values[option.name]
                for preset in table.presets.values()
                if option.name in preset.values
            }
            data = {**option._asdict(), "values": values, "rules": list(option.rules)}
            print_json({**data, "presets": in_presets})
        return 0
    if name is None:
        rows = [
            (option.name, " | ".join(mark(one, option) for one in option.values.values()))
            for option in chosen
        ]
        print("\n".join(columns(rows, ("option", "values (* default, - not built yet)"))))
        print("\nrule sets:")
        for preset in table.presets.values():
            built = "" if preset.built else " (not built yet)"
            print(f"  {preset.name}{built}: {preset.title}")
        print(f"\nOne option: ./oikumene rules {game.name} --options {chosen[0].name}")
        return 0
    print_option(table, chosen[0])
    return 0


def mark(value: Any, option: Option) -> str:
    """A value with its marks."""
    default = "*" if value.value == option.default else ""
    return f"{value.value}{default}{'' if value.built else '-'}"


def print_option(table: Any, option: Option) -> None:
    """One option with all that is known of it."""
    print(f"{option.name} ({', '.join(option.rules)})\n")
    print(wrapped(option.text))
    if option.note:
        print(wrapped(option.note))
    for value in option.values.values():
        notes = [
            *(["default"] if value.value == option.default else []),
            *([] if value.built else ["not built yet"]),
        ]
        print("\n  " + value.value + (f" ({', '.join(notes)})" if notes else ""))
        print(wrapped(value.text, "    "))
        print(wrapped(f"Source: {value.source}", "    "))
    print()
    for preset in table.presets.values():
        if option.name in preset.values:
            print(f"  {preset.name}: {preset.values[option.name]}")
