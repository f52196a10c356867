"""A scripted model for real rollouts of `verifiers`: an OpenAI-compatible endpoint, and a harness without programs.

`verifiers` imports this module as the harness ``chat``.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import verifiers.v1 as vf
from mcp.client.client import Client

Messages = list[dict[str, Any]]
Answer = Callable[[Messages, bool], dict[str, Any]]  # the messages, whether there are tools → the model's message

__all__ = ["ChatHarness"]


class ChatHarness(vf.Harness[vf.HarnessConfig]):  # type: ignore[misc]
    """Talks to the model in this process, as ``null`` does in one of its own."""

    APPENDS_SYSTEM_PROMPT = SUPPORTS_MCP = SUPPORTS_RESUME = True
    EXECUTES_CODE = NEEDS_CONTAINER = False

    async def launch(
        self, ctx: Any, _trace: Any, _runtime: Any, endpoint: str, secret: str, mcp_urls: dict[str, str], data: Any
    ) -> vf.ProgramResult:
        system, prompt = self.resolve_prompt(data)
        begins = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else [m.model_dump() for m in prompt]
        messages: Messages = [{"role": "system", "content": system}, *begins]
        async with httpx.AsyncClient(timeout=60, headers={"Authorization": f"Bearer {secret}"}) as http:

            async def ask(**tools: Any) -> dict[str, Any]:
                asked = {"model": ctx.model, "messages": messages, **tools}
                found = await http.post(f"{endpoint}/chat/completions", json=asked)
                # A refused turn means that the task has stopped.
                message: dict[str, Any] = found.json()["choices"][0]["message"] if found.is_success else {}
                messages.append(message)
                return message

            if not mcp_urls:
                await ask()
                return vf.ProgramResult(exit_code=0, stdout="", stderr="")
            (url,) = mcp_urls.values()
            async with Client(url) as server:
                listed = (await server.list_tools()).tools
                tools = [
                    {"type": "function", "function": {"name": one.name, "parameters": one.input_schema}}
                    for one in listed
                ]
                while calls := (await ask(tools=tools)).get("tool_calls"):
                    for call in calls:
                        arguments = json.loads(call["function"]["arguments"])
                        (content,) = (await server.call_tool(call["function"]["name"], arguments)).content
                        assert content.type == "text"
                        messages.append({"role": "tool", "tool_call_id": call["id"], "content": content.text})
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


@contextmanager
def endpoint(answer: Answer) -> Iterator[str]:
    """Serve a model on loopback; yield its base address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message = {"role": "assistant", "content": None} | answer(asked["messages"], bool(asked.get("tools")))
            reason = "tool_calls" if message.get("tool_calls") else "stop"
            body = {
                "id": "x", "object": "chat.completion", "created": 0, "model": "scripted",
                "choices": [{"index": 0, "message": message, "finish_reason": reason}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }  # fmt: skip
            data = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
