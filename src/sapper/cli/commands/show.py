"""``sapper show`` draws a position or a board, replays a game and lists the boards that have names."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import typer

from sapper.cli.files import choose_output, load, load_game
from sapper.cli.options import refuse_with

if TYPE_CHECKING:
    from collections.abc import Collection

    from sapper.layout import Layout
    from sapper.observation import Observation


SHOW_HELP = (
    "A position as text, a layout as text ('*--/---'), any file that sapper convert reads, a record, or -; without it, "
    "the boards that have names are listed."
)


def show(
    position: str | None = typer.Argument(None, help=SHOW_HELP),
    around: str | None = typer.Option(
        None, metavar="ROW,COL", help="Mark the cells that this one touches, and name them."
    ),
    replay: float | None = typer.Option(
        None,
        min=0.01,
        max=1000.0,
        metavar="[SPEED]",
        help="Replay a recorded game with the reason for every move; 2 is twice the usual speed. Without a game, a "
        "demonstration.",
    ),
    output: str | None = typer.Option(None, metavar="FILE", help="Write a picture (.svg) or .json instead."),
    as_json: bool = typer.Option(False, "--json", help="Print what is known about it as JSON."),
) -> None:
    """Draw a position, a whole board or the end of a recorded game; replay a game; list the boards that have names.

    In a position, # is a hidden cell, 0-8 a clue, F a flag, * an exploded mine and . an open cell without a clue. Rows
    are joined by / or are lines. After the last row may come the number of mines, the topology (torus, hex, knight or
    orthogonal) and the clue channel (such as withheld:0.3 or liar). A layout or a replay is drawn with every cell open.

    A board is a name, or rows x cols / mines such as 16x30/99, and may be followed by words that change the rules:
    torus, hex, knight or orthogonal, survey, first-any or first-opening, no-cascade, total-hidden, fair, and a clue
    channel.

    Example: sapper show '01#/02#/02# 2'

    Example: sapper show '2###/####/#### 3 knight' --around 0,0

    Example: sapper show --replay 5
    """
    from sapper.cli.commands.explain import read_cell
    from sapper.draw.svg import say_neighbours
    from sapper.observation import Observation

    if replay is not None:
        refuse_with("--replay", "--around", "--output", "--json")
        _replay(position, replay)
        return
    if position is None:
        refuse_with("a list of boards", "--around", "--output")
        _list_boards(as_json)
        return
    if output is not None:
        refuse_with("--output", "--json")
    target = choose_output(output, ".svg")
    shown = _load(position)
    observation = shown if isinstance(shown, Observation) else _uncover(shown)
    board = observation.topology
    centre = None if around is None else board.index(*read_cell(around))
    touched = () if centre is None else board.neighbours_of(centre)
    if target is not None and target.form == ".svg":
        from sapper.draw.svg import draw_svg

        target.write(draw_svg(observation, touched))
    elif target is not None or as_json:
        described = describe(shown) if isinstance(shown, Observation) else describe_layout(shown)
        text = json.dumps(described | ({} if centre is None else {"around": [board.cell(cell) for cell in touched]}))
        if target is not None:
            target.write(f"{text}\n")
        else:
            print(text)
    else:
        _print(observation, touched)
        if centre is not None:
            print(say_neighbours(board, centre))


def _print(observation: Observation, marked: Collection[int]) -> None:
    from rich.console import Console

    from sapper.draw.terminal import terminal_lines

    console = Console(highlight=False, soft_wrap=True)
    if console.no_color or not console.is_terminal:
        print(observation.pretty())
    else:
        for line in terminal_lines(observation, marked):
            console.print(line)


def _list_boards(as_json: bool) -> None:
    from sapper.rules import PRESETS

    if as_json:
        print(json.dumps({name: str(rules) for name, rules in PRESETS.items()}))
        return
    width = max(map(len, PRESETS))
    for name, rules in PRESETS.items():
        print(f"{name:<{width}}  {rules}")


def _replay(name: str | None, speed: float) -> None:
    """Show a recorded game move by move, or the demonstration."""
    from importlib.resources import files

    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    from sapper.draw.terminal import draw_terminal
    from sapper.play.record import describe_result, read_record

    demonstration = files("sapper") / "data" / "demo.record"
    record = read_record(demonstration.read_bytes()) if name is None else load_game(name).record
    console = Console(highlight=False)
    with Live(console=console, auto_refresh=False) as live:
        for number, (move, game) in enumerate(record.replay()):
            marked: tuple[int, ...] = ()
            words = f"The board is {game.rules.in_short}."
            if move is not None:
                marked = (game.rules.topology.index(move.row, move.col),)
                words = f"{number}. {move.action} {move.row},{move.col}" + (f": {move.reason}" if move.reason else "")
            if console.is_terminal:
                live.update(Group(draw_terminal(game.observation, marked), Text(words)), refresh=True)
                time.sleep(0.7 / speed)
            else:
                console.print(words, markup=False)
    invitation = " Your turn: sapper game --board beginner" if name is None else ""
    console.print(f"The game was {describe_result(game, record.n_own)}.{invitation}")


def _load(argument: str) -> Observation | Layout:
    """Read an argument: a position, a layout, a replay of one, or the end of a record."""
    from sapper.observation import Observation
    from sapper.play.reading import as_layout
    from sapper.play.record import Record

    content = load(argument)
    if isinstance(content, Record):
        return content.final_game().observation
    return content if isinstance(content, Observation) else as_layout(content)


def _uncover(layout: Layout) -> Observation:
    """Return a layout as a position in which every cell is open."""
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
