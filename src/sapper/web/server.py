"""The web application, and the server that runs it."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from sapper.errors import InputError, SapperError
from sapper.web.api import analysis, daily, games, info, lab, train, you
from sapper.web.http import static
from sapper.web.http.guard import Guard
from sapper.web.http.responses import answer, refuse
from sapper.web.http.sessions import Prefix
from sapper.web.http.static import read_site
from sapper.web.services import GAMES_FILE, Services
from sapper.web.settings import Settings
from sapper.web.storage.store import GameStore

_PARTS = (info, games, analysis, train, lab, daily, you, static)
_ROUTES = [route for part in _PARTS for route in part.ROUTES]
_SAID = {404: "There is no such page.", 405: "This address does not support that method."}
_BACKLOG = 1024


def create_app(settings: Settings, when_ready: Callable[[], None] | None = None) -> Starlette:
    """Make the application; ``when_ready`` is called once it accepts requests."""
    read_site()  # before the first visitor

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        services = Services(settings)
        app.state.services = services
        services.start()
        services.in_background("maintenance", daily.run_maintenance(services))
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
    """Return a listening socket; port 0 means any free port. Raises `InputError` if there is none."""
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise InputError(f"This computer has no address {host[:60]!r} to listen on.") from None
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        # The port of a server that was just killed can be used again.
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
    """Return the address to visit."""
    port = listening.getsockname()[1]
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}{prefix}/"


def run(settings: Settings, listening: socket.socket, when_ready: Callable[[], None] | None = None) -> None:
    """Serve until stopped; every game is kept. Raises `StoreError` if games cannot be stored."""
    import sys

    import uvicorn

    # Tried here, where an error is one sentence; later it would be a traceback in the log.
    GameStore(settings.folder / GAMES_FILE).close()
    # How long a thread may hold Python's lock: the event loop must never wait for long.
    sys.setswitchinterval(0.001)
    config = uvicorn.Config(
        create_app(settings, when_ready),
        log_level="warning",
        access_log=False,
        # The client is the address of the connection. If that is a trusted proxy, it is the last address in
        # X-Forwarded-For that is not one: anyone may have written those before it.
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
