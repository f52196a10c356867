"""Processes that compute for the server: a few at a time, each job with a time limit that nothing can overrun.

A thread would not do: most of the reasoning holds Python's lock, and a thread that takes too long cannot be stopped. A
process can. One that overruns its time, or dies, is replaced, and whoever asked gets a sentence.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import signal
import sys
import threading
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import connection, get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

from sapper.errors import SapperError
from sapper.interrupts import hold_back_interrupts
from sapper.web.http.responses import Refusal, describe_error, encode

if TYPE_CHECKING:
    from collections.abc import Callable


if TYPE_CHECKING:
    # A pipe's end has a type parameter from Python 3.14 on.
    Pipe = connection.Connection[Any, Any]
    Job = Callable[..., object]

BEGUN = "begun"
SECONDS_TO_START = 20.0  # loading Python and the engine takes about a second, longer on a busy machine
SECONDS_TO_WAIT = 20.0  # for a turn
SECONDS_AT_REST = 15.0  # without a job, after which a process that has grown ends
MEGABYTES_AT_REST = 128.0  # a process that has done easy jobs takes 50 to 100
MEGABYTES = 4096  # of addresses; a job that wants more is told that it is too hard
MOST_WAITING = 64  # jobs of a lane, those that are being done included
MOST_OWN_WAITING = 8  # of one visitor, so that nobody fills a lane alone

_TOO_HARD = "This takes more memory or more steps than the server allows."


class Answer(NamedTuple):
    """What a job came to: a status and JSON."""

    status: int
    body: bytes

    def value(self) -> object:
        """What was computed; raises `Refusal` with the sentence if it could not be."""
        said = json.loads(self.body)
        if self.status != 200:
            raise Refusal(self.status, said["error"])
        return said


class Lane:
    """Some processes for jobs of one kind, and the line of those who wait for them.

    One visitor never has more than one process of a lane; their other jobs wait until it is free.
    """

    def __init__(self, n_workers: int, seconds: float) -> None:
        self._seconds = seconds
        self._waiting: Counter[str] = Counter()  # jobs by visitor
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._workers = [_Worker() for _ in range(n_workers)]
        # The last that was busy comes first: one job after the other needs only one process.
        self._idle: queue.LifoQueue[_Worker] = queue.LifoQueue()
        for worker in self._workers:
            self._idle.put(worker)
        # A thread per process waits for it, so there is always an idle one for a thread that has a job.
        # Ctrl-C is for the server, not for the processes that these threads start.
        self._threads = ThreadPoolExecutor(n_workers, "lane", initializer=hold_back_interrupts)

    def start(self) -> None:
        """Start the processes before anybody waits for them."""
        for worker in self._workers:
            self._threads.submit(worker.start)

    async def run(self, owner: str, job: Job, *arguments: object) -> Answer:
        """Have a job done for a visitor: a function of a module, and arguments that can be sent.

        Raises `Refusal` if too many are waiting, and if the job takes too long.
        """
        if self._waiting[owner] >= MOST_OWN_WAITING:
            raise Refusal(429, "Too many of your requests are waiting. Try again in a moment.", {"Retry-After": "5"})
        if self._waiting.total() >= MOST_WAITING:
            raise _busy()
        turn = self._turns.setdefault(owner, asyncio.Lock())
        self._waiting[owner] += 1
        try:
            async with asyncio.timeout(self._seconds + SECONDS_TO_WAIT), turn:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._threads, self._do, job, arguments)
        except TimeoutError:
            raise _busy() from None
        finally:
            self._waiting[owner] -= 1
            if not self._waiting[owner]:
                del self._waiting[owner]

    def _do(self, job: Job, arguments: tuple[object, ...]) -> Answer:
        worker = self._idle.get()
        try:
            return worker.call(job, arguments, self._seconds)
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown(wait=True)
        for worker in self._workers:
            worker.end()


def _busy() -> Refusal:
    return Refusal(503, "The server is busy with other positions; try again in a moment.", {"Retry-After": "5"})


def _ended() -> Refusal:
    return Refusal(503, "The process that computed this ended early; try again.")


class _Worker:
    """A process that does jobs, seen from the server. Only one thread at a time uses it, but for `close`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # so that nothing is started after the end
        self._process: Any = None
        self._pipe: Pipe | None = None
        self._is_closed = False

    def start(self) -> None:
        """Start the process if there is none."""
        with self._lock:
            # One that died while it had nothing to do is nobody's trouble.
            if self._process is not None and not self._process.is_alive():
                self._clear_up()
            if self._process is not None or self._is_closed:
                return
            # A fresh process rather than a forked one: a fork of a process with threads may hang.
            context = get_context("spawn")
            pipe, its_end = context.Pipe()
            process = context.Process(target=work, args=(its_end,), daemon=True)
            with its_end:
                process.start()
            self._process, self._pipe = process, pipe

    def call(self, job: Job, arguments: tuple[object, ...], seconds: float) -> Answer:
        """Have a job done within so many seconds."""
        # A process may end while it has nothing to do. What it has not begun is handed to the next, once.
        pipe = self._begin(job, arguments) or self._begin(job, arguments)
        if pipe is None:
            raise _ended()
        try:
            if not pipe.poll(seconds):
                self._replace()
                raise Refusal(503, f"This took longer than {seconds:g} seconds and was given up.")
            answer: Answer = pipe.recv()
        except (EOFError, OSError):
            self._replace()
            raise _ended() from None
        return answer

    def _begin(self, job: Job, arguments: tuple[object, ...]) -> Pipe | None:
        """Hand a job over; return the pipe once it is begun, or None if the process ended before."""
        try:
            self.start()
        except OSError:
            raise _busy() from None
        pipe = self._pipe
        if pipe is None or self._is_closed:
            raise _busy()
        with suppress(EOFError, OSError):
            pipe.send((job, arguments))
            # What it takes to start a process and to load the code is not the job's fault.
            if pipe.poll(SECONDS_TO_START):
                pipe.recv()
                return pipe
        self._replace()
        return None

    def _replace(self) -> None:
        self.end()
        # If it cannot be started now, whoever comes next tries again.
        with suppress(OSError):
            self.start()

    def end(self) -> None:
        """Clear up after a process, which is killed if it is alive."""
        with self._lock:
            self._clear_up()

    def _clear_up(self) -> None:
        process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if process is not None and pipe is not None:
            process.kill()
            process.join()
            process.close()
            pipe.close()

    def kill(self) -> None:
        """End the process for good. Whoever waits for it is told so by its pipe."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()


# -- in the process itself ------------------------------------------------------------------------------------


def work(pipe: Pipe) -> None:
    """Do what comes through the pipe, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    # Now, so that nobody waits for it later.
    from sapper.web.jobs import positions, training  # noqa: F401

    waiting: queue.SimpleQueue[tuple[Job, tuple[object, ...]]] = queue.SimpleQueue()
    # Heard even in the middle of a job: when the server is gone, nobody is left to compute for.
    threading.Thread(target=_listen, args=(pipe, waiting), daemon=True).start()
    while True:
        try:
            job, arguments = waiting.get(timeout=SECONDS_AT_REST)
        except queue.Empty:
            # Python seldom returns all of the memory that a hard job took. The system gets it back with the process,
            # and the server starts another for the next job.
            if _megabytes_held() > MEGABYTES_AT_REST:
                os._exit(0)
            continue
        with suppress(OSError):
            pipe.send(BEGUN)
            pipe.send(do(job, arguments))


def do(job: Job, arguments: tuple[object, ...]) -> Answer:
    """Do a job and write down what it came to."""
    try:
        return Answer(200, encode(job(*arguments)))
    except SapperError as error:
        status, said = describe_error(error)
        return Answer(status, encode(said))
    except (MemoryError, RecursionError):
        return Answer(422, encode({"error": _TOO_HARD}))
    except Exception:  # noqa: BLE001 - a fault of ours: the log gets it all, the visitor a sentence
        traceback.print_exc(file=sys.stderr)
        return Answer(500, encode({"error": "The server made a mistake; it is in its log."}))


def _listen(pipe: Pipe, waiting: queue.SimpleQueue[tuple[Job, tuple[object, ...]]]) -> None:
    try:
        while True:
            waiting.put(pipe.recv())
    except (EOFError, OSError):
        os._exit(0)


def _megabytes_held() -> float:
    """Memory of this process, where the system tells; nothing elsewhere."""
    try:
        n_pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return n_pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, ValueError, AttributeError):
        return 0.0


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = MEGABYTES * 2**20
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
