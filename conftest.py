"""For all tests, also those in the documents and in the code."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

# They have no examples, and what they import takes long or is too large for the set-up of the tests.
collect_ignore = [
    "src/sapper/env/verifiers.py",
    "src/sapper/mcp/server.py",
    "src/sapper_minesweeper.py",
    "tests/support",
]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many processes `-n auto` runs: one more than there are cores if slow tests, which often wait, do."""
    return (os.cpu_count() or 1) + ("not slow" not in config.option.markexpr)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Hide the loop of a browser that waits for the next test of the page: others run loops of their own."""
    waiting = asyncio._get_running_loop()
    if item.get_closest_marker("browser") is None:
        asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(waiting)
