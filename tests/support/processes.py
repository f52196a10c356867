"""Real processes for the tests of experiments: started, watched, killed; and what their stores hold."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from command import SAPPER

PATIENCE = 180.0  # seconds that anything may take, on a busy machine, before a test fails


def wait_until(happens: Callable[[], object], what: str, patience: float = PATIENCE, *, pause: float = 0.02) -> None:
    """Wait until something is so, or fail; a server that is asked wants longer pauses."""
    deadline = time.monotonic() + patience
    while not happens():
        assert time.monotonic() < deadline, f"not within {patience} s: {what}"
        time.sleep(pause)


@contextmanager
def started(*arguments: str, **settings: str) -> Iterator[subprocess.Popen[str]]:
    """A running ``sapper`` in a process group of its own, ended with its group afterwards whatever happens."""
    process = subprocess.Popen(
        [SAPPER, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
        env=os.environ | {"COLUMNS": "100"} | settings,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=PATIENCE)


def rows_of(path: Path) -> list[tuple[object, ...]]:
    """Every chunk of a store with the name of its run, in order; all but the CPU time, which is never the same."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(path, timeout=PATIENCE)) as store:
        if not store.execute("SELECT 1 FROM sqlite_master WHERE name = 'chunks'").fetchall():
            return []
        return store.execute(
            "SELECT rules, agent, version, source, restart_opening, seed, chunk_size, number, n_games, games "
            "FROM chunks JOIN runs ON runs.id = chunks.run ORDER BY rules, agent, source, seed, chunk_size, number"
        ).fetchall()


def games_around(rows: list[tuple[object, ...]]) -> int:
    """So many games of 20 in a chunk that these chunks are among them, and one more is not played yet."""
    return 20 * (max(int(str(row[7])) for row in rows) + 2)


def children_of(pid: int) -> set[int]:
    """The running processes that a process has started, and theirs in turn."""
    import psutil  # type: ignore[import-untyped]

    try:
        return {child.pid for child in psutil.Process(pid).children(recursive=True)}
    except psutil.NoSuchProcess:
        return set()


def workers_of(pid: int) -> set[int]:
    """The processes of a pool among the children: those that multiprocessing has started to do work."""
    import psutil

    found = set()
    for child in children_of(pid):
        try:
            if any("spawn_main" in word for word in psutil.Process(child).cmdline()):
                found.add(child)
        except psutil.NoSuchProcess:
            continue
    return found


def are_gone(pids: set[int]) -> bool:
    """Whether none of these processes is running any more."""
    import psutil

    for pid in pids:
        try:
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                return False
        except psutil.NoSuchProcess:
            continue
    return True


class DaskCluster:
    """A scheduler and workers on loopback, each a process of its own."""

    def __init__(self, folder: Path, n_workers: int) -> None:
        self._file = folder / "scheduler.json"
        self._processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
            "--scheduler-file", str(self._file), folder=folder,
        )  # fmt: skip
        wait_until(self._address, "the scheduler says where it is")
        self.workers: list[subprocess.Popen[bytes]] = []
        for _ in range(n_workers):
            self.add_worker()

    def add_worker(self) -> None:
        """Start another worker."""
        folder = self._file.parent
        self.workers.append(
            self._start(
                "dask_worker", "--scheduler-file", str(self._file), "--nthreads", "1", "--no-nanny", "--no-dashboard",
                "--host", "127.0.0.1", "--death-timeout", "60", "--local-directory", str(folder), folder=folder,
            )
        )  # fmt: skip

    def _start(self, module: str, *arguments: str, folder: Path) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
        )
        self._processes.append(process)
        return process

    def _address(self) -> str | None:
        import json

        try:
            return str(json.loads(self._file.read_text())["address"])
        except (OSError, ValueError, KeyError):
            return None

    @property
    def address(self) -> str:
        """Where the scheduler listens."""
        address = self._address()
        assert address is not None
        return address

    def stop(self) -> None:
        """End all of it."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait(PATIENCE)
