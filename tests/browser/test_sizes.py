"""Every mode on screens of every size: nothing is cut off, nothing lies on top of something else.

In English, and in a language made from it whose every string is a third longer and has accents: letters without them
were never translated.
"""

from __future__ import annotations

from typing import Any

import pytest
from driver import PSEUDO, Driver, visiting
from effort import ALL, more, times
from playwright.sync_api import Browser, expect

from sapper.agents.registry import AGENTS
from sapper.formats import FORMATS
from sapper.formats.videos import READERS
from sapper.observation import EXPLODED, HIDDEN
from sapper.train.course import lessons

pytestmark = pytest.mark.browser

BOARD = "document.querySelector('section.mode:not([hidden])').board"
PHONE = (390, 844)
SIZES = [(1280, 720), PHONE, *more((1440, 900), (820, 1180))]
SIDEWAYS = (844, 390)
GAME = "play?rules=16x16/40+first-opening&seed=11"
WATCHED = "watch?rules=10x10/20+first-any+survey&seed=5&agent=contradiction"

# What a person can press, as far as it can be seen: scrolled out of a list is out of the way.
CONTROLS = """() => {
    const controls = [...document.querySelectorAll("button, a[href], input, select, textarea, summary")]
        .filter((one) => one.checkVisibility() && !one.closest(".visually-hidden, .skip, [role=grid]"));
    const boxes = controls.map((one) => {
        let { left, top, right, bottom } = one.getBoundingClientRect();
        for (let place = one.parentElement; place; place = place.parentElement) {
            if (getComputedStyle(place).overflowY === "visible") continue;
            const box = place.getBoundingClientRect();
            [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
            [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
        }
        return { one, left, top, right, bottom };
    }).filter(({ left, top, right, bottom }) => right - left > 1 && bottom - top > 1);
    return boxes;
}"""
# What lies in front of the page is not beside it: the bar at the top, that of the modes, the message as a sheet.
OVERLAPS = f"""() => {{
    const layer = (one) => {{
        for (let place = one; place; place = place.parentElement) {{
            if (["fixed", "sticky"].includes(getComputedStyle(place).position)) return place;
        }}
        return null;
    }};
    const name = ({{ one }}) => one.ariaLabel ?? (one.textContent.trim() || one.id || one.type);
    const boxes = ({CONTROLS})().map((box) => ({{ ...box, layer: layer(box.one) }}));
    const found = [];
    boxes.forEach((box, at) => boxes.slice(at + 1).forEach((other) => {{
        if (box.layer !== other.layer || box.one.contains(other.one) || other.one.contains(box.one)) return;
        const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const tall = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        if (wide > 1 && tall > 1) found.push(`${{name(box)}} and ${{name(other)}}`);
    }}));
    return found;
}}"""
# Words that are broken within, or do not fit what they stand in.
CUT = """() => {
    const found = [...document.querySelectorAll("button, a, label, summary, h2, p, dt, th, .badge")]
        .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const holder = text.parentElement;
        const isForEars = holder.closest(".visually-hidden, option") || getComputedStyle(holder).clipPath !== "none";
        if (!holder.checkVisibility() || isForEars) continue;
        for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const lines = new Set([...range.getClientRects()].map(({ top }) => top));
            if (lines.size > 1) found.push(`${word} in ${holder.outerHTML.slice(0, 200)}`);
        }
    }
    return found;
}"""
# Words of no other language than English, wherever they are; names are the same in all of them.
BARE = """(names) => {
    const found = [];
    const look = (where, text) => {
        const words = names.reduce((left, name) => left.replaceAll(name, ""), text ?? "").match(/[A-Za-z]{2,}/g);
        if (words) found.push(`${where}: ${text}`);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        if (!text.parentElement.closest("noscript, textarea")) look(text.parentElement.tagName, text.data);
    }
    for (const one of document.querySelectorAll("body *")) {
        for (const { name, value } of one.attributes) {
            if (/^(aria-(label|valuetext|description)|title|placeholder|alt|label)$/.test(name)) look(name, value);
        }
    }
    look("title", document.title);
    look("description", document.querySelector("meta[name=description]").content);
    return [...new Set(found)];
}"""
NONSENSE = "nonsense"  # as a visitor wrote it
# The longest first: one may be part of another.
NAMES = [NONSENSE, "Sapper-Record", "Rules:", "Sapper", *FORMATS, *READERS, *sorted(AGENTS, key=len, reverse=True)]
OUT_OF_SIGHT = """(selectors) => selectors.filter((selector) => {
    const one = document.querySelector(`section.mode:not([hidden]) ${selector}`);
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + Math.min(12, box.width / 2), box.top + Math.min(12, box.height / 2)];
    const isWhole = box.top >= 0 && box.left >= 0 && box.right <= innerWidth + 1 && y < innerHeight;
    return !isWhole || !one.contains(document.elementFromPoint(x, y));
})"""


def options(width: int, height: int) -> dict[str, Any]:
    is_touched = width < 900
    return {"viewport": {"width": width, "height": height}, "has_touch": is_touched, "is_mobile": is_touched}


def look(driver: Driver, *selectors: str) -> None:
    """Look at what is shown, from the top of the page: these parts are in view, and everything has its room."""
    page = driver.page
    page.evaluate("scrollTo(0, 0)")
    driver.draw()
    where = (page.url.partition("#")[2], page.viewport_size)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, where
    assert page.evaluate(OVERLAPS) == [], where
    assert page.evaluate(CUT) == [], where
    if not is_pseudo(driver):  # longer words may need scrolling
        assert page.evaluate(OUT_OF_SIGHT, list(selectors)) == [], where
    read(driver)


def is_pseudo(driver: Driver) -> bool:
    return bool(driver.page.evaluate("document.documentElement.lang") == PSEUDO)


def read(driver: Driver) -> None:
    """Read all that there is: no English in another language."""
    if is_pseudo(driver):
        assert driver.page.evaluate(BARE, NAMES) == [], driver.page.url


def look_at_play(driver: Driver) -> None:
    """Before the first click, with a hint, with the chances, and after a loss."""
    page = driver.page
    controls = ["#new", "#flag-mode", "#hint", "#chances", "#undo", "#check-flags"]
    driver.visit(GAME)
    look(driver, *controls)
    driver.click(7, 7)
    driver.wait_until(f"{BOARD}.codeAt(7, 7) === 0")
    driver.press("h")
    expect(page.locator("#hint-card .primary")).to_be_visible()
    driver.draw()  # which moves the cell of the hint into sight
    look(driver, *controls, "#hint-card", "#hint-card .primary")
    driver.press("Escape", "p")
    expect(page.locator("#chances[aria-pressed=true]")).to_be_visible()
    look(driver, *controls)
    driver.visit("play?rules=4x4/15+first-any&seed=1")
    driver.click(0, 0)
    expect(page.locator("#result-card")).to_be_visible()
    # On a phone the result covers what is below the board until it is closed.
    shown = [one for one in controls if one != "#flag-mode" or page.evaluate("innerWidth") > 640]
    look(driver, *shown, "#result-card", "#result-card .primary", "#review-this")
    driver.visit("play?daily=beginner")
    expect(page.locator("#begin-daily")).to_be_visible()
    look(driver, "#begin-daily")


def look_at_train(driver: Driver) -> None:
    """A puzzle with its controls, its answer, a round before and after its start, and the progress."""
    page = driver.page
    driver.visit("train?puzzle=area.9x9.10.5")
    expect(page.locator("#task")).not_to_be_empty()
    look(driver, ".ways a", "#task", ".numbering button", "#puzzle-hint", "#show-solution")
    driver.visit("train?puzzle=pairs.9x9.10.7")
    expect(page.locator("#task")).not_to_be_empty()
    driver.click(0, 0)
    expect(page.locator("#verdict-line")).to_be_visible()
    look(driver, "#verdict-line", "#next-puzzle")
    driver.visit("train?way=survival")
    look(driver, "#begin")
    page.locator("#begin").click()
    expect(page.locator(".lives")).to_be_visible()
    look(driver, "#task", ".lives", "#show-solution")
    driver.visit("train?way=progress")
    expect(page.locator("#train-chart svg")).to_be_visible()
    look(driver, "#train-numbers")


def look_at_watch(driver: Driver) -> None:
    """One agent, and two of them."""
    controls = ["#start", "#back", "#step", "#reset", ".scrubber", ".reason", ".speed input"]
    driver.visit(f"{WATCHED}&step=12")
    expect(driver.page.locator(".log li")).to_have_count(12)
    look(driver, *controls)
    driver.visit(f"{WATCHED}&versus=local&step=12")
    expect(driver.page.locator(".log li").nth(12)).to_be_attached()
    look(driver, *controls, ".pane:nth-child(2) .reason")


def look_at_analyse(driver: Driver) -> None:
    """With chances, and with an explanation."""
    driver.visit("analyse")
    expect(driver.page.locator("#verdict .chances button").first).to_be_attached()
    look(driver, ".tools button", ".zooming button", "#verdict", "#best-cell", "#play-on")
    driver.page.locator("#verdict .chances button").first.click()
    expect(driver.page.locator("#proof")).to_be_visible()
    look(driver, ".tools button", ".zooming button", "#proof")
    # An explanation is in view even if its cell was far down in the list.
    last = driver.page.locator("#verdict .chances button").nth(11)
    last.scroll_into_view_if_needed()
    last.click()
    expect(driver.page.locator("#proof")).to_contain_text(f"({last.get_attribute('data-cell')})")
    box, size = driver.page.locator("#proof").bounding_box(), driver.page.viewport_size
    assert box is not None
    assert size is not None
    assert 48 <= box["y"] < size["height"] - 200


def look_at_review(driver: Driver) -> None:
    """Without a game, and with the example."""
    driver.visit("review")
    look(driver, "#review-example")
    driver.page.locator("#review-example").click()
    expect(driver.page.locator("#move-card")).to_be_visible()
    look(driver, ".strip", ".scrub input", "#review-back", "#review-next", "#next-mistake", "#last-safe", "#play-on")


def look_at_the_others(driver: Driver) -> None:
    """Statistics and the laboratory."""
    driver.visit("play?rules=1x4/0")
    driver.click(0, 0)
    expect(driver.page.locator("#result-card")).to_be_visible()
    driver.visit("you")
    expect(driver.page.locator("#you-chart circle")).to_have_count(1)
    look(driver, "#you-board", "#you-numbers")
    driver.visit("lab")
    look(driver, ".figure")


def look_at_the_rest(driver: Driver) -> None:
    """What the server says, and what is rarely seen."""
    page = driver.page

    def see(place: str, selector: str, *keys: str) -> None:
        """Go there, press keys, and read once something is shown; open what is folded."""
        if place:
            driver.visit(place)
        driver.press(*keys)
        expect(page.locator(f"section.mode:not([hidden]) {selector}").first).to_be_visible()
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        driver.draw()
        look(driver)

    see("play?rules=4x4/8+first-any&seed=1", "#hint-card .primary", "h")
    see("play?rules=1x12/3+own:1,11/2/3/4/5/6/7/8/9/10/11", "textarea")
    see("play?rules=1x12/3+fair&seed=3", ".stage")
    see("play?daily=beginner", "#begin-daily")
    page.locator("#begin-daily").click()
    driver.wait_until(f"{BOARD}.codeAt(4, 4) === 0")
    for row, col in ((row, col) for row in range(9) for col in range(9)):
        if driver.board(f"codeAt({row}, {col})") == HIDDEN:
            driver.click(row, col)
            driver.wait_until(f"{BOARD}.codeAt({row}, {col}) !== {HIDDEN}")
            if driver.board(f"codeAt({row}, {col})") == EXPLODED:
                break
    page.locator("#share-daily").click()
    expect(page.locator("#daily-line")).to_be_visible()
    read(driver)
    driver.press("Escape")
    see("", "#daily-end")
    see("train?way=steps", "#first-told")
    see("train?way=sprint", "#begin")
    see("train?way=course", "#lessons li")
    for lesson in lessons()[:: times(5, 1)]:
        see(f"train?lesson={lesson.name}", "#example-caption")
    for link, (row, col) in (("guess.9x9.10.5", (0, 8)), ("cases.9x9.10.5", (4, 2)), ("chain.9x9.10.3", (0, 0))):
        driver.visit(f"train?puzzle={link}")
        expect(page.locator("#task")).not_to_be_empty()
        page.locator("#puzzle-hint").click()
        expect(page.locator("#hint-line")).to_be_visible()
        read(driver)
        driver.click(row, col) if link[:2] != "ch" else driver.press("s")
        expect(page.locator("#verdict-line")).to_be_visible()
        driver.press(*["ArrowRight"] * 9)
        see("", "#verdict-line")
    see("train?way=progress", "#train-chart svg")
    for agent in ("infer", *more("statements-count", "expert", "one-two-corners-reported")):
        see(f"watch?rules=8x8/14+survey&seed=6&agent={agent}&versus=search", "#step", "End")
        expect(page.locator(".counts b").first).to_be_visible()
        look(driver)
    see("analyse?position=1%23%23%23/%23%23%23%23/%23%23%232/%23%23%23%23+5", "#best-cell")
    page.locator("#best-cell").click()
    see("", "#best")
    page.locator("#verdict .chances button").first.click()
    see("", "#proof")
    see("analyse?position=1%23/%233/00+2", "#verdict .notice.bad")
    see(f"analyse?position={NONSENSE}", "#verdict .notice.bad")
    driver.visit("review")
    page.locator("section.review textarea").fill(NONSENSE)
    page.locator("#review-text").click()
    expect(page.locator("#toast.shown")).to_be_visible()
    read(driver)
    expect(page.locator("#move-card")).to_be_visible()  # of the example
    for _ in range(times(4, 12)):
        page.locator("#review-back").click()
        read(driver)
    see("you", "#you-numbers")
    driver.visit("lab")
    for number, value in enumerate(("4", "4", "2", "0.1", "0.2", "2")):
        page.locator("section.lab input[type=number]").nth(number).fill(value)
    page.locator("#lab-run").click()
    expect(page.locator("section.lab tbody tr").first).to_be_attached()
    see("", ".figure svg")


@pytest.mark.parametrize("language", ["en", PSEUDO])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_mode_has_its_controls_in_view(
    size: tuple[int, int], language: str, browser: Browser, address: str
) -> None:
    with visiting(browser, address, locale=language, **options(*size)) as driver:
        look_at_play(driver)
        look_at_train(driver)
        look_at_watch(driver)
        look_at_analyse(driver)
        look_at_review(driver)
        look_at_the_others(driver)
        if language == PSEUDO and (ALL or size == PHONE):  # where the words have the least room
            look_at_the_rest(driver)
        for opener in ("#settings-button", "#help-button"):
            driver.page.locator(opener).click()
            assert driver.page.evaluate(CUT) == []
            read(driver)
            driver.press("Escape")


def test_a_phone_on_its_side_has_them_beside_the_board_and_one_that_nearly_fits_is_not_cut(
    browser: Browser, address: str
) -> None:
    with visiting(browser, address, **options(*SIDEWAYS)) as driver:
        look_at_train(driver)
        look_at_watch(driver)
        driver.visit("analyse")
        expect(driver.page.locator("#verdict .chances button").first).to_be_attached()
        look(driver, ".tools button", "#undo-edit", ".zooming button", "#verdict")
        look_at_review(driver)
        # Thirty columns on a tablet, sixteen on a phone.
        for width, height, rules in ((820, 1180, "expert"), (390, 844, "intermediate")):
            driver.page.set_viewport_size({"width": width, "height": height})
            driver.visit(f"play?rules={rules}")
            driver.place(0, 0)  # where it rests
            assert driver.board("geometry.contentWidth") <= driver.board("canvas.width")
            assert driver.board("geometry.contentHeight") <= driver.board("canvas.height")
        # A beginner board fills the height of a large screen.
        driver.page.set_viewport_size({"width": 1920, "height": 1080})
        driver.visit("play?rules=beginner")
        driver.place(0, 0)
        assert driver.board("geometry.contentHeight") > 0.85 * driver.board("canvas.height")


def test_the_bar_below_a_review_is_one_line_where_there_is_room_and_else_two(desk: Driver) -> None:
    desk.visit("review")
    desk.page.locator("#review-example").click()
    expect(desk.page.locator("#move-card")).to_be_visible()
    for width, n_lines in (
        (641, 2),
        (720, 2),
        (790, 1),
        (820, 1),
        (941, 2),
        (1100, 2),
        (1240, 1),
        (1280, 1),
        (1440, 1),
    ):
        desk.page.set_viewport_size({"width": width, "height": 800})
        tops = desk.page.evaluate(
            "[...document.querySelectorAll('.review .controls .bar button')].map((one) => one.offsetTop)"
        )
        assert len(set(tops)) == n_lines, width
