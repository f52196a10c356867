"""The course: lessons that are read, watched and solved, by mouse, keyboard and touch."""

from __future__ import annotations

import pytest
from driver import Driver
from playwright.sync_api import expect
from trainee import marks, verdict

from sapper.train.course import Lesson, lessons

pytestmark = pytest.mark.browser


def solve_lesson(driver: Driver, lesson: Lesson) -> None:
    """Answer the puzzles of a lesson, beginning at its page."""
    driver.page.locator("#lesson-start").click()
    for number, puzzle in enumerate(lesson.puzzles, start=1):
        expect(driver.page.get_by_text(f"Lesson {lesson.number}, puzzle {number} of")).to_be_visible()
        if puzzle.number is not None:
            driver.press(str(puzzle.number))
        else:
            driver.click(*puzzle.solution[0])
        expect(verdict(driver)).to_contain_text("Right.")
        driver.press("n")


def solve_by_request(driver: Driver, lesson: Lesson) -> None:
    """The same, as somebody who has done it before."""
    for puzzle in lesson.puzzles:
        row, col = puzzle.solution[0] if puzzle.solution else (0, 0)
        told = driver.page.request.post(
            f"{driver.address}api/train/check",
            data={"link": puzzle.link, "way": "free", "row": row, "col": col, "number": puzzle.number},
            headers={"Origin": driver.address.rstrip("/")},
        )
        assert told.json()["right"]


def test_a_lesson_is_read_watched_and_solved_and_the_last_ends_with_a_beginner_board(desk: Driver) -> None:
    first, second = lessons()[:2]
    # Train begins with the course until there is a rating.
    desk.visit("train")
    expect(desk.page.locator("#lessons li")).to_have_count(len(lessons()))
    expect(desk.page.locator("#course-progress")).to_have_text(f"0 of {len(lessons())} lessons done.")
    desk.page.locator("#course-on").click()
    expect(desk.page.locator("#lesson-title")).to_have_text(f"1. {first.title}")
    for paragraph in first.text:
        expect(desk.page.locator(".lesson-text")).to_contain_text(paragraph)
    expect(desk.page.locator("#remember")).to_contain_text(first.remember)
    solve_lesson(desk, first)
    expect(desk.page.locator("#gate")).to_contain_text(f"Lesson 1 done!{first.title}{first.remember}")
    desk.page.locator("#gate #next-lesson").click()
    expect(desk.page.locator("#lesson-title")).to_have_text(f"2. {second.title}")
    desk.page.locator("#all-lessons").click()
    expect(desk.page.locator("#course-progress")).to_have_text(f"1 of {len(lessons())} lessons done.")
    expect(desk.page.locator("#lessons li[data-done=true]")).to_have_count(1)
    # Back works from page to page.
    desk.page.go_back()
    expect(desk.page.locator("#lesson-title")).to_have_text(f"2. {second.title}")
    # A reload keeps the puzzle.
    lesson = lessons()[6]
    desk.visit(f"train?lesson={lesson.name}&number=2")
    desk.page.reload()
    expect(desk.page.get_by_text(f"Lesson {lesson.number}, puzzle 2 of")).to_be_visible()
    assert desk.page.url.endswith(f"lesson={lesson.name}&number=2")
    for lesson in lessons()[1:]:
        solve_by_request(desk, lesson)
    desk.visit("train?way=course")
    expect(desk.page.locator("#course-progress")).to_contain_text("You have finished the course.")
    desk.visit(f"train?lesson={lessons()[-1].name}")
    names = desk.page.evaluate("[...document.querySelectorAll('[id]')].map(({ id }) => id)")
    assert len(set(names)) == len(names)
    desk.page.locator("#lesson-play").click()
    expect(desk.page.get_by_role("grid", name="Minesweeper board")).to_have_attribute("aria-rowcount", "9")


def test_the_example_moves_by_itself_unless_less_motion_is_wanted_and_step_by_step(desk: Driver) -> None:
    lesson = lessons()[2]
    desk.page.clock.install()
    desk.visit(f"train?lesson={lesson.name}")
    caption = desk.page.locator("#example-caption")
    expect(caption).to_contain_text(lesson.example[0].caption)
    expect(desk.page.get_by_role("button", name="Pause")).to_be_visible()
    desk.page.clock.run_for(12_000)
    expect(caption).not_to_contain_text(lesson.example[0].caption)
    desk.page.locator("#example-play").click()
    expect(desk.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    # By keys, and each picture with its cells lit up.
    desk.press(*["ArrowLeft"] * len(lesson.example))
    for frame in lesson.example:
        expect(caption).to_contain_text(frame.caption)
        lit = {role: sorted(map(list, cells)) for role, cells in frame.lit if cells}
        assert {role: sorted(cells) for role, cells in marks(desk).items() if role != "best"} == lit
        desk.press("ArrowRight")
    expect(desk.page.locator("#example-on")).to_be_disabled()
    desk.press("Space")
    expect(caption).to_contain_text(lesson.example[0].caption)
    # A look at another mode, and back: at the same lesson and picture.
    desk.press("ArrowRight")
    desk.page.locator("[data-mode=watch]").click()
    expect(caption).to_be_hidden()
    desk.page.locator("[data-mode=train]").click()
    expect(caption).to_contain_text(lesson.example[1].caption)
    desk.page.emulate_media(reduced_motion="reduce")
    lesson = lessons()[0]
    desk.visit(f"train?lesson={lesson.name}")
    expect(desk.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    desk.page.clock.run_for(30_000)
    expect(caption).to_contain_text(lesson.example[0].caption)


def test_a_lesson_on_a_phone_begins_with_the_board_and_the_first_visit_with_a_game(phone: Driver) -> None:
    page = phone.page
    phone.visit("play")
    expect(page.locator("#welcome-card")).to_contain_text("New here?")
    page.locator("#first-steps").tap()
    asked, told = page.locator("#first-asked"), page.locator("#first-told")
    expect(asked).to_have_text("Tap the marked cell to open it.")
    phone.tap(0, 0)
    expect(told).to_contain_text("begin with the marked cell")
    phone.tap(4, 1)
    phone.expect_cell(4, 1, "empty")
    phone.tap(2, 2)
    expect(told).to_contain_text("That is a mine!")
    phone.hold(2, 2)
    phone.expect_cell(2, 2, "flag, right")
    phone.tap(2, 3)
    phone.tap(0, 0)
    expect(told).to_contain_text("You cannot know that yet.")
    safe = [
        (3, 4), (3, 5), (2, 5), (2, 4), (4, 4), (4, 5), (1, 5), (1, 4), (1, 2), (0, 2), (1, 1), (0, 3), (0, 4), (0, 1),
        (0, 0), (2, 0),
    ]  # fmt: skip
    while (cell := next((one for one in safe if phone.board(f"codeAt({one[0]}, {one[1]})") < 0), None)) is not None:
        phone.tap(*cell)
    expect(told).to_contain_text("You won!")
    expect(page.locator("#first-play")).to_be_focused()
    # A learner who has begun is not asked again and finds it in the course and in the help.
    phone.visit("play")
    expect(page.locator("#welcome-card")).to_be_hidden()
    lesson = lessons()[0]
    phone.visit(f"train?lesson={lesson.name}")
    board, text = page.locator(".lesson .stage"), page.locator("#lesson-title")
    expect(board).to_be_in_viewport()
    assert board.bounding_box()["y"] < text.bounding_box()["y"]  # type: ignore[index]
    page.get_by_role("button", name="Pause").tap()
    phone.page.locator("#example-on").scroll_into_view_if_needed()
    phone.page.locator("#example-on").tap()
    expect(phone.page.locator("#example-caption")).to_contain_text(lesson.example[1].caption)
    phone.page.locator("#lesson-start").tap()
    expect(phone.page.locator("#task")).to_have_text(lesson.puzzles[0].task)
    phone.tap(*lesson.puzzles[0].solution[0])
    expect(verdict(phone)).to_contain_text("Right.")
