"""Whatever a file of Minesweeper holds, read and written by the end of its name: layouts, positions, replays, records.

>>> import tempfile
>>> from pathlib import Path
>>> from sapper.layout import Layout
>>> path = Path(tempfile.mkdtemp(), "board.mbf")
>>> write(Layout.parse("*--/---"), path)
>>> read(path)
Layout.parse('*--/---')

Positions of games under rules: what they promise, and which rules may have led to one.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from sapper.errors import FormatError, InputError, check_type
from sapper.formats import Content, convert, format_of
from sapper.formats.videos import read_video, video_suffix
from sapper.observation import EXPLODED, Observation
from sapper.play.record import Record, read_record
from sapper.rules import Rules
from sapper.words import count, name_size

if TYPE_CHECKING:
    from sapper.topology import Cell


RECORD_SUFFIX = ".sapper"
_RECORD_BEGINS = b"Sapper-Record:"


def read(path: str | os.PathLike[str], format: str | None = None) -> Content | Record:  # noqa: A002 - as users know it
    """Return what a file holds: a `Layout`, an `Observation`, a layout with its first click, a replay or a `Record`.

    The end of its name tells the format, unless ``format`` does; a record is known by its first line. Raises
    `FormatError` or another `InputError` that names the file if it holds something else.
    """
    check_type(path, (str, os.PathLike), "the name of a file")
    name, data = os.fspath(path), Path(path).read_bytes()
    try:
        if format is None and data.startswith(_RECORD_BEGINS):
            return read_record(data)
        suffix = video_suffix(name) if format is None else None
        return read_video(data, suffix) if suffix is not None else format_of(name, format).read(data)
    except InputError as error:
        raise type(error)(f"{name}: {error}") from error


def write(
    value: Content | Record,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
    first: Cell | None = None,
) -> None:
    """Write a layout, a position, a replay or a record into a file, whole or not at all.

    The end of its name tells the format, unless ``format`` does. Replays and first clicks are left out where the format
    has no place for them; where it needs a first click, that is ``first``, or else a cell that opens a region. Raises
    `FormatError` where the format cannot hold such a thing, and another `InputError` if there is no such folder.
    """
    check_type(value, (Record, *get_args(Content)), "a layout, a position, a replay or a record")
    check_type(path, (str, os.PathLike), "the name of a file")
    name = os.fspath(path)
    if isinstance(value, Record):
        if format is not None or not name.endswith(RECORD_SUFFIX):
            raise FormatError(f"A record is written into a file whose name ends in {RECORD_SUFFIX}, not into {name!r}.")
        data = str(value).encode()
    else:
        data = convert(value, format_of(name, format), first)
    write_file(path, data)


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise `InputError` if a file of this name cannot be written, before the work for it is done."""
    if not os.fspath(path):
        raise InputError("The name of the file is empty.")
    if _descriptor_of(path) is not None:
        return
    target = _follow(path)
    if target.is_dir():
        raise InputError(f"{path} is a folder, not a file.")
    check_folder(target)
    # A file is replaced by another in the same folder; a device or a pipe is written to itself.
    if (not target.exists() or target.is_file()) and not os.access(target.parent, os.W_OK | os.X_OK):
        raise InputError(f"{path} cannot be written: you have no permission to write to {_name_folder(target)}.")
    if target.exists() and not os.access(target, os.W_OK):
        raise InputError(f"{path} cannot be written: you have no permission to change it.")


def check_folder(path: str | os.PathLike[str]) -> None:
    """Raise `InputError` unless there is a folder for a file of this name: one that nobody asked for is not made."""
    target = Path(path)
    if not target.parent.is_dir():
        raise InputError(f"There is no folder {_name_folder(target)} to write {target.name} into.")


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or not at all; raises `InputError` if it cannot be written there.

    The bytes go to a temporary file beside it, which takes its place at the end. So a file that was there before stays
    as it was until then, whatever happens. Its permissions are kept, and a symbolic link stays one. Devices, pipes and
    what the process has open already, such as /dev/stdout, have nothing to keep safe and are written directly.
    """
    check_target(path)
    descriptor = _descriptor_of(path)
    if descriptor is not None:
        # Opened by its name it would be cut to nothing first, and with it whatever was written before.
        with os.fdopen(os.dup(descriptor), "wb") as stream:
            stream.write(data)
        return
    target = _follow(path)
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name[:100]}.", delete=False) as file:
        try:
            file.write(data)
            file.close()
            # Temporary files are private; a file that the user asked for gets the usual permissions.
            Path(file.name).chmod(stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask())
            Path(file.name).replace(target)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def _follow(path: str | os.PathLike[str]) -> Path:
    """The file that a name leads to through symbolic links: replacing a link would leave that file as it was."""
    return Path(os.path.realpath(path)) if os.path.islink(path) else Path(path)  # noqa: PTH114 - of any path


def _descriptor_of(path: str | os.PathLike[str]) -> int | None:
    """The number of a stream that a name such as /dev/stdout stands for."""
    match = re.fullmatch(r"/dev/(?:(stdout)|(stderr)|fd/(\d{1,4}))|/proc/self/fd/(\d{1,4})", os.fspath(path), re.ASCII)
    if match is None:
        return None
    return 1 if match[1] else 2 if match[2] else int(match[3] or match[4])


def _name_folder(path: Path) -> str:
    """The folder of a file in a sentence; a mere dot would look like its end."""
    return "the current folder" if path.parent == Path() else str(path.parent)


def _umask() -> int:
    """The permissions that this user withholds from new files; there is no way to ask without setting them."""
    withheld = os.umask(0o077)
    os.umask(withheld)
    return withheld


def under_rules(position: Observation, rules: Rules) -> Observation:
    """Return a position as one of a game under these rules, without its flags; raise `InputError` if it is none.

    What the text of a position may leave out, the total and the clue channel, is taken from the rules.
    """
    if position.topology != rules.topology:
        size = f"{name_size(position.rows, position.cols)}, {position.topology.shape}"
        raise InputError(f"The position ({size}) belongs to another board than {rules.in_short}.")
    total = rules.mines if rules.total_known else None
    if position.total not in (None, total):
        known = f"there should be {total}" if rules.total_known else "the number should be unknown"
        said = count(position.total, "mine")
        raise InputError(f"The position says {said}, but {known} under the rules {rules.in_short}.")
    if position.channel not in (rules.channel, type(rules.channel)()):
        raise InputError(f"The position has {position.channel} clues, but the rules {rules.in_short} say otherwise.")
    return Observation(rules.topology, position.without_flags().cells, total, rules.channel)


def rules_of(position: Observation) -> Rules:
    """Return the rules of a game that may have led to a position: a survey if a mine has exploded, else classic."""
    n_exploded = int((position.cells == EXPLODED).sum())
    return Rules.on(
        position.topology,
        n_exploded if position.total is None else position.total,
        first_click="any",
        opened_mine="explodes" if n_exploded else "ends",
        total_known=position.total is not None,
        channel=position.channel,
    )
