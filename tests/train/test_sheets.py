"""A page of puzzles to print."""

from __future__ import annotations

import re

import pytest
from pages import Page

from sapper.errors import InputError
from sapper.train import KINDS, puzzle, sheet


def test_tasks_come_first_and_solutions_with_proofs_last() -> None:
    made = [puzzle(kind, 1) for kind in KINDS]
    page = sheet(made, "Tuesday & after")
    Page(page).expect_whole()
    tasks, solutions = page.split("<h2>Solutions</h2>")
    assert "<h1>Tuesday &amp; after</h1>" in tasks
    for number, one in enumerate(made, start=1):
        assert f"<h3>{number}. {one.kind} " in tasks
        assert f"<h3>{number}. {one.answer}</h3>" in solutions
        assert one.answer not in tasks
        for sentence in one.explanation:
            assert sentence in solutions
            assert sentence not in tasks
    # A picture for every puzzle and for every solution; the area is ringed in the task.
    assert tasks.count("<svg") == solutions.count("<svg") == len(made)
    area = re.findall(r"<article.*?</article>", tasks, re.DOTALL)[KINDS.index("area")]
    assert area.count('class="ring"') == len(made[KINDS.index("area")].marked)


def test_paper_is_white_and_a4_and_fetches_nothing() -> None:
    page = sheet([puzzle("single", 1)])
    assert "@page { size: A4" in page
    assert "section + section { break-before: page" in page
    assert "prefers-color-scheme" not in page
    assert "default-src 'none'" in page
    assert not re.search(r'(src|href)="', page)
    # Single clues come without flags, so there is nothing to say of them.
    assert "Every flag is on a mine." not in page
    assert "1 puzzle. Rows" in page


def test_wide_boards_take_the_whole_width() -> None:
    page = sheet([puzzle("subsets", 1), puzzle("subsets", 1, board="expert")])
    assert page.count('<article class="wide"') == 2
    assert page.count("<article style=") == 1


def test_a_sheet_without_puzzles() -> None:
    with pytest.raises(InputError, match="at least one puzzle"):
        sheet([])
