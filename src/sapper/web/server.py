"""The application, and a server that runs it until somebody stops it."""

from __future__ import annotations

import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from sapper.errors import InputError, SapperError
from sapper.web.api import analysis, daily, games, info, lab, train, you
from sapper.web.http import static
from sapper.web.http.guard import Guard
from sapper.web.http.responses import answer, refuse
from sapper.web.http.sessions import Prefix
from sapper.web.http.static import read_site
from sapper.web.services import GAMES_FILE, Services
from sapper.web.storage.store import GameStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from sapper.web.settings import Settings

_PARTS = (info, games, games, games, analysis, analysis, train, train, lab, daily, you, static)
_ROUTES = [route for part in _PARTS for route in part.ROUTES]
_SAID = {404: "There is no such page.", 405: "That cannot be done with this address."}
_BACKLOG = 1024


def create_app(settings: Settings, when_ready: Callable[[], None] | None = None) -> Starlette:
    """Make the application; ``when_ready`` is called once it can answer."""
    read_site()  # now, so that the first visitor does not wait for it

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        services = Services(settings)
        app.state.services = services
        services.start()
        services.in_background("house", daily.run_maintenance(services))
        try:
            if when_ready is not None:
                when_ready()
            yield
        finally:
            services.close()

    return Starlette(
        routes=_ROUTES,
        middleware=[Middleware(Prefix, prefix=settings.prefix), Middleware(Guard, settings=settings)],
        exception_handlers={SapperError: _on_refusal, HTTPException: _on_http, Exception: _on_fault},
        lifespan=lifespan,
    )


async def _on_refusal(request: Request, error: Exception) -> Response:
    del request
    assert isinstance(error, SapperError)
    return refuse(error)


async def _on_http(request: Request, error: Exception) -> Response:
    del request
    assert isinstance(error, HTTPException)
    return answer({"error": _SAID.get(error.status_code, f"{error.detail}.")}, error.status_code, error.headers)


async def _on_fault(request: Request, error: Exception) -> Response:
    del request, error
    return answer({"error": "The server made a mistake; see its log."}, 500)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 stands for any that is free. Raises `InputError` in a sentence."""
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise InputError(f"There is no address {host[:60]!r} on this computer to listen on.") from None
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        # A server that was killed a moment ago does not keep its port busy.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise InputError(
            f"Port {port} of {host} cannot be used ({error.strerror or error}); choose another with --port, or "
            "--port 0 for any that is free."
        ) from None
    return listening


def address_of(listening: socket.socket, host: str, prefix: str = "") -> str:
    """The address to visit."""
    port = listening.getsockname()[1]
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}{prefix}/"


def run(settings: Settings, listening: socket.socket, when_ready: Callable[[], None] | None = None) -> None:
    """Serve until somebody stops it; every game is kept. Raises `StoreError` if there is no place for games."""
    import sys

    import uvicorn

    # Tried here, where it is one sentence; once the server starts it would be a fault in its log.
    GameStore(settings.folder / GAMES_FILE).close()
    # How long a thread may keep the others from running: the loop that answers everybody should never wait for long.
    sys.setswitchinterval(0.001)
    config = uvicorn.Config(
        create_app(settings, when_ready),
        log_level="warning",
        access_log=False,
        # What a request says of where it comes from is taken from the connection, unless that is a proxy we trust.
        # Then it is the last address in X-Forwarded-For that is none of ours: what stands before it, anybody may write.
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        server_header=False,
        date_header=True,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=3,
        limit_concurrency=2000,
        ws="none",
    )
    uvicorn.Server(config).run(sockets=[listening])
