"""How a game ends on the page, and how the next one begins."""

from __future__ import annotations

import re

import pytest
from driver import DESK, Driver, visiting
from playwright.sync_api import Browser, expect

from sapper.observation import FLAG, Observation
from sapper.rules import Rules
from sapper.world.game import Game

pytestmark = pytest.mark.browser

RULES = "6x6/6 first-opening"
LINK = "play?rules=6x6/6+first-opening&seed=5"


def win(driver: Driver) -> Game:
    """Open every safe cell, without a flag."""
    game = Game(Rules.parse(RULES), 5)
    game.open(0, 0)
    layout = game.layout
    assert layout is not None
    driver.visit(LINK)
    driver.click(0, 0)
    driver.expect_cell(0, 0, "empty")
    for row in range(6):
        for col in range(6):
            if game.observation.closed[row, col] and not layout.mines[row, col]:
                driver.click(row, col)
                game.open(row, col)
    expect(driver.page.locator("#result-card")).to_contain_text("You won")
    return game


def test_a_win_marks_the_mines_counts_to_nought_and_stays_won(desk: Driver) -> None:
    game = win(desk)
    assert game.layout is not None
    expect(desk.page.locator("#mines-left")).to_have_text("0")
    for row, col in zip(*game.layout.mines.nonzero(), strict=True):
        desk.expect_cell(int(row), int(col), "flag on a mine")
        assert desk.board(f"codeAt({row}, {col})") == FLAG
    expect(desk.page.locator("#undo")).to_be_disabled()
    desk.press("u")
    desk.page.wait_for_timeout(150)
    expect(desk.page.locator("#result-card")).to_contain_text("3BV per second")
    # The position goes to Analyse as it stands on the board.
    desk.page.locator("#analyse-this").click()
    expect(desk.page.get_by_label("Position as text")).to_have_value(str(game.observation))


@pytest.mark.parametrize(("motion", "name"), [("no-preference", "won"), ("reduce", "none")])
def test_a_win_lights_up_unless_motion_is_unwelcome(motion: str, name: str, browser: Browser, address: str) -> None:
    with visiting(browser, address, reduced_motion=motion, **DESK) as driver:
        driver.visit("play?rules=5x5/0")
        driver.click(2, 2)
        expect(driver.page.locator("#result-card")).to_be_visible()
        script = "getComputedStyle(document.querySelector('.play .stage.won'), '::after').animationName"
        assert driver.page.evaluate(script) == name


def test_a_win_is_compared_with_those_before_it(desk: Driver) -> None:
    rules = "1x2/0 no-cascade"
    worth = desk.page.locator("#worth")
    desk.visit(f"play?rules={rules.replace(' ', '+')}")
    desk.click(0, 0)
    desk.expect_cell(0, 0, "empty")
    desk.page.wait_for_timeout(1500)
    desk.click(0, 1)
    expect(worth).to_have_text("Your first win on this kind of board!")
    desk.press("n")
    expect(desk.page.locator("#result-card")).to_be_hidden()
    desk.click(0, 0)
    desk.click(0, 1)
    expect(worth).to_have_text(re.compile(r"^New best time! The old one was \d\.\d\d s\.$"))
    expect(desk.page.locator("#standing")).to_have_text(
        "You have won 2 of 2 games on this kind of board, the last 2 in a row."
    )
    # A board that was known before is no feat; and what the browser kept before the server did counts too.
    desk.page.evaluate("localStorage.setItem('sapper.best.5x5/0', '{\"seconds\": 900}')")
    desk.visit("play?rules=5x5/0&seed=3")
    desk.click(2, 2)
    expect(worth).to_have_text("Your best time is still 900.00 s: this board was known.")


def test_a_link_to_a_running_game_without_guesses_says_so(desk: Driver) -> None:
    desk.visit("play?rules=9x9/10&noguess=1")
    desk.page.get_by_role("button", name="Share link").click()
    shared = desk.page.get_by_label("Link", exact=True).input_value()
    assert shared.endswith("#/play?rules=9x9/10&noguess=1")


def test_no_guess_is_one_click_from_the_presets(desk: Driver) -> None:
    desk.visit("play?rules=9x9/10")
    tick = desk.page.get_by_role("switch", name="No guessing needed")
    expect(tick).to_be_visible()
    with desk.page.expect_response("**/api/games") as answered:
        tick.check()
    assert answered.value.json()["no_guess"]
    with desk.page.expect_response("**/api/games") as answered:
        desk.page.get_by_role("button", name="Intermediate").click()
    said = answered.value.json()
    assert (said["rules"], said["no_guess"]) == ("16x16/40 first-opening", True)


def test_the_keys_of_watch_work_whatever_was_clicked_before(desk: Driver) -> None:
    page = desk.page
    # A long game: one that is over at once would stop by itself.
    desk.visit("watch?rules=16x30/99+survey&seed=5&agent=local")
    start = page.locator("#start")
    for clicked in ("summary >> visible=true", "section.watch .tick >> nth=0", ".modes a[data-mode=watch]"):
        page.locator(f"section.watch {clicked}" if clicked.startswith("summary") else clicked).first.click()
        desk.press("Space")
        expect(start).to_have_text("Pause")
        desk.press("Space")
        expect(start).to_have_text("Start")
    desk.press("b")
    expect(page.get_by_role("button", name="Basic: local")).to_have_attribute("aria-pressed", "true")
    # A choice by mouse gives the keys back as well.
    choice = page.get_by_label("Agent", exact=True)
    choice.dispatch_event("pointerdown")
    choice.focus()
    choice.select_option("exact")
    desk.press("a")
    expect(choice).to_have_value("contradiction")


def test_the_position_of_a_lost_game_can_be_analysed(desk: Driver) -> None:
    game = Game(Rules.parse(RULES), 5)
    game.open(0, 0)
    assert game.layout is not None
    row, col = (int(at[0]) for at in game.layout.mines.nonzero())
    game.open(row, col)
    desk.visit(LINK)
    desk.click(0, 0)
    desk.expect_cell(0, 0, "empty")
    desk.click(row, col)
    desk.page.locator("#analyse-this").click()
    shown = desk.page.get_by_label("Position as text")
    expect(shown).to_have_value(str(game.observation))
    assert Observation.parse(shown.input_value()) == game.observation


def test_a_game_under_way_is_analysed_as_help_and_back_leads_to_it(desk: Driver) -> None:
    desk.visit("play?rules=9x9/10+first-opening&seed=5")
    expect(desk.page.locator("#analyse-now")).to_be_hidden()
    desk.click(4, 4)
    desk.press_on(desk.page.locator("#analyse-now"), "Enter")
    expect(desk.page.locator(".analyse")).to_be_visible()
    expect(desk.page.get_by_text("There are safe cells")).to_be_visible()
    desk.page.go_back()
    expect(desk.page.locator(".play")).to_be_visible()
    desk.expect_cell(4, 4, "empty")
