"""``sapper play``, ``sapper watch`` and ``sapper serve``: the page in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from sapper.rules import Rules


# Where the page is unless told otherwise: the same place every time, so that bookmarks hold.
PORT = 8642
LOOPBACK = "127.0.0.1"

_PORT = typer.Option(None, min=0, max=65535, help=f"The port to listen on, 0 for any free one; by default {PORT}.")
_NO_BROWSER = typer.Option(False, "--no-browser", help="Print the address, but do not open a browser.")
_NAMES = typer.Option(None, metavar="NAME", help="A name that visitors may use for this computer; may be repeated.")
_PROXIES = typer.Option(
    None,
    metavar="ADDRESS",
    help="A proxy whose X-Forwarded-For to believe: its address or network; may be repeated.",
)
_DATA = typer.Option(None, metavar="FOLDER", help="Where to keep games and results; by default your data folder.")


def play(
    port: int | None = _PORT,
    no_browser: bool = _NO_BROWSER,
    data: str | None = _DATA,
) -> None:
    """Play in the browser, with hints that say why, reviews of your games, agents to watch, positions to analyse.

    The page can be reached from this computer only. Every game is kept, move by move; Ctrl-C stops it, and nothing is
    lost.

    Example: sapper play
    """
    _open_page("#/play", port, no_browser, data)


def watch(
    dimension: int = typer.Argument(16, min=1, max=50, help="Rows and columns of the board."),
    mines: int = typer.Argument(40, min=0, help="How many mines."),
    agent: str | None = typer.Option(None, help="Who plays, to begin with; your own: mymodule:make."),
    port: int | None = _PORT,
    no_browser: bool = _NO_BROWSER,
    data: str | None = _DATA,
) -> None:
    """Watch agents play in the browser: Space starts and stops, A and B run an agent, Return starts over.

    This is the game of report 002: cells open one by one, and an opened mine explodes while play goes on. A is the
    report's improved agent and B its basic one; on the page any agent can play on any board, alone or against another.

    Example: sapper watch 16 40
    """
    from urllib.parse import quote

    from sapper.rules import Rules

    rules = Rules.parse(f"{dimension}x{dimension}/{mines} first-any no-cascade survey total-hidden")
    player = "" if agent is None else f"&agent={quote(_list_agent(agent, rules), safe=':')}"
    _open_page(f"#/watch?rules={quote(str(rules), safe='/')}{player}", port, no_browser, data)


def _list_agent(name: str, rules: Rules) -> str:
    """Have an agent among those that the page offers, also one of the user's own; return its name."""
    from sapper.agents.registry import agent_entry, is_own, listed_agents, register
    from sapper.experiments.games import Condition, try_agent

    entry = agent_entry(name)
    if is_own(entry.name):
        try_agent(Condition.of(rules, entry.name))
    if entry.name not in {listed.name for listed in listed_agents()}:
        register(entry)
    return entry.name


def serve(
    host: str = typer.Option(LOOPBACK, help="The address to listen on; 0.0.0.0 for all addresses of this computer."),
    port: int | None = _PORT,
    name: list[str] | None = _NAMES,
    prefix: str = typer.Option("", metavar="PATH", help="The path of the page behind a proxy, such as /sapper."),
    trusted_proxy: list[str] | None = _PROXIES,
    workers: int = typer.Option(
        2, min=1, max=64, help="Processes for hints, and as many each for analyses and no-guess boards."
    ),
    rate: float = typer.Option(1.0, min=0.01, max=1e6, help="How many requests to allow: 2 is twice the usual number."),
    data: str | None = _DATA,
) -> None:
    """Serve the page and its API to others, or to programs (docs/api.md).

    The first line it prints is the address. There is no encryption and there are no accounts: every browser is a
    separate visitor. Requests that use another name for this computer than --host are refused; --name allows more.
    Behind a reverse proxy, use --name for the site, --prefix for the path and --trusted-proxy for the proxy's address;
    without the last, all visitors share one rate limit (docs/page.md).

    Example: sapper serve --host 0.0.0.0 --port 8000
    """
    from sapper.errors import InputError
    from sapper.web.http.guard import read_proxy
    from sapper.web.http.sessions import read_prefix
    from sapper.web.server import address_of, listen

    for one in name or ():
        # What can never stand in the Host of a request.
        if not one or set(one) & set("/ \t@?#"):
            raise InputError(f"{one[:60]!r} is not the name of a computer; it should look like games.example.org.")
    if not host:
        raise InputError("--host is empty; 0.0.0.0 stands for all addresses of this computer.")
    path, proxies = read_prefix(prefix), tuple(read_proxy(one) for one in trusted_proxy or ())
    listening = listen(host, PORT if port is None else port)
    address = address_of(listening, host, path)
    _run(host, listening, lambda: print(address, flush=True), data, tuple(name or ()), workers, rate, path, proxies)


def _open_page(place: str, port: int | None, no_browser: bool, data: str | None) -> None:
    from sapper.errors import InputError
    from sapper.web.server import address_of, listen

    try:
        listening = listen(LOOPBACK, PORT if port is None else port)
    except InputError:
        if port is not None:
            raise
        # Somebody else has it, perhaps another page of ours.
        listening = listen(LOOPBACK, 0)
    address = address_of(listening, LOOPBACK) + place

    def show() -> None:
        print(f"Sapper is at {address} (Ctrl-C stops it).", flush=True)
        if not no_browser:
            _open_browser(address)

    _run(LOOPBACK, listening, show, data)


def _open_browser(address: str) -> None:
    """Open a browser without waiting for it; one in the terminal would keep the server from answering."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _check_data(folder: str) -> None:
    """Raise `InputError` if games cannot be kept in a folder of this name; it is made, but nothing above it."""
    from pathlib import Path

    from sapper.errors import InputError
    from sapper.play.reading import check_folder

    if not folder:
        raise InputError("The name of the folder is empty.")
    if Path(folder).exists() and not Path(folder).is_dir():
        raise InputError(f"{folder} is a file, not a folder.")
    check_folder(folder)


def _run(
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
    import sys
    from pathlib import Path

    from sapper.web.server import run
    from sapper.web.settings import Settings, default_folder

    folder = default_folder() if data is None else Path(data)
    settings = Settings(host, names, folder, rate, workers, prefix, proxies)
    try:
        if data is not None:
            _check_data(data)
        run(settings, listening, when_ready)
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
    print("Stopped; every game is kept.", file=sys.stderr)
