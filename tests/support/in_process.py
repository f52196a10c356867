"""The application in the process of the test, and a visitor who asks it without a network: faults can be put in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.types import Message, Scope

from sapper.web.http.sessions import COOKIE, new_token
from sapper.web.server import create_app
from sapper.web.services import Services
from sapper.web.settings import Settings


class Guest:
    """Somebody with a session."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self.services: Services = app.state.services
        self.token = new_token()

    async def ask(self, method: str, path: str, **fields: object) -> tuple[int, Any]:
        """Ask, and return the status and the value, or the bytes of what is no JSON."""
        where, _, query = path.partition("?")
        headers = {"host": "localhost", "cookie": f"{COOKIE}={self.token}", "content-type": "application/json"}
        scope: Scope = {
            "type": "http", "http_version": "1.1", "method": method, "path": where, "raw_path": where.encode(),
            "query_string": query.encode(), "root_path": "", "scheme": "http", "server": ("localhost", 80),
            "client": ("127.0.0.1", 1), "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": json.dumps(fields).encode(), "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        body = b"".join(message.get("body", b"") for message in sent)
        kind = dict(sent[0]["headers"])[b"content-type"]
        return sent[0]["status"], json.loads(body) if kind == b"application/json" else body

    async def begin(self, rules: str, **fields: object) -> Any:
        status, state = await self.ask("POST", "/api/games", rules=rules, **fields)
        assert status == 201, state
        return state


@asynccontextmanager
async def visiting(folder: Path) -> AsyncIterator[Guest]:
    """A guest of an application that runs meanwhile."""
    app = create_app(Settings(folder=folder, workers=1, rate=1000.0))
    async with app.router.lifespan_context(app):
        yield Guest(app)


async def settle() -> None:
    """Let everything go on that need not wait for a thread."""
    for _ in range(20):
        await asyncio.sleep(0)
