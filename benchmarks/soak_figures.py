"""The figures of a soak: response times, leaks and errors in the log."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from benchmarks.soak_server import Holding

# Tolerances for what is held at the end beyond the start.
MORE_HANDLES = 16  # two for the database connection of each of eight threads
MORE_WORKER_HANDLES = 4
MORE_SERVER_MB = 80.0  # cached games, up to 4 million cells
MORE_WORKER_MB = 100.0  # an idle worker exits once it notices that it exceeds 128 MB

_TRACEBACK = "Traceback (most recent call last)"


def compare(before: Holding, after: Holding) -> list[str]:
    """Return what the idle server holds at the end beyond the start."""
    found = (
        ("processes", before.processes, after.processes, 0.0),
        ("file handles of the server", before.handles, after.handles, MORE_HANDLES),
        ("file handles of a worker", before.worker_handles, after.worker_handles, MORE_WORKER_HANDLES),
        ("megabytes of the server", before.server_mb, after.server_mb, MORE_SERVER_MB),
        ("megabytes of the largest worker", before.worker_mb, after.worker_mb, MORE_WORKER_MB),
    )
    return [
        f"The {what}: {first:.0f} at the beginning, {last:.0f} at the end, where at most {margin:.0f} more are right."
        for what, first, last, margin in found
        if last > first + margin
    ]


def read_log(path: Path) -> list[str]:
    """Return the errors in the server's log."""
    text = path.read_text("utf-8", "replace")
    n, where = text.count(_TRACEBACK), text.find(_TRACEBACK)
    return [f"The server's log has {n} tracebacks, the first: {text[where : where + 3000]}"] if n else []


def percentiles(seconds: list[float]) -> dict[str, float]:
    """Summarise response times, in milliseconds."""
    taken = sorted(1000.0 * one for one in seconds)
    at = {"median": 0.5, "p95": 0.95, "p99": 0.99}
    found = {name: round(taken[int(share * len(taken))], 1) for name, share in at.items()}
    return found | {"worst": round(taken[-1], 1)}


def rounded(held: Holding) -> dict[str, float]:
    """Return what was held, as text."""
    return {name: round(value, 1) for name, value in asdict(held).items()}
