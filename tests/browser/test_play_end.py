"""How a game ends on the page, and how the next one begins."""

from __future__ import annotations

import re

import pytest
from driver import Driver, hidden_of, link, mines_of, twin
from playwright.sync_api import expect

from sapper.observation import FLAG
from sapper.play.record import Move, Record
from sapper.rules import Rules
from sapper.web.jobs.review import last_move
from sapper.world.game import Game
from sapper.world.generation import generate_layout

pytestmark = pytest.mark.browser


def win(driver: Driver) -> Game:
    """Open every safe cell, without a flag."""
    game = twin()
    driver.visit(link())
    driver.click(0, 0)
    driver.expect_cell(0, 0, "empty")
    for cell in hidden_of(game):
        if game.observation.closed[cell] and cell not in mines_of(game):
            driver.click(*cell)
            game.open(*cell)
    expect(driver.page.locator("#result-card")).to_contain_text("You won")
    return game


def test_a_win_marks_the_mines_and_stays_won_and_any_game_is_analysed_as_it_stands(desk: Driver) -> None:
    game = win(desk)
    expect(desk.page.locator("#mines-left")).to_have_text("0")
    for row, col in mines_of(game):
        desk.expect_cell(row, col, "flag on a mine")
        assert desk.board(f"codeAt({row}, {col})") == FLAG
    expect(desk.page.locator("#undo")).to_be_disabled()
    desk.press("u")
    expect(desk.page.locator("#result-card")).to_contain_text("3BV per second")
    shown = desk.page.get_by_label("Position as text")
    desk.page.locator("#analyse-this").click()
    expect(shown).to_have_value(str(game.observation))
    # A lost game.
    game = twin()
    row, col = mines_of(game)[0]
    game.open(row, col)
    desk.visit(link())
    desk.click(0, 0)
    desk.expect_cell(0, 0, "empty")
    desk.click(row, col)
    desk.expect_cell(row, col, "exploded mine")
    desk.page.locator("#analyse-this").click()
    expect(shown).to_have_value(str(game.observation))
    # A game under way: that is help, and back leads to it.
    desk.visit("play?rules=9x9/10+first-opening&seed=5")
    expect(desk.page.locator("#analyse-now")).to_be_hidden()
    desk.click(4, 4)
    desk.press_on(desk.page.locator("#analyse-now"), "Enter")
    expect(desk.page.locator(".analyse")).to_be_visible()
    expect(desk.page.get_by_text("Safe cells exist")).to_be_visible()
    desk.page.go_back()
    expect(desk.page.locator(".play")).to_be_visible()
    desk.expect_cell(4, 4, "empty")


def test_a_win_lights_up_unless_motion_is_unwelcome_and_is_compared_with_those_before_it(desk: Driver) -> None:
    worth = desk.page.locator("#worth")
    desk.visit("play?rules=4x4/0")
    desk.click(2, 2)
    expect(worth).to_have_text("Your first win on this kind of board!")
    # What the browser kept before the server did counts too.
    desk.page.evaluate("localStorage.setItem('sapper.best.5x4/0', '{\"seconds\": 900}')")
    desk.visit("play?rules=5x4/0")
    desk.click(2, 2)
    expect(worth).to_have_text("New best time! The old one was 900.00 s.")
    for motion, name in (("no-preference", "won"), ("reduce", "none")):
        desk.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        script = "getComputedStyle(document.querySelector('.play .stage.won > .tray')).animationName"
        assert desk.page.evaluate(script) == name
    # A board that was known before is no feat, and nothing lights up where no animation is wanted.
    desk.page.get_by_role("button", name="Settings").click()
    desk.page.get_by_label("Animation").uncheck()
    desk.press("Escape")
    desk.page.evaluate("localStorage.setItem('sapper.best.5x5/0', '{\"seconds\": 900}')")
    desk.visit("play?rules=5x5/0&seed=3")
    desk.click(2, 2)
    expect(worth).to_have_text("Your best time is still 900.00 s: you could have seen this board before.")
    expect(desk.page.locator(".stage.won")).to_have_count(0)


def test_a_lost_game_says_what_was_overlooked_and_its_position_can_be_tried_again(desk: Driver) -> None:
    game = twin()
    before = game.observation
    row, col = mines_of(game)[0]
    game.open(row, col)
    proof = last_move(str(Record.of(game, (Move("open", 0, 0), Move("open", row, col)))))["proof"]
    assert isinstance(proof, dict)
    desk.visit(link())
    desk.click(0, 0)
    desk.expect_cell(0, 0, "empty")
    desk.click(row, col)
    verdict = desk.page.locator("#last-move")
    what = "safe" if proof["verdict"] == "safe" else "certainly a mine"
    said = f"Your mistake: {tuple(proof['cell'])} was {what} because of {proof['because']}."
    expect(verdict).to_have_text(said)
    marked = f"marks.get({proof['cell'][0] * 6 + proof['cell'][1]})?.join()"
    assert desk.board(marked) == proof["verdict"]
    clue = proof["clues"][0]
    assert desk.board(f"marks.get({clue[0] * 6 + clue[1]})?.join()") == "clue"
    # The figures are folded.
    expect(desk.page.locator("#figures dl")).to_be_hidden()
    desk.page.locator("#figures summary").click()
    expect(desk.page.locator("#figures dl")).to_contain_text("Islands")
    # The position before that move, in a game that begins there and counts for nothing.
    desk.page.locator("#try-again").click()
    expect(desk.page.locator("#played-on")).to_be_visible()
    expect(desk.page.locator("#result-card")).to_be_hidden()
    cells = ",".join(map(str, before.cells.ravel().tolist()))
    desk.wait_until("(cells) => document.querySelector('.play').board.position.cells.join() === cells", cells)
    assert desk.board("marks.size") == 0
    expect(desk.page.locator("#undo")).to_be_disabled()
    desk.click(row, col)
    expect(verdict).to_have_text(said)
    desk.page.locator("#review-this").click()
    expect(desk.page.locator("#move-card")).to_contain_text(f"Move 1: open ({row}, {col})")
    expect(desk.page.locator("[data-at]")).to_have_count(1)


def test_bad_luck_is_called_so(phone: Driver) -> None:
    rules = Rules.parse("1x3/1 first-any")
    seed, mine = next(
        (seed, (0, col)) for seed in range(20) for col in (0, 2) if generate_layout(rules, seed, (0, col)).mines[0, col]
    )
    phone.visit(f"play?rules=1x3/1+first-any&seed={seed}")
    phone.tap(*mine)
    expect(phone.page.locator("#last-move")).to_have_text("Unlucky: no cell was safer than this one, 67% safe.")
    assert phone.board("marks.size") == 0


def test_a_guess_is_hinted_at_with_the_best_cell_and_the_safest(desk: Driver) -> None:
    desk.visit("analyse?position=0001F%23/00012%23/11001%23/F2112%23/%23%23%23%23%23%23/%23%23%23%23%23%23+7")
    desk.press_on(desk.page.locator("#play-on:visible"), "Enter")
    desk.page.wait_for_url("**/#/play?**game=**")
    desk.expect_cell(3, 0, "flag")
    desk.page.locator("#hint").click()
    card = desk.page.locator("#hint-card")
    expect(card).to_contain_text(
        "Best guess: (0, 5), with a risk of 24.0%. Win chance 69.3%. Safest: (1, 5), risk 16.0%."
    )
    # The flags are on certain mines, which are no candidates.
    expect(card.locator(".chances")).to_contain_text("(1, 5)16%")
    expect(card.locator(".chances")).not_to_contain_text(re.compile(r"99|100|\(0, 4\)|\(3, 0\)"))
