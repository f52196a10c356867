"""``sapper best``: the best cell of a position, and its win chance; with --exact, that of perfect play."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

import typer

from sapper.cli.files import load_position
from sapper.cli.options import POSITION_HELP, refuse_with, refuse_without
from sapper.errors import InputError
from sapper.words import count, percent

if TYPE_CHECKING:
    from sapper.agents.best import Best, Candidate
    from sapper.observation import Observation
    from sapper.rules import Rules


def best(
    position: str = typer.Argument(help=f"{POSITION_HELP} Or a blank board such as expert or '4x4/4 first-any'."),
    time: float = typer.Option(2.0, min=0.0, max=600.0, help="How many seconds to think; more is stronger."),
    agent: str | None = typer.Option(None, help="Name the cell that this agent opens, instead of the best."),
    top: int = typer.Option(8, min=1, help="How many candidates to print."),
    seed: int = typer.Option(0, min=0, help="Rollout seed: same seed, same layouts."),
    exact: bool = typer.Option(
        False, "--exact", help="Count the layouts that perfect play wins: small boards and endgames."
    ),
    limit: int = typer.Option(
        20_000, min=1, max=1_000_000, help="With --exact: give up if there are more layouts than this."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the answer as JSON."),
) -> None:
    """Name the best cell to open, its win chance, and the other candidates with their risks.

    If at most 2,000 layouts are left, the win chances are those of perfect play, exactly. Otherwise they are estimates
    with 95% intervals: rollouts at little risk, over layouts drawn with their exact probability. Blank boards of the
    usual sizes are answered from the opening book. The time limit holds on any board; if it is short, there are fewer
    rollouts, or none.

    With --exact, the answer is how many layouts perfect play wins and which cells it opens first. On a blank board the
    first cell is safe, so only layouts without a mine there count, unless the board says first-any; of cells that
    mirror each other, one is named. Thousands of layouts take seconds.

    Example: sapper best '1##/### 2' --time 0.5

    Example: sapper best 3x4/3 --exact
    """
    begun = perf_counter()  # loading the program and the position is part of the time
    from sapper.agents.best import best_cell

    if as_json:
        refuse_with("--json", "--top")
    rules = _read_board(position)
    loaded = load_position(position) if rules is None else _blank(rules)
    if exact:
        refuse_with("--exact", "--time", "--agent", "--top", "--seed")
        _solve(loaded, rules, limit, as_json)
        return
    refuse_without("--exact", "--limit")
    start = "safe" if rules is None else rules.first_click
    found = best_cell(loaded, agent, max(0.0, time - (perf_counter() - begun)), seed, start)
    if as_json:
        print(json.dumps(found.as_plain_values()))
    else:
        _print(found, top)


def _read_board(argument: str) -> Rules | None:
    """Return the rules if the argument is a board; raise `InputError` if they are not those of a classic game."""
    from sapper.rules import PRESETS, Rules

    word = argument.partition(" ")[0]
    if word not in PRESETS and re.match(r"\d+x\d+/", word, re.ASCII) is None:
        return None
    rules = Rules.parse(argument)
    if rules != replace(rules, opened_mine="ends", cascade=True, dealing="laid", total_known=True):
        raise InputError(f"The best cell is known for classic games; {rules.in_short} has other rules.")
    return rules


def _blank(rules: Rules) -> Observation:
    import numpy as np

    from sapper.observation import HIDDEN, Observation

    cells = np.full((rules.rows, rules.cols), HIDDEN, dtype=np.int8)
    return Observation(rules.topology, cells, rules.mines, rules.channel)


def _solve(position: Observation, rules: Rules | None, limit: int, as_json: bool) -> None:
    from sapper.inference.evaluation.endgame import solve_board, solve_position

    if rules is not None and rules.first_click == "opening":
        raise InputError("--exact knows no boards whose first cell is an opening; say first-safe or first-any.")
    if rules is None or rules.first_click == "any" or rules.channel.kind != "exact":
        found = solve_position(position, limit)
    else:
        found = solve_board(rules.topology, rules.mines, limit)
    if as_json:
        print(json.dumps({"wins": found.wins, "layouts": found.layouts, "best": [list(cell) for cell in found.best]}))
        return
    cells = ", ".join(map(str, found.best[:8])) + (" …" if len(found.best) > 8 else "")
    share = found.wins / found.layouts if found.layouts else 0.0
    first = f", beginning with {cells}" if cells else "; nothing is left to open"
    print(f"Perfect play wins {found.wins:,} of {count(found.layouts, 'layout')} ({share:.2%}){first}.")


def _print(found: Best, top: int) -> None:
    chosen = found.chosen
    risk = percent(chosen.risk, certain=chosen.risk in (0.0, 1.0), places=1)
    sure = "It is safe." if found.certain else f"Its risk is {risk}."
    wins = "" if chosen.p_win is None else f" The win chance is {_chance(chosen)}."
    print(f"Open {found.cell}. {sure}{wins}")
    shown = found.candidates[:top]
    width = max(len(str(one.cell)) for one in shown)
    print(f"{'cell':<{width}}    risk      win chance")
    for one in shown:
        risk = percent(one.risk, certain=one.risk in (0.0, 1.0), places=1)
        print(f"{one.cell!s:<{width}} {risk:>7} {'' if one.p_win is None else _chance(one):>15}  {one.reason}")
    if len(found.candidates) > top:
        print(f"… and {len(found.candidates) - top} more")


def _chance(one: Candidate) -> str:
    assert one.p_win is not None
    text = percent(one.p_win, certain=one.p_win in (0.0, 1.0) and one.n_games == 0, places=1)
    return f"{text} ± {196 * one.error:.1f}" if one.error else text
