"""A browser and what a person does with it on the page."""

from __future__ import annotations

import json
import re
import runpy
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from playwright.sync_api import expect
from processes import PATIENCE

from sapper.observation import HIDDEN
from sapper.rules import Rules
from sapper.web.http.static import SCRIPT, read_site
from sapper.world.game import Game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).parent.parent.parent
_screenshots = runpy.run_path(str(ROOT / "scripts" / "screenshots.py"))
SENTENCES: Callable[[], list[str]] = runpy.run_path(str(ROOT / "scripts" / "sentences.py"))["sentences"]
FLAGS: list[str] = _screenshots["FLAGS"]
serving = _screenshots["serving"]

RULES, SEED = "6x6/6 first-opening", 5  # the game of many tests

DESK = {"viewport": {"width": 1200, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 720}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
PSEUDO = "qps"  # a language that nobody speaks (tests/page/pseudo.js), by the name that browsers know such languages by
# The page shows a mode when its address changes: hear when it is there, as `data-ready` says it of the first.
_TELL_WHEN_SHOWN = """
const { addEventListener } = window;
window.addEventListener = (kind, listener, ...rest) => {
  const told = kind === "hashchange" ? (event) => listener(event)?.finally(() => window.arrived?.()) : listener;
  addEventListener.call(window, kind, told, ...rest);
};
"""
_BOARD = "document.querySelector('section.mode:not([hidden])').board"


class Driver:
    """One visitor at the page, by mouse, touch and keyboard."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.faults: list[str] = []  # what went wrong inside the page
        self._forgiven: tuple[str, ...] = ()
        page.add_init_script(_TELL_WHEN_SHOWN)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: self._note(message.type, message.text))

    def _note(self, kind: str, text: str) -> None:
        # The browser reports refused requests too; the page is there to tell people about those.
        if kind == "error" and "status of 4" not in text and not any(words in text for words in self._forgiven):
            self.faults.append(text)

    def forgive(self, *words: str) -> None:
        """Forget faults with such words, and those that are still to come: the page reports some of them late."""
        self._forgiven += words
        self.faults[:] = [fault for fault in self.faults if not any(one in fault for one in words)]

    def load(self, place: str) -> None:
        """Load the page at a mode."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}#/{place}")
        self.page.wait_for_selector("body[data-ready]")

    def visit(self, place: str) -> None:
        """Go to a mode, as somebody who follows a link: the page is loaded once, and is there from then on."""
        if not self.page.url.startswith(self.address):
            self.load(place)
            return
        self.page.wait_for_selector("body[data-ready]")
        self.page.evaluate(
            """([place, patience]) => new Promise((arrived, refused) => {
                window.arrived = arrived;
                setTimeout(() => refused(new Error(`${place} does not come`)), patience);
                if (location.hash === place) arrived();
                location.hash = place;
            })""",
            [f"#/{place}", 1000 * PATIENCE],
        )

    def cell(self, row: int, col: int) -> Locator:
        """The cell as a screen reader finds it."""
        return self.page.locator(
            f"section.mode:not([hidden]) [role=row][aria-rowindex='{row + 1}'] [aria-colindex='{col + 1}']"
        ).first

    def expect_cell(self, row: int, col: int, words: str) -> None:
        """Wait until a cell is called so."""
        expect(self.cell(row, col)).to_have_attribute("aria-label", f"Row {row}, column {col}: {words}")

    def place(self, row: int, col: int) -> tuple[float, float]:
        """Where the middle of a cell is drawn, once the board rests: it may still be finding its size."""
        end = time.monotonic() + PATIENCE
        before, found = None, self.board(f"placeOf({row}, {col})")
        while found != before:
            assert time.monotonic() < end, "the board does not come to rest"
            self.draw()
            before, found = found, self.board(f"placeOf({row}, {col})")
        return found["x"], found["y"]

    def draw(self) -> None:
        """Let the browser draw what has changed."""
        self.page.evaluate(
            """(patience) => new Promise((drawn, refused) => {
                setTimeout(() => refused(new Error("nothing is drawn")), patience);
                requestAnimationFrame(() => requestAnimationFrame(drawn));
            })""",
            1000 * PATIENCE,
        )

    def board(self, call: str) -> Any:
        """Ask the board of the mode that is shown."""
        return self.page.evaluate(f"{_BOARD}.{call}")

    def click(self, row: int, col: int, button: str = "left") -> None:
        """Click a cell on the picture."""
        self.page.mouse.click(*self.place(row, col), button=button)  # type: ignore[arg-type]

    def tap(self, row: int, col: int) -> None:
        """Tap a cell on the picture."""
        self.page.touchscreen.tap(*self.place(row, col))

    def hold(self, row: int, col: int) -> None:
        """Rest a finger on a cell."""
        x, y = self.place(row, col)
        session = self.page.context.new_cdp_session(self.page)
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        self.page.wait_for_timeout(550)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def press_on(self, target: Locator, *keys: str) -> None:
        """Press keys on something, as soon as it takes the focus: what is not shown yet does not."""
        end = time.monotonic() + PATIENCE
        while not target.evaluate("(one) => { one.focus(); return document.activeElement === one; }"):
            assert time.monotonic() < end, "it does not take the focus"
            self.page.wait_for_timeout(50)
        self.press(*keys)

    def wait_until(self, expression: str, argument: Any = None) -> None:
        """Wait until an expression is true in the page.

        Playwright's own wait evaluates text inside the page, which the page forbids (its content security policy)
        unless the first look already succeeds.
        """
        end = time.monotonic() + PATIENCE
        while not self.page.evaluate(expression, argument):
            assert time.monotonic() < end, f"not true within {PATIENCE:g} seconds: {expression}"
            self.page.wait_for_timeout(50)

    def open_until_over(self, n_rows: int, n_cols: int) -> None:
        """Open one hidden cell after another until the game is over."""
        for row, col in np.ndindex(n_rows, n_cols):
            if self.page.locator("#review-this").count() == 0 and self.board(f"codeAt({row}, {col})") == HIDDEN:
                self.click(row, col)
                self.wait_until(f"{_BOARD}.codeAt({row}, {col}) !== {HIDDEN}")

    def expect_lit(self, cells: Iterable[int]) -> None:
        """Wait until these cells of the board are lit up as neighbours, by number, and no others."""
        lit = f"[...{_BOARD}.position.cells.keys()].filter((cell) => {_BOARD}.neighbours.has(cell)).join()"
        self.wait_until(f"(cells) => {lit} === cells", ",".join(map(str, sorted(cells))))

    def expect_said(self, words: str) -> None:
        """Wait until a screen reader is told so."""
        expect(self.page.locator("#live")).to_contain_text(words)


def link(rules: str = RULES, seed: int = SEED) -> str:
    return f"play?rules={rules.replace(' ', '+')}&seed={seed}"


def twin(rules: str = RULES, seed: int = SEED, first: tuple[int, int] = (0, 0)) -> Game:
    """The same game, played here: it knows what the page may not."""
    game = Game(Rules.parse(rules), seed)
    game.open(*first)
    return game


def mines_of(game: Game) -> list[tuple[int, int]]:
    assert game.layout is not None
    return [(int(row), int(col)) for row, col in np.argwhere(game.layout.mines)]


def hidden_of(game: Game) -> list[tuple[int, int]]:
    return [(int(row), int(col)) for row, col in np.argwhere(game.observation.cells == HIDDEN)]


def _speak_pseudo() -> str:
    """The page's script with one more language, as a second one would be added."""
    known = "const LANGUAGES = { en: english };"
    text = read_site().files[SCRIPT].data.decode("utf-8")
    assert known in text
    pseudo = (ROOT / "tests" / "page" / "pseudo.js").read_text(encoding="utf-8").replace("export ", "")
    book = re.search(r"const \{ phrasebook \} = .*", text)
    assert book is not None
    own = f"pseudo(english, phrasebook(stretched({json.dumps(SENTENCES())})))"
    return text.replace(known, f"{book[0]}\n{pseudo}\nconst LANGUAGES = {{ en: english, {PSEUDO}: {own} }};")


@contextmanager
def visiting(browser: Browser, address: str, **options: Any) -> Iterator[Driver]:
    """A visitor of their own: nothing is remembered from the one before. The page must not fail inside."""
    # Few tests are about the app that the page can become, and it would load the whole page once more for each visitor.
    context = browser.new_context(**{"service_workers": "block", **options})
    context.set_default_timeout(1000 * PATIENCE)
    if options.get("locale") == PSEUDO:
        script = _speak_pseudo()
        context.route(f"**/{SCRIPT}", lambda route: route.fulfill(body=script, content_type="text/javascript"))
    driver = Driver(context.new_page(), address)
    yield driver
    context.close()
    assert driver.faults == [], driver.faults
