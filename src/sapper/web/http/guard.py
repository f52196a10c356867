"""The first check of every request: host, origin, rate and size.

- The Host must be one of ours. Otherwise a site whose name is made to point at this machine (DNS rebinding) would be
  our own page to the browser.
- A request to the API must come from our page, or from no page at all. Cookies do not tell: another server on this
  machine is the same site to the browser, whatever its port.
- Each visitor and each address has a token bucket (https://en.wikipedia.org/wiki/Token_bucket).
- Bodies are read whole, within limits of size and time, before they are parsed.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Callable
from ipaddress import ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sapper.errors import InputError
from sapper.web.cache import LruDict
from sapper.web.http.responses import Refusal, refuse
from sapper.web.http.sessions import new_token, owner_of, read_cookie, write_cookie
from sapper.web.settings import Settings

MAX_KNOWN = 20_000  # buckets kept; the least recently used starts again


class Buckets:
    """Token buckets by name: ``per_second`` requests on average, ``at_once`` in a burst.

    >>> buckets = Buckets(per_second=1.0, at_once=2, clock=lambda: 0.0)
    >>> [buckets.wait("Ada") for _ in range(3)]
    [0, 0, 1]
    """

    def __init__(self, per_second: float, at_once: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._at_once = at_once
        self._clock = clock
        self._known: LruDict[str, tuple[float, float]] = LruDict(MAX_KNOWN)  # tokens left, and when

    def wait(self, name: str) -> int:
        """Take a token and return 0, or return the seconds until there is one."""
        now = self._clock()
        left, when = self._known.get(name) or (self._at_once, now)
        left = min(self._at_once, left + (now - when) * self._per_second)
        taken = left >= 1.0
        self._known.put(name, (left - 1.0 if taken else left, now))
        return 0 if taken else max(1, math.ceil((1.0 - left) / self._per_second))


HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

_RAW_HEADERS = [(name.lower().encode("ascii"), value.encode("ascii")) for name, value in HEADERS.items()]

# Bytes of a body. A record may hold thousands of moves with their reasons, a position 40,000 cells, and an answer to a
# puzzle two neighbour tables: in its link and in the board of the next puzzle.
_BODY_LIMITS = {
    **dict.fromkeys(("/api/review", "/api/review/wins", "/api/games/onward"), 4 * 2**20),
    **dict.fromkeys(("/api/analyse", "/api/explain", "/api/best"), 2**18),
    "/api/train/check": 2**15,
}
_BODY_LIMIT = 2**14
_SECONDS_FOR_BODY = 15.0

_READS = ("GET", "HEAD")
_COMPUTES = re.compile(
    r"/api/(analyse|explain|best|watch|review|lab|train|you|daily|games/onward)(/|$)|/(hint|chances|wrong-flags)$"
)
_WILDCARDS = ("", "0.0.0.0", "::")
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^:\[\]\s]+)(?::\d{1,5})?", re.ASCII)


class Guard:
    """The outermost layer of the application (ASGI middleware)."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._hosts = {"localhost", "127.0.0.1", "[::1]", *(_as_host(name) for name in settings.other_hosts)}
        self._hosts.add(_as_host(settings.host))
        # Rebinding takes a name. A server that listens everywhere accepts unknown addresses, but not unknown names.
        self._takes_addresses = settings.host in _WILDCARDS
        self._prefix = settings.prefix
        rate = settings.rate
        self._by_address = Buckets(2000 * rate, 4000 * rate)
        self._by_session = Buckets(40 * rate, 150 * rate)
        self._newcomers = Buckets(40 * rate, 400 * rate)  # by address: a session is not a way around the others
        self._computing_by_address = Buckets(40 * rate, 200 * rate)
        self._computing_by_session = Buckets(6 * rate, 40 * rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            # A websocket is answered like any unknown page.
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        is_api = scope["path"].startswith("/api")
        token = read_cookie(headers.get("cookie", "")) if is_api else None
        is_new = is_api and token is None
        if token is None:
            token = new_token()

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = [*message.get("headers", ()), *_RAW_HEADERS]
                if is_api:
                    sent.append((b"cache-control", b"no-store"))
                # Only here: a link from another site comes without the cookie, and must not replace it.
                if is_new:
                    cookie = write_cookie(token, self._prefix, _scheme(scope, headers) == "https")
                    sent.append((b"set-cookie", cookie.encode("ascii")))
                message = {**message, "headers": sent}
            await send(message)

        try:
            self._check_host(headers)
            self._check_rates(scope, owner_of(token), is_api, is_new)
            if is_api:
                _check_origin(scope, headers)
            if scope["method"] not in _READS:
                _check_type(headers)
                receive = await _read_body(scope, headers, receive)
        except Refusal as refusal:
            # The rest of the body is not read, so the connection must end.
            refusal.headers.setdefault("Connection", "close")
            await refuse(refusal)(scope, receive, send_guarded)
            return
        scope.setdefault("state", {})["owner"] = owner_of(token)
        await self._app(scope, receive, send_guarded)

    def _check_host(self, headers: Headers) -> None:
        told = headers.getlist("host")
        match = _HOST.fullmatch(told[0]) if len(told) == 1 else None
        name = match[1].lower() if match else None
        if name is None or not (name in self._hosts or (self._takes_addresses and _is_address(name))):
            raise Refusal(421, "This server does not accept that host name.")

    def _check_rates(self, scope: Scope, owner: str, is_api: bool, is_new: bool) -> None:
        client = scope.get("client")
        address = client[0] if client else ""
        asked = [(self._by_address, address)]
        if is_api:
            asked.append((self._newcomers, address) if is_new else (self._by_session, owner))
        if is_api and _COMPUTES.search(scope["path"]):
            asked += [(self._computing_by_address, address), (self._computing_by_session, owner)]
        for buckets, name in asked:
            seconds = buckets.wait(name)
            if seconds:
                raise Refusal(429, "Too many requests. Wait a moment and try again.", {"Retry-After": str(seconds)})


def read_proxy(text: str) -> str:
    """Return the address or network of a proxy.

    >>> read_proxy("127.0.0.1"), read_proxy("10.0.0.0/8"), read_proxy("::1")
    ('127.0.0.1', '10.0.0.0/8', '::1')
    """
    try:
        return str(ip_network(text) if "/" in text else ip_address(text))
    except ValueError:
        raise InputError(
            f"{text[:60]!r} is not the address of a proxy; it must look like 127.0.0.1 or 10.0.0.0/8."
        ) from None


def _as_host(name: str) -> str:
    """Return a name as in a Host header."""
    return f"[{name}]".lower() if ":" in name and not name.startswith("[") else name.lower()


def _is_address(name: str) -> bool:
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _scheme(scope: Scope, headers: Headers) -> str:
    """Return the scheme that the browser uses; a proxy may handle https for us and set a header.

    A page of another site cannot set this header.
    """
    told = headers.get("x-forwarded-proto", "").lower()
    return told if told in ("http", "https") else str(scope.get("scheme", "http"))


def _check_origin(scope: Scope, headers: Headers) -> None:
    """Refuse requests from pages of other sites. Programs other than browsers send no origin."""
    site = headers.get("sec-fetch-site", "same-origin")
    origin = headers.get("origin")
    own = f"{_scheme(scope, headers)}://{headers.get('host', '')}"
    is_read = scope["method"] in _READS
    if site not in (("same-origin", "none") if is_read else ("same-origin",)) or (
        origin is not None and origin.lower() != own.lower()
    ):
        raise Refusal(403, "Requests from other sites are not accepted.")


def _check_type(headers: Headers) -> None:
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "The body must be JSON, with the content type application/json.")


async def _read_body(scope: Scope, headers: Headers, receive: Receive) -> Receive:
    """Read the whole body and return a `Receive` that passes it on."""
    limit = _BODY_LIMITS.get(scope["path"], _BODY_LIMIT)
    too_large = Refusal(413, f"The body is too large; the limit is {limit // 1024:,} KiB.")
    told = headers.get("content-length", "0")
    if told.isascii() and told.isdecimal() and int(told[:12]) > limit:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(_SECONDS_FOR_BODY):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refusal(400, "The body ended too early.")
                body += message.get("body", b"")
                if len(body) > limit:
                    raise too_large
                if not message.get("more_body", False):
                    break
    except TimeoutError:
        raise Refusal(408, "The body took too long to arrive.") from None
    handed_on = False

    async def hand_on() -> Message:
        nonlocal handed_on
        if handed_on:
            return await receive()
        handed_on = True
        return {"type": "http.request", "body": bytes(body), "more_body": False}

    return hand_on
