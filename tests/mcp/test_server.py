"""The tools through the SDK's own client, over standard streams, over HTTP and in memory.

The SDK is imported by these tests alone: that takes longer than reading all the others.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from command import SAPPER, complaint

from sapper.agents.registry import make_agent
from sapper.observation import Observation
from sapper.play.match import play_match
from sapper.world.game import Game

pytestmark = pytest.mark.slow

NAMES = {"validate", "analyse", "explain", "best_move", "judge_guess", "review", "generate", "play"}
Ask = Callable[..., Awaitable[str]]


def session(server: Any, work: Callable[[Ask, Any], Awaitable[None]]) -> None:
    """Connect a client to a server and let it work."""
    from mcp.client.client import Client

    async def connect() -> None:
        with anyio.fail_after(120):
            async with Client(server) as client:

                async def ask(tool: str, *, wrong: bool = False, **arguments: Any) -> str:
                    result = await client.call_tool(tool, arguments)
                    assert bool(result.is_error) == wrong, result.content
                    (content,) = result.content
                    assert content.type == "text"
                    return content.text

                await work(ask, client)

    anyio.run(connect)


async def _use_everything(ask: Ask, client: Any) -> None:
    listed = (await client.list_tools()).tools
    assert {tool.name for tool in listed} == NAMES
    # Small enough for a context, tools and answers.
    assert sum(len(tool.model_dump_json()) for tool in listed) < 6000
    assert json.loads(await ask("validate", position="01#/02#/02# 2"))["valid"]
    wrong = json.loads(await ask("validate", position="1#/1# 2"))
    assert not wrong["valid"]
    assert wrong["why"].endswith(".")
    found = json.loads(await ask("analyse", position="01#/02#/02# 2"))
    assert found == {"safe": [[0, 2]], "mines": [[1, 2], [2, 2]], "undecided": 0}
    assert "safe because" in await ask("explain", position="01#/02#/02# 2", row=0, col=2)
    best = json.loads(await ask("best_move", position="1##/### 2", seconds=0.2))
    assert best["open"] == [0, 1]
    assert best["candidates"][0]["p_win"] == pytest.approx(1 / 3, abs=1e-4)
    assert json.loads(await ask("judge_guess", position="#1001##/#1001## 2", row=0, col=0))["verdict"] == "swap"
    record = play_match(Game("beginner", seed=4), make_agent("random", 4))
    told = await ask("review", record=str(record))
    assert told.startswith("9x9/10: ")
    board = json.loads(await ask("generate", board="5x5/4", seed=3, no_guess=True))
    assert board["layout"].count("*") == 4
    assert len(await ask("analyse", position="/".join(["#" * 30] * 16) + " 99")) < 1500


async def _err(ask: Ask, _client: Any) -> None:
    assert "is not one of" in await ask("analyse", position="1?/## 1", wrong=True)
    assert "open already" in await ask("explain", position="1#/## 1", row=0, col=0, wrong=True)
    assert "There is no game 'x'" in await ask("play", game="x", wrong=True)
    assert "the limit is 2,500" in await ask("play", board="100x100/99", wrong=True)
    assert "seconds must be" in await ask("best_move", position="1#/## 1", seconds=1e9, wrong=True)
    await ask("review", record="nonsense", wrong=True)
    assert await ask("analyse", wrong=True) == "The argument position is missing."
    said = await ask("explain", position="1#/## 1", row=1.5, col=0, wrong=True)
    assert said == "The argument row should be a valid integer, got a number with a fractional part."
    assert await ask("review", record=7, wrong=True) == "The argument record should be a valid string."
    assert "names no cell" in await ask("play", move="hello", wrong=True)


async def _play(ask: Ask, _client: Any) -> None:
    state = json.loads(await ask("play", board="5x5/4"))
    assert set(state) == {"game", "position", "outcome"}
    agent, game = make_agent("exact", 0), state["game"]
    while state["outcome"] == "playing":
        assert set(state) == {"game", "position", "outcome"}  # neither mines nor seed
        cell = agent.decide(Observation.parse(state["position"])).cell
        state = json.loads(await ask("play", game=game, move=f"open {cell}"))
    assert state["layout"].count("*") == 4
    assert state["outcome"] in ("won", "lost")
    row, col = divmod(state["position"].replace("/", "").index("#"), 5)
    assert "The game is over" in await ask("play", game=game, move=f"open ({row}, {col})", wrong=True)


@pytest.mark.parametrize("work", [_use_everything, _err, _play])
def test_the_tools_answer_a_client(work: Callable[[Ask, Any], Awaitable[None]]) -> None:
    from sapper.mcp.server import make_server

    session(make_server(), work)


def test_the_command_speaks_on_standard_streams() -> None:
    from mcp.client.stdio import stdio_client

    from mcp import StdioServerParameters

    session(stdio_client(StdioServerParameters(command=str(SAPPER), args=["mcp"])), _play)


def test_the_command_speaks_http_on_loopback() -> None:
    with subprocess.Popen([SAPPER, "mcp", "--http", "0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:")
            session(address, _use_everything)
        finally:
            process.terminate()


def test_a_taken_port_is_a_sentence() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "in use" in complaint("mcp", "--http", str(taken.getsockname()[1]))
