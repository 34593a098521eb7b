"""The examples in README and docs are true, and the picture shows the board that is shipped."""

from __future__ import annotations

import doctest
import re
import runpy
from pathlib import Path

import pytest

from oikumene.games.mare_nostrum.board import load_board

HOME = Path(__file__).parents[1]
PAGES = [HOME / "README.md", *sorted((HOME / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run_as_they_are_printed(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0


def test_the_pages_have_examples_at_all() -> None:
    texts = [page.read_text("utf-8") for page in PAGES]
    assert sum(text.count(">>> ") for text in texts) > 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
    missing = [link for link in links if not (page.parent / link).exists()]
    assert missing == []


def test_the_picture_of_the_board_is_drawn_from_the_shipped_board() -> None:
    script = runpy.run_path(str(HOME / "docs/pictures/draw_board.py"))
    drawn = script["draw"](load_board())
    assert drawn == (HOME / "docs/pictures/mare-nostrum.svg").read_text("utf-8")
