"""Rows and columns: rulers along the board, and cells that a text names."""

from __future__ import annotations

import pytest
from driver import Driver
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

# A 1 in the corner with one hidden neighbour: (0, 1) is a mine, and (0, 2) follows.
POSITION = "analyse?position=1%23%23/11%23/00%23+1"
ROOM = "(board) => board.scroller.getBoundingClientRect().top - board.stage.getBoundingClientRect().top"
INK = """(board) => {
  const { rows } = board.rulers;
  const { data } = rows.getContext("2d").getImageData(0, 0, rows.width, rows.height);
  return data.reduce((sum, value, at) => sum + (at % 4 === 3 ? value * (at % 97) : 0), 0);
}"""
BOARD = "document.querySelector('section.mode:not([hidden])').board"


def ask(driver: Driver, function: str) -> float:
    return float(driver.page.evaluate(f"({function})({BOARD})"))


def test_a_key_numbers_rows_and_columns_in_every_mode_and_it_is_remembered(desk: Driver) -> None:
    for place in (POSITION, "play?rules=9x9/10", "review"):
        desk.visit(place)
        if place == "review":
            desk.page.locator("#review-example").click()
            expect(desk.page.locator("#move-card")).to_be_visible()
        room = ask(desk, ROOM)
        desk.press("g")
        desk.wait_until(f"{BOARD}.stage.classList.contains('ruled')")
        # Play has room for them: a hint shows them for a while, and nothing may jump.
        assert ask(desk, ROOM) == room + (0 if place.startswith("play") else 18)
        desk.expect_said("Row and column numbers shown.")
        if place != "review":
            desk.press("g")
            desk.wait_until(f"!{BOARD}.stage.classList.contains('ruled')")
    desk.load("watch")
    ruler = desk.page.locator(".pane:not([hidden]) figure:not([hidden]) .ruler").first
    expect(ruler).to_be_visible()
    expect(desk.page.locator(".watch .ruling")).to_have_attribute("aria-pressed", "true")
    desk.page.locator(".watch .ruling").click()
    expect(ruler).to_be_hidden()


def test_rulers_go_along_with_a_large_board_and_a_cell_that_a_proof_names_is_shown(desk: Driver) -> None:
    desk.visit("play?rules=100x100/1500&seed=3")
    desk.press("g")
    desk.wait_until(f"{BOARD}.rulers.rows.width > 1 && ({INK})({BOARD}) > 0")
    desk.draw()
    before = ask(desk, INK)
    ruler = desk.page.locator(".play .ruler").first
    place = ruler.bounding_box()
    desk.board("scroller.scrollTo(0, 900)")
    desk.wait_until(f"![0, {before}].includes(({INK})({BOARD}))")
    assert ruler.bounding_box() == place
    # A click still opens the cell that it points at.
    desk.click(60, 5)
    desk.wait_until(f"{BOARD}.codeAt(60, 5) !== -1")
    # By mouse and keyboard.
    desk.visit(POSITION)
    desk.page.locator("#verdict .chances button").first.click()
    names = desk.page.locator("#proof .cell-name")
    expect(names.first).to_be_visible()
    row, col = (int(part) for part in (names.last.text_content() or "").strip("()").split(", "))
    names.last.hover()
    desk.wait_until(f"{BOARD}.pointed === {row * 3 + col}")
    desk.page.mouse.move(5, 5)
    desk.wait_until(f"{BOARD}.pointed === -1")
    names.last.focus()
    desk.wait_until(f"{BOARD}.pointed === {row * 3 + col}")
    # Space on a name is for the name alone: it explains or paints nothing.
    desk.press("Space")
    desk.wait_until(f"{BOARD}.pointed === {row * 3 + col}")
    desk.press("Escape")
    desk.wait_until(f"{BOARD}.pointed === -1")


def test_on_a_phone_a_setting_shows_rulers_and_a_finger_the_cell_of_a_hint(phone: Driver) -> None:
    phone.visit("play?rules=9x9/10+first-opening&seed=3")
    phone.page.locator("#settings-button").tap()
    phone.page.get_by_label("Rows and columns").tap()
    phone.press("Escape")
    expect(phone.page.locator(".play .ruler").first).to_be_visible()
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.tap(4, 4)
    phone.wait_until(f"{BOARD}.codeAt(4, 4) !== -1")
    phone.page.locator("#hint").tap()
    phone.page.locator("#hint-card .cell-name").first.tap()
    phone.wait_until(f"{BOARD}.pointed >= 0")
    # It names a cell, and opens none.
    expect(phone.page.locator("#hint-card")).to_be_visible()
