"""The settings: each does what it says, and is kept."""

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
    dialog = driver.page.get_by_role("dialog", name="Settings")
    if not dialog.is_visible():
        driver.page.get_by_role("button", name="Settings").click()
    return dialog


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
    desk.press("Escape")
    expect(clock).to_have_text("0:00.0")
    desk.click(0, 0)
    expect(clock).to_have_text(re.compile(r"^0:0\d\.[1-9]$"))


def test_a_win_stays_calm_if_that_is_wanted(desk: Driver) -> None:
    desk.visit("play?rules=5x5/0")
    settings(desk).get_by_label("Animation").uncheck()
    desk.press("Escape")
    desk.click(2, 2)
    expect(desk.page.locator("#result-card")).to_contain_text("You won")
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
    desk.press("Escape")
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


def test_every_setting_says_what_it_does_and_works_by_keyboard(desk: Driver) -> None:
    desk.visit(LINK)
    button = desk.page.get_by_role("button", name="Settings")
    desk.press_on(button, "Enter")
    dialog = desk.page.get_by_role("dialog", name="Settings")
    controls = dialog.locator("select, input")
    assert controls.count() >= 11
    for control in controls.all():
        assert control.evaluate("(one) => document.getElementById(one.getAttribute('aria-describedby')).textContent")
    reached = set()
    for _ in range(controls.count()):
        desk.press("Tab")
        reached.add(desk.page.evaluate("document.activeElement.id"))
    assert len(reached) == controls.count()
    box = dialog.get_by_label("Sound")
    desk.press_on(box, "Space", "Escape")
    expect(button).to_be_focused()
    desk.page.reload()
    expect(settings(desk).get_by_label("Sound")).to_be_checked()


@pytest.mark.parametrize("when", ["press", "release"])
def test_a_flag_comes_when_the_button_goes_down_or_up(when: str, desk: Driver) -> None:
    desk.visit(LINK)
    settings(desk).get_by_label("Flag with the right button").select_option(when)
    desk.press("Escape")
    desk.page.mouse.move(*desk.place(3, 3))
    desk.page.mouse.down(button="right")
    desk.page.wait_for_timeout(150)
    desk.expect_cell(3, 3, "flag" if when == "press" else "hidden")
    desk.page.mouse.up(button="right")
    desk.expect_cell(3, 3, "flag")


def test_presets_start_with_an_opening_unless_something_else_is_chosen(desk: Driver) -> None:
    desk.visit("play")
    page = desk.page
    game = page.get_by_role("region", name="This game")
    expect(game).to_contain_text("10 mines, starts with an opening")
    expect(page.get_by_role("button", name="Beginner")).to_have_attribute("aria-pressed", "true")
    first = settings(desk).get_by_label("First click")
    # A board that is not begun follows at once.
    first.select_option("any")
    desk.press("Escape")
    expect(game).to_contain_text("first click may be a mine")
    expect(page.get_by_role("button", name="Beginner")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Intermediate").click()
    expect(game).to_contain_text("40 mines, first click may be a mine")
    # A link says it itself.
    desk.visit("play?rules=9x9/10&seed=3")
    expect(game).to_contain_text("10 mines, seed 3")
    desk.visit("play?rules=8x8/10+first-opening")
    page.get_by_role("button", name="New board").click()
    expect(game).to_contain_text("10 mines, starts with an opening")


LISTEN = """
window.notes = [];
window.AudioContext = class {
  state = "running";
  currentTime = 0;
  destination = {};
  createOscillator() {
    const frequency = {};
    return { frequency, connect: (other) => other, start: () => window.notes.push(frequency.value), stop() {} };
  }
  createGain() {
    const gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { gain, connect: (other) => other };
  }
};
"""


def test_sounds_are_made_only_on_request(desk: Driver) -> None:
    desk.page.add_init_script(LISTEN)
    desk.visit("play?rules=5x5/0")
    desk.click(2, 2)
    expect(desk.page.locator("#result-card")).to_be_visible()
    assert desk.page.evaluate("notes.length") == 0
    settings(desk).get_by_label("Sound").check()
    desk.press("Escape")
    game = Game(Rules.parse(RULES), 5)
    game.open(0, 0)
    assert game.layout is not None
    row, col = (int(at[0]) for at in game.layout.mines.nonzero())
    heard = []
    for link, cell, button in (
        (LINK, (5, 5), "right"),
        (LINK, (0, 0), "left"),
        ("", (row, col), "left"),
        ("play?rules=5x5/0", (2, 2), "left"),
    ):
        if link:
            desk.visit(link)
        desk.page.evaluate("notes.length = 0")
        desk.click(*cell, button=button)
        desk.wait_until("notes.length > 0")
        heard.append(str(desk.page.evaluate("notes")))
    assert len(set(heard)) == 4


def test_single_keys_can_be_limited_to_the_board(desk: Driver) -> None:
    desk.visit(LINK)
    chances = desk.page.locator("#chances")
    desk.press("p")
    expect(chances).to_have_attribute("aria-pressed", "true")
    desk.press("p")
    settings(desk).get_by_label("Single keys everywhere").uncheck()
    desk.press("Escape")
    desk.press_on(desk.page.locator("#new"), "p", "?")
    expect(desk.page.locator("dialog[open]")).to_have_count(0)
    expect(chances).to_have_attribute("aria-pressed", "false")
    desk.press("Alt+p")
    expect(chances).to_have_attribute("aria-pressed", "true")
    desk.press_on(desk.cell(0, 0), "p")
    expect(chances).to_have_attribute("aria-pressed", "false")


def turn_on(driver: Driver, label: str) -> None:
    settings(driver).get_by_label(label).check()
    driver.press("Escape")


def test_question_marks_follow_flags_survive_a_reload_and_count_as_hidden(desk: Driver) -> None:
    game = Game(Rules.parse(RULES), 5)
    game.open(0, 0)
    assert game.layout is not None
    safe = next(
        (row, col)
        for row in range(6)
        for col in range(6)
        if game.observation.closed[row, col] and not game.layout.mines[row, col]
    )
    desk.visit(LINK)
    desk.click(0, 0)
    desk.expect_cell(0, 0, "empty")
    turn_on(desk, "Question marks")
    desk.click(*safe, button="right")
    desk.expect_cell(*safe, "flag")
    desk.click(*safe, button="right")
    desk.expect_cell(*safe, "hidden, question mark")
    expect(desk.page.locator("#mines-left")).to_have_text("6")
    desk.page.reload()
    desk.expect_cell(*safe, "hidden, question mark")
    # By keyboard: nothing, a flag, a question mark.
    desk.board(f"grid.setCursor({safe[0]}, {safe[1]}, {{ focus: true }})")
    for words in ("hidden", "flag", "hidden, question mark"):
        desk.press("f")
        desk.expect_cell(*safe, words)
    desk.expect_said("question mark. 6 mines left.")
    desk.press("Space")
    expect(desk.cell(*safe)).to_have_attribute("aria-label", re.compile(r": (\d|empty)$"))
    desk.press("u")
    desk.expect_cell(*safe, "hidden")


def test_question_marks_by_touch(phone: Driver) -> None:
    phone.visit(LINK)
    settings(phone).get_by_label("Question marks").check()
    phone.press("Escape")
    for words in ("flag", "hidden, question mark", "hidden"):
        phone.hold(3, 3)
        phone.expect_cell(3, 3, words)
    phone.page.locator("#flag-mode").tap()
    for words in ("flag", "hidden, question mark", "hidden"):
        phone.tap(3, 3)
        phone.expect_cell(3, 3, words)
