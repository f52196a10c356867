"""The engine's memory of each thread, and limits on how long its sums may take."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from sapper import kernels
from sapper.inference.posterior.workspace import Budget, GrowingWorkspace

_MAX_WORKSPACES = 8
_POLL_SECONDS = 0.02  # between looks whether the caller has cancelled


class _Limit:
    """An active time limit: what it stops beside the thread's own sums, and whether it has expired."""

    def __init__(self, others: tuple[kernels.Workspace | kernels.EndgameSearch, ...]) -> None:
        self.others = others
        self.is_over = False


class ThreadMemory(threading.local):
    """The workspaces of a thread, by kind of clues and budget: each as large as the largest board so far."""

    def __init__(self) -> None:
        self.kept: dict[tuple[bool, Budget], GrowingWorkspace] = {}
        self.limits: list[_Limit] = []  # active, the outermost first
        self.lock = threading.Lock()  # for the limits, which other threads watch
        # The last board, channel and budget, and their workspace.
        self.latest: tuple[object, object, object, GrowingWorkspace | None] = (None, None, None, None)

    def take(self, n_cells: int, soft: bool, budget: Budget) -> GrowingWorkspace:
        """Return a workspace for boards of up to ``n_cells`` cells."""
        key = (soft, budget)
        found = self.kept.get(key)
        if found is None or found.most_cells < n_cells:
            if len(self.kept) == _MAX_WORKSPACES:
                self.kept.clear()
            found = GrowingWorkspace(n_cells, *key)
            with self.lock:
                self.kept[key] = found
                found.stop = any(limit.is_over for limit in self.limits)
        return found


memory = ThreadMemory()


@contextmanager
def time_limit(
    until: float, *others: kernels.Workspace | kernels.EndgameSearch, cancelled: Callable[[], bool] | None = None
) -> Iterator[None]:
    """Stop sums of this thread, and those with ``others``, at a moment of `perf_counter` or once ``cancelled``.

    A running sum then ends within milliseconds and raises `OutOfTime`; an exact search ends as if its memory were full.
    Limits nest: what the outer one has stopped stays stopped when the inner one ends.
    """
    kept, limits, lock = memory.kept, memory.limits, memory.lock  # of this thread; another one watches
    limit, is_done = _Limit(others), threading.Event()

    def is_over() -> bool:
        return perf_counter() >= until or (cancelled is not None and cancelled())

    def end() -> None:
        with lock:
            limit.is_over = True
            for one in (*kept.values(), *others):
                one.stop = True

    def watch() -> None:
        while not is_over():
            left = max(until - perf_counter(), 0.0)
            if is_done.wait(left if cancelled is None else min(left, _POLL_SECONDS)):
                return
        end()

    with lock:
        limits.append(limit)
    watching = threading.Thread(target=watch, name="time limit", daemon=True)
    try:
        if is_over():
            end()
        else:
            watching.start()
        yield
    finally:
        is_done.set()
        if watching.ident is not None:
            watching.join()
        with lock:
            limits.remove(limit)
            over = [outer for outer in limits if outer.is_over]
            for one in kept.values():
                one.stop = bool(over)
            for other in others:
                other.stop = any(other in outer.others for outer in over)
