"""Review: a record, move by move."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from driver import ROOT, Driver
from playwright.sync_api import expect

from sapper.play.matches.record import Record
from sapper.play.review.judging import review_record

pytestmark = pytest.mark.browser

RECORD = """Sapper-Record: 1
Rules: 6x6/6 first-opening
Seed: 5
Moves:
open 0,0 | a corner
open 5,5
"""


def reviewed() -> list[str]:
    return [one.verdict for one in review_record(Record.parse(RECORD)).moves]


def open_record(driver: Driver) -> None:
    driver.visit("review")
    driver.page.get_by_label("Record as text").fill(RECORD)


def test_the_mouse_opens_a_record_and_looks_around(desk: Driver) -> None:
    open_record(desk)
    desk.page.locator("#review-text").click()
    card = desk.page.locator("#move-card")
    expect(card).to_be_visible()
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


def test_wins_lost_are_estimated_when_asked_for(desk: Driver) -> None:
    open_record(desk)
    desk.page.locator("#review-text").click()
    number = next(n for n, one in enumerate(review_record(Record.parse(RECORD)).moves) if one.p_mine)
    game = desk.page.get_by_role("region", name="The game")
    expect(game).to_contain_text("what the risks cost is not known")
    desk.page.locator("#estimate-wins").click()
    expect(game).to_contain_text("Wins lost by the choice of moves", timeout=120_000)
    expect(desk.page.locator("#estimate-wins")).to_have_count(0)
    desk.page.locator(f'.moves button[data-at="{number}"]').click()
    expect(desk.page.locator("#move-card")).to_contain_text("Wins lost by it")


def test_the_keyboard_goes_through_a_game_just_lost(desk: Driver) -> None:
    desk.visit("play?rules=5x5/10+first-safe&seed=1")
    for row in range(5):
        for col in range(5):
            if desk.page.locator("#review-this").count() == 0:
                desk.click(row, col)
                desk.page.wait_for_timeout(60)
    desk.page.locator("#review-this").focus()
    desk.press("Enter")
    card = desk.page.locator("#move-card")
    expect(card).to_be_visible()
    desk.page.locator("#main").focus()
    desk.press("Home")
    expect(card).to_contain_text("Move 1:")
    desk.press("ArrowRight")
    expect(card).to_contain_text("Move 2:")
    desk.press("End")
    expect(card).to_contain_text("End of the game")
    desk.press("m")
    expect(card.locator(".badge.mistake, .badge.unlucky")).to_be_visible()


def test_touch_and_a_record_that_is_none(phone: Driver) -> None:
    open_record(phone)
    phone.page.locator("#review-text").tap()
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
    expect(desk.page.get_by_role("region", name="The game")).to_contain_text(record.result)


def test_the_example_has_a_mistake_a_forced_guess_and_bad_luck(phone: Driver) -> None:
    phone.visit("review")
    phone.page.locator("#review-example").tap()
    expect(phone.page.locator(".moves .badge.mistake")).to_have_count(1, timeout=120_000)
    expect(phone.page.locator(".moves .badge.forced")).to_have_count(1)
    expect(phone.page.locator(".moves .badge.unlucky")).to_have_count(1)
    # On a phone the verdict stands beside the slider.
    expect(phone.page.locator(".now-line .badge")).to_be_visible()


def test_every_word_of_the_example_is_the_server_s(desk: Driver) -> None:
    desk.visit("review")
    with desk.page.expect_response("**/api/review") as answered:
        desk.page.locator("#review-example").click()
    told = answered.value.json()
    game = desk.page.get_by_role("region", name="The game")
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
