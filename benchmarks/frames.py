"""How smoothly the browser draws a large board: frame intervals while it scrolls and zooms.

``python -m benchmarks.frames`` starts its own server and headless Chromium, opens a part of a 100 x 100 board and moves
it on every frame for a few seconds. A browser draws at most 60 frames a second, 16.7 ms each; a frame that takes longer
shows as an interval of 33 ms or more. The time of our own code in each frame is reported too.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from typing import Any

import numpy as np
from benchmarks.results import ROOT, parse_arguments, save
from playwright.sync_api import Page, sync_playwright

RULES = "100x100/1700 first-opening"
SECONDS = 5.0
DEVICES: dict[str, dict[str, Any]] = {
    "desk, 1360 x 860": {"viewport": {"width": 1360, "height": 860}},
    "phone, 360 x 780 at 3 pixels each": {
        "viewport": {"width": 360, "height": 780}, "has_touch": True, "is_mobile": True, "device_scale_factor": 3,
    },
}  # fmt: skip

# What is done on every frame, with the frame's number k.
WAYS = {
    "scrolling": "board.scroller.scrollBy(23 * Math.cos(k / 90), 17 * Math.sin(k / 70) + 3)",
    "zooming": "board.zoomBy(k % 120 < 60 ? 1.02 : 1 / 1.02)",
}

MEASURE = """async (seconds) => {
    const { board } = document.querySelector("section.mode:not([hidden])");
    const act = (board, k) => WAY;
    const intervals = [];
    const work = [];
    const plain = window.requestAnimationFrame.bind(window);
    let own = 0;
    window.requestAnimationFrame = (callback) => plain((now) => {
        const before = performance.now();
        callback(now);
        own += performance.now() - before;
    });
    await new Promise((resolve) => {
        let first = null;
        let last = null;
        let k = 0;
        const frame = (now) => {
            if (last !== null) {
                intervals.push(now - last);
                work.push(own);
            }
            own = 0;
            first ??= now;
            last = now;
            if (now - first > 1000 * seconds) {
                resolve();
                return;
            }
            const before = performance.now();
            act(board, k);
            own += performance.now() - before;
            k += 1;
            plain(frame);
        };
        plain(frame);
    });
    window.requestAnimationFrame = plain;
    return { intervals, work };
}"""


def prepare(page: Page, address: str) -> None:
    """Open a board and some of its cells, so that all kinds of cells are visible."""
    page.goto(f"{address}#/play?rules={RULES.replace(' ', '+')}&seed=8")
    page.wait_for_selector("body[data-ready]")
    page.evaluate(
        """async () => {
            const { api } = await import("/static/common/api.js");
            const id = new URLSearchParams(location.hash.split("?")[1]).get("game");
            for (let row = 4; row < 100; row += 12) {
                for (let col = 4; col < 100; col += 12) {
                    // Some are open already by then.
                    const state = await api.move(id, "open", row, col).catch(() => ({ over: false }));
                    if (state.over) await api.undo(id);
                }
            }
        }"""
    )
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.wait_for_timeout(1000)


def main() -> None:
    """Measure, print and, with --write, save the figures."""
    chosen = parse_arguments(argparse.ArgumentParser(description=__doc__))
    helpers = runpy.run_path(str(ROOT / "scripts" / "screenshots.py"))
    chromium = runpy.run_path(str(ROOT / "scripts" / "browser.py"))["find_browser"]()
    if chromium is None:
        sys.exit("There is no browser; `make browser` installs one.")
    found = []
    with helpers["serving"]() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=helpers["FLAGS"])
        for device, options in DEVICES.items():
            context = browser.new_context(**options)
            page = context.new_page()
            prepare(page, address)
            for name, way in WAYS.items():
                told = page.evaluate(MEASURE.replace("WAY", way), SECONDS)
                intervals, work = np.array(told["intervals"]), np.array(told["work"])
                figures = {
                    "frames": len(intervals),
                    "median_ms": round(float(np.median(intervals)), 1),
                    "p95_ms": round(float(np.percentile(intervals, 95)), 1),
                    "worst_ms": round(float(intervals.max()), 1),
                    "late": round(float((intervals > 25.0).mean()), 4),
                    "own_median_ms": round(float(np.median(work)), 2),
                    "own_p95_ms": round(float(np.percentile(work, 95)), 2),
                }
                found.append({"device": device, "what": name, **figures})
                print(f"{device}, {name}: {figures}", flush=True)
            context.close()
        browser.close()
    if chosen.write:
        save("frames", {"rows": found}, seeds="8", of="web")


if __name__ == "__main__":
    main()
