"""Plays chunks on a Dask cluster (https://distributed.dask.org), which replaces workers that die.

If all workers are lost, it waits for others, says so every minute and gives up in the end.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sapper.errors import ClusterError, GaveUp, InputError
from sapper.experiments.games import Chunk, Packed, check_version, play_packed
from sapper.version import __version__
from sapper.words import count

if TYPE_CHECKING:
    from sapper.experiments.backends import Key

# Chunks in flight for each core of a cluster: enough to hide the latency of the network.
PER_CORE = 3
SECONDS_BETWEEN_COUNTS = 5.0
_DASK_LOGS = ("distributed", "distributed.client")  # the second has a level of its own

# Seconds without workers: between two notices, and until a run gives up.
SECONDS_BETWEEN_NOTICES = 60.0
PATIENCE = 600.0


class Cluster:
    """Plays on the Dask cluster whose scheduler has this address."""

    def __init__(
        self,
        address: str,
        timeout: float = 15.0,
        patience: float = PATIENCE,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.address = address
        self._timeout = timeout  # seconds to find the scheduler and a first worker
        self._patience = patience  # seconds to wait for workers when all are lost
        self._say = say or (lambda _sentence: None)  # called every minute without workers

    def check(self) -> None:
        """Raise `ClusterError` unless a scheduler answers."""
        try:
            found = _run_anywhere(_ask_who(self.address, self._timeout))
        except ImportError:
            raise ClusterError("Playing on a cluster needs Dask: pip install 'sapper[cluster]'.") from None
        except (ValueError, TypeError, AssertionError) as error:
            raise ClusterError(
                f"{self.address[:80]!r} is not the address of a Dask scheduler ({error}); it must look like "
                "tcp://host:8786."
            ) from None
        except OSError as error:
            raise ClusterError(f"There is no Dask scheduler at {self.address}: {error or 'no answer'}.") from None
        except Exception:  # noqa: BLE001 - another protocol, read as Dask's, may raise anything
            found = "something else"
        if found != "Scheduler":
            raise ClusterError(f"There is no Dask scheduler at {self.address}, but a {found.lower()}.")

    def play(self, chunks: Iterable[tuple[Key, Chunk]]) -> Generator[tuple[Key, Packed], None, None]:
        """Submit the chunks to the scheduler; those of a worker that dies are played by another.

        Raises `GaveUp` if all workers are lost and none comes within ``patience`` seconds.
        """
        # A client that finds no scheduler takes long to close, so none is made.
        self.check()
        from distributed import Client, KilledWorker
        from distributed.client import ClosedClientError

        try:
            client: Any = Client(self.address, timeout=self._timeout, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f"There is no Dask scheduler at {self.address}: {error or 'no answer'}.") from None
        # Waiting for a result on a worker that died leaves tasks behind, which Dask's event loop logs.
        client.loop.asyncio_loop.set_exception_handler(lambda _loop, _context: None)
        with _quiet_dask(), client:
            self._wait_for_workers(client)
            try:
                yield from self._submit(client, chunks)
            except KilledWorker:
                raise ClusterError(
                    f"Several workers of the cluster at {self.address} died playing the same games; finished games are "
                    "kept."
                ) from None
            except (OSError, CancelledError, ClosedClientError):
                # Only the scheduler knows where the games in flight are; they must be submitted again.
                raise ClusterError(
                    f"The connection to the scheduler at {self.address} was lost; finished games are kept."
                ) from None

    def _submit(self, client: Any, chunks: Iterable[tuple[Key, Chunk]]) -> Generator[tuple[Key, Packed], None, None]:
        keys: dict[Any, Key] = {}  # of the futures in flight
        todo = iter(chunks)
        monitor = _WorkerMonitor(self.address, self._patience, self._say)
        wanted, counted = 0, -SECONDS_BETWEEN_COUNTS
        while True:
            if time.monotonic() - counted > SECONDS_BETWEEN_COUNTS:
                # Workers come and go.
                n_cores, counted = sum(client.ncores().values()), time.monotonic()
                monitor.check(n_cores)
                wanted = PER_CORE * max(n_cores, 1)
            while len(keys) < wanted and (following := next(todo, None)) is not None:
                key, chunk = following
                # Not pure: a scheduler must not return an old result that it still has under the same name.
                keys[client.submit(_play_checked, chunk, __version__, pure=False)] = key
            if not keys:
                return
            for future, result in _take_finished(client, list(keys)):
                yield keys.pop(future), result

    def _wait_for_workers(self, client: Any) -> None:
        try:
            client.wait_for_workers(1, timeout=self._timeout)
        except TimeoutError:
            raise ClusterError(f"The scheduler at {self.address} has no workers; start some and try again.") from None


class _WorkerMonitor:
    """Measures how long a cluster has been without workers: says so every minute, and gives up in the end."""

    def __init__(self, address: str, patience: float, say: Callable[[str], None]) -> None:
        self._address = address
        self._patience = patience
        self._say = say
        self._seen = self._said = time.monotonic()  # times of the last worker and of the last notice

    def check(self, n_cores: int) -> None:
        """Note how many cores there are now. Raises `GaveUp` after too long without any."""
        now = time.monotonic()
        if n_cores:
            self._seen = self._said = now
            return
        alone = now - self._seen
        if alone >= self._patience:
            message = f"The cluster at {self._address} has had no workers for {_say_seconds(alone)}"
            raise GaveUp(f"{message}; finished games are kept.", 0)
        if now - self._said >= SECONDS_BETWEEN_NOTICES:
            self._said = now
            self._say(
                f"The cluster at {self._address} has had no workers for {_say_seconds(alone)}; waiting "
                f"{_say_seconds(self._patience - alone)} more."
            )


def _say_seconds(seconds: float) -> str:
    """Format a duration.

    >>> _say_seconds(4.2), _say_seconds(61), _say_seconds(600)
    ('4 seconds', '1 minute', '10 minutes')
    """
    return count(round(seconds), "second") if seconds < 60 else count(round(seconds / 60), "minute")


async def _ask_who(address: str, timeout: float) -> str:
    """Return which Dask server answers at an address: Scheduler, Worker or Nanny."""
    import asyncio

    from distributed import Security
    from distributed.core import rpc

    remote = rpc(address, timeout=timeout, connection_args=Security().get_connection_args("client"))
    try:
        identity = await asyncio.wait_for(remote.identity(), timeout)
    finally:
        await remote.close_rpc()
    return str(identity["type"])


def _run_anywhere(coroutine: Coroutine[Any, Any, str]) -> str:
    """Run a coroutine, also where an event loop is running already, as in a notebook."""
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, coroutine).result()


@contextmanager
def _quiet_dask() -> Iterator[None]:
    """Keep Dask from logging an error that we are about to report."""
    logs = [logging.getLogger(name) for name in _DASK_LOGS]
    before = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for log, level in zip(logs, before, strict=True):
            log.setLevel(level)


def _take_finished(client: Any, futures: list[Any]) -> Iterator[tuple[Any, Packed]]:
    """Yield the futures that finish before the next count of workers, with their results."""
    from distributed import wait

    try:
        with client.as_current():
            done = wait(futures, timeout=SECONDS_BETWEEN_COUNTS, return_when="FIRST_COMPLETED").done
        for future in done:
            # A worker may die before its result is fetched; the chunk is then played again.
            result = future.result(timeout=SECONDS_BETWEEN_COUNTS)
            yield future, result
    except TimeoutError:
        return


def _play_checked(chunk: Chunk, version: str) -> Packed:
    """Play a chunk on a worker, whose Sapper must have the version of the one that submitted it."""
    if version != __version__:
        raise ClusterError(f"A worker has Sapper {__version__}, but the games were submitted by Sapper {version}.")
    try:
        check_version(chunk.condition)
    except InputError as error:
        raise ClusterError(f"A worker of the cluster cannot play: {error}") from None
    return play_packed(chunk)
