"""``sapper layouts`` compares how boards are made: at random, without guesses, repaired."""

from __future__ import annotations

import json

import typer

from sapper.cli.game import BOARD_HELP


def layouts(
    board: str = typer.Option("expert", help=BOARD_HELP),
    count: int = typer.Option(1000, min=2, max=10**6, help="Boards of each kind."),
    seed: int = typer.Option(0, min=0, max=2**62, help="The first board's seed; the others follow."),
    first: str | None = typer.Option(None, metavar="ROW,COL", help="The cell to open first; the middle of the board."),
    reasoning: str | None = typer.Option(None, metavar="HOW", help="As in sapper generate."),
    mix: int = typer.Option(0, min=0, max=10**6, help="Mix the repaired ones, as in sapper generate."),
    only: str | None = typer.Option(
        None, metavar="KINDS", help="Some of plain, reject, repair; large boards are beyond reject."
    ),
    picture: str | None = typer.Option(None, metavar="FILE", help="Draw the shares of mines as .svg or .png."),
    as_json: bool = typer.Option(False, "--json", help="Print the means with their intervals as JSON."),
) -> None:
    """Compare plain boards, boards without guesses found by rejection, and repaired ones.

    Where their mines lie, their 3BV and their openings: means with 95 % intervals, and differences in units of their
    standard error, which are noise up to about 2.

    Example: sapper layouts --board 'expert first-opening' --count 1000 --picture mines.svg
    """
    from sapper.cli.generate import STATUS_GAVE_UP, read_first
    from sapper.cli.progress import show_progress
    from sapper.errors import GaveUp, InputError
    from sapper.experiments.layouts import KINDS, compare_layouts, draw_comparison, write_table
    from sapper.experiments.plots import check_figure_name, save
    from sapper.rules import Rules

    rules = Rules.parse(board)
    cell = read_first(rules, first)
    kinds = tuple(only.split(",")) if only is not None else KINDS
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(f"There is no kind {kind[:40]!r} of boards; choose from {', '.join(KINDS)}.")
    if picture is not None:
        check_figure_name(picture)
    try:
        with show_progress("Making boards", "boards") as watch:
            found = compare_layouts(
                rules,
                cell,
                count,
                seed=seed,
                reasoning=reasoning,  # type: ignore[arg-type]
                kinds=tuple(dict.fromkeys(kinds)),
                mix=mix,
                watch=watch,
            )
    except GaveUp as gave_up:
        import sys

        print(f"sapper: {gave_up}", file=sys.stderr)
        raise typer.Exit(STATUS_GAVE_UP) from None
    if picture is not None:
        save(draw_comparison(found), picture)
    if as_json:
        told = [{"group": one.group, "name": one.name, **one.by_kind} for one in found.measures]
        print(json.dumps({"rules": str(rules), "first": list(rules.topology.cell(cell)), "boards": count,
                          "seed": seed, "measures": told}))  # fmt: skip
    else:
        print(f"{rules}, first cell {rules.topology.cell(cell)}, {count:,} boards of each kind, seeds from {seed}.\n")
        print(write_table(found), end="")
