"""The page itself: the files of the folder ``static``, and nothing else of this machine."""

from __future__ import annotations

import asyncio
import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from sapper.web.requests.answers import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

FOLDER = Path(__file__).parent.parent / "static"

# Told here rather than looked up: the system's table differs from machine to machine.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
# Names that begin with a letter, folder by folder: no way up, and no hidden files.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*(/[A-Za-z0-9][A-Za-z0-9_.-]*){0,5}", re.ASCII)


async def index(request: Request) -> Response:
    """The page."""
    return await _file(request, "index.html")


async def favicon(request: Request) -> Response:
    """The icon that browsers ask for unasked."""
    return await _file(request, "icon.svg")


async def static(request: Request) -> Response:
    """A part of the page."""
    return await _file(request, request.path_params["name"])


async def _file(request: Request, name: str) -> Response:
    kind = TYPES.get(Path(name).suffix) if _NAME.fullmatch(name) and len(name) < 200 else None
    data = await asyncio.to_thread(_read, name) if kind else None
    if data is None or kind is None:
        raise Refusal(404, "There is no such page.")
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    # Asked for again every time, and sent again only if it has changed: an update is never mixed with old parts.
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=kind, headers=headers)


def _read(name: str) -> bytes | None:
    path = FOLDER / name
    try:
        return path.read_bytes() if path.resolve().is_relative_to(FOLDER.resolve()) else None
    except OSError:
        return None


ROUTES = [
    Route("/", index, methods=["GET"]),
    Route("/favicon.ico", favicon, methods=["GET"]),
    Route("/static/{name:path}", static, methods=["GET"]),
]
