"""Watch: the keys of report 002, the views, two agents."""

from __future__ import annotations

import re

import pytest
from driver import Driver
from playwright.sync_api import Route, expect

from sapper.agents.registry import agent_entry, make_agent
from sapper.play.match import steps
from sapper.rules import PRESETS, Rules
from sapper.world.game import Game

pytestmark = pytest.mark.browser

RULES = "6x6/7 first-any survey"
TOPS = """[...document.querySelectorAll(".watch .stage")].filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect().top)"""
LINK = f"watch?rules={RULES.replace(' ', '+')}&seed=8"


def reasons(agent: str) -> list[str]:
    """What the agent says in the same game, played here."""
    return [step.decision.reason for step in steps(Game(Rules.parse(RULES), 8), make_agent(agent, 8), flags=True)]


def test_mouse_slider_and_the_keys_of_report_002_go_through_a_game_and_back_leads_to_the_same_step(
    desk: Driver,
) -> None:
    played = list(steps(Game(Rules.parse(RULES), 8), make_agent("contradiction", 8), flags=True))
    told = [step.decision.reason for step in played]
    desk.page.set_viewport_size({"width": 1280, "height": 720})
    desk.visit("watch?rules=16x16/40+first-any+survey&seed=5&agent=contradiction")
    # The agent in a sentence, and the board that its report plays it on; large enough to see what it does.
    about = desk.page.locator(".introduction").first
    entry = agent_entry("contradiction")
    expect(about.locator("p").first).to_have_text(entry.summary)
    desk.wait_until("document.querySelector('section.watch').boards[0].geometry.size >= 24")  # pixels
    for number in entry.reports:
        about.get_by_role("link", name=f"report {number}").click()
        desk.wait_until("(rules) => location.hash.includes(rules)", str(PRESETS[f"report-{number}"]).replace(" ", "+"))
    desk.visit(LINK)
    counts = desk.page.locator(".pane:not([hidden]) header p")
    reason = desk.page.locator(".pane:not([hidden]) .reason")
    slider = desk.page.get_by_label("Step", exact=True).and_(desk.page.locator("input"))
    expect(slider).to_be_disabled()
    desk.page.locator("#step").click()
    expect(desk.page.locator(".log li")).to_have_count(1)
    desk.page.get_by_role("button", name="Actual board").click()
    shown = desk.page.get_by_role("grid", name="Actual board, contradiction")
    expect(shown.locator("[aria-label$=': mine']")).to_have_count(7)
    assert shown.locator("[role=gridcell]").count() == 36
    desk.page.get_by_role("button", name="Start board").click()
    start = desk.page.get_by_role("grid", name="Start board, contradiction")
    expect(start.locator("[aria-label$='hidden']")).to_have_count(36)
    desk.page.get_by_role("button", name="All three").click()
    expect(desk.page.locator(".pane:not([hidden]) figure:not([hidden])")).to_have_count(3)
    desk.page.locator("#reset").click()
    expect(counts).to_contain_text("step 0")
    desk.press("1")
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
    # A look elsewhere, and back: at the same step. Where one is, the link starts again.
    link = desk.page.locator(".modes [data-mode=watch]")
    assert link.get_attribute("href") == "#/watch"
    desk.page.locator(".modes [data-mode=you]").click()
    expect(counts).to_be_hidden()
    link.click()
    expect(counts).to_be_visible()
    expect(counts).to_contain_text("step 3 of")
    desk.press("Home")
    expect(counts).to_contain_text("step 0")
    # Any position is analysed, and back leads to the same step.
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
    expect(reason).to_contain_text(played[2].decision.reason)
    # The keys: Space starts the game; the letters run an agent from its start, whatever runs already.
    log = desk.page.locator(".log")
    desk.page.locator(".speed input").fill("6")
    desk.press("Escape", "Tab")
    desk.press_on(desk.page.locator("#main"), "Space")
    desk.press("b")
    expect(desk.page.get_by_role("button", name="Basic")).to_have_attribute("aria-pressed", "true")
    locally = reasons("local")
    expect(counts).to_contain_text(f"step {len(locally)} of {len(locally)}")
    expect(log).to_contain_text(locally[-1])
    desk.press("a")
    expect(desk.page.get_by_role("button", name="Improved")).to_have_attribute("aria-pressed", "true")
    expect(counts).to_contain_text(f"step {len(told)} of {len(told)}")
    for words in told:
        expect(log).to_contain_text(words)
    expect(desk.page.locator("#start")).to_have_text("Again")
    desk.press("Enter")
    expect(counts).to_contain_text("step 0")
    expect(log).not_to_contain_text(told[-1])


def test_the_keys_of_watch_work_whatever_was_clicked_before(desk: Driver) -> None:
    page = desk.page
    # A long game: one that is over at once would stop by itself.
    desk.visit("watch?rules=16x30/99+survey&seed=5&agent=local")
    start = page.locator("#start")
    for clicked in ("summary >> visible=true", "section.watch .tick >> nth=0", ".modes a[data-mode=watch]"):
        page.locator(f"section.watch {clicked}" if clicked.startswith("summary") else clicked).first.click()
        desk.draw()  # a link is followed a moment later
        desk.press("Space")
        expect(start).to_have_text("Pause")
        desk.press("Space")
        expect(start).to_have_text("Start")
    desk.press("b")
    expect(page.get_by_role("button", name="Basic: local")).to_have_attribute("aria-pressed", "true")
    # A choice by mouse gives the keys back as well.
    choice = page.get_by_label("Agent", exact=True)
    choice.dispatch_event("pointerdown")
    choice.focus()
    choice.select_option("exact")
    desk.press("a")
    expect(choice).to_have_value("contradiction")


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


def test_a_server_that_is_busy_is_asked_again_and_an_agent_shown_while_it_thinks(desk: Driver) -> None:
    n_asked = 0

    def answer(route: Route) -> None:
        nonlocal n_asked
        n_asked += 1
        if n_asked == 1:
            route.fulfill(status=503, json={"error": "The server is busy."})
        else:  # every part has one step now, and the next is asked for while the last is shown
            route.continue_(post_data={**(route.request.post_data_json or {}), "seconds": 0})

    desk.page.route("**/api/watch", answer)
    desk.visit(f"{LINK}&agent=master")
    counts = desk.page.locator(".pane:not([hidden]) header p")
    desk.press("s")
    expect(counts).to_contain_text("step 1 of")
    expect(desk.page.locator("#toast")).not_to_have_class("error shown")
    desk.forgive("503")  # the browser's own word on it
    desk.page.locator(".speed input").fill("6")
    desk.page.locator("#start").click()
    told = reasons("master")
    expect(counts).to_contain_text(f"step {len(told)} of {len(told)} ")
    for reason in told:
        expect(desk.page.locator(".log")).to_contain_text(reason)
    expect(desk.page.locator("#start")).to_have_text("Again")


def test_two_agents_fit_side_by_side_with_their_reasons_in_view_and_their_rates(desk: Driver) -> None:
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
    desk.press("1")
    desk.page.locator("#start").click()
    expect(desk.page.locator("#start")).to_have_text("Start")
    desk.visit("watch?rules=16x16/40+first-any&seed=8&agent=exact&versus=local&step=3")
    for width, height in ((1280, 720), (390, 844)):
        desk.page.set_viewport_size({"width": width, "height": height})
        for at in range(2):
            reason = desk.page.locator(".pane .reason").nth(at)
            expect(reason).to_contain_text("Opened")
            box = reason.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] < height - 60
        assert desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        # A cell that a reason names is shown on the boards of its own agent.
        desk.page.locator(".pane .reason").nth(1).locator(".cell-name").first.hover()
        desk.wait_until("document.querySelector('section.watch').boards.map(({ pointed }) => pointed >= 0)[1]")
        assert desk.page.evaluate("document.querySelector('section.watch').boards[0].pointed") == -1
        desk.page.mouse.move(1, 1)
    desk.page.set_viewport_size({"width": 1280, "height": 720})
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
        assert len(set(desk.page.evaluate(TOPS))) == 1  # level, though one of them was done earlier
        # Going back and forth does not count a game twice.
        desk.press("Home", "End")
        desk.press("n")
    desk.visit(LINK)
    for _ in range(2):
        desk.press("End")
        expect(desk.page.locator(".pane:not([hidden]) header p").first).to_contain_text("finished")
        desk.press("n")
    expect(rates.first).to_have_text(re.compile(r"2 games: \d+% of mines identified"))


def test_a_game_stands_still_while_the_page_is_hidden_and_then_goes_on(desk: Driver) -> None:
    def hide(is_hidden: bool) -> None:
        desk.page.evaluate(
            """(hidden) => {
                Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
                document.dispatchEvent(new Event("visibilitychange"));
            }""",
            is_hidden,
        )

    desk.visit("watch?rules=30x30/150+first-any+survey&seed=8&agent=contradiction")
    counts = desk.page.locator(".pane:not([hidden]) header p")
    desk.page.locator("#start").click()
    expect(counts).to_contain_text(re.compile(r"step [1-9]"))
    hide(True)
    seen = counts.inner_text()
    desk.page.wait_for_timeout(700)  # some steps' worth
    assert counts.inner_text() == seen
    hide(False)
    expect(counts).not_to_have_text(seen)
