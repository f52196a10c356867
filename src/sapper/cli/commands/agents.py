"""``sapper agents`` lists and checks the agents."""

from __future__ import annotations

import json

import typer

from sapper.cli.options import refuse_with
from sapper.errors import InputError


def agents(
    name: str | None = typer.Argument(None, help="Describe one agent only; your own: mymodule:make."),
    check: bool = typer.Option(False, "--check", help="Play games of every kind with the agent and say what is wrong."),
    as_json: bool = typer.Option(False, "--json", help="Print the list as JSON."),
) -> None:
    """List the agents: how each reasons and guesses, which report it comes from, where it knowingly differs.

    Watch one with sapper trace --agent NAME. Agents of installed packages are listed too; a custom one, a function or a
    class of a module in this folder, is named mymodule:make wherever an agent is asked for.

    Example: sapper agents mymodule:make --check
    """
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    from sapper.agents.registry import agent_entry, listed_agents

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
    from sapper.agents.registry import AGENTS, agent_entry
    from sapper.testing import TRIALS, check_agent

    # What a custom agent deduces should hold; some of ours are wrong on purpose.
    check_agent(agent_entry(name).make, sound=AGENTS[name].sound if name in AGENTS else True)
    print(f"{name}: nothing wrong in {3 * len(TRIALS)} games of {len(TRIALS)} kinds.")
