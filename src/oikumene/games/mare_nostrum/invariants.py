"""What is true of every position of Mare Nostrum, and what random play has to know of the game.

`oikumene.research.laws` finds this module beside the game's own (its `Hooks`). The checks are
written slowly, from the rules, without the helpers that they look at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from oikumene.core.game import Seat
from oikumene.core.keyed import Draws
from oikumene.core.limits import bits
from oikumene.core.moves import Move, Moves, Noun
from oikumene.games.mare_nostrum import moves as words
from oikumene.games.mare_nostrum import strategy
from oikumene.games.mare_nostrum import view as views
from oikumene.games.mare_nostrum.board import load_board
from oikumene.games.mare_nostrum.cards import (
    CARD,
    CARDS,
    GOODS,
    HELEN,
    KINDS,
    PYRAMIDS,
    TAX,
    WIDTH,
    ZEUS,
    Hand,
    count,
    holds,
    kinds,
    size,
    without,
)
from oikumene.games.mare_nostrum.commerce import OUT, WAITING, Give, Offers
from oikumene.games.mare_nostrum.moves import FLEET, FORTRESS, LEGION
from oikumene.games.mare_nostrum.state import (
    CITY,
    MARKER,
    MARKET,
    RESTED,
    ROLES,
    SLOTS,
    TEMPLE,
    THINGS,
    USED,
    WHATS,
    Setting,
    State,
)

__all__ = (
    "SLOTS", "faults", "nouns", "observed", "redeal", "same_move", "seats", "starts",
    "tells_by_ending", "veiled",
)  # fmt: skip

# Positions ---------------------------------------------------------------------------------------


def faults(s: State) -> list[str]:
    """What is impossible in a position; empty for every position of a game."""
    return [fault for check in CHECKS for fault in check(s)]


def _cards_are_conserved(s: State) -> Iterator[str]:
    """MN-1.4: every card lies in the stock, in a hand, open, or won; none is lent."""
    piles = (s.stock, *s.hands, *s.open, *s.won)
    if min(piles) < 0 or max(piles).bit_length() > WIDTH * len(KINDS):
        yield f"piles of cards out of bounds: {piles}"
    elif any(pile & LENT for pile in piles) or sum(piles) != _box(s.setting.board.supply_cards):
        yield f"the cards are not those of the box: {piles}"


# A field of which more was taken than it held has its highest bit set.
LENT = sum(one << WIDTH - 1 for one in CARD)


@lru_cache(maxsize=16)
def _box(supply: tuple[int, ...]) -> Hand:
    return sum(number * one for number, one in zip(supply, CARD, strict=True))


def _known_is_held(s: State) -> Iterator[str]:
    """What everybody has seen of a hand is a part of it."""
    for seat, (hand, known) in enumerate(zip(s.hands, s.known, strict=True)):
        if known < 0 or not holds(hand, known):
            yield f"seat {seat} is known to hold what it does not hold"


def _pieces_are_conserved(s: State) -> Iterator[str]:
    """MN-1.6, MN-2.2: no colour and no building has more pieces than the box."""
    board, n = s.setting.board, s.setting.n
    for power, name in enumerate(s.setting.powers):
        if sum(s.legions[power]) > board.legions:
            yield f"{name} has too many legions"
        if s.forts[power].bit_count() + s.forts2[power].bit_count() > board.fortresses:
            yield f"{name} has too many fortresses"
        if s.marks[power].bit_count() > board.markers:
            yield f"{name} has too many markers"
        if power < n and sum(s.fleets[power]) + sum(s.harbour[power]) > board.fleets:
            yield f"{name} has too many fleets"
    placed = (
        sum(where.bit_count() for where in s.caravans),
        sum(s.cities),
        s.markets.bit_count(),
        s.temples.bit_count(),
    )
    for number, most in zip(placed, s.setting.buildings, strict=True):
        if number > most:
            yield f"{placed} caravans, cities, markets, temples of {s.setting.buildings}"


def _pieces_stand_where_they_may(s: State) -> Iterator[str]:
    """MN-10.5 to 10.9: symbols, sites, coasts, one marker a province, a second fortress."""
    board = s.setting.board
    for good, where in enumerate(s.caravans):
        if where & ~board.symbols[good]:
            yield f"a caravan on {GOODS[good]} without its symbol"
    if any(number > most for number, most in zip(s.cities, board.sites, strict=True)):
        yield "more cities than sites"
    seen = 0
    for name, marks in zip(s.setting.powers, s.marks, strict=True):
        if seen & marks:
            yield f"a marker of {name} lies on another"
        seen |= marks
    for power, (one, two, legions) in enumerate(zip(s.forts, s.forts2, s.legions, strict=True)):
        if two & ~one or (two and (power >= s.setting.n or not s.cards[power] >> ZEUS & 1)):
            yield f"power {power} has a second fortress that may not be"
        if s.held[power] != sum(1 << place for place, number in enumerate(legions) if number):
            yield f"power {power}: `held` and `legions` differ"
    for seat, harbour in enumerate(s.harbour):
        if any(number and not board.coast >> place & 1 for place, number in enumerate(harbour)):
            yield f"seat {seat} has new fleets inland"
    built = s.markets | s.temples
    for where in s.caravans:
        built |= where
    built |= sum(1 << place for place, number in enumerate(s.cities) if number)
    if built & ~seen:
        yield f"buildings without a marker in {bits(built & ~seen)}"
    everywhere = seen | s.markets | s.temples | s.chosen | s.locked
    if everywhere & ~board.everything or everywhere < 0:
        yield "something lies in no province"


def _posts_are_manned(s: State) -> Iterator[str]:
    """MN-19.8, 19.10, 19.21: one legion a building, of one power a province, on foreign ground."""
    if list(s.posts) != sorted(s.posts):
        yield "posts are not sorted"
    standing = Counter(post[:2] for post in s.posts)
    for (place, power), number in standing.items():
        if number > s.legions[power][place]:
            yield f"more posts than legions of {power} in {place}"
        if s.marks[power] >> place & 1:
            yield f"{power} occupies its own province {place}"
    if len({place for place, _ in standing}) != len(standing):
        yield "two powers stand on posts of one province"
    for (place, what), number in Counter((post.province, post.what) for post in s.posts).items():
        if number > _buildings(s, place, what):
            yield f"{number} legions on {WHATS[what]} in {place}"


def _buildings(s: State, place: int, what: int) -> int:
    if what == CITY:
        return s.cities[place]
    if what == MARKET:
        return s.markets >> place & 1
    if what == TEMPLE:
        return s.temples >> place & 1
    if what == MARKER:
        return sum(marks >> place & 1 for marks in s.marks)
    return s.caravans[what] >> place & 1


def _turn_is_in_bounds(s: State) -> Iterator[str]:
    """What the seat on turn has done, it has done with units that stand there."""
    turn = strategy.Fleets | strategy.Legions
    seat = next((frame.seat for frame in reversed(s.agenda) if isinstance(frame, turn)), -1)
    done = any(s.moved) or any(s.fought) or any(s.forts_fought) or s.chosen or s.locked
    if seat < 0:
        if s.over is None and (done or any(post.state != RESTED for post in s.posts)):
            yield "somebody has moved, but nobody is on turn"
        return
    if not done:
        return
    there = (*s.legions[seat], *s.fleets[seat])
    posts = Counter(post.province for post in s.posts if post.power == seat)
    for place, number in enumerate(there):
        if s.moved[place] + s.fought[place] + posts[place] > number:
            yield f"{s.moved[place]} moved, {s.fought[place]} fought, of {number} in {place}"
    for place, number in enumerate(s.forts_fought):
        if number > (s.forts[seat] >> place & 1) + (s.forts2[seat] >> place & 1):
            yield f"{number} fortresses fought in {place}"
    if any(post.state != RESTED and post.power != seat for post in s.posts):
        yield "a legion moved or fought on another seat's turn"
    if s.locked & ~s.chosen:
        yield "locked where nothing was chosen"


def _cards_are_owned_once(s: State) -> Iterator[str]:
    """MN-12.1, 12.3, 22.1, 22.2: each hero and wonder once, heroes at home, the end reached."""
    sold = 0
    for seat, owned in enumerate(s.cards):
        if sold & owned:
            yield f"a hero or wonder of {seat} is sold twice"
        sold |= owned
        if owned & (1 << HELEN) - 1 & ~s.setting.heroes[seat]:
            yield f"seat {seat} owns a foreign hero"
        wins = owned >> PYRAMIDS & 1 or owned.bit_count() >= s.setting.opts.cards_to_win
        if wins and (s.over is None or seat not in s.over.winners):
            yield f"seat {seat} has won and plays on"
    for at, name in enumerate(USED):
        if s.used >> at & 1 and not sold >> CARDS.index(name) & 1:
            yield f"{name} is used and owned by nobody"


def _small_sets_are_sets(s: State) -> Iterator[str]:
    """Seats that were called, roles, powers used; markers since the start of the round."""
    n = s.setting.n
    if not 0 <= s.called < 1 << n or not 0 <= s.used < 1 << len(USED):
        yield f"called {s.called:b}, used {s.used:b}"
    if any(holder not in range(-1, n) for holder in s.roles):
        yield f"roles {s.roles}"
    seen = 0
    for since in s.since:
        if seen & since:
            yield "a marker of two seats since the start of the round"
        seen |= since
    if s.over is None and not s.agenda:
        yield "nothing remains to be done"


CHECKS = (
    _cards_are_conserved,
    _known_is_held,
    _pieces_are_conserved,
    _pieces_stand_where_they_may,
    _posts_are_manned,
    _turn_is_in_bounds,
    _cards_are_owned_once,
    _small_sets_are_sets,
)


# Secrecy -----------------------------------------------------------------------------------------


def veiled(s: State, draws: Draws) -> State:
    """The state as if everybody had seen less of each hand: in most games nearly all is known."""
    new = s.copy()
    new.known = tuple(
        sum(draws.below(count(known, kind) + 1) * CARD[kind] for kind in kinds(known))
        for known in s.known
    )
    return new


def redeal(game: Any, s: State, seat: Seat | None, draws: Draws) -> State:
    """The state with all cards dealt again that the seat cannot know.

    What everybody has seen is no secret, whether or not the product remembers it (MN-26.2, option
    `memory`). Half of the sealed offers stay as they are, so that they can be turned up.
    """
    seen = views.view(s, seat)
    seen.state.known = s.known
    top = s.agenda[-1] if s.agenda else None
    if isinstance(top, Offers) and draws.below(2):
        return _redeal_around(s, seen, top, draws)
    dealt: State = game.determinize(seen, draws)
    return dealt


def _redeal_around(s: State, seen: views.View, top: Offers, draws: Draws) -> State:
    """A redeal in which every seat still holds what it offers."""
    held = tuple(
        known + without(offer, known) if offer not in (WAITING, OUT) else known
        for offer, known in zip(top.offers, s.known, strict=True)
    )
    seen.state.known = held
    seen.state.agenda = s.agenda
    dealt = views.determinize(seen, draws)
    dealt.known = s.known
    return dealt


def same_move(
    game: Any, s: State, other: State, seat: Seat, move: Move, viewer: Seat | None, draws: Draws
) -> Move | None:
    """A legal move in the redealt state that looks like `move` in `s` to the viewer, or None."""
    legal: Moves = game.legal(other, seat)
    frame = s.agenda[-1]
    if isinstance(frame, Offers) and frame.asked(s) == (seat,):
        # All offers are turned up now: the redeal must be one that kept the sealed ones.
        return move if move in legal and other.agenda == s.agenda else None
    whole = move[0] == "number" and all(size(hand) <= move[1] for hand in s.hands)
    if whole and other.hands != s.hands:
        return None  # whoever takes part lays his whole hand, and all are turned up at once
    if seat != viewer:
        hidden = s.setting.opts.trade_hand_contents == "hidden"
        given = isinstance(frame, Give) and hidden and viewer != frame.loser
        if given or isinstance(frame, Offers):
            return legal.sample(draws)
        if move[0] == "keep":
            back = s.hands[seat] - move[1]
            if not holds(other.hands[seat], back):
                return None  # he shows what he puts back
            move = ("keep", other.hands[seat] - back)
    return move if move in legal else None


def observed(view: views.View) -> tuple[Any, ...]:
    """A view as a value: every slot of what it shows."""
    return (view.seat, view.sizes, *(getattr(view.state, slot) for slot in SLOTS))


def tells_by_ending(s: State) -> bool:
    """The game has ended by the test of MN-22.9, which looks into all hands."""
    return s.over is not None and s.over.reason == "MN-22.5"


# Random tables, positions and moves --------------------------------------------------------------


def seats(draws: Draws, number: int) -> tuple[str, ...]:
    """Any civilizations in any order."""
    return draws.shuffled([civ.id for civ in load_board().civs])[:number]


def nouns(s: State) -> dict[Noun, Sequence[Any]]:
    """Values for the nouns of moves: all there are, or the small ones and some out of place."""
    board, n = s.setting.board, s.setting.n
    some = _some_units(s)
    return {
        words.SEAT: range(n),
        words.POWER: range(len(s.setting.powers)),
        words.PLACE: range(len(board.places)),
        words.PROVINCE: range(len(board.provinces)),
        words.GOOD: range(len(GOODS)),
        words.GOOD_OR_NONE: range(-1, len(GOODS)),
        words.KIND: range(len(KINDS)),
        words.CARD_ID: range(len(CARDS)),
        words.THING: range(len(THINGS)),
        words.COUNT: range(10),
        words.PICK: _some_cards(s),
        words.UNIT: range(FLEET + 1),
        words.WHAT: range(len(WHATS)),
        words.WITH_UNITS: some,
        words.LEAVING: [tuple(unit for unit in units if unit < LEGION) for units in some],
    }


def _some_cards(s: State) -> list[Hand]:
    """Whole hands and parts of them, tax, sets of goods."""
    found = [0, *s.hands, *s.known, *s.open]
    found += [number * CARD[TAX] for number in (1, 2, 3, 6, 9, 12)]
    goods = CARD[1:]
    found += [sum(goods[at : at + number]) for number in (1, 2, 3, 6, 9) for at in range(4)]
    found += [2 * CARD[1] + CARD[2], CARD[TAX] + CARD[1] + CARD[2]]
    return found


def _some_units(s: State) -> list[tuple[int, ...]]:
    """Groups of units that fight or leave their posts together, sorted."""
    posts = [post.what for post in s.posts]
    found: list[tuple[int, ...]] = [(), (LEGION,), (FORTRESS,), (FLEET,), (LEGION, FORTRESS)]
    found += [(LEGION,) * 2, (LEGION,) * 3, (FLEET,) * 2, (CITY, LEGION), (CITY, CITY), (MARKER,)]
    found += [(what,) for what in posts]
    found += [tuple(sorted(posts[at : at + 2])) for at in range(len(posts))]
    found += [(what, LEGION) for what in posts]
    return found


STEPS = ("roles", "income", "trade", "construction", "strategy")


def starts(game: Any, setting: Setting, draws: Draws) -> State:
    """A position of any kind at the start of any part of a round: wars, occupations, heroes."""
    state: State = game.from_position(setting, wild_position(setting, draws))
    return state


def wild_position(setting: Setting, draws: Draws) -> dict[str, Any]:
    """Position keys of a table in the middle of things; all limits of pieces and cards hold."""
    wild = _Wild(setting, draws)
    wild.mark()
    wild.build()
    wild.man()
    wild.occupy()
    wild.deal()
    keys = wild.keys
    keys["step"] = draws.choice(STEPS)
    keys["round"] = 1 + draws.below(9)
    keys["roles"] = {role: draws.choice(setting.seats) for role in ROLES if draws.below(9)}
    if keys["step"] in ("trade", "construction", "strategy") and draws.below(2):
        keys["since"] = [place for place in keys["markers"] if draws.below(5)]
    return keys


class _Wild:
    """Puts a position together, piece by piece."""

    def __init__(self, setting: Setting, draws: Draws) -> None:
        self.setting = setting
        self.board = setting.board
        self.draws = draws
        self.keys: dict[str, Any] = {}
        self.owner: dict[int, int] = {}  # province -> power
        self.there: dict[int, set[int]] = {}  # province -> powers with land units

    def some(self, items: Sequence[Any], most: int) -> tuple[Any, ...]:
        """Up to so many of the items, each at most once."""
        return self.draws.shuffled(items)[: self.draws.below(most + 1)]

    def mark(self) -> None:
        """Capitals, and markers anywhere."""
        places = self.draws.shuffled(range(len(self.board.provinces)))
        self.owner = {place: power for power, place in enumerate(self.setting.capital)}
        for place in places[: self.draws.below(len(places) + 1)]:
            power = self.draws.below(len(self.setting.powers))
            if list(self.owner.values()).count(power) < self.board.markers:
                self.owner.setdefault(place, power)
        self.keys["markers"] = {
            self.board.provinces[place]: self.setting.powers[power]
            for place, power in sorted(self.owner.items())
        }

    def build(self) -> None:
        """Buildings under markers."""
        names = self.board.provinces
        caravans, cities, markets, temples = self.setting.buildings
        marked = [names[place] for place in sorted(self.owner)]
        symbols = [
            f"{names[place]} {GOODS[good]}"
            for place in sorted(self.owner)
            for good, where in enumerate(self.board.symbols)
            if where >> place & 1
        ]
        sites = [
            names[place] for place in sorted(self.owner) for _ in range(self.board.sites[place])
        ]
        self.keys["caravans"] = list(self.some(symbols, caravans))
        self.keys["cities"] = list(self.some(sites, cities))
        self.keys["markets"] = list(self.some(marked, markets))
        self.keys["temples"] = list(self.some(marked, temples))

    def man(self) -> None:
        """Legions anywhere, fortresses on own ground, fleets in the zones and new ones."""
        board, draws, setting = self.board, self.draws, self.setting
        legions, forts, fleets, new = {}, {}, {}, {}
        coast = [board.provinces[place] for place in bits(board.coast)]
        for power, name in enumerate(setting.powers):
            places = [draws.below(len(board.provinces)) for _ in range(draws.below(5) + 1)]
            units = [draws.choice(places) for _ in range(draws.below(board.legions + 1))]
            own = [place for place, owner in self.owner.items() if owner == power]
            strong = self.some(own, min(board.fortresses, 4))
            for place in (*units, *strong):
                self.there.setdefault(place, set()).add(power)
            legions[name] = " ".join(board.provinces[place] for place in units)
            forts[name] = " ".join(board.provinces[place] for place in strong)
            if power < setting.n:
                sea = draws.below(board.fleets + 1)
                fleets[name] = " ".join(draws.choice(board.seas) for _ in range(sea))
                new[name] = " ".join(self.some(coast, board.fleets - sea))
        self.keys |= {"legions": legions, "fortresses": forts, "fleets": fleets, "new_fleets": new}

    def occupy(self) -> None:
        """Legions on foreign buildings and markers; now and then the enemy has come to fight."""
        occupied, takeover = [], []
        for place in sorted(self.there):
            name = self.board.provinces[place]
            power = self.draws.choice(sorted(self.there[place]))
            number = self.keys["legions"][self.setting.powers[power]].split().count(name)
            foreign = self.owner.get(place, power) != power
            if power >= self.setting.n or not foreign or not number or not self.draws.below(3):
                continue
            seat = self.setting.powers[power]
            if place not in self.setting.capital[: self.setting.n] and not self.draws.below(3):
                takeover.append(f"{name} {seat}")
                continue
            whats = [row.split()[1] for row in self.keys["caravans"] if row.split()[0] == name]
            for what, key in (("city", "cities"), ("market", "markets"), ("temple", "temples")):
                whats += [what] * self.keys[key].count(name)
            occupied += [f"{name} {what} {seat}" for what in self.some(whats, number)]
        self.keys["occupied"], self.keys["takeover"] = occupied, takeover

    def deal(self) -> None:
        """Heroes, wonders and hands; part of each hand has been seen by everybody."""
        draws, setting = self.draws, self.setting
        owned: dict[str, list[str]] = {seat: [] for seat in setting.seats}
        for seat, hero in zip(setting.seats, setting.heroes, strict=False):
            if draws.below(3):
                owned[seat].append(CARDS[bits(hero)[0]])
        for card in self.some(CARDS[HELEN:PYRAMIDS], PYRAMIDS - HELEN):
            seat = draws.choice(setting.seats)
            if len(owned[seat]) + 1 < setting.opts.cards_to_win:
                owned[seat].append(card)
        pool = [
            name for kind, name in enumerate(KINDS) for _ in range(self.board.supply_cards[kind])
        ]
        pool = list(draws.shuffled(pool))
        hands, known = {}, {}
        for seat in setting.seats:
            hand = [pool.pop() for _ in range(draws.below(15))]
            hands[seat] = " ".join(hand)
            known[seat] = " ".join(hand[: draws.below(len(hand) + 1)])
        self.keys |= {"cards": owned, "hand": hands, "known": known}
