"""Whatever a file of Minesweeper holds, read and written by the end of its name: layouts, positions, replays, records.

>>> import tempfile
>>> from pathlib import Path
>>> from sapper.layout import Layout
>>> path = Path(tempfile.mkdtemp(), "board.mbf")
>>> write(Layout.parse("*--/---"), path)
>>> read(path)
Layout.parse('*--/---')
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from sapper.errors import FormatError, InputError
from sapper.formats import convert, format_of
from sapper.formats.videos import read_video, video_suffix
from sapper.play.matches.record import Record, read_record

if TYPE_CHECKING:
    from sapper.formats import Content
    from sapper.topology import Cell

RECORD_SUFFIX = ".sapper"
_RECORD_BEGINS = b"Sapper-Record:"


def read(path: str | os.PathLike[str], format: str | None = None) -> Content | Record:  # noqa: A002 - as users know it
    """Return what a file holds: a `Layout`, an `Observation`, a layout with its first click, a replay or a `Record`.

    The end of its name tells the format, unless ``format`` does; a record is known by its first line. Raises
    `FormatError` or another `InputError` that names the file if it holds something else.
    """
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
    `FormatError` where the format cannot hold such a thing.
    """
    name = os.fspath(path)
    if isinstance(value, Record):
        if format is not None or not name.endswith(RECORD_SUFFIX):
            raise FormatError(f"A record is written into a file whose name ends in {RECORD_SUFFIX}, not into {name!r}.")
        data = str(value).encode()
    else:
        data = convert(value, format_of(name, format), first)
    replace_file(Path(path), data)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(data)
            file.close()
            # Temporary files are private; a file that the user asked for gets the usual permissions.
            Path(file.name).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def _umask() -> int:
    """The permissions that this user withholds from new files; there is no way to ask without setting them."""
    withheld = os.umask(0o077)
    os.umask(withheld)
    return withheld
