"""Statistics and daily boards, by mouse and by keyboard."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from driver import Driver
from playwright.sync_api import expect

from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import HIDDEN, Observation

pytestmark = pytest.mark.browser

SURE = "1x4/0"  # one click and it is won


def win(driver: Driver) -> None:
    """Win a game that counts."""
    driver.visit(f"play?rules={SURE}")
    driver.click(0, 0)
    expect(driver.page.locator("#result-card .outcome")).to_contain_text("You won")


def state_of(driver: Driver) -> Any:
    """What the server says of the game that is shown."""
    game_id = driver.page.url.partition("game=")[2]
    return driver.page.request.get(f"{driver.address}api/games/{game_id}").json()


def test_games_without_help_add_up_in_numbers_and_words_and_can_be_taken_along_and_deleted(desk: Driver) -> None:
    page = desk.page
    desk.visit("you")
    expect(page.get_by_text("No game finished yet")).to_be_visible()
    # A game with help does not count.
    desk.visit(f"play?rules={SURE}")
    desk.press("h")
    expect(page.locator("#hint-card")).to_be_visible()
    desk.click(0, 0)
    expect(page.locator("#result-card")).to_be_visible()
    desk.visit("you")
    numbers = page.locator("#you-numbers")
    expect(page.locator("#you-assisted")).to_contain_text("1 game with help")
    expect(numbers).to_contain_text("Games0")
    win(desk)
    win(desk)
    expect(page.locator("#standing")).to_contain_text(
        "You have won 2 of 2 games on this kind of board, the last 2 in a row."
    )
    page.locator("#statistics").click()
    expect(numbers).to_contain_text("Games2")
    expect(numbers).to_contain_text("100%")
    expect(numbers).not_to_contain_text("Best time")
    expect(page.locator("#you-luck")).to_contain_text("worth of risk, and you hit 0: exactly as many as expected.")
    expect(page.locator("#you-luck")).to_contain_text("Needless risk: 0.00 mines per game.")
    expect(page.locator("#you-chart circle")).to_have_count(2)
    expect(page.locator("#you-boards tbody tr")).to_have_count(1)
    # By keyboard: another board, whose times compare.
    desk.press_on(page.locator("#you-board"), "ArrowDown")
    expect(numbers).to_contain_text("Best time")
    assert "board=1x4/0" in page.url
    desk.expect_said("4, 0 mines")
    desk.press_on(page.get_by_text("Game by game").first, "Enter")
    expect(page.get_by_role("region", name="Game by game").locator("tbody tr")).to_have_count(2)
    with page.expect_download() as downloading:
        page.locator("[data-export=json]").click()
    told = json.loads(Path(downloading.value.path()).read_text(encoding="utf-8"))
    assert {one["rules"] for one in told["results"]} == {SURE}
    desk.press_on(page.locator("#delete"), "Enter")
    # The harmless answer comes first.
    expect(page.get_by_role("button", name="Keep everything")).to_be_focused()
    desk.press("Escape")
    expect(page.locator("#delete-dialog")).to_have_count(0)
    expect(numbers).to_contain_text("Games2")
    page.locator("#delete").click()
    page.locator("#delete-confirm").click()
    expect(page.get_by_text("Everything was deleted.")).to_be_visible()
    expect(page.get_by_text("No game finished yet")).to_be_visible()
    assert page.request.get(f"{desk.address}api/games").json() == []
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('sapper.best'))") == []


def test_a_daily_board_is_solved_once(desk: Driver) -> None:
    page = desk.page
    desk.visit(f"play?rules={SURE}")
    button = page.locator(".daily [data-level=beginner]")
    expect(button).to_contain_text("not played")
    desk.press_on(button, "Enter")
    # Its clock has not started, and nothing of it is open.
    expect(page.locator("#message-card")).to_contain_text("This is your first attempt, so it counts.")
    expect(page.locator("#hint")).to_be_disabled()
    desk.click(0, 0)
    expect(page.locator("#toast")).to_contain_text("The clock starts when you open the marked cell.")
    expect(button).to_contain_text("not played")
    desk.click(4, 4)
    expect(button).to_contain_text("in progress")
    desk.wait_until("document.querySelector('section.play').board.codeAt(4, 4) === 0")
    # It is no choice of rules, and it is not left unasked.
    assert page.evaluate("localStorage.getItem('sapper.rules')") == SURE
    desk.press("n")
    expect(page.locator("#question")).to_contain_text("Leave the daily board?")
    desk.press("Escape")
    # Nor for another mode: its clock would go on.
    trains, at = page.locator(".modes [data-mode=train]"), page.url
    for answer in ("Escape", "Enter"):
        trains.click()
        expect(page.locator("#question")).to_contain_text("Leave the daily board?")
        expect(page).to_have_url(at)
        desk.press(answer)
        expect(page.locator("#question")).to_be_hidden()
    expect(page.locator("section.train")).to_be_visible()
    page.locator(".modes [data-mode=play]").click()
    expect(page).to_have_url(at)
    while not (state := state_of(desk))["over"]:
        position = Observation.parse(state["position"])
        row, col = next(cell for cell in mine_probabilities(position).safe if position.cells[cell] == HIDDEN)
        desk.click(row, col)
        desk.wait_until(f"document.querySelector('section.play').board.codeAt({row}, {col}) >= 0")
    # With all its shadows, what was painted cell by cell and what was moved looks like the whole painted at once.
    desk.wait_until("document.querySelector('section.play').board.painter.motion.isOver")
    assert page.evaluate(
        """async () => {
            const { canvas, painter } = document.querySelector("section.play").board;
            const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            await frames();
            const before = canvas.toDataURL();
            painter.redrawAll();
            await frames();
            return before === canvas.toDataURL();
        }"""
    )
    expect(page.locator("#par")).to_contain_text("par")
    expect(page.locator("#place")).to_contain_text("Your place on this server: ")
    expect(page.locator("#daily-streak")).to_have_text("Daily streak: 1 day")
    page.locator("#share-daily").click()
    expect(page.locator("#daily-line")).to_have_value(
        re.compile(
            r"^Sapper daily \d{4}-\d\d-\d\d, Beginner: solved in [\d.]+ s, 3BV/s [\d.]+\n\S+/#/play\?daily=beginner$"
        )
    )
    page.locator("#copy-daily").click()
    expect(page.locator("#toast")).to_contain_text("Copied.")
    # Light and dark of the picture are its own, and it has no cell of the board.
    assert page.locator(".result-picture").evaluate("(canvas) => canvas.toDataURL().length") > 5000
    desk.press("Escape")
    expect(button).to_contain_text("✓")
    button.click()
    expect(page.locator("#daily-counts")).to_contain_text("Practice: your first attempt took")
    page.locator("#begin-daily").click()
    expect(page.locator("#message-card")).to_be_hidden()
    assert state_of(desk)["practice"].endswith("beginner")
    desk.visit("you")
    expect(page.locator("#you-daily")).to_contain_text("Daily streak (days)1")
