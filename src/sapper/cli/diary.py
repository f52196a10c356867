"""Where the terminal keeps what somebody has answered: one JSON object per line, and nothing is ever changed in it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from sapper.errors import InputError

if TYPE_CHECKING:
    from sapper.train import Attempt


def default_path() -> Path:
    """Where answers are kept."""
    import platformdirs

    return Path(platformdirs.user_data_dir("sapper")) / "training.jsonl"


class Diary:
    """A file of attempts, written line by line; a line that was cut short by a crash costs nothing but itself."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = default_path() if path is None else path
        self.n_unreadable = 0  # lines of the last reading
        self._has_complained = False

    def read(self) -> list[Attempt]:
        """Every attempt that can be read, in the order of the file; none if there is no file."""
        from sapper.train import Attempt

        self.n_unreadable = 0
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"{self.path} cannot be read: {error.strerror}.") from None
        found = []
        for line in data.splitlines():
            if line.strip():
                try:
                    found.append(Attempt.from_plain_values(json.loads(line)))
                except (InputError, ValueError):
                    self.n_unreadable += 1
        return found

    def add(self, attempt: Attempt) -> str:
        """Keep an attempt for good before anything else happens; return a complaint, once, if that fails."""
        line = json.dumps(attempt.as_plain_values()).encode() + b"\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab+") as file:
                if file.tell() and not _ends_a_line(file.fileno(), file.tell()):
                    # What a crash cut short must not spoil this line too.
                    line = b"\n" + line
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            if self._has_complained:
                return ""
            self._has_complained = True
            return f"Your answers cannot be kept in {self.path}: {error.strerror}."
        return ""

    def forget(self) -> None:
        """Delete the file."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"{self.path} cannot be deleted: {error.strerror}.") from None


def _ends_a_line(file: int, size: int) -> bool:
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1) == b"\n"
