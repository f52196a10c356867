"""The tools as a server of the official SDK, over standard streams or HTTP on loopback."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from sapper.errors import MissingExtra, SapperError
from sapper.mcp.tools import TOOLS, RunningGames
from sapper.version import __version__

try:
    from mcp.server.mcpserver import MCPServer
    from mcp_types import CallToolResult, TextContent
except ImportError:
    raise MissingExtra("Tools for assistants need the MCP SDK: pip install 'sapper[mcp]'.") from None


INSTRUCTIONS = """\
Exact Minesweeper. Cells are (row, col), counted from 0. A position is one line: rows joined by /, # for a hidden cell,
a digit for a clue, F for a flag, then the number of mines: 01#/02#/02# 2. A board is a name (beginner, intermediate,
expert) or rows x cols / mines such as 8x8/10."""

LOOPBACK = "127.0.0.1"


def make_server() -> MCPServer[Any]:
    """Return a server with every tool; each has its own games."""
    server: MCPServer[Any] = MCPServer("sapper", instructions=INSTRUCTIONS, version=__version__, log_level="ERROR")
    for tool in (*TOOLS, RunningGames().play):
        server.tool(structured_output=False)(_answering(tool))
    return server


def _answering(tool: Callable[..., str]) -> Callable[..., Any]:
    """Return the tool with its errors as answers of one sentence."""

    @wraps(tool)
    def answer(*arguments: Any, **named: Any) -> Any:
        try:
            return tool(*arguments, **named)
        except SapperError as error:
            return CallToolResult(content=[TextContent(type="text", text=str(error))], is_error=True)

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
