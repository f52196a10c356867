"""``sapper layouts`` compares how boards are made: at random, without guesses, repaired."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.options import BOARD_HELP, BoardSeed, FirstCell, grouped

if TYPE_CHECKING:
    from collections.abc import Callable

    from sapper.experiments.layouts import LayoutComparison
    from sapper.rules import Rules
    from sapper.topology import Cell


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """Which boards are made and compared."""

    count: Annotated[int, typer.Option(min=2, max=10**6, help="Boards of each kind.")] = 1000
    seed: BoardSeed = 0
    first: FirstCell = None
    reasoning: Annotated[str | None, typer.Option(metavar="HOW", help="As in sapper generate.")] = None
    mix: Annotated[int, typer.Option(min=0, max=10**6, help="Mix the repaired ones, as in sapper generate.")] = 0
    only: Annotated[
        str | None,
        typer.Option(metavar="KINDS", help="Some of plain, reject, repair; reject is too slow for large boards."),
    ] = None

    def kinds(self) -> tuple[str, ...]:
        """The kinds of boards, each of them once."""
        from sapper.errors import InputError
        from sapper.experiments.layouts import KINDS

        kinds = tuple(dict.fromkeys(self.only.split(","))) if self.only is not None else KINDS
        for kind in kinds:
            if kind not in KINDS:
                raise InputError(f"There is no kind {kind[:40]!r} of boards; choose from {', '.join(KINDS)}.")
        return kinds

    def compare(self, rules: Rules, first: Cell, watch: Callable[[int, int], None]) -> LayoutComparison:
        """Make the boards and measure them."""
        from sapper.experiments.layouts import compare_layouts

        return compare_layouts(
            rules,
            first,
            self.count,
            seed=self.seed,
            reasoning=self.reasoning,  # type: ignore[arg-type]
            kinds=self.kinds(),
            mix=self.mix,
            watch=watch,
        )


@grouped
def layouts(
    *,
    board: str = typer.Option("expert", help=BOARD_HELP),
    asked: CompareOptions,
    picture: str | None = typer.Option(None, metavar="FILE", help="Draw the shares of mines as .svg or .png."),
    as_json: bool = typer.Option(False, "--json", help="Print the means with their intervals as JSON."),
) -> None:
    """Compare plain boards, boards without guesses found by rejection, and repaired ones.

    Where their mines lie, their 3BV and their openings: means with 95 % intervals, and differences in units of their
    standard error, which are noise up to about 2.

    Example: sapper layouts --board intermediate --count 200 --picture mines.svg
    """
    from sapper.cli.errors import give_up
    from sapper.cli.files import check_picture, write_picture
    from sapper.cli.options import first_cell, refuse_with, refuse_without
    from sapper.cli.terminal import show_progress
    from sapper.errors import GaveUp
    from sapper.experiments.layouts import draw_comparison, write_table
    from sapper.rules import Rules

    rules = Rules.parse(board)
    first = first_cell(rules, asked.first)
    # Whatever is wrong with the input is said before any board is made.
    kinds = asked.kinds()
    if "repair" not in kinds:
        refuse_without("repaired boards (see --only)", "--mix")
    if kinds == ("plain",):
        refuse_with("--only plain", "--reasoning")
    if picture is not None:
        check_picture(picture)
    try:
        with show_progress("Making boards", "boards") as watch:
            found = asked.compare(rules, first, watch)
    except GaveUp as gave_up:
        raise give_up(gave_up) from None
    if as_json:
        told = [{"group": one.group, "name": one.name, **one.by_kind} for one in found.measures]
        print(json.dumps({"rules": str(rules), "first": list(first), "boards": asked.count, "seed": asked.seed,
                          "measures": told}))  # fmt: skip
    else:
        print(f"{rules}, first cell {first}, {asked.count:,} boards of each kind, seeds from {asked.seed}.\n")
        print(write_table(found), end="")
    if picture is not None:
        write_picture(picture, draw_comparison(found))
