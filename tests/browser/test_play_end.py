"""How a game ends on the page, and how the next one begins."""

from __future__ import annotations

import numpy as np
import pytest
from driver import Driver
from playwright.sync_api import expect

from sapper.observation import FLAG
from sapper.rules import Rules
from sapper.world.game import Game

pytestmark = pytest.mark.browser

RULES = "6x6/6 first-opening"
LINK = "play?rules=6x6/6+first-opening&seed=5"


def win(driver: Driver) -> Game:
    """Open every safe cell, without a flag."""
    game = Game(Rules.parse(RULES), 5)
    game.open(0, 0)
    layout = game.layout
    assert layout is not None
    driver.visit(LINK)
    driver.click(0, 0)
    driver.expect_cell(0, 0, "empty")
    for row in range(6):
        for col in range(6):
            if game.observation.closed[row, col] and not layout.mines[row, col]:
                driver.click(row, col)
                game.open(row, col)
    expect(driver.page.locator("#result-card")).to_contain_text("You won")
    return game


def test_a_win_marks_the_mines_and_stays_won_and_any_game_is_analysed_as_it_stands(desk: Driver) -> None:
    game = win(desk)
    assert game.layout is not None
    expect(desk.page.locator("#mines-left")).to_have_text("0")
    for row, col in zip(*game.layout.mines.nonzero(), strict=True):
        desk.expect_cell(int(row), int(col), "flag on a mine")
        assert desk.board(f"codeAt({row}, {col})") == FLAG
    expect(desk.page.locator("#undo")).to_be_disabled()
    desk.press("u")
    expect(desk.page.locator("#result-card")).to_contain_text("3BV per second")
    shown = desk.page.get_by_label("Position as text")
    desk.page.locator("#analyse-this").click()
    expect(shown).to_have_value(str(game.observation))
    # A lost game.
    game = Game(Rules.parse(RULES), 5)
    game.open(0, 0)
    assert game.layout is not None
    row, col = np.argwhere(game.layout.mines)[0].tolist()
    game.open(row, col)
    desk.visit(LINK)
    desk.click(0, 0)
    desk.expect_cell(0, 0, "empty")
    desk.click(row, col)
    desk.expect_cell(row, col, "exploded mine")
    desk.page.locator("#analyse-this").click()
    expect(shown).to_have_value(str(game.observation))
    # A game under way: that is help, and back leads to it.
    desk.visit("play?rules=9x9/10+first-opening&seed=5")
    expect(desk.page.locator("#analyse-now")).to_be_hidden()
    desk.click(4, 4)
    desk.press_on(desk.page.locator("#analyse-now"), "Enter")
    expect(desk.page.locator(".analyse")).to_be_visible()
    expect(desk.page.get_by_text("Safe cells exist")).to_be_visible()
    desk.page.go_back()
    expect(desk.page.locator(".play")).to_be_visible()
    desk.expect_cell(4, 4, "empty")


def test_a_win_lights_up_unless_motion_is_unwelcome_and_is_compared_with_those_before_it(desk: Driver) -> None:
    worth = desk.page.locator("#worth")
    desk.visit("play?rules=4x4/0")
    desk.click(2, 2)
    expect(worth).to_have_text("Your first win on this kind of board!")
    # What the browser kept before the server did counts too.
    desk.page.evaluate("localStorage.setItem('sapper.best.5x4/0', '{\"seconds\": 900}')")
    desk.visit("play?rules=5x4/0")
    desk.click(2, 2)
    expect(worth).to_have_text("New best time! The old one was 900.00 s.")
    for motion, name in (("no-preference", "won"), ("reduce", "none")):
        desk.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        script = "getComputedStyle(document.querySelector('.play .stage.won'), '::after').animationName"
        assert desk.page.evaluate(script) == name
    # A board that was known before is no feat, and nothing lights up where no animation is wanted.
    desk.page.get_by_role("button", name="Settings").click()
    desk.page.get_by_label("Animation").uncheck()
    desk.press("Escape")
    desk.page.evaluate("localStorage.setItem('sapper.best.5x5/0', '{\"seconds\": 900}')")
    desk.visit("play?rules=5x5/0&seed=3")
    desk.click(2, 2)
    expect(worth).to_have_text("Your best time is still 900.00 s: you could have seen this board before.")
    expect(desk.page.locator(".stage.won")).to_have_count(0)
