"""What docs/api.md shows is what the server answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from visitor import Visitor

PAGE = Path(__file__).parent.parent.parent / "docs" / "api.md"
ANYTHING = "…"


def fits(told: Any, shown: Any) -> bool:
    """Whether an answer is the one that is shown, in which … stands for anything, or for more of the same."""
    if shown == ANYTHING:
        return True
    if isinstance(shown, dict) and isinstance(told, dict):
        if ANYTHING not in shown and set(told) != set(shown):
            return False
        return all(name == ANYTHING or (name in told and fits(told[name], value)) for name, value in shown.items())
    if isinstance(shown, list) and isinstance(told, list):
        if shown and shown[-1] == ANYTHING:
            shown = shown[:-1]
            told = told[: len(shown)]
        return len(told) == len(shown) and all(map(fits, told, shown))
    return bool(told == shown)


def test_every_example_is_true(visitor: Visitor) -> None:
    blocks = re.findall(r"```http\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    latest: dict[str, object] = {}
    for block in blocks:
        asked, _, answered = block.partition("\n\n")
        line, _, body = asked.partition("\n")
        method, path = line.split()
        area = path.split("/")[2]
        path = path.replace("{id}", str(latest.get(area, "")))
        status, _, shown = answered.partition("\n")
        reply = visitor.ask(method, path, body.encode() if method == "POST" else None)
        assert reply.status == int(status), (line, reply)
        told = reply.value
        assert fits(told, json.loads(shown)), (line, told)
        if isinstance(told, dict) and "id" in told:
            latest[area] = told["id"]
    assert len(blocks) > 15


def test_every_route_is_documented() -> None:
    from sapper.web.server import _ROUTES

    text = PAGE.read_text(encoding="utf-8")
    for route in _ROUTES:
        if route.path.startswith("/api"):
            path = re.sub(r"\{\w+\}", "{id}", route.path)
            assert path in text, path


def test_what_fits_and_what_does_not() -> None:
    assert fits({"a": [1, 2, 3]}, {"a": [1, "…"]})
    assert not fits({"a": 1, "b": 2}, {"a": 1})
    assert fits({"a": 1, "b": 2}, {"a": 1, "…": "…"})
    assert not fits({"a": 2}, {"a": 1})
    assert not fits({}, {"a": 1, "…": "…"})
