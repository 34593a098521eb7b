"""What a seat may know (MN-2.5, MN-26.2): built from nothing, by allow-list.

Hidden are the contents of other hands and sealed offers. What everybody has seen of a hand is not
secret; the option `memory` decides whether the product remembers it for the players.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from oikumene.core.game import Frame, Seat
from oikumene.core.keyed import Draws
from oikumene.games.mare_nostrum.cards import CARD, KINDS, Hand, Picks, count, size
from oikumene.games.mare_nostrum.commerce import OUT, SEALED, WAITING, Offers
from oikumene.games.mare_nostrum.position import derived_stock, to_position
from oikumene.games.mare_nostrum.setup import empty_state
from oikumene.games.mare_nostrum.state import State, put

# What lies open on the table. Everything else stays empty in a view unless it is added below.
PUBLIC = (
    "round", "over", "roles", "stock", "open", "won", "cards", "marks", "since", "caravans",
    "cities", "markets", "temples", "legions", "held", "forts", "forts2", "fleets", "harbour",
    "posts", "moved", "fought", "forts_fought", "chosen", "locked",
    "sailed", "used", "called",
)  # fmt: skip


class View(NamedTuple):
    """What one seat (None: a spectator) knows.

    `state` holds what is open and the own hand; other hands are empty there. `sizes` are the
    numbers of cards in all hands.
    """

    seat: Seat | None
    state: State
    sizes: tuple[int, ...]

    def position(self) -> dict[str, Any]:
        """The view as position keys, with `held`: the number of cards of each hand."""
        found = to_position(self.state)
        found.pop("stock", None)
        seats = self.state.setting.seats
        found["held"] = dict(zip(seats, self.sizes, strict=True))
        found["stock"] = {name: count(self.state.stock, kind) for kind, name in enumerate(KINDS)}
        if self.state.over is not None:
            found["over"] = {
                "winners": [seats[seat] for seat in self.state.over.winners],
                "reason": self.state.over.reason,
            }
        return found


def view(s: State, seat: Seat | None) -> View:
    """The view of a seat or of a spectator."""
    opts = s.setting.opts
    seen = empty_state(s.setting)
    for slot in PUBLIC:
        setattr(seen, slot, getattr(s, slot))
    seen.agenda = tuple(_redacted(frame, seat) for frame in s.agenda)
    if opts.memory == "counted":
        seen.known = s.known
    if opts.trade_hand_contents == "open":
        seen.hands = s.hands
    elif seat is not None:
        seen.hands = put(seen.hands, seat, s.hands[seat])
    return View(seat, seen, tuple(map(size, s.hands)))


def _redacted(frame: Frame, seat: Seat | None) -> Frame:
    """The frame without the sealed answers of others."""
    if not isinstance(frame, Offers):
        return frame
    offers = tuple(
        offer if offer in (WAITING, OUT) or at == seat else SEALED
        for at, offer in enumerate(frame.offers)
    )
    return Offers(frame.number, offers)


def determinize(seen: View, draws: Draws) -> State:
    """A state that agrees with a view: the cards nobody has seen are dealt anew."""
    s = seen.state.copy()
    hands = list(s.hands)
    for at in range(len(hands)):
        if at != seen.seat and not hands[at]:
            hands[at] = s.known[at]
    s.hands = tuple(hands)
    unseen = derived_stock(s) - s.stock
    pool = draws.shuffled([kind for kind in range(len(KINDS)) for _ in range(count(unseen, kind))])
    dealt = 0
    for at, held in enumerate(seen.sizes):
        need = held - size(hands[at])
        hands[at] += sum(CARD[kind] for kind in pool[dealt : dealt + need])
        dealt += need
    s.hands = tuple(hands)
    s.agenda = tuple(_sealed_anew(frame, s, draws) for frame in s.agenda)
    return s


def _sealed_anew(frame: Frame, s: State, draws: Draws) -> Frame:
    """Sealed answers of others as any they could have given."""
    if not isinstance(frame, Offers) or SEALED not in frame.offers:
        return frame
    return Offers(
        frame.number,
        tuple(
            _any_pick(s.hands[at], frame.number, draws) if offer == SEALED else offer
            for at, offer in enumerate(frame.offers)
        ),
    )


def _any_pick(hand: Hand, number: int, draws: Draws) -> Hand:
    picks = Picks(hand, number)
    return picks[draws.below(len(picks))]
