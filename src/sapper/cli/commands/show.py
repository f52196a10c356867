"""``sapper show`` draws a position or a board; ``sapper boards`` lists the presets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Collection

    from sapper.layout import Layout
    from sapper.observation import Observation


SHOW_HELP = "A position as text, a layout as text ('*--/---'), any file that sapper convert reads, a record, or -."


def show(
    position: str = typer.Argument(help=SHOW_HELP),
    svg: str | None = typer.Option(None, metavar="FILE", help="Write a picture (SVG) to this file instead."),
    plain: bool = typer.Option(False, "--plain", help="Draw without colour, even on a terminal."),
    around: str | None = typer.Option(
        None, metavar="ROW,COL", help="Mark the cells that this one touches, and name them."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print what is known about it as JSON."),
) -> None:
    """Draw a position, a whole board, or the end of a recorded game.

    In a position, # is a hidden cell, 0-8 a clue, F a flag, * an exploded mine and . an open cell without a clue. Rows
    are joined by / or stand on separate lines. After the last row may come the number of mines, the topology (torus,
    hex, knight or orthogonal) and the clue channel (such as withheld:0.3 or liar). A layout or a replay is drawn with
    every cell open.

    Example: sapper show '01#/02#/02# 2'

    Example: sapper show '2###/####/#### 3 knight' --around 0,0

    Example: sapper show board.mbf
    """
    from sapper.cli.commands.explain import read_cell
    from sapper.cli.files import check_target, write_bytes
    from sapper.cli.options import refuse_with
    from sapper.draw.svg import say_neighbours
    from sapper.observation import Observation

    if svg is not None:
        refuse_with("--svg", "--plain", "--json")
        check_target(svg)
    if as_json:
        refuse_with("--json", "--plain")
    shown = _load(position)
    observation = shown if isinstance(shown, Observation) else _uncover(shown)
    board = observation.topology
    centre = None if around is None else board.index(*read_cell(around))
    touched = () if centre is None else board.neighbours_of(centre)
    if svg is not None:
        from sapper.draw.svg import draw_svg

        write_bytes(svg, draw_svg(observation, touched).encode())
    elif as_json:
        said = describe(shown) if isinstance(shown, Observation) else describe_layout(shown)
        print(json.dumps(said if centre is None else {**said, "around": [board.cell(cell) for cell in touched]}))
    else:
        _print(observation, plain, touched)
        if centre is not None:
            print(say_neighbours(board, centre))


def _print(observation: Observation, plain: bool, marked: Collection[int]) -> None:
    from rich.console import Console

    from sapper.draw.terminal import terminal_lines

    console = Console(highlight=False, soft_wrap=True)
    if plain or not console.is_terminal:
        print(observation.pretty())
    else:
        for line in terminal_lines(observation, marked):
            console.print(line)


def _load(argument: str) -> Observation | Layout:
    """Read whatever an argument is: a position, a layout, a replay of one, or the end of a record."""
    from sapper.cli.files import load
    from sapper.observation import Observation
    from sapper.play.reading import as_layout
    from sapper.play.record import Record

    content = load(argument)
    if isinstance(content, Record):
        return content.final_game().observation
    return content if isinstance(content, Observation) else as_layout(content)


def _uncover(layout: Layout) -> Observation:
    """A layout as a position in which every cell is open."""
    import numpy as np

    from sapper.observation import EXPLODED, Observation

    cells = np.where(layout.mines, np.int8(EXPLODED), layout.clues())
    return Observation(layout.topology, cells, layout.n_mines)


def describe_layout(layout: Layout) -> dict[str, object]:
    """Return a layout as plain values for JSON."""
    from sapper.play.metrics import board_metrics

    metrics = board_metrics(layout)
    return {
        "layout": str(layout),
        "rows": layout.topology.rows,
        "cols": layout.topology.cols,
        "mines": layout.n_mines,
        "topology": layout.topology.shape,
        "3bv": metrics.bbbv,
        "openings": metrics.openings,
        "islands": metrics.islands,
    }


def describe(observation: Observation) -> dict[str, object]:
    """Return a position as plain values for JSON."""
    from sapper.observation import EXPLODED, FLAG

    return {
        "position": str(observation),
        "rows": observation.rows,
        "cols": observation.cols,
        "mines": observation.total,
        "topology": observation.topology.shape,
        "channel": str(observation.channel),
        "hidden": int(observation.closed.sum()),
        "flags": int((observation.cells == FLAG).sum()),
        "exploded": int((observation.cells == EXPLODED).sum()),
    }


def boards(as_json: bool = typer.Option(False, "--json", help="Print the list as JSON.")) -> None:
    """List the boards that have names, with their rules.

    A name, or rows x cols / mines such as 16x30/99, may be followed by words that change the rules: torus, hex,
    knight or orthogonal, survey, first-any or first-opening, no-cascade, total-hidden, and a clue channel such as
    withheld:0.3 or liar.

    Example: sapper boards
    """
    from sapper.rules import PRESETS

    if as_json:
        print(json.dumps({name: str(rules) for name, rules in PRESETS.items()}))
        return
    width = max(map(len, PRESETS))
    for name, rules in PRESETS.items():
        print(f"{name:<{width}}  {rules}")
