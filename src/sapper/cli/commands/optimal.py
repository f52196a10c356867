"""``sapper optimal``: what perfect play is worth on small boards and in endgames."""

from __future__ import annotations

import json

import typer


def optimal(
    position: str | None = typer.Argument(
        None, help="A position with its number of mines; if not given, a blank board."
    ),
    rows: int = typer.Option(4, min=1, max=30, help="Rows of the blank board."),
    cols: int = typer.Option(4, min=1, max=30, help="Columns of the blank board."),
    mines: int = typer.Option(4, min=0, max=900, help="Mines on the blank board."),
    shape: str = typer.Option(
        "square", metavar="SHAPE", help="How cells touch on the blank board: square, torus, hex, knight or orthogonal."
    ),
    most: int = typer.Option(20_000, min=1, max=1_000_000, help="Give up if there are more layouts than this."),
    as_json: bool = typer.Option(False, "--json", help="Print wins, layouts and best cells as JSON."),
) -> None:
    """Work out how many layouts perfect play wins, and which cell to open first.

    On a blank board the first cell is safe, so only layouts without a mine there count; of cells that mirror each
    other, one is named. From a position, every layout that fits counts. Thousands of layouts take seconds.

    Example: sapper optimal --rows 3 --cols 4 --mines 3
    """
    from sapper.cli.files import load_position
    from sapper.cli.options import refuse_with
    from sapper.errors import InputError
    from sapper.inference.evaluation.endgame import solve_board, solve_position
    from sapper.topology import SHAPES, topology
    from sapper.words import count

    if position is not None:
        refuse_with("a position", "--rows", "--cols", "--mines", "--shape")
        found = solve_position(load_position(position), most)
    else:
        if shape not in SHAPES:
            raise InputError(f"There is no topology {shape!r}; choose from {', '.join(SHAPES)}.")
        found = solve_board(topology(shape, rows, cols), mines, most)
    if as_json:
        print(json.dumps({"wins": found.wins, "layouts": found.layouts, "best": [list(cell) for cell in found.best]}))
        return
    cells = ", ".join(map(str, found.best[:8])) + (" …" if len(found.best) > 8 else "")
    share = found.wins / found.layouts if found.layouts else 0.0
    first = f", beginning with {cells}" if cells else "; nothing is left to open"
    print(f"Perfect play wins {found.wins:,} of {count(found.layouts, 'layout')} ({share:.2%}){first}.")
