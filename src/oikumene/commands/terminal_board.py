"""Mare Nostrum on the screen: provinces, seas, fights. Everything is read from a view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from oikumene.commands.terminal_screen import Table
from oikumene.core.limits import BitSet, bits
from oikumene.games.mare_nostrum import battle, income, strategy
from oikumene.games.mare_nostrum.cards import GOODS, Hand
from oikumene.games.mare_nostrum.evaluate import hits
from oikumene.games.mare_nostrum.moves import FLEET, LEGION
from oikumene.games.mare_nostrum.sentences import Texts
from oikumene.games.mare_nostrum.state import (
    MARKER,
    NOBODY,
    WHATS,
    Place,
    Power,
    State,
    chain,
    forts_at,
    marker_owner,
)
from oikumene.games.mare_nostrum.view import View


def named(view: View, texts: Texts, power: Power) -> str:
    """A power; a neutral one is marked."""
    setting = view.state.setting
    name = texts.of("seat", setting.powers[power])
    if power == view.seat:
        return f"{name} (you)"
    return name if power < setting.n else f"{name} (neutral)"


# Provinces -------------------------------------------------------------------------------------


def yields(s: State, place: Place) -> tuple[Hand, ...]:
    """What one province will pay to each seat with the next income, as it stands now."""
    alone = s.copy()
    bit = 1 << place
    alone.marks = tuple(marks & bit for marks in s.marks)
    alone.posts = tuple(post for post in s.posts if post.province == place)
    alone.cards = (0,) * s.setting.n
    return income.incomes(alone)


def pays(view: View, texts: Texts, place: Place) -> str:
    """What a province pays next; who gets it is named where it is not the marker's owner."""
    s = view.state
    owner = marker_owner(s, place)
    parts = []
    for seat, cards in enumerate(yields(s, place)):
        if cards:
            whom = "" if seat == owner else f" to {texts.of('seat', s.setting.seats[seat])}"
            parts.append(texts.cards(cards) + whom)
    return " and ".join(parts)


def buildings(s: State, texts: Texts, place: Place, *, spoken: bool = False) -> str:
    """The buildings of a province; caravans by their goods, where it is `spoken` named so."""
    found = []
    if s.cities[place]:
        found.append(texts.number("counted", "city", s.cities[place]))
    if s.temples >> place & 1:
        found.append("temple")
    if s.markets >> place & 1:
        found.append("market")
    caravans = [
        texts.of("card", GOODS[good]) for good, where in enumerate(s.caravans) if where >> place & 1
    ]
    if spoken and caravans:
        caravans[0] = f"{'caravans' if len(caravans) > 1 else 'caravan'} for {caravans[0]}"
    return ", ".join((*found, *caravans))


def units(view: View, texts: Texts, place: Place) -> str:
    """The units in a province, those of the marker's owner without his name."""
    s = view.state
    owner = marker_owner(s, place)
    found = []
    for power in range(len(s.setting.powers)):
        here = []
        if s.legions[power][place]:
            here.append(texts.number("counted", "legion", s.legions[power][place]))
        forts = forts_at(s, power, place)
        if forts:
            here.append(texts.number("counted", "fortress", forts))
        if power < s.setting.n and s.harbour[power][place]:
            here.append(texts.number("counted", "new_fleet", s.harbour[power][place]))
        if not here:
            continue
        posts = [
            "marker" if post.what == MARKER else WHATS[post.what]
            for post in s.posts
            if post.province == place and post.power == power
        ]
        on = f" (on {', '.join(posts)})" if posts else ""
        whose = "" if power == owner else f"{texts.of('seat', s.setting.powers[power])} "
        found.append(whose + ", ".join(here) + on)
    return "; ".join(found)


def room(s: State, texts: Texts, place: Place) -> str:
    """What can still be built there: free sites and symbols."""
    board = s.setting.board
    sites = board.sites[place] - s.cities[place]
    found = [texts.number("counted", "city", sites)] if sites else []
    found += [
        texts.of("card", GOODS[good])
        for good, where in enumerate(board.symbols)
        if where >> place & 1 and not s.caravans[good] >> place & 1
    ]
    return ", ".join(found)


LABELS = ("", "", "pays", "room for")


def province_tables(view: View, texts: Texts, *, spoken: bool) -> Iterator[Table]:
    """Provinces by owner, the viewer's own first; then the free ones."""
    s = view.state
    setting = s.setting
    powers = sorted(range(len(setting.powers)), key=lambda power: power != view.seat)
    head = ("province", "buildings", "units", "pays", "room for")
    for power in powers:
        if not s.marks[power]:
            continue
        rows = [
            (texts.place(setting.board, place), buildings(s, texts, place, spoken=spoken),
             units(view, texts, place), pays(view, texts, place), room(s, texts, place))
            for place in bits(s.marks[power])
        ]  # fmt: skip
        title = named(view, texts, power)
        if power < setting.n:
            title += f", next income: {texts.cards(income.incomes(s)[power])}"
        yield Table(title, head, rows, labels=LABELS)
    free = setting.board.everything
    for marks in s.marks:
        free &= ~marks
    if free:
        yield _unmarked(view, texts, free, head, spoken=spoken)


def _unmarked(
    view: View, texts: Texts, free: BitSet, head: tuple[str, ...], *, spoken: bool
) -> Table:
    """The provinces without a marker; to be read with the eyes, in one paragraph."""
    s, title = view.state, "Without a marker (room for)"
    found = [
        (texts.place(s.setting.board, place), units(view, texts, place), room(s, texts, place))
        for place in bits(free)
    ]
    if spoken:
        rows = [(name, "", standing, "", space) for name, standing, space in found]
        return Table("Without a marker", head, rows, labels=LABELS)
    shown = [
        f"{name} ({'; '.join(part for part in (standing, space) if part)})"
        for name, standing, space in found
    ]
    return Table(title, head, (), ", ".join(shown))


def _fleets_in(s: State, texts: Texts, zone: int) -> list[str]:
    """Whose fleets are in a zone, and how many."""
    return [
        f"{texts.of('seat', seat)} {numbers[zone]}"
        for seat, numbers in zip(s.setting.seats, s.fleets, strict=True)
        if numbers[zone]
    ]


def sea_table(view: View, texts: Texts) -> Table:
    """Seas with their fleets and shores."""
    s, board = view.state, view.state.setting.board
    rows = []
    for zone in range(len(board.seas)):
        fleets = _fleets_in(s, texts, zone)
        shore = ", ".join(texts.place(board, place) for place in bits(board.shore[zone]))
        name = texts.place(board, len(board.provinces) + zone)
        rows.append((name, ", ".join(fleets), shore))
    return Table("Seas", ("sea", "fleets", "shores"), rows)


def fleet_line(view: View, texts: Texts) -> str:
    """Where fleets are, on one line."""
    s, board = view.state, view.state.setting.board
    found = []
    for zone in range(len(board.seas)):
        here = _fleets_in(s, texts, zone)
        if here:
            found.append(f"{texts.place(board, len(board.provinces) + zone)} ({', '.join(here)})")
    return "Fleets: " + ("; ".join(found) or "none at sea")


def province_facts(view: View, texts: Texts, place: Place) -> Table:
    """Everything about one province or sea."""
    s, board = view.state, view.state.setting.board
    if place >= len(board.provinces):
        return _sea_facts(view, texts, place)
    bit = 1 << place
    owner = marker_owner(s, place)
    kind = "island" if board.islands & bit else "coast" if board.coast & bit else "inland"
    rows = [("kind", kind), ("marker", named(view, texts, owner) if owner != NOBODY else "none")]
    if owner != NOBODY and owner < s.setting.n and not s.since[owner] & bit:
        rows.append(("placed", "this round: nothing can be built there before the next"))
    if s.setting.capitals & bit:
        rows.append(("capital", "cannot be taken over"))
    rows += [
        ("stands there", buildings(s, texts, place, spoken=True) or "nothing"),
        ("units", units(view, texts, place) or "none"),
        ("pays next", pays(view, texts, place) or "nothing"),
        ("room for", room(s, texts, place) or "no more city or caravan"),
        ("touches", _places(texts, view, board.land[place]) or "no province by land"),
    ]
    if board.waters[place]:
        first = len(board.provinces)
        seas = ", ".join(texts.place(board, first + sea) for sea in bits(board.waters[place]))
        rows.append(("seas", seas))
    if view.seat is not None:
        over = board.neighbours(place, chain(s, view.seat)) & ~board.land[place]
        if over:
            rows.append(("over your fleets", _places(texts, view, over)))
    return Table(texts.place(board, place), ("", ""), rows)


def _sea_facts(view: View, texts: Texts, place: Place) -> Table:
    s, board = view.state, view.state.setting.board
    zone = place - len(board.provinces)
    fleets = [
        f"{named(view, texts, seat)} {numbers[zone]}"
        for seat, numbers in enumerate(s.fleets)
        if numbers[zone]
    ]
    links = ", ".join(
        texts.place(board, len(board.provinces) + sea) for sea in bits(board.links[zone])
    )
    rows = [
        ("kind", "sea zone"),
        ("fleets", ", ".join(fleets) or "none"),
        ("shores", _places(texts, view, board.shore[zone])),
        ("seas beside it", links or "none"),
    ]
    return Table(texts.place(board, place), ("", ""), rows)


def _places(texts: Texts, view: View, mask: BitSet) -> str:
    return ", ".join(texts.place(view.state.setting.board, place) for place in bits(mask))


# Fights ----------------------------------------------------------------------------------------


def percent(chance: float) -> str:
    """A chance in words: never 0 % for what can happen, never 100 % for what may fail."""
    if chance <= 0:
        return "0 %"
    if chance >= 1:
        return "100 %"
    shown = round(100 * chance)
    return "under 1 %" if shown == 0 else "over 99 %" if shown == 100 else f"{shown} %"


def losses_inflicted(s: State, power: Power, side: tuple[int, ...], of: int) -> list[float]:
    """The chance of each number of losses (0 to `of`) that a side inflicts (MN-18.5 to 18.12)."""
    found = hits(battle.dice_of(side), battle.points(s, power, side, ()))
    chances = [0.0] * (of + 1)
    for number, chance in enumerate(found):
        chances[min(number, of)] += chance
    return chances


def odds(
    view: View, texts: Texts, place: Place, opponent: Power, mine: tuple[int, ...]
) -> list[tuple[str, str]]:
    """The exact chances of one fight round for the viewer's side."""
    s, seat = view.state, view.seat
    assert seat is not None
    theirs = battle.defenders(s, opponent, place)
    rows = []
    for label, power, side, other in (
        ("they lose", seat, mine, theirs), ("you lose", opponent, theirs, mine),
    ):  # fmt: skip
        chances = losses_inflicted(s, power, side, len(other))
        shown = [
            f"{'all ' if number == len(other) and number > 0 else ''}{number}: {percent(chance)}"
            for number, chance in enumerate(chances)
            if chance
        ]
        rows.append((label, ", ".join(shown)))
    clear = losses_inflicted(s, seat, mine, len(theirs))[-1]
    keep = 1 - losses_inflicted(s, opponent, theirs, len(mine))[-1]
    rows.append(("you clear it", f"{percent(clear * keep)} with something of yours left"))
    return rows


def fights(view: View, texts: Texts) -> Iterator[Table]:
    """The odds of every fight that the viewer can call now, with all his units."""
    s = view.state
    if view.seat is None or not s.agenda:
        return
    board = s.setting.board
    for verb, places, opponents in _callable(view):
        for place in places:
            mine = strategy.ready_units(s, place)
            for opponent in opponents(place):
                against = named(view, texts, opponent)
                title = f"{verb} {texts.place(board, place)} against {against}"
                sides = f"your {sides_of(s, texts, view.seat, mine)}; their " + sides_of(
                    s, texts, opponent, battle.defenders(s, opponent, place)
                )
                rows = [("dice", sides), *odds(view, texts, place, opponent, mine)]
                yield Table(title, ("", ""), rows)


def _callable(
    view: View,
) -> Iterator[tuple[str, Sequence[Place], Callable[[Place], Sequence[Power]]]]:
    """Where the viewer could fight now, and whom."""
    s, seat = view.state, view.seat
    assert seat is not None
    frame = s.agenda[-1]
    if isinstance(frame, strategy.Legions) and frame.seat == seat:
        places = [p for p in bits(strategy.fronts(s, seat)) if strategy.ready_units(s, p)]
        yield "Fight in", places, lambda place: bits(strategy.opponents_at(s, seat, place))
    if isinstance(frame, strategy.Fleets) and frame.seat == seat:
        first = len(s.setting.board.provinces)
        zones = [first + zone for zone, number in enumerate(s.fleets[seat]) if number]

        def there(place: Place) -> list[Power]:
            rows = strategy.zone_fight_rows(s, seat, place)
            mask = (1 << s.setting.n) - 1
            for _, left in rows:
                mask &= left
            return list(bits(mask))

        yield "Fight in", zones, there


def sides_of(s: State, texts: Texts, power: Power, side: tuple[int, ...]) -> str:
    """What a side rolls: dice, and the points it has without them."""
    dice = texts.number("counted", "die", battle.dice_of(side))
    plus = battle.points(s, power, side, ())
    return f"{dice} + {plus}" if plus else dice


def attack_odds(view: View, texts: Texts, place: Place, legions: int) -> Iterator[Table]:
    """The odds if the viewer attacked a place with so many legions, or fleets at sea."""
    s, seat = view.state, view.seat
    if seat is None:
        return
    at_sea = battle.is_zone(s, place)
    mine = (FLEET if at_sea else LEGION,) * legions
    for power in range(s.setting.n if at_sea else len(s.setting.powers)):
        theirs = battle.defenders(s, power, place) if power != seat else ()
        if not theirs:
            continue
        name = texts.place(s.setting.board, place)
        what = texts.number("counted", "fleet" if at_sea else "legion", legions)
        sides = f"your {sides_of(s, texts, seat, mine)}; their {sides_of(s, texts, power, theirs)}"
        rows = [("dice", sides), *odds(view, texts, place, power, mine)]
        yield Table(f"{what} in {name} against {named(view, texts, power)}", ("", ""), rows)
