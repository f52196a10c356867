"""Perfect play: known values, and the same by brute force over whole strategies."""

from __future__ import annotations

import json
from functools import cache

import pytest
from command import complaint, run
from perfect import list_layouts

from sapper.errors import Contradiction, InputError, TooHard
from sapper.inference.evaluation.endgame import solve_board, solve_position
from sapper.observation import Observation
from sapper.topology import Topology, topology

# Rows, columns, mines → wins, layouts with a safe first cell, a best first cell.
KNOWN = {
    (3, 3, 2): (24, 28, (0, 1)),
    (3, 3, 3): (33, 56, (0, 0)),
    (4, 4, 2): (102, 105, (0, 0)),
    (4, 4, 3): (400, 455, (0, 0)),
    (4, 4, 4): (961, 1365, (0, 1)),  # on an edge, not in a corner
    (5, 4, 3): (864, 969, (0, 0)),
    (4, 4, 5): (1461, 3003, (0, 1)),
    (4, 4, 6): (1584, 5005, (0, 1)),
    (5, 4, 4): (2950, 3876, (0, 0)),
    (5, 5, 3): (1798, 2024, (0, 0)),
}


@pytest.mark.slow
@pytest.mark.parametrize("board", KNOWN)
def test_known_values_of_small_boards(board: tuple[int, int, int]) -> None:
    rows, cols, mines = board
    wins, layouts, first = KNOWN[board]
    found = solve_board(topology("square", rows, cols), mines)
    assert (found.wins, found.layouts) == (wins, layouts)
    assert first in found.best


def test_a_known_position() -> None:
    found = solve_position(Observation.parse("#####/#1###/#3###/##### 5"))
    assert (found.wins, found.layouts, found.best) == (285, 360, ((0, 2),))


def naive_value(board: Topology, layouts: frozenset[frozenset[int]], opened: frozenset[int]) -> int:
    """The best strategy with nothing clever: every cell, every clue, open cells kept apart from what is known."""

    @cache
    def value(left: frozenset[frozenset[int]], seen: frozenset[int]) -> int:
        won = sum(len(seen | layout) == board.n_cells for layout in left)
        if won:
            # All safe cells are open in one of them, and whoever sees that knows it.
            return 1 if len(left) == 1 else max_over_cells(left, seen)
        return max_over_cells(left, seen)

    def max_over_cells(left: frozenset[frozenset[int]], seen: frozenset[int]) -> int:
        best = 0
        for cell in range(board.n_cells):
            if cell in seen:
                continue
            by_clue: dict[int, set[frozenset[int]]] = {}
            for layout in left:
                if cell not in layout:
                    clue = sum(other in layout for other in board.neighbours_of(cell))
                    by_clue.setdefault(clue, set()).add(layout)
            best = max(best, sum(value(frozenset(part), seen | {cell}) for part in by_clue.values()))
        return best

    return value(layouts, opened)


@pytest.mark.parametrize(
    "text",
    [
        "##/## 1",
        "1##/### 1",
        "1##/### 2",
        "#2#/### 2",
        "##/##/## 2",
        "##1/### 3 hex",
        "##1/### 2 knight",
        "##1/### 3 orthogonal",
    ],
)
def test_the_same_as_trying_every_strategy(text: str) -> None:
    position = Observation.parse(text)
    layouts = frozenset(frozenset(layout.mine_numbers()) for layout in list_layouts(position))
    opened = frozenset(cell for cell, code in enumerate(position.cells.ravel().tolist()) if code >= 0)
    assert solve_position(position).wins == naive_value(position.topology, layouts, opened)


def test_what_cannot_be_solved_is_said() -> None:
    with pytest.raises(TooHard, match="more than 100,000"):
        solve_board(topology("square", 9, 9), 10)
    with pytest.raises(TooHard, match="More than 10 layouts"):
        solve_position(Observation.parse("1###/#### 3"), 10)
    with pytest.raises(InputError, match="number of mines"):
        solve_position(Observation.parse("1#/##"))
    with pytest.raises(Contradiction, match="No layout"):
        solve_position(Observation.parse("1#/## 3"))


def test_the_command() -> None:
    done = run("best", "3x3/2", "--exact", "--json")
    assert json.loads(done.stdout) == {"wins": 24, "layouts": 28, "best": [[0, 1]]}
    assert "Perfect play wins 1 of 2 layouts (50.00%)" in run("best", "1#/#1 1", "--exact").stdout
    assert "'round'" in complaint("best", "3x3/2 round", "--exact")
    assert "first cell is an opening" in complaint("best", "4x4/4 first-opening", "--exact")
    assert "has other rules" in complaint("best", "4x4/4 survey", "--exact")
    promised, free = (
        json.loads(run("best", f"3x3/2 {first}", "--exact", "--json").stdout) for first in ("", "first-any")
    )
    assert (promised["layouts"], free["layouts"]) == (28, 36)
    given_up = run("best", "5x4/6", "--exact")
    assert given_up.returncode == 3
    assert given_up.stderr == "sapper: There are 38,760 layouts, more than 20,000; see --limit.\n"
