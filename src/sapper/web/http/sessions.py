"""A page under a path of its own, as behind a proxy that serves other things too.

Who is asking: a random token in a cookie, and what the store knows its owner by.
"""

from __future__ import annotations

import hashlib
import re
import secrets
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


COOKIE = "sapper_session"
_BYTES = 24  # 192 bits: nobody guesses one
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}", re.ASCII)
_SECONDS_KEPT = 400 * 24 * 3600  # as long as browsers allow


def new_token() -> str:
    """Make a token for a new visitor, or the name of a new game.

    >>> len(new_token())
    32
    """
    return secrets.token_urlsafe(_BYTES)


def is_token(text: str) -> bool:
    """Whether a text has the form of a token."""
    return _TOKEN.fullmatch(text) is not None


def read_cookie(header: str) -> str | None:
    """Return the token in a cookie header, if there is one.

    >>> read_cookie("theme=dark"), read_cookie("sapper_session=short")
    (None, None)
    """
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE and is_token(value):
            return value
    return None


def write_cookie(token: str, prefix: str = "", is_secure: bool = False) -> str:
    """Return the header that sets the cookie: never sent to another site, never seen by a script.

    Nor is it sent to what else lies on the same machine, if the page lies under a path of its own, nor without
    encryption, if it came with it.
    """
    secure = "; Secure" if is_secure else ""
    return f"{COOKIE}={token}; Max-Age={_SECONDS_KEPT}; Path={prefix or '/'}; HttpOnly; SameSite=Strict{secure}"


def owner_of(token: str) -> str:
    """Return what the store knows a visitor by; whoever reads the store cannot play for them."""
    return hashlib.sha256(token.encode("ascii")).hexdigest()[:32]
