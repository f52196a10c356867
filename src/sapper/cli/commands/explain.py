"""``sapper explain``: why a cell is certain, from the fewest clues, or how risky it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from sapper.cli.files import choose_output, load_position
from sapper.cli.options import DENSITY_HELP, POSITION_HELP
from sapper.errors import InputError

if TYPE_CHECKING:
    from sapper.inference.proofs.explain import Explanation


def explain(
    position: str = typer.Argument(help=POSITION_HELP),
    cell: str | None = typer.Argument(
        None, metavar="[ROW,COL]", help="A hidden cell; rows and columns count from 0 at the top left."
    ),
    density: float = typer.Option(0.5, help=DENSITY_HELP),
    output: str | None = typer.Option(
        None, metavar="FILE", help="Also write a picture with the clues ringed (.svg), or .json."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the explanation as JSON."),
) -> None:
    """Prove that a cell is safe or a mine, step by step, from as few clues as possible; or weigh its risk.

    The clues that prove it are in angle brackets. The proof uses the easiest kind of reasoning that works: a
    single clue, one clue within another (subset), two clues that share cells (pair), an assumption that fails
    (contradiction), or the number of mines on the board (total). If no cell is named, the easiest certain cell is
    explained; if nothing is certain, the best guess.

    Example: sapper explain '###/121' 0,1
    """
    from sapper.cli.commands.analyse import refuse_density
    from sapper.inference.proofs.explain import explain as explain_cell
    from sapper.inference.proofs.explain import explain_easiest

    target = choose_output(output, ".svg", as_json=as_json)
    observation = load_position(position)
    refuse_density(observation)
    chosen = None if cell is None else read_cell(cell)
    if chosen is None:
        explanation = explain_easiest(observation, density=density)
    else:
        explanation = explain_cell(observation, *chosen, density=density)
    answer = json.dumps(explanation.as_plain_values())
    if target is not None and target.form == ".svg":
        from sapper.draw.svg import draw_svg

        target.write(draw_svg(observation, _marked(explanation)))
    elif target is not None:
        target.write(f"{answer}\n")
    if as_json:
        print(answer)
    elif target is None or target.name != "-":
        _print(explanation, chosen is None)


def read_cell(text: str) -> tuple[int, int]:
    """Read a cell written as ROW,COL.

    >>> read_cell("3,14"), read_cell("(3, 14)")
    ((3, 14), (3, 14))
    """
    parts = [part.strip() for part in text.strip().removeprefix("(").removesuffix(")").split(",")]
    if len(parts) != 2 or not all(part.isascii() and part.isdecimal() and len(part) <= 9 for part in parts):
        raise InputError(f"{text[:40]!r} is not a cell; write its row and column, counted from 0, like 3,14.")
    return int(parts[0]), int(parts[1])


def _marked(explanation: Explanation) -> set[int]:
    """Return the clues that prove the cell, or those that touch it where nothing is proved."""
    clues = explanation.clues
    if explanation.risk is not None:
        clues = tuple(share.clue for share in explanation.risk.shares)
    return {explanation.observation.topology.index(*clue) for clue in clues}


def _print(explanation: Explanation, was_chosen_here: bool) -> None:
    from rich.console import Console

    from sapper.draw.terminal import draw_terminal

    console = Console(highlight=False, soft_wrap=True)
    console.print(draw_terminal(explanation.observation, _marked(explanation)))
    if was_chosen_here:
        certain = explanation.risk is None
        print("The easiest certain cell:" if certain else "Nothing is certain. The best guess:")
    print(explanation)
