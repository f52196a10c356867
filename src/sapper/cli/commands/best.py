"""``sapper best``: the best cell of a position, and its chance to win."""

from __future__ import annotations

import json
from time import perf_counter
from typing import TYPE_CHECKING

import typer

from sapper.cli.options import POSITION_HELP

if TYPE_CHECKING:
    from sapper.agents.best import Best, Candidate


def best(
    position: str = typer.Argument(help=POSITION_HELP),
    time: float = typer.Option(2.0, min=0.0, max=600.0, help="How many seconds to think; more is stronger."),
    agent: str | None = typer.Option(None, help="Name the cell that this agent opens, instead of the best."),
    most: int = typer.Option(8, min=1, help="How many candidates to print."),
    start: str = typer.Option(
        "safe", metavar="any|safe|opening", help="What the rules promise about the first cell, on a blank board."
    ),
    seed: int = typer.Option(0, min=0, help="For the games that are played on: same seed, same layouts."),
    as_json: bool = typer.Option(False, "--json", help="Print the answer as JSON."),
) -> None:
    """Name the best cell to open, its chance to win, and the other candidates with their risks.

    If at most 2,000 layouts are left, the chances are those of perfect play, exactly. Otherwise they are estimates with
    95 % intervals: the game is played on many times, at little risk, over layouts drawn with their exact chance. Blank
    boards of the usual sizes are answered from the opening book. The time is kept on any board; if it is short, fewer
    games are played on, or none.

    Example: sapper best '1##/### 2' --time 0.5
    """
    begun = perf_counter()  # loading the program and the position is part of the time that somebody waits
    from sapper.agents.best import best_cell
    from sapper.cli.files import load_position
    from sapper.cli.options import refuse_with

    if as_json:
        refuse_with("--json", "--most")
    loaded = load_position(position)
    if not loaded.closed.all():
        refuse_with("a board that is not blank", "--start")
    found = best_cell(loaded, agent, max(0.0, time - (perf_counter() - begun)), seed, start)
    if as_json:
        print(json.dumps(found.as_plain_values()))
    else:
        _print(found, most)


def _print(found: Best, most: int) -> None:
    from sapper.words import percent

    chosen = found.chosen
    risk = percent(chosen.risk, certain=chosen.risk in (0.0, 1.0), places=1)
    sure = "It is safe." if found.certain else f"Its risk is {risk}."
    wins = "" if chosen.p_win is None else f" The chance to win is {_chance(chosen)}."
    print(f"Open {found.cell}. {sure}{wins}")
    shown = found.candidates[:most]
    width = max(len(str(one.cell)) for one in shown)
    print(f"{'cell':<{width}}    risk   chance to win")
    for one in shown:
        risk = percent(one.risk, certain=one.risk in (0.0, 1.0), places=1)
        print(f"{one.cell!s:<{width}} {risk:>7} {'' if one.p_win is None else _chance(one):>15}  {one.reason}")
    if len(found.candidates) > most:
        print(f"… and {len(found.candidates) - most} more")


def _chance(one: Candidate) -> str:
    from sapper.words import percent

    assert one.p_win is not None
    text = percent(one.p_win, certain=one.p_win in (0.0, 1.0) and one.n_games == 0, places=1)
    return f"{text} ± {196 * one.error:.1f}" if one.error else text
