"""Boards on which the cells that touch are not those side by side: pointing at one lights up the others."""

from __future__ import annotations

import pytest
from driver import Driver
from own_boards import MIXED
from playwright.sync_api import Locator, expect

from sapper.rules import Rules

pytestmark = pytest.mark.browser


RING = "1x6/2 own:1,5/2/3/4/5"


def around(rules: str, row: int, col: int) -> tuple[int, ...]:
    board = Rules.parse(rules).topology
    return tuple(board.neighbours_of(board.index(row, col)))


def place(rules: str, mode: str = "play") -> str:
    return f"{mode}?rules={rules.replace(' ', '+')}&seed=3"


def choice(driver: Driver, label: str) -> Locator:
    """The choice with this label."""
    fields = driver.page.locator("section.mode:not([hidden]) label.field")
    return fields.filter(has=driver.page.get_by_text(label, exact=True)).locator("select")


def test_mouse_and_keyboard_light_up_what_a_cell_touches(desk: Driver) -> None:
    for rules in ("7x7/5 knight", "7x7/5 orthogonal", MIXED):
        desk.visit(place(rules))
        for cell in ((2, 3), (0, 0)):
            desk.page.mouse.move(*desk.place(*cell))
            desk.expect_lit(around(rules, *cell))
        desk.page.mouse.move(1, 1)
        desk.press_on(desk.cell(0, 0), "Control+Home", "ArrowDown", "ArrowRight")
        desk.expect_lit(around(rules, 1, 1))
        said = desk.cell(1, 1).get_attribute("aria-description")
        assert said is not None
        assert said.count("column") == len(around(rules, 1, 1))
        desk.cell(1, 1).blur()
        desk.expect_lit(())
    # A board that nobody plays on does the same.
    desk.visit(place("7x7/5 knight", "watch"))
    solved = "document.querySelector('section.watch').boards[0]"
    desk.wait_until(f"{solved}.position.rows === 7 && {solved}.isLaidOut")
    desk.draw()
    found = desk.page.evaluate(f"{solved}.placeOf(3, 3)")
    desk.page.mouse.move(found["x"], found["y"])
    desk.wait_until(
        f"(cells) => [...Array(49).keys()].filter((cell) => {solved}.neighbours.has(cell)).join() === cells",
        ",".join(map(str, sorted(around("7x7/5 knight", 3, 3)))),
    )


def test_a_finger_lights_up_what_it_touched_last(phone: Driver) -> None:
    phone.visit(place("7x7/5 knight"))
    phone.tap(3, 3)
    phone.expect_lit(around("7x7/5 knight", 3, 3))
    phone.hold(6, 6)
    phone.expect_lit(around("7x7/5 knight", 6, 6))
    phone.visit(place(RING))
    phone.tap(0, 0)
    phone.expect_lit((1, 5))


def test_liars_are_chosen_played_and_analysed(desk: Driver) -> None:
    desk.visit("play")
    desk.page.get_by_text("Custom board").click()
    form = desk.page.locator("section.mode:not([hidden]) form").first
    form.get_by_text("Advanced").click()
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
    assert desk.board("position.cells.reduce((n, code) => n + (code >= 0), 0)") == 1
    assert desk.board("position.channel") == "liar"
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
