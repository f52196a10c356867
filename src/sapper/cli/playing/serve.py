"""``sapper play``, ``sapper watch`` and ``sapper serve``: the page in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

# Where the page is unless told otherwise: the same place every time, so that bookmarks hold.
PORT = 8642
LOOPBACK = "127.0.0.1"

_PORT = typer.Option(None, min=0, max=65535, help=f"Where to listen; {PORT}, or any free one if that is taken. 0: any.")
_NO_BROWSER = typer.Option(False, "--no-browser", help="Print the address and open nothing.")
_NAMES = typer.Option(None, help="A name by which visitors call this computer, if not the host; repeatable.")
_DATA = typer.Option(None, metavar="FOLDER", help="Where games and results are kept; your data folder.")


def play(
    port: int | None = _PORT,
    no_browser: bool = _NO_BROWSER,
    data: str | None = _DATA,
) -> None:
    """Play in the browser: with hints that say why, reviews of lost games, agents to watch, positions to analyse.

    Only this computer can reach it. Every game is kept, move by move; Ctrl-C stops the server and loses nothing.

    Example: sapper play
    """
    _open_page("#/play", port, no_browser, data)


def watch(
    dimension: int = typer.Argument(16, min=1, max=50, help="Rows and columns of the board."),
    mines: int = typer.Argument(40, min=0, help="Number of mines."),
    port: int | None = _PORT,
    no_browser: bool = _NO_BROWSER,
    data: str | None = _DATA,
) -> None:
    """Watch agents play a survey in the browser: Space starts, a improved agent, b basic agent, Return resets.

    The game of report 002: cells open one by one, an opened mine explodes and play goes on. The page lets any agent
    play, one or two side by side, on any board.

    Example: sapper watch 16 40
    """
    from urllib.parse import quote

    from sapper.rules import Rules

    rules = Rules.parse(f"{dimension}x{dimension}/{mines} first-any no-cascade survey total-hidden")
    _open_page(f"#/watch?rules={quote(str(rules), safe='/')}", port, no_browser, data)


def serve(
    host: str = typer.Option(LOOPBACK, help="The address to listen at; 0.0.0.0 for every one of this computer."),
    port: int | None = _PORT,
    name: list[str] | None = _NAMES,
    workers: int = typer.Option(2, min=1, max=64, help="Processes that compute hints, and as many for analyses."),
    rate: float = typer.Option(1.0, min=0.01, max=1e6, help="How many times the usual number of requests to allow."),
    data: str | None = _DATA,
) -> None:
    """Serve the page and its API to others, or to programs (docs/api.md).

    The first line printed is the address. There is no encryption and there are no accounts: every browser is a visitor
    of its own. Requests under other names than the host and loopback are refused; --name allows more.

    Example: sapper serve --host 0.0.0.0 --port 8000
    """
    from sapper.errors import InputError
    from sapper.web.server import address_of, listen

    for one in name or ():
        # What can never stand in the Host of a request.
        if not one or set(one) & set("/ \t@?#"):
            raise InputError(f"{one[:60]!r} is no name of a computer; it should read like games.example.org.")
    listening = listen(host, PORT if port is None else port)
    address = address_of(listening, host)
    _run(host, listening, lambda: print(address, flush=True), data, tuple(name or ()), workers, rate)


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


def _run(
    host: str,
    listening: socket.socket,
    when_ready: Callable[[], None],
    data: str | None,
    names: tuple[str, ...] = (),
    workers: int = 2,
    rate: float = 1.0,
) -> None:
    import sys
    from pathlib import Path

    from sapper.web.server import run
    from sapper.web.settings import Settings, default_folder

    folder = default_folder() if data is None else Path(data)
    settings = Settings(host, names, folder, rate, workers)
    try:
        run(settings, listening, when_ready)
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
    print("Stopped; every game is kept.", file=sys.stderr)
