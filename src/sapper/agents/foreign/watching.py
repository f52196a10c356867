"""What the system tells of processes, and how they are ended; standard library alone, for `host`."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path


def cpu_seconds(pid: int) -> float | None:
    """Return the processor time that a process has taken, or None where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def is_idle(pid: int) -> bool:
    """Whether no thread of a process runs or would like to: it sleeps, waits or was stopped."""
    try:
        states = [path.read_bytes().rpartition(b")")[2].split()[0] for path in Path(f"/proc/{pid}/task").glob("*/stat")]
    except (OSError, IndexError):
        return False
    return bool(states) and {b"S", b"T", b"t"}.issuperset(states)


def end_orphans(*spared: int) -> None:
    """End the children of this process, and those that it gets from them, but for some."""
    for _ in range(1000):
        try:
            listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
        except OSError:
            return
        orphans = {int(pid) for pid in listed.split()} - {*spared}
        if not orphans:
            return
        for pid in orphans:
            kill_group(pid)
            with suppress(OSError):
                os.waitpid(pid, 0)


def kill_group(pid: int) -> None:
    """End a process and its group, which it may not have founded yet."""
    for kill in (os.killpg, os.kill):
        with suppress(OSError):
            kill(pid, signal.SIGKILL)


def megabytes_held(pid: int) -> float:
    """Return the memory that a process holds, or 0 where the system does not say."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
