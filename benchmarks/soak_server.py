"""The server of the soak, its faults (kills, a full disk, clock jumps) and what it holds, from /proc."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

PAGE = os.sysconf("SC_PAGE_SIZE")
TMPFS_MEGABYTES = 96
DAY = 24 * 3600.0

# Python imports a file of this name at its start. The machine's clock must stay right, and time namespaces do not cover
# the time of day.
_CLOCK = """
import os, time

_true, _seen = time.time, [0.0, 0.0]

def _shifted():
    now = time.monotonic()
    if now >= _seen[0]:
        _seen[0] = now + 0.2
        try:
            with open(os.environ["SOAK_CLOCK"]) as file:
                _seen[1] = float(file.read())
        except (OSError, ValueError):
            pass
    return _true() + _seen[1]

time.time = _shifted
"""


class Server:
    """A real ``sapper serve`` that is restarted on the same port and folder."""

    def __init__(self, folder: Path, work: Path) -> None:
        self.folder = folder
        self.port = 0
        self.log = work / "server.log"
        self.clock = Clock(work / "clock")
        self.process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self.process is not None
        return self.process.pid

    def start(self) -> str | None:
        """Start it; return None once it responds, or its error message."""
        sapper = str(Path(sys.executable).parent / "sapper")
        command = [sapper, "serve", "--port", str(self.port), "--data", str(self.folder)]
        with self.log.open("a") as log:
            begins = self.log.stat().st_size
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=self.clock.environment()
            )
        assert self.process.stdout is not None
        port = urlsplit(self.process.stdout.readline().strip()).port
        if port is None:
            self.process.communicate()
            return self.log.read_bytes()[begins:].decode("utf-8", "replace").strip()
        self.port = port
        return None

    def end(self, how: signal.Signals) -> list[int]:
        """End it with a signal; return its child processes."""
        family = descendants(self.pid)
        if self.process is not None:
            self.process.send_signal(how)
            self.process.communicate(timeout=60)
        return family

    @property
    def is_running(self) -> bool:
        """Whether it is running."""
        return self.process is not None and self.process.poll() is None

    def workers(self) -> list[int]:
        """Its workers."""
        return [pid for pid in descendants(self.pid) if b"spawn_main" in read_bytes(f"/proc/{pid}/cmdline")]


class Clock:
    """The server's clock: the true time plus an offset."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(_CLOCK)
        self._folder = folder
        self._file = folder / "offset"
        self.n_jumps = 0
        self.offset = 0.0
        self.jump(0.0)

    def environment(self) -> dict[str, str]:
        """The environment variables of a process that uses this clock."""
        path = os.pathsep.join(filter(None, (str(self._folder), os.environ.get("PYTHONPATH", ""))))
        return os.environ | {"PYTHONPATH": path, "SOAK_CLOCK": str(self._file)}

    def jump(self, offset: float) -> None:
        """Set the offset in seconds."""
        # Renamed into place, so that no process reads half of it.
        new = self._file.with_suffix(".new")
        new.write_text(str(offset))
        new.replace(self._file)
        self.n_jumps += offset != self.offset
        self.offset = offset


# -- a full disk ----------------------------------------------------------------------------------------------


class FullDisk:
    """A small file system, filled by another file."""

    name = f"a tmpfs of {TMPFS_MEGABYTES} MB, filled"
    is_full_to_all = True

    def __init__(self, folder: Path) -> None:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={TMPFS_MEGABYTES}m", "soak", str(folder)], check=False
        )
        if mounted.returncode:
            sys.exit("The small disk could not be mounted; try --disk limit.")
        self._folder = folder
        self._ballast = folder / "ballast"

    def fill(self, server: Server) -> None:
        """Fill the disk."""
        del server
        with suppress(OSError), self._ballast.open("wb", buffering=0) as file:
            while file.write(b"\0" * PAGE) == PAGE:
                pass

    def free(self, server: Server) -> None:
        """Free the space."""
        del server
        self._ballast.unlink(missing_ok=True)

    def close(self) -> None:
        """Unmount the file system."""
        subprocess.run(["umount", str(self._folder)], check=True)


class FileLimit:
    """A limit on file sizes, which needs no privileges."""

    name = "RLIMIT_FSIZE at the size of the log of games"
    is_full_to_all = False  # but only for running processes

    def __init__(self, folder: Path) -> None:
        self._log = folder / "games.sqlite-wal"

    def fill(self, server: Server) -> None:
        """Set the limit."""
        size = self._log.stat().st_size if self._log.exists() else 0
        self._set(server, max(size, PAGE))

    def free(self, server: Server) -> None:
        """Remove the limit."""
        self._set(server, resource.RLIM_INFINITY)

    def close(self) -> None:
        """Do nothing."""

    def _set(self, server: Server, size: int) -> None:
        for pid in [server.pid, *descendants(server.pid)] if server.is_running else []:
            with suppress(ProcessLookupError):
                _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


def own_mounts() -> list[str] | None:
    """Return the command prefix with which a program can mount privately; None if there is none."""
    if shutil.which("unshare") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        for rights in ([], ["--user", "--map-root-user"]):
            command = ["unshare", "--mount", *rights]
            tried = subprocess.run(
                [*command, "mount", "-t", "tmpfs", "-o", "size=1m", "soak", folder], check=False, capture_output=True
            )
            if tried.returncode == 0:
                return command
    return None


# -- resources --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Holding:
    """The resources of a server and its workers."""

    processes: int
    handles: int  # of the server itself
    worker_handles: int  # of the worker with most
    server_mb: float
    worker_mb: float  # of the largest

    @classmethod
    def of(cls, pid: int) -> Holding:
        """Read /proc."""
        family = descendants(pid)
        workers = [one for one in family if b"spawn_main" in read_bytes(f"/proc/{one}/cmdline")]
        return cls(
            1 + len(family),
            count_handles(pid),
            max(map(count_handles, workers), default=0),
            resident_mb(pid),
            max(map(resident_mb, workers), default=0.0),
        )


def descendants(pid: int) -> list[int]:
    """Return the running descendants of a process."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            # State and parent follow the name, which may contain anything.
            fields = read_bytes(folder / "stat").rpartition(b")")[2].split()
            if len(fields) > 1 and fields[0] != b"Z":
                children.setdefault(int(fields[1]), []).append(int(folder.name))
    found, todo = [], [pid]
    while todo:
        new = children.get(todo.pop(), [])
        found += new
        todo += new
    return found


def is_running(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    fields = read_bytes(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return bool(fields) and fields[0] != b"Z"


def count_handles(pid: int) -> int:
    """Return the number of open files, sockets and pipes of a process."""
    try:
        return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return 0


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process."""
    fields = read_bytes(f"/proc/{pid}/statm").split()
    return int(fields[1]) * PAGE / 1e6 if fields else 0.0


def read_bytes(path: str | Path) -> bytes:
    """Return a file of /proc; empty if the process is gone."""
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
