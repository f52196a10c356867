"""Play, by mouse, touch and keyboard, against the real server."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from driver import Driver, hidden_of, link, mines_of, twin
from playwright.sync_api import Response, Route, expect

from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain_certain
from sapper.inference.proofs.sentences import name_grounds
from sapper.observation import FLAG, HIDDEN, NO_CLUE, Observation
from sapper.rules import Rules
from sapper.topology import SHAPES
from sapper.words import percent
from sapper.world.game import Game

pytestmark = pytest.mark.browser

OF_ANY_SHAPE = ["Position (text)", "Record"]  # the files that hold a game on any board


def clue_words(code: int) -> str:
    return "empty" if code == 0 else str(code)


def test_a_mouse_opens_flags_chords_and_wins_and_asks_a_silent_cell_again(desk: Driver) -> None:
    game = twin()
    desk.visit(link())
    desk.click(0, 0)
    for row, col in np.argwhere(game.observation.cells >= 0).tolist():
        desk.expect_cell(row, col, clue_words(int(game.observation.cells[row, col])))
    mines = mines_of(game)
    desk.click(*mines[0], button="right")
    desk.expect_cell(*mines[0], "flag")
    expect(desk.page.locator("#mines-left")).to_have_text("5")
    desk.click(*mines[0])  # a flag keeps a cell from being opened
    desk.expect_cell(*mines[0], "flag")
    for mine in mines[1:]:
        desk.click(*mine, button="right")
    expect(desk.page.locator("#mines-left")).to_have_text("0")
    for mine in mines:
        game.flag(*mine)
    # Every clue is satisfied now, so middle and double clicks open what is left.
    for number, (row, col) in enumerate(np.argwhere(game.observation.cells > 0).tolist()):
        if number % 2:
            desk.click(row, col, button="middle")
        else:
            desk.page.mouse.dblclick(*desk.place(row, col))
        game.chord(row, col)
    for row, col in hidden_of(game):
        desk.click(row, col)
        game.open(row, col) if (row, col) in hidden_of(game) else None
    result = desk.page.get_by_role("region", name="Result")
    expect(result).to_contain_text("You won")
    for measure in ("3BV", "ZiNi", "Efficiency", "Clicks", "Time"):
        expect(result).to_contain_text(measure)
    rules = "6x6/6 first-opening withheld:0.3:redraws"
    game = twin(rules, 3)
    row, col = (int(k) for k in np.argwhere(game.observation.cells == NO_CLUE)[0])
    desk.visit(link(rules, 3))
    expect(desk.page.get_by_text("30% of clues withheld, click again to retry").first).to_be_visible()
    desk.click(0, 0)
    desk.expect_cell(row, col, "open, no clue")
    while game.observation.cells[row, col] == NO_CLUE:
        game.open(row, col)
        with desk.page.expect_response("**/moves") as answered:
            desk.click(row, col)
        assert Observation.parse(answered.value.json()["position"]) == game.observation


def test_the_keyboard_plays_a_whole_game_and_a_flag_that_is_taken_off_at_once_stays_off(desk: Driver) -> None:
    game = twin()
    desk.visit(link())
    desk.press("ArrowRight", "ArrowLeft", "Space")
    desk.expect_said("Row 0, column 0: empty. ")
    desk.expect_said("6 mines left.")
    at = [0, 0]

    def go(row: int, col: int) -> None:
        down, right = row - at[0], col - at[1]
        desk.press(*["ArrowDown" if down > 0 else "ArrowUp"] * abs(down))
        desk.press(*["ArrowRight" if right > 0 else "ArrowLeft"] * abs(right))
        at[:] = row, col

    mine = mines_of(game)[0]
    go(*mine)
    desk.press("f")
    desk.expect_said(f"Row {mine[0]}, column {mine[1]}: flag. 5 mines left.")
    desk.press("u")
    desk.expect_said("Last move undone.")
    desk.expect_cell(*mine, "hidden")
    desk.press("?")
    expect(desk.page.get_by_role("dialog")).to_contain_text("check flags")
    desk.press("Escape")
    while hidden := [cell for cell in hidden_of(game) if cell not in mines_of(game)]:
        go(*hidden[0])
        desk.press("Space")
        game.open(*hidden[0])
        desk.expect_cell(*hidden[0], clue_words(int(game.observation.cells[hidden[0]])))
    desk.expect_said("You won.")
    desk.press("n")
    desk.expect_said("New board")
    desk.expect_cell(*mine, "hidden")
    # The answer about a flag comes after it was taken off: it says nothing new.
    desk.visit(link("6x6/6 first-any"))
    held: list[Route] = []
    desk.page.route("**/moves", lambda route: held.append(route))

    def answer(n_before: int) -> None:
        """Let the server answer one more request, once it has come."""
        while len(held) <= n_before:
            desk.draw()
        held[n_before].continue_()

    desk.press("ArrowDown", "f", "f")
    row, col = desk.board("grid.cursor")
    answer(0)
    while len(held) < 2:
        desk.draw()
    desk.expect_cell(row, col, "hidden")
    desk.press("Space")
    answer(1)
    answer(2)
    expect(desk.cell(row, col)).not_to_have_attribute("aria-label", re.compile("hidden|flag"))


def test_touch_taps_holds_and_has_a_flag_mode(phone: Driver) -> None:
    game = twin()
    phone.visit(link())
    phone.tap(0, 0)
    phone.expect_cell(0, 0, "empty")
    one, two = mines_of(game)[:2]
    phone.hold(*one)
    phone.expect_cell(*one, "flag")
    phone.page.locator("#flag-mode").tap()
    phone.tap(*two)
    phone.expect_cell(*two, "flag")
    phone.tap(*two)
    phone.expect_cell(*two, "hidden")
    phone.page.locator("#flag-mode").tap()
    safe = next(cell for cell in hidden_of(game) if cell not in mines_of(game))
    phone.tap(*safe)
    game.open(*safe)
    phone.expect_cell(*safe, clue_words(int(game.observation.cells[safe])))


def test_a_lost_game_can_be_taken_back_played_again_and_reloaded(desk: Driver) -> None:
    game = twin()
    desk.visit(link())
    desk.click(0, 0)
    desk.expect_cell(0, 0, "empty")
    desk.page.reload()
    desk.expect_cell(0, 0, "empty")
    mine = mines_of(game)[0]
    desk.click(*mine)
    desk.expect_cell(*mine, "exploded mine")
    other = mines_of(game)[1]
    desk.expect_cell(*other, "mine")
    desk.page.locator("#undo").click()
    desk.expect_cell(*mine, "hidden")
    desk.expect_cell(*other, "hidden")
    desk.click(*mine)
    result = desk.page.get_by_role("region", name="Result")
    expect(result).to_contain_text("does not count")
    desk.page.get_by_role("button", name="Share link").click()
    shared = desk.page.get_by_label("Link", exact=True).input_value()
    assert shared.endswith("#/play?rules=6x6/6+first-opening&seed=5&first=0,0")
    desk.press("Escape")
    result.get_by_role("button", name="Same board").click()
    desk.expect_cell(*mine, "hidden")
    desk.expect_cell(0, 0, "empty")
    desk.visit(shared.split("#/")[1])
    desk.expect_cell(0, 0, "empty")
    desk.expect_cell(*mine, "hidden")


def test_a_link_leads_to_the_same_mines_and_files_that_can_hold_the_board_are_offered(desk: Driver) -> None:
    # The server draws seeds of up to 16 digits; a link must not lose the last of them.
    desk.visit("play?rules=8x8/20+first-any")
    desk.open_until_over(8, 8)
    shown = desk.page.evaluate("[...document.querySelector('section.play').board.truth].join()")
    desk.page.get_by_role("button", name="Share link").click()
    shared = desk.page.get_by_label("Link", exact=True).input_value()
    seed = int(shared.split("seed=")[1].split("&")[0])
    game = Game(Rules.parse("8x8/20 first-any"), seed)
    game.open(0, 0)
    assert [8 * row + col for row, col in mines_of(game)] == [int(cell) for cell in shown.split(",")]
    desk.press("Escape")
    desk.visit(shared.split("#/")[1])
    expect(desk.page.get_by_role("region", name="This game")).to_contain_text(f"seed {seed}")
    for shape, offered in (("", ["Position (text)", "Record", ".mbf", "PTTA", "Layout"]), ("+torus", OF_ANY_SHAPE)):
        desk.visit(f"play?rules=2x2/3{shape}")
        desk.click(0, 0)
        expect(desk.page.locator("#review-this")).to_be_visible()
        desk.page.locator(".play details", has=desk.page.locator("[data-format]")).evaluate(
            "(one) => { one.open = true; }"
        )
        links = desk.page.locator("a[data-format]:visible")
        expect(links).to_have_text(offered)
        for one in links.all():
            assert desk.page.request.get(str(one.get_attribute("href"))).ok


def test_chances_hints_and_the_check_of_flags_are_the_engines(desk: Driver) -> None:
    game = twin("8x8/14 first-opening", 12, (3, 3))
    desk.visit(link("8x8/14 first-opening", 12))
    desk.click(3, 3)
    desk.expect_cell(3, 3, "empty")
    posterior = mine_probabilities(game.observation)
    desk.press("p")
    row, col = posterior.safe[0] if posterior.safe else posterior.safest[0]
    expect(desk.cell(row, col)).to_have_attribute("aria-label", re.compile("safe|mine"))
    for row, col in np.argwhere(game.observation.closed).tolist():
        shown = desk.board(f"chanceAt({row}, {col})")
        certain = (row, col) in posterior.safe or (row, col) in posterior.mines
        assert shown["p"] == pytest.approx(posterior.p_mine[row, col], abs=1e-12)
        assert shown["certain"] == certain
        said = desk.cell(row, col).get_attribute("aria-label")
        if certain:
            assert said is not None
            assert said.endswith("a mine" if shown["p"] else "safe")
        else:
            assert said == f"Row {row}, column {col}: hidden, mine probability {percent(shown['p'], False)}"
    desk.press("p")
    desk.expect_cell(*(posterior.safest[0]), "hidden")
    game = twin("8x8/10 first-opening", 3, (3, 3))
    desk.visit(link("8x8/10 first-opening", 3))
    desk.click(3, 3)
    desk.expect_cell(3, 3, "empty")
    found, _ = explain_certain(game.observation)
    assert found is not None
    assert found.verdict == "safe"
    card = desk.page.locator("#hint-card")
    desk.press("h")
    expect(card).to_contain_text(f"{found.cell} is safe because of {name_grounds(found)}.")
    for step in found.steps:
        expect(card).to_contain_text(step.sentence)
    card.locator(".primary").click()
    expect(card).to_be_hidden()
    expect(desk.cell(*found.cell)).not_to_have_attribute("aria-label", re.compile("hidden"))
    desk.visit(link("5x5/8 first-any", 2))
    desk.press("h")
    expect(card).to_contain_text("No cell is certain")
    expect(card).to_contain_text("32.0%")
    expect(card.locator(".chances button")).to_have_count(12)
    # The risks mark the same cell, and say once what those are worth that touch no number.
    desk.press("Escape", "p")
    legend = desk.page.get_by_role("region", name="Risks")
    expect(legend).to_contain_text("best guess")
    expect(legend).to_contain_text("Cells that touch no number: 32% each")
    assert desk.board("bestGuess") == 0
    assert sum(not desk.board(f"isLikeOthers({cell})") for cell in range(25)) == 1
    desk.press("p", "m")
    expect(desk.page.locator("#flag-mode")).to_have_attribute("aria-pressed", "true")
    desk.press("m")
    game = twin()
    desk.visit(link())
    desk.click(0, 0)
    desk.expect_cell(0, 0, "empty")
    safe = mine_probabilities(game.observation).safe[0]
    desk.click(*safe, button="right")
    desk.expect_cell(*safe, "flag")
    desk.press("w")
    desk.expect_said(f"on a safe cell: ({safe[0]}, {safe[1]})")


def test_no_mine_travels_before_the_end(desk: Driver) -> None:
    """Every answer of the server is read; what holds the truth may come only with the last."""
    bodies: list[str] = []

    def keep(response: Response) -> None:
        if "/api/games" in response.url and response.request.method in ("GET", "POST"):
            bodies.append(response.text())

    desk.page.on("response", keep)
    # Without a seed in the address: the seed would stand for the layout.
    desk.visit("play?rules=8x8/10+first-opening")
    desk.click(3, 3)
    desk.expect_cell(3, 3, "empty")
    desk.press("h", "p")
    expect(desk.page.locator("#hint-card")).to_be_visible()
    desk.page.get_by_role("region", name="This game").get_by_text("Advanced").click()
    assert desk.page.locator("a[data-format]:visible").all_text_contents() == ["Position (text)"]
    while len(bodies) < 4:  # the game, its first move, the hint and the chances
        desk.draw()
    during = list(bodies)
    for body in during:
        answer = json.loads(body)
        assert "layout" not in answer or answer["layout"] is None
        assert answer.get("seed") is None
        assert answer.get("score") is None
        position = Observation.parse(answer["position"]) if "position" in answer else None
        if position is not None:
            assert not set(np.unique(position.cells).tolist()) - {HIDDEN, FLAG, *range(9)}
    # To the end: now it is there, so the test above looked for the right thing.
    desk.open_until_over(8, 8)
    expect(desk.page.locator("#review-this")).to_be_visible()
    assert any(json.loads(body).get("layout") for body in bodies if body.startswith("{"))


def test_the_picture_shows_what_the_words_say_and_a_large_board_scrolls_and_zooms(desk: Driver) -> None:
    """Hidden, open and flagged cells differ on the canvas, on every topology; a click hits the cell it is drawn at."""
    for shape in SHAPES:
        desk.visit(link(f"7x7/5 {shape} first-opening", 9))
        desk.click(3, 3)
        desk.expect_cell(3, 3, "empty")
        game = twin(f"7x7/5 {shape} first-opening", 9, (3, 3))
        mine = mines_of(game)[0]
        before = pixels(desk, *mine)
        desk.click(*mine, button="right")
        desk.expect_cell(*mine, "flag")
        desk.page.mouse.move(1, 1)
        desk.wait_until("document.querySelector('.play').board.hover === -1")
        desk.draw()
        assert pixels(desk, *mine) != before
        assert pixels(desk, 3, 3) != before
    # The largest boards scroll and zoom.
    desk.visit(link("200x200/6000 first-opening", 4))
    desk.board("reveal(120, 130)")
    desk.draw()
    desk.click(120, 130)
    desk.expect_cell(120, 130, "empty")
    size = desk.board("geometry.size")
    x, y = desk.place(120, 130)
    desk.page.mouse.move(x, y)
    desk.page.keyboard.down("Control")
    desk.page.mouse.wheel(0, -120)
    desk.page.keyboard.up("Control")
    desk.wait_until(f"document.querySelector('.play').board.geometry.size > {size}")
    # What was under the mouse stays there, and near enough to click.
    moved = desk.place(120, 130)
    assert abs(moved[0] - x) < 20
    assert abs(moved[1] - y) < 20
    desk.page.get_by_role("button", name="Fit the board").click()
    desk.wait_until(
        "(({ geometry, canvas }) => geometry.contentHeight <= canvas.height)(document.querySelector('.play').board)"
    )


def pixels(driver: Driver, row: int, col: int) -> list[int]:
    """The colours around the middle of a cell, as drawn."""
    script = """([x, y]) => {
        const { canvas } = document.querySelector("section.mode:not([hidden])").board;
        const box = canvas.getBoundingClientRect();
        const ratio = canvas.width / box.width;
        const [left, top] = [(x - box.left) * ratio - 8, (y - box.top) * ratio - 8];
        return [...canvas.getContext("2d").getImageData(left, top, 16, 16).data];
    }"""
    found: list[int] = driver.page.evaluate(script, list(driver.place(row, col)))
    return found
