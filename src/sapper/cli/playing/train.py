"""``sapper train``: puzzles to learn from, in the terminal, as JSON or on paper."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import typer

from sapper.cli.common.options import BOARD_HELP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sapper.cli.playing.lessons import Supply
    from sapper.train import Kind, Puzzle


def train(
    level: str | None = typer.Option(
        None,
        metavar="KIND",
        help="Only puzzles of this kind: single, subsets, one-two, pairs, cases, total, guess, area or chain.",
        show_default="all levels, easiest first",
    ),
    count: int = typer.Option(10, min=1, max=10_000, help="How many puzzles."),
    board: str = typer.Option("beginner", help=BOARD_HELP),
    seed: int | None = typer.Option(
        None, min=0, max=2**62, help="Same seed, same puzzles; without it, new ones every time."
    ),
    export: str | None = typer.Option(
        None, metavar="FILE", help="Ask nothing; write the puzzles with solutions and proofs, one JSON object per line."
    ),
    sheet: str | None = typer.Option(
        None, metavar="FILE", help="Ask nothing; write an HTML page to print, with the solutions at the end."
    ),
    as_json: bool = typer.Option(False, "--json", help="Ask nothing; print the puzzles with their solutions as JSON."),
) -> None:
    """Train with puzzles from real games: find what is certain, and see the proof.

    A lucky guess is wrong here, and two layouts show why. Type 3 4 for the cell in row 3, column 4, or a number where
    one is asked for; hint, why, skip, quit, and ? for everything else. Three right answers in a row lead to the next
    level, two wrong ones back. With --json, --export or --sheet and no --level, the puzzles are of all kinds.

    Example: sapper train --level subsets --count 3 --seed 1

    Example: sapper train --count 12 --sheet puzzles.html
    """
    from contextlib import suppress

    from rich.console import Console

    from sapper.cli.common.files import check_target
    from sapper.cli.playing.lessons import Course, Lesson, Supply
    from sapper.errors import InputError
    from sapper.train import LEVELS, read_board, read_kind

    kinds: Sequence[Kind] | None = None if level is None else (read_kind(level),)
    rules = read_board(board)
    targets = [name for name in (export, sheet) if name is not None]
    if targets.count("-") + as_json > 1:
        raise InputError("Only one of --json, --export - and --sheet - can go to standard output.")
    for name in targets:
        check_target(name)
    chosen_seed = _seed(seed)
    supply = Supply(rules, chosen_seed)
    if targets or as_json:
        _keep(_make(supply, kinds, count), export, sheet, as_json)
        return
    with suppress(ImportError):
        import readline  # noqa: F401  (arrow keys and history at the prompt)
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{rules}, seed {chosen_seed}. Type ? for help.")
    Lesson(supply, Course(kinds or LEVELS), count, console).hold()


def _seed(seed: int | None) -> int:
    import secrets

    return secrets.randbelow(2**31) if seed is None else seed


def _make(supply: Supply, kinds: Sequence[Kind] | None, count: int) -> Iterator[Puzzle]:
    """So many puzzles: of the kinds wanted, or of all that this board has, as evenly as possible and easiest first."""
    from sapper.errors import GaveUp
    from sapper.train import KINDS

    chosen = list(kinds or KINDS)
    for number in range(count):
        while True:
            kind = chosen[number * len(chosen) // count]
            try:
                yield supply.next(kind)
                break
            except GaveUp:
                if len(chosen) == 1:
                    raise
                chosen.remove(kind)


def _keep(made: Iterator[Puzzle], export: str | None, sheet: str | None, as_json: bool) -> None:
    from sapper.cli.common.files import write_bytes
    from sapper.train import sheet as draw_sheet
    from sapper.words import count as say_count

    kept, lines = [], []
    for puzzle in made:
        kept.append(puzzle)
        lines.append(json.dumps(puzzle.as_plain_values()))
        if as_json:
            print(lines[-1])
    files = []
    if export is not None:
        files.append((export, "".join(f"{line}\n" for line in lines)))
    if sheet is not None:
        files.append((sheet, draw_sheet(kept)))
    for name, text in files:
        write_bytes(name, text.encode())
        if name != "-":
            print(f"Wrote {say_count(len(kept), 'puzzle')} to {name}.", file=sys.stderr)
