"""``sapper trace``: a game of an agent, step by step, with what it deduced and why it chose."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from sapper.cli.files import LAYOUT_HELP, board_of_layout, choose_output
from sapper.cli.options import BOARD_HELP
from sapper.errors import InputError

if TYPE_CHECKING:
    from sapper.play.narrative import GameNarrative


def trace(
    agent: str = typer.Option("exact", help="The agent that plays; see sapper agents."),
    seed: int = typer.Option(0, help="For the board and the agent: same seed, same game."),
    board: str | None = typer.Option(None, help=BOARD_HELP, show_default="beginner"),
    layout: str | None = typer.Option(None, metavar="LAYOUT", help=LAYOUT_HELP),
    restart_opening: bool = typer.Option(
        False, "--restart-opening", help="If a mine is hit before the first zero opens, play the next seed instead."
    ),
    as_reported: bool = typer.Option(
        False,
        "--as-reported",
        help="For statements and one-two: the game of report 000 or 003, or the given board, as the report shows it.",
    ),
    output: str | None = typer.Option(
        None, metavar="FILE", help="Write the steps as a page of pictures (.html), or the game (.record or .json)."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the game and its steps as JSON."),
) -> None:
    """Follow an agent through a game, step by step: what it deduced from which clues, what it chose and why.

    Every guess comes with its exact risk, whatever the agent itself believed. The page that --output writes is one
    file that needs nothing else; the arrow keys go from step to step. With --as-reported, one-two plays as report 003
    describes: a grid of ?, m and digits each round, and a message as soon as the One-Two Punch holds. And statements
    plays as report 000 does: its board after every click, what its program deduced and what it missed.

    Example: sapper trace --agent statements --board '4x4/3 survey' --seed 3

    Example: sapper trace --layout '*--/---/--*'

    Example: sapper trace --agent statements --as-reported
    """
    from sapper.agents.registry import agent_entry
    from sapper.play.narrative import STATEMENTS, narrate_as_reported, narrate_game
    from sapper.rules import Rules
    from sapper.world.generation import check_seed

    if layout is None:
        rules, mines = Rules.parse("beginner" if board is None else board), None
    else:
        rules, mines = board_of_layout(layout, board)
    is_own = board is None and layout is None  # with --as-reported: the game of the report
    name = agent_entry(agent).name
    check_seed(seed)
    target = choose_output(output, ".html", ".record", ".sapper", as_json=as_json)
    if restart_opening and mines is not None:
        raise InputError("--restart-opening plays other boards until one opens, so it cannot be used with --layout.")
    if restart_opening and as_reported:
        raise InputError("--restart-opening is for report 001 and --as-reported for others; choose one of them.")
    if as_reported:
        told = narrate_as_reported(name, seed, None if is_own else rules, mines)
    else:
        told = narrate_game(rules, name, seed, restart_opening=restart_opening, layout=mines)
    answer = json.dumps(told.as_plain_values())
    if target is not None:
        texts = {".html": lambda: _draw_page(told), ".json": lambda: f"{answer}\n"}
        target.write(texts.get(target.form, lambda: str(told.record))())
    if as_json:
        print(answer)
    elif target is not None and target.name == "-":
        return
    elif as_reported and name in STATEMENTS:
        _print_figures(told, is_own=is_own)
    elif as_reported:
        _print_grids(told)
    else:
        _print(told)


def _print_figures(told: GameNarrative, *, is_own: bool) -> None:
    """Print the figures of report 000, or boards in their style, with what was deduced and what was missed."""
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
    """Print the grids of report 003."""
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
