"""Review: a record, move by move."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Any

import pytest
from driver import ROOT, Driver
from playwright.sync_api import Request, Route, expect

from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.play.record import Record
from sapper.play.review.review import review_record
from sapper.web.jobs import games

pytestmark = pytest.mark.browser

MARKS = "document.querySelector('section.review').board.marks"
RECORD = """Sapper-Record: 1
Rules: 6x6/6 first-opening
Seed: 5
Moves:
open 0,0 | a corner
open 5,5
"""


def open_record(driver: Driver) -> None:
    driver.visit("review")
    driver.page.get_by_label("Record as text").fill(RECORD)


def test_the_mouse_opens_a_record_looks_around_and_has_any_position_analysed(desk: Driver) -> None:
    open_record(desk)
    held: list[Route] = []
    desk.page.route("**/api/review", lambda route: held.append(route))
    desk.page.locator("#review-text").click()
    card, waiting = desk.page.locator("#move-card"), desk.page.get_by_text("Reviewing the game …")
    expect(waiting).to_be_visible()
    while not held:
        desk.draw()
    held[0].continue_()
    expect(card).to_be_visible()
    expect(waiting).to_be_hidden()
    desk.page.unroute("**/api/review")
    review = review_record(Record.parse(RECORD))
    desk.page.get_by_role("button", name="First move").click()
    expect(card).to_contain_text("Move 1: open (0, 0)")
    expect(card).to_contain_text("a corner")
    assert desk.page.locator(".moves .badge").all_text_contents() == [one.verdict.capitalize() for one in review.moves]
    desk.page.locator("#review-next").click()
    expect(card).to_contain_text("Move 2: open (5, 5)")
    expect(card).to_contain_text("Least possible")
    desk.page.get_by_role("button", name="End of the game").click()
    expect(card).to_contain_text("End of the game")
    if review.last_safe is not None:
        desk.page.locator("#last-safe").click()
        expect(card).to_contain_text(f"Move {review.last_safe + 1}:")
    # Back leads to the same move.
    desk.press("Home", "ArrowRight")
    desk.page.locator("#analyse-this").click()
    before = str(review.moves[1].before)
    expect(desk.page.get_by_label("Position as text")).to_have_value(before)
    desk.page.go_back()
    expect(card).to_contain_text("Move 2: open (5, 5)")
    # The same after a reload, from the tab's own memory.
    desk.page.wait_for_url("**move=1")
    desk.page.reload()
    expect(card).to_contain_text("Move 2: open (5, 5)")
    desk.page.locator("#analyse-this").click()
    expect(desk.page.get_by_label("Position as text")).to_have_value(before)
    desk.page.reload()
    desk.page.go_back()
    expect(card).to_contain_text("Move 2: open (5, 5)")


def test_the_chance_to_win_comes_by_itself_in_the_server_s_words_and_the_curve_leads_to_moves(desk: Driver) -> None:
    asked: list[Any] = []

    def note(request: Request) -> None:
        if request.url.endswith("/api/review/wins"):
            asked.append(request.post_data_json)

    desk.page.on("request", note)
    desk.visit("review")
    desk.page.locator("#review-example").click()
    # The board is there before anything is estimated.
    expect(desk.page.locator("#move-card")).to_be_visible()
    expect(desk.page.locator("#estimating")).to_contain_text("Win chances are exact")
    assert [fields["games"] for fields in asked if fields["since"] == 0] == [20, 200]
    game = desk.page.get_by_role("region", name="The game")
    expect(game).to_contain_text("Win chance lost by the choice of moves")
    # A mistake and bad luck have shapes of their own.
    signs = desk.page.locator(".strip .sign")
    assert [one.get_attribute("href").rpartition("#")[2] for one in signs.all()] == ["warn", "bolt"]  # type: ignore[union-attr]
    assert desk.page.locator(".strip .wins").count() > 3
    box = signs.last.bounding_box()
    assert box is not None
    desk.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(desk.page.locator("#move-card .badge.unlucky")).to_be_visible()
    desk.press("ArrowLeft")
    expect(desk.page.locator("#move-card")).to_contain_text("Move 29:")
    desk.press("ArrowRight")
    slider = desk.page.get_by_label("Move", exact=True)
    expect(slider).to_have_attribute("aria-valuetext", re.compile("win chance"))
    expect(desk.page.locator('.moves [aria-current="true"] .chance')).to_have_text("50%")
    record = desk.page.evaluate("Object.values(sessionStorage).map(JSON.parse).find((one) => one.record).record")
    told: Any = games.review(record, 200)
    for line in told["summary"]:
        expect(game).to_contain_text(line)
    card = desk.page.locator("#move-card")
    (number,) = told["mistakes"]
    for at in (number, len(told["moves"]) - 1):
        desk.page.locator(f'.moves button[data-at="{at}"]').click()
        for line in told["moves"][at]["words"]:
            expect(card).to_contain_text(line)
        assert card.locator("dd").all_text_contents() == [one for one in told["moves"][at]["figures"].values() if one]
    assert told["moves"][number]["wins"]["lost"][1] > 0


def test_nothing_is_estimated_for_somebody_who_has_left(desk: Driver) -> None:
    held: list[Route] = []
    desk.page.route("**/api/review/wins", lambda route: held.append(route))
    open_record(desk)
    desk.page.locator("#review-text").click()
    expect(desk.page.locator("#estimating")).to_have_text("Estimating the win chance …")
    expect(desk.page.locator("#waiting")).to_be_hidden()
    with desk.page.expect_event("requestfailed", lambda one: one.url.endswith("/api/review/wins")):
        desk.page.locator("[data-mode=lab]").click()
    # Whoever comes back has it go on.
    desk.page.unroute("**/api/review/wins")
    desk.page.go_back()
    expect(desk.page.locator("#estimating")).to_contain_text("Estimated from")


def test_the_keyboard_goes_through_a_game_just_lost(desk: Driver) -> None:
    desk.visit("play?rules=5x5/10+first-safe&seed=1")
    desk.open_until_over(5, 5)
    desk.press_on(desk.page.locator("#review-this"), "Enter")
    card = desk.page.locator("#move-card")
    expect(card).to_be_visible()
    desk.press_on(desk.page.locator("#main"), "Home")
    expect(card).to_contain_text("Move 1:")
    desk.press("ArrowRight")
    expect(card).to_contain_text("Move 2:")
    desk.press("End")
    expect(card).to_contain_text("End of the game")
    desk.press("m")
    expect(card.locator(".badge.mistake, .badge.unlucky")).to_be_visible()


def test_touch_opens_the_example_a_record_and_one_that_is_none(phone: Driver) -> None:
    phone.visit("review")
    phone.page.locator("#review-example").tap()
    expect(phone.page.locator(".moves .badge.mistake")).to_have_count(1, timeout=120_000)
    expect(phone.page.locator(".moves .badge.forced")).to_have_count(1)
    expect(phone.page.locator(".moves .badge.unlucky")).to_have_count(1)
    # On a phone the verdict stands beside the slider.
    expect(phone.page.locator(".now-line .badge")).to_be_visible()
    phone.page.get_by_label("Record as text").fill(RECORD)
    phone.page.locator("#review-text").tap()
    expect(phone.page.locator(".moves .badge")).to_have_count(2)
    phone.page.locator("#review-back").tap()
    expect(phone.page.locator("#move-card")).to_contain_text("Move 1")
    phone.page.get_by_label("Record as text").fill("nothing of the kind")
    phone.page.locator("#review-text").tap()
    expect(phone.page.locator("#toast")).to_contain_text("Line 1: 'nothing of the kind'")
    expect(phone.page.locator("#toast")).to_have_class("error shown")


@pytest.mark.skipif(find_spec("ms_toollib") is None, reason="the extra `replays` is missing")
def test_a_replay_of_another_program_is_opened_from_its_file(desk: Driver) -> None:
    path = ROOT / "tests" / "data" / "replays" / "lost.avf"
    record = Record.parse(path.with_suffix(".record").read_text(encoding="utf-8"))
    desk.visit("review")
    desk.page.get_by_label("Record file").set_input_files(path)
    expect(desk.page.locator(".moves .badge")).to_have_count(len(record.moves))
    game = desk.page.get_by_role("region", name="The game")
    expect(game).to_contain_text(f"Lost after {len(record.moves)} moves.")


def open_example(driver: Driver) -> None:
    """The example without the games played on, which take a while."""
    nothing: dict[str, object] = {
        "games": 20,
        "done": 0,
        "total": 0,
        "next": None,
        "moves": [],
        "summary": None,
        "mistakes": None,
    }
    driver.page.route("**/api/review/wins", lambda route: route.fulfill(json=nothing))
    driver.visit("review")
    driver.page.locator("#review-example").click()
    expect(driver.page.locator("#move-card")).to_be_visible()


def test_the_board_shows_the_chances_the_better_cell_and_its_proof_and_at_the_end_the_mines(desk: Driver) -> None:
    open_example(desk)
    review = review_record(Record.parse(desk.page.evaluate("Object.values(sessionStorage).map(JSON.parse)[0].record")))
    number = int(desk.page.locator('.moves [aria-current="true"]').get_attribute("data-at") or "")
    move = review.moves[number]
    chances = mine_probabilities(move.before).p_mine
    row, col = move.best[0]
    reason = desk.page.locator("#reason-card")
    expect(reason).to_contain_text(f"Why ({row}, {col})?")
    for sentence in (step.sentence for step in explain(move.before, row, col).steps):
        expect(reason).to_contain_text(sentence)
    cell = (move.move.row, move.move.col)
    assert desk.board(f"chanceAt({cell[0]}, {cell[1]})")["p"] == pytest.approx(chances[cell], abs=1e-12)
    marks = dict(desk.page.evaluate(f"[...{MARKS}]"))
    assert "best" in marks[row * 9 + col]
    assert "last" in marks[cell[0] * 9 + cell[1]]
    desk.page.get_by_label("Risks on the board").uncheck()
    assert desk.board(f"chanceAt({cell[0]}, {cell[1]})") is None
    desk.press("End")
    expect(desk.page.get_by_role("grid").locator("[aria-label$=': mine']")).to_have_count(13)
    expect(reason).to_be_hidden()


def test_bars_stand_above_the_slider_and_figures_stay_in_their_card(desk: Driver) -> None:
    def answer(route: Route) -> None:
        told = route.fetch().json()
        for move in told["moves"]:
            share = [0.925, 0.881, 0.956]
            move |= {"p_mine": 0.925, "best_p": 0.881, "wins": {"exact": False, "best": share, "lost": share}}
            move["wins"]["played"] = share
        route.fulfill(json=told)

    desk.page.route("**/api/review", answer)
    desk.page.route(
        "**/api/games",
        lambda route: route.fulfill(json=[{"id": "a", "rules": "9x9/10", "outcome": "lost", "moves": 1}]),
    )
    open_record(desk)
    expect(desk.page.get_by_role("region", name="Open a game")).to_contain_text("Lost, 1 move")
    expect(desk.page.get_by_role("region", name="Open a game")).not_to_contain_text("1 moves")
    desk.page.locator("#review-text").click()
    expect(desk.page.locator("#move-card")).to_be_visible()
    assert desk.page.evaluate(
        "[...document.querySelectorAll('#move-card, #move-card *')].every((one) => one.scrollWidth <= one.clientWidth"
        " || getComputedStyle(one).display === 'inline' || one.closest('svg'))"
    )
    slider = desk.page.get_by_label("Move", exact=True)
    box = slider.bounding_box()
    assert box is not None
    for at in range(3):
        slider.fill(str(at))
        desk.wait_until(
            "(middle) => { const now = document.querySelector('.strip .now')?.getBoundingClientRect(); "
            "return now && Math.abs(now.x + now.width / 2 - middle) < 1.5; }",
            box["x"] + 8 + (box["width"] - 16) * at / 2,
        )
