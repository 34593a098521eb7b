"""Mare Nostrum on the screen: hands, heroes and wonders, roles, prices, supply, the trade."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from oikumene.commands.terminal_board import named
from oikumene.commands.terminal_screen import Table
from oikumene.core.game import Seat
from oikumene.core.limits import bits, left_open
from oikumene.games.mare_nostrum import commerce, construction, roles, victory
from oikumene.games.mare_nostrum.cards import (
    CARD,
    CARDS,
    FIELD,
    KINDS,
    PYRAMIDS,
    TAX,
    Hand,
    count,
    goods,
    size,
)
from oikumene.games.mare_nostrum.income import incomes
from oikumene.games.mare_nostrum.sentences import Texts
from oikumene.games.mare_nostrum.state import (
    NOBODY,
    ROLES,
    T_CARAVAN,
    T_CITY,
    T_MARKET,
    T_TEMPLE,
    THINGS,
    State,
    buildings_left,
    fleets_left,
    forts_left,
    legions_left,
    markers_left,
)
from oikumene.games.mare_nostrum.view import View

# Hands -------------------------------------------------------------------------------------------


def hand_table(view: View, texts: Texts) -> Table:
    """The viewer's cards with the sets they make, and what is known of the other hands."""
    s = view.state
    rows: list[tuple[str, str]] = []
    if view.seat is not None:
        hand = s.hands[view.seat]
        rows.append(("your cards", f"{size(hand)}: {texts.cards(hand)}"))
        rows.append(("sets", sets_line(texts, hand)))
    for seat, number in enumerate(view.sizes):
        if seat == view.seat:
            continue
        known = s.hands[seat] or s.known[seat]
        text = texts.number("counted", "card", number)
        if known:
            rest = number - size(known)
            text += f": {texts.cards(known)}" + (f", {rest} unknown" if rest else "")
        rows.append((named(view, texts, seat), text))
    return Table("Hands", ("", ""), rows)


def sets_line(texts: Texts, hand: Hand) -> str:
    """The sets that a hand makes: tax alone, or different goods."""
    tax, different = count(hand, TAX), len(goods(hand))
    largest = max(tax, different)
    parts = [f"tax: up to {tax}"] if tax else []
    if different:
        parts.append(f"{texts.number('counted', 'good', different)}: up to {different}")
    several = [
        f"{number} of {price}"
        for price in (3, 6, 9, 12)
        if price <= largest and (number := victory.most_sets(hand, price))
    ]
    if several:
        parts.append(f"at once {', or '.join(several)}")
    return "; ".join(parts) or "none"


# Heroes and wonders ------------------------------------------------------------------------------


def card_tables(view: View, texts: Texts) -> Iterator[Table]:
    """Heroes and wonders: who has which, and which are for sale at what price."""
    s = view.state
    rows = []
    sold = 0
    for seat, owned in enumerate(s.cards):
        sold |= owned
        rows += [
            (named(view, texts, seat), texts.hero(card), does(texts, card)) for card in bits(owned)
        ]
    yield Table("Held", ("player", "card", "what it does"), rows)
    offered = []
    mine = 0 if view.seat is None else s.setting.heroes[view.seat]
    for card in range(len(CARDS)):
        if sold >> card & 1:
            continue
        civ = [at for at, hero in enumerate(s.setting.heroes) if hero >> card & 1]
        if civ and not mine >> card & 1:
            continue
        price = str(construction.card_price(s, card))
        text = f"{texts.hero(card)}: {does(texts, card)}"
        offered.append((CARDS[card], price, text))
    yield Table(
        "For sale", ("buy", "price", "what it does"), offered,
        "A civilization's hero can be bought by that civilization only (MN-12.1).",
    )  # fmt: skip


def does(texts: Texts, card: int) -> str:
    """What a card does, with its rule."""
    entry = texts.doc["hero"][CARDS[card]]
    return f"{entry['does']} ({entry['rule']})"


# Roles and victory -------------------------------------------------------------------------------


def race_tables(view: View, texts: Texts) -> Iterator[Table]:
    """Who counts what for the roles and gets them now; how near everybody is to winning."""
    s = view.state
    every = [roles.counts(s, role) for role in range(len(ROLES))]
    rows = [
        (named(view, texts, seat), *(_count(s, role, seat, every[role][seat]) for role in range(3)))
        for seat in range(s.setting.n)
    ]
    head = ("", "Commerce", "Political", "Military")
    holders = [_who(texts, s, seat) for seat in s.roles]
    rows.append(("holds it", *holders))
    rows.append(("counted now", *(_next(texts, s, role, every[role]) for role in range(3))))
    yield Table(
        "Roles", head, rows,
        "Commerce counts caravans and markets, Political cities and temples, Military legions, "
        "fleets and fortresses (MN-6.3 to 6.5). They are given anew at the start of each round.",
    )  # fmt: skip
    yield victory_table(view, texts)


def _count(s: State, role: int, seat: Seat, number: int) -> str:
    bonus = roles.BONUS if s.cards[seat] >> roles.BONUS_CARD[role] & 1 else 0
    return f"{number} (with {bonus})" if bonus else str(number)


def _who(texts: Texts, s: State, seat: Seat) -> str:
    return "nobody" if seat == NOBODY else texts.of("seat", s.setting.seats[seat])


def _next(texts: Texts, s: State, role: int, found: tuple[int, ...]) -> str:
    """Who would get a role if it were counted now (MN-6.8, MN-6.15, MN-6.16)."""
    most = max(found)
    tied = [seat for seat, number in enumerate(found) if number == most]
    holder = s.roles[role]
    if len(tied) == 1 or holder in tied:
        return _who(texts, s, tied[0] if len(tied) == 1 else holder)
    names = " or ".join(_who(texts, s, seat) for seat in tied)
    return f"{names}: dice" if holder == NOBODY else f"{names}: {_who(texts, s, holder)} names"


def victory_table(view: View, texts: Texts) -> Table:
    """How near each player is to victory."""
    s = view.state
    need = s.setting.opts.cards_to_win
    paid = incomes(s)
    rows = []
    for seat, owned in enumerate(s.cards):
        names = ", ".join(texts.hero(card) for card in bits(owned))
        income = paid[seat]
        different = texts.number("counted", "kind", len(goods(income)))
        rows.append(
            (named(view, texts, seat), f"{owned.bit_count()} of {need}",
             str(view.sizes[seat]), f"{size(income)} ({different})", names)
        )  # fmt: skip
    return Table(
        "Victory", ("", "cards", "hand", "income", "heroes and wonders"), rows,
        f"{need} heroes and wonders win, and so do the Pyramids, for "
        f"{construction.card_price(s, PYRAMIDS)} cards (MN-22.1, MN-22.2).",
    )  # fmt: skip


# Prices and supply -------------------------------------------------------------------------------


def price_table(view: View, texts: Texts) -> Table:
    """What everything costs the viewer, whether he can pay it, what is left of it."""
    s, seat = view.state, view.seat
    assert seat is not None
    hand = s.hands[seat]
    rows = []
    for thing, name in enumerate(THINGS):
        price, usual = construction.price(s, seat, thing), construction.PRICES[thing]
        shown = f"{price} (not {usual})" if price != usual else str(price)
        rows.append((texts.of("things", name), shown, payable(hand, price), left(s, seat, thing)))
    for_sale = left_open(construction.card_rows(s, seat), (1 << len(CARDS)) - 1)
    pyramids = for_sale >> PYRAMIDS & 1
    number = str(for_sale.bit_count() - pyramids)
    rows.append(("hero, wonder", str(construction.CARD_PRICE),
                 payable(hand, construction.CARD_PRICE), number))  # fmt: skip
    if pyramids:
        price = construction.card_price(s, PYRAMIDS)
        rows.append((texts.hero(PYRAMIDS), str(price), payable(hand, price), "1"))
    return Table(
        "Prices", ("", "price", "you can pay", "left"), rows,
        "A set is tax only, or goods that are all different, and as many as the price "
        "(MN-9.2, MN-9.4).",
    )  # fmt: skip


def payable(hand: Hand, price: int) -> str:
    """How a hand can pay a price."""
    ways = [
        *(["tax"] if hand & FIELD >= price else []),
        *(["goods"] if len(goods(hand)) >= price else []),
    ]
    return "yes, " + " or ".join(ways) if ways else "no"


def left(s: State, seat: Seat, thing: int) -> str:
    """What is left of a thing: in the common supply, or in the seat's own."""
    if thing in (T_CARAVAN, T_CITY, T_TEMPLE, T_MARKET):
        return str(buildings_left(s, thing))
    own = {"marker": markers_left, "legion": legions_left, "fleet": fleets_left}
    return str(own.get(THINGS[thing], forts_left)(s, seat))


def supply_tables(view: View, texts: Texts) -> Iterator[Table]:
    """Pieces and cards that are left."""
    s = view.state
    common = [
        (texts.of("things", THINGS[thing]), str(buildings_left(s, thing)))
        for thing in (T_CARAVAN, T_CITY, T_MARKET, T_TEMPLE)
    ]
    yield Table("Common supply", ("", ""), common)
    rows = [
        (named(view, texts, seat), str(markers_left(s, seat)), str(legions_left(s, seat)),
         str(fleets_left(s, seat)), str(forts_left(s, seat)))
        for seat in range(s.setting.n)
    ]  # fmt: skip
    yield Table("Own supplies", ("", "markers", "legions", "fleets", "fortresses"), rows)
    stock = [(texts.of("card", name), str(count(s.stock, at))) for at, name in enumerate(KINDS)]
    yield Table("Cards in stock", ("", ""), stock)


# The trade ---------------------------------------------------------------------------------------


def trade_table(view: View, texts: Texts) -> Table:
    """The open offers, what was taken, who is barred from whom."""
    s = view.state
    frame = s.agenda[-1] if s.agenda else None
    barred = 0
    if isinstance(frame, commerce.Take):
        barred = ~dict(frame._rows(s))["MN-8.10"]
    rows = []
    for seat in range(s.setting.n):
        note = ""
        if isinstance(frame, commerce.Take) and barred >> seat & 1 and seat != frame.taker:
            note = f"barred from {texts.of('seat', s.setting.seats[frame.taker])} (MN-8.10)"
        rows.append(
            (named(view, texts, seat), texts.cards(s.open[seat]) if s.open[seat] else "",
             texts.cards(s.won[seat]) if s.won[seat] else "", note)
        )  # fmt: skip
    return Table("The trade", ("", "lies open", "has taken", "note"), rows)


# Payments ----------------------------------------------------------------------------------------


def cheapest(hand: Hand, payments: Iterable[Hand]) -> list[Hand]:
    """The payments, those first that leave most: sets of three, tax to keep, different goods."""

    def loss(cards: Hand) -> tuple[int, int, int]:
        rest = hand - cards
        tax = min(count(rest, TAX), construction.TAX_KEPT)
        return (-victory.most_sets(rest, 3), -tax, -len(goods(rest)))

    return sorted(payments, key=loss)


def to_offer(hand: Hand, number: int) -> Hand:
    """The cards that one misses least: goods held more than twice, then twice, tax beyond the two
    that can be kept, single goods, the last tax."""
    order = []
    for kind in range(len(KINDS)):
        held = count(hand, kind)
        for nth in range(held):
            copies = held - nth
            if kind == TAX:
                weight = 4 if copies <= construction.TAX_KEPT else 2
            else:
                weight = 3 if copies == 1 else 1 if copies == 2 else 0
            order.append((weight, kind))
    order.sort()
    return sum(CARD[kind] for _, kind in order[:number])
