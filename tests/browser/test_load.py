"""How the page comes up: at once, in the right colours, with the frame of a board."""

from __future__ import annotations

import time

import pytest
from driver import DESK, Driver, visiting
from playwright.sync_api import Browser, Route, expect

pytestmark = pytest.mark.browser

# What a page looks like in every frame until it is ready.
WATCH_COLOURS = """
window.colours = new Set();
const note = () => {
  if (document.body) window.colours.add(getComputedStyle(document.body).backgroundColor);
  requestAnimationFrame(note);
};
requestAnimationFrame(note);
"""


def late(route: Route) -> None:
    time.sleep(0.3)
    route.continue_()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_chosen_colours_are_there_from_the_first_frame(scheme: str, browser: Browser, address: str) -> None:
    chosen = {"origin": address.rstrip("/"), "localStorage": [{"name": "sapper.theme", "value": scheme}]}
    options = {"color_scheme": "dark" if scheme == "light" else "light", "storage_state": {"origins": [chosen]}}
    with visiting(browser, address, **options, **DESK) as driver:
        driver.page.add_init_script(WATCH_COLOURS)
        # Modules come late: what they do is not what counts.
        driver.page.route("**/page.js", late)
        driver.visit("play")
        assert driver.page.evaluate("[...colours]") == ["rgb(15, 20, 21)" if scheme == "dark" else "rgb(234, 237, 232)"]


def test_the_first_paint_is_the_frame_of_a_board_and_waits_for_no_module_or_answer(desk: Driver) -> None:
    held: list[Route] = []  # what comes only when it is let go
    for name in ("page.js", "api/info"):
        desk.page.route(f"**/{name}", lambda route: held.append(route))
    desk.page.goto(desk.address, wait_until="commit")
    desk.wait_until("performance.getEntriesByName('first-contentful-paint').length")
    skeleton = desk.page.locator("#skeleton .stage")
    for name in ("page.js", "api/info"):
        while not held:
            desk.draw()
        assert held[0].request.url.endswith(name)
        expect(skeleton).to_be_visible()
        expect(desk.page.locator(".mode:visible")).to_have_count(1)
        assert desk.page.locator("body[data-ready]").count() == 0
        held.pop().continue_()
    desk.page.wait_for_selector("body[data-ready]")
    expect(skeleton).to_have_count(0)
