"""The files of the folder ``static`` as they are sent: read and compressed once, under names that change with them.

All files share one version, a hash of everything in the folder, and it stands in their address:
``static/VERSION/common/api.js``. So a browser may keep them for good, modules still import each other by relative
names, and the parts of two versions never meet. Only the page itself and the service worker are asked for every time.
They name everything relative to the page, which may therefore lie under any path.

The page itself: the files of the folder ``static``, and nothing else of this machine.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from sapper.web.http.responses import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request


FOLDER = Path(__file__).parent.parent / "static"
PAGE = "index.html"
WORKER = "app/worker.js"
ICON = "app/icon.svg"

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
_COMPRESSED = {".png", ".woff2", ".ico"}  # as they are
_IMPORT = re.compile(r"\b(?:from\s+|import\s+|import\()[\"'](\.[^\"']+)[\"']")


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file as it is sent."""

    data: bytes
    packed: bytes | None  # by gzip, if that is shorter
    kind: str
    tag: str  # changes with the data


@dataclass(frozen=True, slots=True)
class Site:
    """All files of the page in one version; ``page`` and ``worker`` name the others by it."""

    version: str
    files: dict[str, StaticFile]  # by their names in the folder
    page: StaticFile
    worker: StaticFile


@cache
def read_site() -> Site:
    """Read the folder; once, so that a server whose files are replaced under it goes on with those that it knows."""
    return make_site(
        {
            path.relative_to(FOLDER).as_posix(): path.read_bytes()
            for path in sorted(FOLDER.rglob("*"))
            # No hidden files, nor in hidden folders: an editor's, or the system's.
            if path.suffix in TYPES and path.is_file() and "/." not in f"/{path.relative_to(FOLDER).as_posix()}"
        }
    )


def make_site(contents: dict[str, bytes]) -> Site:
    """Make a site of the contents of files by their names."""
    # Named by lengths too: the same bytes cut differently are something else.
    whole = hashlib.sha256()
    for name, data in sorted(contents.items()):
        whole.update(f"{name} {len(data)}\n".encode() + data)
    version = whole.hexdigest()[:16]
    place = f"static/{version}/"
    scripts = modules_of(contents)
    page = contents[PAGE].decode("utf-8")
    preloads = "".join(f'  <link rel="modulepreload" href="/static/{name}">\n' for name in scripts)
    page = page.replace("</head>", f"{preloads}</head>").replace('"/static/', f'"{place}')
    kept = sorted(set(contents) - {PAGE, WORKER})
    worker = contents[WORKER].decode("utf-8")
    worker = worker.replace('"VERSION"', json.dumps(version)).replace(
        '["FILES"]', json.dumps([place + k for k in kept])
    )
    return Site(
        version,
        {name: _prepare(name, contents[name]) for name in kept},
        _prepare(PAGE, page.encode("utf-8")),
        _prepare(WORKER, worker.encode("utf-8")),
    )


def modules_of(contents: dict[str, bytes], start: str = "main.js") -> list[str]:
    """Return the scripts that a script needs, itself first and the nearest before the rest.

    >>> modules_of({"main.js": b'import { a } from "./x/a.js"', "x/a.js": b'import "../b.js"', "b.js": b""})
    ['main.js', 'x/a.js', 'b.js']
    """
    found = [start]
    for name in found:  # grows meanwhile
        for told in _IMPORT.findall(contents[name].decode("utf-8")):
            meant = _resolve(name, told)
            if meant in contents and meant not in found:
                found.append(meant)
    return found


def _resolve(name: str, told: str) -> str:
    parts = name.split("/")[:-1]
    for part in told.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _prepare(name: str, data: bytes) -> StaticFile:
    suffix = Path(name).suffix
    packed = None if suffix in _COMPRESSED else gzip.compress(data, 9, mtime=0)
    if packed is not None and len(packed) >= len(data):
        packed = None
    return StaticFile(data, packed, TYPES[suffix], hashlib.sha256(data).hexdigest()[:32])


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
