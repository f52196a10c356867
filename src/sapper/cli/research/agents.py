"""``sapper agents`` lists the players."""

from __future__ import annotations

import json

import typer


def agents(
    name: str | None = typer.Argument(None, help="Tell about one agent only."),
    as_json: bool = typer.Option(False, "--json", help="Print the list as JSON."),
) -> None:
    """List the agents: how each reasons and guesses, which report it comes from, where it knowingly differs.

    Watch one with sapper trace --agent NAME.
    """
    from rich.console import Console
    from rich.padding import Padding

    from sapper.agents.registry import AGENTS, agent_entry

    chosen = [agent_entry(name)] if name is not None else list(AGENTS.values())
    if as_json:
        print(json.dumps({entry.name: {"version": entry.version, "about": entry.about} for entry in chosen}))
        return
    console = Console(highlight=False)
    for entry in chosen:
        console.print(f"[bold]{entry.name}[/bold]")
        console.print(Padding(entry.about, (0, 0, 0, 2)))
