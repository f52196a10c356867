"""Players that read positions in words and answer well, badly and in nonsense."""

from __future__ import annotations

import json

from sapper.agents.registry import make_agent
from sapper.inference.posterior.exact import mine_probabilities
from sapper.text import read_description

GOOD = make_agent("exact", 0)


def good(text: str) -> str:
    return f"Let me see (1, 1).\nopen {GOOD.decide(read_description(text)).cell}"


def bad(text: str) -> str:
    """Open the cell most likely to be a mine."""
    found = mine_probabilities(read_description(text))
    row, col = max(zip(*found.observation.closed.nonzero(), strict=True), key=lambda cell: found.p_mine[cell])
    return json.dumps({"row": int(row), "col": int(col)})


def nonsense(text: str) -> str:
    return "Forty-two."
