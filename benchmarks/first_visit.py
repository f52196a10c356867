"""How long the first visit takes until the board takes a click, on this machine and over a slow link.

``python -m benchmarks.first_visit [NAME=SRC ...]`` starts a server and, for every visit, Chromium with a new profile.
Requests and bytes are those until then; figures are medians. Given the ``src`` folders of several checkouts, it visits
each in turn, so that all of them meet the same machine; ``--write`` saves the figures.
"""

from __future__ import annotations

import argparse
import os
import runpy
import sys
from contextlib import ExitStack
from statistics import median
from typing import Any

from benchmarks.results import ROOT, parse_arguments, save
from playwright.sync_api import Playwright, sync_playwright

N_VISITS = 5
# As Chromium throttles: milliseconds added to every request, bytes per second.
LINKS = {"loopback": None, "50 ms, 10 Mbit/s": {"latency": 50, "down": 1_250_000}}
# When the board is there, by the page's own clock, which starts with the visit.
NOTE = """
new MutationObserver(() => { if (document.body?.dataset.ready) window.usableAt ??= performance.now(); })
  .observe(document, { subtree: true, childList: true, attributeFilter: ["data-ready"] });
"""
BOARD = "document.querySelector('section.mode:not([hidden])').board"


def visit(playwright: Playwright, chromium: str, flags: list[str], address: str, link: Any) -> dict[str, float]:
    """Visit once as somebody new; the board must really take a click."""
    browser = playwright.chromium.launch(executable_path=chromium, args=flags)
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    if link is not None:
        network.send(
            "Network.emulateNetworkConditions",
            {
                "offline": False,
                "latency": link["latency"],
                "downloadThroughput": link["down"],
                "uploadThroughput": link["down"],
            },
        )
    asked: list[str] = []
    sizes: list[float] = []
    network.on("Network.requestWillBeSent", lambda event: asked.append(event["request"]["url"]))
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.add_init_script(NOTE)
    page.goto(address, wait_until="commit")
    page.wait_for_selector("body[data-ready]")
    found = {"requests": len(asked), "kilobytes": sum(sizes) / 1000, "usable_ms": page.evaluate("usableAt")}
    place = page.evaluate(f"{BOARD}.placeOf(0, 0)")
    page.mouse.click(place["x"], place["y"])
    page.wait_for_selector("[aria-label^='Row 0, column 0:']:not([aria-label$=hidden])", state="attached")
    browser.close()
    return found


def main() -> None:
    """Measure, print and, with --write, save the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*", default=[f"after={ROOT / 'src'}"])
    chosen = parse_arguments(parser)
    helpers = runpy.run_path(str(ROOT / "scripts" / "screenshots.py"))
    chromium = runpy.run_path(str(ROOT / "scripts" / "browser.py"))["find_browser"]()
    if chromium is None:
        sys.exit("There is no browser; `make browser` installs one.")
    visits: dict[tuple[str, str], list[dict[str, float]]] = {}
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        addresses = {}
        for source in chosen.sources:
            name, _, os.environ["PYTHONPATH"] = source.partition("=")
            addresses[name] = stack.enter_context(helpers["serving"]())
        for _ in range(N_VISITS):
            for link, throttle in LINKS.items():
                for name, address in addresses.items():
                    found = visit(playwright, chromium, helpers["FLAGS"], address, throttle)
                    visits.setdefault((name, link), []).append(found)
    figures = [
        {"name": name, "link": link, **{figure: round(median(one[figure] for one in found)) for figure in found[0]}}
        for (name, link), found in visits.items()
    ]
    for one in figures:
        print(one)
    if chosen.write:
        save("first_visit", {"visits": N_VISITS, "rows": figures}, of="web")


if __name__ == "__main__":
    main()
