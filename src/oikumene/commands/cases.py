"""`oikumene conformance`: runs case files, and finds the cases of this project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import oikumene
from oikumene.commands.common import print_json, read_text
from oikumene.core.conformance import read_cases, run_case
from oikumene.core.errors import DataError, OikumeneError
from oikumene.games import load_game

PROJECT = Path(oikumene.__file__).resolve().parents[2]


def conformance(paths: list[Path], *, as_json: bool) -> int:
    """Run all cases; 1 if any failed."""
    passed = 0
    failures: list[dict[str, Any]] = []
    for file, game_name, cases in list(read_files(paths)):
        game = load_game(game_name)
        for case in cases:
            result = run_case(game, case)
            if not result.failure:
                passed += 1
                continue
            failures.append(
                {"file": str(file), "id": result.id, "rules": list(result.rules),
                 "failure": result.failure}
            )  # fmt: skip
            if not as_json:
                print(f"{file}: {result.id}: {result.failure}")
    if as_json:
        print_json({"passed": passed, "failed": len(failures), "failures": failures})
    else:
        print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


def read_files(paths: Iterable[Path]) -> Iterator[tuple[Path, str, list[dict[str, Any]]]]:
    """The files with their game and cases. Raises OikumeneError for one that is no case file."""
    for file in files_of(paths):
        name, cases = read_cases(read_text(file), str(file))
        yield file, name, cases


def files_of(paths: Iterable[Path]) -> Iterator[Path]:
    """The files, and all case files in folders and the folders in them."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.rglob("*.toml"))
        if not found:
            raise OikumeneError(f"{path}: there is no case file (*.toml) in this folder")
        yield from found


def cases_of(game: str) -> list[tuple[Path, dict[str, Any]]]:
    """All cases of a game in this project; empty where the program came without them."""
    folder = PROJECT / "conformance" / game.replace("-", "_")
    if not folder.is_dir():
        return []
    found = []
    for file, name, cases in read_files([folder]):
        if name != game:
            raise DataError(f"{file}: a case file of {name} among those of {game}; move it")
        found += [(file, case) for case in cases]
    return found
