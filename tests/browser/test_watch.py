"""Watch: the keys of report 002, the views, two agents."""

from __future__ import annotations

import re

import pytest
from driver import Driver
from playwright.sync_api import Route, expect

from sapper.agents.registry import make_agent
from sapper.play.matches.match import steps
from sapper.rules import Rules
from sapper.world.game import Game

pytestmark = pytest.mark.browser

RULES = "6x6/7 first-any survey"
LINK = f"watch?rules={RULES.replace(' ', '+')}&seed=8"


def reasons(agent: str) -> list[str]:
    """What the agent says in the same game, played here."""
    return [step.decision.reason for step in steps(Game(Rules.parse(RULES), 8), make_agent(agent, 8), flags=True)]


def test_the_keys_of_report_002(desk: Driver) -> None:
    desk.visit(LINK)
    log = desk.page.locator(".log")
    counts = desk.page.locator(".pane:not([hidden]) header p")
    desk.page.locator(".speed input").fill("6")
    desk.press("Escape", "Tab")
    # Space starts the game; the letters run an agent from its start, whatever runs already.
    desk.press_on(desk.page.locator("#main"), "Space")
    desk.press("b")
    expect(desk.page.get_by_role("button", name="Basic")).to_have_attribute("aria-pressed", "true")
    told = reasons("local")
    expect(counts).to_contain_text(f"step {len(told)} of {len(told)}")
    expect(log).to_contain_text(told[-1])
    desk.press("a")
    expect(desk.page.get_by_role("button", name="Improved")).to_have_attribute("aria-pressed", "true")
    told = reasons("contradiction")
    expect(counts).to_contain_text(f"step {len(told)} of {len(told)}")
    for reason in told:
        expect(log).to_contain_text(reason)
    expect(desk.page.locator("#start")).to_have_text("Start")
    desk.press("Enter")
    expect(counts).to_contain_text("step 0")
    expect(log).not_to_contain_text(told[-1])


def test_the_mouse_steps_and_changes_the_view(desk: Driver) -> None:
    game = Game(Rules.parse(RULES), 8)
    list(steps(game, make_agent("contradiction", 8), flags=True))
    desk.visit(LINK)
    desk.page.locator("#step").click()
    expect(desk.page.locator(".log li")).to_have_count(1)
    desk.page.get_by_role("button", name="Actual board").click()
    mines = game.layout
    assert mines is not None
    shown = desk.page.get_by_role("grid", name="Actual board, contradiction")
    expect(shown.locator("[aria-label$=': mine']")).to_have_count(7)
    assert shown.locator("[role=gridcell]").count() == 36
    desk.page.get_by_role("button", name="Start board").click()
    start = desk.page.get_by_role("grid", name="Start board, contradiction")
    expect(start.locator("[aria-label$='hidden']")).to_have_count(36)
    desk.page.get_by_role("button", name="All three").click()
    expect(desk.page.locator(".pane:not([hidden]) figure:not([hidden])")).to_have_count(3)
    desk.page.locator("#reset").click()
    expect(desk.page.locator(".pane:not([hidden]) header p")).to_contain_text("step 0")


def test_touch_compares_two_agents_on_the_same_board(phone: Driver) -> None:
    phone.visit(LINK)
    phone.page.get_by_label("Two agents side by side").tap()
    phone.page.get_by_label("Second agent", exact=True).select_option("exact")
    for _ in range(3):
        phone.page.locator("#step").tap()
        expect(phone.page.locator("#start:not([aria-busy])")).to_be_visible()
    expect(phone.page.locator(".pane:not([hidden])")).to_have_count(2)
    log = phone.page.locator(".log")
    expect(log).to_contain_text(re.compile(r"3\. contradiction: open"))
    expect(log).to_contain_text(re.compile(r"3\. exact: open"))
    assert "versus=exact" in phone.page.url
    assert "rules=6x6/7" in phone.page.url


def test_an_agent_that_thinks_for_long_is_shown_while_it_thinks(desk: Driver) -> None:
    desk.page.route(
        "**/api/watch", lambda route: route.continue_(post_data={**route.request.post_data_json, "seconds": 0})
    )
    desk.visit(f"{LINK}&agent=master")
    desk.page.locator(".speed input").fill("6")
    desk.page.locator("#start").click()
    counts = desk.page.locator(".pane:not([hidden]) header p")
    told = reasons("master")
    # Every part has one step now, and the next is asked for while the last is shown.
    expect(counts).to_contain_text(f"step {len(told)} of {len(told)} ", timeout=30_000)
    log = desk.page.locator(".log")
    for reason in told:
        expect(log).to_contain_text(reason)
    expect(desk.page.locator("#start")).to_have_text("Start")


def test_the_slider_and_the_arrows_go_back_and_forth_with_the_reason_in_view(desk: Driver) -> None:
    told = reasons("contradiction")
    desk.visit(LINK)
    counts = desk.page.locator(".pane:not([hidden]) header p")
    reason = desk.page.locator(".pane:not([hidden]) .reason")
    slider = desk.page.get_by_label("Step", exact=True).and_(desk.page.locator("input"))
    expect(slider).to_be_disabled()
    desk.press("ArrowRight")
    expect(counts).to_contain_text("step 1 of")
    desk.press("End")
    expect(counts).to_contain_text(f"step {len(told)} of {len(told)}")
    slider.fill("2")
    expect(counts).to_contain_text("step 2 of")
    expect(reason).to_contain_text(told[1])
    expect(reason).to_be_in_viewport(ratio=1)
    expect(desk.page.locator(".log li")).to_have_count(2)
    slider.blur()
    desk.press("ArrowLeft")
    expect(reason).to_contain_text(told[0])
    desk.press("ArrowRight", "ArrowRight")
    expect(reason).to_contain_text(told[2])
    expect(desk.page.locator(".log li")).to_have_count(3)
    desk.press("Home")
    expect(counts).to_contain_text("step 0")


def test_any_position_is_analysed_and_back_leads_to_the_same_step(desk: Driver) -> None:
    played = list(steps(Game(Rules.parse(RULES), 8), make_agent("contradiction", 8), flags=True))
    desk.visit(LINK)
    counts = desk.page.locator(".pane:not([hidden]) header p")
    for count in range(1, 4):
        desk.press("s")
        expect(counts).to_contain_text(f"step {count} of")
    desk.page.get_by_role("link", name="Analyse this position, contradiction").click()
    text = desk.page.get_by_label("Position as text")
    expect(text).to_have_value(str(played[2].after))
    desk.page.go_back()
    expect(counts).to_contain_text("step 3 of")
    desk.page.go_forward()
    expect(text).to_be_visible()
    desk.page.reload()  # now nothing of the game is there any more
    expect(text).to_have_value(str(played[2].after))
    desk.page.go_back()
    expect(counts).to_contain_text("step 3 of")
    expect(desk.page.locator(".pane:not([hidden]) .reason")).to_contain_text(played[2].decision.reason)


def test_two_agents_with_all_boards_fit_and_start_moves_nothing(desk: Driver) -> None:
    desk.page.set_viewport_size({"width": 1280, "height": 720})
    desk.visit("watch?rules=16x30/99+first-any+survey&seed=5&agent=contradiction&versus=local")
    beside = desk.page.locator("#step")
    place = beside.bounding_box()
    desk.page.locator("#start").click()
    expect(desk.page.locator("#start")).to_have_text("Pause")
    assert beside.bounding_box() == place
    desk.press("4")
    expect(desk.page.locator(".watch figure:visible")).to_have_count(6)
    desk.wait_until(
        "[...document.querySelectorAll('.watch .scroller')].every("
        "(one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight)"
    )
    expect(desk.page.locator(".watch .scroller").last).to_be_in_viewport(ratio=1)
    expect(desk.page.locator("#start")).to_be_in_viewport(ratio=1)


def test_a_server_that_is_busy_is_asked_again(desk: Driver) -> None:
    n_asked = 0

    def answer(route: Route) -> None:
        nonlocal n_asked
        n_asked += 1
        if n_asked == 1:
            route.fulfill(status=503, json={"error": "The server is busy."})
        else:
            route.continue_()

    desk.page.route("**/api/watch", answer)
    desk.visit(LINK)
    desk.press("s")
    expect(desk.page.locator(".pane:not([hidden]) header p")).to_contain_text("step 1 of")
    expect(desk.page.locator("#toast")).not_to_have_class("error shown")
    desk.faults.clear()  # the browser's own word on the 503


def test_the_rate_of_each_agent_is_told_once_several_games_were_watched(desk: Driver) -> None:
    desk.visit("watch?rules=6x6/7+first-any&seed=8&agent=exact&versus=local")
    rates = desk.page.locator(".pane .rate")
    for number in range(3):
        with desk.page.expect_response("**/api/watch"):
            desk.press("End")
        expect(desk.page.locator(".pane:not([hidden]) header p", has_text=re.compile("won|lost"))).to_have_count(2)
        if number == 0:
            assert rates.all_text_contents() == ["", ""]
        else:
            expect(rates.first).to_have_text(re.compile(rf"Won \d of {number + 1} games"))
            expect(rates.last).to_have_text(re.compile(rf"Won \d of {number + 1} games"))
        # Going back and forth does not count a game twice.
        desk.press("Home", "End")
        desk.press("n")
    desk.visit(LINK)
    for _ in range(2):
        desk.press("End")
        expect(desk.page.locator(".pane:not([hidden]) header p").first).to_contain_text("finished")
        desk.press("n")
    expect(rates.first).to_have_text(re.compile(r"2 games: \d+% of mines identified"))


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_the_reasons_of_two_agents_are_in_view(desk: Driver, size: tuple[int, int]) -> None:
    desk.page.set_viewport_size({"width": size[0], "height": size[1]})
    desk.visit("watch?rules=16x16/40+first-any&seed=8&agent=exact&versus=local&step=3")
    for at in range(2):
        reason = desk.page.locator(".pane .reason").nth(at)
        expect(reason).to_contain_text("Opened")
        box = reason.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < size[1] - 60
    assert desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # A cell that a reason names is shown on the boards of its own agent.
    desk.page.locator(".pane .reason").nth(1).locator(".cell-name").first.hover()
    shown = "document.querySelector('section.watch').boards.map((board) => board.pointed >= 0)"
    assert desk.page.evaluate(shown) == [False, True]
