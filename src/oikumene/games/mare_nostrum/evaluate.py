"""What a position is worth to a seat: income, sets within reach, prizes, threats.

Values are counted in cards: an income of one card a round is worth as many cards as rounds are
likely to come. Everything here reads what lies open, so it takes the state inside a View as well.
The numbers that nobody can derive stand in one table, `WEIGHTS`, each with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from oikumene.core.game import Seat
from oikumene.core.keyed import Draws
from oikumene.core.limits import NO, BitSet, bits, left_open
from oikumene.games.mare_nostrum import aftermath
from oikumene.games.mare_nostrum.cards import (
    GOODS,
    HANNIBAL,
    Hand,
    count,
    size,
)
from oikumene.games.mare_nostrum.income import incomes
from oikumene.games.mare_nostrum.state import (
    CITY,
    MARKET,
    T_CARAVAN,
    T_CITY,
    TEMPLE,
    Place,
    Power,
    State,
    buildings_at,
    buildings_left,
    chain,
    enemy_units,
    foreign_marks,
    forts_at,
    marker_owner,
    markers_left,
)

WEIGHTS: dict[str, tuple[float, str]] = {
    # The economy.
    "rounds": (8.0, "a game between equals takes about so many rounds from the start"),
    "rounds_left": (2.5, "however late it is, a new income pays about so often"),
    "rounds_a_card": (1.6, "rounds the leading seat needs for one more hero or wonder"),
    "new_good": (1.3, "a good one has not: it goes into every set of different goods"),
    "second_good": (0.8, "a second one of a good can only be traded or go into a second set"),
    "more_goods": (0.55, "further ones of a good are mostly for others"),
    "rare_good": (0.2, "a good nobody else has is asked for in every trade"),
    "taste": (0.1, "goods of about the same worth are chosen by chance, so that games differ"),
    "tax": (1.0, "tax is a set of its own and the only card that can be kept"),
    "marker": (0.8, "what a new province will carry must still be paid, and others want it too"),
    "marker_room": (1.3, "... but it is urgent when the own provinces are nearly full"),
    "room": (1.5, "another province is a place for legions, a step onward, a shield"),
    # The trade, in worths of one useful card.
    "plan": (0.2, "a point of what the hand will buy, against the worth of its cards one by one"),
    "deny_card": (0.25, "a card that a leading seat still needs for a hero or wonder"),
    "deny_win": (1.5, "a card that somebody lacks for the set that wins"),
    "deny_trade": (8.0, "a trade after which somebody else could win at once"),
    "kept_tax": (1.5, "a tax card kept is spent next round: more than nothing, less than now"),
    # Heroes and wonders.
    "card_3": (15.0, "the first of three that are missing: worth more than 9 cards of growth late"),
    "card_2": (30.0, "two missing: the end is near, growth counts less"),
    "win": (1000.0, "nothing else counts"),
    # War.
    "legion": (3.0, "its price"),
    "deny": (0.35, "what another seat loses is only part of a gain, as several others profit"),
    "deny_leader": (1.5, "more for each hero or wonder that seat already has beyond the first"),
    "relief": (3.0, "rounds an enemy in an own province would go on to take its income"),
    "occupied_rounds": (2.5, "an occupier is driven out after about so many rounds"),
    "hold_if_struck": (0.45, "chance to hold a prize that enemy legions can reach at once"),
    "hold": (0.9, "chance to hold it otherwise"),
    "least_gain": (1.5, "attacks for less than this are not worth the enmity and the exposure"),
    "struck": (0.5, "chance that a province within reach of enemy legions is attacked"),
    "struck_later": (0.12, "chance that one is attacked by legions not yet built"),
    "raid": (0.6, "what a legion not yet built may win; the targets arm in the meantime"),
    "sea": (0.4, "what a fleet opens must still be paid, or fought for"),
    "strength": (1.2, "a unit more counts for the Military Leader and frightens others"),
}  # fmt: skip
DEFAULT: Mapping[str, float] = {name: value for name, (value, _) in WEIGHTS.items()}

SEA_FORCE = 2  # legions that a landing is reckoned with


# Fights (chapter 18) ----------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def hits(dice: int, plus: int) -> tuple[float, ...]:
    """The chance of each number of losses inflicted by so many dice and points (MN-18.8).

    >>> [round(p, 3) for p in hits(1, 0)], [round(p, 3) for p in hits(0, 6)]
    ([0.667, 0.333], [0.0, 1.0])
    """
    sums = {plus: 1.0}
    for _ in range(dice):
        more: dict[int, float] = {}
        for total, chance in sums.items():
            for die in range(1, 7):
                more[total + die] = more.get(total + die, 0.0) + chance / 6
        sums = more
    found = [0.0] * (max(sums) // 5 + 1)
    for total, chance in sums.items():
        found[total // 5] += chance
    return tuple(found)


@lru_cache(maxsize=4096)
def clears(dice: int, plus: int, enemies: int) -> float:
    """The chance to destroy all of so many enemies in one round."""
    return sum(hits(dice, plus)[enemies:])


@lru_cache(maxsize=4096)
def expected_losses(dice: int, plus: int, units: int) -> float:
    """How many of so many units are lost on average to these dice and points."""
    return sum(min(number, units) * chance for number, chance in enumerate(hits(dice, plus)))


class Garrison:
    """What defends a province against one seat: units, dice and points, and how many powers."""

    __slots__ = ("dice", "plus", "powers", "units")

    def __init__(self, s: State, seat: Seat, place: Place) -> None:
        self.units = self.dice = self.plus = self.powers = 0
        for power in range(len(s.held)):
            if power == seat or not (s.held[power] | s.forts[power]) >> place & 1:
                continue
            legions, forts = s.legions[power][place], forts_at(s, power, place)
            self.powers += 1
            self.units += legions + forts
            self.dice += legions
            self.plus += 6 * forts + legions * hannibal(s, power)


def hannibal(s: State, power: Power) -> int:
    """1 for the owner of Hannibal: a point more for each legion (MN-18.7)."""
    return int(power < s.setting.n and s.cards[power] >> HANNIBAL & 1)


def strikers(s: State, seat: Seat, place: Place) -> int:
    """How many legions of a seat could enter a province on its next turn."""
    reach = s.setting.board.neighbours(place, chain(s, seat)) & s.held[seat]
    legions = s.legions[seat]
    return sum(legions[at] for at in bits(reach))


# The economy ------------------------------------------------------------------------------------


class Outlook:
    """What several decisions of one seat ask of one position; built once a decision."""

    __slots__ = (
        "_attacks", "_potentials", "_room", "chain", "goods", "income", "incomes", "near",
        "rounds", "s", "seat", "sizes", "targets", "tax", "w", "world",
    )  # fmt: skip

    def __init__(
        self,
        s: State,
        seat: Seat,
        weights: Mapping[str, float] = DEFAULT,
        draws: Draws | None = None,
        sizes: tuple[int, ...] | None = None,
    ) -> None:
        """`draws`: for a taste that varies a little, so that not all games are alike. `sizes`: the
        numbers of cards in all hands, where the hands themselves are not in the state."""
        self.s = s
        self.sizes = sizes or tuple(map(size, s.hands))
        self.seat = seat
        self.w = weights
        self.incomes = incomes(s)
        self.income: Hand = self.incomes[seat]
        self.world = [
            sum(count(one, good + 1) for one in self.incomes) for good in range(len(GOODS))
        ]
        self.rounds = self._rounds()
        taste = weights["taste"] if draws else 0.0
        self.goods = tuple(
            self.good_value(good) * (1 + (taste * draws.below(1000) / 1000 if draws else 0.0))
            for good in range(len(GOODS))
        )
        self.tax = weights["tax"]
        self.chain = chain(s, seat)
        self.near = s.setting.board.joined(s.marks[seat], self.chain)
        self.targets = foreign_marks(s, seat) | (enemy_units(s, seat) & s.marks[seat])
        self._attacks: dict[tuple[Place, int, BitSet], float] = {}
        self._potentials: dict[Place, float] = {}
        self._room: int | None = None

    def _rounds(self) -> float:
        """How many incomes are still likely to come."""
        s, w = self.s, self.w
        missing = min(s.setting.opts.cards_to_win - owned.bit_count() for owned in s.cards)
        return max(
            w["rounds_left"], min(w["rounds"] - s.round + 1, 1 + w["rounds_a_card"] * missing)
        )

    def good_value(self, good: int) -> float:
        """What one more income of a good is worth a round."""
        held = count(self.income, good + 1)
        if self.world[good] >= self.s.setting.board.supply_cards[good + 1]:
            return 0.2  # the stock is used up every round (MN-7.10)
        others = self.world[good] - held
        rare = self.w["rare_good"] if not others else 0.0
        if not held:
            return self.w["new_good"] + rare
        return (self.w["second_good"] if held == 1 else self.w["more_goods"]) + rare

    def yields(self, place: Place) -> list[tuple[float, int]]:
        """What each building of a province pays a round, as (worth to this seat, WHAT), best first.

        Markets and temples are worth what they double.
        """
        s = self.s
        found: list[tuple[float, int]] = []
        caravans = cities = 0.0
        doubled_goods = s.markets >> place & 1
        doubled_tax = s.temples >> place & 1
        for what in buildings_at(s, place):
            if what == CITY:
                found.append((self.tax * (1 + doubled_tax), CITY))
                cities += self.tax
            elif what < len(GOODS):
                found.append((self.goods[what] + doubled_goods * self.w["second_good"], what))
                caravans += self.w["second_good"]
            elif what == MARKET:
                found.append((caravans, MARKET))
            elif what == TEMPLE:
                found.append((cities, TEMPLE))
        found.sort(key=lambda one: (-one[0], one[1]))
        return found

    def worth(self, place: Place) -> float:
        """What all buildings of a province pay a round."""
        s = self.s
        total = 0.0
        doubled_goods = s.markets >> place & 1
        doubled_tax = s.temples >> place & 1
        for what in buildings_at(s, place):
            if what == CITY:
                total += self.tax * (1 + doubled_tax)
            elif what < len(GOODS):
                total += self.goods[what] + doubled_goods * self.w["second_good"]
        return total

    def potential(self, place: Place) -> float:
        """What could still be built in a province, after its price, if it were ours next round."""
        found = self._potentials.get(place)
        if found is None:
            found = self._potentials[place] = self._potential(place)
        return found

    def _potential(self, place: Place) -> float:
        s, board = self.s, self.s.setting.board
        later = self.rounds - 2
        found = 0.0
        if buildings_left(s, T_CARAVAN):
            for good in range(len(GOODS)):
                if board.symbols[good] >> place & 1 and not s.caravans[good] >> place & 1:
                    found += max(0.0, self.goods[good] * later - 3)
        free = board.sites[place] - s.cities[place]
        if free > 0 and buildings_left(s, T_CITY):
            found += free * max(0.0, self.tax * later - 3)
        return found

    def room(self) -> int:
        """How many caravans and cities could still be built in the own provinces."""
        if self._room is None:
            self._room = self._count_room()
        return self._room

    def _count_room(self) -> int:
        s, board = self.s, self.s.setting.board
        marks = s.marks[self.seat]
        free = sum(
            (symbols & marks & ~there).bit_count()
            for symbols, there in zip(board.symbols, s.caravans, strict=True)
        )
        free = min(free, buildings_left(s, T_CARAVAN))
        sites = sum(board.sites[place] - s.cities[place] for place in bits(marks))
        return free + min(sites, buildings_left(s, T_CITY))

    def marker_value(self, place: Place) -> float:
        """What a marker in a free province is worth."""
        w = self.w
        room = self.room()
        urgent = w["marker_room"] if room < 3 else w["marker"]
        return w["room"] + urgent * self.potential(place)

    def sea_value(self, zone: int) -> float:
        """What a fleet in a zone opens: places for markers, and prizes for legions at the shore."""
        s, board = self.s, self.s.setting.board
        if self.chain >> zone & 1:
            return 0.0
        fleets = self.chain | 1 << zone
        new = board.joined(s.marks[self.seat], fleets) & ~self.near & ~s.marks[self.seat]
        free = new & ~foreign_marks(s, self.seat)
        worth = sorted((self.marker_value(place) for place in bits(free)), reverse=True)
        prizes = [
            self.attack_value(place, SEA_FORCE, NO)
            for place in bits(new & foreign_marks(s, self.seat))
        ]
        return self.w["sea"] * (sum(worth[:2]) + max((0.0, *prizes)))

    # Other seats ----------------------------------------------------------------------------------

    def lead(self, power: Power) -> float:
        """How much it counts to hold a power back: 0 for a neutral one, more for a leader."""
        s, w = self.s, self.w
        if power >= s.setting.n or power < 0:
            return 0.0
        return w["deny"] + w["deny_leader"] * max(0, s.cards[power].bit_count() - 1)

    def threat(self, seat: Seat) -> float:
        """How near a seat is to winning: heroes and wonders, then income."""
        s = self.s
        income = self.incomes[seat]
        kinds = sum(1 for kind in range(1, 13) if count(income, kind))
        return (
            10.0 * s.cards[seat].bit_count()
            + income.bit_count() * 0
            + 2.0 * kinds
            + count(income, 0)
        )

    def hold(self, place: Place, waiting: BitSet) -> float:
        """The chance to hold a province until the next Construction phase.

        `waiting`: the seats that will still have their turn before.
        """
        s = self.s
        for other in bits(waiting):
            if other != self.seat and strikers(s, other, place):
                return self.w["hold_if_struck"]
        return self.w["hold"]

    def takeover(self, place: Place, waiting: BitSet) -> float:
        """What a takeover is worth, its marker paid; 0 where it is not possible."""
        s = self.s
        bit = 1 << place
        everywhere = s.setting.board.everything
        if not left_open(aftermath.takeover_rows(s, self.seat, place), everywhere) & bit:
            return 0.0
        if s.setting.opts.takeover_adjacency == "yes" and not self.near & bit:
            return 0.0
        if not markers_left(s, self.seat):
            return 0.0
        owner = marker_owner(s, place)
        gain = self.worth(place) * max(0.0, self.rounds - 2)
        gain *= 1 + self.lead(owner)
        gain += self.marker_value(place) - 3
        return gain * self.hold(place, waiting)

    def occupation(self, place: Place, legions: int, waiting: BitSet) -> float:
        """What so many legions on the best buildings of a province are worth."""
        owner = marker_owner(self.s, place)
        best = self.yields(place)[:legions]
        a_round = sum(worth for worth, what in best if what not in (MARKET, TEMPLE))
        rounds = min(self.rounds - 1, self.w["occupied_rounds"])
        return a_round * rounds * (1 + self.lead(owner)) * self.hold(place, waiting)

    def plunder(self, place: Place) -> float:
        """What it is worth to destroy the best building."""
        owner = marker_owner(self.s, place)
        best = self.yields(place)
        return best[0][0] * (self.rounds - 1) * self.lead(owner) if best else 0.0

    def prize(self, place: Place, legions: int, waiting: BitSet) -> float:
        """The best of the three choices in a province cleared by so many legions (MN-19.5)."""
        if self.s.marks[self.seat] >> place & 1:
            return 3 + self.worth(place) * min(self.rounds - 1, self.w["relief"])
        if not foreign_marks(self.s, self.seat) >> place & 1:
            return 0.0
        return max(
            self.takeover(place, waiting),
            self.occupation(place, legions, waiting),
            self.plunder(place),
        )

    def own_near(self, place: Place) -> int:
        """Own legions that could enter a province."""
        return strikers(self.s, self.seat, place)

    def attack_value(self, place: Place, legions: int, waiting: BitSet) -> float:
        """The expected gain of attacking a province with so many legions."""
        key = (place, legions, waiting)
        found = self._attacks.get(key)
        if found is None:
            found = self._attacks[key] = self._attack(place, legions, waiting)
        return found

    def _attack(self, place: Place, legions: int, waiting: BitSet) -> float:
        s, w = self.s, self.w
        foe = Garrison(s, self.seat, place)
        if not foe.units:
            return self.prize(place, legions, waiting)
        own_forts = forts_at(s, self.seat, place)
        plus = legions * hannibal(s, self.seat) + 6 * own_forts
        kills = expected_losses(legions, plus, foe.units)
        lost = expected_losses(foe.dice, foe.plus, legions + own_forts)
        gain = w["legion"] * (0.6 * kills - lost)
        if foe.powers == 1:
            left = max(1, round(legions - lost))
            gain += clears(legions, plus, foe.units) * self.prize(place, left, waiting)
        return gain

    def danger(self, place: Place, *, legions: int = 0, forts: int = 0) -> float:
        """What is likely to be lost in an own province, with so many more units in it."""
        s, w = self.s, self.w
        stake = self.worth(place) * (self.rounds - 1) + 3
        guard = s.legions[self.seat][place] + legions
        strength = guard + 2 * (forts_at(s, self.seat, place) + forts)
        worst = 0.0
        for other in range(s.setting.n):
            if other == self.seat:
                continue
            now = strikers(s, other, place)
            chance = 0.0
            if now:
                chance = w["struck"] * _beaten(now, strength)
            elif s.setting.board.neighbours(place, chain(s, other)) & s.marks[other]:
                chance = w["struck_later"] * _beaten(2, strength)
            worst = max(worst, chance)
        return stake * worst

    def enemies_about(self) -> BitSet:
        """Provinces with units of others."""
        return enemy_units(self.s, self.seat)


@lru_cache(maxsize=1024)
def _beaten(legions: int, strength: int) -> float:
    """How much of a chance so many legions have against a garrison, roughly."""
    if not strength:
        return 1.0
    return max(0.0, min(1.0, 0.5 * (legions - strength) + 0.35))
