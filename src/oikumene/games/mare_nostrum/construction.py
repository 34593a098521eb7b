"""Chapters 9 to 12: paying, building, influence markers, heroes and wonders."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from oikumene.core.game import Seat, Step, Tell, then
from oikumene.core.limits import NO, BitSet, Reason, Row, Rows, bits, broken, left_open, yes
from oikumene.core.moves import Move, Moves
from oikumene.games.mare_nostrum import ending
from oikumene.games.mare_nostrum.cards import (
    ALL_CARDS,
    CAESAR,
    CARD,
    CIVILIZATION_HEROES,
    CLEOPATRA,
    FIELD,
    GARDENS,
    HAMMURABI,
    LIGHTHOUSE,
    MAUSOLEUM,
    PERICLES,
    PYRAMIDS,
    TAX,
    ZEUS,
    Hand,
    Picks,
    Sets,
    count,
    goods,
    holds,
    is_set,
    size,
)
from oikumene.games.mare_nostrum.moves import SEAT
from oikumene.games.mare_nostrum.state import (
    MARKER,
    NOBODY,
    T_CARAVAN,
    T_CITY,
    T_FLEET,
    T_FORTRESS,
    T_LEGION,
    T_MARKER,
    T_MARKET,
    T_TEMPLE,
    THINGS,
    USED_CLEOPATRA,
    USED_HAMMURABI,
    State,
    add_fort,
    add_harbour,
    add_legions,
    at_war,
    buildings_left,
    chain,
    changed,
    drop_post,
    enemy_units,
    fleets_left,
    foreign_marks,
    forts_left,
    legions_left,
    marker_owner,
    markers_left,
    open_sites,
    pay,
    put,
    receive,
    taken_over,
)

# Chapter 9: prices (MN-9.5) --------------------------------------------------------------------

PRICES = {
    T_MARKER: 3, T_CARAVAN: 3, T_CITY: 3, T_TEMPLE: 6, T_MARKET: 6,
    T_LEGION: 3, T_FLEET: 3, T_FORTRESS: 3,
}  # fmt: skip
CARD_PRICE = 9
# Which card makes which things one cheaper (MN-23.6, MN-24.1, MN-24.4; base card texts).
CHEAPER = (
    (CAESAR, (T_LEGION, T_FORTRESS)),
    (PERICLES, (T_FLEET,)),
    (MAUSOLEUM, (T_CARAVAN, T_CITY, T_TEMPLE, T_MARKET)),
)


@lru_cache(maxsize=4096)
def price_list(owned: BitSet) -> tuple[int, ...]:
    """The prices of all things, in cards, for the owner of these heroes and wonders."""
    cheaper = {thing for card, things in CHEAPER if owned >> card & 1 for thing in things}
    return tuple(PRICES[thing] - (thing in cheaper) for thing in range(len(THINGS)))


def price(s: State, seat: Seat, thing: int) -> int:
    """The price of a thing for a seat, in cards."""
    return price_list(s.cards[seat])[thing]


def card_price(s: State, card: int) -> int:
    """The price of a hero or wonder, in cards."""
    return s.setting.opts.pyramids_price if card == PYRAMIDS else CARD_PRICE


def pay_rows(hand: Hand, price: int, cards: Hand) -> Rows:
    """What a payment must be: cards of the hand, one set, of the size of the price."""
    return (
        ("MN-9.1", yes(holds(hand, cards))),
        ("MN-9.2", yes(is_set(cards))),
        ("MN-9.4", yes(size(cards) == price)),
    )


# Chapter 10: where -------------------------------------------------------------------------------


def ground_rows(s: State, seat: Seat) -> Rows:
    """Where a seat may build at all (MN-10.1 to 10.4, 10.13, 10.14)."""
    since, marks = s.since[seat], s.marks[seat]
    blocked = at_war(s) | taken_over(s, seat)
    if s.setting.opts.build_block == "any_enemy_unit":
        blocked |= enemy_units(s, seat)
    capital = 1 << s.setting.capital[seat]
    return (
        ("MN-10.1", since),
        ("MN-10.2", ~(marks & ~since)),
        ("MN-10.14", ~(since & ~marks)),
        ("MN-10.3", ~blocked | capital),
    )


def room_rows(s: State, seat: Seat, thing: int, good: int = -1) -> Rows:
    """Where there is room for a thing, and whether the supply has one (MN-10.5 to 10.11)."""
    board = s.setting.board
    if thing == T_CARAVAN:
        free = board.symbols[good] & ~s.caravans[good] if good >= 0 else NO
        return ("MN-10.5", free), ("MN-10.10", yes(buildings_left(s, thing) > 0))
    if thing == T_CITY:
        free = open_sites(s.setting.sites, s.cities)
        return ("MN-10.6", free), ("MN-10.10", yes(buildings_left(s, thing) > 0))
    if thing == T_TEMPLE:
        return ("MN-10.7", ~s.temples), ("MN-10.10", yes(buildings_left(s, thing) > 0))
    if thing == T_MARKET:
        return ("MN-10.7", ~s.markets), ("MN-10.10", yes(buildings_left(s, thing) > 0))
    if thing == T_LEGION:
        return (("MN-10.11", yes(legions_left(s, seat) > 0)),)
    if thing == T_FLEET:
        return ("MN-10.9", board.coast), ("MN-10.11", yes(fleets_left(s, seat) > 0))
    if thing == T_FORTRESS:
        full = s.forts2[seat] if s.cards[seat] >> ZEUS & 1 else s.forts[seat]
        return ("MN-10.8", ~full), ("MN-10.11", yes(forts_left(s, seat) > 0))
    return (("MN-10.11", yes(markers_left(s, seat) > 0)),)


# Chapter 11: influence markers -------------------------------------------------------------------


def own_takeovers(s: State, seat: Seat) -> BitSet:
    """Provinces where a legion of the seat stands on somebody else's marker."""
    found = 0
    for post in s.posts:
        if post.what == MARKER and post.power == seat:
            found |= 1 << post.province
    return found


def marker_rows(s: State, seat: Seat, *, free: bool = False) -> Rows:
    """Where a seat may place a marker (MN-11, MN-19.12, 19.13, 19.28); `free`: Hammurabi's."""
    opts = s.setting.opts
    mine = own_takeovers(s, seat)
    everywhere = s.setting.board.everything
    foreign = foreign_marks(s, seat)
    if s.cards[seat] >> LIGHTHOUSE & 1:
        near = everywhere
    else:
        near = s.setting.board.joined(s.since[seat] & s.marks[seat], chain(s, seat))
    rows: list[Row] = [
        ("MN-11.1", ~(foreign & ~mine) & ~s.marks[seat]),
        ("MN-19.28", ~(foreign & ~mine) & ~(mine & at_war(s))),
        ("MN-11.2", near | mine),
        ("MN-10.11", yes(markers_left(s, seat) > 0)),
    ]
    if opts.takeover_adjacency == "yes":
        rows.append(("MN-19.13", near | ~mine))
    if opts.influence_block == "enemy_units":
        rows.append(("MN-11.5", ~enemy_units(s, seat) | mine))
    if opts.siege_stops_expansion == "yes":
        rows.append(("MN-20.5", yes(not besieged(s, seat))))
    if free:
        ready = s.cards[seat] >> HAMMURABI & 1 and not s.used & USED_HAMMURABI
        rows.append(("MN-11.6", yes(ready)))
        if opts.takeover_free_with_hammurabi == "no":
            rows.append(("MN-19.12", ~mine))
    return tuple(rows)


def besieged(s: State, seat: Seat) -> bool:
    """Only the capital is left, and units of somebody else stand in it (MN-20.6)."""
    capital = 1 << s.setting.capital[seat]
    return s.marks[seat] == capital and bool(enemy_units(s, seat) & capital)


# Chapter 12: heroes and wonders ------------------------------------------------------------------


def card_rows(s: State, seat: Seat) -> Rows:
    """Which heroes and wonders a seat may buy (MN-12.1, MN-12.3)."""
    sold = 0
    for owned in s.cards:
        sold |= owned
    return ("MN-12.1", ~CIVILIZATION_HEROES | s.setting.heroes[seat]), ("MN-12.3", ~sold)


def swap_rows(s: State, seat: Seat, give: int, get: int) -> Rows:
    """Cleopatra's swap with the stock: one good for tax, or tax for any good (MN-24.5, 24.6)."""
    may = s.cards[seat] >> CLEOPATRA & 1 and not s.used & USED_CLEOPATRA
    return (
        ("MN-24.5", yes(may)),
        ("MN-24.5", yes((give == TAX) != (get == TAX))),
        ("MN-9.1", yes(count(s.hands[seat], give))),
        ("MN-7.10", yes(count(s.stock, get))),
    )


# The turn of one player --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Build(Step):
    """One player pays sets and builds, as often as he likes (MN-9.6)."""

    seat: Seat
    name = "build"
    cite = ("MN-9.1", "MN-9.6")
    verbs = ("build", "buy", "free", "swap", "demolish", "done")
    nouns = (SEAT,)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The called player."""
        return (self.seat,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """Everything he can pay and place, in the order of THING; then cards; then `done`."""
        hand = s.hands[seat]
        found: list[tuple[object, ...]] = []
        owned = s.cards[seat]
        prices = price_list(owned)
        payable = (
            {cost: Sets(hand, cost) for cost in dict.fromkeys(prices)} if size(hand) > 1 else {}
        )
        if any(payable.values()):
            ground = left_open(ground_rows(s, seat), s.marks[seat])
            for thing, cost in enumerate(prices):
                if payable[cost]:
                    found.extend(_building_rows(s, seat, thing, ground, payable[cost]))
            self._add_cards(s, seat, found)
        if owned >> HAMMURABI & 1:
            where = left_open(marker_rows(s, seat, free=True), s.setting.board.everything)
            if where:
                found.append(("free", bits(where)))
        if owned >> CLEOPATRA & 1 and not s.used & USED_CLEOPATRA:
            self._add_swaps(s, seat, found)
        found.append(("done",))
        return Moves(found)

    def _add_cards(self, s: State, seat: Seat, found: list[tuple[object, ...]]) -> None:
        hand = s.hands[seat]
        if size(hand) < CARD_PRICE:
            return
        payments = Sets(hand, CARD_PRICE)
        for_sale = left_open(card_rows(s, seat), ALL_CARDS)
        if payments:
            found.append(("buy", bits(for_sale & ~(1 << PYRAMIDS)), payments))
        pyramids = Sets(hand, card_price(s, PYRAMIDS))
        if pyramids and for_sale >> PYRAMIDS & 1:
            found.append(("buy", (PYRAMIDS,), pyramids))

    def _add_swaps(self, s: State, seat: Seat, found: list[tuple[object, ...]]) -> None:
        hand = s.hands[seat]
        if count(hand, TAX):
            found.append(("swap", (TAX,), goods(s.stock)))
        if count(s.stock, TAX):
            found.append(("swap", goods(hand), (TAX,)))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """The rows of the verb, for this one move."""
        verb = move[0]
        if verb == "build":
            return self._build_limits(s, seat, move)
        if verb == "buy":
            card, cards = move[1:]
            rows = broken(card_rows(s, seat), card)
            paid = broken(pay_rows(s.hands[seat], card_price(s, card), cards))
            return [Reason(rule, {"price": card_price(s, card)}) for rule in (*rows, *paid)]
        if verb == "free":
            return [Reason(rule) for rule in broken(marker_rows(s, seat, free=True), move[1])]
        if verb == "swap":
            return [Reason(rule) for rule in broken(swap_rows(s, seat, *move[1:]))]
        if verb == "demolish":
            return [Reason("MN-10.12")]
        return []

    def _build_limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        thing, place, good, cards = move[1:]
        cost = price(s, seat, thing)
        if (thing == T_CARAVAN) != (good >= 0):
            return [Reason("MN-10.5", {"good": good})]
        if thing == T_MARKER:
            rows = marker_rows(s, seat)
        else:
            rows = (*ground_rows(s, seat), *room_rows(s, seat, thing, good))
        where = broken(rows, place)
        paid = broken(pay_rows(s.hands[seat], cost, cards))
        return [Reason(rule, {"place": place, "price": cost}) for rule in (*where, *paid)]

    def forced(self, s: State) -> tuple[Seat, Move] | None:
        """Without cards and without Hammurabi nothing can be done, and everybody sees it."""
        if s.hands[self.seat] or s.cards[self.seat] >> HAMMURABI & 1:
            return None
        return self.seat, ("done",)

    def do_build(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Pay, and the thing stands at once."""
        thing, place, good, cards = nouns
        pay(s, seat, cards)
        tell("paid", seat, cards, rule="MN-9.1")
        if thing == T_MARKER:
            place_marker(s, seat, place, tell)
        else:
            put_thing(s, seat, thing, place, good)
            tell("built", seat, thing, place, good, rule="MN-9.1")
        then(s, self)

    def do_buy(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The card lies before its buyer; it may win the game (MN-22.1, MN-22.2)."""
        card, cards = nouns
        pay(s, seat, cards)
        tell("paid", seat, cards, rule="MN-9.1")
        s.cards = put(s.cards, seat, s.cards[seat] | 1 << card)
        tell("bought", seat, card, rule="MN-12.3")
        rule = ending.reached(s, seat)
        if rule:
            ending.end_game(s, 1 << seat, rule, tell)
        else:
            then(s, self)

    def do_free(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Hammurabi's marker (MN-11.6)."""
        s.used |= USED_HAMMURABI
        place_marker(s, seat, nouns[0], tell)
        then(s, self)

    def do_swap(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """Cleopatra's swap (MN-24.5)."""
        give, get = nouns
        s.used |= USED_CLEOPATRA
        pay(s, seat, CARD[give])
        receive(s, seat, CARD[get])
        tell("swapped", seat, give, get, rule="MN-24.5")
        then(s, self)

    def do_done(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """What may be kept is kept, the rest goes back (MN-9.7)."""
        if s.hands[seat]:
            then(s, Keep(seat))


def _building_rows(
    s: State, seat: Seat, thing: int, ground: BitSet, payments: Sets
) -> list[tuple[object, ...]]:
    """The `build` rows of one thing."""
    if thing == T_MARKER:
        where = left_open(marker_rows(s, seat), s.setting.board.everything)
        return [("build", (thing,), bits(where), (-1,), payments)] if where else []
    if not ground:
        return []
    if thing != T_CARAVAN:
        where = left_open(room_rows(s, seat, thing), ground)
        return [("build", (thing,), bits(where), (-1,), payments)] if where else []
    found: list[tuple[object, ...]] = []
    if not buildings_left(s, T_CARAVAN):
        return found
    symbols = s.setting.board.symbols
    for good, taken in enumerate(s.caravans):  # MN-10.5, as in `room_rows` (laws compare the two)
        where = symbols[good] & ground & ~taken
        if where:
            found.append(("build", (thing,), bits(where), (good,), payments))
    return found


def put_thing(s: State, seat: Seat, thing: int, place: int, good: int) -> None:
    """A thing other than a marker is put on the board."""
    bit = 1 << place
    if thing == T_CARAVAN:
        s.caravans = put(s.caravans, good, s.caravans[good] | bit)
    elif thing == T_CITY:
        s.cities = changed(s.cities, place, 1)
    elif thing == T_TEMPLE:
        s.temples |= bit
    elif thing == T_MARKET:
        s.markets |= bit
    elif thing == T_LEGION:
        add_legions(s, seat, place, 1)
    elif thing == T_FLEET:
        add_harbour(s, seat, place, 1)
    else:
        add_fort(s, seat, place)


def place_marker(s: State, seat: Seat, place: int, tell: Tell) -> None:
    """A marker is placed; a foreign one under the own legion goes back (MN-19.12, MN-19.28)."""
    owner = marker_owner(s, place)
    if owner != NOBODY:
        s.marks = put(s.marks, owner, s.marks[owner] & ~(1 << place))
        drop_post(s, next(p for p in s.posts if p[:3] == (place, seat, MARKER)))
        tell("replaced", seat, owner, place, rule="MN-19.12")
    s.marks = put(s.marks, seat, s.marks[seat] | 1 << place)
    tell("built", seat, T_MARKER, place, -1, rule="MN-11.1")


def keepable(s: State, seat: Seat) -> tuple[Hand, ...]:
    """What the seat may keep of its hand: up to 2 tax, and goods by the Gardens (MN-9.7, 9.8)."""
    hand = s.hands[seat]
    tax = min(count(hand, TAX), TAX_KEPT)
    gardens = goods_kept(s, seat)
    only_goods = hand & ~FIELD
    picks = [pick for n in range(gardens + 1) for pick in Picks(only_goods, n)]
    return tuple(pick + n for pick in picks for n in range(tax, -1, -1))


TAX_KEPT = 2


def goods_kept(s: State, seat: Seat) -> int:
    """How many goods the seat may keep (MN-9.8, MN-23.3)."""
    return int(s.setting.opts.gardens_keep) if s.cards[seat] >> GARDENS & 1 else 0


@dataclass(frozen=True, slots=True)
class Keep(Step):
    """At the end of his Construction turn a player says what he keeps (MN-9.7 to 9.9)."""

    seat: Seat
    name = "keep"
    cite = ("MN-9.7", "MN-9.8", "MN-9.9")
    verbs = ("keep",)
    nouns = (SEAT,)

    def asked(self, s: State) -> tuple[Seat, ...]:
        """The player whose turn ends."""
        return (self.seat,)

    def moves(self, s: State, seat: Seat) -> Moves:
        """Every pick that may be kept, also none."""
        return Moves((("keep", keepable(s, seat)),))

    def limits(self, s: State, seat: Seat, move: Move) -> list[Reason]:
        """Up to 2 tax cards; goods only with the Hanging Gardens."""
        cards = move[1]
        only_goods = size(cards & ~FIELD)
        allowed = goods_kept(s, seat)
        rows = (
            ("MN-9.1", yes(holds(s.hands[seat], cards))),
            ("MN-9.7", yes(count(cards, TAX) <= TAX_KEPT and (allowed or not only_goods))),
            ("MN-9.8", yes(only_goods <= allowed or not allowed)),
        )
        return [Reason(rule, {"goods": allowed}) for rule in broken(rows)]

    def do_keep(self, s: State, seat: Seat, nouns: Move, tell: Tell) -> None:
        """The rest goes openly back to the stock (MN-2.1: it lies open)."""
        kept = nouns[0]
        back = s.hands[seat] - kept
        if back:
            pay(s, seat, back)
            tell("discarded", seat, back, rule="MN-9.7")
        # Everybody can tell: all that is kept is tax, but for the goods that the Gardens keep.
        sure = max(size(kept) - goods_kept(s, seat), count(s.known[seat], TAX))
        s.known = put(s.known, seat, (s.known[seat] & ~FIELD) + sure)
        tell("kept", seat, size(kept), rule="MN-9.7")
