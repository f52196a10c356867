"""How often somebody may ask: a bucket of tokens for each, refilled at a steady rate.

What every request passes first: it must be meant for us, from our own page, small enough and not too frequent.

- The Host must be one of ours. A page elsewhere whose name is made to point at this machine (DNS rebinding) would
  otherwise be our own page to the browser.
- A request to the API must come from our page, or from no page at all. Cookies do not tell: another server on this
  machine is the same site to the browser, whatever its port.
- Bodies are read whole, up to a limit and in a limited time, before anybody looks at them.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections import OrderedDict
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from sapper.errors import InputError
from sapper.web.http.responses import Refusal, refuse
from sapper.web.http.sessions import new_token, owner_of, read_cookie, write_cookie

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from sapper.web.settings import Settings


# Somebody who has not been seen for longer than these many others starts afresh.
MOST_KNOWN = 20_000


class Buckets:
    """So many requests a second each, and as many at once as the bucket holds.

    >>> buckets = Buckets(per_second=1.0, at_once=2, clock=lambda: 0.0)
    >>> [buckets.wait("Ada") for _ in range(3)]
    [0, 0, 1]
    """

    def __init__(self, per_second: float, at_once: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._at_once = at_once
        self._clock = clock
        self._known: OrderedDict[str, tuple[float, float]] = OrderedDict()  # who → tokens left, and when

    def wait(self, who: str) -> int:
        """Take a token; return 0, or after how many seconds there will be one."""
        now = self._clock()
        left, when = self._known.pop(who, (self._at_once, now))
        left = min(self._at_once, left + (now - when) * self._per_second)
        taken = left >= 1.0
        self._known[who] = (left - 1.0 if taken else left, now)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
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

# Bytes of a body: a record may hold thousands of moves with their reasons, a position 40,000 cells, and an answer to a
# puzzle says twice which cells touch: in the link, and in the board that the next puzzle should come from.
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
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._hosts = {"localhost", "127.0.0.1", "[::1]", *(_as_host(name) for name in settings.other_hosts)}
        self._hosts.add(_as_host(settings.host))
        # Rebinding takes a name. Whoever listens everywhere is called by addresses that we do not know, but not by
        # names.
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
            # A websocket is answered as any page that is not there.
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
            # What is left of the body is not read; the connection ends here.
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
            raise Refusal(421, "This server does not answer under that name.")

    def _check_rates(self, scope: Scope, owner: str, is_api: bool, is_new: bool) -> None:
        client = scope.get("client")
        address = client[0] if client else ""
        asked = [(self._by_address, address)]
        if is_api:
            asked.append((self._newcomers, address) if is_new else (self._by_session, owner))
        if is_api and _COMPUTES.search(scope["path"]):
            asked += [(self._computing_by_address, address), (self._computing_by_session, owner)]
        for buckets, who in asked:
            seconds = buckets.wait(who)
            if seconds:
                raise Refusal(429, "That was too much at once; wait a moment.", {"Retry-After": str(seconds)})


def read_proxy(text: str) -> str:
    """Return the address or network of a proxy.

    >>> read_proxy("127.0.0.1"), read_proxy("10.0.0.0/8"), read_proxy("::1")
    ('127.0.0.1', '10.0.0.0/8', '::1')
    """
    try:
        return str(ip_network(text) if "/" in text else ip_address(text))
    except ValueError:
        raise InputError(
            f"{text[:60]!r} is not the address of a proxy; it should look like 127.0.0.1 or 10.0.0.0/8."
        ) from None


def _as_host(name: str) -> str:
    """A name as it stands in a Host header."""
    return f"[{name}]".lower() if ":" in name and not name.startswith("[") else name.lower()


def _is_address(name: str) -> bool:
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _scheme(scope: Scope, headers: Headers) -> str:
    """What the browser speaks: a proxy may speak https for us and say so.

    Another site's page cannot say so: it may not set this header.
    """
    told = headers.get("x-forwarded-proto", "").lower()
    return told if told in ("http", "https") else str(scope.get("scheme", "http"))


def _check_origin(scope: Scope, headers: Headers) -> None:
    """Refuse what another site's page asks for. A program that is no browser says nothing of where it comes from."""
    site = headers.get("sec-fetch-site", "same-origin")
    origin = headers.get("origin")
    own = f"{_scheme(scope, headers)}://{headers.get('host', '')}"
    is_read = scope["method"] in _READS
    if site not in (("same-origin", "none") if is_read else ("same-origin",)) or (
        origin is not None and origin.lower() != own.lower()
    ):
        raise Refusal(403, "Requests from other sites are not answered.")


def _check_type(headers: Headers) -> None:
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "The body should be JSON, with the content type application/json.")


async def _read_body(scope: Scope, headers: Headers, receive: Receive) -> Receive:
    """Read the whole body and return what hands it on."""
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
