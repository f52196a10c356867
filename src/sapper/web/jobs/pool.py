"""Worker pools of the server: each job runs in a process and has a time limit that it cannot exceed.

A thread would not do: most of the reasoning holds Python's global lock, and a thread that takes too long cannot be
stopped. A process that exceeds its time, or dies, is replaced, and the visitor gets a message.
"""

from __future__ import annotations

import asyncio
import json
import queue
import sys
import threading
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import NamedTuple

from sapper.errors import SapperError
from sapper.web.cache import Locks
from sapper.web.http.responses import Refusal, describe_error, encode
from sapper.workers import Job, Worker, WorkerDied

MAX_WAIT = 20.0  # seconds in the queue
SECONDS_AT_REST = 15.0  # without a job, after which a process that has grown exits
MEGABYTES = 4096  # of addresses; a job that needs more is too hard
MAX_WAITING = 64  # jobs of a pool, including those that run
MAX_OWN_WAITING = 8  # of one visitor

# Imported by a worker when it starts, so that its first job does not wait for them.
_MODULES = ("sapper.web.jobs.positions", "sapper.web.jobs.training")
_TOO_HARD = "This takes more memory or more steps than the server allows."


class JobResult(NamedTuple):
    """The outcome of a job: a status and JSON."""

    status: int
    body: bytes

    def value(self) -> object:
        """Return the result of the job. Raises `Refusal` with its message if it failed."""
        decoded = json.loads(self.body)
        if self.status != 200:
            raise Refusal(self.status, decoded["error"])
        return decoded


class WorkerPool:
    """A worker pool for one kind of job, with a queue.

    One visitor never has more than one worker of a pool; their other jobs wait until it is free.
    """

    def __init__(self, n_workers: int, seconds: float) -> None:
        self._seconds = seconds
        self._waiting: Counter[str] = Counter()  # jobs by visitor
        self._locks = Locks()
        self._starting = threading.Lock()  # so that nothing is started once the pool is closed
        self._is_closed = False
        self._workers = [Worker(memory=MEGABYTES, idle=SECONDS_AT_REST, modules=_MODULES) for _ in range(n_workers)]
        # The last that was busy comes first: one job after the other needs only one process.
        self._idle: queue.LifoQueue[Worker] = queue.LifoQueue()
        for worker in self._workers:
            self._idle.put(worker)
        # A thread per worker waits for it, so a thread that has a job always finds an idle one.
        self._threads = ThreadPoolExecutor(n_workers, "pool")

    def start(self) -> None:
        """Start the workers before the first job."""
        for worker in self._workers:
            self._threads.submit(self._start, worker)

    async def run(self, owner: str, job: Job, *arguments: object) -> JobResult:
        """Run a job for a visitor: a function of a module, and arguments that can be pickled.

        Raises `Refusal` if too many jobs are waiting, and if this one takes too long.
        """
        if self._waiting[owner] >= MAX_OWN_WAITING:
            raise Refusal(429, "Too many of your requests are waiting. Try again in a moment.", {"Retry-After": "5"})
        if self._waiting.total() >= MAX_WAITING:
            raise _busy()
        self._waiting[owner] += 1
        try:
            async with asyncio.timeout(self._seconds + MAX_WAIT), self._locks.lock_for(owner):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._threads, self._do, job, arguments)
        except TimeoutError:
            raise _busy() from None
        finally:
            self._waiting[owner] -= 1
            if not self._waiting[owner]:
                del self._waiting[owner]

    def _do(self, job: Job, arguments: tuple[object, ...]) -> JobResult:
        worker = self._idle.get()
        try:
            try:
                return self._call(worker, job, arguments)
            except WorkerDied as death:
                if death.begun:
                    raise
                # A worker may exit while it is idle. A job that it has not begun goes to the next, once.
                return self._call(worker, job, arguments)
        except WorkerDied:
            raise Refusal(503, "The calculation stopped unexpectedly. Try again.") from None
        finally:
            self._idle.put(worker)

    def _call(self, worker: Worker, job: Job, arguments: tuple[object, ...]) -> JobResult:
        try:
            self._start(worker)
        except OSError:
            raise _busy() from None
        worker.send(do, job, arguments)
        try:
            answer: JobResult = worker.receive(self._seconds)
        except (TimeoutError, WorkerDied) as error:
            worker.kill()
            # Ready for the next job, which tries again if the system refuses now.
            with suppress(OSError, Refusal):
                self._start(worker)
            if isinstance(error, WorkerDied):
                raise
            raise Refusal(503, f"This took longer than {self._seconds:g} seconds and was stopped.") from None
        return answer

    def _start(self, worker: Worker) -> None:
        with self._starting:
            if self._is_closed:
                raise _busy()
            worker.start()

    def close(self) -> None:
        """End the workers, whatever they are doing."""
        with self._starting:
            self._is_closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown(wait=True)


def _busy() -> Refusal:
    return Refusal(503, "The server is busy. Try again in a moment.", {"Retry-After": "5"})


def do(job: Job, arguments: tuple[object, ...]) -> JobResult:
    """Run a job, in the worker, and encode its outcome."""
    try:
        return JobResult(200, encode(job(*arguments)))
    except SapperError as error:
        status, body = describe_error(error)
        return JobResult(status, encode(body))
    except (MemoryError, RecursionError):
        return JobResult(422, encode({"error": _TOO_HARD}))
    except Exception:  # noqa: BLE001 - a fault of ours: the log gets all of it, the visitor a message
        traceback.print_exc(file=sys.stderr)
        return JobResult(500, encode({"error": "The server made a mistake; see its log."}))
