"""Boards of one's own on the page: typed, played to the end, looked at cell by cell, and taken along to every mode."""

from __future__ import annotations

import re

import numpy as np
import pytest
from driver import Driver
from own_boards import CROWD, MIXED, crowd
from playwright.sync_api import Locator, expect

from sapper.agents.registry import make_agent
from sapper.layout import Layout
from sapper.observation import Observation
from sapper.play.match import play_match
from sapper.rules import Rules
from sapper.topology import write_neighbourhood
from sapper.train import read_link
from sapper.world.game import Game

pytestmark = pytest.mark.browser

TABLE = "1,5/2/3/4/5"
RING = f"1x6/2 own:{TABLE}"
SHOWN = "document.querySelector('section.mode:not([hidden])')"


def place(rules: str, mode: str = "play", **values: object) -> str:
    said = "".join(f"&{name}={value}" for name, value in values.items())
    return f"{mode}?rules={rules.replace(' ', '+')}{said}"


def shown(driver: Driver) -> Locator:
    """The mode that is shown."""
    return driver.page.locator("section.mode:not([hidden])")


def form(driver: Driver) -> Locator:
    return shown(driver).locator("form").first


def choose_own(driver: Driver) -> Locator:
    """Choose a board of one's own in the form; the field of its table."""
    driver.page.get_by_text("Custom board").click()
    form(driver).get_by_text("Advanced").click()
    form(driver).locator("label.field", has_text="Topology").locator("select").select_option("own")
    return form(driver).get_by_label("Neighbour table", exact=True)


def twin(rules: str, seed: int, first: tuple[int, int]) -> Layout:
    """Where the mines are, if that cell is opened first."""
    game = Game(Rules.parse(rules), seed)
    game.open(*first)
    assert game.layout is not None
    return game.layout


def clear(driver: Driver, rules: str, seed: int, first: tuple[int, int]) -> Layout:
    """Open every cell without a mine."""
    layout = twin(rules, seed, first)
    for row, col in [first, *map(tuple, np.argwhere(~layout.mines).tolist())]:
        if driver.board(f"codeAt({row}, {col})") == -1:
            driver.click(row, col)
            driver.wait_until(f"() => {SHOWN}.board.codeAt({row}, {col}) !== -1")
    expect(driver.page.locator("#result-card:not([hidden])")).to_contain_text("You won")
    return layout


# -- playing --------------------------------------------------------------------------------------------------


def test_a_ring_is_typed_and_played_to_the_end_and_clues_above_eight_are_too(desk: Driver) -> None:
    # A wrong link says why, and there is a board all the same.
    desk.visit(place("1x6/2 own:0"))
    desk.expect_said("Cell 0 touches itself.")
    table = choose_own(desk)
    # It begins with the board as it is: the corner of a square one touches three cells.
    expect(table).to_have_value(re.compile(r"^1,9,10/"))
    form(desk).get_by_label("Rows", exact=True).fill("99999")  # which nobody waits for
    for label, value in (("Rows", "1"), ("Columns", "6"), ("Mines", "2")):
        form(desk).get_by_label(label, exact=True).fill(value)
    expect(table).to_have_value("1/2/3/4/5")  # still the square board, of the new size
    table.fill("1,6/2/3/4/5")
    expect(form(desk).locator(".own-table .notice.bad")).to_have_text("Cell 0 touches cell 6, but the last cell is 5.")
    form(desk).get_by_role("button", name="Start this board").click()
    assert "own" not in desk.page.url  # a board that is none is not asked for
    table.fill(f"own:{TABLE}\n")
    expect(form(desk).locator(".own-table .notice.bad")).to_be_hidden()
    form(desk).get_by_label("Seed").fill("3")
    form(desk).get_by_role("button", name="Start this board").click()
    desk.wait_until(f"() => {SHOWN}.board.position.shape === 'own:{TABLE}'")
    expect(desk.page.get_by_role("region", name="This game")).to_contain_text(
        "2 mines, custom board, starts with an opening, seed 3"
    )
    clear(desk, f"{RING} first-opening", 3, (0, 2))
    desk.page.get_by_role("button", name="Share link").click()
    link = desk.page.get_by_label("Link", exact=True).input_value()
    assert link.endswith(f"#/play?rules=1x6/2+own:{TABLE}+first-opening&seed=3&first=0,2")
    desk.press("Escape")
    desk.page.reload()
    desk.page.wait_for_selector("body[data-ready]")
    desk.wait_until(f"() => {SHOWN}.board.position.shape === 'own:{TABLE}'")
    board = crowd(4, 6)
    rules = f"4x6/16 {write_neighbourhood(board)}"
    desk.visit(place(rules, seed=5))
    layout = clear(desk, rules, 5, (1, 1))
    clues = layout.clues()
    large = [cell for cell in map(tuple, np.argwhere(~layout.mines).tolist()) if clues[cell] > 9]
    assert large
    for row, col in large:
        desk.expect_cell(row, col, str(clues[row, col]))
        assert desk.board(f"codeAt({row}, {col})") == clues[row, col]


# -- the other modes ------------------------------------------------------------------------------------------


def test_analyse_takes_it_and_reads_and_paints_clues_above_eight(desk: Driver) -> None:
    desk.visit(f"analyse?position=1%23%231%23%23+2+own:{TABLE}")
    desk.wait_until(f"() => {SHOWN}.board.chanceAt(0, 1)?.p === 0.5")
    expect(desk.page.get_by_role("button", name="Clue 9", exact=True)).to_be_hidden()
    table = desk.page.get_by_label("Neighbour table", exact=True)
    expect(table).to_have_value(TABLE)
    expect(desk.page.get_by_text("2 mines, custom board")).to_be_visible()
    # Two rows of three: the same table, and the same ring. A table that does not fit changes nothing.
    table.fill("1,5/2/3/4/9")
    table.blur()
    expect(desk.page.locator(".own-table .notice.bad")).to_have_text("Cell 4 touches cell 9, but the last cell is 5.")
    assert desk.board("position.shape") == f"own:{TABLE}"
    table.fill(f"{TABLE.replace('1,5', '1')}")
    table.blur()
    desk.wait_until(f"() => {SHOWN}.board.chanceAt(0, 1)?.p === 1")
    word = CROWD.split()[1]
    desk.visit(f"analyse?position=a%23%23%23%23%23/%23%23%23%23%23%23/%23%23%23%23%23%23/%23%23%23%23%23%23+16+{word}")
    desk.expect_cell(0, 0, "10")
    desk.page.get_by_role("button", name="Clue 12", exact=True).click()
    desk.click(0, 1)
    desk.expect_cell(0, 1, "12")
    desk.page.get_by_role("button", name="Explain").click()
    desk.press_on(desk.cell(0, 1), "ArrowRight", "9")
    desk.expect_cell(0, 2, "9")
    text = desk.page.get_by_label("Position as text").input_value()
    assert text == f"ac9###/######/######/###### 16 {word}"
    assert Observation.parse(text).cells[0].tolist() == [10, 12, 9, -1, -1, -1]


def test_watch_train_and_lab_take_it(desk: Driver) -> None:
    desk.visit(place(RING, "watch", seed=3, agent="exact", step=1))
    solved = f"{SHOWN}.boards[0]"
    desk.wait_until(
        f"() => {solved}.position.shape === 'own:{TABLE}' && {solved}.position.cells.some((code) => code >= 0)"
    )
    expect(desk.page.get_by_text("2 mines, custom board, seed 3")).to_be_attached()
    # The page itself counts the clues of the actual board.
    record = play_match(Game(Rules.parse(RING), 3), make_agent("exact", 3))
    layout = record.final_game().layout
    assert layout is not None
    desk.press("2")
    for col, (clue, is_mine) in enumerate(zip(layout.clues()[0], layout.mines[0], strict=True)):
        cell = desk.page.locator(f"figure[data-view=actual] [aria-colindex='{col + 1}']").first
        words = "mine" if is_mine else str(clue) if clue else "empty"
        expect(cell).to_have_attribute("aria-label", f"Row 0, column {col}: {words}")
    desk.visit("train?way=rated")
    shown(desk).locator("summary", has_text="Custom board").click()
    field = desk.page.get_by_label("Rules", exact=True)
    field.fill("9x9/10 hex")
    desk.page.get_by_role("button", name="Train on this board").click()
    assert field.evaluate("(field) => field.validationMessage") == ("These are not the rules of a custom board.")
    field.fill("99999x99999/5 own:1")
    assert "at most 1,000 cells" in field.evaluate("(field) => field.validationMessage")
    field.fill(MIXED)
    desk.page.get_by_role("button", name="Train on this board").click()
    desk.wait_until(f"() => {SHOWN}.board.position.shape === '{MIXED.split()[1]}'")
    expect(desk.page.locator("#train-board")).to_have_value(MIXED)
    # No two cells that touch have a neighbour in common here.
    expect(desk.page.locator("#train-kind option[value=one-two]")).to_be_disabled()
    desk.page.locator("#train-kind").select_option("single")
    desk.wait_until("() => location.hash.includes('puzzle=single.')")
    puzzle = read_link(desk.page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('puzzle')"))
    desk.click(*puzzle.solution[0], button="left")
    expect(desk.page.locator("#answer, .answer").first).to_contain_text("Right.")
    desk.visit("lab")
    for name, value in (("Rows", "1"), ("Columns", "6"), ("Games each", "2"), ("Points", "2")):
        shown(desk).get_by_label(name, exact=True).fill(value)
    for name in ("contradiction", "exact"):
        shown(desk).get_by_role("checkbox", name=name, exact=True).uncheck()
    form(desk).locator("label.field", has_text="Topology").locator("select").select_option("own")
    shown(desk).get_by_label("Neighbour table", exact=True).fill(TABLE)
    desk.page.locator("#lab-run").click()
    expect(shown(desk).get_by_text("games, finished")).to_be_visible()
