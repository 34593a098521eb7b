"""The command line: names and options of the commands, and the one place where errors are told.

Exit status: 0 all well; 1 the answer is bad news (a damaged record, a failed case, a gap); 2 wrong
use or bad input; 130 interrupted; 141 the reader of the output has gone. `commands/` does the work
and is loaded only by the command that needs it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from oikumene.core.errors import OikumeneError

WRONG_USE, INTERRUPTED, PIPE_CLOSED = 2, 130, 141

app = typer.Typer(
    name="oikumene",
    help="Classic board games of ancient empires: play, ask for rules, replay, study.",
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game, as `games` lists it.")]
RecordFile = Annotated[Path, typer.Argument(metavar="RECORD", help="A game record (*.jsonl).")]
Json = Annotated[bool, typer.Option("--json", help="For programs: JSON, see docs/programs.md.")]
Seed = Annotated[int, typer.Option(metavar="S", help="The same seed gives the same games.")]


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Tell the version.")] = False,
) -> int:
    """Classic board games of ancient empires: play, ask for rules, replay, study."""
    if version:
        import oikumene

        print(f"oikumene {oikumene.__version__}")
        raise typer.Exit(0)
    if context.invoked_subcommand is None:
        return play()
    return 0


@app.command()
def play(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="The game, as `games` lists it.")
    ] = "mare-nostrum",
) -> int:
    """A game in the terminal; where there is no terminal, a short page of commands to try."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        from oikumene.commands.terminal import terminal as start_terminal

        return start_terminal(game)
    from oikumene.commands import games as command

    return command.play()


@app.command()
def terminal(
    game: GameName,
    seat: Annotated[
        str | None, typer.Option(metavar="NAME", help="Your seat; rome, or else the first.")
    ] = None,
    seats: Annotated[
        str,
        typer.Option(metavar="N|LIST", help="How many, or which civilizations with commas."),
    ] = "4",
    bots: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="One opponent for each other seat, or one for all."),
    ] = None,
    preset: Annotated[str | None, typer.Option(metavar="P", help="The rule set.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="OPTION=VALUE", help="One rule option; may be repeated."),
    ] = None,
    map_file: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="A map file of your own.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="The same seed and answers: the same game.")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="For screen readers and pipes: one fact a line.")
    ] = False,
    load: Annotated[
        Path | None, typer.Option(metavar="RECORD", help="Go on with a saved game.")
    ] = None,
) -> int:
    """Play in the terminal, against programs (docs/playing-in-the-terminal.md)."""
    from oikumene.commands import terminal as command

    return command.terminal(
        game,
        seat=seat,
        seats=seats,
        bots=bots,
        preset=preset,
        settings=settings,
        map_file=map_file,
        seed=seed,
        plain=plain,
        load=load,
    )


@app.command()
def games(as_json: Json = False) -> int:
    """The games there are: players, rule sets, and what is known of their boards."""
    from oikumene.commands import games as command

    return command.games(as_json=as_json)


@app.command()
def selfplay(
    game: GameName,
    seats: Annotated[
        str,
        typer.Option(metavar="N|LIST", help="How many, or which civilizations with commas."),
    ] = "4",
    bots: Annotated[
        str,
        typer.Option(metavar="LIST", help="One opponent for each seat, or one for all."),
    ] = "random",
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games.")] = 1,
    seed: Seed = 0,
    preset: Annotated[str | None, typer.Option(metavar="P", help="The rule set.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="OPTION=VALUE", help="One rule option; may be repeated."),
    ] = None,
    map_file: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="A map file of your own.")
    ] = None,
    max_rounds: Annotated[
        int, typer.Option(min=1, metavar="N", help="A game stops, unfinished, after so many.")
    ] = 100,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write the records there (GAME-SEED.jsonl)."),
    ] = None,
    rotate: Annotated[
        bool, typer.Option("--rotate/--no-rotate", help="Whether opponents change seats.")
    ] = True,
    jobs: Annotated[int, typer.Option(min=1, max=256, metavar="J", help="Processes.")] = 1,
    as_json: Json = False,
) -> int:
    """Whole games between programs, one line a game."""
    from oikumene.commands import selfplay as command

    return command.selfplay(
        game,
        seats=seats,
        bots=bots,
        games=games,
        seed=seed,
        preset=preset,
        settings=settings or [],
        map_file=map_file,
        max_rounds=max_rounds,
        out=out,
        as_json=as_json,
        rotate=rotate,
        jobs=jobs,
    )


@app.command()
def replay(
    record: RecordFile,
    at: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="After entry N; 0 is the set-up.")
    ] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="NAME", help="As this seat may see it.")
    ] = None,
    spectator: Annotated[
        bool, typer.Option("--spectator", help="As a spectator may see it.")
    ] = False,
    log: Annotated[
        bool, typer.Option("--log", help="The moves and what they did, by which rule.")
    ] = False,
    as_json: Json = False,
) -> int:
    """The position a record leads to, or its moves. A damaged one shows its valid part."""
    from oikumene.commands import records as command

    return command.replay(record, at=at, seat=seat, spectator=spectator, as_json=as_json, log=log)


@app.command()
def verify(record: RecordFile, as_json: Json = False) -> int:
    """Check a record: every move, every check, every die. Status 0 only if all is proven."""
    from oikumene.commands import records as command

    return command.verify(record, as_json=as_json)


@app.command()
def conformance(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Case files, or folders of them.")
    ],
    as_json: Json = False,
) -> int:
    """Run conformance cases (docs/conformance.md). Status 1 if any failed."""
    from oikumene.commands import cases as command

    return command.conformance(files, as_json=as_json)


@app.command()
def rules(
    game: GameName,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="A rule (MN-8.7), a chapter (MN-8), or an option."),
    ] = None,
    search: Annotated[
        str | None, typer.Option(metavar="WORDS", help="Rules that hold all these words.")
    ] = None,
    language: Annotated[str, typer.Option("--lang", metavar="LANG", help="The language.")] = "en",
    options: Annotated[
        bool, typer.Option("--options", help="The rule options, or the one that is named.")
    ] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Which rules have cases. Status 1 for gaps.")
    ] = False,
    as_json: Json = False,
) -> int:
    """What a rule says, where it comes from, and which cases show it."""
    from oikumene.commands import rules as command

    return command.rules(
        game,
        name,
        search=search,
        language=language,
        coverage=coverage,
        options=options,
        as_json=as_json,
    )


@app.command()
def fuzz(
    game: GameName,
    minutes: Annotated[float, typer.Option(min=0, metavar="M", help="For how long.")] = 1.0,
    seed: Seed = 0,
) -> int:
    """Try the laws on random games. Prints the seed of what it finds; then the status is 1."""
    from oikumene.games import load_game

    chosen = load_game(game)
    from oikumene.research.fuzz import fuzz as try_laws

    found: int = try_laws(chosen, minutes, seed, print)
    return 1 if found else 0


@app.command()
def bench(game: GameName, as_json: Json = False) -> int:
    """How fast the rules are; beside python-chess, where it is installed."""
    from oikumene.commands import bench as command

    return command.bench(game, as_json=as_json)


# Errors ------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status. Every error a user can cause is told here."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")  # a terminal that lacks a letter is no error
    try:
        status = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _close_output()
        return PIPE_CLOSED
    except OikumeneError as error:
        return _told(str(error))
    except typer.TyperException as error:
        return _told(error.format_message().rstrip(".") + "; --help tells how it is used")
    except RecursionError:
        return _told("this file is nested too deeply to be one of ours; check its name")
    except OSError as error:
        name = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return _told(f"{name}{error.strerror or error}; check the name and what you may do there")


def _run(arguments: Sequence[str]) -> int:
    """The command's exit status. (Typer's own `app()` would tell errors in its own way.)"""
    command = typer.main.get_command(app)
    try:
        with command.make_context("oikumene", list(arguments)) as context:
            return int(command.invoke(context) or 0)
    except typer.Exit as end:
        return end.exit_code


def _told(message: str) -> int:
    """Tell an error; the exit status of wrong use."""
    try:
        print(f"oikumene: {message}", file=sys.stderr)
    except BrokenPipeError:
        _close_output()
    return WRONG_USE


def _close_output() -> None:
    """Nobody reads any more: what is still to be written goes nowhere, without a word."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
