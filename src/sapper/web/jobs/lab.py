"""The lab runs sweeps in the background, one at a time, into the same store as ``sapper sweep``.

Games are committed chunk by chunk, so a sweep that was stopped, or whose server was killed, resumes where it was when
it is requested again.
"""

from __future__ import annotations

import re
import threading
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sapper.agents.registry import listed_entry
from sapper.errors import InputError, SapperError, StoreError
from sapper.experiments.backends import InProcess
from sapper.experiments.results import summarise
from sapper.experiments.store import Store
from sapper.experiments.sweep import Sweep, run_tasks
from sapper.web.http.fields import Fields, read_rules
from sapper.web.http.responses import Refusal
from sapper.web.settings import MAX_RULES
from sapper.workers import Worker, WorkerDied

MAX_SIDE = 50
MAX_AGENTS = 6
MAX_DENSITIES = 20
MAX_GAMES = 10_000
# Games times cells of a whole sweep: some hours with the slowest agents.
MAX_WORK = 500_000_000
MAX_WAITING = 8
MAX_OWN_WAITING = 2  # of one visitor
MAX_SECONDS = 6 * 3600.0

_DENSITIES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
_SIZE = re.compile(r"(\d{1,3})x(\d{1,3})", re.ASCII)


def read_sweep(fields: Fields) -> Sweep:
    """Read a request for a sweep; invalid ones fail before anything is played."""
    agents = tuple(listed_entry(name).name for name in fields.texts("agents", MAX_AGENTS))
    size = _SIZE.fullmatch(fields.text("size", 10, default="8x8"))
    if size is None or not all(1 <= int(side) <= MAX_SIDE for side in size.groups()):
        raise InputError(f"The field 'size' must look like 8x8, with at most {MAX_SIDE} rows and columns.")
    rows, cols = int(size[1]), int(size[2])
    n_games = fields.whole("games", 1, MAX_GAMES, default=100)
    densities = fields.shares("densities", MAX_DENSITIES, _DENSITIES)
    words = fields.text("words", MAX_RULES, default="survey first-any")
    read_rules(f"{rows}x{cols}/0 {words}")
    if len(agents) * len(densities) * n_games * rows * cols > MAX_WORK:
        raise InputError("This sweep is too large for the web app; sapper sweep on the command line has no limit.")
    asked = Sweep(agents, ((rows, cols),), densities, words=words, n_games=n_games)
    asked.tasks()
    return asked


@contextmanager
def results(path: Path) -> Iterator[Store]:
    """Open the store of results; errors hide its path."""
    try:
        with Store(path) as store:
            yield store
    except StoreError as error:
        raise StoreError(str(error).replace(str(path), path.name)) from None


@dataclass(eq=False, slots=True)
class _Asked:
    """A sweep that runs or waits, and the visitor who requested it."""

    owner: str
    is_stopped: bool = False


class Laboratory:
    """Runs sweeps, and queues others. Its methods block, so call them in threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._asked: dict[int, _Asked] = {}  # by the number of the plan
        self._errors: dict[int, str] = {}
        self._running: tuple[_Asked, Worker] | None = None
        self._is_closed = False
        self._threads = ThreadPoolExecutor(1, "lab")

    def begin(self, owner: str, asked: Sweep) -> int:
        """Store a sweep and queue it; return the number of its plan."""
        with self._lock:
            self._check_room(owner)
        with results(self._path) as store:
            plan = store.add_plan("sweep", asked.settings(), datetime.now(UTC).isoformat(timespec="seconds"))
        with self._lock:
            before = self._asked.get(plan)
            if before is not None and not before.is_stopped:
                return plan
            # A sweep that is being stopped resumes after that. Others may have been added while the plan was stored.
            if before is None:
                self._check_room(owner)
            new = self._asked[plan] = _Asked(owner)
            self._errors.pop(plan, None)
        self._threads.submit(self._run, plan, new)
        return plan

    def _check_room(self, owner: str) -> None:
        if sum(one.owner == owner for one in self._asked.values()) >= MAX_OWN_WAITING:
            raise Refusal(429, f"{MAX_OWN_WAITING} of your sweeps are waiting. Try again when one finishes.")
        if len(self._asked) >= MAX_WAITING:
            raise Refusal(503, "The lab queue is full. Try again when a sweep finishes.")

    def stop(self, owner: str, plan: int) -> None:
        """Stop a sweep that this visitor requested; finished games are kept."""
        with self._lock:
            found = self._asked.get(plan)
            if found is None or found.owner != owner:
                raise Refusal(404, "You have no such sweep running.")
            found.is_stopped = True
            if self._running is not None and self._running[0] is found:
                self._running[1].kill()

    def status(self, plan: int) -> dict[str, object]:
        """Return whether a plan runs or waits, and what went wrong."""
        with self._lock:
            return {"running": plan in self._asked, "error": self._errors.get(plan)}

    def close(self) -> None:
        """Stop everything."""
        with self._lock:
            self._is_closed = True
            if self._running is not None:
                self._running[1].kill()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _run(self, plan: int, asked: _Asked) -> None:
        error: str | None = None
        try:
            error = self._play(plan, asked)
        except OSError as found:
            error = f"The worker process could not be started ({found.strerror or found})."
        except Exception:  # noqa: BLE001 - a fault of ours: nobody waits for this thread, so it goes to the log
            traceback.print_exc()
            error = "The server made a mistake; see its log."
        finally:
            with self._lock:
                self._running = None
                if self._asked[plan] is asked:
                    del self._asked[plan]
                if error is not None and not asked.is_stopped:
                    self._errors[plan] = error

    def _play(self, plan: int, asked: _Asked) -> str | None:
        """Play a plan in a worker; return what went wrong."""
        worker = Worker(nice=10)  # games and hints go first
        with self._lock:
            if self._is_closed or asked.is_stopped:
                return None
            worker.start()
            self._running = asked, worker
        try:
            worker.send(play_plan, str(self._path), plan)
            error: str | None = worker.receive(MAX_SECONDS)
        except TimeoutError:
            error = "The sweep took too long and was stopped; finished games are kept."
        except WorkerDied:
            error = "The worker process ended early; finished games are kept."
        finally:
            with self._lock:
                self._running = None
            worker.kill()
        return error


def play_plan(path: str, plan: int) -> str | None:
    """Play a plan of the store, in a worker; return what went wrong."""
    try:
        with results(Path(path)) as store:
            run_tasks(store, find_plan(store, plan)[0].tasks(), InProcess())
    except SapperError as error:
        return str(error)
    return None


def find_plan(store: Any, plan: int) -> tuple[Sweep, str]:
    """Return a sweep of the store and when it was made."""
    for number, kind, settings, made in store.plans():
        if number == plan and kind == "sweep":
            try:
                return Sweep.of_settings(settings), made
            except (TypeError, KeyError, ValueError):
                break
    raise Refusal(404, "There is no such sweep.")


# -- jobs for worker pools ------------------------------------------------------------------------------------


def report(path: str, plan: int) -> dict[str, object]:
    """Return the progress of a sweep and its results so far."""
    if not Path(path).exists():
        raise Refusal(404, "There is no such sweep.")
    with results(Path(path)) as store:
        asked, made = find_plan(store, plan)
        tasks = asked.tasks()
        done, total = _progress(store, tasks)
        rows = [summarise(store, task) for task in tasks]
    played = [row.as_plain_values() for row in rows if row.n_games]
    return {**_describe(plan, asked, made, done, total), "rows": played}


def list_plans(path: str, limit: int = 50) -> list[dict[str, object]]:
    """Return the newest sweeps of the store, the newest first."""
    listed: list[dict[str, object]] = []
    # Reading creates no file.
    if not Path(path).exists():
        return listed
    with results(Path(path)) as store:
        numbers = [number for number, kind, _, _ in store.plans() if kind == "sweep"]
        for number in numbers[::-1][:limit]:
            # Those of other versions of Sapper are left out.
            with suppress(SapperError):
                asked, made = find_plan(store, number)
                listed.append(_describe(number, asked, made, *_progress(store, asked.tasks())))
    return listed


def _progress(store: Any, tasks: list[Any]) -> tuple[int, int]:
    done = 0
    for task in tasks:
        done += min(task.n_games, sum(store.done(task.run_in(store)).values()))
    return done, sum(task.n_games for task in tasks)


def _describe(plan: int, asked: Sweep, made: str, done: int, total: int) -> dict[str, object]:
    return {
        "id": plan,
        "agents": list(asked.agents),
        "size": ",".join(f"{rows}x{cols}" for rows, cols in asked.sizes) or ", ".join(asked.boards),
        "densities": list(asked.densities),
        "mines": list(asked.mines),
        "games": asked.n_games,
        "words": asked.words,
        "started": made,
        "done": done,
        "total": total,
        "finished": done >= total,
    }
