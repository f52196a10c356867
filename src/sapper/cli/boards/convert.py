"""``sapper convert`` turns one file format into another."""

from __future__ import annotations

import typer


def convert(
    source: str = typer.Argument(metavar="IN", help="The file to read, or - for standard input."),
    target: str = typer.Argument(metavar="OUT", help="The file to write, or - for standard output."),
    from_format: str | None = typer.Option(None, "--from", metavar="FORMAT", help="Format of IN; else by its suffix."),
    to_format: str | None = typer.Option(None, "--to", metavar="FORMAT", help="Format of OUT; else by its suffix."),
    first: str | None = typer.Option(
        None, metavar="ROW,COL", help="First click, for formats that hold one (else the first zero)."
    ),
    puzzle: int | None = typer.Option(None, metavar="N", help="Which puzzle of a .csp file with several: 1, 2, …"),
) -> None:
    """Convert between the formats that Minesweeper people exchange.

    Whole layouts: mbf (.mbf .abf), ptta, tatham, layout, and rawvf replays. Positions: mine, csp,
    position (.pos .txt). Layouts convert to layouts and positions to positions. With the extra replays, binary
    replays (.avf .evf .rmv .mvf) are read too.

    Example: sapper convert board.mbf - --to ptta
    """
    from sapper.cli.common.files import check_target, in_words, read_bytes, read_replay, write_bytes
    from sapper.cli.common.options import read_first
    from sapper.errors import InputError
    from sapper.formats import FORMATS, Content, csp, format_of
    from sapper.formats import convert as convert_value
    from sapper.formats.videos import video_suffix

    is_video = from_format is None and video_suffix(source) is not None
    reader = FORMATS["rawvf"] if is_video else format_of(source, from_format)
    writer = format_of(target, to_format)
    cell = None if first is None else read_first(first)
    check_target(target)
    data = read_bytes(source)
    try:
        if puzzle is not None and reader.name == "csp":
            puzzles = csp.read_all(data)
            if not 1 <= puzzle <= len(puzzles):
                raise InputError(f"There is no puzzle {puzzle}, only {len(puzzles)}.")
            value: Content = puzzles[puzzle - 1]
        elif puzzle is not None:
            raise InputError("--puzzle goes with a .csp file.")
        elif is_video:
            value = read_replay(source, data)
        else:
            value = reader.read(data)
    except InputError as error:
        raise InputError(f"{in_words(source)}: {error}") from error
    write_bytes(target, convert_value(value, writer, cell))
