"""The folder that a submission runs in: a copy of its own, so that nothing it writes or removes there lasts.

Needs the standard library alone, as everything that runs in the process of a foreign agent.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from itertools import islice
from pathlib import Path

_MOST_FILES = 200  # of a folder that is copied; a larger one is linked to
_MOST_BYTES = 2**24  # of a file that is copied


class Scratch:
    """A copy of a folder in another, empty one, which can be put right again."""

    def __init__(self, folder: Path, path: Path) -> None:
        self._folder = folder
        self.path = path
        self._copy()
        self._was = self._state()

    def restore(self) -> None:
        """Undo what was changed."""
        if self._state() == self._was:
            return
        for child in [*self.path.iterdir()]:
            if child.is_dir() and not child.is_symlink():
                shutil.rmtree(child, ignore_errors=True)
            else:
                with suppress(OSError):
                    child.unlink()
        self._copy()
        self._was = self._state()

    def remove(self) -> None:
        """Remove the copy."""
        shutil.rmtree(self.path, ignore_errors=True)

    def _copy(self) -> None:
        for child in self._folder.iterdir():
            if child.name.startswith((".", "__")):
                continue
            with suppress(OSError):
                target = self.path / child.name
                if not _is_small(child):
                    target.symlink_to(child.resolve())
                elif child.is_dir():
                    shutil.copytree(child, target, symlinks=True)
                else:
                    shutil.copy2(child, target)

    def _state(self) -> dict[str, tuple[int, int]]:
        """Return the size and time of every file."""
        found = {}
        for folder, names, files in os.walk(self.path):
            for name in (*names, *files):
                path = os.path.join(folder, name)  # noqa: PTH118 - after every game
                with suppress(OSError):
                    status = os.lstat(path)
                    found[path] = status.st_size, status.st_mtime_ns
        return found


def _is_small(path: Path) -> bool:
    if path.is_dir():
        return sum(1 for _ in islice(path.rglob("*"), _MOST_FILES)) < _MOST_FILES
    return path.is_file() and path.stat().st_size < _MOST_BYTES
