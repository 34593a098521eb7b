"""`why` and `rules` at the table: reasons with the rules' texts and sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oikumene.commands.rules import chapter_number, in_chapter
from oikumene.commands.terminal_screen import Screen
from oikumene.core.errors import OptionError
from oikumene.core.limits import Reason
from oikumene.core.rulebook import Rulebook, RuleText
from oikumene.games.mare_nostrum.sentences import Texts

# What stands behind a legal move, beside the rules that its step cites.
BEHIND: Mapping[str, tuple[str, ...]] = {
    "build": ("MN-9.2", "MN-9.4", "MN-9.5", "MN-10.1"),
    "buy": ("MN-9.2", "MN-9.4", "MN-12.3"),
    "free": ("MN-11.6",),
    "swap": ("MN-24.5",),
    "take": ("MN-8.10",),
    "number": ("MN-8.1",),
    "offer": ("MN-8.3",),
    "sail": ("MN-14.1", "MN-14.2"),
    "march": ("MN-16.1", "MN-17.2"),
    "fight": ("MN-18.1", "MN-18.5", "MN-18.8"),
    "pillage": ("MN-19.6",),
    "occupy": ("MN-19.8",),
    "takeover": ("MN-19.10", "MN-20.2"),
    "lose": ("MN-18.9",),
    "keep": ("MN-9.7",),
    "helen": ("MN-25.4",),
    "ulysses": ("MN-25.8",),
    "call": ("MN-6.14",),
}


def show_rule(screen: Screen, rule: RuleText) -> None:
    """A rule with its source."""
    screen.listed([(rule.id, rule.text)], indent=2)
    source = f"Source: {rule.source}"
    if rule.ours:
        source += f". Our reading: {rule.reading or 'no text decides'}"
    screen.quiet(source, indent=6 + len(rule.id) - 2)


def show_rules(screen: Screen, book: Rulebook, ids: Iterable[str]) -> None:
    """Rules by their ids, once each."""
    for one in dict.fromkeys(ids):
        if one in book.rules:
            show_rule(screen, book.rules[one])


def show_reasons(
    screen: Screen, book: Rulebook, texts: Texts, refusal: Iterable[Reason], seats: tuple[str, ...]
) -> None:
    """Every reason of a refusal."""
    shown: set[str] = set()
    for reason in refusal:
        if reason.rule in shown:
            continue
        shown.add(reason.rule)
        if reason.rule in book.rules:
            show_rule(screen, book.rules[reason.rule])
            for fact in facts(reason):
                screen.say(fact, indent=4 + len(reason.rule))
            continue
        screen.say(texts.reason(reason.rule, **_words(texts, reason, seats)), indent=2)


def _words(texts: Texts, reason: Reason, seats: tuple[str, ...]) -> dict[str, str]:
    asked = reason.facts.get("asked", ())
    prompt = reason.facts.get("prompt", "")
    known = prompt in texts.doc["prompt"]
    return {
        "asked": texts.all_of(texts.of("seat", seats[seat]) for seat in asked),
        "prompt": texts.prompt(prompt) if known else prompt,
    }


def facts(reason: Reason) -> Iterable[str]:
    """The numbers a reason saw, where they help."""
    names = {"price": "the price is {}", "points": "points left: {}", "number": "wanted: {}",
             "cards": "cards you hold: {}"}  # fmt: skip
    for key, text in names.items():
        if key in reason.facts:
            yield f"({text.format(reason.facts[key])})"


def look_up(screen: Screen, book: Rulebook, words: str) -> None:
    """A rule, a chapter, or the rules that hold all the words."""
    if not words:
        for number, title in book.chapters.items():
            found = in_chapter(book, number)
            if found:
                screen.listed([(f"{found[0].id.split('.')[0]}", title)])
        screen.quiet("`rules MN-8` shows a chapter, `rules MN-8.10` a rule, `rules WORD` a search.")
        return
    number_wanted = chapter_number(words)
    if number_wanted is not None and number_wanted in book.chapters:
        screen.heading(f"{number_wanted}. {book.chapters[number_wanted]}")
        screen.listed([(rule.id, rule.text) for rule in in_chapter(book, number_wanted)])
        return
    try:
        show_rule(screen, book.rule(words))
        return
    except OptionError as error:
        found = book.search(words)
        if not found:
            hint = str(error) if words.upper().startswith("MN-") else ""
            screen.say(hint or f"No rule holds all of these words: {words}")
            return
    first = words.casefold()
    found.sort(key=lambda rule: not rule.text.casefold().startswith(first))  # its own rule first
    most = 8
    screen.listed([(rule.id, rule.text) for rule in found[:most]])
    if len(found) > most:
        rest = ", ".join(rule.id for rule in found[most:][:30])
        screen.quiet(f"{len(found) - most} more: {rest}. Another word narrows it down.")


def behind(cite: Iterable[str], verb: str) -> list[str]:
    """The rules behind a legal move."""
    return [*cite, *BEHIND.get(verb, ())]
