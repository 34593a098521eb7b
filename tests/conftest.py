"""What all tests share: `--long`, what a machine may lack, and Hypothesis' settings."""

import os
import shutil
from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import settings

CI = os.environ.get("CI") == "true"

# Shared machines stall now and then: no deadline for one example. CI tries the same examples for
# the same code, so that a submission never fails for what another one did.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if CI else "here")

SLOW_TIMEOUT = 1200  # seconds, for a test marked `laws` or `long` that names no timeout of its own


class Need(NamedTuple):
    """Something that tests may need and no Python package brings."""

    title: str
    found: Callable[[], bool]
    install: str  # the command that brings it


NEEDS = {
    "chromium": Need(
        "Chromium",
        lambda: shutil.which("chromium") is not None,
        "apt-get -o DPkg::Lock::Timeout=300 install -y chromium",
    ),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the tests marked `long`")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("long"):
        config.hook.pytest_deselected(items=[i for i in items if i.get_closest_marker("long")])
        items[:] = [item for item in items if not item.get_closest_marker("long")]
    for item in items:
        slow = item.get_closest_marker("laws") or item.get_closest_marker("long")
        if slow and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_TIMEOUT))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that lacks something here; on CI, where everything has to be, let it fail."""
    for marker in item.iter_markers("needs"):
        name = str(marker.args[0])
        need = NEEDS[name]
        if not need.found():
            # A report's properties reach the main process also from a worker of pytest-xdist.
            item.user_properties.append(("missing", name))
            message = f"needs {need.title}: {need.install}"
            if CI:
                pytest.fail(message, pytrace=False)
            pytest.skip(message)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what the machine lacks, and the command that brings it."""
    held_up: dict[str, set[str]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            for key, name in getattr(report, "user_properties", ()):
                if key == "missing":
                    held_up.setdefault(name, set()).add(report.nodeid)
    if held_up:
        terminalreporter.section("missing on this machine")
    for name, tests in sorted(held_up.items()):
        need = NEEDS[name]
        terminalreporter.line(f"{need.title} ({len(tests)} tests did not run): {need.install}")
