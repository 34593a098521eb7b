"""Rule options as data: values with their sources, presets, and how both are resolved.

A game keeps one `options.toml`. A disputed rule is an option; a preset (rule set) decides some of
them, and what it leaves open takes the option's default. A value that is known but not built yet
is refused at set-up.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from oikumene.core.errors import DataError, OptionError


class Value(NamedTuple):
    """One value of an option: what it means and who says so."""

    value: str
    text: str
    source: str
    built: bool


class Option(NamedTuple):
    """One question that rule sets answer differently."""

    name: str
    text: str
    values: Mapping[str, Value]
    default: str
    rules: tuple[str, ...]
    note: str


class Preset(NamedTuple):
    """One rule set: its name, what it is, and the options its text decides."""

    name: str
    title: str
    text: str
    source: str
    built: bool
    values: Mapping[str, str]


class OptionTable:
    """All options and presets of a game."""

    def __init__(self, options: Mapping[str, Option], presets: Mapping[str, Preset]) -> None:
        self.options = options
        self.presets = presets

    @classmethod
    @cache
    def load(cls, package: str) -> OptionTable:
        """The table in a game's package. Raises DataError where the file is wrong."""
        text = files(package).joinpath("options.toml").read_text("utf-8")
        return cls.read(text, f"{package} options.toml")

    @classmethod
    def read(cls, text: str, name: str) -> OptionTable:
        """The table of one file's text. Raises DataError."""
        try:
            doc = tomllib.loads(text)
            options = {row["name"]: _option(row) for row in doc["option"]}
            presets = {row["name"]: _preset(row) for row in doc["preset"]}
        except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
            raise DataError(f"{name}: {error!r}; compare it with the entries around it") from None
        table = cls(options, presets)
        for option in options.values():
            table.check(option.name, option.default, built=False)
        for preset in presets.values():
            for option_name, value in preset.values.items():
                table.check(option_name, value, built=False)
        return table

    @property
    def default_preset(self) -> str:
        """The preset of a table that names none: the first."""
        return next(iter(self.presets))

    def check(self, name: str, value: str, *, built: bool = True) -> None:
        """Raise OptionError unless the option has this value (and, if asked, it is built)."""
        option = self.options.get(name)
        if option is None:
            near = _nearest(name, self.options)
            raise OptionError(f"unknown option '{name}'{near}; `rules GAME --options` lists them")
        if value not in option.values:
            known = ", ".join(option.values)
            raise OptionError(f"option {name} has no value '{value}'; it has: {known}")
        if built and not option.values[value].built:
            can = ", ".join(one.value for one in option.values.values() if one.built)
            raise OptionError(
                f"{name} = {value} is known but not built yet; what can be played: {can}"
            )

    def resolve(self, preset: str, overrides: Mapping[str, str]) -> dict[str, str]:
        """The value of every option under a preset with single values on top.

        Raises OptionError for an unknown preset, option or value, or one that is not built.
        """
        if preset not in self.presets:
            known = ", ".join(self.presets)
            near = _nearest(preset, self.presets)
            raise OptionError(f"unknown preset '{preset}'{near}; there are: {known}")
        for name, value in overrides.items():
            self.check(name, str(value))
        found = {name: option.default for name, option in self.options.items()}
        found |= self.presets[preset].values
        found |= {name: str(value) for name, value in overrides.items()}
        missing = [
            f"{name} = {value}" for name, value in found.items() if not self._built(name, value)
        ]
        if missing or not self.presets[preset].built:
            needs = f": it needs {', '.join(missing)}" if missing else ""
            raise OptionError(
                f"preset {preset} is not built yet{needs}; play {self.default_preset}"
            )
        return found

    def _built(self, name: str, value: str) -> bool:
        return self.options[name].values[value].built

    def differences(self, preset: str, options: Mapping[str, str]) -> dict[str, str]:
        """The options that differ from their preset."""
        usual = {name: option.default for name, option in self.options.items()}
        usual |= self.presets[preset].values
        return {name: value for name, value in options.items() if usual[name] != value}


def _nearest(name: str, known: Mapping[str, Any]) -> str:
    close = get_close_matches(name, known, n=1)
    return f"; do you mean '{close[0]}'?" if close else ""


def _option(row: Mapping[str, Any]) -> Option:
    values = {
        one["value"]: Value(one["value"], one["text"], one["source"], one["built"])
        for one in row["values"]
    }
    note = row.get("note", "")
    return Option(row["name"], row["text"], values, row["default"], tuple(row["rules"]), note)


def _preset(row: Mapping[str, Any]) -> Preset:
    return Preset(
        row["name"], row["title"], row["text"], row["source"], row["built"], dict(row["values"])
    )
