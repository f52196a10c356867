"""``sapper show`` draws a position; ``sapper boards`` lists the presets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from sapper.cli.common.options import POSITION_HELP

if TYPE_CHECKING:
    from sapper.observation import Observation


def show(
    position: str = typer.Argument(help=POSITION_HELP),
    svg: str | None = typer.Option(None, metavar="FILE", help="Write a picture (SVG) instead of drawing here."),
    plain: bool = typer.Option(False, help="Draw without colour even on a terminal."),
    as_json: bool = typer.Option(False, "--json", help="Print what is known about the position as JSON."),
) -> None:
    """Draw a position: # hidden, 0-8 clue, F flag, * exploded mine, . open without a clue.

    Rows are joined by / or stand on lines of their own. Behind the last row may follow the number of mines,
    the topology (torus, hex) and the clue channel (such as withheld:0.3).

    Example: sapper show '01#/02#/02# 2'
    """
    from sapper.cli.common.files import check_target, load_position, write_bytes

    if svg is not None:
        check_target(svg)
    observation = load_position(position)
    if svg is not None:
        from sapper.draw.svg import draw_svg

        write_bytes(svg, draw_svg(observation).encode())
    elif as_json:
        print(json.dumps(describe(observation)))
    else:
        from rich.console import Console

        from sapper.draw.terminal import terminal_lines

        console = Console(highlight=False, soft_wrap=True)
        if plain or not console.is_terminal:
            print(observation.pretty())
        else:
            for line in terminal_lines(observation):
                console.print(line)


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
    """List the boards that have a name, with their rules."""
    from sapper.rules import PRESETS

    if as_json:
        print(json.dumps({name: str(rules) for name, rules in PRESETS.items()}))
        return
    width = max(map(len, PRESETS))
    for name, rules in PRESETS.items():
        print(f"{name:<{width}}  {rules}")
