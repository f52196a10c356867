"""The message beside the board: in view at every size, hints one after the other, and the focus that stays."""

from __future__ import annotations

import re
from typing import Any

import pytest
from driver import Driver, visiting
from effort import more
from playwright.sync_api import Browser, expect

from sapper.inference.posterior.exact import mine_probabilities
from sapper.rules import Rules
from sapper.world.game import Game

pytestmark = pytest.mark.browser

RULES = "16x16/40 first-opening"
SIZES = [(1280, 720), (390, 844), (844, 390), *more((1440, 900), (820, 1180))]


def options(width: int, height: int) -> dict[str, Any]:
    is_phone = width < 900
    return {"viewport": {"width": width, "height": height}, "has_touch": is_phone, "is_mobile": is_phone}


def expect_in_view(driver: Driver, selector: str) -> None:
    """The top of a card and its first action are on the screen, and nothing lies above them."""
    covered = driver.page.evaluate(
        """(selector) => {
            const message = document.querySelector("#message").getBoundingClientRect();
            const card = document.querySelector(selector);
            return [card, card.querySelector("button, a")].map((one) => {
                const box = one.getBoundingClientRect();
                const [x, y] = [box.left + Math.min(20, box.width / 2), box.top + Math.min(20, box.height / 2)];
                const isInside = box.top >= 0 && y < innerHeight && message.bottom <= innerHeight && message.top >= 0;
                return isInside && (one === card ? card : one).contains(document.elementFromPoint(x, y));
            });
        }""",
        selector,
    )
    assert covered == [True, True], (selector, driver.page.viewport_size)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_hint_result_and_error_are_in_view_wherever_the_page_was_scrolled(
    size: tuple[int, int], browser: Browser, address: str
) -> None:
    rules = "24x14/60 first-opening" if size == (390, 844) else RULES
    with visiting(browser, address, **options(*size)) as driver:
        page = driver.page
        driver.visit(f"play?rules={rules.replace(' ', '+')}&seed=11")
        driver.click(7, 7)
        driver.expect_cell(7, 7, "empty")
        page.get_by_text("Custom board").click()
        page.evaluate("document.querySelector('.play .rest').scrollTo(0, 9999); scrollTo(0, 9999)")
        driver.press("h")
        expect(page.locator("#hint-card .primary")).to_be_visible()
        page.wait_for_timeout(50)
        expect_in_view(driver, "#hint-card")
        page.evaluate("scrollTo(0, 0)")
        # The cell that the hint is about is not behind it, on a page that can be scrolled so.
        row, col = driver.board("grid.cursor")
        driver.press("Escape", "h")
        expect(page.locator("#hint-card .primary")).to_be_visible()
        message = page.locator("#message").bounding_box()
        assert message is not None
        driver.wait_until(
            "([row, col, x, y]) => { const place = document.querySelector('.play').board.placeOf(row, col);"
            " return place.x < x || place.y < y; }",
            [row, col, message["x"], message["y"]],
        )
        page.route("**/moves", lambda route: route.fulfill(status=429, json={"error": "Too busy."}))
        page.locator("#hint-card .primary").click()
        expect(page.locator("#message-card")).to_contain_text("Too busy.")
        expect_in_view(driver, "#message-card")
        page.unroute("**/moves")
        page.evaluate("scrollTo(0, 9999)")
        page.evaluate(
            """async () => {
                const id = localStorage.getItem("sapper.game");
                for (let cell = 0; cell < 256; cell += 1) {
                    const options = { method: "POST", headers: { "Content-Type": "application/json" },
                        body: JSON.stringify({ action: "open", row: cell >> 4, col: cell % 14 }) };
                    const answer = await (await fetch(`/api/games/${id}/moves`, options)).json();
                    if (answer.over) return;
                }
            }"""
        )
        page.reload()
        expect(page.locator("#result-card")).to_be_visible()
        page.evaluate("document.querySelector('.play .rest').scrollTo(0, 9999); scrollTo(0, 9999)")
        expect_in_view(driver, "#result-card")


COVERED = """[...document.querySelectorAll(".play .bar button")].filter((one) => {
    const box = one.getBoundingClientRect();
    const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return one.checkVisibility() && !one.contains(found);
}).map((one) => one.ariaLabel ?? one.textContent)"""


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720), (820, 1180), (844, 390)], ids=str)
def test_no_control_of_the_board_is_behind_a_message_or_out_of_sight(
    size: tuple[int, int], browser: Browser, address: str
) -> None:
    """A phone held upright has no room for that; there the message says what to do next, and the page scrolls."""
    with visiting(browser, address, **options(*size)) as driver:
        for rules in (RULES, "24x24/99 first-opening"):
            driver.visit(f"play?rules={rules.replace(' ', '+')}&seed=11")
            driver.click(7, 7)
            driver.expect_cell(7, 7, "empty")
            driver.press("h")
            expect(driver.page.locator("#hint-card .primary")).to_be_visible()
            driver.page.evaluate("scrollTo(0, 0)")
            assert driver.page.evaluate(COVERED) == []


def test_a_phone_on_its_side_shows_the_whole_expert_board(browser: Browser, address: str) -> None:
    with visiting(browser, address, **options(844, 390)) as driver:
        driver.visit("play?rules=16x30/99&seed=7")
        assert driver.board("geometry.contentWidth <= document.querySelector('.play').board.canvas.width")
        assert driver.board("geometry.contentHeight <= document.querySelector('.play').board.canvas.height")
        assert driver.page.evaluate("document.documentElement.scrollHeight") == 390
        driver.tap(15, 29)
        expect(driver.cell(15, 29)).not_to_have_attribute("aria-label", re.compile("hidden"))


def test_hints_name_safe_cells_one_after_the_other_and_say_it_once(desk: Driver) -> None:
    game = Game(Rules.parse(RULES), 11)
    game.open(7, 7)
    safe = set(mine_probabilities(game.observation).safe)
    assert len(safe) > 3
    desk.visit(f"play?rules={RULES.replace(' ', '+')}&seed=11")
    desk.click(7, 7)
    desk.expect_cell(7, 7, "empty")
    card = desk.page.locator("#hint-card")
    seen: list[str] = []
    desk.press("h")
    for _ in range(3):
        expect(card.locator("b")).not_to_have_text(seen[-1] if seen else "")
        seen.append(card.locator("b").inner_text())
        assert card.inner_text().count(" is safe") == 1
        card.get_by_role("button", name="Next hint").click()
    expect(card.locator("b")).not_to_have_text(seen[-1])
    assert {tuple(int(number) for number in re.findall(r"\d+", words)) for words in seen} <= safe
    assert len(set(seen)) == 3


def test_the_focus_goes_on_at_the_cell_that_a_hint_opened(desk: Driver) -> None:
    desk.visit(f"play?rules={RULES.replace(' ', '+')}&seed=11")
    desk.click(7, 7)
    desk.expect_cell(7, 7, "empty")
    hint = desk.page.locator("#hint")
    desk.press_on(hint, "Enter")
    act = desk.page.locator("#hint-card .primary")
    expect(act).to_be_visible()
    act.focus()
    row, col = desk.board("grid.cursor")
    desk.press("Enter")
    expect(desk.page.locator("#hint-card")).to_be_hidden()
    expect(desk.cell(row, col)).to_be_focused()
    # So does the focus of whoever closes a card.
    desk.press_on(hint, "Enter")
    desk.press_on(desk.page.get_by_role("button", name="Close: Hint"), "Enter")
    expect(desk.page.locator("[role=gridcell]:focus")).to_have_count(1)
