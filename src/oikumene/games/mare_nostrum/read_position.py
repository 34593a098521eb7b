"""The position notation, read: a state from position keys. Every error is a PositionError."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from oikumene.core.errors import NotationError, PositionError
from oikumene.core.game import then
from oikumene.core.limits import BitSet, bits
from oikumene.core.moves import parse_move
from oikumene.games.mare_nostrum import (
    rounds,
    setup,
    strategy,
)
from oikumene.games.mare_nostrum.cards import CARD, CARDS, GOODS, KINDS, count, holds
from oikumene.games.mare_nostrum.moves import counted, parse_hand
from oikumene.games.mare_nostrum.position import (
    FRAME_TABLE,
    FRAMES,
    WORDS_OF_STATE,
    derived_stock,
    names_of,
    zones_used,
)
from oikumene.games.mare_nostrum.state import (
    MARKER,
    MILITARY,
    NOBODY,
    POLITICAL,
    RESTED,
    ROLES,
    T_CARAVAN,
    T_CITY,
    T_MARKET,
    T_TEMPLE,
    USED,
    WHATS,
    Post,
    Setting,
    State,
    add_fort,
    add_legions,
    buildings_at,
    buildings_left,
    forts_at,
    forts_left,
    markers_left,
    put,
    put_bytes,
)

BUILDINGS = {T_CARAVAN: "caravans", T_CITY: "cities", T_TEMPLE: "temples", T_MARKET: "markets"}
MOST = 63  # of anything in one place, and of one card in one hand


class Reader:
    """Reads position keys into a state; every error is a PositionError that names the key."""

    def __init__(self, s: State) -> None:
        self.s = s
        self.setting = s.setting
        self.words = names_of(s.setting)
        self.board = s.setting.board

    def fail(self, key: str, why: str) -> PositionError:
        """The error for one key."""
        return PositionError(f"position key `{key}`: {why}")

    def place(self, key: str, name: Any) -> int:
        """A province by its id."""
        if not isinstance(name, str) or name not in self.words.provinces:
            raise self.fail(key, f"`{name}` is not a province of the board {self.board.name}")
        return self.words.provinces[name]

    def seat(self, key: str, name: Any) -> int:
        """A seat by its name."""
        if not isinstance(name, str) or name not in self.words.seats:
            seats = " ".join(self.setting.seats)
            raise self.fail(key, f"`{name}` is not a seat; the seats are: {seats}")
        return self.words.seats[name]

    def power(self, key: str, name: Any) -> int:
        """A seat or a neutral civilization by its name."""
        if not isinstance(name, str) or name not in self.words.powers:
            powers = " ".join(self.setting.powers)
            raise self.fail(key, f"`{name}` is not a civilization; there are: {powers}")
        return self.words.powers[name]

    def table(self, key: str, value: Any) -> Mapping[str, Any]:
        """A value that must be a table."""
        if not isinstance(value, Mapping):
            raise self.fail(key, "must be a table { NAME = ... }")
        return value

    def texts(self, key: str, value: Any) -> list[str]:
        """A list of texts, or one text of words."""
        if isinstance(value, str):
            return value.split()
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.fail(key, "must be a list of texts")
        return value

    def cards(self, key: str, value: Any) -> int:
        """Cards as text."""
        if not isinstance(value, str):
            raise self.fail(key, 'cards are written as a text: "tax*2 gold"')
        try:
            return parse_hand(value.split())
        except NotationError as error:
            raise self.fail(key, str(error)) from None

    def mask(self, key: str, value: Any) -> BitSet:
        """A set of provinces."""
        return sum({1 << self.place(key, name) for name in self.texts(key, value)})

    def counts(self, key: str, value: Any, ids: Mapping[str, int], size: int) -> bytes:
        """Numbers by place: `roma*2 thebae`."""
        numbers = [0] * size
        for token in self.texts(key, value):
            try:
                name, times = counted(token)
            except NotationError as error:
                raise self.fail(key, str(error)) from None
            if name not in ids:
                raise self.fail(key, f"`{name}` is not such a place on the board {self.board.name}")
            numbers[ids[name]] += times
        if max(numbers) > MOST:
            raise self.fail(key, f"more than {MOST} of anything never stand in one place")
        return bytes(numbers)


def _read_roles(r: Reader, value: Any) -> None:
    held = list(r.s.roles)
    for role, seat in r.table("roles", value).items():
        if role not in ROLES:
            raise r.fail("roles", f"`{role}` is not a role; there are: {' '.join(ROLES)}")
        held[ROLES.index(role)] = r.seat("roles", seat) if seat else NOBODY
    r.s.roles = (held[0], held[1], held[2])


def _read_hands(slot: str, key: str) -> Callable[[Reader, Any], None]:
    def read(r: Reader, value: Any) -> None:
        for seat, cards in r.table(key, value).items():
            hand = r.cards(key, cards)
            setattr(r.s, slot, put(getattr(r.s, slot), r.seat(key, seat), hand))

    return read


def _read_cards(r: Reader, value: Any) -> None:
    for seat, cards in r.table("cards", value).items():
        owned = 0
        for card in r.texts("cards", cards):
            if card not in CARDS:
                raise r.fail("cards", f"`{card}` is not a hero or wonder: {' '.join(CARDS)}")
            owned |= 1 << CARDS.index(card)
        r.s.cards = put(r.s.cards, r.seat("cards", seat), owned)


def _read_markers(r: Reader, value: Any) -> None:
    for name, power in r.table("markers", value).items():
        bit = 1 << r.place("markers", name)
        marks = [mask & ~bit for mask in r.s.marks]
        since = [mask & ~bit for mask in r.s.since]
        if power:
            owner = r.power("markers", power)
            marks[owner] |= bit
            if owner < r.setting.n:
                since[owner] |= bit
        r.s.marks, r.s.since = tuple(marks), tuple(since)


def _read_since(r: Reader, value: Any) -> None:
    old = r.mask("since", value)
    r.s.since = tuple(marks & old for marks in r.s.marks[: r.setting.n])


def _read_caravans(r: Reader, value: Any) -> None:
    caravans = [0] * len(GOODS)
    if isinstance(value, str):
        value = [value] if value else []
    for text in r.texts("caravans", value):
        words = text.split()
        if len(words) != 2 or words[1] not in GOODS:
            raise r.fail("caravans", f"`{text}`: a caravan is written PROVINCE GOOD")
        place, good = r.place("caravans", words[0]), GOODS.index(words[1])
        if not r.board.symbols[good] >> place & 1:
            raise r.fail("caravans", f"{words[0]} has no symbol of {words[1]}")
        caravans[good] |= 1 << place
    r.s.caravans = tuple(caravans)


def _read_cities(r: Reader, value: Any) -> None:
    cities = r.counts("cities", value, r.words.provinces, len(r.board.provinces))
    for place, number in enumerate(cities):
        if number > r.board.sites[place]:
            raise r.fail("cities", f"{r.board.provinces[place]} has {r.board.sites[place]} sites")
    r.s.cities = cities


def _read_set(slot: str) -> Callable[[Reader, Any], None]:
    def read(r: Reader, value: Any) -> None:
        setattr(r.s, slot, r.mask(slot, value))

    return read


def _read_legions(r: Reader, value: Any) -> None:
    for name, text in r.table("legions", value).items():
        power = r.power("legions", name)
        numbers = r.counts("legions", text, r.words.provinces, len(r.board.provinces))
        r.s.legions = put_bytes(r.s.legions, power, bytes(len(numbers)))
        r.s.held = put(r.s.held, power, 0)
        for place, number in enumerate(numbers):
            if number:
                add_legions(r.s, power, place, number)


def _read_forts(r: Reader, value: Any) -> None:
    for name, text in r.table("fortresses", value).items():
        power = r.power("fortresses", name)
        numbers = r.counts("fortresses", text, r.words.provinces, len(r.board.provinces))
        if max(numbers) > 2:
            raise r.fail("fortresses", "a province holds at most two fortresses (MN-10.8)")
        r.s.forts, r.s.forts2 = put(r.s.forts, power, 0), put(r.s.forts2, power, 0)
        for place, number in enumerate(numbers):
            for _ in range(number):
                add_fort(r.s, power, place)


def _read_fleets(slot: str, key: str) -> Callable[[Reader, Any], None]:
    def read(r: Reader, value: Any) -> None:
        for seat, text in r.table(key, value).items():
            if key == "fleets":
                numbers = r.counts(key, text, r.words.zones_by, len(r.board.seas))
            else:
                numbers = r.counts(key, text, r.words.provinces, len(r.board.provinces))
            setattr(r.s, slot, put_bytes(getattr(r.s, slot), r.seat(key, seat), numbers))

    return read


def _read_posts(key: str) -> Callable[[Reader, Any], None]:
    def read(r: Reader, value: Any) -> None:
        on_marker = key == "takeover"
        posts = [post for post in r.s.posts if (post.what == MARKER) != on_marker]
        if isinstance(value, str):
            value = [value] if value else []
        for text in r.texts(key, value):
            words = text.split()
            state = RESTED
            if words and words[-1] in WORDS_OF_STATE[1:]:
                state = WORDS_OF_STATE.index(words.pop())
            what = MARKER
            if not on_marker and len(words) == 3 and words[1] in WHATS[:MARKER]:
                what = WHATS.index(words.pop(1))
            if len(words) != 2 or (what == MARKER) != on_marker:
                form = "PROVINCE SEAT" if on_marker else "PROVINCE WHAT SEAT"
                raise r.fail(key, f"`{text}` must be written {form}")
            posts.append(Post(r.place(key, words[0]), r.seat(key, words[1]), what, state))
        r.s.posts = tuple(sorted(posts))

    return read


def _read_marks_of_turn(slot: str, key: str) -> Callable[[Reader, Any], None]:
    def read(r: Reader, value: Any) -> None:
        ids = r.words.provinces if slot == "forts_fought" else r.board.index
        setattr(r.s, slot, r.counts(key, value, ids, len(getattr(r.s, slot))))

    return read


def _read_sailed(r: Reader, value: Any) -> None:
    zones = r.texts("sailed", value)
    unknown = [zone for zone in zones if zone not in r.words.zones_by]
    if unknown:
        raise r.fail("sailed", f"`{unknown[0]}` is not a zone of the board {r.board.name}")
    r.s.sailed = sum({1 << r.words.zones_by[zone] for zone in zones})


def _read_called(r: Reader, value: Any) -> None:
    r.s.called = sum({1 << r.seat("called", name) for name in r.texts("called", value)})


def _read_used(r: Reader, value: Any) -> None:
    names = r.texts("used", value)
    if not set(names) <= set(USED):
        raise r.fail("used", f"there are: {' '.join(USED)}")
    r.s.used = sum({1 << USED.index(name) for name in names})


def _read_round(r: Reader, value: Any) -> None:
    if type(value) is not int or value < 0:
        raise r.fail("round", "must be a number")
    r.s.round = value


def _read_map(r: Reader, value: Any) -> None:
    if value != r.board.name:
        raise r.fail("map", f"the game is played on {r.board.name}, not on {value}")


def _read_agenda(r: Reader, value: Any) -> None:
    frames = []
    for text in r.texts("agenda", value):
        try:
            name, *fields = parse_move(FRAME_TABLE, r.words, text)
        except NotationError as error:
            raise r.fail("agenda", str(error)) from None
        frames.append(FRAMES[name](*fields))
    if not frames:
        raise r.fail("agenda", "is empty: what remains to be done? `round` alone goes on")
    r.s.agenda = ()
    then(r.s, *frames)


STEPS = ("roles", "income", "trade", "construction", "strategy")
TURNS = {"construction": POLITICAL, "fleets": MILITARY, "legions": MILITARY}


def _read_step(r: Reader, value: Any) -> None:
    """A step stands for the agenda from there to the end of the round."""
    step, _, name = str(value).partition(" ")
    whole = rounds.round_frames(counted=True)
    if not name and step in STEPS:
        first = next(at for at, frame in enumerate(whole) if frame.name == step.rstrip("s"))
        r.s.agenda = ()
        then(r.s, *whole[first:])
    elif name and step in TURNS:
        seat = r.seat("step", name)
        r.s.called |= 1 << seat
        turn = rounds.turn_frames(TURNS[step], seat)
        r.s.agenda = ()
        then(r.s, *turn[step == "legions" :], *whole[whole.index(rounds.Calls(TURNS[step])) :])
    else:
        raise r.fail(
            "step",
            f"`{value}` is not a step; there are: {', '.join(STEPS)}, "
            f"{', '.join(f'{turn} SEAT' for turn in TURNS)}",
        )


def _read_stock(r: Reader, value: Any) -> None:
    for card, number in r.table("stock", value).items():
        if card not in KINDS or type(number) is not int or number < 0:
            raise r.fail("stock", "is written { CARD = n }")
        kind = KINDS.index(card)
        if number > count(r.setting.all_cards, kind):
            raise r.fail("stock", f"the box holds fewer cards of {card}")
        r.s.stock += (number - count(r.s.stock, kind)) * CARD[kind]


# In the order in which they are read: `since` needs the markers, `step` the called seats.
READERS: dict[str, Callable[[Reader, Any], None]] = {
    "map": _read_map,
    "round": _read_round,
    "roles": _read_roles,
    "hand": _read_hands("hands", "hand"),
    "known": _read_hands("known", "known"),
    "open": _read_hands("open", "open"),
    "won": _read_hands("won", "won"),
    "cards": _read_cards,
    "markers": _read_markers,
    "since": _read_since,
    "caravans": _read_caravans,
    "cities": _read_cities,
    "markets": _read_set("markets"),
    "temples": _read_set("temples"),
    "legions": _read_legions,
    "fortresses": _read_forts,
    "fleets": _read_fleets("fleets", "fleets"),
    "new_fleets": _read_fleets("harbour", "new_fleets"),
    "occupied": _read_posts("occupied"),
    "takeover": _read_posts("takeover"),
    "moved": _read_marks_of_turn("moved", "moved"),
    "fought": _read_marks_of_turn("fought", "fought"),
    "fortress_fought": _read_marks_of_turn("forts_fought", "fortress_fought"),
    "chosen": _read_set("chosen"),
    "locked": _read_set("locked"),
    "sailed": _read_sailed,
    "called": _read_called,
    "used": _read_used,
    "step": _read_step,
    "agenda": _read_agenda,
    "stock": _read_stock,
}


def amend(s: State, position: Mapping[str, Any]) -> None:
    """Change a state (a copy) by position keys; what is not named stays. Raises PositionError.

    Whether the whole is a position that can be is left to `check`."""
    reader = Reader(s)
    unknown = [key for key in position if key not in READERS]
    if unknown:
        raise PositionError(
            f"unknown position keys: {', '.join(unknown)}; there are: {' '.join(READERS)}"
        )
    if "hand" in position or "open" in position or "won" in position:
        before = derived_stock(s)
    for key, read in READERS.items():
        if key in position:
            read(reader, position[key])
        if key == "won" and {"hand", "open", "won"} & position.keys():
            _check_cards(s)
            s.stock += derived_stock(s) - before
    if s.setting.opts.attack_without_moving == "war_only":
        s.sailed |= zones_used(s)


def _check_cards(s: State) -> None:
    """No more cards of a kind are held than the box has."""
    held = (*s.hands, *s.open, *s.won)
    for kind, name in enumerate(KINDS):
        if sum(count(hand, kind) for hand in held) > count(s.setting.all_cards, kind):
            raise PositionError(f"position key `hand`: more cards of {name} than the box holds")


def from_position(setting: Setting, position: Mapping[str, Any]) -> State:
    """A state from position keys; what is left out is empty. Raises PositionError."""
    s = setup.empty_state(setting)
    s.round = 1
    if "step" not in position and "agenda" not in position:
        raise PositionError("a position needs `step` (or `agenda`): where does it stand?")
    amend(s, position)
    check(s)
    return s


def check(s: State) -> None:
    """Raise PositionError for a position that cannot be."""
    board, provinces = s.setting.board, s.setting.board.provinces
    limits = ((s.legions, board.legions, "legions"), (s.fleets, board.fleets, "fleets"))
    for counts, most, name in limits:
        for power, numbers in enumerate(counts):
            harbour = sum(s.harbour[power]) if name == "fleets" else 0
            if sum(numbers) + harbour > most:
                owner = s.setting.powers[power]
                raise PositionError(f"position key `{name}`: {owner} has only {most} (MN-1.6)")
    for power, owner in enumerate(s.setting.powers):
        if markers_left(s, power) < 0:
            raise PositionError(f"position key `markers`: {owner} has only {board.markers}")
        if forts_left(s, power) < 0:
            raise PositionError(f"position key `fortresses`: {owner} has only {board.fortresses}")
    for thing, key in BUILDINGS.items():
        if buildings_left(s, thing) < 0:
            raise PositionError(f"position key `{key}`: the supply has not so many (MN-2.2)")
    for numbers in s.harbour:
        for place, number in enumerate(numbers):
            if number and not board.coast >> place & 1:
                raise PositionError(f"position key `new_fleets`: {provinces[place]} has no coast")
    owned = Counter(card for mask in s.cards for card in bits(mask))
    for card, times in owned.items():
        if times > 1:
            raise PositionError(f"position key `cards`: there is only one {CARDS[card]} (MN-1.8)")
    _check_posts(s)
    if not all(holds(hand, known) for hand, known in zip(s.hands, s.known, strict=True)):
        raise PositionError("position key `known`: a seat is known to hold what it does not hold")
    _check_turn(s)


def _check_posts(s: State) -> None:
    provinces = s.setting.board.provinces
    for (place, power), posts in _grouped(s.posts).items():
        name = provinces[place]
        if len(posts) > s.legions[power][place]:
            raise PositionError(f"position key `occupied`: too few legions stand in {name}")
        there = Counter(buildings_at(s, place))
        there[MARKER] = 1
        if Counter(post.what for post in posts) - there:
            raise PositionError(f"position key `occupied`: no such building stands in {name}")
        if s.marks[power] >> place & 1:
            raise PositionError(
                f"position key `occupied`: {name} carries its own marker (MN-19.21)"
            )


def _grouped(posts: Iterable[Post]) -> dict[tuple[int, int], list[Post]]:
    found: dict[tuple[int, int], list[Post]] = {}
    for post in posts:
        found.setdefault((post.province, post.power), []).append(post)
    return found


def _check_turn(s: State) -> None:
    """No more units have moved or fought than the seat on turn has."""
    if not any(s.moved) and not any(s.fought) and not any(s.forts_fought):
        return
    seat = next(
        (f.seat for f in s.agenda if isinstance(f, strategy.Fleets | strategy.Legions)), None
    )
    if seat is None:
        return
    there = (*s.legions[seat], *s.fleets[seat])
    posts = Counter(post.province for post in s.posts if post.power == seat)
    for at, number in enumerate(there):
        if s.moved[at] + s.fought[at] + posts[at] > number:
            name = s.setting.board.places[at]
            raise PositionError(f"position key `moved`: so many units do not stand in {name}")
    for place, number in enumerate(s.forts_fought):
        if number > forts_at(s, seat, place):
            name = s.setting.board.provinces[place]
            raise PositionError(f"position key `fortress_fought`: too few stand in {name}")
