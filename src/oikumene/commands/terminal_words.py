"""Typed words of Mare Nostrum: short forms completed to the words of the notation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from oikumene.commands.terminal_choices import COUNTED, FILLERS
from oikumene.core.errors import NotationError
from oikumene.core.game import Seat
from oikumene.games.mare_nostrum import construction
from oikumene.games.mare_nostrum.cards import CARDS, KINDS, Hand, Sets
from oikumene.games.mare_nostrum.moves import MOVES, UNITS, hand_text, parse_hand
from oikumene.games.mare_nostrum.sentences import Texts
from oikumene.games.mare_nostrum.state import THINGS, WHATS, Setting, State

# The words that may follow a verb, by kind.
KINDS_OF_WORDS = {
    "call": "seat", "name": "seat", "take": "seat card", "offer": "card", "give": "card",
    "good": "card", "keep": "card", "swap": "card", "build": "thing province card",
    "place": "thing province card", "demolish": "thing province card", "caravan": "province card",
    "buy": "hero card", "free": "thing province", "sail": "place", "march": "province what",
    "fight": "place power unit what", "lose": "unit what", "pillage": "province what",
    "occupy": "province what", "takeover": "province",
}  # fmt: skip
KEPT = ("with", "on", "leaving")


def vocabulary(setting: Setting, kinds: str) -> list[str]:
    """All words of these kinds."""
    board = setting.board
    words: dict[str, Sequence[str]] = {
        "seat": setting.seats, "power": setting.powers, "card": KINDS, "thing": THINGS,
        "hero": CARDS, "province": board.provinces, "place": board.places, "unit": UNITS,
        "what": WHATS,
    }  # fmt: skip
    return list(dict.fromkeys(word for kind in kinds.split() for word in words[kind]))


def simple(setting: Setting, texts: Texts, typed: str) -> str:
    """Small letters, and places by their ids also where their names were typed."""
    text = " ".join(typed.casefold().split())
    names: dict[str, str] = {}
    for at, place in enumerate(setting.board.places):
        for name in (texts.place(setting.board, at), setting.board.names[at]):
            names[name.casefold()] = place
    for name in sorted(names, key=len, reverse=True):
        if " " in name:
            text = re.sub(rf"\b{re.escape(name)}\b", names[name], text)
    return text


def one_of(word: str, words: Iterable[str]) -> list[str]:
    """The word itself if it is one, else those that begin with it."""
    found = list(words)
    return [word] if word in found else [one for one in found if one.startswith(word)]


def completed(s: State, seat: Seat, typed: str, verbs: Sequence[str]) -> str:
    """A typed move with its words written out and its payment or count supplied.

    Used where no legal move fits, to find out why. Raises NotationError.
    """
    words = [word for word in typed.split() if word not in FILLERS]
    found = one_of(words[0], verbs) or one_of(words[0], MOVES)
    if len(found) != 1:
        raise NotationError(f"'{words[0]}' is not a move here")
    verb = found[0]
    known = vocabulary(s.setting, KINDS_OF_WORDS.get(verb, ""))
    done = [verb, *(_word(word, known) for word in words[1:])]
    if verb in COUNTED and (len(done) < 2 or not done[1].isdigit()):
        done.insert(1, "1")
    if verb in ("build", "buy") and "with" not in done and len(done) > 1:
        done += ["with", *_payment(s, seat, done).split()]
    if verb == "free" and len(done) == 2:
        done.insert(1, "marker")
    return " ".join(done)


def _word(word: str, known: Sequence[str]) -> str:
    if word in KEPT or word[:1].isdigit():
        return word
    name, star, times = word.partition("*")
    found = one_of(name, known)
    if len(found) > 1:
        raise NotationError(f"'{name}' can be: {', '.join(found[:12])}")
    return (found[0] if found else name) + star + times


def _payment(s: State, seat: Seat, words: Sequence[str]) -> str:
    """Some payment of the price; where none is possible, the whole hand."""
    hand = s.hands[seat]
    price = construction.CARD_PRICE
    if words[0] == "build" and words[1] in THINGS:
        price = construction.price(s, seat, THINGS.index(words[1]))
    elif words[0] == "buy" and words[1] in CARDS:
        price = construction.card_price(s, CARDS.index(words[1]))
    payments = Sets(hand, price)
    return hand_text(payments[0] if len(payments) else hand)


def is_card(words: Sequence[str]) -> bool:
    """Whether a text begins like a list of cards."""
    first = words[0].casefold() if words else ""
    name = first.partition("*")[0]
    return first.isdigit() or any(kind.startswith(name) for kind in KINDS)


def cards_of(words: Sequence[str]) -> Hand:
    """Cards as typed: `grain fish tax*2`, also `2 tax`, also short. Raises NotationError."""
    tokens: list[str] = []
    times = ""
    for word in " ".join(words).replace(",", " ").casefold().split():
        if word.isdigit():
            times = word
            continue
        name, star, number = word.partition("*")
        found = one_of(name, KINDS)
        if len(found) != 1:
            said = f"can be: {', '.join(found)}" if found else "is not a card"
            raise NotationError(f"'{name}' {said}; there are: {' '.join(KINDS)}")
        tokens.append(f"{found[0]}*{times}" if times and not star else found[0] + star + number)
        times = ""
    if times or not tokens:
        raise NotationError("name the cards, for example: grain fish tax*2")
    return parse_hand(tokens)


def place_of(setting: Setting, texts: Texts, typed: str) -> list[Any]:
    """The places that a typed name can mean."""
    found = one_of(simple(setting, texts, typed), setting.board.places)
    return [setting.board.index[place] for place in found]
