"""Lab: a small sweep from start to end."""

from __future__ import annotations

import pytest
from driver import Driver
from playwright.sync_api import expect

from sapper.agents.registry import agent_entry

pytestmark = pytest.mark.browser

# Where the figure, the legend, the sheet that holds both, and the values begin or end, from top to bottom.
PLACES = """[[".chart", "bottom"], [".legend", "top"], [".legend", "bottom"], [".sheet", "bottom"], ["details", "top"]]
    .map(([part, edge]) => document.querySelector(`.mode.lab ${part}`).getBoundingClientRect()[edge])"""
FITS = "((desk) => desk.scrollHeight <= desk.clientHeight)(document.querySelector('.mode.lab .desk'))"


def settle(driver: Driver) -> None:
    """A sweep small enough for a test."""
    for name, value in (("Rows", "4"), ("Columns", "4"), ("Games each", "4"), ("Points", "3")):
        driver.page.get_by_label(name, exact=True).fill(value)
    for name in ("contradiction", "exact"):
        driver.page.get_by_role("checkbox", name=name, exact=True).uncheck()
    driver.page.get_by_role("checkbox", name="random", exact=True).check()


def test_a_sweep_runs_and_is_drawn(desk: Driver) -> None:
    desk.visit("lab")
    # What an agent does is said below its name.
    expect(desk.page.locator(".agents")).to_contain_text(agent_entry("one-two").summary)
    settle(desk)
    desk.page.locator("#lab-run").click()
    expect(desk.page.get_by_text("24 of 24 games, finished")).to_be_visible()
    chart = desk.page.get_by_role("img", name="Mines identified against mine density, one line per agent")
    expect(chart.locator("polyline")).to_have_count(2)
    expect(chart.locator("polygon[fill-opacity]")).to_have_count(2)
    desk.press_on(desk.page.get_by_role("button", name="Games won"), "Enter")
    expect(desk.page.get_by_role("img", name="Games won against mine density, one line per agent")).to_be_visible()
    desk.page.locator("summary", has_text="Values").click()
    expect(desk.page.locator("tbody tr")).to_have_count(6)
    for width, height in ((1440, 900), (1280, 720), (820, 1180)):
        desk.page.set_viewport_size({"width": width, "height": height})
        # One below the other: nothing is drawn over anything else.
        desk.wait_until(f"({PLACES}).every((at, k, all) => k === 0 || all[k - 1] <= at)")
        assert desk.page.evaluate(f"{FITS} || {width} <= 940"), (width, height)
    expect(desk.page.get_by_role("region", name="Past sweeps").get_by_role("button").first).to_contain_text("4x4")
    # The address holds the sweep.
    desk.page.reload()
    expect(desk.page.get_by_text("24 of 24 games, finished")).to_be_visible()


def test_touch_asks_for_too_much_and_is_told(phone: Driver) -> None:
    phone.visit("lab")
    chosen = phone.page.locator(".agents input:checked")
    while chosen.count():
        chosen.first.tap()
    phone.page.locator("#lab-run").tap()
    expect(phone.page.locator("#toast")).to_have_text("Choose one to six agents.")
