"""The settings: each does what it says, and is kept."""

from __future__ import annotations

import re

import pytest
from driver import Driver, hidden_of, link, mines_of, twin
from playwright.sync_api import Locator, Request, expect

pytestmark = pytest.mark.browser


def settings(driver: Driver) -> Locator:
    dialog = driver.page.get_by_role("dialog", name="Settings")
    if not dialog.is_visible():
        driver.page.get_by_role("button", name="Settings").click()
    return dialog


def turn_on(driver: Driver, label: str) -> None:
    settings(driver).get_by_label(label).check()
    driver.press("Escape")


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


def test_colours_cells_clock_and_sounds_are_as_chosen(desk: Driver) -> None:
    page = desk.page

    def looks() -> tuple[str, str]:
        return page.evaluate("getComputedStyle(document.body).backgroundColor"), desk.board("sprites.colours.open")

    page.add_init_script(LISTEN)
    desk.visit("play?rules=5x5/0")
    desk.click(2, 2)
    expect(page.locator("#result-card")).to_be_visible()
    desk.visit(link())
    light = looks()
    colours = settings(desk).get_by_label("Colours")
    colours.select_option("dark")
    dark = looks()
    assert dark[0] != light[0]
    assert dark[1] != light[1]
    desk.press("Escape")
    desk.visit("analyse")
    assert looks() == dark
    desk.visit(link())
    settings(desk)
    expect(colours).to_have_value("dark")
    colours.select_option("system")
    assert looks() == light
    page.emulate_media(color_scheme="dark")
    desk.draw()
    assert looks() == dark
    colours.select_option("light")
    assert looks() == light
    fits = desk.board("geometry.size")
    settings(desk).get_by_label("Cells").select_option("Small")
    assert desk.board("geometry.size") == 18
    desk.press("Escape")
    desk.visit("play?rules=16x30/99")
    assert desk.board("geometry.size") == 18
    desk.visit(link())
    settings(desk).get_by_label("Cells").select_option("Fit to screen")
    assert desk.board("geometry.size") == fits
    desk.press("Escape")
    clock = page.locator("#clock")
    expect(clock).to_have_text("0:00")
    turn_on(desk, "Tenths of a second")
    expect(clock).to_have_text("0:00.0")
    desk.click(0, 0)
    expect(clock).to_have_text(re.compile(r"^0:\d\d\.[1-9]$"))
    # Until now it was silent.
    assert page.evaluate("notes.length") == 0
    turn_on(desk, "Sound")
    game = twin()
    mine = mines_of(game)[0]
    heard = []
    for place, cell, button in (
        (link(), (5, 5), "right"),
        (link(), (0, 0), "left"),
        ("", mine, "left"),
        ("play?rules=5x5/0", (2, 2), "left"),
    ):
        if place:
            desk.visit(place)
        page.evaluate("notes.length = 0")
        desk.click(*cell, button=button)
        desk.wait_until("notes.length > 0")
        heard.append(str(page.evaluate("notes")))
    assert len(set(heard)) == 4


def test_a_chord_is_made_and_a_flag_comes_as_was_chosen(desk: Driver) -> None:
    game = twin()
    mines = mines_of(game)
    # A number with something to open around it.
    board = game.observation.topology
    clue, opened = next(
        (board.cell(index), board.cell(other))
        for index in range(board.n_cells)
        if game.observation.cells[board.cell(index)] > 0
        for other in board.neighbours_of(index)
        if game.observation.closed[board.cell(other)] and board.cell(other) not in mines
    )
    around = [board.cell(other) for other in board.neighbours_of(board.index(*clue)) if board.cell(other) in mines]
    mouse = desk.page.mouse
    moves: list[Request] = []
    desk.page.on("request", lambda request: moves.append(request) if request.url.endswith("/moves") else None)

    def begin(how: str) -> None:
        """A new board with the mines around the number flagged."""
        desk.visit(link())
        settings(desk).get_by_label("Chord with the mouse").select_option(how)
        desk.press("Escape")
        desk.click(0, 0)
        desk.expect_cell(0, 0, "empty")
        for cell in around:
            desk.click(*cell, button="right")
            desk.expect_cell(*cell, "flag")

    def press_both() -> None:
        mouse.move(*desk.place(*clue))
        mouse.down(button="left")
        mouse.down(button="right")
        mouse.up(button="left")
        mouse.up(button="right")

    def expect_nothing_opened() -> None:
        desk.draw()
        assert len(moves) == 1 + len(around)
        desk.expect_cell(*opened, "hidden")

    desk.visit(link())
    desk.page.evaluate("localStorage.setItem('sapper.ask', 'off')")
    for how in ("both", "click", "off"):
        begin(how)
        if how == "click":
            desk.click(*clue)
        elif how == "both":
            desk.click(*clue)
            expect_nothing_opened()
            press_both()
        else:
            press_both()
            desk.click(*clue, button="middle")
            expect_nothing_opened()
            desk.press("c")  # by name it is meant
        expect(desk.cell(*opened)).to_have_attribute("aria-label", re.compile(r": (\d|empty)$"))
        moves.clear()
    for when, words in (("press", "flag"), ("release", "hidden")):
        desk.visit(link())
        settings(desk).get_by_label("Flag with the right button").select_option(when)
        desk.press("Escape")
        mouse.move(*desk.place(3, 3))
        mouse.down(button="right")
        desk.draw()
        desk.expect_cell(3, 3, words)
        mouse.up(button="right")
        desk.expect_cell(3, 3, "flag")


def test_every_setting_says_what_it_does_and_works_by_keyboard_and_keys_can_be_limited(desk: Driver) -> None:
    desk.visit(link())
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
    desk.press_on(dialog.get_by_label("Sound"), "Space", "Escape")
    expect(button).to_be_focused()
    desk.page.reload()
    desk.page.wait_for_selector("body[data-ready]")
    expect(settings(desk).get_by_label("Sound")).to_be_checked()
    desk.press("Escape")
    chances = desk.page.locator("#chances")
    desk.press("p")
    expect(chances).to_have_attribute("aria-pressed", "true")
    desk.press("p")
    expect(chances).to_have_attribute("aria-pressed", "false")
    settings(desk).get_by_label("Single-key shortcuts everywhere").uncheck()
    desk.press("Escape")
    desk.press_on(desk.page.locator("#new"), "p", "?")
    expect(desk.page.locator("dialog[open]")).to_have_count(0)
    expect(chances).to_have_attribute("aria-pressed", "false")
    desk.press("Alt+p")
    expect(chances).to_have_attribute("aria-pressed", "true")
    desk.press_on(desk.cell(0, 0), "p")
    expect(chances).to_have_attribute("aria-pressed", "false")


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


def test_question_marks_follow_flags_survive_a_reload_and_count_as_hidden(desk: Driver) -> None:
    game = twin()
    safe = next(cell for cell in hidden_of(game) if cell not in mines_of(game))
    desk.visit(link())
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
    phone.visit(link())
    turn_on(phone, "Question marks")
    for words in ("flag", "hidden, question mark", "hidden"):
        phone.hold(3, 3)
        phone.expect_cell(3, 3, words)
    phone.page.locator("#flag-mode").tap()
    for words in ("flag", "hidden, question mark", "hidden"):
        phone.tap(3, 3)
        phone.expect_cell(3, 3, words)
