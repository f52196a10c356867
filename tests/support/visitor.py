"""A real server in a process of its own, and visitors who talk to it as a browser does."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from command import SAPPER
from processes import PATIENCE


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]  # names in lower case
    body: bytes

    @property
    def value(self) -> Any:
        return json.loads(self.body)


class Server:
    """A running ``sapper serve``."""

    command: tuple[str, ...] = (str(SAPPER),)

    def __init__(self, folder: Path, *options: str, port: int = 0) -> None:
        self.folder = folder
        arguments = ["serve", "--port", str(port), "--data", str(folder), *options]
        self.process = subprocess.Popen(
            [*self.command, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            raise AssertionError(self.process.communicate(timeout=PATIENCE)[1])
        self.port = int(urlsplit(self.address).port or 0)

    def kill(self) -> None:
        """End the server without a warning, and it alone."""
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)

    def stop(self) -> str:
        """End it as Ctrl-C does; what it said on standard error."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.communicate(timeout=PATIENCE)[1]
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise

    def visitor(self) -> Visitor:
        return Visitor(self.port)


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Server]:
    server = Server(folder, *options)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


class Visitor:
    """Somebody with a cookie jar, who keeps every answer."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = ""
        self.replies: list[Reply] = []

    def ask(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        sent = {"Cookie": self.cookie} if self.cookie else {}
        if body is not None:
            sent["Content-Type"] = "application/json"
        try:
            connection.request(method, path, body, sent | (headers or {}))
            answer = connection.getresponse()
            reply = Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()
        if "set-cookie" in reply.headers:
            self.cookie = reply.headers["set-cookie"].partition(";")[0]
        self.replies.append(reply)
        return reply

    def get(self, path: str) -> Any:
        reply = self.ask("GET", path)
        assert reply.status == 200, reply
        return reply.value

    def post(self, path: str, status: int = 200, **fields: object) -> Any:
        reply = self.ask("POST", path, json.dumps(fields).encode())
        assert reply.status == status, reply
        return reply.value

    def post_any(self, path: str, fields: object) -> int:
        """Post something and return the status, whatever it is."""
        return self.ask("POST", path, json.dumps(fields).encode()).status

    def begin(self, rules: str, **fields: object) -> Any:
        return self.post("/api/games", 201, rules=rules, **fields)

    def move(self, game: Any, action: str, row: int, col: int, status: int = 200) -> Any:
        return self.post(f"/api/games/{game['id']}/moves", status, action=action, row=row, col=col)
