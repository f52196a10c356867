"""``sapper serve`` and ``sapper play``: the web app, for others or in your browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import typer

from sapper.cli.options import refuse_without
from sapper.errors import InputError

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from sapper.rules import Rules


# The same every time, so that bookmarks hold.
PORT_NUMBER = 8642
LOOPBACK = "127.0.0.1"

PORT = typer.Option(
    None, min=0, max=65535, help=f"The port to listen on, 0 for any free one; by default {PORT_NUMBER}."
)
DATA = typer.Option(None, metavar="FOLDER", help="Where to keep games and results; by default your data folder.")
_NAMES = typer.Option(None, metavar="NAME", help="A name that visitors may use for this computer; may be repeated.")


def serve(
    host: str = typer.Option(LOOPBACK, help="The address to listen on; 0.0.0.0 for all addresses of this computer."),
    port: int | None = PORT,
    name: list[str] | None = _NAMES,
    prefix: str = typer.Option("", metavar="PATH", help="The path of the web app behind a proxy, such as /sapper."),
    workers: int = typer.Option(
        2, min=1, max=64, help="Processes for hints, and as many each for analyses and no-guess boards."
    ),
    rate: float = typer.Option(1.0, min=0.01, max=1e6, help="How many requests to allow: 2 is twice the usual number."),
    data: str | None = DATA,
) -> None:
    """Serve the web app and its API to others, or to programs (docs/api.md).

    The first line it prints is the address. There is no encryption and there are no accounts: every browser is a
    separate visitor. Requests that use another name for this computer than --host are refused; --name allows more.
    Behind a reverse proxy, use --name for the site and --prefix for the path. The environment variable
    FORWARDED_ALLOW_IPS lists the proxies, as addresses or networks joined by commas, whose X-Forwarded-For is trusted;
    without it, all visitors share one rate limit (docs/page.md).

    Example: sapper serve --host 0.0.0.0 --port 8000
    """
    from sapper.web.http.guard import read_proxy
    from sapper.web.http.sessions import read_prefix
    from sapper.web.server import address_of, listen

    for one in name or ():
        # These never appear in the Host of a request.
        if not one or set(one) & set("/ \t@?#"):
            raise InputError(f"{one[:60]!r} is not the name of a computer; it should look like games.example.org.")
    if not host:
        raise InputError("--host is empty; 0.0.0.0 stands for all addresses of this computer.")
    path = read_prefix(prefix)
    listed = os.environ.get("FORWARDED_ALLOW_IPS", "")
    proxies = tuple(read_proxy(one.strip()) for one in listed.split(",")) if listed else ()
    listening = listen(host, PORT_NUMBER if port is None else port)
    address = address_of(listening, host, path)
    run_app(host, listening, lambda: print(address, flush=True), data, tuple(name or ()), workers, rate, path, proxies)


def run_app(
    host: str,
    listening: socket.socket,
    when_ready: Callable[[], None],
    data: str | None,
    names: tuple[str, ...] = (),
    workers: int = 2,
    rate: float = 1.0,
    prefix: str = "",
    proxies: tuple[str, ...] = (),
) -> None:
    """Run the server until Ctrl-C; ``when_ready`` is called once it answers."""
    from sapper.web.server import run
    from sapper.web.settings import Settings, default_folder

    folder = default_folder() if data is None else Path(data)
    settings = Settings(host, names, folder, rate, workers, prefix, proxies)
    try:
        if data is not None:
            # The folder may be new, but not the one above it.
            from sapper.play.reading import check_folder

            if not data:
                raise InputError("The name of the folder is empty.")
            if Path(data).exists() and not Path(data).is_dir():
                raise InputError(f"{data} is a file, not a folder.")
            check_folder(data)
        run(settings, listening, when_ready)
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
    print("Stopped; every game is kept.", file=sys.stderr)


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
