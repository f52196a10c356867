"""Reading and writing any form of Minesweeper data: positions, layouts, replays and records, as text or in files.

`read` finds the format; `as_position`, `as_layout` and `as_record` turn what was read into what the caller needs.

>>> read("1#/## 1")
Observation.parse('1#/## 1')
>>> as_position(read("*--/---/---"))
Observation.parse('#10/110/000 1')

A file is written whole or not at all:

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
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import get_args

from sapper.errors import FormatError, InputError, check_type
from sapper.formats import FORMATS, Content, OpenedLayout, Replay, convert, first_click, format_of
from sapper.formats.videos import READERS, read_video
from sapper.layout import Layout
from sapper.observation import CODES, EXPLODED, OWN_CODES, Observation
from sapper.play.record import Record, read_record
from sapper.play.replays import record_of
from sapper.rules import Rules
from sapper.topology import OWN, Cell, Shape, Topology, topology
from sapper.words import count, name_size
from sapper.world.game import Game

RECORD_SUFFIX = ".sapper"
LONGEST_NAME = 256  # bytes of a file name; many positions are longer

_RECORD_BEGINS = b"Sapper-Record"
_SUFFIXES = [suffix for entry in FORMATS.values() for suffix in entry.suffixes]
# The text formats of other programs, by how their content begins.
_BEGINNINGS = {
    "mine": re.compile(r"\s*\d{1,9}x\d{1,9}x\d{1,9}\s*(\n|$)", re.ASCII),
    "tatham": re.compile(r"\s*\d{1,9}x\d{1,9}\w*[:#]", re.ASCII),
    "rawvf": re.compile(r".*board:", re.ASCII | re.DOTALL | re.IGNORECASE),
    "ptta": re.compile(r"(?=.*b=)(?=.*m=)", re.ASCII | re.DOTALL),
    "csp": re.compile(r"\s*\d{1,9}\s+\d{1,9}\s+-?\d{1,9}(\s|$)(?!.*#)", re.ASCII | re.DOTALL),
    "layout": re.compile(r"[*/\s]*-[-*/\s]*$", re.ASCII),
}


def read(
    source: str | os.PathLike[str] | bytes,
    *,
    name: str = "",
    format: str | None = None,  # noqa: A002 - as users know it
    seconds: float = 60.0,
) -> Content | Record:
    """Return a `Layout`, an `Observation`, a layout with its first click, a replay or a `Record`, whatever this is.

    ``source`` is text, the name of a file (with ``format``, always), or bytes, which ``name`` names in errors. The
    format is the one given, else the one of the file's suffix, else the one that the content looks like; a record is
    recognised by its first line. Reading a binary replay may take ``seconds``. Raises `FormatError` or another
    `InputError` if the source holds nothing of the kind.
    """
    check_type(source, (str, os.PathLike, bytes), "text, the name of a file or bytes")
    if isinstance(source, bytes):
        data = source
    elif isinstance(source, str) and format is None and not names_a_file(source):
        return _read_text(source)
    else:
        name, data = os.fspath(source), Path(source).read_bytes()
    with naming(name):
        return _read_bytes(data, name, format, seconds)


def _read_bytes(data: bytes, name: str, given: str | None, seconds: float) -> Content | Record:
    suffix = PurePath(name).suffix.lower() if given is None else f".{given}"
    if suffix in READERS:
        return read_video(data, suffix, seconds)
    if given is None and data.startswith(_RECORD_BEGINS):
        return read_record(data)
    if given is None and suffix not in _SUFFIXES:
        if name and not data.strip():
            raise InputError("The file is empty.")
        # Pasted text that looks like nothing else is a position with a slip, and its error says where.
        given = find_format(data) or (None if name else "position")
        if given is None:
            raise InputError(
                f"The content does not tell the format: use one of the suffixes {', '.join(_SUFFIXES)}, or name the "
                f"format ({', '.join(FORMATS)})."
            )
    return format_of(name, given).read(data)


def _read_text(text: str) -> Content | Record:
    """Read text that is not the name of a file."""
    if not text.strip():
        raise InputError("This is empty: write a position such as '1#/## 1' or a layout such as '*--/---'.")
    data = text.encode("utf-8", "surrogatepass")
    if not data.startswith(_RECORD_BEGINS) and find_format(data) is None:
        refuse_folder(text)
        raise InputError(f"There is no file {text[:200]!r}, and it is neither a position nor a layout.")
    return read(data)


def find_format(data: bytes) -> str | None:
    """Return the name of the text format that content looks like; None: none of them.

    >>> find_format(b"2x2x1"), find_format(b"*--/---"), find_format(b"1#/## 1"), find_format(b"hello")
    ('mine', 'layout', 'position', None)
    """
    text = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    for name, beginning in _BEGINNINGS.items():
        if beginning.match(text):
            return name
    cells = text.strip().partition(" ")[0].replace("/", "").replace("\n", "")
    codes = OWN_CODES if OWN in text else CODES
    return "position" if "#" in cells or 2 * sum(symbol in codes for symbol in cells) > len(cells) else None


def names_a_file(argument: str) -> bool:
    """Whether an argument is the name of a file, by its suffix or because there is one, rather than text."""
    return PurePath(argument).suffix.lower() in (*_SUFFIXES, *READERS, RECORD_SUFFIX) or is_file(argument)


def is_file(argument: str) -> bool:
    """Whether an argument that may be something else is the name of a file, or of a device or a pipe to read from."""
    return _may_be_name(argument) and Path(argument).exists() and not Path(argument).is_dir()


def refuse_folder(argument: str) -> None:
    """Raise `InputError` if an argument that is nothing else is the name of a folder."""
    if argument and _may_be_name(argument) and Path(argument).is_dir():
        raise InputError(f"{argument} is a folder, not a file.")


def _may_be_name(argument: str) -> bool:
    return len(argument.encode("utf-8", "surrogatepass")) < LONGEST_NAME


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Put the name of a file before what an `InputError` says about it."""
    try:
        yield
    except InputError as error:
        if not name:
            raise
        raise type(error)(f"{name}: {error}") from error


def as_position(content: Content | Record) -> Observation:
    """Return the position that was read: of a game its last, of a layout the one after its first click.

    >>> str(as_position(read("?b=33&m=04")))
    '000/111/### 1'
    """
    if isinstance(content, Observation):
        return content
    if isinstance(content, (Record, Replay)):
        return as_record(content).final_game().observation
    opened = content if isinstance(content, OpenedLayout) else OpenedLayout(content, first_click(content))
    layout = opened.layout
    game = Game(Rules.on(layout.topology, layout.n_mines, first_click="any"), layout=layout)
    game.open(*opened.first)
    return game.observation


def as_layout(content: Content | Record, board: Shape | Topology = "square") -> Layout:
    """Return the layout that was read; ``board`` says which cells touch, which only records tell themselves."""
    if isinstance(content, Record):
        layout = content.final_game().layout
        if layout is None:
            raise InputError("Nothing was opened, so no mines were placed.")
        return layout
    if isinstance(content, Observation):
        if not (content.cells == EXPLODED).all():  # as text, a layout full of mines looks like that
            raise InputError("This is a position, which does not say where the mines are.")
        mines = content.cells == EXPLODED
    else:
        mines = (content if isinstance(content, Layout) else content.layout).mines
    return Layout(board if isinstance(board, Topology) else topology(board, *mines.shape), mines)


def as_record(content: Content | Record) -> Record:
    """Return the game that was read."""
    if isinstance(content, Record):
        return content
    if not isinstance(content, Replay):
        raise InputError(f"This is not a game but a {'position' if isinstance(content, Observation) else 'layout'}.")
    return record_of(content)


def write(
    value: Content | Record,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
    first: Cell | None = None,
) -> None:
    """Write a layout, a position, a replay or a record to a file, whole or not at all.

    The format is the one given, else that of the suffix. Replays and first clicks are left out where the format has no
    place for them; a format that needs a first click gets ``first``, or else a cell that opens a region. Raises
    `FormatError` if the format cannot hold the value, and another `InputError` if the folder does not exist.
    """
    check_type(value, (Record, *get_args(Content)), "a layout, a position, a replay or a record")
    check_type(path, (str, os.PathLike), "the name of a file")
    name = os.fspath(path)
    if isinstance(value, Record):
        if format is not None or not name.endswith(RECORD_SUFFIX):
            raise FormatError(f"A record is written to a file whose name ends in {RECORD_SUFFIX}, not to {name!r}.")
        data = str(value).encode()
    else:
        data = convert(value, format_of(name, format), first)
    write_file(path, data)


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise `InputError` now, before any work, if a file of this name cannot be written."""
    if not os.fspath(path):
        raise InputError("The name of the file is empty.")
    if _descriptor_of(path) is not None:
        return
    target = _follow(path)
    if target.is_dir():
        raise InputError(f"{path} is a folder, not a file.")
    check_folder(target)
    # A file is replaced by a new one in the same folder; devices and pipes are written to directly.
    if (not target.exists() or target.is_file()) and not os.access(target.parent, os.W_OK | os.X_OK):
        raise InputError(f"{path} cannot be written: you have no permission to write to {_name_folder(target)}.")
    if target.exists() and not os.access(target, os.W_OK):
        raise InputError(f"{path} cannot be written: you have no permission to change it.")


def check_folder(path: str | os.PathLike[str]) -> None:
    """Raise `InputError` unless the folder of this file exists: none is created."""
    target = Path(path)
    if not target.parent.is_dir():
        raise InputError(f"There is no folder {_name_folder(target)} to write {target.name} into.")


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or not at all; raises `InputError` if it cannot be written there.

    The bytes go to a temporary file beside it, which then replaces it, so an existing file is intact until then. Its
    permissions are kept, and a symbolic link stays one. Devices, pipes and open streams such as /dev/stdout are written
    to directly.
    """
    check_target(path)
    descriptor = _descriptor_of(path)
    if descriptor is not None:
        # Opening it by name would truncate what was written to it before.
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
            # Temporary files are private; the new file gets the usual permissions.
            Path(file.name).chmod(stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask())
            Path(file.name).replace(target)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def _follow(path: str | os.PathLike[str]) -> Path:
    """Return the target of a symbolic link, or the path: replacing the link would not change its target."""
    return Path(os.path.realpath(path)) if os.path.islink(path) else Path(path)  # noqa: PTH114 - of any path


def _descriptor_of(path: str | os.PathLike[str]) -> int | None:
    """Return the file descriptor that a name such as /dev/stdout stands for."""
    match = re.fullmatch(r"/dev/(?:(stdout)|(stderr)|fd/(\d{1,4}))|/proc/self/fd/(\d{1,4})", os.fspath(path), re.ASCII)
    if match is None:
        return None
    return 1 if match[1] else 2 if match[2] else int(match[3] or match[4])


def _name_folder(path: Path) -> str:
    """Return the folder of a file for a sentence, which a dot would seem to end."""
    return "the current folder" if path.parent == Path() else str(path.parent)


def _umask() -> int:
    """Return the permissions that are withheld from new files; they can only be read by setting them."""
    withheld = os.umask(0o077)
    os.umask(withheld)
    return withheld


def under_rules(position: Observation, rules: Rules) -> Observation:
    """Return a position without its flags, as one of a game under these rules; raise `InputError` if they do not fit.

    What a position may omit, the number of mines and the clue channel, is taken from the rules.
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
    """Return rules that may have led to a position: a survey if a mine has exploded, else classic."""
    n_exploded = int((position.cells == EXPLODED).sum())
    return Rules.on(
        position.topology,
        n_exploded if position.total is None else position.total,
        first_click="any",
        opened_mine="explodes" if n_exploded else "ends",
        total_known=position.total is not None,
        channel=position.channel,
    )
