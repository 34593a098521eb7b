"""What is said to players: events, prompts and names as sentences, out of `texts/LANGUAGE.toml`.

The engine tells events as data and cites rules; here they become sentences at the edge, so that
another language is another file. `FACTS` names the placeholders of each event, in the order of its
nouns in `moves.EVENTS`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any

from oikumene.core.errors import DataError, OptionError
from oikumene.core.limits import bits
from oikumene.core.moves import Move
from oikumene.games.mare_nostrum.board import Board
from oikumene.games.mare_nostrum.cards import CARDS, GOODS, KINDS, Hand, count, kinds
from oikumene.games.mare_nostrum.moves import LEGION, UNITS
from oikumene.games.mare_nostrum.state import CITY, ROLES, THINGS, WHATS, Setting

PACKAGE = "oikumene.games.mare_nostrum"

# The placeholders of each event; `n` is a number that decides the form of the sentence.
FACTS: Mapping[str, tuple[str, ...]] = {
    "round": ("n",),
    "placed": ("seat", "thing", "place", "good"),
    "neutral": ("power", "place"),
    "role": ("seat", "role"),
    "income": ("seat", "cards"),
    "number": ("seat", "n"),
    "offered": ("seat",),
    "opened": ("seat", "cards"),
    "picked": ("seat", "other", "card"),
    "ulysses": ("seat", "other"),
    "took": ("seat", "other", "card"),
    "returned": ("seat", "cards"),
    "gave": ("seat", "other"),
    "gave_card": ("seat", "other", "card"),
    "no_trade": (),
    "called": ("seat",),
    "built": ("seat", "thing", "place", "good"),
    "paid": ("seat", "cards"),
    "replaced": ("seat", "power", "place"),
    "bought": ("seat", "hero"),
    "swapped": ("seat", "card", "got"),
    "kept": ("seat", "n"),
    "discarded": ("seat", "cards"),
    "takeover_ended": ("seat", "place"),
    "sailed": ("seat", "n", "place", "to"),
    "marched": ("seat", "n", "place", "to"),
    "helen": ("seat", "other", "place"),
    "fight": ("seat", "power", "place"),
    "fought": ("power", "n", "place"),
    "lost": ("power", "unit", "place"),
    "war": ("place",),
    "pillaged": ("seat", "place", "what"),
    "occupied": ("seat", "place", "what"),
    "takeover": ("seat", "place"),
    "won": ("seats",),
}


def _english(n: int) -> str:
    return "one" if n == 1 else "other"


def _czech(n: int) -> str:
    return "one" if n == 1 else "few" if 2 <= n <= 4 else "other"


PLURALS: Mapping[str, Callable[[int], str]] = {"en": _english, "de": _english, "cs": _czech}


def placeholders(text: str) -> set[str]:
    """The names in a sentence's braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


class Texts:
    """All texts of one language."""

    def __init__(self, doc: Mapping[str, Any]) -> None:
        self.doc = doc
        self.language: str = doc["language"]
        self._form = PLURALS[self.language]

    @classmethod
    @cache
    def load(cls, language: str = "en") -> Texts:
        """The texts in a language. Raises OptionError for one there is not, DataError."""
        folder = files(PACKAGE).joinpath("texts")
        file = folder.joinpath(f"{language}.toml")
        if not language.isalpha() or language not in PLURALS or not file.is_file():
            known = sorted(one.name.removesuffix(".toml") for one in folder.iterdir())
            raise OptionError(f"no texts in '{language}'; there are some in: {', '.join(known)}")
        try:
            return cls(tomllib.loads(file.read_text("utf-8")))
        except (tomllib.TOMLDecodeError, KeyError) as error:
            raise DataError(f"texts/{language}.toml: {error!r}") from None

    # Names ---------------------------------------------------------------------------------------

    def of(self, table: str, name: str) -> str:
        """A text that knows no number."""
        return str(self.doc[table][name])

    def number(self, table: str, name: str, n: int) -> str:
        """A text in the form that the number asks for."""
        return self._in_form(self.doc[table][name], n).replace("{n}", str(n))

    def _in_form(self, text: str | Mapping[str, str], n: int) -> str:
        if isinstance(text, str):
            return text
        form = "none" if n == 0 and "none" in text else self._form(n)
        return text.get(form, text["other"])

    def place(self, board: Board, place: int) -> str:
        """A province or sea zone."""
        short: str | None = self.doc["place"].get(board.places[place])
        return short or board.names[place]

    def cards(self, hand: Hand) -> str:
        """Cards as a list: `2 tax, gold, grain`."""
        names, some = self.doc["card"], self.doc["list"]
        parts = []
        for kind in kinds(hand):
            n = count(hand, kind)
            name = names[KINDS[kind]]
            parts.append(some["cards"].format(n=n, card=name) if n > 1 else name)
        return str(some["comma"]).join(parts) or str(some["nothing"])

    def all_of(self, names: Iterable[str]) -> str:
        """A list in words: `Rome, Greece and Egypt`."""
        found = list(names)
        head = self.doc["list"]["comma"].join(found[:-1])
        return str(self.doc["list"]["and"]).join((head, found[-1])) if head else "".join(found)

    def hero(self, card: int) -> str:
        """The name of a hero or wonder."""
        return str(self.doc["hero"][CARDS[card]]["name"])

    def what(self, what: int) -> str:
        """What a legion stands on, or what is pillaged."""
        if what < CITY:
            return self.of("what", "caravan").format(good=self.of("card", GOODS[what]))
        return self.of("what", WHATS[what])

    def unit(self, unit: int) -> str:
        """One unit of a fight."""
        if unit < LEGION:
            return self.of("unit", "legion_on").format(what=self.what(unit))
        return self.of("unit", UNITS[unit - LEGION])

    # Sentences -----------------------------------------------------------------------------------

    def event(self, setting: Setting, name: str, facts: tuple[Any, ...]) -> str:
        """An event as a sentence."""
        return self._said("event", setting, name, facts)

    def aside(self, setting: Setting, name: str, facts: tuple[Any, ...]) -> str:
        """An event as the aside of another one."""
        return self._said("aside", setting, name, facts)

    def _said(self, table: str, setting: Setting, name: str, facts: tuple[Any, ...]) -> str:
        known = dict(zip(FACTS[name], facts, strict=True))
        words = {key: self._word(setting, key, value, known) for key, value in known.items()}
        return self._in_form(self.doc[table][name], known.get("n", 0)).format(**words)

    def _word(self, setting: Setting, key: str, value: Any, facts: Mapping[str, Any]) -> str:
        """One fact in words."""
        if key in ("seat", "power", "other"):
            return self.of("seat", setting.powers[value])
        if key in ("place", "to"):
            return self.place(setting.board, value)
        if key == "thing":
            good = facts.get("good", -1)
            named = self.of("card", GOODS[good]) if good >= 0 else ""
            return self.of("thing", THINGS[value]).format(good=named)
        if key == "seats":
            return self.all_of(self.of("seat", setting.seats[seat]) for seat in bits(value))
        simple: Mapping[str, Callable[[Any], str]] = {
            "cards": self.cards,
            "card": lambda kind: self.of("card", KINDS[kind]),
            "got": lambda kind: self.of("card", KINDS[kind]),
            "hero": self.hero,
            "role": lambda role: self.of("role", ROLES[role]),
            "what": self.what,
            "unit": self.unit,
            "good": lambda good: self.of("card", GOODS[good]) if good >= 0 else "",
            "n": str,
        }
        return simple[key](value)

    def move(self, setting: Setting, seat: int, move: Move) -> str:
        """A move that no event tells; "" for one that says nothing."""
        text = self.doc["move"].get(move[0], "")
        return str(text.format(seat=self.of("seat", setting.powers[seat])))

    def chance(self, setting: Setting, outcome: Move) -> str:
        """An outcome of chance."""
        if outcome[0] == "lot":
            return self.of("chance", "lot").format(seat=self.of("seat", setting.powers[outcome[1]]))
        sides = (
            self.of("chance", "side").format(
                power=self.of("seat", setting.powers[who]), dice=" ".join(map(str, dice))
            )
            for who, dice in outcome[1]
        )
        return self.of("chance", "dice").format(dice=self.of("list", "comma").join(sides))

    def prompt(self, step: str) -> str:
        """What a step asks."""
        return str(self.doc["prompt"][step]["text"])

    def phase(self, step: str) -> str:
        """The phase a step belongs to."""
        return self.of("phase", self.doc["prompt"][step]["phase"])

    def reason(self, rule: str, **facts: str) -> str:
        """A reason that is no rule of the rulebook; "" for those that are."""
        return str(self.doc["reason"].get(rule, "")).format(**facts)
