"""``sapper convert`` turns one file format into another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from sapper.cli.files import check_target, in_words, load_content, read_bytes, write_bytes
from sapper.cli.options import read_first
from sapper.errors import InputError

if TYPE_CHECKING:
    from sapper.observation import Observation


def convert(
    source: str = typer.Argument(metavar="IN", help="The file to read, or - for standard input."),
    target: str = typer.Argument(metavar="OUT", help="The file to write, or - for standard output."),
    from_format: str | None = typer.Option(
        None, "--from", metavar="FORMAT", help="The format of IN, if not that of its suffix."
    ),
    to_format: str | None = typer.Option(
        None, "--to", metavar="FORMAT", help="The format of OUT, if not that of its suffix."
    ),
    first: str | None = typer.Option(
        None, metavar="ROW,COL", help="The first click, for formats that hold one; without it, the first zero."
    ),
    number: int | None = typer.Option(None, metavar="N", help="Which puzzle of a .csp file that holds several."),
) -> None:
    """Convert between the file formats that Minesweeper players exchange.

    Whole layouts: mbf (.mbf .abf), ptta, tatham, layout, and rawvf replays. Positions: mine, csp, position (.pos .txt).
    Layouts convert to layouts and positions to positions. Binary replays (.avf .evf .rmv .mvf) can be read too, if
    sapper is installed with the extra replays.

    Example: sapper convert board.mbf - --to ptta
    """
    from sapper.formats import convert as convert_value
    from sapper.formats import format_of

    check_target(target)
    writer = format_of(target, to_format)
    cell = None if first is None else read_first(first)
    value = load_content(source, from_format) if number is None else _read_puzzle(source, from_format, number)
    write_bytes(target, convert_value(value, writer, cell))


def _read_puzzle(source: str, format_name: str | None, number: int) -> Observation:
    from sapper.formats import csp, format_of

    data = read_bytes(source)
    if format_of(source, format_name).name != "csp":
        raise InputError("--number is only for .csp files.")
    try:
        puzzles = csp.read_all(data)
    except InputError as error:
        raise InputError(f"{in_words(source)}: {error}") from error
    if not 1 <= number <= len(puzzles):
        raise InputError(f"{in_words(source)}: There is no puzzle {number}, only {len(puzzles)}.")
    return puzzles[number - 1]
