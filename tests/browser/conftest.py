"""One server and one browser for all tests of the page; a new visitor for each."""

from __future__ import annotations

import runpy
from collections.abc import Iterator

import pytest
from driver import DESK, FLAGS, PHONE, ROOT, Driver, serving, visiting
from playwright.sync_api import Browser, expect, sync_playwright
from processes import PATIENCE

# The first question of a kind may wait for code to be loaded, on a machine that is busy with other tests.
expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    script = runpy.run_path(str(ROOT / "scripts" / "browser.py"))
    path = script["find_browser"]()
    if path is None:
        (pytest.fail if script["is_needed"]() else pytest.skip)(script["MISSING"])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def desk(browser: Browser, address: str) -> Iterator[Driver]:
    """Somebody at a desk, with mouse and keyboard."""
    with visiting(browser, address, **DESK) as driver:
        yield driver


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Driver]:
    """Somebody with a small phone."""
    with visiting(browser, address, **PHONE) as driver:
        yield driver
