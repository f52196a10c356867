"""The services that routes use: games, worker pools and the lab. A server has one of each."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

from starlette.requests import Request
from starlette.responses import Response

from sapper.errors import SapperError
from sapper.train.history import History
from sapper.web.cache import Locks
from sapper.web.http.responses import encode, encoded
from sapper.web.jobs.lab import Laboratory
from sapper.web.jobs.pool import WorkerPool
from sapper.web.jobs.training import PuzzleCache
from sapper.web.settings import Settings
from sapper.web.storage.daily import Daily
from sapper.web.storage.live import LiveGames
from sapper.web.storage.results import ResultStore
from sapper.web.storage.store import GameStore
from sapper.workers import Job

P = ParamSpec("P")
T = TypeVar("T")

GAMES_FILE = "games.sqlite"
SECONDS_FOR_HINTS = 6.0
SECONDS_FOR_GAMES = 30.0


class Services:
    """Created when the server starts, closed when it stops."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.results = settings.folder / "results.sqlite"
        self.store = GameStore(settings.folder / GAMES_FILE)
        self.games = LiveGames(self.store)
        self.results_of_games = ResultStore(self.store)
        # By visitor: a learner's attempts are not read again from the first one on.
        self.history = lru_cache(maxsize=200)(lambda owner: History(self.store, owner))
        self.daily = Daily(self.store, self.games, self.results_of_games)
        # Separate queues: hints in a game do not wait for positions made to be hard, nor for whole games.
        self.hints = WorkerPool(settings.workers, SECONDS_FOR_HINTS)
        self.boards = WorkerPool(settings.workers, SECONDS_FOR_GAMES)  # no-guess boards, for which a first click waits
        self.analyses = WorkerPool(settings.workers, SECONDS_FOR_HINTS)
        self.long = WorkerPool(1, SECONDS_FOR_GAMES)
        self.reports = WorkerPool(1, SECONDS_FOR_GAMES)
        self.puzzles = PuzzleCache(self.hints)
        self.lab = Laboratory(self.results)
        # Several threads, so that replaying a long game does not delay the others. Statistics have their own: no move
        # waits for them.
        self._moving = ThreadPoolExecutor(4, "games")
        self._reading = ThreadPoolExecutor(4, "kept")
        self.lock_for = Locks().lock_for
        self._in_background: dict[str, asyncio.Task[None]] = {}

    def start(self) -> None:
        """Start the workers that the first visitor needs."""
        self.hints.start()

    def in_background(self, name: str, work: Coroutine[None, None, None]) -> None:
        """Start a background task, unless one of the same name is still running."""
        if name in self._in_background:
            work.close()
            return

        async def do() -> None:
            try:
                # What fails now is tried again on the next request.
                with suppress(SapperError):
                    await work
            except Exception:  # noqa: BLE001 - a fault of ours: nobody waits for the result, so it goes to the log
                traceback.print_exc()
            finally:
                del self._in_background[name]

        self._in_background[name] = asyncio.get_running_loop().create_task(do())

    # Everything below that blocks runs in threads: the event loop serves all visitors, so it must not wait for the
    # store's lock. One visitor never has more than one thread of each kind.

    async def in_games(self, owner: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Call a function on the games of a visitor, one request after the other."""
        async with self.lock_for(f"{owner} plays"):
            return await _run(self._moving, lambda: function(*arguments, **named))

    async def in_kept(self, owner: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Call a function on the stored data of a visitor, one request after the other."""
        async with self.lock_for(f"{owner} reads"):
            return await self.in_thread(function, *arguments, **named)

    async def in_thread(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Call a blocking function for no visitor in particular, or with the visitor's lock held."""
        return await _run(self._reading, lambda: function(*arguments, **named))

    async def play(
        self, status: int, owner: str, function: Callable[P, object], *arguments: P.args, **named: P.kwargs
    ) -> Response:
        """Respond with the result of a function on the games of a visitor, encoded in the same thread."""
        return encoded(await self.in_games(owner, lambda: encode(function(*arguments, **named))), status)

    async def respond(
        self, status: int, owner: str, function: Callable[P, object], *arguments: P.args, **named: P.kwargs
    ) -> Response:
        """Respond with the result of a function on the stored data of a visitor, encoded in the same thread."""
        return encoded(await self.in_kept(owner, lambda: encode(function(*arguments, **named))), status)

    async def compute(self, pool: WorkerPool, request: Request, job: Job, *arguments: object) -> Response:
        """Respond with the result of a job."""
        found = await pool.run(owner_of(request), job, *arguments)
        return encoded(found.body, found.status)

    def close(self) -> None:
        """Stop everything that was started."""
        for task in self._in_background.values():
            task.cancel()
        for threads in (self._moving, self._reading):
            threads.shutdown(wait=True, cancel_futures=True)
        for pool in (self.hints, self.boards, self.analyses, self.long, self.reports):
            pool.close()
        self.lab.close()
        self.store.close()


async def _run(threads: ThreadPoolExecutor, function: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, function)


def services_of(request: Request) -> Services:
    """Return the services of the server that received a request."""
    return cast("Services", request.app.state.services)


def owner_of(request: Request) -> str:
    """Return the visitor's key, which the guard has set."""
    return cast("str", request.state.owner)
