"""``sapper trace``: a game of an agent, step by step, with what it deduced and why it chose."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.files import LAYOUT_HELP
from sapper.cli.options import BOARD_HELP, grouped

if TYPE_CHECKING:
    from sapper.layout import Layout
    from sapper.play.narrative import GameNarrative
    from sapper.rules import Rules


@dataclass(frozen=True, slots=True)
class RulesOptions:
    """A board with its rules, and what is to be different about it."""

    board: Annotated[str | None, typer.Option(help=BOARD_HELP, show_default="beginner")] = None
    layout: Annotated[str | None, typer.Option(metavar="LAYOUT", help=LAYOUT_HELP)] = None
    rows: Annotated[int | None, typer.Option(help="Rows, if not those of the board.")] = None
    cols: Annotated[int | None, typer.Option(help="Columns, if not those of the board.")] = None
    mines: Annotated[int | None, typer.Option(help="Mines, if not those of the board.")] = None
    survey: Annotated[
        bool | None,
        typer.Option("--survey/--classic", help="An opened mine explodes and play goes on, or it ends the game."),
    ] = None
    total: Annotated[
        bool | None, typer.Option("--total/--no-total", help="Whether the player knows the number of mines.")
    ] = None
    cascade: Annotated[
        bool | None, typer.Option("--cascade/--no-cascade", help="Whether a zero opens its neighbours.")
    ] = None
    first: Annotated[
        str | None,
        typer.Option(metavar="any|safe|opening", help="What the rules promise about the first cell."),
    ] = None

    def rules(self) -> tuple[Rules, Layout | None]:
        """The rules of the board with these changes, and the layout if one is given."""
        from sapper.cli.files import board_of_layout
        from sapper.rules import Rules

        layout = None
        if self.layout is None:
            rules = Rules.parse("beginner" if self.board is None else self.board)
        else:
            rules, layout = board_of_layout(self.layout, self.board)
        changes: dict[str, object] = {
            "rows": self.rows,
            "cols": self.cols,
            "mines": self.mines,
            "opened_mine": None if self.survey is None else ("explodes" if self.survey else "ends"),
            "total_known": self.total,
            "cascade": self.cascade,
            "first_click": self.first,
        }
        chosen = {name: value for name, value in changes.items() if value is not None}
        size = (self.rows or rules.rows) * (self.cols or rules.cols)
        mines = rules.mines if self.mines is None else self.mines
        if self.first is None and rules.first_click == "safe" and mines == size:
            chosen["first_click"] = "any"  # a board full of mines leaves no choice of policy
        return replace(rules, **chosen), layout  # type: ignore[arg-type]


@grouped
def trace(
    *,
    agent: str = typer.Option("exact", help="Who plays; see sapper agents."),
    seed: int = typer.Option(0, help="For the board and the agent: same seed, same game."),
    adapted: RulesOptions,
    html: str | None = typer.Option(None, metavar="FILE", help="Write the steps to this file, as a page of pictures."),
    record: str | None = typer.Option(None, metavar="FILE", help="Write the record of the game to this file."),
    restart_opening: bool = typer.Option(
        False, "--restart-opening", help="If a mine is hit before the first zero opens, play the next seed instead."
    ),
    as_reported: bool = typer.Option(
        False,
        "--as-reported",
        help="For statements and one-two: the game of report 000 or 003, or the given board, as the report shows it.",
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the game and its steps as JSON."),
) -> None:
    """Follow an agent through a game, step by step: what it deduced from which clues, what it chose and why.

    Every guess comes with its exact risk, whatever the agent itself believed. The page that --html writes is one file
    that needs nothing else; the arrow keys go from step to step. With --as-reported, one-two plays as report 003
    tells it: a grid of ?, m and digits each round, and a message as soon as the One-Two Punch holds. And statements
    plays as report 000 does: its board after every click, what its program deduced and what it missed.

    Example: sapper trace --agent statements --board '4x4/3 survey' --seed 3

    Example: sapper trace --layout '*--/---/--*'

    Example: sapper trace --agent statements --as-reported
    """
    from sapper.agents.registry import agent_entry
    from sapper.cli.files import check_targets, write_bytes
    from sapper.errors import InputError
    from sapper.play.narrative import STATEMENTS, narrate_as_reported, narrate_game
    from sapper.world.generation import check_seed

    rules, layout = adapted.rules()
    name = agent_entry(agent).name
    check_seed(seed)
    check_targets({"--html": html, "--record": record}, as_json=as_json)
    if restart_opening and layout is not None:
        raise InputError("--restart-opening plays other boards until one opens, so --layout cannot go with it.")
    if not as_reported:
        told = narrate_game(rules, name, seed, restart_opening=restart_opening, layout=layout)
    elif restart_opening:
        raise InputError(
            "--restart-opening is report 001's way and --as-reported another report's; choose one of them."
        )
    else:
        told = narrate_as_reported(name, seed, None if adapted == RulesOptions() else rules, layout)
    if html is not None:
        write_bytes(html, _draw_page(told).encode())
    if record is not None:
        write_bytes(record, str(told.record).encode())
    if as_json:
        print(json.dumps(told.as_plain_values()))
    elif "-" in (html, record):
        return
    elif as_reported and name in STATEMENTS:
        _print_figures(told, is_own=adapted == RulesOptions())
    elif as_reported:
        _print_grids(told)
    else:
        _print(told)


def _print_figures(told: GameNarrative, *, is_own: bool) -> None:
    """The figures of report 000, or boards in their style, with what was deduced and what was missed."""
    from sapper.play.narrative import FIGURES, draw_board, find_missed

    for step in told.steps:
        for found in step.deductions:
            print(f"Deduced: {found}")
        if step.chosen is None:
            break
        is_guess = step.step.decision.p_mine != 0.0
        if is_guess:
            for missed in find_missed(step.step.before):
                print(f"Missed: {missed}")
        print(f"{step.decision} {step.notes[-1]}")
        if not is_own or step.chosen in FIGURES:
            title = f"Figure {FIGURES[step.chosen]}" if is_own else f"After {step.number}"
            print(f"\n{title}\n{draw_board(step.step.after)}\n")
    for line in told.ending:
        print(line)


def _print_grids(told: GameNarrative) -> None:
    """The grids of report 003."""
    from sapper.inference.reasoning.single import ONE_TWO
    from sapper.play.narrative import MESSAGE, draw_grid

    # A board full of mines is won before the first step.
    print(draw_grid(told.steps[0].step.before if told.steps else told.game.observation))
    for step in told.steps:
        if any(found.rule == ONE_TWO for found in step.step.decision.deductions):
            print(f"\n{MESSAGE}")
        print(f"\n{draw_grid(step.step.after)}")
    print()
    for line in told.ending:
        print(line)


def _print(told: GameNarrative) -> None:
    from rich.console import Console

    from sapper.draw.terminal import draw_terminal

    console = Console(highlight=False, soft_wrap=True)

    def say(line: str) -> None:
        console.print(line, markup=False)

    for line in (f"{told.title}.", *told.about):
        say(line)
    for step in told.steps:
        say(f"\nStep {step.number}")
        for line in (*step.deductions, step.decision, *step.notes):
            say(f"  {line}")
        after = step.step.after
        if console.is_terminal:
            console.print(draw_terminal(after, [] if step.chosen is None else [after.topology.index(*step.chosen)]))
        else:
            say(after.pretty())
    say("")
    for line in told.ending:
        say(line)


def _draw_page(told: GameNarrative) -> str:
    from sapper.draw.pages import Scene, draw_trace

    scenes = []
    for step in told.steps:
        after = step.step.after
        number = after.topology.index
        scenes.append(
            Scene(
                after,
                step.decision,
                step.deductions,
                step.notes,
                None if step.chosen is None else number(*step.chosen),
                tuple(number(*clue) for clue in step.clues),
                tuple(number(*cell) for cell in step.uncovered),
            )
        )
    return draw_trace(told.title, told.about, scenes, told.ending)
