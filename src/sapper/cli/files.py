"""What commands read and write: arguments, files and standard streams; --output chooses a form by its suffix."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sapper.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sapper.formats import Content, OpenedLayout, Replay
    from sapper.layout import Layout
    from sapper.observation import Observation
    from sapper.play.metrics import GameStatistics
    from sapper.play.record import Record
    from sapper.rules import Rules
    from sapper.topology import Shape, Topology


LAYOUT_HELP = "Where the mines are: text such as '*--/---', or any file that sapper convert reads."


def load_content(name: str, format_name: str | None = None, data: bytes | None = None) -> Content:
    """Read a file of any format: the one that is named, else the one that its suffix tells.

    ``data`` is what it holds, if it was read already: a pipe can be read once only.
    """
    from sapper.formats import format_of
    from sapper.formats.videos import video_suffix

    is_video = format_name is None and video_suffix(name) is not None
    if format_name is not None:
        format_of(name, format_name)  # that there is one, before anything is read
    if data is None:
        data = read_bytes(name)
    reader = None if is_video else format_of(name, format_name)
    try:
        return read_replay(name, data) if reader is None else reader.read(data)
    except InputError as error:
        raise InputError(f"{in_words(name)}: {error}") from error


def names_a_file(argument: str) -> bool:
    """Return whether an argument names a file: of a known format, or any that exists."""
    from sapper.formats import FORMATS
    from sapper.formats.videos import video_suffix

    suffix = Path(argument).suffix.lower()
    known = any(suffix in entry.suffixes for entry in FORMATS.values()) or video_suffix(argument) is not None
    return known or is_file(argument)


def layout_of(content: Layout | OpenedLayout | Replay) -> Layout:
    """Return the layout that a file holds, by itself or with clicks."""
    from sapper.layout import Layout

    return content if isinstance(content, Layout) else content.layout


def load_layout(argument: str, board: Shape | Topology = "square") -> Layout:
    """Read a layout from text, from a file of any format that tells one, or from a record; ``-`` is standard input."""
    from sapper.layout import Layout

    if argument == "-":
        return _with_shape(load_content("-", "layout"), argument, board)
    if argument and set(argument) <= set("*-/\n"):
        return Layout.parse(argument, board)
    if not argument:
        raise InputError("The layout is empty; write it like '*--/---', or name a file.")
    if not names_a_file(argument):
        refuse_folder(argument)
        raise InputError(f"There is no file {argument[:200]!r}, and a layout is written like '*--/---'.")
    data = read_bytes(argument)
    if data.startswith(b"Sapper-Record:"):
        laid = load_game(argument, data).record.final_game().layout
        if laid is None:
            raise InputError(f"{argument}: nothing was opened, so no mines were laid.")
        return laid
    return _with_shape(load_content(argument, None if Path(argument).suffix else "layout", data), argument, board)


def _with_shape(content: Content, name: str, board: Shape | Topology) -> Layout:
    """The layout of a file; none of the formats tells which cells touch, so that is said elsewhere."""
    from sapper.layout import Layout
    from sapper.observation import Observation
    from sapper.topology import Topology, topology

    if isinstance(content, Observation):
        raise InputError(f"{name} holds a position, which does not say where the mines are.")
    found = layout_of(content)
    given = board if isinstance(board, Topology) else topology(board, found.topology.rows, found.topology.cols)
    return Layout(given, found.mines)


def board_of_layout(argument: str, board: str | None) -> tuple[Rules, Layout]:
    """Return the rules and the layout of a game whose mines are given.

    ``board`` may say more about the rules; it has to fit. Nothing is promised of the first cell: the mines lie where
    they lie.
    """
    from sapper.rules import Rules

    given = None if board is None else Rules.parse(board)
    layout = load_layout(argument, "square" if given is None else given.own or given.shape)
    found = layout.topology
    if given is not None:
        return replace(given, first_click="any"), layout
    return Rules.on(found, layout.n_mines, first_click="any"), layout


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
    """Return the name of a file for a sentence; ``-`` is standard input."""
    return STANDARD_INPUT if name == "-" else name


def check_target(name: str) -> None:
    """Raise `InputError` if a file of this name cannot be written, before the work for it is done."""
    from sapper.play.reading import check_target as check

    if name != "-":
        check(name)


def check_targets(targets: dict[str, str | None], *, as_json: bool = False) -> None:
    """Raise `InputError` if a file that an option names cannot be written, or two would go to the same place."""
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


class Output(NamedTuple):
    """Where --output sends something: a file, or ``-`` for standard output, and the form, such as ``.svg``."""

    name: str
    form: str

    def write(self, content: str | bytes | Figure) -> None:
        """Write it, a figure in the form that was chosen."""
        if not isinstance(content, (str, bytes)):
            from sapper.experiments.plots import render

            content = render(content, self.form[1:])
        write_bytes(self.name, content.encode() if isinstance(content, str) else content)


PICTURES = (".svg", ".png")


def choose_output(name: str | None, *forms: str, as_json: bool = False, plots: bool = False) -> Output | None:
    """Return where and in which of these forms to write: by the suffix of the name, and without one the first form.

    ``-.html`` is standard output in that form. JSON is written too, as ``.json``. Raises `InputError` if the file
    cannot be written, standard output is taken by --json, or a picture ``plots`` figures without matplotlib.
    """
    if name is None:
        return None
    if as_json and (name == "-" or name.startswith("-.")):
        raise InputError(f"Only one of --json and --output {name} can go to standard output.")
    forms = (*forms, ".json")
    form = (name[1:] if name.startswith("-.") else Path(name).suffix).lower() or forms[0]
    if form not in forms:
        raise InputError(f"--output writes {', '.join(forms[:-1])} or {forms[-1]}, not {Path(name).name!r}.")
    if plots and form in PICTURES:
        from sapper.experiments.plots import require_matplotlib

        require_matplotlib()
    target = "-" if name.startswith("-.") else name
    check_target(target)
    return Output(target, form)


def write_bytes(name: str, data: bytes) -> None:
    """Write a file whole or not at all, or to standard output for ``-``."""
    if name == "-":
        sys.stdout.buffer.write(data)
        return
    from sapper.play.reading import write_file

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
    """Return whether an argument names an existing file, device or pipe."""
    return _may_be_name(argument) and Path(argument).exists() and not Path(argument).is_dir()


def refuse_folder(argument: str) -> None:
    """Raise `InputError` if an argument names a folder."""
    if argument and _may_be_name(argument) and Path(argument).is_dir():
        raise InputError(f"{argument} is a folder, not a file.")


def _may_be_name(argument: str) -> bool:
    """Return whether an argument is short enough for a name; many positions are not."""
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
        from sapper.play.metrics import record_statistics, replay_statistics

        return record_statistics(self.record) if self.replay is None else replay_statistics(self.replay)


def load_game(name: str, data: bytes | None = None) -> LoadedGame:
    """Read a game: a Sapper record, a RawVF replay, or a binary replay (by its suffix); ``-`` is standard input.

    ``data`` is what the file holds, if it was read already.
    """
    from sapper.formats.videos import video_suffix
    from sapper.play.record import read_record
    from sapper.play.replays import record_of

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
