"""The tools as a server of the official SDK, over standard streams or HTTP on loopback."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import Any

from sapper.errors import MissingExtra, SapperError
from sapper.inference.posterior.limits import time_limit
from sapper.mcp.tools import TOOLS, RunningGames
from sapper.version import __version__

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import CallToolResult, TextContent
    from pydantic import ValidationError
except ImportError:
    raise MissingExtra("Tools for assistants need the MCP SDK: pip install 'sapper[mcp]'.") from None


INSTRUCTIONS = """\
Exact Minesweeper. Cells are (row, col), counted from 0. A position is one line: rows joined by /, # for a hidden cell,
a digit for a clue, F for a flag, then the number of mines: 01#/02#/02# 2. A board is a name (beginner, intermediate,
expert) or rows x cols / mines such as 8x8/10."""

LOOPBACK = "127.0.0.1"
MAX_SECONDS = 15.0  # that the sums of a call may take


class AssistantServer(MCPServer[Any]):
    """The SDK's server with errors of one sentence."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool; an error is an answer."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            return CallToolResult(content=[TextContent(type="text", text=_describe(error))], is_error=True)


def _describe(error: ToolError) -> str:
    """Say what is wrong: with a position, a move or a game, or with the arguments of a call."""
    cause = error.__cause__
    if not isinstance(cause, ValidationError):
        return str(cause if isinstance(cause, SapperError) else error)
    wrong = cause.errors()[0]
    name = ".".join(map(str, wrong["loc"]))
    if wrong["type"] == "missing":
        return f"The argument {name} is missing."
    return f"{wrong['msg'].replace('Input', f'The argument {name}', 1)}."


def make_server() -> AssistantServer:
    """Return a server with every tool; each has its own games."""
    server = AssistantServer("sapper", instructions=INSTRUCTIONS, version=__version__, log_level="ERROR")
    for tool in (*TOOLS, RunningGames().play):
        server.tool(structured_output=False)(_limited(tool))
    return server


def _limited(tool: Callable[..., str]) -> Callable[..., str]:
    """Return the tool with an end to its sums."""

    @wraps(tool)
    def answer(*arguments: Any, **named: Any) -> str:
        with time_limit(perf_counter() + MAX_SECONDS):
            return tool(*arguments, **named)

    return answer


def run_http(port: int, when_ready: Callable[[str], None]) -> None:
    """Serve on loopback until Ctrl-C; ``when_ready`` gets the address once it answers."""
    import socket

    import uvicorn

    listening = socket.create_server((LOOPBACK, port))
    port = listening.getsockname()[1]
    app = make_server().streamable_http_app(stateless_http=True, json_response=True, host=LOOPBACK)
    when_ready(f"http://{LOOPBACK}:{port}/mcp")
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])
