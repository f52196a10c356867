"""A page under a path of its own, as behind a proxy that serves other things too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse

from sapper.errors import InputError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_PREFIX = re.compile(r"(/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+){0,8}", re.ASCII)


def read_prefix(text: str) -> str:
    """Return a prefix as a path without a slash at its end.

    >>> read_prefix("/sapper"), read_prefix("games/sapper/"), read_prefix("/")
    ('/sapper', '/games/sapper', '')
    """
    prefix = f"/{text.strip('/')}".rstrip("/")
    if not _PREFIX.fullmatch(prefix) or len(prefix) > 200:
        raise InputError(f"{text[:60]!r} is not a path; it should look like /sapper.")
    return prefix


class Prefix:
    """Takes the prefix off the path of a request. Some proxies have done so already; that is as good."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix
        self._raw = prefix.encode("ascii")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on by the path that it has without the prefix."""
        path = scope.get("path", "")
        if scope["type"] == "http" and self._prefix:
            if path == self._prefix:
                # Whatever the page names is relative to where it lies, so it lies in a folder.
                await RedirectResponse(f"{self._prefix}/", 308)(scope, receive, send)
                return
            if path.startswith(f"{self._prefix}/"):
                scope = {**scope, "path": path.removeprefix(self._prefix)}
                scope["raw_path"] = (scope.get("raw_path") or b"").removeprefix(self._raw)
        await self._app(scope, receive, send)
