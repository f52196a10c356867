"""The files of the folder ``static`` as they are sent: read and compressed once, under names that change with them.

All files share one version, a hash of everything in the folder, and it stands in their address:
``static/VERSION/common/api.js``. So a browser may keep them for good, modules still import each other by relative
names, and the parts of two versions never meet. Only the page itself and the service worker are asked for every time.
They name everything relative to the page, which may therefore lie under any path.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

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
