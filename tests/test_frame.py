"""The project's frame: the launcher, the locks, who imports whom, and what no file may hold."""

import ast
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import oikumene

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "oikumene"
LOCKS = sorted(ROOT.glob("requirements-*.lock"))


def files_to_commit() -> list[Path]:
    """All files that git tracks or would track."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    paths = [ROOT / os.fsdecode(name) for name in listing.stdout.split(b"\0") if name]
    return [path for path in paths if path.is_file()]


# --- what the files hold -----------------------------------------------------------------------


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_holds_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    pinned = re.findall(r"^[a-z][^\n]*?==[^\n]*\\\n    --hash=sha256:[0-9a-f]{64}", text, re.M)
    assert len(pinned) == len(re.findall(r"^[^\s#]", text, re.M)) > 0


def test_there_is_one_lock_for_each_set_up() -> None:
    assert [lock.name for lock in LOCKS] == [
        "requirements-run.lock",
        "requirements-test.lock",
        "requirements-uv.lock",
    ]


def test_the_tests_run_with_the_versions_the_program_runs_with() -> None:
    run, test, _ = ({*re.findall(r"^[a-z][^\\\n]*==[^\\\n]*", p.read_text(), re.M)} for p in LOCKS)
    assert run <= test


def test_no_file_holds_a_path_of_this_machine() -> None:
    home = Path.home()
    paths = {os.fsencode(ROOT)} | ({os.fsencode(home) + b"/"} if home != home.parent else set())
    found = [file for file in files_to_commit() if any(p in file.read_bytes() for p in paths)]
    assert found == []


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "src/oikumene/__init__.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", oikumene.__version__)
    held = f'"{oikumene.__version__}"'
    assert [f for f in SOURCE.rglob("*.py") if held in f.read_text()] == [SOURCE / "__init__.py"]


def test_the_project_is_not_installed_beside_its_source() -> None:
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version("oikumene")
    assert Path(oikumene.__file__) == SOURCE / "__init__.py"


# --- who imports whom (pyproject.toml has the order of the layers for import-linter) ------------


def imports(file: Path) -> Iterator[str]:
    """The full names of all modules and names that a module of `src` imports."""
    package = file.relative_to(SOURCE.parent).parent.parts
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else ()
            module = [*start, *filter(None, [node.module])]
            yield from (".".join([*module, alias.name]) for alias in node.names)


def modules(part: str) -> list[Path]:
    return sorted((SOURCE / part).rglob("*.py"))


def allowed(name: str, *parts: str) -> bool:
    inside = any(f"{name}.".startswith(f"oikumene.{part}.") for part in parts)
    return inside or name.split(".")[0] in sys.stdlib_module_names


def test_core_imports_only_itself_and_the_standard_library() -> None:
    found = [(f.name, n) for f in modules("core") for n in imports(f) if not allowed(n, "core")]
    assert found == []


def test_a_game_imports_only_itself_core_and_the_standard_library() -> None:
    games = sorted(path for path in (SOURCE / "games").iterdir() if path.is_dir())
    for game in games:
        mine = [f"games.{game.name}", "core"]
        for file in modules(f"games/{game.name}"):
            assert [n for n in imports(file) if not allowed(n, *mine)] == [], file


def test_what_the_games_share_imports_only_games_core_and_the_standard_library() -> None:
    for file in (SOURCE / "games").glob("*.py"):
        assert [n for n in imports(file) if not allowed(n, "games", "core")] == [], file


@pytest.mark.parametrize(
    ("banned", "parts"),
    [
        ({"random"}, ["core", "games", "bots"]),  # same seed, same game, on every Python
        ({"time", "datetime"}, ["core", "games"]),
    ],
    ids=["random", "clock"],
)
def test_chance_comes_from_the_keyed_source_and_no_rule_looks_at_a_clock(
    banned: set[str], parts: list[str]
) -> None:
    for file in (file for part in parts for file in modules(part)):
        assert not banned & {name.split(".")[0] for name in imports(file)}, file


# --- the launcher, with stand-ins for Python and uv --------------------------------------------

PYTHON = """#!/bin/sh
case "$1 $2" in
  "-c ") ;;  # does it run at all?
  "-c "*) echo "$0" ;;  # is it new enough, and where does it lie?
  "-m venv") echo "$*" >>"$LOG"; mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  "-m pip") echo "$*" >>"$LOG"; cp "$STUBS/uv" "${0%/*}/uv" ;;
  *) printf '%s\\n' "$PWD" "$PYTHONPATH" "$@" ;;
esac
"""
UV = """#!/bin/sh
[ "$1" = --version ] && exit
echo "uv $*" >>"$LOG"
for last; do :; done
case $1 in
  venv) mkdir -p "$last/bin" && cp "$STUBS/python3" "$last/bin/python" ;;
  pip) exit "${SYNC:-0}" ;;
esac
"""
NOT_HERE = "#!/bin/sh\nexit 127\n"
TOO_OLD = "#!/bin/sh\nexit 1\n"
WITHOUT_VENV = """#!/bin/sh
[ "$1 $2" != "-m venv" ] && echo "$0"
"""


class Project:
    """A copy of the launcher in a folder of its own, with stand-ins for Python and uv."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "a project"
        self.elsewhere = folder / "some other place"
        self.stubs = folder / "stubs"
        self.log = folder / "log"
        for path in (self.home, self.elsewhere, self.stubs):
            path.mkdir()
        self.launcher = self.home / "oikumene"
        shutil.copy2(ROOT / "oikumene", self.launcher)
        for lock in LOCKS:
            (self.home / lock.name).write_text(f"{lock.name} 1\n")
        for name in ("python3", "python3.13", "python3.12", "python3.11"):
            self.stub(name, PYTHON)
        self.stub("uv", UV)

    def stub(self, name: str, text: str) -> None:
        path = self.stubs / name
        path.write_text(text)
        path.chmod(0o755)

    def run(
        self, *args: str, call: str | None = None, **env: str
    ) -> subprocess.CompletedProcess[str]:
        path = f"{self.stubs}:/usr/bin:/bin"
        return subprocess.run(
            [call or str(self.launcher), *args],
            cwd=self.elsewhere,
            env={"PATH": path, "LOG": str(self.log), "STUBS": str(self.stubs), **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def done(self) -> list[str]:
        """What was set up since the last call, without the paths."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return [" ".join(line.split()[:3]) for line in lines]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path.resolve())


MADE = ["uv venv --quiet", "uv pip sync"]


def test_a_job_runs_in_the_callers_folder_with_its_arguments_untouched(project: Project) -> None:
    expected = [
        str(project.elsewhere),
        f"{project.home}/src",
        *["-P", "-m", "oikumene", "replay", "../my games/one.jsonl", "*", ""],
    ]
    (project.elsewhere / "link").symlink_to(project.stubs / "second link")
    (project.stubs / "second link").symlink_to("../a project/oikumene")
    for call in (str(project.launcher), "../a project/oikumene", "./link"):
        result = project.run("replay", "../my games/one.jsonl", "*", "", call=call)
        assert result.stdout.split("\n")[:-1] == expected
        assert result.returncode == 0
    assert project.run().stdout.splitlines()[2:] == ["-P", "-m", "oikumene"]


def test_the_tests_run_in_the_projects_folder_with_their_own_packages(project: Project) -> None:
    result = project.run("test", "--long", "-k", "a b")
    assert result.stdout.splitlines() == [
        str(project.home),
        f"{project.home}/src",
        *["-P", "-m", "pytest", "--long", "-k", "a b"],
    ]
    assert (project.home / ".venv-test" / ".lock").read_text() == "requirements-test.lock 1\n"
    assert not (project.home / ".venv").exists()


def test_the_bench_runs_beside_python_chess_where_the_tests_are_set_up(project: Project) -> None:
    project.run("bench", "mare-nostrum")
    assert (project.home / ".venv").exists()
    assert not (project.home / ".venv-test").exists()
    project.run("test")
    (project.home / ".venv" / "bin" / "python").unlink()
    said = project.run("bench", "mare-nostrum").stdout.splitlines()
    assert said[2:] == ["-P", "-m", "oikumene", "bench", "mare-nostrum"]
    assert not (project.home / ".venv" / "bin" / "python").exists()


def test_it_sets_up_once_and_again_when_the_lock_changes(project: Project) -> None:
    assert "setting up .venv from requirements-run.lock" in project.run("games").stderr
    assert project.done() == MADE
    assert project.run("games").stderr == ""
    assert project.done() == []
    (project.home / "requirements-run.lock").write_text("requirements-run.lock 2\n")
    project.run("games")
    assert project.done() == ["uv pip sync"]
    project.run("games")
    assert project.done() == []


def test_without_uv_the_venvs_own_pip_brings_it(project: Project) -> None:
    project.stub("uv", UV.replace("[", '[ "$0" = "$STUBS/uv" ] && exit 127\n[', 1))
    assert project.run("games").returncode == 0
    assert project.done() == ["-m venv " + str(project.home).split()[0], "-m pip install", MADE[1]]


def test_an_interrupted_set_up_begins_anew(project: Project) -> None:
    failed = project.run("games", SYNC="2")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert not (project.home / ".venv" / ".lock").exists()
    left_over = project.home / ".venv" / "left_over"
    left_over.touch()
    project.done()
    assert project.run("games").returncode == 0
    assert project.done() == MADE
    assert not left_over.exists()
    # So does one that an update left half done.
    (project.home / "requirements-run.lock").write_text("requirements-run.lock 2\n")
    project.run("games", SYNC="2")
    project.done()
    project.run("games")
    assert project.done() == MADE


def test_a_venv_whose_python_is_gone_is_made_anew(project: Project) -> None:
    project.run("games")
    python = project.home / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("no/such/python")
    project.done()
    assert project.run("games").returncode == 0
    assert project.done() == MADE


def test_a_newer_python_is_found_beside_one_that_is_too_old(project: Project) -> None:
    project.stub("python3", TOO_OLD)
    project.stub("python3.13", NOT_HERE)
    project.stub("uv", NOT_HERE)
    project.run("games")
    assert project.done()[0].startswith("-m venv")


@pytest.mark.parametrize("instead", [TOO_OLD, NOT_HERE], ids=["too old", "missing"])
def test_it_says_so_when_there_is_no_python_to_run_it(project: Project, instead: str) -> None:
    for name in ("python3", "python3.13", "python3.12", "python3.11"):
        project.stub(name, instead)
    result = project.run("games")
    assert result.returncode == 1
    assert "Python 3.11 or newer is needed" in result.stderr


def test_it_says_so_when_pythons_venv_module_is_missing(project: Project) -> None:
    project.stub("python3", WITHOUT_VENV)
    project.stub("uv", NOT_HERE)
    result = project.run("games")
    assert result.returncode == 1
    assert "venv module is missing" in result.stderr


# --- what a machine lacks ----------------------------------------------------------------------

NEEDY = """
import pytest

@pytest.mark.needs("chromium")
def test_a_page(): pass

def test_more(): pass

@pytest.mark.long
def test_at_length(): pass
"""


def run_pytest(folder: Path, *args: str, ci: bool) -> str:
    """Run a small suite with our conftest on a machine without Chromium; its closing part."""
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    (folder / "test_needy.py").write_text(NEEDY)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  long\n  needs\n")
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "COV"))}
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args],
        cwd=folder,
        env=env | {"PATH": "", "CI": "true" if ci else ""},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.stdout


@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_is_missing_is_named_with_the_command_that_brings_it(
    tmp_path: Path, workers: str
) -> None:
    closing = run_pytest(tmp_path, "-n", workers, ci=False)
    assert "Chromium (1 tests did not run): apt-get" in closing
    assert "1 passed, 1 skipped" in closing


def test_on_ci_nothing_may_be_missing(tmp_path: Path) -> None:
    closing = run_pytest(tmp_path, ci=True)
    assert "Chromium (1 tests did not run): apt-get" in closing
    assert "1 passed, 1 deselected, 1 error" in closing


def test_long_tests_run_only_when_asked_for(tmp_path: Path) -> None:
    assert "1 deselected" in run_pytest(tmp_path, ci=False)
    assert "2 passed, 1 skipped" in run_pytest(tmp_path, "--long", ci=False)
