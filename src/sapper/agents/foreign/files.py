"""The files of submissions: which one has the agent, and what it imports from beside it."""

from __future__ import annotations

import os
import re
import zlib
from functools import lru_cache
from pathlib import Path

from sapper.errors import InputError
from sapper.words import join_words

# Kind → the file that its course asks for, and the class in it.
FILES = {"cs50": ("minesweeper.py", "MinesweeperAI"), "uci": ("MyAI.py", "MyAI")}
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar", ".ipynb")  # handed in instead of files that can be run
_NOT_THEIRS = ("venv", "env", "site-packages", "node_modules")


def is_hidden(path: Path) -> bool:
    """Whether a name says that a file or folder is none of a student's: .git, __MACOSX."""
    return path.name.startswith((".", "__")) or path.name in _NOT_THEIRS


def find_main(kind: str, path: Path) -> Path:
    """Return the file of a submission, which may be given as its folder; raise `InputError` if there is none."""
    usual, wanted = FILES[kind]
    if path.suffix in ARCHIVES and path.is_file():
        raise InputError(f"{str(path)[:200]} is not a Python file; unpack or convert it.")
    if path.is_file():
        return path
    if not path.is_dir():
        raise InputError(f"There is no file {str(path)[:200]}.")
    if (path / usual).is_file():
        return path / usual
    # Handed in under another name, or unpacked into another folder.
    found = [one for one in _modules_below(path) if re.search(rf"^class {wanted}\b".encode(), one.read_bytes(), re.M)]
    named = [one for one in found if one.name == usual]
    found = named if len(named) == 1 else found
    if len(found) == 1:
        return found[0]
    if not found:
        raise InputError(f"There is no {usual} in {str(path)[:200]}, and no other file with a class {wanted}.")
    listed = join_words([str(one.relative_to(path)) for one in found[:4]])
    raise InputError(f"{str(path)[:200]} has more than one file with a class {wanted}: {listed}. Name one of them.")


def find_program(folder: Path) -> Path:
    """Return the only file in a folder that can be run; raise `InputError` if there is none or more than one."""
    inside = [one for one in sorted(folder.iterdir()) if one.is_file() and not is_hidden(one)]
    found = [one for one in inside if os.access(one, os.X_OK)]
    if len(found) == 1:
        return found[0]
    listed = f": {join_words([one.name for one in found[:4]])}" if found else ""
    many = f"has {len(found) or 'none'}{listed}"
    raise InputError(f"{str(folder)[:200]} must have one file that can be run; it {many}.")


def digest(paths: list[Path]) -> int:
    """Return a number that changes with some files and the modules beside them that they import."""
    found, waiting = set(), [path for path in paths if path.is_file()]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        status = path.stat()
        if path.suffix == ".py":
            words = _read(path, status.st_mtime_ns, status.st_size)[1]
            waiting += [one for one in _modules_below(path.parent) if {one.stem, one.parent.name} & words]
    total = 0
    for path in sorted(found):
        status = path.stat()
        total = zlib.crc32(_read(path, status.st_mtime_ns, status.st_size)[0].to_bytes(4), total)
    return total


@lru_cache(maxsize=4096)
def _read(path: Path, time: int, size: int) -> tuple[int, frozenset[str]]:
    """Return the checksum of a file, and the words in its lines that import something."""
    del time, size  # with which the file changes
    data = path.read_bytes()
    if path.suffix != ".py":
        return zlib.crc32(data), frozenset()
    words = re.findall(rb"\w+", b" ".join(re.findall(rb"^[^\n]*\bimport\b[^\n]*", data, re.M)))
    return zlib.crc32(data), frozenset(word.decode("ascii", "ignore") for word in words)


def _modules_below(folder: Path) -> list[Path]:
    """Return the modules in a folder and those inside it."""
    found = []
    for where, names, files in os.walk(folder):
        names[:] = [name for name in sorted(names) if not is_hidden(Path(name))]
        found += [Path(where, name) for name in sorted(files) if name.endswith(".py") and not name.startswith(".")]
        if len(found) > 1000:
            break
    return found
