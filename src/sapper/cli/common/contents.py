"""What files hold, whatever their format: positions, layouts, replays; and boards that are given as layouts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sapper.errors import InputError

if TYPE_CHECKING:
    from sapper.formats import Content, OpenedLayout, Replay
    from sapper.layout import Layout
    from sapper.rules import Rules
    from sapper.topology import Shape, Topology

LAYOUT_HELP = "Where the mines are: text such as '*--/---', or any file that sapper convert reads."


def load_content(name: str, format_name: str | None = None, data: bytes | None = None) -> Content:
    """Read a file of any format: the one that is named, else the one that its suffix tells.

    ``data`` is what it holds, if it was read already: a pipe can be read once only.
    """
    from sapper.cli.common.files import in_words, read_bytes, read_replay
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
    """Whether an argument means a file of a known format, or any file that is there, rather than text."""
    from sapper.cli.common.files import is_file
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
    from sapper.cli.common.files import load_game, read_bytes, refuse_folder
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
