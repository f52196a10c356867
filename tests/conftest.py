"""Settings for all tests, and what keeps them the same whoever runs them."""

from __future__ import annotations

import faulthandler
import os
import signal
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from effort import ALL, times
from hypothesis import settings

# No deadline: the machine may be busy, and kernels that run uncompiled are slow. On CI the examples are the same every
# time, so that a failure is always the change's own.
settings.register_profile("sapper", deadline=None, max_examples=times(25, 200))
settings.register_profile("ci", settings.get_profile("sapper"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "sapper")

# What `sapper` prints must not depend on where its tests run: always UTF-8, and in colour on a terminal only. Some CI
# runners ask for colour everywhere, by one of these.
os.environ["PYTHONUTF8"] = "1"
for _name in (
    "PYTHONIOENCODING",
    "FORCE_COLOR",
    "NO_COLOR",
    "PY_COLORS",
    "GITHUB_ACTIONS",
    "TTY_COMPATIBLE",
    "COLUMNS",
):
    os.environ.pop(_name, None)

# Python itself ignores these, and gives them back to every process that it starts.
IGNORED_BY_PYTHON = {signal.SIGPIPE, signal.SIGXFSZ}


@pytest.fixture(scope="session", autouse=True)
def default_signals() -> Iterator[None]:
    """Processes that tests start have the default signals, whatever the tests themselves were started with.

    ``nohup``, a script's ``&`` and many CI runners ignore signals, and a process hands that down. It does not hand
    down handlers. So one that does nothing takes the place of ignoring: we are left alone as before, but the
    processes of tests hear Ctrl-C. A fixture, because the processes of xdist must still inherit what is ignored.
    """
    before = {number: signal.getsignal(number) for number in signal.valid_signals() - IGNORED_BY_PYTHON}
    ignored = [number for number, handler in before.items() if handler is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, lambda *_: None)
    blocked = signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
    yield
    signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


# What a mark leaves out of a tier, and which one runs it.
TIERS = {"long": "make test-all", "slow": "make test", "browser": "make test"}
# For what a process of xdist still has to close after its last test; another may run one for as long as it may take.
SECONDS_TO_END = 600
LEFT_OUT = pytest.StashKey[Counter[str]]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long tests to `make test-all`; every process of xdist begins with those that may take a while."""
    left_out = [] if ALL else [item for item in items if item.get_closest_marker("long")]
    if left_out:
        items[:] = [item for item in items if not item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=left_out)
    # Each is dealt a run of them; what is quick comes last, so that nobody waits for the last test of another.
    n_processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    slow: list[pytest.Item] = []
    quick: list[pytest.Item] = []
    for item in items:
        is_quick = not any(map(item.get_closest_marker, TIERS)) and item.path.suffix != ".md"
        (quick if is_quick else slow).append(item)
    items[:] = [
        item
        for number in range(n_processes)
        for kind in (slow, quick)
        for item in kind[len(kind) * number // n_processes : len(kind) * (number + 1) // n_processes]
    ]


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Count what this tier leaves out, by the mark that says why."""
    if not items:
        return
    config = items[0].config
    counts = config.stash.setdefault(LEFT_OUT, Counter())
    counts.update(next((mark for mark in TIERS if item.get_closest_marker(mark)), "other") for item in items)
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = dict(counts)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear from a process of xdist what it left out; all leave out the same."""
    node.config.stash[LEFT_OUT] = Counter(getattr(node, "workeroutput", {}).get("left_out", {}))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """End a process of xdist that does not end by itself, and print what each of its threads waits for."""
    if hasattr(session.config, "workeroutput"):
        faulthandler.dump_traceback_later(SECONDS_TO_END, exit=True, file=2)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say which tests were left out, and why: nobody should take their silence for success."""
    for mark, n_tests in config.stash.get(LEFT_OUT, Counter[str]()).items():
        if mark == "long" or f"not {mark}" in config.option.markexpr:
            terminalreporter.write_line(f"Left out: tests marked {mark} ({n_tests}); `{TIERS[mark]}` runs them.")
    skipped = terminalreporter.getreports("skipped")
    if not skipped:
        return
    terminalreporter.section(f"LEFT OUT: {len(skipped)} of the tests", red=True, bold=True)
    files: dict[str, Counter[str]] = {}
    for report in skipped:
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        files.setdefault(why.removeprefix("Skipped: "), Counter())[report.nodeid.partition("::")[0]] += 1
    for why, counts in files.items():
        terminalreporter.write_line(why, red=True, bold=True)
        for name, n_tests in sorted(counts.items()):
            terminalreporter.write_line(f"  {n_tests:3} in {name}", red=True)
