"""`oikumene games` and `oikumene play`: what there is, and where to begin."""

from __future__ import annotations

from oikumene.commands.common import print_json
from oikumene.games import GAMES

WELCOME = """\
Oikumene: classic board games of ancient empires.

Playing in the browser comes next. What can be done already:

  ./oikumene terminal mare-nostrum
      a game in the terminal, against programs (--plain for screen readers);
      at a terminal `./oikumene play` starts it
  ./oikumene games
      the games, their rule sets, and what is known of their boards
  ./oikumene rules mare-nostrum MN-22.2
      what a rule says, where it comes from, and the cases that show it
  ./oikumene rules mare-nostrum --search "temple income"
      the rules that speak of something
  ./oikumene selfplay mare-nostrum --seats 4 --bots greedy,random,random,random --out games
      a whole game between programs, written as a record
  ./oikumene replay games/mare-nostrum-0.jsonl --at 40 --seat rome
      what lay on the table after 40 moves, as Rome saw it
  ./oikumene verify games/mare-nostrum-0.jsonl
      whether each move was legal and each die was thrown as promised

Each of them tells its options with --help. For programs: docs/programs.md."""


def play() -> int:
    """A short page of commands to try."""
    print(WELCOME)
    return 0


def games(*, as_json: bool) -> int:
    """The games: players, rule sets, board."""
    if as_json:
        for name, game in GAMES.items():
            sets = [
                {"name": one, "built": built, "default": one == game.rule_set}
                for one, built in game.rule_sets.items()
            ]
            print_json(
                {
                    "game": name, "title": game.title, "players": game.players,
                    "rule_sets": sets, "board": game.board, "board_note": game.board_note,
                }
            )  # fmt: skip
        return 0
    for name, game in GAMES.items():
        print(f"{name}: {game.title}, {game.players.replace('-', ' to ')} players")
        print("  rule sets:")
        for one, built in game.rule_sets.items():
            note = "default" if one == game.rule_set else "" if built else "not built yet"
            print(f"    {one}{f' ({note})' if note else ''}")
        print(f"  board: {game.board}")
        print(f"    {game.board_note}")
    return 0
