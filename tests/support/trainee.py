"""What somebody does who trains on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from playwright.sync_api import expect

from sapper.observation import HIDDEN
from sapper.train import Puzzle, check, read_link

if TYPE_CHECKING:
    from driver import Driver
    from playwright.sync_api import Locator


def wrong_cell(puzzle: Puzzle) -> tuple[int, int]:
    """A hidden cell that is no right answer: one that is not certain, if there is any."""
    board = puzzle.position.topology
    hidden = [cell for cell in map(board.cell, range(board.n_cells)) if puzzle.position.cells[cell] == HIDDEN]
    wrong = [cell for cell in hidden if cell not in puzzle.solution]
    return next((cell for cell in wrong if check(puzzle, cell).layouts is not None), wrong[0])


def asked(driver: Driver, link: str) -> Puzzle:
    """Follow the link to a puzzle."""
    driver.visit(f"train?puzzle={link}")
    puzzle = read_link(link)
    expect(driver.page.locator("#task")).to_have_text(puzzle.task)
    return puzzle


def verdict(driver: Driver) -> Locator:
    """What is said of an answer."""
    return driver.page.locator("#answer-card:not([hidden]) #verdict-line")


def marks(driver: Driver) -> dict[str, list[list[int]]]:
    """The marked cells of the board by the names of their marks."""
    found: Any = driver.page.evaluate(
        """() => {
            const { marks, position: { cols } } = document.querySelector("section.train").board;
            const found = {};
            for (const [index, names] of marks) {
                for (const name of names) (found[name] ??= []).push([Math.floor(index / cols), index % cols]);
            }
            return found;
        }"""
    )
    return cast("dict[str, list[list[int]]]", found)
