"""Nothing is lost unasked, and two tabs do not get in each other's way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from driver import Driver, link
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

FLAGS = [(5, 5), (4, 4), (5, 4)]


def begin(driver: Driver) -> None:
    """Play a few moves."""
    driver.visit(link())
    driver.click(0, 0)
    driver.expect_cell(0, 0, "empty")
    for cell in FLAGS:
        driver.click(*cell, button="right")
        driver.expect_cell(*cell, "flag")
    expect(driver.page.locator("#mines-left")).to_have_text("3")
    driver.wait_until("fetch('/api/games').then((answer) => answer.json()).then(([game]) => game.moves === 4)")


def follow_link(driver: Driver) -> None:
    """Go to another game, which may be asked about first."""
    driver.page.evaluate("location.hash = '#/play?rules=9x9/10&seed=3'")


WAYS: tuple[Callable[[Driver], None], ...] = (
    lambda driver: driver.press("n"),
    lambda driver: driver.page.locator("#new").click(),
    lambda driver: driver.page.get_by_role("button", name="Beginner").click(),
    follow_link,
)


def test_a_game_under_way_is_not_left_unasked(desk: Driver) -> None:
    question = desk.page.get_by_role("alertdialog")
    for leave in WAYS:
        begin(desk)
        address = desk.page.url
        leave(desk)
        expect(question).to_contain_text("Leave this game?")
        expect(desk.page.locator("#confirm")).to_be_focused()
        desk.press("Escape")
        expect(question).to_be_hidden()
        assert desk.page.evaluate("document.activeElement !== document.body")
        desk.expect_cell(0, 0, "empty")
        assert desk.page.url == address
        expect(desk.page.get_by_label("Rows", exact=True)).to_have_value("6")
        leave(desk)
        expect(question).to_be_visible()
        desk.press("Enter")
        expect(question).to_be_hidden()
        desk.expect_cell(0, 0, "hidden")
        expect(desk.page.locator("[role=gridcell]:focus")).to_have_count(1)
        # Begun anew, there is nothing to lose.
        desk.click(0, 0)
        desk.press("n")
        expect(question).to_be_hidden()
        desk.expect_cell(0, 0, "hidden")
    # Going on with the game is an answer, too; and the question can be switched off.
    begin(desk)
    desk.press("n")
    expect(question).to_be_visible()
    desk.click(*FLAGS[0], button="right")
    expect(question).to_be_hidden()
    desk.expect_cell(0, 0, "empty")
    desk.page.evaluate("localStorage.setItem('sapper.ask', 'off')")
    desk.press("n")
    desk.expect_cell(0, 0, "hidden")
    expect(question).to_be_hidden()


def test_on_a_phone_the_question_is_answered_by_touch(phone: Driver) -> None:
    phone.visit(link())
    phone.tap(0, 0)
    phone.expect_cell(0, 0, "empty")
    for cell in FLAGS:
        phone.hold(*cell)
        phone.expect_cell(*cell, "flag")
    phone.page.locator("#new").tap()
    phone.page.get_by_role("button", name="Keep playing").tap()
    phone.expect_cell(0, 0, "empty")
    phone.page.locator("#new").tap()
    phone.page.get_by_role("button", name="Leave").tap()
    phone.expect_cell(0, 0, "hidden")


def second_tab(driver: Driver, place: str) -> Driver:
    other = Driver(driver.page.context.new_page(), driver.address)
    other.visit(place)
    return other


def test_each_tab_keeps_its_own_game_and_one_in_two_tabs_stays_in_step(desk: Driver) -> None:
    desk.visit(link())
    other = second_tab(desk, "play?rules=8x8/10&seed=2")
    # Loaded again without a game in the address, as from a bookmark.
    for driver, rows in ((other, "8"), (desk, "6")):
        driver.load("play")
        expect(driver.page.get_by_role("grid")).to_have_attribute("aria-rowcount", rows)
    # A new tab begins with what was played last.
    new = second_tab(desk, "play")
    expect(new.page.get_by_role("grid")).to_have_attribute("aria-rowcount", "6")
    desk.click(0, 0)
    new.expect_cell(0, 0, "empty")
    new.click(5, 5, button="right")
    desk.expect_cell(5, 5, "flag")
    desk.press("u")
    new.expect_cell(5, 5, "hidden")
    assert other.faults == new.faults == []


def play_elsewhere(page: Page, action: str, row: int, col: int) -> Any:
    """A move in the same game from another device: no tab hears of it."""
    return page.evaluate(
        """async ([action, row, col]) => {
            const id = sessionStorage.getItem("sapper.game");
            const options = { method: "POST", headers: { "Content-Type": "application/json" },
                body: JSON.stringify({ action, row, col }) };
            return (await fetch(`/api/games/${id}/moves`, options)).json();
        }""",
        [action, row, col],
    )


def test_moves_from_elsewhere_are_seen_and_one_that_was_refused_is_not_shown_as_made(desk: Driver) -> None:
    toast = desk.page.locator("#toast")
    desk.visit(link())
    desk.click(0, 0)
    desk.expect_cell(0, 0, "empty")
    play_elsewhere(desk.page, "flag", 5, 5)
    desk.click(4, 4, button="right")  # the next move
    desk.expect_cell(5, 5, "flag")
    play_elsewhere(desk.page, "flag", 5, 4)
    desk.wait_until("() => performance.now() > 1000")  # before that, what is shown has just come from the server
    desk.page.evaluate("window.dispatchEvent(new Event('focus'))")  # the next look
    desk.expect_cell(5, 4, "flag")
    expect(toast).to_contain_text("This game was continued elsewhere.")
    toast.evaluate("(toast) => toast.replaceChildren()")
    play_elsewhere(desk.page, "flag", 5, 3)
    refusal = {"error": "The game has changed. Reload it and try again."}
    desk.page.route("**/moves", lambda route: route.fulfill(status=409, json=refusal))
    desk.click(4, 3, button="right")
    desk.expect_cell(5, 3, "flag")
    desk.expect_cell(4, 3, "hidden")
    expect(toast).to_contain_text("This game was continued elsewhere.")
    expect(desk.page.locator("#message-card")).to_be_hidden()
