"""Where chunks are played: in this process, in worker processes, or on a Dask cluster. The results are the same.

Each backend takes chunks and yields (key, result) as they finish, in any order. The caller commits each result at once,
so stopping at any moment loses at most the chunks in flight. Closing the generator stops the work.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain, islice
from typing import Any, Protocol, TypeVar

from sapper.errors import ClusterError
from sapper.experiments.cluster import PATIENCE, Cluster
from sapper.experiments.games import Chunk, Packed, play_packed
from sapper.workers import Worker, WorkerDied, wait

Key = TypeVar("Key")

MAX_DEATHS = 6  # workers that may die in a row, with no chunk finished in between, before we give up
CHUNKS_PER_WORKER = 2  # the one that it plays and the next, so that it never waits for us


class Backend(Protocol):
    """Plays chunks."""

    def play(self, chunks: Iterable[tuple[Key, Chunk]]) -> Generator[tuple[Key, Packed], None, None]:
        """Yield the result of every chunk once, in any order."""
        ...


class InProcess:
    """Plays one chunk after the other in this process."""

    def __init__(self, job: Callable[[Any], Any] = play_packed) -> None:
        self._job = job  # what is done with a chunk

    def play(self, chunks: Iterable[tuple[Key, Any]]) -> Generator[tuple[Key, Any], None, None]:
        """Play in order."""
        for key, chunk in chunks:
            yield key, self._job(chunk)


class Processes:
    """Plays in several worker processes on this machine."""

    def __init__(self, workers: int | None = None, job: Callable[[Any], Any] = play_packed) -> None:
        self.n_workers = workers or os.cpu_count() or 1
        self._job = job  # what a worker does with a chunk

    def play(self, chunks: Iterable[tuple[Key, Any]]) -> Generator[tuple[Key, Any], None, None]:
        """Play as many chunks at once as there are workers; the chunks of a worker that is killed are played again."""
        todo: Iterator[tuple[Key, Any]] = iter(chunks)
        workers: dict[Worker, deque[tuple[Key, Any]]] = {}  # with the chunks that each was sent
        n_deaths = 0
        try:
            while True:
                self._hand_out(todo, workers)
                if not workers:
                    return
                for worker in wait(list(workers)):
                    try:
                        result = worker.receive()
                    except WorkerDied:
                        todo = chain(workers.pop(worker), todo)
                        n_deaths += 1
                        if n_deaths == MAX_DEATHS:
                            raise ClusterError(
                                f"Worker processes were killed {n_deaths} times in a row; finished games are kept."
                            ) from None
                        continue
                    n_deaths = 0
                    yield workers[worker].popleft()[0], result
        finally:
            for worker in workers:
                worker.kill()

    def _hand_out(self, todo: Iterator[tuple[Key, Any]], workers: dict[Worker, deque[tuple[Key, Any]]]) -> None:
        """Send chunks to workers, start workers while there are more chunks, and end those that have none."""

        def send(worker: Worker, key: Key, chunk: Any) -> None:
            workers[worker].append((key, chunk))
            worker.send(self._job, chunk)

        # Every worker gets a first chunk before any gets a second.
        for n_chunks in range(1, CHUNKS_PER_WORKER + 1):
            for worker in [worker for worker, sent in workers.items() if len(sent) < n_chunks]:
                for key, chunk in islice(todo, 1):
                    send(worker, key, chunk)
            for key, chunk in islice(todo, self.n_workers - len(workers)):
                worker = Worker()
                workers[worker] = deque()
                worker.start()
                send(worker, key, chunk)
        for worker in [worker for worker, sent in workers.items() if not sent]:
            del workers[worker]
            worker.kill()


def make_backend(
    workers: int | str | None, patience: float = PATIENCE, say: Callable[[str], None] | None = None
) -> Backend:
    """Return a cluster by its address, this process for one worker, or several (None: one for each core)."""
    if isinstance(workers, str):
        return Cluster(workers, patience=patience, say=say)
    return InProcess() if workers == 1 else Processes(workers)
