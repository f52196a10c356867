"""``sapper serve``: the web app and its API, for others."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sapper.errors import InputError

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable


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


def _check_data(folder: str) -> None:
    """Raise `InputError` if games cannot be kept in this folder; it may be new, but not the one above it."""
    from sapper.play.reading import check_folder

    if not folder:
        raise InputError("The name of the folder is empty.")
    if Path(folder).exists() and not Path(folder).is_dir():
        raise InputError(f"{folder} is a file, not a folder.")
    check_folder(folder)


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
            _check_data(data)
        run(settings, listening, when_ready)
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
    print("Stopped; every game is kept.", file=sys.stderr)
