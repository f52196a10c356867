"""Pictures in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from sapper.draw.svg import draw_svg
from sapper.observation import Observation

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_a_board_is_drawn_cell_by_cell(page: Page, tmp_path: Path) -> None:
    position = Observation.parse("01#/F2*/.## 4 hex")
    path = tmp_path / "board.svg"
    path.write_text(draw_svg(position, marked=[2]), encoding="utf-8")
    page.goto(path.as_uri())
    assert page.locator("rect.open").count() == 4
    assert page.locator("rect.hidden").count() == 4
    assert page.locator("rect.exploded").count() == 1
    assert page.locator("rect.ring").count() == 1
    assert page.locator("text.c2").text_content() == "2"
    # Odd rows of a hex board stand half a cell to the right.
    boxes = [page.locator("rect.open, rect.hidden, rect.exploded").nth(k).bounding_box() for k in (0, 3)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[1]["x"] - boxes[0]["x"] == boxes[0]["width"] / 2 + 1


def test_pictures_follow_the_dark_setting(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    path.write_text(draw_svg(Observation.parse("1#/## 1")), encoding="utf-8")
    colours = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(path.as_uri())
        colours.append(page.locator("rect.open").first.evaluate("cell => getComputedStyle(cell).fill"))
    assert colours[0] != colours[1]
