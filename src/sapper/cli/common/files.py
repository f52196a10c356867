"""What commands read and write: files, standard input, and positions given in any form."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sapper.errors import InputError

if TYPE_CHECKING:
    from sapper.formats.rawvf import Replay
    from sapper.observation import Observation
    from sapper.play.figures.measures import GameStatistics
    from sapper.play.matches.record import Record

MAX_BYTES = 64 * 2**20


def read_bytes(name: str) -> bytes:
    """Return what a file holds, or standard input for ``-``; at most `MAX_BYTES`."""
    if name == "-":
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    else:
        path = Path(name)
        if path.is_dir():
            raise InputError(f"{name} is a folder, not a file.")
        if not path.exists():
            raise InputError(f"There is no file {name}.")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError(f"{name} is larger than {MAX_BYTES // 2**20} MiB.")
    return data


def check_target(name: str) -> None:
    """Raise `InputError` if a file of this name cannot be written, before the work for it is done."""
    path = Path(name)
    if name == "-":
        return
    if path.is_dir():
        raise InputError(f"{name} is a folder, not a file.")
    if not path.parent.is_dir():
        raise InputError(f"There is no folder {path.parent} to write {path.name} into.")


def write_bytes(name: str, data: bytes) -> None:
    """Write a file whole or not at all, or to standard output for ``-``."""
    if name == "-":
        sys.stdout.buffer.write(data)
        return
    check_target(name)
    path = Path(name)
    if path.exists() and not path.is_file():
        # A device or a pipe: nothing there to keep safe, and it must not be replaced.
        path.write_bytes(data)
        return
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(data)
            file.close()
            # Temporary files are private; a file that the user asked for gets the usual permissions.
            Path(file.name).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def load_position(argument: str) -> Observation:
    """Read a position from its one-line form, a file (by its suffix) or ``-``."""
    from sapper.formats import FORMATS, format_of
    from sapper.observation import Observation

    if argument == "-":
        value = FORMATS["position"].read(read_bytes(argument))
    elif Path(argument).suffix in {suffix for format_ in FORMATS.values() for suffix in format_.suffixes} or (
        len(argument) < 256 and Path(argument).is_file()
    ):
        chosen = format_of(argument, None if Path(argument).suffix else "position")
        data = read_bytes(argument)
        try:
            value = chosen.read(data)
        except InputError as error:
            raise InputError(f"{argument}: {error}") from error
        if not isinstance(value, Observation):
            raise InputError(f"{argument} holds no position ({chosen.name}: {chosen.summary}).")
    else:
        return Observation.parse(argument)
    assert isinstance(value, Observation)
    return value


class LoadedGame(NamedTuple):
    """A game from a file: its record, and the replay if it came from one."""

    record: Record
    replay: Replay | None = None

    def statistics(self) -> GameStatistics | None:
        """Measure the game; None if nothing was opened."""
        from sapper.play.figures.measures import record_statistics, replay_statistics

        return record_statistics(self.record) if self.replay is None else replay_statistics(self.replay)


def load_game(name: str) -> LoadedGame:
    """Read a game: a record of ours, a RawVF replay, or a binary replay (by its suffix); ``-`` is standard input."""
    from sapper.formats.videos import video_suffix
    from sapper.play.matches.record import read_record
    from sapper.play.matches.replays import record_of

    data = read_bytes(name)
    try:
        if video_suffix(name) is None and data.startswith(b"Sapper-Record:"):
            return LoadedGame(read_record(data))
        replay = read_replay(name, data)
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    return LoadedGame(record_of(replay), replay)


def read_replay(name: str, data: bytes) -> Replay:
    """Read a replay from what a file of this name holds."""
    from sapper.formats import FORMATS, Replay, rawvf
    from sapper.formats.videos import read_video, video_suffix

    suffix = video_suffix(name)
    if suffix is not None:
        return read_video(data, suffix)
    if not data.strip():
        raise InputError("The file is empty.")
    other = next((entry for entry in FORMATS.values() if Path(name).suffix.lower() in entry.suffixes), None)
    if other is not None and other.carries is not Replay:
        raise InputError(f"This holds no game but {other.summary}.")
    if b"board:" not in data.lower():
        raise InputError("This is neither a record of ours nor a replay.")
    return rawvf.read(data)
