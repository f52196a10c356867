"""The message beside the board: in view at every size, hints one after the other, and the focus that stays."""

from __future__ import annotations

import re
from typing import Any

import pytest
from driver import Driver, visiting
from playwright.sync_api import Browser, expect

from sapper.inference.posterior.exact import mine_probabilities
from sapper.rules import Rules
from sapper.world.game import Game

pytestmark = pytest.mark.browser

RULES = "16x16/40 first-opening"
DEVICES: dict[str, tuple[dict[str, Any], list[tuple[int, int]]]] = {
    "desk": ({}, [(1280, 720), (1440, 900)]),
    "touch": ({"has_touch": True, "is_mobile": True}, [(390, 844), (844, 390), (820, 1180)]),
}
COVERED = """[...document.querySelectorAll(".play .bar button")].filter((one) => {
    const box = one.getBoundingClientRect();
    const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return one.checkVisibility() && !one.contains(found);
}).map((one) => one.ariaLabel ?? one.textContent)"""
# Somebody else loses the game that is shown, and the page hears of it.
LOSE = """async () => {
    const id = sessionStorage.getItem("sapper.game");
    for (let cell = 0; cell < 256; cell += 1) {
        const options = { method: "POST", headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ action: "open", row: cell >> 4, col: cell % 14 }) };
        const answer = await (await fetch(`/api/games/${id}/moves`, options)).json();
        if (answer.over) break;
    }
    new BroadcastChannel("sapper games").postMessage(id);
}"""


def ask_for_hint(driver: Driver, rules: str) -> None:
    """Open a cell of a new board, and ask for a hint."""
    driver.visit(f"play?rules={rules.replace(' ', '+')}&seed=11")
    driver.page.evaluate("scrollTo(0, 0)")
    driver.click(7, 7)
    driver.expect_cell(7, 7, "empty")
    driver.press("h")
    expect(driver.page.locator("#hint-card .primary")).to_be_visible()


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


@pytest.mark.parametrize("device", DEVICES)
def test_messages_are_in_view_wherever_the_page_was_scrolled_and_cover_no_control(
    device: str, browser: Browser, address: str
) -> None:
    options, sizes = DEVICES[device]
    with visiting(browser, address, **options) as driver:
        page = driver.page
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            is_upright = (width, height) == (390, 844)
            ask_for_hint(driver, "24x14/60 first-opening" if is_upright else RULES)
            # A phone held upright has no room for the controls beside it: there the page scrolls.
            page.evaluate("scrollTo(0, 0)")
            assert is_upright or page.evaluate(COVERED) == [], (width, height)
            driver.press("Escape")
            expect(page.locator("#hint-card")).to_be_hidden()
            page.locator(".play form > details").evaluate("(one) => { one.open = true; }")
            page.evaluate("document.querySelector('.play .rest').scrollTo(0, 9999); scrollTo(0, 9999)")
            driver.press("h")
            expect(page.locator("#hint-card .primary")).to_be_visible()
            driver.draw()
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
            expect(page.locator("#message-card:not([hidden])")).to_contain_text("Too busy.")
            expect_in_view(driver, "#message-card")
            page.unroute("**/moves")
            page.evaluate(LOSE)
            expect(page.locator("#result-card")).to_be_visible()
            page.evaluate("document.querySelector('.play .rest').scrollTo(0, 9999); scrollTo(0, 9999)")
            driver.draw()
            expect_in_view(driver, "#result-card")
            if not is_upright:
                ask_for_hint(driver, "24x24/99 first-opening")
                page.evaluate("scrollTo(0, 0)")
                assert page.evaluate(COVERED) == [], (width, height)
        if device == "touch":
            # A phone on its side shows the whole expert board.
            page.set_viewport_size({"width": 844, "height": 390})
            driver.visit("play?rules=16x30/99&seed=7")
            driver.tap(15, 29)
            expect(driver.cell(15, 29)).not_to_have_attribute("aria-label", re.compile("hidden"))
            assert driver.board("geometry.contentWidth") <= driver.board("canvas.width")
            assert driver.board("geometry.contentHeight") <= driver.board("canvas.height")
            assert page.evaluate("document.documentElement.scrollHeight") == 390


def test_hints_name_safe_cells_one_after_the_other_and_the_focus_goes_on_at_the_cell(desk: Driver) -> None:
    game = Game(Rules.parse(RULES), 11)
    game.open(7, 7)
    safe = set(mine_probabilities(game.observation).safe)
    assert len(safe) > 3
    ask_for_hint(desk, RULES)
    card = desk.page.locator("#hint-card")
    seen: list[str] = []
    for _ in range(3):
        expect(card.locator("b")).not_to_have_text(seen[-1] if seen else "")
        seen.append(card.locator("b").inner_text())
        assert card.inner_text().count(" is safe because") == 1
        card.get_by_role("button", name="Next hint").click()
    expect(card.locator("b")).not_to_have_text(seen[-1])
    assert {tuple(int(number) for number in re.findall(r"\d+", words)) for words in seen} <= safe
    assert len(set(seen)) == 3
    desk.press_on(card.locator(".primary"))
    row, col = desk.board("grid.cursor")
    desk.press("Enter")
    expect(card).to_be_hidden()
    expect(desk.cell(row, col)).to_be_focused()
    # So does the focus of somebody who closes a card.
    desk.press_on(desk.page.locator("#hint"), "Enter")
    desk.press_on(desk.page.get_by_role("button", name="Close: Hint"), "Enter")
    expect(desk.page.locator("[role=gridcell]:focus")).to_have_count(1)
