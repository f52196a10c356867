"""Visitors and paths: a random token in a cookie identifies the visitor, and a proxy may add a prefix to paths."""

from __future__ import annotations

import hashlib
import re
import secrets

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sapper.errors import InputError

_PREFIX = re.compile(r"(/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+){0,8}", re.ASCII)


def read_prefix(text: str) -> str:
    """Return a prefix as a path without a slash at its end.

    >>> read_prefix("/sapper"), read_prefix("games/sapper/"), read_prefix("/")
    ('/sapper', '/games/sapper', '')
    """
    prefix = f"/{text.strip('/')}".rstrip("/")
    if not _PREFIX.fullmatch(prefix) or len(prefix) > 200:
        raise InputError(f"{text[:60]!r} is not a path; it must look like /sapper.")
    return prefix


class Prefix:
    """Removes the prefix from the path of a request, unless the proxy has done so."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix
        self._raw = prefix.encode("ascii")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on without the prefix."""
        path = scope.get("path", "")
        if scope["type"] == "http" and self._prefix:
            if path == self._prefix:
                # The page uses relative addresses, so its own must end in a slash.
                await RedirectResponse(f"{self._prefix}/", 308)(scope, receive, send)
                return
            if path.startswith(f"{self._prefix}/"):
                scope = {**scope, "path": path.removeprefix(self._prefix)}
                scope["raw_path"] = (scope.get("raw_path") or b"").removeprefix(self._raw)
        await self._app(scope, receive, send)


COOKIE = "sapper_session"
_BYTES = 24  # 192 bits
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}", re.ASCII)
_SECONDS_KEPT = 400 * 24 * 3600  # as long as browsers allow


def new_token() -> str:
    """Make a token for a new visitor or a new game.

    >>> len(new_token())
    32
    """
    return secrets.token_urlsafe(_BYTES)


def is_token(text: str) -> bool:
    """Return whether a string has the form of a token."""
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
    """Return the header that sets the cookie: never sent to other sites, never visible to scripts.

    With a prefix it is not sent to other paths of the host, and over https it is never sent unencrypted.
    """
    secure = "; Secure" if is_secure else ""
    return f"{COOKIE}={token}; Max-Age={_SECONDS_KEPT}; Path={prefix or '/'}; HttpOnly; SameSite=Strict{secure}"


def owner_of(token: str) -> str:
    """Return the visitor's key in the store: a token hash, from which the token cannot be recovered."""
    return hashlib.sha256(token.encode("ascii")).hexdigest()[:32]
