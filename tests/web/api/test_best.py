"""The best cell of a position through the API."""

from __future__ import annotations

import pytest
from visitor import Visitor

from sapper.agents.best import best_cell
from sapper.observation import Observation

GUESS = "1####/#####/###3#/##### 7"


def test_exact_chances_are_those_of_the_library(visitor: Visitor) -> None:
    told = visitor.post("/api/best", position="1##/### 2")
    assert told == best_cell(Observation.parse("1##/### 2")).as_plain_values()
    assert told["exact"]
    assert told["p_win"] == pytest.approx(1 / 3)


def test_a_safe_cell_is_the_best(visitor: Visitor) -> None:
    told = visitor.post("/api/best", position="001#/001#/0011/0000 1", seconds=0)
    assert (told["certain"], told["cell"], told["p_win"]) == (True, [0, 3], 1.0)
    assert [one["risk"] for one in told["candidates"]] == [0.0]


def test_estimates_come_with_games_and_errors(visitor: Visitor) -> None:
    told = visitor.post("/api/best", position=GUESS, seconds=1)
    assert not told["certain"]
    assert not told["exact"]
    chosen = next(one for one in told["candidates"] if one["cell"] == told["cell"])
    assert chosen["games"] > 0
    assert 0 < chosen["error"] < 0.2
    assert 0 < chosen["p_win"] < 1


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"position": "1##/###"}, "known number of mines"),
        ({"position": "00/00 0"}, "Every cell is open already."),
        ({"position": "1#/## 2"}, "cannot both hold"),
        ({"position": "1##/### 2", "seconds": 11}, "from 0 to 10"),
        ({"position": "1##/### 2", "start": "lucky"}, "any, safe, opening"),
        ({"position": "/".join(["#" * 51] * 50) + " 400"}, "2,500 cells"),
        ({}, "'position' must be a string"),
    ],
)
def test_what_cannot_be_answered_is_a_sentence(fields: dict[str, object], says: str, visitor: Visitor) -> None:
    assert says in visitor.post("/api/best", 422, **fields)["error"]
