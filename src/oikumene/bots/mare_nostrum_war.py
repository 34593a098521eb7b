"""How `greedy` wages war: fleets, marches, fights, and what to do with a conquered province."""

from __future__ import annotations

from oikumene.core.limits import BitSet, bits
from oikumene.core.moves import Move, Moves
from oikumene.games.mare_nostrum.evaluate import Garrison, Outlook, clears, strikers
from oikumene.games.mare_nostrum.moves import FLEET, FORTRESS, LEGION
from oikumene.games.mare_nostrum.state import (
    MARKER,
    MARKET,
    TEMPLE,
    marker_owner,
)
from oikumene.games.mare_nostrum.strategy import Ready


def waiting(o: Outlook) -> BitSet:
    """The seats whose Strategy turn is still to come before the next Construction."""
    s = o.s
    return ((1 << s.setting.n) - 1) & ~s.called & ~(1 << o.seat)


# Fleets -------------------------------------------------------------------------------------------


def choose_fleets(o: Outlook, moves: Moves) -> Move:
    """New fleets leave for the zone that opens most; others sail only for more than they leave."""
    s = o.s
    first_zone = len(s.setting.board.provinces)
    best: Move | None = None
    best_value = 0.0
    must = ("done",) not in moves
    for move in moves:
        if move[0] == "sail":
            value = _sail_value(o, move, first_zone)
            if move[2] < first_zone:
                value += 0.5  # a new fleet has to leave
        elif move[0] == "fight":
            value = _sea_fight_value(o, move, first_zone)
        else:
            continue
        if best is None or value > best_value + 1e-9:
            best, best_value = move, value
    if best is not None and (must or best_value > 0.25):
        return best
    return ("done",) if not must else next(iter(moves))


def _sail_value(o: Outlook, move: Move, first_zone: int) -> float:
    """What the new chain opens, less what the old one did. One fleet at a time is enough."""
    s = o.s
    _, number, place, to = move
    if number > 1:
        return -1.0
    zone: int = to - first_zone
    crowd = sum(fleets[zone] for seat, fleets in enumerate(s.fleets) if seat != o.seat)
    if place >= first_zone and s.fleets[o.seat][place - first_zone] == 1:
        return -1.0  # it would open one zone and close another
    return o.sea_value(zone) - 0.3 * crowd


def _sea_fight_value(o: Outlook, move: Move, first_zone: int) -> float:
    """Only with clear superiority."""
    s = o.s
    _, place, other, units = move
    if units:
        return -1.0
    zone = place - first_zone
    own, foe = s.fleets[o.seat][zone], s.fleets[other][zone]
    return clears(own, 0, foe) * (1 + o.lead(other)) - 1.5 * clears(foe, 0, min(own, 1)) - 0.3


# Legions ------------------------------------------------------------------------------------------


class Campaign:
    """The own legions of one Strategy turn: who is free, who came where, what beckons."""

    __slots__ = ("about", "came", "free", "o", "waiting")

    def __init__(self, o: Outlook) -> None:
        s, seat = o.s, o.seat
        self.o = o
        self.waiting = waiting(o)
        self.about = o.enemies_about()
        self.free: dict[int, int] = {}
        self.came: dict[int, int] = {}
        for place in bits(s.held[seat]):
            ready = Ready(s, seat, place)
            if ready.moved:
                self.came[place] = ready.moved
            if ready.free > 0 and not s.locked >> place & 1:
                self.free[place] = ready.free - self._guards(place, ready.free)

    def _guards(self, place: int, free: int) -> int:
        """How many of the free legions should stay at home."""
        o, s = self.o, self.o.s
        if not s.marks[o.seat] >> place & 1:
            return 0
        if self.about >> place & 1:
            return free  # they fight here
        struck = max(
            (strikers(s, other, place) for other in range(s.setting.n) if other != o.seat),
            default=0,
        )
        if not struck or s.forts[o.seat] >> place & 1:
            return 0
        return min(free, struck) if o.worth(place) >= 1.5 else 0

    def sources(self, target: int) -> list[tuple[int, int]]:
        """Where free legions for a target stand: (province, how many), most first."""
        s = self.o.s
        reach = s.setting.board.neighbours(target, self.o.chain)
        found = [(at, n) for at, n in self.free.items() if n > 0 and reach >> at & 1]
        return sorted(found, key=lambda one: (-one[1], one[0]))


def choose_legions(o: Outlook, moves: Moves) -> Move:
    """Fights that must be; the best attack; a later choice; a better post; the end of the turn."""
    campaign = Campaign(o)
    attack = _best_attack(campaign)
    fights = [move for move in moves.of("fight") if not move[3]]
    if attack is not None and attack in moves:
        return attack
    if fights:
        return max(fights, key=lambda move: (_fight_value(o, move), -move[1], -move[2]))
    later = _later_choice(campaign, moves)
    if later is not None:
        return later
    step = _advance(campaign)
    if step is not None and step in moves:
        return step
    return ("done",) if ("done",) in moves else next(iter(moves))


def _best_attack(campaign: Campaign) -> Move | None:
    """The march of the best attack, or None: nothing is worth it, or all are there already."""
    o = campaign.o
    s = o.s
    best: Move | None = None
    best_gain = o.w["least_gain"]
    for target in bits(o.targets):
        sources = campaign.sources(target)
        if not sources:
            continue
        here = campaign.came.get(target, 0)
        if not here and s.held[o.seat] >> target & 1:
            here = Ready(s, o.seat, target).free
        foe = campaign.about >> target & 1
        if here and not foe:
            continue  # ours already
        at_most = min(here + sum(number for _, number in sources), 8)
        before = o.attack_value(target, here, campaign.waiting) if here else 0.0
        for legions in range(here + 1, at_most + 1):
            gain = o.attack_value(target, legions, campaign.waiting) - before
            gain -= 0.35 * (legions - here)  # fewer are enough where fewer do it as well
            if gain > best_gain + 1e-9:
                from_, there = sources[0]
                best_gain = gain
                best = ("march", min(there, legions - here), from_, target, ())
    return best


def _fight_value(o: Outlook, move: Move) -> float:
    """Which of several fights to fight first: the surest."""
    _, place, _, _ = move
    foe = Garrison(o.s, o.seat, place)
    own = o.s.legions[o.seat][place]
    return clears(own, 0, foe.units) - clears(foe.dice, foe.plus, own)


def _later_choice(campaign: Campaign, moves: Moves) -> Move | None:
    """A takeover instead of an occupation, where it has become possible and is worth more."""
    o = campaign.o
    s = o.s
    best: Move | None = None
    best_gain = o.w["least_gain"]
    for move in moves:
        if move[0] not in ("takeover", "pillage", "occupy"):
            continue
        place = move[1]
        posts = [post for post in s.posts if post.province == place and post.power == o.seat]
        legions = s.legions[o.seat][place]
        now = o.occupation(place, len(posts), campaign.waiting) if posts else 0.0
        if any(post.what == MARKER for post in posts):
            now = o.takeover(place, campaign.waiting)
        gain = choice_value(o, move, legions, campaign.waiting) - now
        if gain > best_gain + 1e-9:
            best, best_gain = move, gain
    return best


def _advance(campaign: Campaign) -> Move | None:
    """A march of an idle legion to where it guards or threatens more."""
    o = campaign.o
    board = o.s.setting.board
    best: Move | None = None
    best_gain = 0.5
    for place in sorted(campaign.free):
        number = campaign.free[place]
        if number <= 0:
            continue
        here = _post_value(campaign, place, leaving=True)
        quiet = board.neighbours(place, o.chain) & ~campaign.about & ~o.targets
        for to in bits(quiet):
            gain = _post_value(campaign, to, leaving=False) - here
            if gain > best_gain + 1e-9:
                best, best_gain = ("march", 1, place, to, ()), gain
    return best


def _post_value(campaign: Campaign, place: int, *, leaving: bool) -> float:
    """What a legion does by standing in a province: it guards it and threatens the next ones."""
    o = campaign.o
    s = o.s
    guard = 0.0
    if s.marks[o.seat] >> place & 1:
        if leaving:
            guard = o.danger(place, legions=-1) - o.danger(place)
        else:
            guard = o.danger(place) - o.danger(place, legions=1)
    threat = 0.0
    for target in bits(s.setting.board.neighbours(place, o.chain) & o.targets):
        there = o.own_near(target) + (0 if leaving else 1)
        threat = max(threat, o.attack_value(target, max(1, there), 0))
    return guard + 0.4 * threat


# After a fight ------------------------------------------------------------------------------------


def choice_value(o: Outlook, move: Move, legions: int, still: BitSet) -> float:
    """What pillage, occupation or takeover is worth."""
    place = move[1]
    if move[0] == "takeover":
        return o.takeover(place, still)
    owner = marker_owner(o.s, place)
    by_what = {what: worth for worth, what in o.yields(place)}
    worth = by_what.get(move[2], 0.0)
    if move[0] == "pillage":
        return worth * (o.rounds - 1) * o.lead(owner)
    if move[2] in (MARKET, TEMPLE):
        return 0.1
    return o.occupation(place, legions, still) + 0.01 * worth


def choose_after(o: Outlook, moves: Moves) -> Move:
    """The best of the three choices."""
    still = waiting(o)
    place = moves.rows[0][1][0]
    legions = o.s.legions[o.seat][place]
    best, best_value = next(iter(moves)), -1.0
    for move in moves:
        value = choice_value(o, move, legions, still)
        if value > best_value + 1e-9:
            best, best_value = move, value
    return best


def choose_join(o: Outlook, moves: Moves) -> Move:
    """Occupy the best building that is left: the legion has nothing better to do this turn."""
    best, best_value = ("done",), 0.0
    for move in moves.of("occupy"):
        place = move[1]
        worth = max((w for w, what in o.yields(place) if what == move[2]), default=0.0)
        if worth > best_value:
            best, best_value = move, worth
    return best if best in moves else next(iter(moves))


def choose_loss(o: Outlook, moves: Moves) -> Move:
    """The least valuable unit: a plain legion, one that occupies something, a fortress."""
    goods = o.goods

    def cost(move: Move) -> tuple[float, int]:
        unit = move[1]
        if unit == LEGION:
            return 3.0, unit
        if unit == FORTRESS:
            return 4.5, unit
        if unit == FLEET:
            return 3.0, unit
        if unit == MARKER:
            return 8.0, unit
        return 3.5 + (goods[unit] if unit < len(goods) else o.tax), unit

    return min(moves, key=cost)
