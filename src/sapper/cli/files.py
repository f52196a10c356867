"""What commands read and write: arguments in any form that `play.reading` knows, files and standard streams.

--output chooses a form by its suffix.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sapper.errors import InputError
from sapper.words import join_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sapper.formats import Content, Replay
    from sapper.layout import Layout
    from sapper.observation import Observation
    from sapper.play.metrics import GameStatistics
    from sapper.play.record import Record
    from sapper.rules import Rules
    from sapper.topology import Shape, Topology


LAYOUT_HELP = "Where the mines are: text such as '*--/---', or any file that sapper convert reads."


def load(argument: str, format_name: str | None = None) -> Content | Record:
    """Read what an argument is: text, the name of a file, or ``-`` for standard input."""
    from sapper.formats import format_of
    from sapper.play.reading import names_a_file, read

    if format_name is not None:
        format_of(argument, format_name)  # fails before anything is read
    elif argument != "-" and not names_a_file(argument):
        return read(argument)
    return read(read_bytes(argument), name=in_words(argument), format=format_name)


def load_content(argument: str, format_name: str | None = None) -> Content:
    """Read a position, a layout or a replay from an argument; refuse a record."""
    from sapper.play.record import Record

    found = load(argument, format_name)
    if isinstance(found, Record):
        raise InputError(f"{in_words(argument)} is a record, which only sapper writes and reads.")
    return found


def load_position(argument: str) -> Observation:
    """Read a position from an argument; see `reading.as_position`."""
    from sapper.play.reading import as_position, naming

    content = load(argument)
    with naming(_name_file(argument)):
        return as_position(content)


def load_layout(argument: str, board: Shape | Topology = "square") -> Layout:
    """Read a layout from an argument; see `reading.as_layout`."""
    from sapper.play.reading import as_layout, naming

    content = load(argument)
    with naming(_name_file(argument)):
        return as_layout(content, board)


def board_of_layout(argument: str, board: str | None) -> tuple[Rules, Layout]:
    """Return the rules and the layout of a game whose mines are given.

    ``board`` may add rules, which must fit the layout. The first cell may be a mine: the mines are where they are.
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


def read_bytes(name: str) -> bytes:
    """Return the content of a file, or of standard input for ``-``; at most `MAX_BYTES`."""
    if name == "-":
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    else:
        path = Path(name)
        if not name:
            raise InputError("The name of the file is empty.")
        from sapper.play.reading import refuse_folder

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


def _name_file(argument: str) -> str:
    """The name of the file that an argument is; empty: it is text."""
    from sapper.play.reading import names_a_file

    return in_words(argument) if argument == "-" or names_a_file(argument) else ""


def check_target(name: str) -> None:
    """Raise `InputError` now, before any work, if a file of this name cannot be written."""
    from sapper.play.reading import check_target as check

    if name != "-":
        check(name)


def check_targets(targets: dict[str, str | None], *, as_json: bool = False) -> None:
    """Raise `InputError` if a file that an option names cannot be written, or two would go to the same place."""
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


class LoadedGame(NamedTuple):
    """A game from a file: its record, and the replay if it came from one."""

    record: Record
    replay: Replay | None = None

    def statistics(self) -> GameStatistics | None:
        """Measure the game; None if nothing was opened."""
        from sapper.play.metrics import record_statistics, replay_statistics

        return record_statistics(self.record) if self.replay is None else replay_statistics(self.replay)


def load_game(argument: str) -> LoadedGame:
    """Read a game from an argument: a record or a replay; see `reading.as_record`."""
    from sapper.formats import Replay
    from sapper.play.reading import as_record, naming

    content = load(argument)
    with naming(_name_file(argument)):
        return LoadedGame(as_record(content), content if isinstance(content, Replay) else None)
