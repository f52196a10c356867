"""Boards on which the cells that touch are not those side by side: pointing at one lights up the others."""

from __future__ import annotations

import pytest
from driver import Driver
from playwright.sync_api import Locator, expect

from sapper.topology import Shape, topology

pytestmark = pytest.mark.browser


def lit(driver: Driver, n_cells: int) -> set[int]:
    """The cells that are lit now."""
    return {cell for cell in range(n_cells) if driver.board(f"neighbours.has({cell})")}


def around(shape: Shape, size: int, row: int, col: int) -> set[int]:
    board = topology(shape, size, size)
    return set(board.neighbours_of(board.index(row, col)))


def place(rules: str, mode: str = "play") -> str:
    return f"{mode}?rules={rules.replace(' ', '+')}&seed=3"


def choice(driver: Driver, label: str) -> Locator:
    """The choice with this label."""
    fields = driver.page.locator("section.mode:not([hidden]) label.field")
    return fields.filter(has=driver.page.get_by_text(label, exact=True)).locator("select")


@pytest.mark.parametrize("shape", ["knight", "orthogonal"])
def test_mouse_and_keyboard_light_up_what_a_cell_touches(desk: Driver, shape: Shape) -> None:
    desk.visit(place(f"7x7/5 {shape}"))
    desk.page.mouse.move(*desk.place(3, 3))
    desk.page.wait_for_timeout(120)
    assert lit(desk, 49) == around(shape, 7, 3, 3)
    desk.page.mouse.move(*desk.place(0, 0))
    desk.page.wait_for_timeout(120)
    assert lit(desk, 49) == around(shape, 7, 0, 0)
    desk.page.mouse.move(1, 1)
    desk.page.wait_for_timeout(120)
    assert lit(desk, 49) == set()
    desk.press_on(desk.cell(0, 0), "ArrowDown", "ArrowRight")
    desk.page.wait_for_timeout(120)
    assert lit(desk, 49) == around(shape, 7, 1, 1)
    said = desk.cell(1, 1).get_attribute("aria-description")
    assert said is not None
    assert said.count("column") == len(around(shape, 7, 1, 1))


def test_a_finger_lights_up_what_it_touched_last(phone: Driver) -> None:
    phone.visit(place("7x7/5 knight"))
    phone.tap(3, 3)
    phone.page.wait_for_timeout(120)
    assert lit(phone, 49) == around("knight", 7, 3, 3)
    phone.hold(6, 6)
    phone.page.wait_for_timeout(120)
    assert lit(phone, 49) == around("knight", 7, 6, 6)


def test_a_board_nobody_plays_on_lights_up_too(desk: Driver) -> None:
    desk.visit(place("7x7/5 knight", "watch"))
    solved = "document.querySelector('section.mode:not([hidden])').boards[0]"
    desk.wait_until(f"() => {solved}.position.rows === 7 && {solved}.geometry !== undefined")
    found = desk.page.evaluate(f"{solved}.placeOf(3, 3)")
    desk.page.mouse.move(found["x"], found["y"])
    desk.page.wait_for_timeout(150)
    lit_there = desk.page.evaluate(f"[...Array(49).keys()].filter((cell) => {solved}.neighbours.has(cell))")
    assert set(lit_there) == around("knight", 7, 3, 3)


def test_a_custom_board_of_liars(desk: Driver) -> None:
    desk.visit("play")
    desk.page.get_by_text("Custom board").click()
    form = desk.page.locator("section.mode:not([hidden]) form").first
    form.get_by_label("Rows", exact=True).fill("6")
    form.get_by_label("Columns", exact=True).fill("6")
    form.get_by_label("Mines", exact=True).fill("4")
    choice(desk, "Topology").select_option("knight")
    choice(desk, "Clues").select_option("liar")
    form.get_by_role("button", name="Start this board").click()
    desk.wait_until("() => location.hash.includes('liar')")
    desk.click(2, 2)
    # One cell alone: where every clue is wrong, no zero opens anything.
    desk.wait_until(
        "() => document.querySelector('section.mode:not([hidden])').board.position.cells.some((code) => code >= 0)"
    )
    cells = desk.board("position.cells.reduce((n, code) => n + (code >= 0), 0)")
    assert cells == 1
    assert desk.board("position.channel") == "liar"


def test_analyse_reads_liars_and_offers_them(desk: Driver) -> None:
    desk.visit("analyse?position=1%23/%23%23+liar")
    expect(choice(desk, "Clues")).to_have_value("liar")
    desk.wait_until("() => document.querySelector('section.mode:not([hidden])').board.chanceAt(0, 1) !== null")
    assert abs(desk.board("chanceAt(0, 1)")["p"] - 0.4) < 1e-9
    choice(desk, "Clues").select_option("exact")
    desk.wait_until(
        "() => Math.abs(document.querySelector('section.mode:not([hidden])').board.chanceAt(0, 1)?.p - 1 / 3) < 1e-9"
    )
    expect(desk.page.get_by_label("Position as text")).to_have_value("1#/##")
    choice(desk, "Clues").select_option("liar:0.3")
    expect(desk.page.get_by_label("Position as text")).to_have_value("1#/## liar:0.3")
