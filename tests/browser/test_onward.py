"""Playing on from a position of another game, or from any position."""

from __future__ import annotations

import re

import pytest
from driver import Driver
from playwright.sync_api import expect

from sapper.play.record import Record
from sapper.play.review.review import review_record

pytestmark = pytest.mark.browser

RECORD = """Sapper-Record: 1
Rules: 6x6/6 first-opening
Seed: 5
Moves:
open 0,0
open 5,5
"""


def open_record(driver: Driver) -> None:
    driver.visit("review")
    driver.page.get_by_label("Record as text").fill(RECORD)
    driver.page.locator("#review-text").click()
    expect(driver.page.locator("#move-card")).to_be_visible()


def test_a_reviewed_game_goes_on_with_its_own_mines_and_a_position_with_any_and_back_leads_there(desk: Driver) -> None:
    record = Record.parse(RECORD)
    layout = record.final_game().layout
    assert layout is not None
    open_record(desk)
    desk.press("End")
    expect(desk.page.locator("#play-on:visible")).to_be_disabled()
    desk.press("ArrowLeft")
    with desk.page.expect_response("**/api/games/onward") as answered:
        desk.page.locator("#play-on:visible").click()
    assert "layout" not in answered.value.json()
    expect(desk.page.locator("#played-on")).to_contain_text("does not count")
    before = review_record(record).moves[1].before
    cells = ",".join(map(str, before.cells.ravel().tolist()))
    desk.wait_until("(cells) => document.querySelector('.play').board.position.cells.join() === cells", cells)
    # On the true mines: those of the record, told once the game is over.
    row, col = next(
        (row, col) for row in range(6) for col in range(6) if layout.mines[row, col] and before.closed[row, col]
    )
    desk.click(row, col)
    expect(desk.page.locator("#result-card")).to_contain_text("does not count")
    assert desk.board("truth.size") == 6
    desk.page.go_back()
    expect(desk.page.locator("#move-card")).to_contain_text("Move 2: open (5, 5)")
    # From a position, by keyboard.
    desk.visit("analyse?position=1F%23/%23%23%23+2")
    desk.press_on(desk.page.locator("#play-on:visible"), "Enter")
    desk.page.wait_for_url("**/#/play?**game=**")
    desk.expect_cell(0, 0, "1")
    desk.expect_cell(0, 1, "flag")
    expect(desk.page.locator("#mines-left")).to_have_text("1")
    desk.page.go_back()
    expect(desk.page.get_by_label("Position as text")).to_have_value("1F#/### 2")
    # Without a number of mines there is nothing to play on.
    desk.visit("analyse?position=1%23/%23%23")
    desk.page.locator("#play-on:visible").click()
    expect(desk.page.locator("#toast")).to_have_text(re.compile("Enter the number of mines first"))


def test_a_finger_plays_on_from_a_review(phone: Driver) -> None:
    open_record(phone)
    phone.page.get_by_role("button", name="First move").tap()
    phone.page.locator("#play-on:visible").tap()
    phone.page.wait_for_url("**/#/play?**")
    phone.expect_cell(5, 5, "hidden")
