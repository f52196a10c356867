"""``sapper play``: the web app in your browser, to play or to watch agents play."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import typer

from sapper.cli.commands.serve import DATA, LOOPBACK, PORT, PORT_NUMBER, run_app
from sapper.cli.options import refuse_without
from sapper.errors import InputError

if TYPE_CHECKING:
    from sapper.rules import Rules


def play(
    watch: str | None = typer.Option(
        None,
        metavar="[BOARD]",
        help="Watch agents play instead: the game of report 002, or on this board, such as 'expert survey'.",
    ),
    agent: str | None = typer.Option(None, help="With --watch: the agent to start with; your own: mymodule:make."),
    port: int | None = PORT,
    no_browser: bool = typer.Option(False, "--no-browser", help="Print the address, but do not open a browser."),
    data: str | None = DATA,
) -> None:
    """Play in the browser, with hints that say why, reviews of your games, agents to watch, positions to analyse.

    The web app can be reached from this computer only. Every game is kept, move by move; Ctrl-C stops it, and nothing
    is lost. With --watch, Space starts and stops, A and B run the improved and the basic agent of report 002, and
    Return starts over; any agent can play on any board, alone or against another.

    Example: sapper play

    Example: sapper play --watch '16x16/40 survey' --agent exact
    """
    from sapper.rules import Rules

    if watch is None:
        refuse_without("--watch", "--agent")
        _open_app("#/play", port, no_browser, data)
        return
    rules = Rules.parse(watch)
    player = "" if agent is None else f"&agent={quote(_list_agent(agent, rules), safe=':')}"
    _open_app(f"#/watch?rules={quote(str(rules), safe='/')}{player}", port, no_browser, data)


def _list_agent(name: str, rules: Rules) -> str:
    """Add an agent to those that the web app offers, also a custom one; return its name."""
    from sapper.agents.registry import agent_entry, is_own, listed_agents, register
    from sapper.experiments.games import Condition, try_agent

    entry = agent_entry(name)
    if is_own(entry.name):
        try_agent(Condition.of(rules, entry.name))
    if entry.name not in {listed.name for listed in listed_agents()}:
        register(entry)
    return entry.name


def _open_app(place: str, port: int | None, no_browser: bool, data: str | None) -> None:
    from sapper.web.server import address_of, listen

    try:
        listening = listen(LOOPBACK, PORT_NUMBER if port is None else port)
    except InputError:
        if port is not None:
            raise
        # Another program has it, perhaps another `sapper play`.
        listening = listen(LOOPBACK, 0)
    address = address_of(listening, LOOPBACK) + place

    def show() -> None:
        print(f"Sapper is at {address} (Ctrl-C stops it).", flush=True)
        if not no_browser:
            _open_browser(address)

    run_app(LOOPBACK, listening, show, data)


def _open_browser(address: str) -> None:
    """Open a browser without waiting for it; one in the terminal would block the server."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
