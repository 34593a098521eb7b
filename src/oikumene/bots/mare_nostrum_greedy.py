"""`greedy`: an opponent for Mare Nostrum that always does what looks best at the moment.

It looks no move ahead but values everything (`evaluate.py`): what a building will pay until the
game is likely to end, what a hero brings, what a legion can win or lose. How it decides, by kind:
trade in `mare_nostrum_trade`, buying in `mare_nostrum_plan`, war in `mare_nostrum_war`, and the
small answers here. Chance varies its taste for single goods a little, so that games differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from oikumene.bots import mare_nostrum_plan as plans
from oikumene.bots import mare_nostrum_trade as trade
from oikumene.bots import mare_nostrum_war as war
from oikumene.core.keyed import Draws
from oikumene.core.moves import Move, Moves
from oikumene.games.mare_nostrum.cards import CARD, PYRAMIDS, TAX, count
from oikumene.games.mare_nostrum.commerce import CarryTake
from oikumene.games.mare_nostrum.construction import CARD_PRICE
from oikumene.games.mare_nostrum.evaluate import DEFAULT, Outlook
from oikumene.games.mare_nostrum.state import (
    POLITICAL,
    T_CARAVAN,
    T_CITY,
    T_MARKER,
    T_MARKET,
    T_TEMPLE,
)
from oikumene.games.mare_nostrum.view import View

HERO_TURN = 3  # of the free start: the last turn's 9 points buy the own hero


class Greedy:
    """See the module. `weights` may replace the table in `evaluate.py`, for experiments."""

    name = "greedy"

    def __init__(self, weights: Mapping[str, float] = DEFAULT) -> None:
        self.weights = weights

    def choose(self, game: Any, view: View, moves: Moves, draws: Draws) -> Move:
        """The move that looks best; always one of `moves`."""
        assert view.seat is not None
        frame = view.state.agenda[-1]
        decide = DECISIONS.get(frame.name)
        if decide is None:
            return moves.sample(draws)
        move = decide(Outlook(view.state, view.seat, self.weights, draws, view.sizes), frame, moves)
        return move if move in moves else moves.sample(draws)


# Construction -------------------------------------------------------------------------------------


def build(o: Outlook, frame: Any, moves: Moves) -> Move:
    """One purchase of the best plan for the hand, the dearest first; before it what is free."""
    free = _free_marker(o, moves)
    if free is not None:
        return free
    hand = o.s.hands[o.seat]
    menu = plans.menu_of(o)
    plan = plans.best_plan(hand, menu)
    swap = _swap(o, menu, plan, moves)
    if swap is not None:
        return swap
    for buy in plan.buys:
        move = purchase(o, menu, buy)
        if move in moves:
            return move
    return ("done",)


def purchase(o: Outlook, menu: plans.Menu, buy: plans.Buy) -> Move:
    """The move of one purchase: the most valuable thing of that price."""
    hand = o.s.hands[o.seat]
    cards = plans.payment(hand, buy)
    things = menu.offers.get(buy.price, [])
    if buy.price == menu.pyramids:
        return ("buy", PYRAMIDS, cards)
    if buy.price == CARD_PRICE and menu.cards:
        return ("buy", menu.cards[0][1], cards)
    item = things[0]
    return ("build", item.thing, item.place, item.good, cards)


def _free_marker(o: Outlook, moves: Moves) -> Move | None:
    """Hammurabi's marker, at the best place."""
    free = moves.of("free")
    return max(free, key=lambda move: (o.marker_value(move[1]), -move[1]), default=None)


def _swap(o: Outlook, menu: plans.Menu, plan: plans.Plan, moves: Moves) -> Move | None:
    """Cleopatra's swap, if the hand buys more by it."""
    hand = o.s.hands[o.seat]
    best, best_value = None, plan.value + 0.5
    for move in moves.of("swap"):
        value = plans.best_plan(hand - CARD[move[1]] + CARD[move[2]], menu).value
        if value > best_value + 1e-9:
            best, best_value = move, value
    return best


def keep(o: Outlook, frame: Any, moves: Moves) -> Move:
    """As much tax as may be kept, and the goods that the own income lacks."""

    def worth(move: Move) -> float:
        cards = move[1]
        total = 1.0 * count(cards, TAX)
        return total + sum(o.goods[good] * min(count(cards, good + 1), 1) for good in range(12))

    return max(moves, key=worth)


# Trade and income ---------------------------------------------------------------------------------


def _hands(o: Outlook) -> trade.Hands:
    return trade.Hands(o, plans.menu_of(o))


def number(o: Outlook, frame: Any, moves: Moves) -> Move:
    """The Director's number."""
    return trade.choose_number(_hands(o), moves)


def offer(o: Outlook, frame: Any, moves: Moves) -> Move:
    """What to lay down."""
    return trade.choose_offer(_hands(o), frame, moves)


def take(o: Outlook, frame: Any, moves: Moves) -> Move:
    """What to take."""
    return trade.choose_take(_hands(o), moves)


def ulysses(o: Outlook, frame: Any, moves: Moves) -> Move:
    """Whether to step in: the picked card is announced on the agenda."""
    carry = o.s.agenda[-2]
    assert isinstance(carry, CarryTake)
    return trade.choose_ulysses(_hands(o), carry.kind)


def give(o: Outlook, frame: Any, moves: Moves) -> Move:
    """The Director's compensation."""
    return trade.choose_gift(_hands(o), moves)


def good(o: Outlook, frame: Any, moves: Moves) -> Move:
    """The good of choice (Temple of Artemis, Nebuchadnezzar)."""
    choices = tuple(move[1] for move in moves if move[0] == "good")
    return ("good", trade.best_good(_hands(o), choices)) if choices else ("done",)


# Calls and roles ----------------------------------------------------------------------------------


def call(o: Outlook, frame: Any, moves: Moves) -> Move:
    """Construction: oneself first, at what is scarce, and the strongest last. Strategy: oneself
    last, when nobody can strike back before the next Construction; the weakest before."""
    own = ("call", o.seat)
    others = [move for move in moves if move != own]
    if own in moves and (frame.leader == POLITICAL or not others):
        return own
    return min(others, key=lambda move: (o.threat(move[1]), move[1]))


def name_holder(o: Outlook, frame: Any, moves: Moves) -> Move:
    """A tied role goes to the weakest."""
    return min(moves, key=lambda move: (o.threat(move[1]), move[1]))


# Set-up -------------------------------------------------------------------------------------------


def start_caravan(o: Outlook, frame: Any, moves: Moves) -> Move:
    """A good that is not there yet; the rarest of them."""
    symbols = o.s.setting.board.symbols
    return max(moves, key=lambda m: (o.goods[m[2]], -symbols[m[2]].bit_count(), -m[2], -m[1]))


def free_start(o: Outlook, frame: Any, moves: Moves) -> Move:
    """Markers first, then what pays; the hero with the last turn's 9 points."""
    hero = ("hero",)
    if hero in moves and frame.turn >= HERO_TURN:
        return hero
    if ("done",) in moves:
        return ("done",)
    return max(moves, key=lambda move: _place_value(o, move))


def _place_value(o: Outlook, move: Move) -> tuple[float, int]:
    """The worth of one placement of the free start."""
    s, board = o.s, o.s.setting.board
    if move[0] != "place":
        return -1.0, 0
    _, thing, place, good_ = move
    marks = s.marks[o.seat]
    if thing == T_MARKER:
        if place == s.setting.capital[o.seat]:
            return 100.0, 0
        enough = marks.bit_count() >= 3 and o.room() > 1
        return (0.0 if enough else 50.0) + o.potential(place), -place
    if thing == T_CARAVAN:
        return o.goods[good_] * 10, -place
    if thing == T_CITY:
        return o.tax * 10, -place
    if thing == T_TEMPLE:
        return 5.0 * s.cities[place] * o.tax, -place
    if thing == T_MARKET:
        there = sum(1 for where in s.caravans if where >> place & 1)
        return 4.5 * there * o.w["second_good"], -place
    return (1.0 if board.land[place] else 0.0), -place


# Small answers ------------------------------------------------------------------------------------


def fleets(o: Outlook, frame: Any, moves: Moves) -> Move:
    """Fleets of a Strategy turn."""
    return war.choose_fleets(o, moves)


def legions(o: Outlook, frame: Any, moves: Moves) -> Move:
    """Legions of a Strategy turn."""
    return war.choose_legions(o, moves)


def choose_after(o: Outlook, frame: Any, moves: Moves) -> Move:
    """After a conquest."""
    return war.choose_after(o, moves)


def join(o: Outlook, frame: Any, moves: Moves) -> Move:
    """More occupations."""
    return war.choose_join(o, moves)


def losses(o: Outlook, frame: Any, moves: Moves) -> Move:
    """A unit to lose."""
    return war.choose_loss(o, moves)


def helen(o: Outlook, frame: Any, moves: Moves) -> Move:
    """A legion less for the enemy, one more for us: always."""
    return ("helen",)


DECISIONS: dict[str, Callable[[Outlook, Any, Moves], Move]] = {
    "start-caravan": start_caravan,
    "free-start": free_start,
    "name": name_holder,
    "call": call,
    "good": good,
    "number": number,
    "offers": offer,
    "take": take,
    "forced-take": take,
    "ulysses": ulysses,
    "give": give,
    "build": build,
    "keep": keep,
    "fleets": fleets,
    "legions": legions,
    "helen": helen,
    "losses": losses,
    "choose": choose_after,
    "join": join,
}
