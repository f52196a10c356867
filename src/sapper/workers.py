"""Worker processes that can be killed at any moment, and Ctrl-C.

A `Worker` runs functions in a process of its own, with limits on time and memory. Each worker has its own pipe and
shares no lock or queue with the others. When a worker is killed, even while it sends a result, its pipe ends and only
its own jobs are lost. When the parent is killed, the worker reads the end of its pipe and exits, even during a job.

Python handles a signal only after compiled code returns, and a hard search may take many seconds. Memory that a kernel
works on therefore has a flag ``stop``, which another thread sets on Ctrl-C.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing import connection, get_context
from pathlib import Path
from typing import Any, Protocol, TypeAlias
from weakref import WeakSet

Pipe: TypeAlias = "connection.Connection[Any, Any]"  # it has type parameters from Python 3.14 on
Job = Callable[..., object]

SECONDS_TO_START = 60.0  # loading Python and the engine takes about a second, much longer on a busy machine
MEGABYTES_AT_REST = 128.0  # a process that has done easy jobs takes 50 to 100

_BEGUN = "begun"


class WorkerDied(Exception):
    """The process of a worker ended before it returned a result."""

    def __init__(self, begun: bool) -> None:
        super().__init__("The worker process ended early.")
        self.begun = begun  # whether it had begun the job


class Worker:
    """A process that runs functions, seen from the process that started it.

    One thread sends and receives; any thread may kill.

    >>> worker = Worker(memory=2_000)
    >>> worker.start()
    >>> worker.send(pow, 7, 2)
    >>> worker.receive(seconds=60)
    49
    >>> worker.send(int, "seven")
    >>> worker.receive()
    Traceback (most recent call last):
    ValueError: invalid literal for int() with base 10: 'seven'
    >>> worker.kill()
    """

    def __init__(
        self, *, memory: int | None = None, idle: float | None = None, nice: int = 0, modules: tuple[str, ...] = ()
    ) -> None:
        self._limits = memory, idle, nice, modules  # see `serve`
        self._lock = threading.Lock()
        self._process: Any = None
        self._pipe: Pipe | None = None
        self._begun = False  # whether the job whose result comes next has begun

    def start(self) -> None:
        """Start the process unless it is running. Raises `OSError` if the system refuses."""
        with self._lock:
            if self._process is not None and self._process.is_alive():
                return
            self._end()
            # Spawned, not forked: a fork of a process with threads may hang, and it would hold other pipes open.
            context = get_context("spawn")
            pipe, its_end = context.Pipe()
            process = context.Process(target=serve, args=(its_end, *self._limits), daemon=True)
            # Ctrl-C is for this process, and must not leave the new one half started.
            with its_end, interrupts_deferred():
                process.start()
            self._process, self._pipe, self._begun = process, pipe, False

    def send(self, job: Job, *arguments: object) -> None:
        """Queue a job: a function of a module and arguments, all of which can be pickled.

        If the process has died, `receive` says so.
        """
        if self._pipe is not None:
            with suppress(OSError):
                self._pipe.send((job, arguments))

    def receive(self, seconds: float | None = None) -> Any:
        """Return the result of the oldest job, or raise the exception that it raised.

        Raises `TimeoutError` if it takes more than ``seconds`` once begun, and `WorkerDied` if the process has ended.
        """
        pipe, begun = self._pipe, self._begun  # held here: `kill` in another thread must not close a pipe in use
        try:
            if pipe is None:
                raise EOFError
            if not begun:
                # The time to start a process and to load its code is not the job's.
                if not pipe.poll(SECONDS_TO_START):
                    raise EOFError
                begun = self._begun = pipe.recv() == _BEGUN
            is_ready = pipe.poll(seconds)
            is_done, result = pipe.recv() if is_ready else (False, TimeoutError())
        except (EOFError, OSError):
            self.kill()
            raise WorkerDied(begun) from None
        self._begun = not is_ready
        if not is_done:
            raise result
        return result

    def kill(self) -> None:
        """End the process, whatever it is doing. A thread that waits in `receive` gets `WorkerDied`."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        process, self._process, self._pipe = self._process, None, None
        if process is not None:
            process.kill()
            process.join()
            process.close()


def wait(workers: Sequence[Worker]) -> list[Worker]:
    """Wait until `Worker.receive` returns or raises at once for some of the workers; return those."""
    by_pipe = {worker._pipe: worker for worker in workers if worker._pipe is not None}
    while True:
        found = []
        for pipe in connection.wait(list(by_pipe)):
            worker = by_pipe[pipe]  # type: ignore[index]
            with suppress(EOFError, OSError):
                if not worker._begun:
                    worker._begun = worker._pipe.recv() == _BEGUN  # type: ignore[union-attr]
                    continue
            found.append(worker)
        if found:
            return found


# -- in the worker process ------------------------------------------------------------------------------------


def serve(
    pipe: Pipe, memory: int | None = None, idle: float | None = None, nice: int = 0, modules: tuple[str, ...] = ()
) -> None:
    """Do the jobs that come through a pipe, until it ends.

    - ``memory``: megabytes of addresses; a job that needs more raises `MemoryError`.
    - ``idle``: seconds without a job after which a process that has grown exits: Python seldom returns all of the
      memory that a hard job took, but the system gets it back with the process.
    - ``nice``: how much to lower the priority.
    - ``modules``: imported before the first job.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if nice:
        with suppress(AttributeError, OSError):  # Windows has no os.nice
            os.nice(nice)
    if memory is not None:
        _limit_memory(memory)
    for module in modules:
        import_module(module)
    jobs: queue.SimpleQueue[tuple[Job, tuple[object, ...]]] = queue.SimpleQueue()
    # A thread of its own notices during a job, too, that the parent is gone.
    threading.Thread(target=_listen, args=(pipe, jobs), daemon=True).start()
    while True:
        try:
            job, arguments = jobs.get(timeout=idle)
        except queue.Empty:
            if _megabytes_held() > MEGABYTES_AT_REST:
                os._exit(0)
            continue
        with suppress(OSError):
            pipe.send(_BEGUN)
            try:
                result = True, job(*arguments)
            except Exception as error:  # noqa: BLE001 - raised again by `receive`
                result = False, error
            _send(pipe, result)


def _listen(pipe: Pipe, jobs: queue.SimpleQueue[tuple[Job, tuple[object, ...]]]) -> None:
    while True:
        try:
            jobs.put(pipe.recv())
        except (EOFError, OSError):
            os._exit(0)
        except Exception as error:  # noqa: BLE001 - a job that cannot be unpickled
            jobs.put((_fail, (error,)))


def _send(pipe: Pipe, result: tuple[bool, object]) -> None:
    try:
        pipe.send(result)
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever pickling raises, nothing is sent yet
        pipe.send((False, TypeError(f"The result {result[1]!r:.200} cannot be sent: {error}")))


def _fail(error: Exception) -> None:
    raise error


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = megabytes * 2**20
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _megabytes_held() -> float:
    """Return the memory of this process, or 0 where the system does not say."""
    try:
        n_pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return n_pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, ValueError, AttributeError):
        return 0.0


# -- Ctrl-C ---------------------------------------------------------------------------------------------------


class Stoppable(Protocol):
    """Memory of a kernel, which returns within milliseconds once ``stop`` is set."""

    stop: bool


_STOPPABLE: WeakSet[Any] = WeakSet()


def note_stoppable(one: Stoppable) -> None:
    """Have Ctrl-C stop the kernel that works on this, within `interrupts_heeded`."""
    _STOPPABLE.add(one)


@contextmanager
def interrupts_heeded() -> Iterator[None]:
    """Within this block, Ctrl-C ends compiled code in milliseconds and raises `KeyboardInterrupt` as usual.

    This is for the main thread. Elsewhere it changes nothing, since nothing is raised there.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # The signal writes a byte even while Python waits for compiled code, and wakes the thread that reads it.
    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    before = signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    watching = threading.Thread(target=_watch, args=(readable,), name="Ctrl-C", daemon=True)
    watching.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(writable)
        watching.join()
        os.close(readable)
        _set_stop(False)


def _watch(readable: int) -> None:
    while numbers := os.read(readable, 64):
        if signal.SIGINT in numbers:
            _set_stop(True)


def _set_stop(stop: bool) -> None:
    while True:
        try:
            for one in _STOPPABLE:
                one.stop = stop
        except RuntimeError:  # another thread has added one meanwhile
            continue
        return


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Within this block, Ctrl-C waits until the end, and processes that are started never receive it.

    Blocking the signal is not enough: other threads receive it too, and have Python interrupt the main thread.
    """
    seen: list[tuple[Any, ...]] = []
    handler = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread() and callable(handler)
    before = _block_interrupts()
    try:
        if is_main:
            signal.signal(signal.SIGINT, lambda *heard: seen.append(heard))
        yield
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if is_main:
            signal.signal(signal.SIGINT, handler)
        if seen and callable(handler):
            handler(*seen[0])


def _block_interrupts() -> set[int] | None:
    """Block Ctrl-C for this thread and the processes that it starts; return the signals that were blocked before."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        return None
    from multiprocessing import resource_tracker

    # Python starts this helper with the first process, and unblocks signals after that.
    resource_tracker.ensure_running()
    return signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
