"""Where chunks are played: in this process, in a pool of processes, or on a Dask cluster. The results are the same.

Each backend takes chunks and yields (key, result) as they finish, in any order. Whoever consumes them commits each at
once, so stopping at any moment loses at most the chunks in flight. Closing the generator stops the work.
"""

from __future__ import annotations

import logging
import os
import time
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sapper.errors import ClusterError
from sapper.experiments.runs.packing import Packed, play_packed

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from sapper.experiments.runs.games import Chunk

Key = TypeVar("Key")

# Chunks in flight for each core of a cluster: enough that none waits for the way there and back.
PER_CORE = 3
SECONDS_BETWEEN_COUNTS = 5.0


class Backend(Protocol):
    """Somebody who plays chunks."""

    def play(self, chunks: Iterable[tuple[Key, Chunk]]) -> Generator[tuple[Key, Packed], None, None]:
        """Yield the result of every chunk once, in any order."""
        ...


class InProcess:
    """One chunk after the other, here."""

    def play(self, chunks: Iterable[tuple[Key, Chunk]]) -> Generator[tuple[Key, Packed], None, None]:
        """Play in order."""
        for key, chunk in chunks:
            yield key, play_packed(chunk)


class Processes:
    """A pool of processes on this machine."""

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or os.cpu_count() or 1

    def play(self, chunks: Iterable[tuple[Key, Chunk]]) -> Generator[tuple[Key, Packed], None, None]:
        """Play as many at once as there are jobs; the chunks of a process that is killed are played again."""
        from sapper.experiments.runs.pool import play_in_pool

        yield from play_in_pool(chunks, self.jobs)


class Cluster:
    """A Dask cluster, by the address of its scheduler."""

    def __init__(self, address: str, timeout: float = 15.0) -> None:
        self.address = address
        self._timeout = timeout  # seconds to find the scheduler, and a first worker

    def play(self, chunks: Iterable[tuple[Key, Chunk]]) -> Generator[tuple[Key, Packed], None, None]:
        """Hand the chunks to the scheduler; those of a worker that dies are played by another."""
        try:
            from distributed import Client, KilledWorker
            from distributed.client import ClosedClientError
        except ImportError:
            raise ClusterError("Playing on a cluster needs Dask: pip install 'sapper[cluster]'.") from None
        try:
            client = Client(self.address, timeout=self._timeout, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ClusterError(f"There is no Dask scheduler at {self.address}: {error or 'no answer'}.") from None
        with _quiet_dask(), client:
            self._wait_for_workers(client)
            try:
                yield from self._play_on(client, chunks)
            except KilledWorker:
                raise ClusterError(
                    f"Worker after worker of the cluster at {self.address} died over the same games; what is done is "
                    "kept."
                ) from None
            except (OSError, CancelledError, ClosedClientError):
                # Only the scheduler knows where the games in flight are; they have to be handed out again.
                raise ClusterError(
                    f"The connection to the scheduler at {self.address} was lost; what is done is kept."
                ) from None

    def _play_on(self, client: Any, chunks: Iterable[tuple[Key, Chunk]]) -> Generator[tuple[Key, Packed], None, None]:
        from distributed import as_completed

        keys: dict[object, Key] = {}  # by the names that Dask gives its futures
        todo = iter(chunks)
        running = as_completed(loop=client.loop)
        wanted, counted = 0, 0.0
        while True:
            if time.monotonic() - counted > SECONDS_BETWEEN_COUNTS:
                # Workers come and go.
                wanted, counted = PER_CORE * max(sum(client.ncores().values()), 1), time.monotonic()
            while len(keys) < wanted and (following := next(todo, None)) is not None:
                key, chunk = following
                # Not pure: a scheduler that still knows an old result under the same name must not hand it out.
                future = client.submit(_play_as_asked, chunk, _version(), pure=False)
                keys[future.key] = key
                running.add(future)
            if not keys:
                return
            future = next(running)
            yield keys.pop(future.key), future.result()

    def _wait_for_workers(self, client: Any) -> None:
        try:
            client.wait_for_workers(1, timeout=self._timeout)
        except TimeoutError:
            raise ClusterError(f"The scheduler at {self.address} has no workers; start some and try again.") from None


@contextmanager
def _quiet_dask() -> Iterator[None]:
    """Keep Dask from writing to standard error what is about to be said in a sentence."""
    log = logging.getLogger("distributed.client")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


def _version() -> str:
    from sapper import __version__

    return __version__


def _play_as_asked(chunk: Chunk, version: str) -> Packed:
    """Play a chunk on a worker, whose Sapper should be the one that asks."""
    if version != _version():
        raise ClusterError(f"A worker has Sapper {_version()}, but the games are asked for by Sapper {version}.")
    return play_packed(chunk)


def make_backend(jobs: int | None, cluster: str | None) -> Backend:
    """Choose by what was asked for: a cluster, this process (one job), or a pool."""
    if cluster is not None:
        return Cluster(cluster)
    return InProcess() if jobs == 1 else Processes(jobs)
