"""What a soak came to: how long answers took, what is held at the end and was not before, what stands in the log."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from benchmarks.soak_server import Holding

# What may be held at the end beyond what was held at the beginning.
MORE_HANDLES = 16  # two for the connection to the file of each of eight threads
MORE_WORKER_HANDLES = 4
MORE_SERVER_MB = 80.0  # the games at hand: the server keeps up to 4 million cells of them
MORE_WORKER_MB = 100.0  # one that is at rest ends itself at 128 MB, as soon as it notices

_TRACEBACK = "Traceback (most recent call last)"


def compare(before: Holding, after: Holding) -> list[str]:
    """Say what is held at the end that was not at the beginning, when nobody was there either time."""
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
    """Say what the server complained of."""
    text = path.read_text("utf-8", "replace")
    n, where = text.count(_TRACEBACK), text.find(_TRACEBACK)
    return [f"The server's log has {n} tracebacks, the first: {text[where : where + 3000]}"] if n else []


def percentiles(seconds: list[float]) -> dict[str, float]:
    """Sum up how long answers took, in milliseconds."""
    taken = sorted(1000.0 * one for one in seconds)
    at = {"median": 0.5, "p95": 0.95, "p99": 0.99}
    found = {name: round(taken[int(share * len(taken))], 1) for name, share in at.items()}
    return found | {"worst": round(taken[-1], 1)}


def rounded(held: Holding) -> dict[str, float]:
    """What was held, for people."""
    return {name: round(value, 1) for name, value in asdict(held).items()}
