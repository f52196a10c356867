"""The server of the soak, and what is done to it: kills, a full disk, a clock that jumps; what it holds, from /proc."""

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

# Python reads a file of this name when it starts. The machine's own clock is nobody's to touch, and namespaces of time
# do not hold the time of day.
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
    """A real ``sapper serve`` that is started again and again on the same port and the same folder."""

    def __init__(self, folder: Path, work: Path) -> None:
        self.folder = folder
        self.port = 0
        self.log = work / "server.log"
        self.clock = Clock(work / "clock")
        self.process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self.process is not None
        return self.process.pid

    def start(self) -> str | None:
        """Start it; return None once it answers, or the sentence with which it refused."""
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
        """End it by a signal; return the processes that it had started."""
        family = descendants(self.pid)
        if self.process is not None:
            self.process.send_signal(how)
            self.process.communicate(timeout=60)
        return family

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self.process is not None and self.process.poll() is None

    def workers(self) -> list[int]:
        """The processes that compute for it."""
        return [pid for pid in descendants(self.pid) if b"spawn_main" in read_bytes(f"/proc/{pid}/cmdline")]


class Clock:
    """What the server takes for the time of day: the truth, and so many seconds."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(_CLOCK)
        self._folder = folder
        self._file = folder / "offset"
        self.n_jumps = 0
        self.offset = 0.0
        self.jump(0.0)

    def environment(self) -> dict[str, str]:
        """The environment of a process that goes by this clock."""
        path = os.pathsep.join(filter(None, (str(self._folder), os.environ.get("PYTHONPATH", ""))))
        return os.environ | {"PYTHONPATH": path, "SOAK_CLOCK": str(self._file)}

    def jump(self, offset: float) -> None:
        """Put the clock so many seconds before the true time."""
        # Renamed into place: nobody reads half of it.
        new = self._file.with_suffix(".new")
        new.write_text(str(offset))
        new.replace(self._file)
        self.n_jumps += offset != self.offset
        self.offset = offset


# -- a full disk ----------------------------------------------------------------------------------------------


class FullDisk:
    """A small file system of its own, filled by another file."""

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
        """Leave no room."""
        del server
        with suppress(OSError), self._ballast.open("wb", buffering=0) as file:
            while file.write(b"\0" * PAGE) == PAGE:
                pass

    def free(self, server: Server) -> None:
        """Give the room back."""
        del server
        self._ballast.unlink(missing_ok=True)

    def close(self) -> None:
        """Take the file system away."""
        subprocess.run(["umount", str(self._folder)], check=True)


class FileLimit:
    """No file may grow any more: what can be had without any rights."""

    name = "RLIMIT_FSIZE at the size of the log of games"
    is_full_to_all = False  # but only to the processes that are running

    def __init__(self, folder: Path) -> None:
        self._log = folder / "games.sqlite-wal"

    def fill(self, server: Server) -> None:
        """Let no file grow."""
        size = self._log.stat().st_size if self._log.exists() else 0
        self._set(server, max(size, PAGE))

    def free(self, server: Server) -> None:
        """Let files grow again."""
        self._set(server, resource.RLIM_INFINITY)

    def close(self) -> None:
        """Nothing is left to do."""

    def _set(self, server: Server, size: int) -> None:
        for pid in [server.pid, *descendants(server.pid)] if server.is_running else []:
            with suppress(ProcessLookupError):
                _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


def own_mounts() -> list[str] | None:
    """The command before which a program may mount what nobody else sees, and which ends with it; None if none can."""
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


# -- what it holds --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Holding:
    """What a server and the processes of it hold at a moment."""

    processes: int
    handles: int  # of the server itself
    worker_handles: int  # of the process that has most
    server_mb: float
    worker_mb: float  # of the largest

    @classmethod
    def of(cls, pid: int) -> Holding:
        """Look into /proc."""
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
    """The processes that a process has started and theirs in turn, as far as they are running."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            # Behind the name, which may hold anything: the state, and who started it.
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
    """Whether a process is there and more than a name."""
    fields = read_bytes(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return bool(fields) and fields[0] != b"Z"


def count_handles(pid: int) -> int:
    """How many files, sockets and pipes a process has open."""
    try:
        return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return 0


def resident_mb(pid: int) -> float:
    """Memory of a process that is in use."""
    fields = read_bytes(f"/proc/{pid}/statm").split()
    return int(fields[1]) * PAGE / 1e6 if fields else 0.0


def read_bytes(path: str | Path) -> bytes:
    """What is in a file of /proc; nothing if the process is gone."""
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
