"""The settings of Play: each does what it says, and is kept."""

from __future__ import annotations

import re

import pytest
from driver import DESK, Driver, visiting
from playwright.sync_api import Browser, Locator, expect

from sapper.rules import Rules
from sapper.world.game import Game

pytestmark = pytest.mark.browser

RULES = "6x6/6 first-opening"
LINK = "play?rules=6x6/6+first-opening&seed=5"


def settings(driver: Driver) -> Locator:
    card = driver.page.get_by_role("region", name="Settings")
    card.get_by_text("Settings").click()
    return card


def test_colours_can_differ_from_those_of_the_system(browser: Browser, address: str) -> None:
    with visiting(browser, address, color_scheme="light", **DESK) as driver:
        page = driver.page

        def looks() -> tuple[str, str]:
            return (
                page.evaluate("getComputedStyle(document.body).backgroundColor"),
                driver.board("sprites.colours.open"),
            )

        driver.visit(LINK)
        light = looks()
        colours = settings(driver).get_by_label("Colours")
        colours.select_option("dark")
        dark = looks()
        assert dark[0] != light[0]
        assert dark[1] != light[1]
        driver.visit("analyse")
        assert looks() == dark
        driver.visit(LINK)
        settings(driver)
        expect(colours).to_have_value("dark")
        colours.select_option("system")
        assert looks() == light
        page.emulate_media(color_scheme="dark")
        assert looks()[0] == dark[0]
        colours.select_option("light")
        assert looks() == light


def test_cells_have_the_size_that_was_chosen(desk: Driver) -> None:
    desk.visit(LINK)
    fits = desk.board("geometry.size")
    settings(desk).get_by_label("Cells").select_option("Small")
    assert desk.board("geometry.size") == 18
    desk.visit("play?rules=16x30/99")
    assert desk.board("geometry.size") == 18
    desk.visit(LINK)
    settings(desk).get_by_label("Cells").select_option("As large as fits")
    assert desk.board("geometry.size") == fits


def test_the_clock_shows_tenths(desk: Driver) -> None:
    desk.visit(LINK)
    clock = desk.page.locator("#clock")
    expect(clock).to_have_text("0:00")
    settings(desk).get_by_label("Tenths of a second").check()
    expect(clock).to_have_text("0:00.0")
    desk.click(0, 0)
    expect(clock).to_have_text(re.compile(r"^0:0\d\.[1-9]$"))


def test_a_win_stays_calm_if_that_is_wanted(desk: Driver) -> None:
    desk.visit("play?rules=5x5/0")
    settings(desk).get_by_label("Animation").uncheck()
    desk.click(2, 2)
    expect(desk.page.locator("#result-card")).to_contain_text("Won")
    assert desk.page.locator(".stage.won").count() == 0


@pytest.mark.parametrize("how", ["both", "click", "off"])
def test_a_chord_is_made_as_was_chosen(how: str, desk: Driver) -> None:
    game = Game(Rules.parse(RULES), 5)
    game.open(0, 0)
    assert game.layout is not None
    for row, col in zip(*game.layout.mines.nonzero(), strict=True):
        game.flag(int(row), int(col))
    # A number with something to open around it.
    board = game.observation.topology
    closed = game.observation.cells == -1
    clue, opened = next(
        (board.cell(index), board.cell(other))
        for index in range(board.n_cells)
        if game.observation.cells[board.cell(index)] > 0
        for other in board.neighbours_of(index)
        if closed[board.cell(other)]
    )
    desk.visit(LINK)
    settings(desk).get_by_label("Chord with the mouse").select_option(how)
    desk.click(0, 0)
    desk.expect_cell(0, 0, "empty")
    for row, col in zip(*game.layout.mines.nonzero(), strict=True):
        desk.click(int(row), int(col), button="right")
        desk.expect_cell(int(row), int(col), "flag")

    def press_both() -> None:
        mouse = desk.page.mouse
        mouse.move(*desk.place(*clue))
        for act in (mouse.down, mouse.up):
            act()
            desk.page.wait_for_timeout(30)
        mouse.down(button="left")
        mouse.down(button="right")
        mouse.up(button="left")
        mouse.up(button="right")

    if how == "click":
        desk.click(*clue)
    elif how == "both":
        desk.click(*clue)
        desk.page.wait_for_timeout(200)
        desk.expect_cell(*opened, "hidden")
        press_both()
    else:
        press_both()
        desk.click(*clue, button="middle")
        desk.page.wait_for_timeout(200)
        desk.expect_cell(*opened, "hidden")
        desk.press("c")  # by name it is meant
    expect(desk.cell(*opened)).to_have_attribute("aria-label", re.compile(r": (\d|empty)$"))
