"""``sapper dataset``: positions of real games with exact answers, for machine learning."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from sapper.cli.options import BOARD_HELP, RunOptions, WorkersOption, read_words


def dataset(
    board: str = typer.Option("expert", help=BOARD_HELP),
    positions: int = typer.Option(100_000, min=1, max=10**9, help="How many positions."),
    seed: int = typer.Option(0, min=0, max=2**62, help="Same seed, same bytes."),
    extras: str | None = typer.Option(
        None, "--with", metavar="best,proof", help="Add the best cell with its win chance, or a proof in words: slow."
    ),
    test: float = typer.Option(0.1, min=0.0, max=1.0, help="The share of boards for testing."),
    workers: WorkersOption = None,
    output: str = typer.Option("positions.npz", metavar="FILE", help="A file .npz, or .parquet (extra datasets)."),
) -> None:
    """Make a data set of positions from games, with exact mine probabilities and what reasoning they need.

    Positions are taken evenly from all phases of the game and levels of reasoning. A run that was stopped resumes with
    the same command. A data card, FILE.md, says what the columns are.

    Example: sapper dataset --board beginner --positions 1000 --output positions.npz
    """
    from sapper.cli.files import check_target
    from sapper.cli.terminal import show_progress
    from sapper.experiments.dataset.files import Plan, form_of, make_dataset

    plan = Plan(board, positions, seed, () if extras is None else read_words(extras, "--with"), test)
    target = Path(output)
    form_of(plan, target)
    check_target(output)
    backend = RunOptions(workers).backend()
    try:
        with show_progress("Positions", "positions") as watch:
            make_dataset(plan, target, backend, watch)
    except KeyboardInterrupt:
        print("Stopped; what is done is kept, and the same command continues from there.", file=sys.stderr)
        raise
    print(f"Written to {output}; {output}.md describes it.")
