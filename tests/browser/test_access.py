"""Everybody can use the page: axe-core in every mode, small screens, light and dark, nothing that jumps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from driver import Driver
from playwright.sync_api import expect

from sapper.play.record import Record

pytestmark = pytest.mark.browser

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
PLACES = {
    "own": "play?rules=1x6/2+own:1,5/2/3/4/5&seed=3",
    "train": "train?puzzle=pairs.9x9.10.7",
    "watch": "watch?rules=8x8/10+first-any+survey&seed=3&agent=contradiction&versus=local",
    "analyse": "analyse",
    "review": "review",
    "you": "you",
    "lab": "lab",
    "daily": "play?daily=beginner",
    "lost": "play?rules=6x6/6+first-opening&seed=5",
    "play": "play?rules=9x9/10+first-opening&seed=3",
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
        page.locator(".play details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    elif mode == "daily":
        expect(page.locator("#begin-daily")).to_be_visible()
    elif mode == "lost":
        driver.click(0, 0)
        driver.expect_cell(0, 0, "empty")
        layout = Record.parse(RECORD).final_game().layout
        assert layout is not None
        driver.click(*np.argwhere(layout.mines)[0].tolist())
        expect(page.locator("#last-move")).to_be_visible()
    elif mode == "own":
        driver.click(0, 2)
        page.locator(".play").get_by_text("Custom board", exact=True).click()
        page.locator(".play form").get_by_text("Advanced").click()
        page.locator(".play").get_by_label("Neighbour table", exact=True).fill("0")
        expect(page.locator(".play .own-table .notice")).to_have_text("Cell 0 touches itself.")
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
        page.locator("#statistics").click()
        expect(page.locator("#you-chart circle")).to_have_count(1)
        page.locator(".you summary").click()
    elif mode == "review":
        page.get_by_label("Record as text").fill(RECORD)
        page.locator("#review-text").click()
        expect(page.locator("#move-card")).to_be_visible()


def serious(driver: Driver, place: str, **options: Any) -> list[tuple[str, list[str]]]:
    """What axe finds there that keeps somebody from using it."""
    found: list[dict[str, Any]] = driver.page.evaluate(
        "([place, options]) => axe.run(place, options).then(({ violations }) => violations)", [place, options]
    )
    return [
        (one["id"], [node["html"][:160] for node in one["nodes"]])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def expect_nothing_serious(driver: Driver, *where: str, place: str = "html") -> None:
    driver.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    assert serious(driver, place) == [], where
    # In the dark only the colours differ.
    driver.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert serious(driver, place, runOnly=["color-contrast"]) == [], (*where, "dark")


def test_axe_finds_nothing_serious_in_modes_and_dialogs_and_while_the_server_is_away(desk: Driver) -> None:
    desk.visit("play")
    desk.page.evaluate(AXE)
    for mode in PLACES:
        fill(desk, mode)
        expect_nothing_serious(desk, mode)
        assert desk.page.locator("h1").all_text_contents() == [desk.page.title().split(" · ")[0]], mode
    for opener in ("#help-button", "#settings-button"):
        desk.page.locator(opener).click()
        expect_nothing_serious(desk, opener, place="dialog[open]")
        desk.press("Escape")
        expect(desk.page.locator("dialog[open]")).to_have_count(0)
    desk.page.route("**/api/**", lambda route: route.abort())
    desk.page.locator("#undo").click()  # chances may be there already, but nobody undoes a move alone
    expect(desk.page.locator("#away")).to_be_visible()
    expect(desk.page.locator("#message-card")).to_be_visible()
    # As it looks while it tries, which it does now and then.
    desk.page.locator("#away-retry").evaluate("(one) => one.setAttribute('aria-busy', 'true')")
    expect_nothing_serious(desk, "away")
    desk.page.unroute("**/api/**")
    expect(desk.page.locator("#away")).to_be_hidden()
    # What the browser itself says about requests that nobody answers.
    desk.forgive("net::ERR_")


# Buttons, links, and what ticks a box; a link within a text is as tall as its line.
SMALL = """() => [...document.querySelectorAll("button, a[href], summary, select, .tick, .setting.ticked label")]
    .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== "inline" && !one.matches(".skip"))
    .map((one) => ({ one, box: one.getBoundingClientRect() }))
    .filter(({ box }) => box.width < 44 - 0.1 || box.height < 44 - 0.1)
    .map(({ one, box }) => `${one.ariaLabel ?? one.textContent} ${box.width} x ${box.height}`)"""


def test_fingers_have_44_pixels_everywhere_and_nothing_is_wider_than_360(phone: Driver) -> None:
    page = phone.page
    for mode in [one for one in PLACES if one != "lost"]:
        fill(phone, mode)
        assert page.evaluate("document.documentElement.scrollWidth") == 360, mode
        assert page.evaluate(SMALL) == [], mode
    for way in ("rated", "sprint", "course", "progress"):
        phone.visit(f"train?way={way}")
        assert page.evaluate(SMALL) == [], way
    for opener in ("#help-button", "#settings-button"):
        page.locator(opener).click()
        assert page.evaluate(SMALL) == [], opener
        # Nobody has keys here.
        expect(page.locator("dialog[open] kbd, dialog[open] :text('shortcuts')")).to_have_count(0)
        phone.press("Escape")


def test_nothing_jumps_the_bar_fits_at_every_width_and_the_focus_can_be_seen(desk: Driver) -> None:
    desk.visit(PLACES["play"])
    desk.page.evaluate(
        """window.shifts = 0;
        new PerformanceObserver((list) => {
            // What somebody asked for, such as a card with a hint, may come.
            for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value;
        }).observe({ type: "layout-shift", buffered: true })"""
    )
    place = desk.place(0, 0)
    desk.click(4, 4)
    desk.expect_cell(4, 4, "empty")
    desk.page.wait_for_load_state("networkidle")
    assert desk.page.evaluate("window.shifts") < 0.02
    # Cards that are asked for may come late on a busy machine; the board stays where it is.
    desk.press("p", "p", "h")
    expect(desk.page.locator("#hint-card")).to_be_visible()
    assert desk.place(0, 0) == place
    # The words name cells by row and column, so these are numbered as long as they are shown.
    stage = desk.page.locator("section.play .stage")
    expect(stage).to_have_class(re.compile(r"\bruled\b"))
    desk.press("Escape")
    expect(stage).not_to_have_class(re.compile(r"\bruled\b"))
    desk.visit("play?rules=40x50/300+first-opening&seed=1")
    grid = desk.page.get_by_role("grid", name="Minesweeper board")
    expect(grid).to_have_attribute("aria-rowcount", "40")
    expect(grid).to_have_attribute("aria-colcount", "50")
    desk.press("ArrowDown", "ArrowUp", "Control+End")
    expect(desk.cell(39, 49)).to_be_focused()
    expect(stage).to_have_class(re.compile(r"\bfocused\b"))
    # Only the neighbourhood is in the document.
    assert grid.locator("[role=gridcell]").count() < 300
    # The cell has a ring, and the board around it no frame.
    assert desk.board("grid.showsCursor(39 * 50 + 49)")
    expect(stage).to_have_css("outline-style", "none")
    desk.press("Tab")
    assert desk.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
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
