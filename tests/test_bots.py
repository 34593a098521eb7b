"""Opponents: they play by the rules, see nothing but their view, and do the same again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from oikumene.bots import BOTS, Bot, load_bot
from oikumene.core.chance import Committed
from oikumene.core.errors import OptionError
from oikumene.core.game import Chance, Decide, Over
from oikumene.core.keyed import Draws, key_of
from oikumene.core.moves import Move, Moves
from oikumene.games import load_game
from oikumene.games.mare_nostrum.evaluate import DEFAULT, WEIGHTS, clears, expected_losses, hits

GAME = load_game("mare-nostrum")
OPTIONS = GAME.options()
BUILT = [
    (name, value.value)
    for name, option in OPTIONS.options.items()
    for value in option.values.values()
    if value.built and value.value != option.default
]


class Asked:
    """One decision of a game: who was asked, what was seen, what was chosen."""

    def __init__(self, state: Any, seat: int, moves: Moves, move: Move) -> None:
        self.state = state
        self.seat = seat
        self.moves = moves
        self.move = move


def decisions(
    bots: Sequence[Bot],
    seed: int,
    *,
    options: Mapping[str, str] | None = None,
    max_rounds: int = 100,
    end: list[Any] | None = None,
) -> Iterator[Asked]:
    """Play one game and show every decision; `end` gets the last state."""
    setting = GAME.setting(
        OPTIONS.resolve(OPTIONS.default_preset, options or {}), GAME.advised(len(bots))
    )
    source, indices = Committed.from_seed(seed), dict[str, int]()
    draws = [Draws(key_of("bot", seed, seat)) for seat in range(len(bots))]
    s = GAME.setup(setting)
    while s.round <= max_rounds:
        pending = GAME.pending(s)
        if isinstance(pending, Over):
            break
        if isinstance(pending, Chance):
            index = indices.get(pending.kind.stream, 0)
            indices[pending.kind.stream] = index + 1
            s = GAME.apply(s, None, source.outcome(pending.kind, index))
            continue
        assert isinstance(pending, Decide)
        seat = pending.seats[0]
        moves = GAME.legal(s, seat)
        move = bots[seat].choose(GAME, GAME.view(s, seat), moves, draws[seat])
        yield Asked(s, seat, moves, move)
        s = GAME.apply(s, seat, move)
    if end is not None:
        end.append(s)


def mixed(number: int, greedy_seat: int) -> list[Bot]:
    """`greedy` in one seat, `random` in the others."""
    bots = [load_bot("mare-nostrum", "random") for _ in range(number)]
    bots[greedy_seat] = load_bot("mare-nostrum", "greedy")
    return bots


def test_every_listed_bot_loads_and_knows_its_name() -> None:
    for game, names in BOTS.items():
        for name in names:
            assert load_bot(game, name).name == name


def test_an_unknown_bot_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(OptionError, match="random, greedy"):
        load_bot("mare-nostrum", "genius")


def test_an_unknown_game_is_refused_with_the_games_there_are() -> None:
    with pytest.raises(OptionError, match="mare-nostrum"):
        load_bot("chess", "random")


@pytest.mark.parametrize("name", ["random", "greedy"])
@pytest.mark.parametrize("number", [3, 4, 5])
@pytest.mark.parametrize("start", ["fixed", "free"])
def test_bots_play_by_the_rules(name: str, number: int, start: str) -> None:
    bots = [load_bot("mare-nostrum", name) for _ in range(number)]
    for asked in decisions(bots, number, options={"start": start}, max_rounds=5):
        assert asked.move in asked.moves, GAME.text(asked.state, asked.move)
        assert not GAME.refusal(asked.state, asked.seat, asked.move)


@pytest.mark.parametrize(("option", "value"), BUILT)
def test_greedy_plays_by_the_rules_under_every_option(option: str, value: str) -> None:
    bots = [load_bot("mare-nostrum", "greedy") for _ in range(3)]
    for asked in decisions(bots, 1, options={option: value}, max_rounds=4):
        assert asked.move in asked.moves, GAME.text(asked.state, asked.move)


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    def moves(seed: int) -> list[Move]:
        bots = [load_bot("mare-nostrum", name) for _ in range(4)]
        return [asked.move for asked in decisions(bots, seed, max_rounds=5)]

    assert moves(5) == moves(5)
    assert moves(5) != moves(6)


@pytest.mark.parametrize("memory", ["counted", "own_head"])
def test_greedy_depends_on_its_view_alone(memory: str) -> None:
    """Whatever agrees with the view, dealt anew, gives the same move."""
    greedy = load_bot("mare-nostrum", "greedy")
    deal = Draws(key_of("deal"))
    key = key_of("the same")
    checked = 0
    for at, asked in enumerate(decisions(mixed(4, 2), 3, options={"memory": memory}, max_rounds=6)):
        if asked.seat != 2 or at % 3:
            continue
        seen = GAME.view(asked.state, 2)
        first = greedy.choose(GAME, seen, asked.moves, Draws(key))
        for _ in range(2):
            other = GAME.determinize(seen, deal)
            again = greedy.choose(GAME, GAME.view(other, 2), GAME.legal(other, 2), Draws(key))
            assert again == first
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_greedy_beats_random(seed: int) -> None:
    end: list[Any] = []
    for _ in decisions(mixed(4, seed % 4), seed, end=end):
        pass
    assert end[0].over is not None
    assert end[0].over.winners == (seed % 4,)


def test_greedy_finishes_against_itself() -> None:
    end: list[Any] = []
    bots = [load_bot("mare-nostrum", "greedy") for _ in range(4)]
    for _ in decisions(bots, 7, max_rounds=30, end=end):
        pass
    assert end[0].over is not None


def test_every_weight_has_a_reason() -> None:
    assert set(DEFAULT) == set(WEIGHTS)
    for name, (value, reason) in WEIGHTS.items():
        assert value == DEFAULT[name]
        assert len(reason.split()) >= 2, name


def test_the_chances_of_a_fight_are_exact() -> None:
    """Counted by hand: two dice make at least 5 in 30 of 36 cases, and at least 10 in 6."""
    assert hits(2, 0) == pytest.approx((6 / 36, 24 / 36, 6 / 36))
    assert clears(2, 0, 1) == pytest.approx(30 / 36)
    assert expected_losses(2, 0, 1) == pytest.approx(30 / 36)
    assert expected_losses(2, 0, 2) == pytest.approx(36 / 36)
    assert clears(1, 6, 1) == 1  # a fortress strikes one unit for sure
