"""Where chunks are played: in this process, in a pool of processes, or on a Dask cluster. The results are the same.

Each backend takes chunks and yields (key, result) as they finish, in any order. Whoever consumes them commits each at
once, so stopping at any moment loses at most the chunks in flight. Closing the generator stops the work.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol, TypeVar

from sapper.experiments.cluster import PATIENCE, Cluster
from sapper.experiments.games import Packed, play_packed

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from sapper.experiments.games import Chunk


Key = TypeVar("Key")


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
        from sapper.experiments.pool import play_in_pool

        yield from play_in_pool(chunks, self.jobs)


def make_backend(
    jobs: int | None, cluster: str | None, patience: float = PATIENCE, say: Callable[[str], None] | None = None
) -> Backend:
    """Choose by what was asked for: a cluster, this process (one job), or a pool."""
    if cluster is not None:
        return Cluster(cluster, patience=patience, say=say)
    return InProcess() if jobs == 1 else Processes(jobs)
