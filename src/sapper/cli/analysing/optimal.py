"""``sapper optimal``: what perfect play is worth on small boards and in endgames."""

from __future__ import annotations

import json

import typer


def optimal(
    position: str | None = typer.Argument(None, help="A position with its number of mines; else an empty board."),
    rows: int = typer.Option(4, min=1, max=30, help="Rows of an empty board."),
    cols: int = typer.Option(4, min=1, max=30, help="Columns of an empty board."),
    mines: int = typer.Option(4, min=0, max=900, help="Mines on an empty board."),
    shape: str = typer.Option("square", help="square, torus or hex."),
    most: int = typer.Option(20_000, min=1, max=1_000_000, help="Give up beyond so many layouts."),
    as_json: bool = typer.Option(False, "--json", help="Print wins, layouts and best cells as JSON."),
) -> None:
    """Work out how many layouts perfect play wins, and with which first cell.

    On an empty board the first cell is safe, so the layouts are those without a mine there; cells that are mirror
    images of one another are named once. From a position, every layout that fits counts. Takes seconds for thousands.

    Example: sapper optimal --rows 4 --cols 4 --mines 4
    """
    from sapper.cli.common.files import load_position
    from sapper.errors import InputError
    from sapper.inference.chances.optimal import solve_board, solve_position
    from sapper.topology import SHAPES, topology

    if position is not None:
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
    print(f"Perfect play wins {found.wins:,} of {found.layouts:,} layouts ({share:.2%}), beginning with {cells}.")
