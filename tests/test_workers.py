"""Workers return results, can be killed and say so; Ctrl-C ends compiled code and waits while processes start."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sapper.errors import Contradiction, Forfeit, GaveUp, InputError, MissingExtra, SapperError, TooHard
from sapper.inference.evaluation.endgame import solve_position
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
from sapper.workers import Worker, WorkerDied, interrupts_deferred, interrupts_heeded, note_stoppable, wait

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


@pytest.mark.parametrize(
    "error",
    [
        InputError("Wrong."),
        Contradiction("No layout fits.", ((0, 1),), total=True),
        TooHard("Too hard.", 40),
        GaveUp("Nothing found.", 7),
        Forfeit("crash", "It broke.", "output"),
        MissingExtra("Install it."),
    ],
)
def test_errors_come_whole_from_another_process(error: SapperError) -> None:
    found = pickle.loads(pickle.dumps(error))
    assert (type(found), str(found), vars(found)) == (type(error), str(error), vars(error))


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

    def search() -> None:
        press(0.5)  # in here: where the machine is slow, it may come before the search begins
        solve_position(position, 10_000_000)

    with interrupts_heeded(), pytest.raises(KeyboardInterrupt):
        search()


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


# -- workers --------------------------------------------------------------------------------------------------


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(memory=3_000)
    made.start()
    yield made
    made.kill()


def take_memory() -> int:
    return len(bytearray(4_000 * 2**20))


def keep_memory() -> int:
    kept.append(bytearray(b"x") * 200_000_000)
    return os.getpid()


kept: list[bytearray] = []


def return_what_cannot_be_sent() -> object:
    return threading.Lock()


@pytest.mark.slow
def test_results_and_exceptions_come_back_in_order_and_the_worker_survives_them(worker: Worker) -> None:
    for job, *arguments in ((pow, 7, 2), (divmod, 1, 0), (take_memory,), (return_what_cannot_be_sent,), (abs, -3)):
        worker.send(job, *arguments)
    assert worker.receive() == 49
    with pytest.raises(ZeroDivisionError):
        worker.receive()
    with pytest.raises(MemoryError):
        worker.receive()
    with pytest.raises(TypeError, match="cannot be sent"):
        worker.receive()
    assert wait([worker]) == [worker]
    assert worker.receive() == 3


@pytest.mark.slow
def test_a_job_that_takes_too_long_can_be_killed_and_the_worker_started_again(worker: Worker) -> None:
    worker.send(time.sleep, PATIENCE)
    with pytest.raises(TimeoutError):
        worker.receive(0.1)
    worker.kill()
    with pytest.raises(WorkerDied):
        worker.receive()
    worker.start()
    worker.send(abs, -3)
    assert worker.receive(PATIENCE) == 3


@pytest.mark.slow
def test_a_death_says_whether_the_job_had_begun(worker: Worker) -> None:
    worker.send(os._exit, 1)
    worker.send(abs, -3)
    assert wait([worker]) == [worker]
    with pytest.raises(WorkerDied) as death:
        worker.receive()
    assert death.value.begun
    worker.start()
    pid = worker._process.pid
    os.kill(pid, signal.SIGKILL)
    worker._process.join(PATIENCE)
    worker.send(abs, -3)
    with pytest.raises(WorkerDied) as death:
        worker.receive()
    assert not death.value.begun


@pytest.mark.slow
def test_kill_wakes_a_thread_that_waits(worker: Worker) -> None:
    worker.send(time.sleep, PATIENCE)
    timer = threading.Timer(0.5, worker.kill)
    timer.start()
    with pytest.raises(WorkerDied):
        worker.receive()
    timer.join()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="a process cannot tell what it holds here")
def test_a_process_that_has_grown_ends_once_it_has_nothing_to_do() -> None:
    worker = Worker(idle=0.1)
    worker.start()
    worker.send(os.getpid)
    at_rest = worker.receive(PATIENCE)
    time.sleep(0.5)
    worker.send(keep_memory)
    assert worker.receive(PATIENCE) == at_rest
    worker._process.join(PATIENCE)
    assert worker._process.exitcode == 0
    worker.start()
    worker.send(abs, -3)
    assert worker.receive(PATIENCE) == 3
    worker.kill()
