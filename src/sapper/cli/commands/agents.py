"""``sapper agents`` lists and checks the agents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from sapper.cli.options import refuse_all_with, refuse_with
from sapper.errors import InputError

if TYPE_CHECKING:
    from sapper.rules import Rules


def agents(
    name: str | None = typer.Argument(None, help="Describe one agent only; your own: mymodule:make."),
    protocol: bool = typer.Option(
        False, "--protocol", help="Print the line protocol by which a program in any language plays."
    ),
    check: bool = typer.Option(False, "--check", help="Play games of every kind with the agent and say what is wrong."),
    as_json: bool = typer.Option(False, "--json", help="Print the list as JSON."),
) -> None:
    """List the agents: how each reasons and guesses, which report it comes from, where it knowingly differs.

    Watch one with sapper trace --agent NAME. Agents of installed packages are listed too; a custom one, a function or a
    class of a module in this folder, is named mymodule:make wherever an agent is asked for.

    A program or a student's submission runs in a process of its own: program:./player, cs50:minesweeper.py,
    uci:MyAI.py, process:mymodule:make. It forfeits a game by a crash, an illegal move or more time or memory than
    SAPPER_LIMITS allows, as in 'move=5 game=60 memory=1024' (seconds of processor time, megabytes).

    Example: sapper agents mymodule:make --check

    Example: sapper agents --protocol
    """
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    from sapper.agents.registry import agent_entry, listed_agents

    if protocol:
        from sapper.agents.foreign.protocol import ABOUT

        refuse_all_with("--protocol")
        print(ABOUT, end="")
        return
    chosen = [agent_entry(name)] if name is not None else listed_agents()
    if check:
        if name is None:
            raise InputError("--check needs the name of one agent.")
        refuse_with("--check", "--json")
        _check(name)
        return
    if as_json:
        print(json.dumps({entry.name: {"version": entry.version, "about": entry.about} for entry in chosen}))
        return
    console = Console(highlight=False)
    for entry in chosen:
        # Others may write anything about their agents, square brackets included.
        console.print(Text(entry.name, "bold"))
        console.print(Padding(Text(entry.about), (0, 0, 0, 2)))


def _check(name: str) -> None:
    from sapper.agents.foreign.agent import is_foreign
    from sapper.agents.registry import AGENTS, agent_entry
    from sapper.rules import Rules
    from sapper.testing import TRIALS, check_agent

    # Submissions and most programs know only square boards and exact clues.
    trials = tuple(one for one in TRIALS if not is_foreign(name) or _is_usual(Rules.parse(one)))
    # What a custom agent deduces should hold; some of ours are wrong on purpose.
    check_agent(agent_entry(name).make, 3, trials, sound=AGENTS[name].sound if name in AGENTS else True)
    print(f"{name}: nothing wrong in {3 * len(trials)} games of {len(trials)} kinds.")


def _is_usual(rules: Rules) -> bool:
    from sapper.channel import EXACT

    return rules.shape == "square" and rules.channel == EXACT and rules.mines < rules.n_cells
