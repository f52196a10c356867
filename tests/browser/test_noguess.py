"""Boards without guesses on the page."""

from __future__ import annotations

import numpy as np
import pytest
from driver import Driver
from playwright.sync_api import expect

from sapper.play.boards.noguess import generate_no_guess
from sapper.rules import Rules
from sapper.world.game import Game

pytestmark = pytest.mark.browser


def test_a_link_deals_the_board_that_the_library_makes(desk: Driver) -> None:
    rules = Rules.parse("9x9/14")
    game = Game(rules, 5, generate_no_guess(rules, 5, (4, 4)))
    game.open(4, 4)
    desk.visit("play?rules=9x9/14&seed=5&noguess=1")
    expect(desk.page.get_by_label("No guessing needed")).to_be_checked()
    desk.click(4, 4)
    for row, col in np.argwhere(game.observation.cells >= 0).tolist():
        clue = int(game.observation.cells[row, col])
        desk.expect_cell(row, col, "empty" if clue == 0 else str(clue))


def test_where_there_is_none_the_page_says_so(desk: Driver) -> None:
    desk.visit("play?rules=1x3/1&seed=5&noguess=1")
    desk.click(0, 1)
    expect(desk.page.locator("body")).to_contain_text("Gave up after 1,000 tries")
