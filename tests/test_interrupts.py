"""Ctrl-C: ends compiled code, waits while processes are started, and says nothing while the command is loaded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from sapper.inference.evaluation.endgame import solve_position
from sapper.inference.posterior.exact import mine_probabilities
from sapper.interrupts import interrupts_deferred, interrupts_heeded, note_stoppable
from sapper.observation import Observation

PATIENCE = 60.0


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    """Python's own handler, whatever the tests were started with."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals are for the main thread")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press(after: float) -> None:
    """Press Ctrl-C in a moment; if the machine is slow, before the search has begun."""
    timer = threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.daemon = True
    timer.start()


def test_whatever_can_be_stopped_is_stopped_and_may_go_on_afterwards() -> None:
    stopped = threading.Event()

    class Search:
        """Notes what its flag is set to."""

        @property
        def stop(self) -> bool:
            return stopped.is_set()

        @stop.setter
        def stop(self, stop: bool) -> None:
            (stopped.set if stop else stopped.clear)()

    search = Search()
    note_stoppable(search)
    signal.signal(signal.SIGINT, lambda *_: None)
    with interrupts_heeded():
        signal.raise_signal(signal.SIGINT)
        assert stopped.wait(PATIENCE)
    assert not stopped.is_set()


@pytest.mark.slow
def test_perfect_play_over_many_layouts_ends_at_once() -> None:
    # Minutes, if nobody stops it.
    position = Observation.parse("/".join(["######"] * 4) + " 8")
    press(0.5)
    with interrupts_heeded(), pytest.raises(KeyboardInterrupt):
        solve_position(position, 10_000_000)


def test_what_was_stopped_is_summed_afterwards() -> None:
    assert mine_probabilities("1# 1").p_mine[0, 1] == 1.0
    signal.signal(signal.SIGINT, lambda *_: None)
    with interrupts_heeded():
        signal.raise_signal(signal.SIGINT)
    assert mine_probabilities("1# 1").p_mine[0, 1] == 1.0


def test_nothing_is_interrupted_while_a_process_is_started() -> None:
    done = []

    def start() -> None:
        with interrupts_deferred():
            # Another thread may hear it, too; then Python would interrupt the main one all the same.
            other = threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT))
            other.start()
            other.join()
            done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        start()
    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with interrupts_deferred():
        pass


LOADED = """
import signal, sys
class Presses:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Presses())
signal.signal(signal.SIGINT, getattr(signal, sys.argv.pop()))
from sapper.__main__ import main
main()
"""


@pytest.mark.parametrize(("handler", "status"), [("default_int_handler", 130), ("SIG_IGN", 0)])
def test_ctrl_c_while_the_command_is_loaded_ends_it_without_a_word(handler: str, status: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, "--version", handler], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (status, "")
