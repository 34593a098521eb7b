"""What to buy with a hand: a menu of what is for sale with its values, and the best way to pay.

A hand pays sets of tax only, or of different goods (MN-9.2). Which sets of different goods a hand
can pay at once follows from a theorem of Gale and Ryser: the k largest sets must not need more
cards than the goods give, each counted at most k times. `best_plan` searches all ways to pay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from oikumene.core.limits import BitSet, bits, left_open
from oikumene.games.mare_nostrum import construction
from oikumene.games.mare_nostrum.cards import (
    AGAMEMNON,
    ALL_CARDS,
    ARCHIMEDES,
    ARTEMIS,
    CAESAR,
    CARD,
    CLEOPATRA,
    COLOSSUS,
    GARDENS,
    GOODS,
    HAMMURABI,
    HANNIBAL,
    HELEN,
    LIGHTHOUSE,
    MAUSOLEUM,
    NEBUCHADNEZZAR,
    PERICLES,
    PYRAMIDS,
    SOLOMON,
    TAX,
    ULYSSES,
    ZEUS,
    Hand,
    count,
    goods,
)
from oikumene.games.mare_nostrum.evaluate import Outlook
from oikumene.games.mare_nostrum.state import (
    T_CARAVAN,
    T_CITY,
    T_FLEET,
    T_FORTRESS,
    T_LEGION,
    T_MARKER,
    T_MARKET,
    T_TEMPLE,
    buildings_left,
    fleets_left,
    forts_left,
    legions_left,
    marker_owner,
)

# What each hero and wonder does for its owner beyond the way to victory: cards a round it is worth,
# by the rule of thumb in the comment. The base is WEIGHTS["card_..."].
POWERS = {
    ARTEMIS: 1.6,  # any good each round: the missing one of every set
    HAMMURABI: 1.6,  # a marker each round saves 3, when there is somewhere to go
    MAUSOLEUM: 1.3,  # two or three buildings a round, each one cheaper
    COLOSSUS: 1.1,  # one tax a round
    GARDENS: 1.0,  # one good that would be lost
    CLEOPATRA: 0.8,  # a duplicate becomes tax, tax the missing good
    SOLOMON: 0.6,  # the Political Leader is first at what is scarce, and decides shared victories
    AGAMEMNON: 0.5,  # the Director takes first and says how much is traded
    ARCHIMEDES: 0.5,  # the Military Leader strikes last
    LIGHTHOUSE: 0.5,  # markers anywhere
    CAESAR: 0.5,  # cheaper legions and fortresses
    HANNIBAL: 0.5,  # a point more for each legion
    HELEN: 0.4,  # an attack a round turned round
    ULYSSES: 0.4,  # a card saved a round
    ZEUS: 0.2,  # second fortresses
    PERICLES: 0.2,  # cheaper, stronger fleets
    NEBUCHADNEZZAR: 0.2,  # only who pillages gains
    PYRAMIDS: 0.0,  # never bought for its power
}


class Item(NamedTuple):
    """Something for sale: its value, and the nouns of its `build`."""

    value: float
    thing: int
    place: int
    good: int


class Menu(NamedTuple):
    """What a seat could buy on its turn, each list best first; values include nothing of the price.

    `offers[price]` are things; `cards` heroes and wonders; `needed` of them win; `pyramids` is the
    price of the Pyramids, or 0 where they are sold.
    """

    offers: dict[int, list[Item]]
    cards: list[tuple[float, int]]
    needed: int
    pyramids: int
    win: float
    kept_tax: float  # the worth of a tax card kept
    next_cards: tuple[
        float, ...
    ]  # the worth of the first, second, ... card bought now, power aside


class Buy(NamedTuple):
    """One purchase of a plan: its price, and whether it is paid in tax."""

    price: int
    in_tax: bool


class Plan(NamedTuple):
    """What a hand can buy at best, dearest first."""

    value: float
    buys: tuple[Buy, ...]


# The menu ---------------------------------------------------------------------------------------


def menu_of(o: Outlook) -> Menu:
    """Everything the seat could buy now if it had the cards."""
    s, seat = o.s, o.seat
    prices = construction.price_list(s.cards[seat])
    offers: dict[int, list[Item]] = {}
    for item in _things(o):
        if item.value > 0:
            offers.setdefault(prices[item.thing], []).append(item)
    for items in offers.values():
        items.sort(key=lambda item: (-item.value, item.thing, item.place, item.good))
    for_sale = left_open(construction.card_rows(s, seat), ALL_CARDS)
    needed = s.setting.opts.cards_to_win - s.cards[seat].bit_count()
    cards = [(card_value(o, card), card) for card in bits(for_sale & ~(1 << PYRAMIDS))]
    cards.sort(key=lambda one: (-one[0], one[1]))
    base = {3: o.w["card_3"], 2: o.w["card_2"], 1: o.w["win"]}
    return Menu(
        offers,
        cards,
        needed,
        s.setting.opts.pyramids_price if for_sale >> PYRAMIDS & 1 else 0,
        o.w["win"],
        o.w["kept_tax"],
        tuple(base.get(missing, base[3]) for missing in range(needed, 0, -1)),
    )


def card_value(o: Outlook, card: int) -> float:
    """What a hero or wonder gives its owner while the game lasts, the way to victory aside."""
    return POWERS[card] * o.rounds


def _things(o: Outlook) -> list[Item]:
    """All things with a place to stand, each with its value."""
    s, seat = o.s, o.seat
    ground = left_open(construction.ground_rows(s, seat), s.marks[seat])
    found: list[Item] = []
    found.extend(_caravans(o, ground))
    found.extend(_doublers(o, ground))
    found.extend(_markers(o, marker_places(o)))
    found.extend(_units(o, ground))
    return found


def marker_places(o: Outlook) -> BitSet:
    """Where the seat may place a marker now."""
    rows = construction.marker_rows(o.s, o.seat)
    return left_open(rows, o.s.setting.board.everything)


def _caravans(o: Outlook, ground: BitSet) -> list[Item]:
    """Caravans and cities: an income each, from the next round on."""
    s, board = o.s, o.s.setting.board
    rounds = o.rounds - 1
    found: list[Item] = []
    left = buildings_left(s, T_CARAVAN)
    if left:
        for good in range(len(GOODS)):
            for place in bits(board.symbols[good] & ground & ~s.caravans[good]):
                a_round = o.goods[good]
                if s.markets >> place & 1:
                    a_round += o.w["second_good"]
                found.append(Item(a_round * rounds, T_CARAVAN, place, good))
        found.sort(key=lambda item: (-item.value, item.place, item.good))
        del found[left:]
    if buildings_left(s, T_CITY):
        for place in bits(ground):
            free = board.sites[place] - s.cities[place]
            a_round = o.tax * (1 + (s.temples >> place & 1))
            found.extend([Item(a_round * rounds, T_CITY, place, -1)] * min(free, 1))
    return found


def _doublers(o: Outlook, ground: BitSet) -> list[Item]:
    """Markets and temples: they double what stands there, and what will."""
    s, board = o.s, o.s.setting.board
    rounds = o.rounds - 1
    found: list[Item] = []
    if buildings_left(s, T_MARKET):
        for place in bits(ground & ~s.markets):
            there = sum(1 for where in s.caravans if where >> place & 1)
            room = sum(1 for where in board.symbols if where >> place & 1) - there
            a_round = o.w["second_good"] * (there + 0.3 * room)
            if there:
                found.append(Item(a_round * rounds, T_MARKET, place, -1))
    if buildings_left(s, T_TEMPLE):
        for place in bits(ground & ~s.temples):
            there = s.cities[place]
            a_round = o.tax * (there + 0.3 * (board.sites[place] - there))
            if there:
                found.append(Item(a_round * rounds, T_TEMPLE, place, -1))
    return found


def _markers(o: Outlook, where: BitSet) -> list[Item]:
    """Markers: new provinces, and those a legion has taken over."""
    s = o.s
    mine = construction.own_takeovers(s, o.seat)
    found = []
    for place in bits(where):
        value = o.marker_value(place)
        if mine >> place & 1:
            gain = o.worth(place) * (o.rounds - 1) * (1 + o.lead(marker_owner(s, place)))
            value += gain + o.w["room"]
        found.append(Item(value, T_MARKER, place, -1))
    return found


def _units(o: Outlook, ground: BitSet) -> list[Item]:
    """Legions, fortresses and fleets: prizes within reach, dangers warded off."""
    s, seat, w = o.s, o.seat, o.w
    found: list[Item] = []
    may_legion, may_fort = legions_left(s, seat) > 0, forts_left(s, seat) > 0
    about = o.enemies_about()
    for place in bits(ground):
        danger = o.danger(place)
        if may_legion:
            gain = max(danger - o.danger(place, legions=1), raid_value(o, place, about))
            found.append(Item(w["strength"] + gain, T_LEGION, place, -1))
        if may_fort and not s.forts[seat] >> place & 1:
            gain = danger - o.danger(place, forts=1)
            found.append(Item(w["strength"] * 0.8 + gain, T_FORTRESS, place, -1))
    if fleets_left(s, seat):
        found.extend(_fleets(o, ground))
    return found


def raid_value(o: Outlook, place: int, about: BitSet) -> float:
    """What one more legion built in a province can win next to it, with those already near."""
    s, w = o.s, o.w
    waiting = (1 << s.setting.n) - 1
    best = 0.0
    reach = s.setting.board.neighbours(place, o.chain)
    for target in bits(reach & o.targets):
        near = o.own_near(target)
        foe = about >> target & 1
        gain = o.attack_value(target, near + 1, waiting)
        if near:
            gain -= max(0.0, o.attack_value(target, near, waiting))
        if foe:
            gain *= 0.8
        best = max(best, gain)
    return best * w["raid"]


def _fleets(o: Outlook, ground: BitSet) -> list[Item]:
    """Fleets: each is worth what its zone opens."""
    s, board = o.s, o.s.setting.board
    found: list[Item] = []
    in_port = sum(s.harbour[o.seat])  # they will open the best zones already
    for place in bits(ground & board.coast):
        zones = sorted((o.sea_value(zone) for zone in bits(board.waters[place])), reverse=True)
        best = zones[in_port] if in_port < len(zones) else 0.0
        value = o.w["strength"] * 0.8 + best
        found.append(Item(value, T_FLEET, place, -1))
    return found


# Paying -------------------------------------------------------------------------------------------


def best_plan(hand: Hand, menu: Menu) -> Plan:
    """The most valuable purchases that the hand can pay."""
    steps = _steps(menu)
    counts = sorted((count(hand, kind) for kind in goods(hand)), reverse=True)
    # caps[k]: cards of goods, each counted at most k times
    caps = [sum(min(one, k) for one in counts) for k in range(10)]
    return Plan(*_search(steps, 0, caps, 0, 0, count(hand, TAX), menu.kept_tax))


def _steps(menu: Menu) -> list[tuple[int, list[float]]]:
    """By price, dearest first: what buying the first k things of that price is worth together."""
    found: list[tuple[int, list[float]]] = []
    if menu.pyramids:
        found.append((menu.pyramids, [0.0, menu.win]))
    by_price = {price: [item.value for item in items] for price, items in menu.offers.items()}
    if menu.cards:
        worth = [
            base + value for base, (value, _) in zip(menu.next_cards, menu.cards, strict=False)
        ]
        by_price.setdefault(construction.CARD_PRICE, []).extend(worth)
    for price in sorted(by_price, reverse=True):
        sums = [0.0]
        for value in by_price[price][:9]:
            sums.append(sums[-1] + value)
        found.append((price, sums))
    return found


def _search(
    steps: Sequence[tuple[int, list[float]]],
    at: int,
    caps: list[int],
    sets: int,
    used: int,
    tax: int,
    kept: float,
) -> tuple[float, tuple[Buy, ...]]:
    """The best value of the steps from `at` on; `sets` sets of goods with `used` cards are paid;
    `kept` is the worth of a tax card that is left."""
    if at == len(steps):
        return kept * min(tax, construction.TAX_KEPT), ()
    price, sums = steps[at]
    most = len(sums) - 1
    by_goods = 0
    while (
        by_goods < most
        and sets + by_goods + 1 < len(caps)
        and used + (by_goods + 1) * price <= caps[sets + by_goods + 1]
    ):
        by_goods += 1
    by_tax = min(most, tax // price)
    last = at + 1 == len(steps)
    best: tuple[float, tuple[Buy, ...]] = (-1.0, ())
    for g in range(by_goods, by_goods - 1 if last else -1, -1):
        for t in range(min(by_tax, most - g), -1, -1):
            value, rest = _search(
                steps, at + 1, caps, sets + g, used + g * price, tax - t * price, kept
            )
            value += sums[g + t]
            if value > best[0]:
                best = value, (Buy(price, False),) * g + (Buy(price, True),) * t + rest
    return best


def payment(hand: Hand, buy: Buy) -> Hand:
    """The cards of one purchase; of goods those of which the hand holds most.

    Taking the largest heaps keeps every other set of the plan payable (Gale and Ryser).
    """
    if buy.in_tax:
        return buy.price * CARD[TAX]
    heaps = sorted(goods(hand), key=lambda kind: (-count(hand, kind), kind))
    return sum(CARD[kind] for kind in heaps[: buy.price])
