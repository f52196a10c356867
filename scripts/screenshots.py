"""Take pictures of every mode of the page: light and dark, desk and phone.

``make screenshots`` starts a server of its own on a free port, plays a little, and writes
``docs/pictures/page/MODE-SCHEME-DEVICE.png``. The same seeds every time, so pictures differ only if the page does.
"""

from __future__ import annotations

import argparse
import runpy
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Page, sync_playwright

from sapper.agents.registry import make_agent
from sapper.play.matches.match import play_match
from sapper.rules import Rules
from sapper.world.game import Game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures" / "page"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
DEVICES = {
    "desk": {"viewport": {"width": 1360, "height": 860}, "device_scale_factor": 1},
    "phone": {
        "viewport": {"width": 360, "height": 780},
        "device_scale_factor": 2,
        "has_touch": True,
        "is_mobile": True,
    },
}
SCHEMES = ("light", "dark")
BOARD = "document.querySelector('section.mode:not([hidden])').board"


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """Run a server with an empty data folder; give its address."""
    with tempfile.TemporaryDirectory() as data:
        command = [
            sys.executable,
            "-c",
            "from sapper.cli import main; main()",
            "serve",
            "--port",
            "0",
            "--data",
            data,
            "--rate",
            "100",
            *options,
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                address = process.stdout.readline().strip()
                if not address.startswith("http"):
                    raise RuntimeError("The server did not start.")
                yield address
            finally:
                process.terminate()


def open_mode(page: Page, address: str, hash_: str) -> None:
    """Go to a place of the page and wait until it is there."""
    page.goto("about:blank")
    page.goto(f"{address}#/{hash_}")
    page.wait_for_selector("body[data-ready]")


def click_cell(page: Page, row: int, col: int, button: str = "left") -> None:
    """Click a cell of the board on the canvas."""
    place = page.evaluate(f"{BOARD}.placeOf({row}, {col})")
    page.mouse.click(place["x"], place["y"], button=button)  # type: ignore[arg-type]
    page.wait_for_timeout(250)


def run_for(page: Page, n_steps: int) -> None:
    """Let the agents make so many steps."""
    for _ in range(n_steps):
        page.keyboard.press("s")
        page.locator("#start:not([aria-busy])").wait_for()


def play(page: Page, address: str) -> None:
    """A game under way, with a hint and its proof."""
    open_mode(page, address, "play?rules=16x16/40+first-opening&seed=11")
    click_cell(page, 7, 7)
    for _ in range(6):
        page.keyboard.press("h")
        page.wait_for_selector("#hint-card .primary")
        page.locator("#hint-card .primary").click()
        page.wait_for_timeout(250)
    page.keyboard.press("h")
    page.wait_for_selector("#hint-card:not([hidden])")


def chances(page: Page, address: str) -> None:
    """The chances of a game under way."""
    open_mode(page, address, "play?rules=16x16/40+first-opening&seed=11")
    click_cell(page, 7, 7)
    page.keyboard.press("p")


def lost(page: Page, address: str) -> None:
    """A game lost."""
    open_mode(page, address, "play?rules=9x9/20&seed=3")
    for row in range(9):
        for col in range(9):
            if page.locator("#what-if").count():
                return
            if page.evaluate(f"{BOARD}.codeAt({row}, {col})") == -1:
                click_cell(page, row, col)


def watch(page: Page, address: str) -> None:
    """Report 002's improved agent at work."""
    open_mode(page, address, "watch?rules=16x16/40+first-any+survey&seed=5")
    run_for(page, 40)


def versus(page: Page, address: str) -> None:
    """Two agents on the same board."""
    open_mode(page, address, "watch?rules=10x10/20+first-any+survey&seed=5&agent=contradiction&versus=local")
    run_for(page, 25)


def analyse(page: Page, address: str) -> None:
    """The example with its chances, and why a cell is what it is."""
    open_mode(page, address, "analyse")
    page.wait_for_selector("#verdict .chances button")
    page.locator("#verdict .chances button").first.click()
    page.wait_for_selector("#proof:not([hidden])")


def best(page: Page, address: str) -> None:
    """The best cell where few layouts are left."""
    open_mode(page, address, "analyse?position=1%23%23%23/%23%23%23%23/%23%23%232/%23%23%23%23+5")
    page.locator("#best-cell").click()
    page.wait_for_selector("#best:not([hidden])")


def impossible(page: Page, address: str) -> None:
    """Clues that disagree."""
    open_mode(page, address, "analyse?position=1%23/%233/00+2")
    page.wait_for_selector("#verdict .notice.bad")


def review(page: Page, address: str) -> None:
    """A game of an agent that guesses where it need not."""
    game = Game(Rules.parse("12x12/22 survey first-opening"), seed=4)
    open_mode(page, address, "review")
    page.get_by_label("Record as text").fill(str(play_match(game, make_agent("local", seed=4), flags=True)))
    page.locator("#review-text").click()
    page.wait_for_selector("#move-card:not([hidden])")


def lab(page: Page, address: str) -> None:
    """A small sweep, played to its end."""
    open_mode(page, address, "lab")
    page.locator("#lab-run").click()
    page.get_by_text("games, finished").wait_for(timeout=90_000)


SCENES = {
    one.__name__: one for one in (play, chances, lost, watch, versus, analyse, best, impossible, review, lab)
}  # fmt: skip


def shoot(browser: Browser, address: str, name: str, scheme: str, device: str, folder: Path) -> Path:
    """Take one picture."""
    context = browser.new_context(color_scheme=scheme, **DEVICES[device])  # type: ignore[arg-type]
    page = context.new_page()
    page.on("pageerror", lambda error: print(f"{name}: {error}", file=sys.stderr))
    SCENES[name](page, address)
    page.evaluate("window.scrollTo(0, 0)")
    page.mouse.move(1, 1)
    page.wait_for_timeout(350)
    path = folder / f"{name}-{scheme}-{device}.png"
    page.screenshot(path=path)
    context.close()
    return path


def main() -> None:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", choices=[[], *SCENES], help="which of them; all by default")
    parser.add_argument("--folder", type=Path, default=PICTURES)
    parser.add_argument("--scheme", choices=SCHEMES, action="append")
    parser.add_argument("--device", choices=list(DEVICES), action="append")
    parser.add_argument("--address", help="a server that runs already")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    chromium = runpy.run_path(str(ROOT / "scripts" / "browser.py"))["find_browser"]()
    if chromium is None:
        sys.exit("There is no browser; `make browser` installs one.")

    def take(address: str) -> None:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            for name in chosen.scenes or SCENES:
                for scheme in chosen.scheme or SCHEMES:
                    for device in chosen.device or DEVICES:
                        print(shoot(browser, address, name, scheme, device, chosen.folder), flush=True)
            browser.close()

    if chosen.address:
        take(chosen.address)
    else:
        with serving() as address:
            take(address)


if __name__ == "__main__":
    main()
