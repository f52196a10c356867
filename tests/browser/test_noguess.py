"""Boards without guesses on the page."""

from __future__ import annotations

import numpy as np
import pytest
from driver import Driver
from playwright.sync_api import expect

from sapper.play.noguess.generate import generate_no_guess
from sapper.rules import Rules
from sapper.world.game import Game

pytestmark = pytest.mark.browser


def test_a_board_is_the_library_s_by_link_and_tick_and_where_there_is_none_the_page_says_so(desk: Driver) -> None:
    rules = Rules.parse("9x9/14")
    game = Game(rules, 5, generate_no_guess(rules, 5, (4, 4)))
    game.open(4, 4)
    desk.visit("play?rules=9x9/14&seed=5&noguess=1")
    chosen = desk.page.get_by_role("button", name="No guessing")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    desk.click(4, 4)
    for row, col in np.argwhere(game.observation.cells >= 0).tolist():
        clue = int(game.observation.cells[row, col])
        desk.expect_cell(row, col, "empty" if clue == 0 else str(clue))
    desk.visit("play?rules=1x3/1&seed=5&noguess=1")
    desk.click(0, 1)
    expect(desk.page.locator("#message-card")).to_contain_text("Gave up after 1,000 tries")
    # One click away from the presets, and a link to a running game says so.
    desk.visit("play?rules=9x9/10")
    expect(chosen).to_have_attribute("aria-pressed", "false")
    with desk.page.expect_response("**/api/games") as answered:
        chosen.click()
    assert answered.value.json()["no_guess"]
    desk.page.wait_for_url("**noguess=1**")
    desk.page.get_by_role("button", name="Share link").click()
    shared = desk.page.get_by_label("Link", exact=True).input_value()
    assert shared.endswith("#/play?rules=9x9/10&noguess=1")
    desk.press("Escape")
    with desk.page.expect_response("**/api/games") as answered:
        desk.page.get_by_role("button", name="Intermediate").click()
    said = answered.value.json()
    assert (said["rules"], said["no_guess"]) == ("16x16/40 first-opening", True)
