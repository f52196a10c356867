"""``sapper serve-agent``: one of Sapper's players for other programs, by the line protocol."""

from __future__ import annotations

import sys

import typer


def serve_agent(
    name: str = typer.Argument(help="The agent that plays; see sapper agents."),
) -> None:
    """Let another program ask one of Sapper's agents for moves: lines on standard input, answers on standard output.

    The lines are those of sapper agents --protocol, and Sapper is the program that answers. It ends at quit or with
    its input.

    Example: sapper serve-agent exact
    """
    from sapper.agents.foreign.protocol import serve
    from sapper.agents.registry import agent_entry, make_agent

    entry = agent_entry(name)
    for answer in serve(entry.name, lambda seed: make_agent(entry.name, seed), sys.stdin):
        print(answer, flush=True)
