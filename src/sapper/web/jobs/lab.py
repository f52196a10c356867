"""Sweeps in the background: one at a time in a process of its own, into the same store as ``sapper sweep``.

What is played is committed chunk by chunk, so a sweep that was stopped, or whose server was killed, goes on where it
was when somebody asks for it again.
"""

from __future__ import annotations

import os
import re
import signal
import threading
import traceback
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sapper.errors import InputError, SapperError, StoreError
from sapper.interrupts import hold_back_interrupts
from sapper.web.http.responses import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.experiments.store import Store
    from sapper.experiments.sweep import Sweep
    from sapper.web.http.fields import Fields
    from sapper.web.jobs.pool import Pipe


MOST_SIDE = 50
MOST_AGENTS = 6
MOST_DENSITIES = 20
MOST_GAMES = 10_000
# Games x cells of a whole sweep: some hours of the slowest agents.
MOST_WORK = 500_000_000
MOST_WAITING = 8
MOST_OWN_WAITING = 2  # of one visitor, so that nobody fills the lab alone
MOST_SECONDS = 6 * 3600.0

_DENSITIES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
_SIZE = re.compile(r"(\d{1,3})x(\d{1,3})", re.ASCII)


def read_sweep(fields: Fields) -> Sweep:
    """Read what somebody wants to compare; whatever is wrong with it is said before anything is played."""
    from sapper.agents.registry import listed_entry
    from sapper.experiments.sweep import Sweep
    from sapper.web.http.fields import read_rules
    from sapper.web.settings import MOST_RULES

    agents = tuple(listed_entry(name).name for name in fields.texts("agents", MOST_AGENTS))
    size = _SIZE.fullmatch(fields.text("size", 10, default="8x8"))
    if size is None or not all(1 <= int(side) <= MOST_SIDE for side in size.groups()):
        raise InputError(f"The field 'size' should look like 8x8, with at most {MOST_SIDE} rows and columns.")
    rows, cols = int(size[1]), int(size[2])
    n_games = fields.whole("games", 1, MOST_GAMES, default=100)
    densities = fields.shares("densities", MOST_DENSITIES, _DENSITIES)
    words = fields.text("words", MOST_RULES, default="survey first-any")
    read_rules(f"{rows}x{cols}/0 {words}")
    if len(agents) * len(densities) * n_games * rows * cols > MOST_WORK:
        raise InputError("That is more than the page plays; sapper sweep on the command line has no such limit.")
    asked = Sweep(agents, ((rows, cols),), densities, words=words, n_games=n_games)
    asked.tasks()
    return asked


@contextmanager
def results(path: Path) -> Iterator[Store]:
    """The store of results. What is wrong with it is told by its name: where it is on this machine is our affair."""
    from sapper.experiments.store import Store

    try:
        with Store(path) as store:
            yield store
    except StoreError as error:
        raise StoreError(str(error).replace(str(path), path.name)) from None


@dataclass(eq=False, slots=True)
class _Asked:
    """A sweep that runs or waits, and who asked for it."""

    owner: str
    is_stopped: bool = False


class Laboratory:
    """What is being played, and what waits for it. Its methods block; they are for threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._asked: dict[int, _Asked] = {}  # by the number of the plan
        self._errors: dict[int, str] = {}
        self._process: tuple[_Asked, Any] | None = None
        self._is_closed = False
        self._threads = ThreadPoolExecutor(1, "lab", initializer=hold_back_interrupts)

    def begin(self, owner: str, asked: Sweep) -> int:
        """Note a sweep and have it played; return the number of its plan."""
        with self._lock:
            self._check_room(owner)
        with results(self._path) as store:
            plan = store.add_plan("sweep", asked.settings(), datetime.now(UTC).isoformat(timespec="seconds"))
        with self._lock:
            before = self._asked.get(plan)
            if before is not None and not before.is_stopped:
                return plan
            # One that is just being stopped goes on after that. Others may have come while the plan was noted.
            if before is None:
                self._check_room(owner)
            new = self._asked[plan] = _Asked(owner)
            self._errors.pop(plan, None)
        self._threads.submit(self._run, plan, new)
        return plan

    def _check_room(self, owner: str) -> None:
        if sum(one.owner == owner for one in self._asked.values()) >= MOST_OWN_WAITING:
            raise Refusal(429, f"{MOST_OWN_WAITING} of your sweeps are waiting. Try again when one finishes.")
        if len(self._asked) >= MOST_WAITING:
            raise Refusal(503, "The lab queue is full. Try again when a sweep finishes.")

    def stop(self, owner: str, plan: int) -> None:
        """Stop a sweep that this visitor asked for; what is played is kept."""
        with self._lock:
            found = self._asked.get(plan)
            if found is None or found.owner != owner:
                raise Refusal(404, "You have no such sweep running.")
            found.is_stopped = True
            if self._process is not None and self._process[0] is found:
                self._process[1].kill()

    def status(self, plan: int) -> dict[str, object]:
        """Whether a plan is being played or waits for it, and what went wrong."""
        with self._lock:
            return {"running": plan in self._asked, "error": self._errors.get(plan)}

    def close(self) -> None:
        """Stop everything."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process[1].kill()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _run(self, plan: int, asked: _Asked) -> None:
        error: str | None = None
        try:
            error = self._play(plan, asked)
        except OSError as found:
            error = f"The process that plays could not be started ({found.strerror or found})."
        except Exception:  # noqa: BLE001 - a fault of ours: nobody waits for this thread, so only the log can tell
            traceback.print_exc()
            error = "The server made a mistake; it is in its log."
        finally:
            # Whatever happened, it does not run any more.
            with self._lock:
                self._process = None
                if self._asked[plan] is asked:
                    del self._asked[plan]
                if error is not None and not asked.is_stopped:
                    self._errors[plan] = error

    def _play(self, plan: int, asked: _Asked) -> str | None:
        """Have a plan played in a process of its own; return what went wrong."""
        context = get_context("spawn")
        pipe, its_end = context.Pipe()
        with pipe, its_end:
            process = context.Process(target=play_plan, args=(its_end, str(self._path), plan), daemon=False)
            with self._lock:
                if self._is_closed or asked.is_stopped:
                    return None
                process.start()
                self._process = asked, process
            its_end.close()
            error: str | None = "This took too long and was stopped; what is played is kept."
            if pipe.poll(MOST_SECONDS):
                try:
                    error = pipe.recv()
                except (EOFError, OSError):
                    error = "The process that played ended early; what is played is kept."
            with self._lock:
                self._process = None
            process.kill()
            process.join()
            process.close()
            return error


def play_plan(pipe: Pipe, path: str, plan: int) -> None:
    """Play a plan of the store, in a process of its own; say None at the end, or what went wrong."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whoever plays on the page goes first.
    with suppress(AttributeError, OSError):
        os.nice(10)
    threading.Thread(target=_end_with, args=(pipe,), daemon=True).start()
    from sapper.experiments.backends import InProcess
    from sapper.experiments.sweep import run_tasks

    error: str | None = None
    try:
        with results(Path(path)) as store:
            run_tasks(store, find_plan(store, plan)[0].tasks(), InProcess())
    except SapperError as found:
        error = str(found)
    with suppress(OSError):
        pipe.send(error)


def _end_with(pipe: Pipe) -> None:
    """End with the server: nobody waits for the rest."""
    with suppress(EOFError, OSError):
        pipe.recv()
    os._exit(0)


def find_plan(store: Any, plan: int) -> tuple[Sweep, str]:
    """Return a sweep of the store, and when it was made."""
    from sapper.experiments.sweep import Sweep

    for number, kind, settings, made in store.plans():
        if number == plan and kind == "sweep":
            try:
                return Sweep.of_settings(settings), made
            except (TypeError, KeyError, ValueError):
                break
    raise Refusal(404, "There is no such sweep.")


# -- jobs for a process of the server -------------------------------------------------------------------------

MOST_DRAWN = 32
_drawn: OrderedDict[tuple[str, int], str | None] = OrderedDict()  # figures of finished sweeps, the newest


def report(path: str, plan: int) -> dict[str, object]:
    """How far a sweep is, and what it has come to."""
    from sapper.experiments.results import summarise

    if not Path(path).exists():
        raise Refusal(404, "There is no such sweep.")
    with results(Path(path)) as store:
        asked, made = find_plan(store, plan)
        tasks = asked.tasks()
        done, total = _progress(store, tasks)
        rows = [summarise(store, task) for task in tasks]
    rows = [row for row in rows if row.n_games]
    is_finished = done >= total
    if is_finished and (path, plan) not in _drawn:
        _drawn[path, plan] = _draw(rows)
        if len(_drawn) > MOST_DRAWN:
            _drawn.popitem(last=False)
    return {
        **_describe(plan, asked, made, done, total),
        "rows": [row.as_plain_values() for row in rows],
        "figure": _drawn.get((path, plan)) if is_finished else None,
    }


def list_plans(path: str, most: int = 50) -> list[dict[str, object]]:
    """The newest sweeps of the store, the newest first."""
    listed: list[dict[str, object]] = []
    # Looking makes no file.
    if not Path(path).exists():
        return listed
    with results(Path(path)) as store:
        numbers = [number for number, kind, _, _ in store.plans() if kind == "sweep"]
        for number in numbers[::-1][:most]:
            # One of another version of Sapper is left out.
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


def _draw(rows: list[Any]) -> str | None:
    from sapper.experiments.plots import draw_scores, render

    try:
        return render(draw_scores(rows), "svg").decode("utf-8") if rows else None
    except InputError:
        # Matplotlib is not there; the page draws from the rows.
        return None
