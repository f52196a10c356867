"""What commands read and write: files, standard input, and positions given in any form."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sapper.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sapper.formats.rawvf import Replay
    from sapper.observation import Observation
    from sapper.play.figures.measures import GameStatistics
    from sapper.play.matches.record import Record

MAX_BYTES = 64 * 2**20
STANDARD_INPUT = "Standard input"
LONGEST_NAME = 256  # bytes in the name of a file, and more


def read_bytes(name: str) -> bytes:
    """Return what a file holds, or standard input for ``-``; at most `MAX_BYTES`."""
    if name == "-":
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    else:
        path = Path(name)
        if not name:
            raise InputError("The name of the file is empty.")
        refuse_folder(name)
        if not path.exists():
            raise InputError(f"There is no file {name}.")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError(f"{in_words(name)} is larger than {MAX_BYTES // 2**20} MiB.")
    return data


def in_words(name: str) -> str:
    """What to call a file in a sentence: by its name, and ``-`` by what it stands for."""
    return STANDARD_INPUT if name == "-" else name


def check_target(name: str) -> None:
    """Raise `InputError` if a file of this name cannot be written, before the work for it is done."""
    from sapper.play.files import check_target as check

    if name != "-":
        check(name)


def check_targets(targets: dict[str, str | None], *, as_json: bool = False) -> None:
    """Raise `InputError` if a file that an option names cannot be written, or two things would go to the same place."""
    from sapper.words import join_words

    named = {option: name for option, name in targets.items() if name is not None}
    printed = ["--json"] * as_json + [f"{option} -" for option, name in named.items() if name == "-"]
    if len(printed) > 1:
        raise InputError(f"Only one of {join_words(printed)} can go to standard output.")
    for option, name in named.items():
        check_target(name)
        other = next((one for one in named if one != option and named[one] == name), None)
        if other is not None:
            raise InputError(f"{option} and {other} cannot both go to {name}.")


def check_picture(name: str) -> None:
    """Raise `InputError` if a figure cannot be drawn here, or not into a file of this name."""
    from sapper.experiments.plots import check_figure_name

    check_figure_name(name)
    check_target(name)


def write_picture(name: str, figure: Figure) -> None:
    """Write a figure as PNG or SVG, by the suffix of the file."""
    from sapper.experiments.plots import check_figure_name, render

    write_bytes(name, render(figure, check_figure_name(name)))


def write_bytes(name: str, data: bytes) -> None:
    """Write a file whole or not at all, or to standard output for ``-``."""
    if name == "-":
        sys.stdout.buffer.write(data)
        return
    from sapper.play.files import write_file

    sys.stdout.flush()  # the file may be standard output by another name
    write_file(name, data)


def load_position(argument: str) -> Observation:
    """Read a position from its one-line form, a file (by its suffix) or ``-``."""
    from sapper.formats import FORMATS, format_of
    from sapper.observation import Observation

    suffix = Path(argument).suffix.lower()
    if argument == "-":
        chosen = FORMATS["position"]
    elif suffix in {known for format_ in FORMATS.values() for known in format_.suffixes} or is_file(argument):
        chosen = format_of(argument, None if suffix else "position")
    else:
        return _parse_position(argument)
    data = read_bytes(argument)
    try:
        value = chosen.read(data)
    except InputError as error:
        raise InputError(f"{in_words(argument)}: {error}") from error
    if not isinstance(value, Observation):
        raise InputError(f"{argument} does not hold a position but {chosen.summary}.")
    return value


def is_file(argument: str) -> bool:
    """Whether an argument that may be something else is the name of a file, or of a device or a pipe to read from."""
    return _may_be_name(argument) and Path(argument).exists() and not Path(argument).is_dir()


def refuse_folder(argument: str) -> None:
    """Raise `InputError` if an argument that is nothing else is the name of a folder."""
    if argument and _may_be_name(argument) and Path(argument).is_dir():
        raise InputError(f"{argument} is a folder, not a file.")


def _may_be_name(argument: str) -> bool:
    """Whether an argument is short enough for a name; many positions are not."""
    return len(os.fsencode(argument)) < LONGEST_NAME


def _parse_position(argument: str) -> Observation:
    """Read a position; what is none and looks more like a name than like cells was meant as a file."""
    from sapper.observation import CODES, Observation

    try:
        return Observation.parse(argument)
    except InputError:
        cells = argument.partition(" ")[0].replace("/", "")
        if not cells or "#" in cells or 2 * sum(symbol in CODES for symbol in cells) > len(cells):
            raise
    refuse_folder(argument)
    raise InputError(f"There is no file {argument[:200]}, and it is not a position either.")


class LoadedGame(NamedTuple):
    """A game from a file: its record, and the replay if it came from one."""

    record: Record
    replay: Replay | None = None

    def statistics(self) -> GameStatistics | None:
        """Measure the game; None if nothing was opened."""
        from sapper.play.figures.measures import record_statistics, replay_statistics

        return record_statistics(self.record) if self.replay is None else replay_statistics(self.replay)


def load_game(name: str, data: bytes | None = None) -> LoadedGame:
    """Read a game: a Sapper record, a RawVF replay, or a binary replay (by its suffix); ``-`` is standard input.

    ``data`` is what the file holds, if it was read already.
    """
    from sapper.formats.videos import video_suffix
    from sapper.play.matches.record import read_record
    from sapper.play.matches.replays import record_of

    if data is None:
        data = read_bytes(name)
    try:
        if video_suffix(name) is None and data.startswith(b"Sapper-Record:"):
            return LoadedGame(read_record(data))
        replay = read_replay(name, data)
    except InputError as error:
        raise InputError(f"{in_words(name)}: {error}") from error
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
        raise InputError(f"This is not a game but {other.summary}.")
    if b"board:" not in data.lower():
        raise InputError("This is neither a record nor a replay.")
    return rawvf.read(data)
