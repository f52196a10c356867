"""The tests themselves: the same whoever runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import run
from effort import more

HERE = Path(__file__)

# What Python ignores of its own accord is not what somebody handed down.
SAY_SIGNALS = (
    "import signal\n"
    "ignored = {n.name for n in signal.Signals if signal.getsignal(n) is signal.SIG_IGN} - {'SIGPIPE', 'SIGXFSZ'}\n"
    "print(ignored, signal.pthread_sigmask(signal.SIG_BLOCK, ()))\n"
)
# What `nohup`, a script's `&` and some CI runners do before they start something.
DISTURB = (
    "import os, signal, sys\n"
    "for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)\n"
    "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGUSR1})\n"
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])\n"
)


def test_processes_of_tests_start_with_default_signals() -> None:
    done = subprocess.run([sys.executable, "-c", SAY_SIGNALS], capture_output=True, text=True, check=True)
    assert done.stdout == "set() set()\n"


def test_processes_of_tests_print_plain_utf8() -> None:
    said = run("explain", "###/121").stdout
    assert "·" in said
    assert "\x1b" not in said


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["1", *more("0")])
def test_they_do_so_whatever_the_runner_ignores_and_asks_for(processes: str) -> None:
    # Python cannot start in the locale C from a folder whose name has other letters.
    locale = "C" if sys.executable.isascii() else "C.UTF-8"
    settings = {"LC_ALL": locale, "PYTHONIOENCODING": "ascii", "FORCE_COLOR": "1", "HOME": "/proc/none"}
    environment = os.environ | settings
    disturbed = subprocess.run(
        [sys.executable, "-c", DISTURB, "-c", SAY_SIGNALS], capture_output=True, text=True, check=True, env=environment
    )
    assert "SIGHUP" in disturbed.stdout  # else the next proves nothing
    tests = ("-k", "processes_of_tests", str(HERE))
    done = subprocess.run(
        [sys.executable, "-c", DISTURB, "-m", "pytest", "-p", "no:cacheprovider", "-n", processes, *tests],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
