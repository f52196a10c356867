"""Visitors of the soak: their requests, the checks of every response, and the counts."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

SECONDS_TO_ANSWER = 120.0  # more than all limits of the server: exceeded only if it hangs
SECONDS_CONNECTED = 20.0  # when idle; the server closes a connection after 30
MAX_FAULTS = 50  # reported in full
REFUSALS = (503, 507)  # temporarily unavailable, no space

_NUMBER = re.compile(r"\d[\d,.]*")


class Cut(Exception):
    """The connection ended before the response: the request may have been carried out."""


class Reply(NamedTuple):
    """A response."""

    status: int
    kind: str  # of its body
    body: bytes

    @property
    def value(self) -> Any:
        """The value of its JSON."""
        return json.loads(self.body)


@dataclass
class Tally:
    """Counts of responses, and errors."""

    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    refusals: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    n_faults: int = 0

    def note(self, kind: str, status: int, seconds: float) -> None:
        """Count a response."""
        self.statuses[kind][str(status)] += 1
        self.seconds[kind].append(seconds)

    def blame(self, sentence: str) -> None:
        """Record an error."""
        self.n_faults += 1
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(sentence)

    @property
    def n_requests(self) -> int:
        """The number of responses."""
        return sum(sum(counted.values()) for counted in self.statuses.values())


@dataclass
class Scene:
    """What all visitors share."""

    port: int
    tally: Tally
    is_up: asyncio.Event  # the server should be running
    generation: int = 0  # how often it was started
    is_over: bool = False

    async def pause(self, rng: random.Random, mean: float) -> None:
        """Pause; the end of the soak cuts a long pause short."""
        until = time.monotonic() + min(rng.expovariate(1.0 / mean), 4.0 * mean)
        while not self.is_over and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 1.0))


class Visitor(ABC):
    """A visitor with a cookie and a connection."""

    role = "visitor"

    def __init__(self, scene: Scene, rng: random.Random) -> None:
        self.scene = scene
        self.rng = rng
        self.cookie = ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used = 0.0
        self._generation_met = 0

    async def ask(self, kind: str, method: str, path: str, fields: object = None) -> Reply:
        """Send a request and return the response, checked and counted under this kind."""
        body = b"" if fields is None and method == "GET" else json.dumps({} if fields is None else fields).encode()
        return await self.send(kind, method, path, body)

    async def send(self, kind: str, method: str, path: str, body: bytes) -> Reply:
        """Send any body."""
        await self.scene.is_up.wait()
        generation, began = self.scene.generation, time.monotonic()
        try:
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                reply = await self._exchange(method, path, body)
        except TimeoutError:
            self.leave()
            self.scene.tally.blame(f"{kind}: {method} {path} was not answered within {SECONDS_TO_ANSWER:g} seconds.")
            raise Cut from None
        except (OSError, EOFError) as error:
            self.leave()
            if self.scene.is_up.is_set() and generation == self.scene.generation:
                self.scene.tally.blame(f"{kind}: {method} {path} was cut off by a running server ({error!r}).")
            raise Cut from None
        self.scene.tally.note(kind, reply.status, time.monotonic() - began)
        self._check(kind, f"{method} {path} {body[:200]!r}", reply)
        return reply

    async def _exchange(self, method: str, path: str, body: bytes) -> Reply:
        # Connections to a killed server, and those that the server is about to close, are not reused.
        if self._generation_met != self.scene.generation or time.monotonic() - self._used > SECONDS_CONNECTED:
            self.leave()
        if self._streams is None:
            self._generation_met = self.scene.generation
            self._streams = await asyncio.open_connection("127.0.0.1", self.scene.port)
        reader, writer = self._streams
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.scene.port}\r\nContent-Length: {len(body)}\r\n"
        if method != "GET":
            head += "Content-Type: application/json\r\n"
        if self.cookie:
            head += f"Cookie: {self.cookie}\r\n"
        writer.write(head.encode("ascii") + b"\r\n" + body)
        reply, headers = await read_reply(reader, is_bare=method == "HEAD")
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].partition(";")[0]
        if headers.get("connection", "").lower() == "close":
            self.leave()
        self._used = time.monotonic()
        return reply

    def _check(self, kind: str, asked: str, reply: Reply) -> None:
        tally = self.scene.tally
        if reply.status >= 500 and reply.status not in REFUSALS:
            tally.blame(f"{kind}: {asked} was answered with {reply.status}: {reply.body[:200]!r}.")
        if reply.status < 400 or not reply.body:
            return
        said = reply.body.decode("utf-8", "replace")
        if reply.kind == "application/json":
            said = str(json.loads(said).get("error", ""))
        if not said.endswith(".") or "\n" in said:
            tally.blame(f"{kind}: {asked} was refused ({reply.status}) without a sentence: {said[:200]!r}.")
        if reply.status in (429, *REFUSALS):
            tally.refusals[f"{reply.status} {_NUMBER.sub('N', said)[:120]}"] += 1

    def leave(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None

    async def live(self) -> None:
        """Repeat the visitor's action until the soak ends."""
        while not self.scene.is_over:
            # The server was killed; start again.
            with suppress(Cut):
                await self.turn()
        self.leave()

    @abstractmethod
    async def turn(self) -> None:
        """Do one thing."""


async def read_reply(reader: asyncio.StreamReader, is_bare: bool = False) -> tuple[Reply, dict[str, str]]:
    """Read a response and its headers; a bare one has no body, whatever its headers say."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    length = 0 if is_bare else int(headers.get("content-length", "0"))
    body = await reader.readexactly(length)
    return Reply(int(lines[0].split()[1]), headers.get("content-type", "").partition(";")[0], body), headers
