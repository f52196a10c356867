"""Everybody can use the page: axe-core in every mode, small screens, light and dark, nothing that jumps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from driver import DESK, PHONE, Driver, visiting
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
PLACES = {
    "play": "play?rules=9x9/10+first-opening&seed=3",
    "own": "play?rules=1x6/2+own:1,5/2/3/4/5&seed=3",
    "train": "train?puzzle=pairs.9x9.10.7",
    "watch": "watch?rules=8x8/10+first-any+survey&seed=3&agent=contradiction&versus=local",
    "analyse": "analyse",
    "review": "review",
    "you": "you",
    "lab": "lab",
}
RECORD = "Sapper-Record: 1\nRules: 6x6/6 first-opening\nSeed: 5\nMoves:\nopen 0,0\nopen 5,5\n"


def fill(driver: Driver, mode: str) -> None:
    """Bring a mode to where there is something to see."""
    driver.visit(PLACES[mode])
    page = driver.page
    if mode == "play":
        driver.click(4, 4)
        driver.press("h")
        expect(page.locator("#hint-card")).to_be_visible()
        for summary in page.locator(".play summary").all():
            summary.click()
    elif mode == "own":
        driver.click(0, 2)
        page.get_by_text("Custom board").click()
        page.get_by_label("Table of neighbours", exact=True).fill("0")
        expect(page.locator(".own-table .notice")).to_have_text("Cell 0 touches itself.")
    elif mode == "train":
        driver.press("h")
        expect(page.locator("#hint-line")).to_be_visible()
        driver.click(0, 0)
        page.locator("#why-not summary").click()
        page.locator("#step-on").click()
        expect(page.locator(".two-layouts figure")).to_have_count(2)
    elif mode == "watch":
        driver.press("s")
        expect(page.locator(".log li")).to_have_count(2)
    elif mode == "analyse":
        page.locator("#best-cell").click()
        expect(page.locator("#best")).to_be_visible()
        page.locator("#verdict .chances button").first.click()
        expect(page.locator("#proof")).to_be_visible()
    elif mode == "you":
        driver.visit("play?rules=1x4/0")
        driver.click(0, 0)
        driver.page.locator("#statistics").click()
        expect(page.locator("#you-chart circle")).to_have_count(1)
        page.locator(".you summary").click()
    elif mode == "review":
        page.get_by_label("Record as text").fill(RECORD)
        page.locator("#review-text").click()
        expect(page.locator("#move-card")).to_be_visible()


def serious(driver: Driver, place: str = "html") -> list[tuple[str, list[str]]]:
    """What axe finds there that keeps somebody from using it."""
    found: list[dict[str, Any]] = driver.page.evaluate(
        "(place) => axe.run(place).then(({ violations }) => violations)", place
    )
    return [
        (one["id"], [node["html"][:160] for node in one["nodes"]])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("mode", PLACES)
def test_axe_finds_nothing_serious(browser: Browser, address: str, mode: str) -> None:
    with visiting(browser, address, color_scheme="light", **DESK) as driver:
        fill(driver, mode)
        driver.page.evaluate(AXE)
        for scheme in ("light", "dark"):
            driver.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert serious(driver) == [], scheme
            if mode != "play":
                continue
            for opener in ("#help-button", "#settings-button"):
                driver.page.locator(opener).click()
                assert serious(driver, "dialog[open]") == [], (opener, scheme)
                driver.press("Escape")


def test_axe_finds_nothing_serious_while_the_server_is_away(browser: Browser, address: str) -> None:
    with visiting(browser, address, color_scheme="light", **DESK) as driver:
        fill(driver, "play")
        driver.page.evaluate(AXE)
        driver.page.route("**/api/**", lambda route: route.abort())
        driver.press("u")  # chances may be there already, but nobody undoes a move alone
        expect(driver.page.locator("#away")).to_be_visible()
        expect(driver.page.locator("#message-card")).to_be_visible()
        for scheme in ("light", "dark"):
            driver.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            # As it looks while it tries, which it does now and then.
            driver.page.locator("#away-retry").evaluate("(one) => one.setAttribute('aria-busy', 'true')")
            assert serious(driver) == [], scheme
        driver.page.unroute("**/api/**")
        expect(driver.page.locator("#away")).to_be_hidden()
        # What the browser itself says about requests that nobody answers.
        driver.forgive("net::ERR_")


def test_nothing_is_wider_than_360_pixels(browser: Browser, address: str) -> None:
    with visiting(browser, address, **PHONE) as driver:
        for mode in PLACES:
            fill(driver, mode)
            assert driver.page.evaluate("document.documentElement.scrollWidth") == 360, mode
            # Fingers need room.
            small = driver.page.evaluate(
                """[...document.querySelectorAll("section.mode:not([hidden]) button")]
                    .filter((one) => one.offsetParent && (one.offsetHeight < 34 || one.offsetWidth < 34))
                    .map((one) => one.textContent)"""
            )
            assert small == [], mode


def test_the_bar_at_the_top_has_room_for_everything_at_every_width(desk: Driver) -> None:
    desk.visit(PLACES["play"])
    for width in (360, 390, 641, 700, 720, 781, 820, 844, 901, 941, 961, 1061, 1280):
        desk.page.set_viewport_size({"width": width, "height": 800})
        overlaps = desk.page.evaluate(
            """() => {
                const meet = (one, two) => one.left < two.right && two.left < one.right
                    && one.top < two.bottom && two.top < one.bottom;
                const boxes = [...document.querySelectorAll(".top a, .top button")]
                    .map((one) => one.getBoundingClientRect());
                return boxes.filter((box, at) => box.left < 0 || box.right > innerWidth
                    || boxes.slice(at + 1).some((other) => meet(box, other))).length;
            }"""
        )
        assert overlaps == 0, width


def test_nothing_jumps_while_playing(browser: Browser, address: str) -> None:
    with visiting(browser, address, **DESK) as driver:
        driver.visit(PLACES["play"])
        driver.page.evaluate(
            """window.shifts = 0;
            new PerformanceObserver((list) => {
                // What somebody asked for, such as a card with a hint, may come.
                for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value;
            }).observe({ type: "layout-shift", buffered: true })"""
        )
        place = driver.place(0, 0)
        driver.click(4, 4)
        driver.expect_cell(4, 4, "empty")
        driver.page.wait_for_timeout(700)
        assert driver.page.evaluate("window.shifts") < 0.02
        # Cards that are asked for may come late on a busy machine; the board stays where it is.
        driver.press("p", "p", "h")
        expect(driver.page.locator("#hint-card")).to_be_visible()
        assert driver.place(0, 0) == place


def test_the_dark_setting_changes_page_and_board(browser: Browser, address: str) -> None:
    looks = []
    for scheme in ("light", "dark"):
        with visiting(browser, address, color_scheme=scheme, **DESK) as driver:
            driver.visit(PLACES["play"])
            page_colour = driver.page.evaluate("getComputedStyle(document.body).backgroundColor")
            open_colour = driver.board("sprites.colours.open")
            looks.append((page_colour, open_colour))
    assert looks[0][0] != looks[1][0]
    assert looks[0][1] != looks[1][1]


def test_the_focus_can_be_seen_and_the_grid_says_where_it_is(browser: Browser, address: str) -> None:
    with visiting(browser, address, **DESK) as driver:
        driver.visit("play?rules=40x50/300+first-opening&seed=1")
        grid = driver.page.get_by_role("grid", name="Minesweeper board")
        expect(grid).to_have_attribute("aria-rowcount", "40")
        expect(grid).to_have_attribute("aria-colcount", "50")
        driver.press("ArrowDown", "ArrowUp", "Control+End")
        expect(driver.cell(39, 49)).to_be_focused()
        expect(driver.page.locator("section.play .stage")).to_have_class(re.compile(r"\bfocused\b"))
        # Only the neighbourhood is in the document.
        assert grid.locator("[role=gridcell]").count() < 300
        outline = driver.page.evaluate("getComputedStyle(document.querySelector('.play .stage')).outlineWidth")
        assert outline == "3px"
        driver.press("Tab")
        focused = driver.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert focused == "solid"
