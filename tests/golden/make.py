"""Makes the golden games anew:  PYTHONPATH=src python tests/golden/make.py

Until version 1.0 that may be done in the commit that says why a recorded game changes; afterwards
games are only added. Each is played by chance out of its seed, up to `rounds` rounds; afterwards it
is replayed by tests/test_golden.py, line by line. The names tell what a game is here for.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from oikumene.core import record as records
from oikumene.core.chance import Committed
from oikumene.core.game import Chance, Over
from oikumene.core.keyed import Draws, key_of
from oikumene.core.session import Session
from oikumene.games import load_game

FOLDER = Path(__file__).resolve().parent


class Golden(NamedTuple):
    """One game to make."""

    name: str
    seats: int
    seed: int
    rounds: int  # the game is given up before it enters the next one
    options: dict[str, str]
    eager: bool = False  # whoever can buy a hero or a wonder does
    undo: bool = False  # every tenth move or so is taken back


GAMES = (
    Golden("mn-3-fixed-whole", 3, 21, 100, {}, eager=True),
    Golden("mn-3-free-strategy", 3, 1, 20, {
        "start": "free", "change_choice": "any", "attack_without_moving": "yes",
        "fortress_attacks": "no", "new_fleet_must_leave": "no",
    }),
    Golden("mn-4-fixed-trade", 4, 2, 12, {
        "pair_rule": "whole_trade", "single_holder_end": "literal", "early_end_compensation": "no",
        "memory": "own_head",
    }),
    Golden("mn-4-free-undone", 4, 3, 12, {"start": "free"}, undo=True),
    Golden("mn-5-fixed-heroes", 5, 24, 100, {}, eager=True),
    Golden("mn-5-fixed-markers", 5, 5, 12, {
        "takeover_when": "any_later", "takeover_adjacency": "no", "influence_block": "enemy_units",
        "siege_stops_expansion": "yes", "build_block": "any_enemy_unit",
        "capital_protection": "takeover_and_only_temple_market",
    }),
    Golden("mn-5-free-roles", 5, 5, 100, {"start": "free", "all_roles_victory": "on"}),
    Golden("mn-5-free-cards", 5, 7, 12, {
        "start": "free", "hero_victory": "5_and_13", "gardens_keep": "2",
        "multi_winner": "first_by_call", "takeover_free_with_hammurabi": "no",
    }, eager=True),
)  # fmt: skip


def play(golden: Golden) -> Session:
    """The game."""
    game = load_game("mare-nostrum")
    session = Session.new(
        game,
        preset=game.options().default_preset,
        options=golden.options,
        seats=game.advised(golden.seats),
        source=Committed.from_seed(golden.seed),
        policy="free" if golden.undo else "strict",
    )
    draws = Draws(key_of("golden", golden.name, golden.seed))
    while game.rounds(session.state) <= golden.rounds:
        pending = session.pending
        if isinstance(pending, Over):
            break
        if isinstance(pending, Chance):
            session.draw()
            continue
        seat = draws.choice(pending.seats)
        moves = game.legal(session.state, seat)
        session.play(seat, ((golden.eager and moves.of("buy")) or moves).sample(draws))
        if golden.undo and not draws.below(10) and not session.why_not_undo(seat):
            session.undo(seat)
    return session


def main() -> None:
    """Write all games."""
    for golden in GAMES:
        text = records.dump(play(golden).closed())
        (FOLDER / f"{golden.name}.jsonl").write_text(text, "utf-8")
        print(f"{golden.name}: {text.count(chr(10))} lines, {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main()
