"""What the routes work with: the games, the processes that compute, the lab. One of each in a server."""

from __future__ import annotations

import asyncio
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast
from weakref import WeakValueDictionary

from sapper.errors import SapperError
from sapper.train.history import History
from sapper.web.http.responses import encode, encoded
from sapper.web.jobs.lab import Laboratory
from sapper.web.jobs.pool import Lane
from sapper.web.jobs.training import PuzzleCache
from sapper.web.storage.daily import Daily
from sapper.web.storage.live import LiveGames
from sapper.web.storage.results import Results
from sapper.web.storage.store import GameStore

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starlette.requests import Request
    from starlette.responses import Response

    from sapper.web.jobs.pool import Job
    from sapper.web.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")

GAMES_FILE = "games.sqlite"
SECONDS_FOR_HINTS = 6.0
SECONDS_FOR_GAMES = 30.0


class Services:
    """Made when the server starts, closed when it ends."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.results = settings.folder / "results.sqlite"
        self.store = GameStore(settings.folder / GAMES_FILE)
        self.games = LiveGames(self.store)
        self.results_of_games = Results(self.store)
        # By visitor: whoever trains now need not be read again from the first attempt on.
        self.history = lru_cache(maxsize=200)(lambda owner: History(self.store, owner))
        self.daily = Daily(self.store, self.games, self.results_of_games)
        # What a player waits for in a game, positions that somebody made up to be hard, and what takes as long as a
        # whole game do not stand in the same line.
        self.hints = Lane(settings.workers, SECONDS_FOR_HINTS)
        self.boards = Lane(settings.workers, SECONDS_FOR_GAMES)  # no-guess boards: a first click waits for them
        self.analyses = Lane(settings.workers, SECONDS_FOR_HINTS)
        self.long = Lane(1, SECONDS_FOR_GAMES)
        self.reports = Lane(1, SECONDS_FOR_GAMES)
        self.puzzles = PuzzleCache(self.hints)
        self.lab = Laboratory(self.results)
        # Several, so that a long game that is replayed does not hold up the others. What goes through all that is kept
        # of a visitor has threads of its own: nobody's move waits for somebody else's statistics.
        self._moving = ThreadPoolExecutor(4, "games")
        self._reading = ThreadPoolExecutor(4, "kept")
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._in_background: dict[str, asyncio.Task[None]] = {}

    def start(self) -> None:
        """Start the processes that a first visitor would wait for."""
        self.hints.start()

    def in_background(self, name: str, work: Coroutine[None, None, None]) -> None:
        """Do something that nobody waits for, unless that of the same name is still being done."""
        if name in self._in_background:
            work.close()
            return

        async def do() -> None:
            try:
                # What cannot be done now is done when somebody asks again.
                with suppress(SapperError):
                    await work
            except Exception:  # noqa: BLE001 - a fault of ours: nobody waits for the answer, so only the log can tell
                traceback.print_exc()
            finally:
                del self._in_background[name]

        self._in_background[name] = asyncio.get_running_loop().create_task(do())

    def turn(self, name: str) -> asyncio.Lock:
        """Return the lock that serialises work on something."""
        return self._turns.setdefault(name, asyncio.Lock())

    # Everything below that blocks is done in threads: the event loop answers everybody, so it waits for no lock of the
    # store. One visitor never has more than one thread of a kind, however much they ask for at once.

    async def in_games(self, owner: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Do something in the games of a visitor, one request after the other."""
        async with self.turn(f"{owner} plays"):
            return await _run(self._moving, lambda: function(*arguments, **named))

    async def in_kept(self, owner: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Go through what is kept of a visitor, one request after the other."""
        async with self.turn(f"{owner} reads"):
            return await self.in_thread(function, *arguments, **named)

    async def in_thread(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Do something that blocks, for nobody in particular or in a turn that the visitor has already."""
        return await _run(self._reading, lambda: function(*arguments, **named))

    async def play(
        self, status: int, owner: str, function: Callable[P, object], *arguments: P.args, **named: P.kwargs
    ) -> Response:
        """Do something in the games of a visitor and answer with what comes of it; it is written as JSON there too."""
        return encoded(await self.in_games(owner, lambda: encode(function(*arguments, **named))), status)

    async def tell(
        self, status: int, owner: str, function: Callable[P, object], *arguments: P.args, **named: P.kwargs
    ) -> Response:
        """Go through what is kept of a visitor and answer with what comes of it; it is written as JSON there too."""
        return encoded(await self.in_kept(owner, lambda: encode(function(*arguments, **named))), status)

    async def compute(self, lane: Lane, request: Request, job: Job, *arguments: object) -> Response:
        """Answer with what a process computes."""
        found = await lane.run(owner_of(request), job, *arguments)
        return encoded(found.body, found.status)

    def close(self) -> None:
        """End everything that was started."""
        for task in self._in_background.values():
            task.cancel()
        for threads in (self._moving, self._reading):
            threads.shutdown(wait=True, cancel_futures=True)
        for lane in (self.hints, self.boards, self.analyses, self.long, self.reports):
            lane.close()
        self.lab.close()
        self.store.close()


async def _run(threads: ThreadPoolExecutor, function: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, function)


def services_of(request: Request) -> Services:
    """The services of the server that got a request."""
    return cast("Services", request.app.state.services)


def owner_of(request: Request) -> str:
    """Who asks, as the guard found out."""
    return cast("str", request.state.owner)
