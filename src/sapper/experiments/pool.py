"""Processes that play chunks and may be killed at any moment, they or the one that started them.

Each process has a pipe of its own and shares no lock and no queue with the others. So one that is killed, even in the
middle of handing in a result, closes its pipe and is noticed; the others go on, and only its own chunks are played
again. And one whose parent is gone reads the end of its pipe and goes too, in the middle of a game if need be.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections import deque
from contextlib import suppress
from multiprocessing import connection, get_context
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sapper.errors import ClusterError
from sapper.experiments.games import Packed, play_packed
from sapper.interrupts import interrupts_deferred

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from sapper.experiments.games import Chunk


if TYPE_CHECKING:
    # A pipe's end has a type parameter from Python 3.14 on.
    Pipe = connection.Connection[Any, Any]

Key = TypeVar("Key")

# So many processes may be killed with no chunk finished in between before we give up.
MOST_DEATHS = 6

# Chunks that a process has: the one it plays and the next, so that it never waits for us.
AT_HAND = 2

SECONDS_TO_END = 5.0


def play_in_pool(chunks: Iterable[tuple[Key, Chunk]], jobs: int) -> Generator[tuple[Key, Packed], None, None]:
    """Yield the results of chunks played by so many processes; what a killed one had at hand is played by another."""
    todo = _Todo(chunks)
    workers: list[_Worker[Key]] = []
    n_deaths = 0
    try:
        while True:
            _hand_out(todo, workers, jobs)
            if not workers:
                return
            ready = connection.wait([worker.pipe for worker in workers])
            for worker in [worker for worker in workers if worker.pipe in ready]:
                try:
                    answer = worker.pipe.recv()
                except (EOFError, OSError):
                    todo.give_back(worker.at_hand)
                    workers.remove(worker)
                    worker.stop()
                    n_deaths += 1
                    if n_deaths == MOST_DEATHS:
                        raise ClusterError(
                            f"The processes that play were killed {n_deaths} times in a row; what is done is kept."
                        ) from None
                    continue
                if isinstance(answer, BaseException):
                    raise answer
                n_deaths = 0
                key, _ = worker.at_hand.popleft()
                yield key, answer
    finally:
        for worker in workers:
            worker.stop()


def _hand_out(todo: _Todo[Key], workers: list[_Worker[Key]], jobs: int) -> None:
    """Give everybody something to do, start processes while there is more to do, and let the idle ones go."""
    # Everybody gets a first chunk before anybody gets a second.
    for n_at_hand in range(1, AT_HAND + 1):
        for worker in workers:
            if len(worker.at_hand) < n_at_hand and (given := todo.next()) is not None:
                worker.take(given)
        while n_at_hand == 1 and len(workers) < jobs and (given := todo.next()) is not None:
            workers.append(_Worker())
            workers[-1].take(given)
    for worker in [worker for worker in workers if not worker.at_hand]:
        workers.remove(worker)
        worker.stop()


class _Todo(Generic[Key]):
    """The chunks that nobody has; those that come back go first."""

    def __init__(self, chunks: Iterable[tuple[Key, Chunk]]) -> None:
        self._chunks = iter(chunks)
        self._returned: deque[tuple[Key, Chunk]] = deque()

    def next(self) -> tuple[Key, Chunk] | None:
        return self._returned.popleft() if self._returned else next(self._chunks, None)

    def give_back(self, chunks: Iterable[tuple[Key, Chunk]]) -> None:
        self._returned.extend(chunks)


class _Worker(Generic[Key]):
    """A process that plays, seen from the one that started it."""

    def __init__(self) -> None:
        # A fresh process rather than a forked one: a fork of a process with threads may hang, and it would hold the
        # pipes of the others open.
        context = get_context("spawn")
        self.at_hand: deque[tuple[Key, Chunk]] = deque()
        self.pipe, its_end = context.Pipe()
        self._process = context.Process(target=_work, args=(its_end,), daemon=True)
        # Ctrl-C is for the process that commits, which goes on only when the new one has all that it needs.
        with interrupts_deferred():
            self._process.start()
        its_end.close()

    def take(self, given: tuple[Key, Chunk]) -> None:
        """Hand over a chunk. If the process is dead, its pipe will say so."""
        self.at_hand.append(given)
        with suppress(OSError):
            self.pipe.send(given[1])

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.pipe.close()
        self._process.join(SECONDS_TO_END)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


def _work(pipe: Pipe) -> None:
    """Play what comes through the pipe, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    waiting: queue.SimpleQueue[Chunk] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, waiting), daemon=True).start()
    while True:
        chunk = waiting.get()
        try:
            answer: Packed | Exception = play_packed(chunk)
        except Exception as error:  # noqa: BLE001 - whatever it is, the one who asked should see it
            answer = error
        with suppress(OSError):
            pipe.send(answer)


def _listen(pipe: Pipe, waiting: queue.SimpleQueue[Chunk]) -> None:
    """Take chunks as they come. When nobody holds the other end any more, there is nobody left to play for."""
    try:
        while True:
            waiting.put(pipe.recv())
    except (EOFError, OSError):
        os._exit(0)
