"""Puzzles on the page: asked, answered and explained, by mouse, by keyboard and by touch."""

from __future__ import annotations

import re

import pytest
from driver import Driver
from playwright.sync_api import expect
from trainee import asked, marks, verdict, wrong_cell

from sapper.observation import FLAG
from sapper.train import check, read_link

pytestmark = pytest.mark.browser

PAIRS = "pairs.9x9.10.7"
CASES = "cases.9x9.10.5"
GUESS = "guess.9x9.10.5"
AREA = "area.9x9.10.5"
CHAIN = "chain.9x9.10.5"
FLAGGED = "single.1_-11"  # nothing is safe, and one cell is a mine


# -- by mouse -------------------------------------------------------------------------------------------------


def test_a_right_answer_is_proved_step_by_step(desk: Driver) -> None:
    puzzle = asked(desk, CASES)
    assert puzzle.proof is not None
    cell = puzzle.solution[0]
    desk.click(*cell)
    expect(verdict(desk)).to_contain_text("Right.")
    expect(desk.page.locator("#rating-line")).to_contain_text(re.compile(r"Your rating so far is \d+ ± \d+\."))
    expect(desk.page.locator(".way-status")).to_have_text(re.compile(r"Rating \d+ ± \d+"))
    # At first all clues of the proof are lit up, and nothing is said of the steps.
    assert sorted(marks(desk)["clue"]) == sorted(list(clue) for clue in puzzle.proof.clues)
    steps = desk.page.locator(".proof .steps li:visible")
    expect(steps).to_have_count(0)
    for number, step in enumerate(puzzle.proof.steps, start=1):
        desk.page.locator("#step-on").click()
        expect(steps).to_have_count(number)
        expect(steps.last).to_contain_text(step.sentence)
        assert sorted(marks(desk).get("clue", [])) == sorted(list(clue) for clue in step.clues)
    expect(desk.page.locator("#step-on")).to_be_disabled()
    # What was only supposed is gone with the last step, which proves the cell.
    assert not [name for name in marks(desk) if name.startswith("supposed")]
    desk.page.locator("#step-back").click()
    expect(steps).to_have_count(len(puzzle.proof.steps) - 1)
    assert "supposed-mine" in marks(desk)


def test_a_wrong_answer_is_shown_why_and_other_kinds_ask_for_a_flag_a_guess_or_a_clue(desk: Driver) -> None:
    puzzle = asked(desk, PAIRS)
    desk.page.locator("#puzzle-hint").click()
    expect(desk.page.locator("#hint-line")).to_have_text(puzzle.hint)
    assert puzzle.proof is not None
    assert sorted(marks(desk)["clue"]) == sorted(list(clue) for clue in puzzle.proof.clues)
    # The right button puts a flag to think with.
    cell = wrong_cell(puzzle)
    desk.click(*cell, "right")
    desk.expect_cell(*cell, "flag")
    desk.click(*cell)
    expect(desk.page.locator("#toast")).to_contain_text("This cell is flagged")
    expect(desk.page.locator("#answer-card")).to_be_hidden()
    desk.click(*cell, "right")
    desk.expect_cell(*cell, "hidden")
    # A lucky guess is wrong, and two pictures show why.
    layouts = check(puzzle, cell).layouts
    assert layouts is not None
    desk.click(*cell)
    expect(verdict(desk)).to_contain_text("Wrong.")
    expect(verdict(desk)).to_contain_text(f"{cell} is uncertain")
    assert marks(desk)["wrong"] == [list(cell)]
    desk.page.locator("#why-not summary").click()
    pictures = desk.page.locator(".two-layouts figure")
    expect(pictures).to_have_count(2)
    expect(pictures.first).to_contain_text(f"A mine at {cell}")
    expect(pictures.last).to_contain_text(f"No mine at {cell}")
    shown = [
        pictures.nth(at).locator(f"[aria-rowindex='{cell[0] + 1}'] [aria-colindex='{cell[1] + 1}']") for at in (0, 1)
    ]
    expect(shown[0]).to_have_attribute("aria-label", f"Row {cell[0]}, column {cell[1]}: mine")
    expect(shown[1]).to_have_attribute("aria-label", f"Row {cell[0]}, column {cell[1]}: hidden")
    for at in (0, 1):
        mines = pictures.nth(at).locator("[aria-label*=': mine'], [aria-label*='flag on a mine']")
        expect(mines).to_have_count(layouts[at].n_mines)
    # The pictures follow a setting, until the next puzzle: then they hear of nothing any more.
    ruled = desk.page.locator(".two-layouts .stage.ruled")
    expect(ruled).to_have_count(0)
    desk.press("g", "g")
    expect(ruled).to_have_count(2)
    puzzle = asked(desk, FLAGGED)
    desk.press("g")
    assert desk.page.locator("section.train .desk > .stage.ruled").count() == 0
    expect(ruled).to_have_count(2)
    desk.click(*puzzle.solution[0], "right")
    expect(verdict(desk)).to_contain_text("is certainly a mine")
    puzzle = asked(desk, GUESS)
    worst = puzzle.chances[-1][0]
    desk.click(*worst)
    expect(verdict(desk)).to_contain_text("Wrong.")
    card = desk.page.locator("#answer-card")
    names = ["Your risk", "Your win chance", "Share of the best", "Best win chance"]
    expect(card.locator("dt")).to_have_text(names)
    expect(card.locator("tr.own")).to_contain_text(f"({worst[0]}, {worst[1]}) (yours)")
    assert desk.board(f"chanceAt({worst[0]}, {worst[1]})") is not None
    # What is flagged is known, and needs no chance.
    flags = [list(map(int, cell)) for cell in zip(*(puzzle.position.cells == FLAG).nonzero(), strict=True)]
    assert all(desk.board(f"chanceAt({row}, {col})") is None for row, col in flags)
    puzzle = asked(desk, CHAIN)
    assert marks(desk)["area"] == [list(puzzle.marked[0])]
    desk.click(*puzzle.marked[0])
    expect(desk.page.locator("#toast")).to_have_text("Choose an open cell with a number.")
    desk.click(*puzzle.solution[0])
    expect(verdict(desk)).to_contain_text("Right.")
    puzzle = asked(desk, PAIRS)
    desk.page.locator("#show-solution").click()
    expect(verdict(desk)).to_contain_text(f"The solution: {puzzle.answer}")


def test_the_first_puzzle_is_made_beforehand_and_the_next_as_chosen_and_a_link_or_back_leads_to_it(
    desk: Driver,
) -> None:
    desk.visit("play")
    with desk.page.expect_response("**/api/train/next") as made:
        desk.page.locator("[data-mode=train]").hover()
    link = made.value.json()["puzzle"]["link"]
    desk.page.locator("[data-mode=train]").click()
    desk.page.locator("[data-way=rated]").click()
    desk.wait_until("(link) => location.hash.includes(link)", link)
    left = int((read_link(link).position.cells == FLAG).sum())
    expect(desk.page.locator("#puzzle-board")).to_have_text(f"10 mines, {10 - left} left" if left else "10 mines")
    desk.page.get_by_role("link", name="Progress").click()
    expect(desk.page.get_by_text("No puzzle answered yet.")).to_be_visible()
    desk.page.go_back()
    expect(desk.page.locator("#task")).to_be_visible()
    assert desk.page.url.endswith(f"puzzle={link}")
    desk.page.locator("#train-board").select_option("6x6/6")
    desk.wait_until("location.hash.includes('.6x6.6.')")
    desk.page.locator("#train-kind").select_option("area")
    desk.wait_until("location.hash.includes('puzzle=area.6x6.6.')")
    # It is remembered.
    desk.load("train?way=rated")
    desk.wait_until("location.hash.includes('puzzle=area.6x6.6.')")
    desk.page.locator("#train-kind").select_option("one-two")
    desk.page.locator("#train-board").select_option("9x9/16 hex")
    desk.wait_until("location.hash.includes('puzzle=one-two.9x9.16.hex.')")
    # A reload keeps the puzzle; answered once more, it does not count again.
    cells = "document.querySelector('section.train').board.position.cells.join()"
    url, task, before = desk.page.url, desk.page.locator("#task").inner_text(), desk.page.evaluate(cells)
    desk.press("s")
    expect(desk.page.locator("#answer-card")).to_be_visible()
    desk.page.reload()
    expect(desk.page.locator("#task")).to_have_text(task)
    assert desk.page.url == url
    assert desk.page.evaluate(cells) == before
    desk.press("s")
    expect(desk.page.locator("#rating-line")).to_have_text(
        "You have answered this puzzle before, so it does not count again."
    )
    desk.visit("train?puzzle=nonsense")
    expect(desk.page.locator("#toast")).to_contain_text("is not a link to a puzzle")


# -- by keyboard ----------------------------------------------------------------------------------------------


def test_everything_by_keyboard_and_a_number_by_its_key(desk: Driver) -> None:
    puzzle = asked(desk, PAIRS)
    desk.page.evaluate("document.querySelector('section.train').board.grid.setCursor(0, 0, { focus: true })")
    row, col = puzzle.solution[0]
    desk.press(*["ArrowDown"] * row, *["ArrowRight"] * col)
    desk.press("f")
    desk.expect_cell(row, col, "flag")
    desk.press("f", "Space")
    expect(verdict(desk)).to_contain_text("Right.")
    desk.expect_said("is certainly safe")
    # The keys are the answer's now.
    desk.press("ArrowRight")
    expect(desk.page.locator(".proof .steps li:visible")).to_have_count(1)
    desk.press("ArrowLeft")
    expect(desk.page.locator(".proof .steps li:visible")).to_have_count(0)
    desk.press("Space")
    expect(desk.page.locator("#answer-card")).to_be_hidden()
    # Not only in part: the number of another puzzle may begin with that of this one.
    desk.wait_until("(link) => !location.hash.split(/[=&]/).includes(link)", PAIRS)
    # And the board's again.
    expect(desk.page.locator("section.train [role=gridcell]:focus")).to_have_count(1)
    desk.press("h")
    expect(desk.page.locator("#hint-line")).to_be_visible()
    desk.press("s")
    expect(desk.page.locator("#answer-card")).to_be_visible()
    desk.press("n")
    expect(desk.page.locator("#answer-card")).to_be_hidden()
    puzzle = asked(desk, AREA)
    assert sorted(marks(desk)["area"]) == sorted(list(cell) for cell in puzzle.marked)
    row, col = puzzle.marked[0]
    desk.expect_cell(row, col, "hidden, marked")
    expect(desk.page.locator(".numbering button:visible")).to_have_count(len(puzzle.marked) + 1)
    desk.press(str(puzzle.number))
    expect(verdict(desk)).to_have_text(f"Right. {puzzle.reason}")


# -- by touch -------------------------------------------------------------------------------------------------


def test_everything_by_touch(phone: Driver) -> None:
    puzzle = asked(phone, PAIRS)
    row, col = wrong_cell(puzzle)
    phone.hold(row, col)
    phone.expect_cell(row, col, "flag")
    phone.hold(row, col)
    phone.expect_cell(row, col, "hidden")
    phone.tap(*puzzle.solution[0])
    expect(verdict(phone)).to_contain_text("Right.")
    # The verdict and what leads on are in view, and the board with them.
    for part in ("#verdict-line", "#next-puzzle"):
        expect(phone.page.locator(part)).to_be_in_viewport(ratio=1)
    expect(phone.page.locator("section.train .desk:visible > .stage:visible")).to_be_in_viewport(ratio=0.8)
    phone.page.locator("#step-on").tap()
    expect(phone.page.locator(".proof .steps li:visible")).to_have_count(1)
    expect(phone.page.locator("section.train .stage:visible").first).to_be_in_viewport(ratio=0.8)
    phone.page.locator("#next-puzzle").tap()
    expect(phone.page.locator("#answer-card")).to_be_hidden()
    puzzle = asked(phone, AREA)
    phone.page.locator(f".numbering [data-number='{puzzle.number}']").tap()
    expect(verdict(phone)).to_contain_text("Right.")
    puzzle = asked(phone, FLAGGED)
    phone.tap(*puzzle.solution[0])
    expect(verdict(phone)).to_contain_text("is certainly a mine")
