"""Take pictures of every mode of the page: light and dark, on a desk, a laptop, a tablet and a phone.

``make screenshots`` starts a server of its own on a free port, plays a little, and writes the pictures that the
documents show into ``docs/pictures/page``. ``--all --folder FOLDER`` takes every scene on every device, to look at.
The same seeds every time; only the games of the statistics are new each time.
"""

from __future__ import annotations

import argparse
import base64
import runpy
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Page, sync_playwright

from sapper.inference.posterior.exact import mine_probabilities
from sapper.train import read_link

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures" / "page"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--renderer-process-limit=1",  # else one more is started for every visit, in case
]  # fmt: skip
# Whatever a hint may take on a busy machine: what is looked at is never that it took too long.
_PATIENT = (
    "from sapper.web import services; services.SECONDS_FOR_HINTS = services.SECONDS_FOR_GAMES = 180.0; "
    "from sapper.cli import main; main()"
)
_TOUCH = {"has_touch": True, "is_mobile": True}
DEVICES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1920, "height": 1080}},
    "laptop": {"viewport": {"width": 1280, "height": 720}},
    "tablet": {"viewport": {"width": 820, "height": 1180}, **_TOUCH},
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, **_TOUCH},
    "sideways": {"viewport": {"width": 844, "height": 390}, **_TOUCH},
}
SCHEMES = ("light", "dark")
# What the documents show.
PUBLISHED = {
    ("chances", "laptop"): SCHEMES,
    ("review", "laptop"): SCHEMES,
    ("watch", "laptop"): SCHEMES,
    ("analyse", "laptop"): ("dark",),
    ("puzzle", "laptop"): SCHEMES,
    ("lesson", "laptop"): ("light",),
    ("puzzle", "phone"): ("dark",),
    ("play", "phone"): ("dark",),
    ("review", "phone"): ("light",),
}
QUALITY = 0.6  # of a WebP picture: letters stay sharp, at less than half the size of a PNG
N_GAMES = 24  # in the statistics
SECONDS_TO_END = 20.0  # for a server that has been asked to end
SEED = 11
RULES = "16x16/40 first-opening"
BOARD = "document.querySelector('section.mode:not([hidden])').board"


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """Run a server with an empty data folder; give its address."""
    with tempfile.TemporaryDirectory() as data:
        command = [
            sys.executable,
            "-c",
            _PATIENT,
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
                with suppress(subprocess.TimeoutExpired):
                    process.wait(SECONDS_TO_END)
                process.kill()


def open_mode(page: Page, address: str, hash_: str) -> None:
    """Go to a place of the page and wait until it is there."""
    page.goto("about:blank")
    page.goto(f"{address}#/{hash_}")
    page.wait_for_selector("body[data-ready]")


def ask(page: Page, address: str, path: str, body: dict[str, Any]) -> Any:
    """Ask the server for something, as the visitor of this page."""
    answer = page.request.post(f"{address}api/{path}", data=body, headers={"Origin": address.rstrip("/")})
    if not answer.ok:
        raise RuntimeError(f"{path}: {answer.text()}")
    return answer.json()


def click_cell(page: Page, row: int, col: int, button: str = "left") -> None:
    """Click a cell of the board on the canvas."""
    place = page.evaluate(f"{BOARD}.placeOf({row}, {col})")
    page.mouse.click(place["x"], place["y"], button=button)  # type: ignore[arg-type]
    page.wait_for_timeout(250)


def run_for(page: Page, n_steps: int) -> None:
    """Let the agents make this many steps."""
    for _ in range(n_steps):
        page.keyboard.press("s")
        page.locator("#start:not([aria-busy])").wait_for()


def play_game(page: Page, address: str, rules: str) -> None:
    """Play a game that is dealt to the visitor, always the cell with the least risk."""
    state = ask(page, address, "games", {"rules": rules})
    while not state["over"]:
        row, col = mine_probabilities(state["position"]).safest[0]
        state = ask(page, address, f"games/{state['id']}/moves", {"action": "open", "row": row, "col": col})


def begin(page: Page, address: str, rules: str = RULES) -> str:
    """A game after its first click, with the seed that all pictures have; its name."""
    state = ask(page, address, "games", {"rules": rules, "seed": SEED})
    ask(page, address, f"games/{state['id']}/moves", {"action": "open", "row": 7, "col": 7})
    return str(state["id"])


# -- play ---------------------------------------------------------------------------------------------------


def fresh(page: Page, address: str) -> None:
    """A board before the first click."""
    open_mode(page, address, "play?rules=expert")


def welcome(page: Page, address: str) -> None:
    """The first visit."""
    page.context.clear_cookies()
    open_mode(page, address, "play")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    open_mode(page, address, "play")
    page.wait_for_selector("#welcome-card:not([hidden])")


def middle(page: Page, address: str) -> None:
    """A game under way."""
    open_mode(page, address, f"play?game={begin(page, address)}")
    for _ in range(6):
        page.keyboard.press("h")
        page.locator("#hint-card .primary").click()
        page.wait_for_timeout(250)


def play(page: Page, address: str) -> None:
    """A game under way, with a hint and its proof."""
    middle(page, address)
    page.keyboard.press("h")
    page.wait_for_selector("#hint-card:not([hidden])")


def chances(page: Page, address: str) -> None:
    """The chances of a game under way."""
    open_mode(page, address, f"play?game={begin(page, address)}")
    page.keyboard.press("p")
    page.wait_for_timeout(500)


def won(page: Page, address: str) -> None:
    """A game won, by the last click."""
    game = begin(page, address)
    state = page.request.get(f"{address}api/games/{game}").json()
    while not state["over"]:
        hint = page.request.get(f"{address}api/games/{game}/hint").json()
        row, col = hint.get("cell") or hint["best"]["cell"]
        action = "flag" if hint.get("action") == "flag" else "open"
        state = ask(page, address, f"games/{game}/moves", {"action": action, "row": row, "col": col})
    open_mode(page, address, f"play?game={game}")
    page.wait_for_selector("#result-card:not([hidden])")


def lost(page: Page, address: str) -> None:
    """A game lost."""
    game = begin(page, address)
    cells = ((row, col) for row in range(16) for col in range(16))
    while not ask(
        page, address, f"games/{game}/moves", dict(zip(("row", "col"), next(cells), strict=True), action="open")
    )["over"]:
        pass
    open_mode(page, address, f"play?game={game}")
    page.wait_for_selector("#result-card:not([hidden])")


def daily(page: Page, address: str) -> None:
    """A board of the day that waits."""
    page.context.clear_cookies()
    open_mode(page, address, "play?daily=beginner")
    page.wait_for_selector("#begin-daily")


def done(page: Page, address: str) -> None:
    """A board of the day that was solved, among the results of other visitors."""
    for _ in range(5):
        page.context.clear_cookies()
        state = ask(page, address, "daily", {"level": "beginner"})
        while not state["over"]:
            row, col = mine_probabilities(state["position"]).safest[0]
            state = ask(page, address, f"games/{state['id']}/moves", {"action": "open", "row": row, "col": col})
            page.wait_for_timeout(40)
    open_mode(page, address, f"play?game={state['id']}")
    page.wait_for_selector("#daily-end")


def settings(page: Page, address: str) -> None:
    """The dialog of the settings."""
    open_mode(page, address, "play?rules=beginner")
    page.locator("#settings-button").click()


def keys(page: Page, address: str) -> None:
    """The dialog with the keys."""
    open_mode(page, address, "play?rules=beginner")
    page.locator("#help-button").click()


# -- train --------------------------------------------------------------------------------------------------


def answered(page: Page, address: str, link: str, row: int, col: int) -> None:
    """Show a puzzle with an answer, for a learner who has not answered it before."""
    page.context.clear_cookies()
    open_mode(page, address, f"train?puzzle={link}")
    page.wait_for_selector("#puzzle-kind:not(:empty)")
    click_cell(page, row, col)
    page.wait_for_selector("#answer-card:not([hidden])")


def puzzle(page: Page, address: str) -> None:
    """A puzzle that was answered wrong, with its proof and the reason against the cell."""
    answered(page, address, "cases.9x9.10.5", 4, 2)
    for _ in range(3):
        page.keyboard.press("ArrowRight")


def whynot(page: Page, address: str) -> None:
    """Two layouts: a mine at the cell, and none."""
    answered(page, address, "pairs.9x9.10.7", 0, 0)
    page.locator("#why-not summary").click()


def asked(page: Page, address: str) -> None:
    """A puzzle that asks for a number."""
    open_mode(page, address, "train?puzzle=area.9x9.10.5")
    page.wait_for_selector("#puzzle-kind:not(:empty)")


def guess(page: Page, address: str) -> None:
    """A guess, and what it is worth."""
    answered(page, address, "guess.9x9.10.5", 0, 8)


def hexagons(page: Page, address: str) -> None:
    """A puzzle on hexagons."""
    open_mode(page, address, "train?puzzle=subsets.9x9.16.hex.4")
    page.wait_for_selector("#puzzle-kind:not(:empty)")


def sprint(page: Page, address: str) -> None:
    """A sprint that has begun."""
    open_mode(page, address, "train?way=sprint")
    page.locator("#begin").click()
    page.wait_for_selector(".clock:not(:empty)")


def survived(page: Page, address: str) -> None:
    """The end of survival."""
    open_mode(page, address, "train?way=survival")
    page.locator("#begin").click()
    for _ in range(3):
        page.wait_for_selector("#show-solution:not([disabled])")
        page.keyboard.press("s")
        page.wait_for_selector("#answer-card:not([hidden])")
        page.keyboard.press("n")
    page.wait_for_selector("#gate:not([hidden])")


def progress(page: Page, address: str) -> None:
    """What the answers add up to."""
    page.context.clear_cookies()
    train_some(page, address)
    open_mode(page, address, "train?way=progress")
    page.wait_for_selector("#train-chart svg")


def first(page: Page, address: str) -> None:
    """The lesson for new players, after its first cell."""
    open_mode(page, address, "train?way=steps")
    page.wait_for_selector("#first-told")


def course(page: Page, address: str) -> None:
    """The lessons."""
    open_mode(page, address, "train?way=course")
    page.wait_for_selector("#lessons li")


def lesson(page: Page, address: str) -> None:
    """A lesson whose example has come some way."""
    open_mode(page, address, "train?lesson=one-two-one")
    page.wait_for_selector("#example-caption:not(:empty)")
    for _ in range(4):
        page.locator("#example-on").click()


def train_some(page: Page, address: str) -> None:
    """Answer some puzzles of every level, the easier the better."""
    for number in range(40):
        kind = ("single", "subsets", "one-two", "pairs", "cases")[number % 5]
        link = f"{kind}.9x9.10.{number}"
        row, col = read_link(link).solution[0]
        is_wrong = (number * 7 + number % 5 * 3) % 13 < number % 5 * 2
        ask(
            page, address, "train/check",
            {"link": link, "row": row, "col": col, "give_up": is_wrong, "seconds": 4 + number % 5 * 3},
        )  # fmt: skip


# -- the other modes ----------------------------------------------------------------------------------------


def watch(page: Page, address: str) -> None:
    """Report 002's improved agent at work."""
    open_mode(page, address, "watch?rules=16x16/40+first-any+survey&seed=5&step=40")
    page.wait_for_selector(".log li:nth-child(40)")


def versus(page: Page, address: str) -> None:
    """Two agents on the same board."""
    open_mode(page, address, "watch?rules=10x10/20+first-any+survey&seed=5&agent=contradiction&versus=local&step=25")
    page.wait_for_selector(".log li:nth-child(25)")


def analyse(page: Page, address: str) -> None:
    """The example with its chances, and why a cell is what it is."""
    open_mode(page, address, "analyse")
    page.wait_for_selector("#verdict .chances button")
    page.locator("#verdict .chances button").first.click()
    page.wait_for_selector("#proof:not([hidden])")


def picture(page: Page, address: str) -> None:
    """A position that was read from a picture."""
    open_mode(page, address, f"play?game={begin(page, address)}")
    shown = page.locator(".stage canvas").first.screenshot()
    open_mode(page, address, "analyse")
    page.locator(".analyse input[type=file]").first.set_input_files(
        {"name": "board.png", "mimeType": "image/png", "buffer": shown}
    )
    page.wait_for_timeout(4000)


def best(page: Page, address: str) -> None:
    """The best cell where few layouts are left."""
    open_mode(page, address, "analyse?position=1%23%23%23/%23%23%23%23/%23%23%232/%23%23%23%23+5")
    page.locator("#best-cell").click()
    page.wait_for_selector("#best:not([hidden])")


def impossible(page: Page, address: str) -> None:
    """Clues that disagree."""
    open_mode(page, address, "analyse?position=1%23/%233/00+2")
    page.wait_for_selector("#verdict .notice.bad")


def unopened(page: Page, address: str) -> None:
    """Review without a game."""
    open_mode(page, address, "review")


def review(page: Page, address: str) -> None:
    """The example, with the curve of its chances to win."""
    open_mode(page, address, "review")
    page.locator("#review-example").click()
    page.wait_for_selector("#move-card:not([hidden])")
    page.locator(".strip .wins").first.wait_for(state="attached", timeout=60_000)
    page.wait_for_selector("#reason-card:not([hidden])")


def you(page: Page, address: str) -> None:
    """The statistics of some games."""
    open_mode(page, address, "you")
    page.wait_for_selector("#you-chart circle")


def lab(page: Page, address: str) -> None:
    """A small sweep, played to its end, with its values."""
    open_mode(page, address, "lab")
    page.wait_for_timeout(300)
    past = page.locator(".lab .side .list button")
    if past.count():
        past.first.click()
    else:
        page.locator("#lab-run").click()
    while page.evaluate("document.querySelector('.lab progress').position") < 1:
        page.wait_for_timeout(300)
    page.locator(".lab details.card summary").click()
    page.locator(".lab table td").first.wait_for(state="attached", timeout=90_000)


SCENES = {
    one.__name__: one
    for one in (
        fresh, welcome, middle, play, chances, won, lost, daily, done, settings, keys, puzzle, whynot, asked,
        guess, hexagons, sprint, survived, progress, first, course, lesson, watch, versus, analyse, picture,
        best, impossible, unopened, review, you, lab,
    )
}  # fmt: skip


def shoot(
    browser: Browser, address: str, name: str, device: str, schemes: Sequence[str], state: Any
) -> Iterator[tuple[str, bytes]]:
    """Take a scene in these schemes: the name of the picture, and the picture."""
    context = browser.new_context(storage_state=state, service_workers="block", **DEVICES[device])
    page = context.new_page()
    page.on("pageerror", lambda error: print(f"{name}: {error}", file=sys.stderr))
    SCENES[name](page, address)
    page.evaluate("window.scrollTo(0, 0)")
    page.mouse.move(1, 1)
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.wait_for_timeout(500)
        yield f"{name}-{scheme}-{device}", page.screenshot()
    context.close()


def compress(page: Page, picture: bytes) -> bytes:
    """The picture as WebP, made by the browser."""
    script = """async ([source, quality]) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        canvas.getContext("2d").drawImage(image, 0, 0);
        const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    }"""
    source = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    return base64.b64decode(page.evaluate(script, [source, QUALITY]))


def main() -> None:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "scenes", nargs="*", choices=[[], *SCENES], help="which of them; what the documents show by default"
    )
    parser.add_argument("--all", action="store_true", help="every scene, as PNG")
    parser.add_argument("--folder", type=Path, default=PICTURES)
    parser.add_argument(
        "--device", choices=list(DEVICES), action="append", help="for scenes that are named; all by default"
    )
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    chromium = runpy.run_path(str(ROOT / "scripts" / "browser.py"))["find_browser"]()
    if chromium is None:
        sys.exit("There is no browser; `make browser` installs one.")
    names = list(SCENES) if chosen.all else chosen.scenes
    chosen_devices = chosen.device or DEVICES
    wanted = {(name, device): SCHEMES for name in names for device in chosen_devices} or PUBLISHED
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        context = browser.new_context()
        page = context.new_page()
        open_mode(page, address, "play?rules=beginner")
        if "you" in names:
            for at in range(N_GAMES):
                play_game(page, address, "9x9/10 first-opening" if at % 3 else RULES)
        state = context.storage_state()
        page.goto("about:blank")
        for (name, device), schemes in wanted.items():
            for title, picture in shoot(browser, address, name, device, schemes, state):
                path = chosen.folder / f"{title}.{'png' if names else 'webp'}"
                path.write_bytes(picture if names else compress(page, picture))
                print(path, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
