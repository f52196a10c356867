"""Analyse: painted and pasted positions, proofs, and clues that disagree."""

from __future__ import annotations

from urllib.parse import quote

import numpy as np
import pytest
from driver import Driver
from playwright.sync_api import FilePayload, expect
from skins import SKINS, draw_picture, play_position

from sapper.agents.best import best_cell
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.inference.proofs.sentences import name_grounds
from sapper.observation import Observation
from sapper.words import percent

pytestmark = pytest.mark.browser

POSITION = "2#1/###/#3# 4"


def visit(driver: Driver, position: str) -> None:
    driver.visit(f"analyse?position={quote(position, safe='/')}")


def test_mouse_and_keyboard_paint_and_it_is_undone_one_stroke_at_a_time(desk: Driver) -> None:
    visit(desk, "####/####/#### 2")
    text = desk.page.get_by_label("Position as text")
    undo = desk.page.locator("#undo-edit")
    expect(text).to_have_value("####/####/#### 2")
    expect(undo).to_be_disabled()
    desk.page.get_by_role("button", name="Clue 0", exact=True).click()
    desk.page.mouse.move(*desk.place(0, 0))
    desk.page.mouse.down()
    desk.page.mouse.move(*desk.place(0, 3), steps=12)
    desk.page.mouse.up()
    expect(text).to_have_value("0000/####/#### 2")
    desk.click(2, 2, button="right")
    desk.page.get_by_role("button", name="Clear", exact=True).click()
    expect(text).to_have_value("####/####/#### 2")
    desk.press("Control+z")
    expect(text).to_have_value("0000/####/##F# 2")
    undo.click()
    expect(text).to_have_value("0000/####/#### 2")
    desk.press("u")
    expect(text).to_have_value("####/####/#### 2")
    expect(undo).to_be_disabled()
    # The chances follow what is painted.
    visit(desk, "###/###/### 2")
    desk.page.get_by_role("button", name="Clue 1", exact=True).click()
    desk.click(0, 0)
    desk.expect_cell(0, 0, "1")
    desk.click(2, 2, button="right")
    expect(text).to_have_value("1##/###/##F 2")
    desk.expect_cell(0, 1, "hidden, mine probability 33%")
    desk.page.get_by_role("button", name="Explain").click()
    desk.click(0, 1)
    expect(desk.page.locator("#proof")).to_contain_text("33.3%")
    # By keyboard: three mines around a corner of a board that has two disagree with the total.
    visit(desk, "###/### 2")
    desk.press_on(desk.cell(0, 0), "Control+Home", "3", "ArrowRight", "#", "ArrowRight", "Backspace")
    expect(text).to_have_value("3##/### 2")
    expect(desk.page.get_by_role("alert")).to_be_visible()
    expect(desk.page.locator("#verdict")).to_contain_text("Impossible")
    desk.press("ArrowLeft", "ArrowLeft", "2")
    desk.expect_cell(0, 2, "hidden, safe")
    desk.press("ArrowRight", "ArrowRight", "Space")
    found = explain(Observation.parse("2##/### 2"), 0, 2)
    expect(desk.page.locator("#proof")).to_contain_text(f"(0, 2) is safe because of {name_grounds(found)}.")
    desk.expect_said(found.steps[-1].sentence)


def test_touch_asks_why(phone: Driver) -> None:
    position = "1#/11 1"
    visit(phone, position)
    phone.expect_cell(0, 1, "hidden, a mine")
    phone.tap(0, 1)
    proof = phone.page.locator("#proof")
    expect(proof).to_contain_text("(0, 1) is a mine because of the 1 at (0, 0).")
    phone.page.get_by_role("button", name="Close the explanation").tap()
    expect(proof).to_be_hidden()


def test_other_forms_are_read_and_what_is_wrong_is_said(desk: Driver) -> None:
    visit(desk, POSITION)
    text = desk.page.get_by_label("Position as text")
    verdict = desk.page.locator("#verdict")
    text.fill("01#\n01#\n011 1")
    desk.page.locator("#read").click()
    expect(text).to_have_value("01#/01#/011 1")
    text.fill("what is this")
    desk.page.locator("#read").click()
    expect(desk.page.get_by_role("alert")).to_be_visible()
    visit(desk, "1#/#3 2")
    expect(verdict).to_contain_text("the 3 at (1, 1) cannot hold")
    visit(desk, "1#/## 2")
    expect(verdict).to_contain_text("These contradict each other: the 1 at (0, 0), the number of mines.")
    # Without a total there is no chance to win; the word for that fits its field.
    visit(desk, "1##/###")
    desk.page.locator("#best-cell").click()
    expect(desk.page.locator("#toast")).to_contain_text("known number of mines")
    field = desk.page.get_by_label("Mines on the board")
    expect(field).to_have_attribute("placeholder", "unknown")
    room, width = field.evaluate(
        """(one) => {
          const style = getComputedStyle(one);
          const pen = document.createElement("canvas").getContext("2d");
          pen.font = getComputedStyle(one, "::placeholder").font;
          const arrows = 16;
          return [one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrows,
            pen.measureText(one.placeholder).width];
        }"""
    )
    assert width <= room


def test_chances_and_the_best_cell_are_the_engines(desk: Driver) -> None:
    visit(desk, POSITION)
    verdict = desk.page.locator("#verdict")
    posterior = mine_probabilities(Observation.parse(POSITION))
    expect(verdict).to_contain_text(str(posterior.n_layouts))
    for row, col in np.argwhere(Observation.parse(POSITION).closed).tolist():
        assert desk.board(f"chanceAt({row}, {col})")["p"] == pytest.approx(posterior.p_mine[row, col], abs=1e-12)
    desk.page.reload()
    expect(verdict).to_contain_text(str(posterior.n_layouts))
    expect(desk.page.get_by_label("Position as text")).to_have_value(POSITION)
    position = "1###/####/###2/#### 5"
    visit(desk, position)
    expect(verdict).to_contain_text("you have to guess")
    desk.expect_said("0 safe cells, 0 certain mines.")
    # A risky cell that is explained is not called the best.
    desk.click(1, 0)
    expect(desk.page.locator("#proof")).to_be_visible()
    marks = dict(desk.page.evaluate("[...document.querySelector('section.analyse').board.marks]"))
    assert marks[4] == ["last"]
    assert not any("best" in names for names in marks.values())
    best = best_cell(Observation.parse(position))
    assert best.exact
    expect(desk.page.locator("#best-cell")).to_be_enabled()
    desk.press("b")
    card = desk.page.locator("#best")
    expect(card).to_contain_text(f"Open ({best.cell[0]}, {best.cell[1]})")
    expect(card).to_contain_text("Win chance, exact")
    rows = card.locator("tbody tr")
    for number, one in enumerate(best.candidates[:8]):
        assert one.p_win is not None
        cells = [f"({one.cell[0]}, {one.cell[1]})", percent(one.risk, False, 1), percent(one.p_win, False, 1)]
        assert rows.nth(number).locator("td").all_text_contents() == cells
    desk.expect_said(f"Best cell ({best.cell[0]}, {best.cell[1]})")
    card.get_by_role("button", name="Explain").first.click()
    expect(desk.page.locator("#proof")).to_be_visible()
    desk.press("Escape", "Escape")
    expect(card).to_be_hidden()


def test_a_picture_is_chosen_pasted_or_dropped_and_its_next_safe_cell_is_proved(desk: Driver) -> None:
    rng = np.random.default_rng(4)
    picture = draw_picture(play_position(rng, 9, 9, 10), SKINS["raised"], 24.0, rng)
    visit(desk, POSITION)
    page, text = desk.page, desk.page.get_by_label("Position as text")
    file: FilePayload = {"name": "board.png", "mimeType": "image/png", "buffer": picture.data()}
    page.get_by_label("Choose a picture of a board").set_input_files([file])
    expect(text).to_have_value(picture.position)
    expect(page.get_by_label("The part of the picture that was read")).to_be_visible()
    page.get_by_role("button", name="Next safe cell").click()
    expect(page.get_by_label("Explanation", exact=True)).to_be_visible()
    for kind in ("paste", "drop"):
        visit(desk, POSITION)
        expect(text).to_have_value(POSITION)
        page.evaluate(
            """([bytes, kind]) => {
                const carried = new DataTransfer();
                carried.items.add(new File([new Uint8Array(bytes)], "board.png", { type: "image/png" }));
                const event = kind === "paste"
                    ? new ClipboardEvent(kind, { clipboardData: carried, bubbles: true, cancelable: true })
                    : new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true });
                document.querySelector(".picture").dispatchEvent(event);
            }""",
            [list(picture.data()), kind],
        )
        expect(text).to_have_value(picture.position)


def test_a_phone_takes_a_picture_from_its_camera_roll_by_touch(phone: Driver) -> None:
    rng = np.random.default_rng(4)
    picture = draw_picture(play_position(rng, 9, 9, 10), SKINS["raised"], 24.0, rng)
    visit(phone, POSITION)
    page = phone.page
    with page.expect_file_chooser() as chosen:
        page.get_by_label("Choose a picture of a board").tap()
    chosen.value.set_files({"name": "roll.png", "mimeType": "image/png", "buffer": picture.data()})
    expect(page.get_by_label("Position as text")).to_have_value(picture.position)
    page.get_by_role("button", name="Next safe cell").tap()
    expect(page.get_by_label("Explanation", exact=True)).to_be_visible()
