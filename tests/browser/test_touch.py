"""Two fingers on a large board: they zoom and move it, and nothing is opened by them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from driver import Driver
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

Point = tuple[float, float]
PLACE = "play?rules=60x60/400+first-opening&seed=4"


class Fingers:
    """Fingers that are down."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._session = driver.page.context.new_cdp_session(driver.page)

    def _send(self, kind: str, *points: Point) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def move(self, start: tuple[Point, Point], end: tuple[Point, Point], n_steps: int = 8) -> None:
        """Put two fingers down, one after the other, move them and take them away."""
        self._send("touchStart", start[0])
        self._send("touchStart", *start)
        for step in range(1, n_steps + 1):
            between = [
                (one[0] + (two[0] - one[0]) * step / n_steps, one[1] + (two[1] - one[1]) * step / n_steps)
                for one, two in zip(start, end, strict=True)
            ]
            self._send("touchMove", *between)
            self._driver.draw()
        self._send("touchEnd", end[0])
        self._send("touchEnd")
        self._driver.draw()

    def close(self) -> None:
        self._session.detach()


@contextmanager
def fingers(driver: Driver) -> Iterator[Fingers]:
    found = Fingers(driver)
    yield found
    found.close()


def around(x: float, y: float, half: float) -> tuple[Point, Point]:
    return (x - half, y - half / 2), (x + half, y + half / 2)


def test_a_board_is_in_sight_whatever_was_scrolled_before_and_flags_are_near_the_thumb(phone: Driver) -> None:
    page = phone.page
    phone.visit("lab")
    page.evaluate("scrollTo(0, 400)")
    assert page.evaluate("scrollY") > 0
    phone.visit("play?rules=6x6/6+first-opening&seed=5")
    mode = page.locator("#flag-mode")
    box = mode.bounding_box()
    assert box is not None
    assert box["y"] > phone.place(5, 5)[1]
    expect(mode).to_be_in_viewport()
    phone.tap(0, 0)
    phone.expect_cell(0, 0, "empty")
    # A hint leaves it in sight.
    page.locator("#hint").tap()
    expect(page.locator("#hint-card .primary")).to_be_visible()
    mode.tap()
    expect(mode).to_have_attribute("aria-pressed", "true")
    page.locator("#hint-card header button").tap()
    phone.tap(5, 5)
    phone.expect_cell(5, 5, "flag")


def test_two_fingers_zoom_and_move_a_large_board_and_one_taps_as_before(phone: Driver) -> None:
    phone.visit("play?rules=9x9/10&seed=3")
    larger = phone.page.get_by_role("button", name="Larger")
    expect(larger).to_be_hidden()  # everything is seen
    phone.visit(PLACE)
    phone.board("reveal(40, 40)")
    phone.draw()
    box = phone.page.locator(".play .stage").bounding_box()
    assert box is not None
    # A cell in the middle of what is seen, some way into the board.
    cell = phone.board(f"cellAt({box['x'] + box['width'] / 2}, {box['y'] + box['height'] / 2})")
    size, (x, y) = phone.board("geometry.size"), phone.place(*cell)
    with fingers(phone) as two:
        two.move(around(x, y, 40), around(x - 60, y - 45, 40))
        assert phone.board("geometry.size") == size
        assert phone.place(*cell) == pytest.approx((x - 60, y - 45), abs=4)
        # The page itself has not moved or grown.
        assert phone.page.evaluate("[window.scrollY, window.visualViewport.scale]") == [0, 1]
        two.move(around(x - 60, y - 45, 40), around(x, y, 40))
        # A pinch zooms where the fingers are.
        x, y = phone.place(*cell)
        two.move(around(x, y, 30), around(x, y, 60))
        wide = phone.board("geometry.size")
        assert wide == pytest.approx(2 * size, rel=0.1)
        assert phone.place(*cell) == pytest.approx((x, y), abs=wide / 2)  # of device pixels, two for each of the page's
        two.move(around(x, y, 90), around(x, y, 30))
        assert phone.board("geometry.size") == pytest.approx(wide / 3, rel=0.1)
    # Neither a tap nor a long press came of it.
    assert phone.board("position.cells.every((code) => code === -1)")
    expect(phone.page.locator("#undo")).to_be_disabled()
    phone.board("reveal(5, 5)")
    phone.draw()
    phone.tap(5, 5)
    phone.expect_cell(5, 5, "empty")
    # One finger has buttons for it, even when everything is seen.
    size = phone.board("geometry.size")
    larger.tap()
    assert phone.board("geometry.size") > size
    phone.page.get_by_role("button", name="Fit the board").tap()
    assert phone.board("geometry.contentWidth") <= phone.board("canvas.width")
    expect(larger).to_be_visible()
