"""Sprint, survival and progress; and the way from a lost game in Review to a puzzle of it."""

from __future__ import annotations

import re

import pytest
from driver import Driver
from playwright.sync_api import expect
from trainee import asked, verdict, wrong_cell

from sapper.train import LEVELS, read_link

pytestmark = pytest.mark.browser

LOST = (
    "Sapper-Record: 1\nRules: 4x5/4 first-any\nSeed: 5\nLayout: ---*-/-----/*----/*--*-\nMoves:\nopen 0,0\nopen 2,0\n"
)


def shown_link(driver: Driver) -> str:
    """The link of the puzzle that is asked now."""
    driver.wait_until("location.hash.includes('puzzle=')")
    found = re.search(r"puzzle=([^&]+)", driver.page.url)
    assert found is not None
    return found[1]


def begin(driver: Driver, way: str) -> None:
    driver.visit(f"train?way={way}")
    driver.page.locator("#begin").click()
    expect(driver.page.locator("#task")).to_be_visible()


def answer(driver: Driver, *, is_right: bool) -> str:
    """Answer the puzzle that is asked, and wait for the next; its link."""
    link = shown_link(driver)
    puzzle = read_link(link)
    assert puzzle.kind in LEVELS
    driver.click(*(puzzle.solution[0] if is_right else wrong_cell(puzzle)))
    return link


def test_a_sprint_goes_on_by_itself_until_time_is_up(desk: Driver) -> None:
    desk.page.clock.install()
    begin(desk, "sprint")
    expect(desk.page.locator(".clock")).to_have_text(re.compile(r"[23]:\d\d"))
    link = answer(desk, is_right=True)
    expect(desk.page.get_by_text("1 solved")).to_be_visible()
    desk.page.clock.run_for(1000)
    desk.wait_until("(link) => !location.hash.includes(link)", link)
    # A wrong answer costs time, and leads on as well.
    link = answer(desk, is_right=False)
    desk.page.clock.run_for(1000)
    desk.wait_until("(link) => !location.hash.includes(link)", link)
    # A reload keeps the round, and so does a look elsewhere: in another mode, and at another part of Train.
    desk.page.reload()
    expect(desk.page.get_by_text("1 solved")).to_be_visible()
    link = shown_link(desk)
    sprint, course = desk.page.locator(".ways [data-way=sprint]"), desk.page.locator(".ways [data-way=course]")
    for there, back in (("[data-mode=watch]", "[data-mode=train]"), (".ways [data-way=rated]", None)):
        desk.page.locator(there).click()
        expect(desk.page.get_by_text("1 solved")).to_be_hidden()
        (sprint if back is None else desk.page.locator(back)).click()
        expect(desk.page.get_by_text("1 solved")).to_be_visible()
        assert shown_link(desk) == link
    # It ends by itself there too.
    course.click()
    expect(desk.page.locator("#lessons")).to_be_visible()
    desk.page.clock.run_for(181_000)
    assert desk.page.url.endswith("way=course")
    sprint.click()
    expect(desk.page.get_by_text("Time is up")).to_be_visible()
    expect(desk.page.locator(".result")).to_have_text("1 puzzle solved")


def test_the_weakest_pattern_can_be_trained_and_survival_ends_with_three_mistakes(desk: Driver) -> None:
    desk.visit("train?way=rated")
    for seed in range(6):
        for kind, give_up in (("pairs", True), ("single", False)):
            link = f"{kind}.9x9.10.{seed}"
            row, col = read_link(link).solution[0]
            told = desk.page.request.post(
                f"{desk.address}api/train/check",
                data={"link": link, "row": row, "col": col, "give_up": give_up},
                headers={"Origin": desk.address.rstrip("/")},
            )
            assert told.ok
    desk.visit("train?way=progress")
    expect(desk.page.locator("#weakest")).to_contain_text("Pairs")
    desk.page.locator("#train-weakest").click()
    assert shown_link(desk).startswith("pairs.")
    begin(desk, "survival")
    expect(desk.page.get_by_label("3 lives left")).to_be_visible()
    before = answer(desk, is_right=True)
    desk.wait_until("(link) => !location.hash.includes(link)", before)
    links = []
    for lives in ("2 lives left", "1 life left", "0 lives left"):
        links.append(answer(desk, is_right=False))
        # There is time to read why.
        expect(verdict(desk)).to_contain_text("Wrong.")
        expect(desk.page.get_by_label(lives)).to_be_visible()
        desk.press("n")
        expect(desk.page.locator("#answer-card")).to_be_hidden()
    expect(desk.page.get_by_text("No lives left")).to_be_visible()
    desk.expect_said("The round is over.")
    expect(desk.page.locator(".result")).to_have_text("1 puzzle solved")
    expect(desk.page.get_by_text("Your best round so far!")).to_be_visible()
    mistakes = desk.page.locator("#gate .list a")
    expect(mistakes).to_have_count(3)
    mistakes.first.click()
    desk.wait_until("(link) => location.hash.includes(link)", links[0])
    expect(desk.page.locator("#task")).to_be_visible()
    # The others are still there.
    desk.page.go_back()
    expect(mistakes).to_have_count(3)
    expect(desk.page.get_by_text("Your best: 1 solved.")).to_be_visible()
    # Another board has a best of its own.
    desk.page.locator("#round-board").select_option("9x9/16 hex")
    expect(desk.page.get_by_text("Your best: 1 solved.")).to_have_count(0)
    desk.press("n")
    expect(desk.page.get_by_label("3 lives left")).to_be_visible()
    expect(desk.page.locator("#puzzle-board")).to_contain_text("hexagons")


def test_progress_adds_up_what_was_answered_and_a_lost_game_in_review_leads_to_a_puzzle_of_it(desk: Driver) -> None:
    puzzle = asked(desk, "pairs.9x9.10.7")
    desk.click(*puzzle.solution[0])
    expect(verdict(desk)).to_contain_text("Right.")
    puzzle = asked(desk, "subsets.9x9.10.4")
    desk.click(*wrong_cell(puzzle))
    expect(verdict(desk)).to_contain_text("Wrong.")
    desk.page.get_by_role("link", name="Progress").click()
    numbers = desk.page.locator("#train-numbers")
    expect(numbers).to_contain_text("50%")
    expect(desk.page.locator("#train-kinds tbody tr")).to_have_count(2)
    expect(desk.page.locator("#train-chart polyline")).to_have_count(1)
    desk.page.locator("#train-chart-kind").select_option("pairs")
    expect(desk.page.locator("#train-chart polyline")).to_have_count(1)
    expect(desk.page.locator("#due")).to_contain_text("Nothing is due now. The next puzzle is due on")
    # The same is in the file of one's data.
    desk.page.locator("section.train").get_by_role("link", name="Statistics").click()
    with desk.page.expect_download() as download:
        desk.page.locator("[data-export=json]").click()
    assert '"attempts":[{"kind":"pairs"' in download.value.path().read_text(encoding="utf-8")
    desk.visit("review")
    desk.page.get_by_label("Record as text").fill(LOST)
    desk.page.locator("#review-text").click()
    desk.page.locator("#train-this").click()
    expect(desk.page.locator("#task")).to_have_text("Open a cell that is certainly safe.")
    puzzle = read_link(shown_link(desk))
    assert puzzle.seed is None
    assert str(puzzle.position).startswith("001##/")
    desk.click(*puzzle.solution[0])
    expect(verdict(desk)).to_contain_text("Right.")
    desk.page.go_back()
    expect(desk.page.locator("#train-this")).to_be_visible()
