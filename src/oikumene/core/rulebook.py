"""A game's rules by id: texts in one language, their kinds, their sources."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from oikumene.core.errors import DataError, OptionError

KINDS = ("limit", "procedure", "fact", "note")


class RuleText(NamedTuple):
    """One rule. `when` names the option values under which alone it applies."""

    id: str
    kind: str
    text: str
    source: str
    ours: bool
    reading: str
    options: tuple[str, ...]
    when: Mapping[str, tuple[str, ...]]


class Rulebook:
    """All rules of a game in one language."""

    def __init__(
        self, rules: Mapping[str, RuleText], chapters: Mapping[int, str], sources: Mapping[str, str]
    ) -> None:
        self.rules = rules
        self.chapters = chapters
        self.sources = sources

    @classmethod
    @cache
    def load(cls, package: str, language: str = "en") -> Rulebook:
        """The rulebook of a game's package. Raises OptionError for a language there is not."""
        folder = files(package).joinpath("rulebook")
        file = folder.joinpath(f"{language}.toml")
        if not language.isalpha() or not file.is_file():
            known = sorted(one.name.removesuffix(".toml") for one in folder.iterdir())
            raise OptionError(f"no rulebook in '{language}'; there is one in: {', '.join(known)}")
        return cls.read(file.read_text("utf-8"), f"{package} rulebook/{language}.toml")

    @classmethod
    def read(cls, text: str, name: str) -> Rulebook:
        """A rulebook from a file's text. Raises DataError."""
        try:
            doc = tomllib.loads(text)
            rules = {row["id"]: _rule(row) for row in doc["rule"]}
            chapters = {row["number"]: row["title"] for row in doc["chapter"]}
            sources = {row["id"]: row["title"] for row in doc["source"]}
        except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
            raise DataError(f"{name}: {error!r}") from None
        if len(rules) != len(doc["rule"]):
            raise DataError(f"{name}: a rule id stands twice")
        wrong = [rule.id for rule in rules.values() if rule.kind not in KINDS]
        if wrong:
            raise DataError(f"{name}: the kind must be one of {', '.join(KINDS)}: {wrong}")
        return cls(rules, chapters, sources)

    def rule(self, rule_id: str) -> RuleText:
        """One rule. Raises OptionError, naming near ids."""
        found = self.rules.get(rule_id.upper())
        if found is None:
            chapter = rule_id.upper().split(".")[0]
            near = [known for known in self.rules if known.split(".")[0] == chapter]
            hint = f"; chapter {chapter} has {near[0]} to {near[-1]}" if near else ""
            hint = hint or "; `rules GAME` lists the chapters"
            raise OptionError(f"no rule '{rule_id}'{hint}")
        return found

    def search(self, words: str) -> list[RuleText]:
        """The rules whose text holds all the words, in the rulebook's order."""
        wanted = words.casefold().split()
        return [
            rule
            for rule in self.rules.values()
            if all(word in f"{rule.id} {rule.text} {rule.source}".casefold() for word in wanted)
        ]


def _rule(row: Mapping[str, Any]) -> RuleText:
    when = {
        option: (values,) if isinstance(values, str) else tuple(values)
        for option, values in row.get("when", {}).items()
    }
    return RuleText(
        id=row["id"],
        kind=row["kind"],
        text=row["text"],
        source=row["source"],
        ours=row.get("ours", False),
        reading=row.get("reading", ""),
        options=tuple(row.get("options", ())),
        when=when,
    )
