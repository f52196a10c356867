"""The page itself: the files of the folder ``static``, and nothing else of this machine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from sapper.web.requests.answers import Refusal
from sapper.web.requests.files import ICON, StaticFile, read_site

if TYPE_CHECKING:
    from starlette.requests import Request

# Asked for again every time, and sent again only if it has changed.
_FRESH = "no-cache"
_FOR_GOOD = "public, max-age=31536000, immutable"
_VERSIONED = re.compile(r"([0-9a-f]{16})/(.+)", re.ASCII)


async def index(request: Request) -> Response:
    """The page."""
    return _send(request, read_site().page, _FRESH)


async def worker(request: Request) -> Response:
    """The service worker; from here, because it may only act on what lies beside or below it."""
    return _send(request, read_site().worker, _FRESH)


async def favicon(request: Request) -> Response:
    """The icon that browsers ask for unasked."""
    return _send(request, read_site().files[ICON], _FRESH)


async def static(request: Request) -> Response:
    """A part of the page: of this version to be kept, without a version to be asked for again."""
    site = read_site()
    name = request.path_params["name"]
    versioned = _VERSIONED.fullmatch(name)
    # A part of another version does not fit; the page that asks for it has to be loaded again.
    file = site.files.get(name if versioned is None else versioned[2] if versioned[1] == site.version else "")
    if file is None:
        raise Refusal(404, "There is no such page.")
    return _send(request, file, _FRESH if versioned is None else _FOR_GOOD)


def _send(request: Request, file: StaticFile, caching: str) -> Response:
    takes_gzip = any(
        part.split(";")[0].strip().lower() == "gzip" and not re.search(r";\s*q=0(\.0*)?\s*$", part)
        for part in request.headers.get("accept-encoding", "").split(",")
    )
    packed = file.packed if takes_gzip else None
    tag = f'"{file.tag}{"-gzip" if packed else ""}"'
    headers = {"ETag": tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    # A proxy that compresses for us marks the tag as weak.
    if tag in (told.strip().removeprefix("W/") for told in request.headers.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=headers)
    if packed is not None:
        headers["Content-Encoding"] = "gzip"
    return Response(file.data if packed is None else packed, media_type=file.kind, headers=headers)


ROUTES = [
    Route("/", index, methods=["GET"]),
    Route("/worker.js", worker, methods=["GET"]),
    Route("/favicon.ico", favicon, methods=["GET"]),
    Route("/static/{name:path}", static, methods=["GET"]),
]
