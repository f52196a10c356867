"""The first cell of a blank board, by what the rules promise of it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from sapper.agents.best import best_cell
from sapper.errors import InputError
from sapper.inference.evaluation.openings import _Draw, first_cells, rank_first_cells
from sapper.inference.evaluation.rollouts import Effort
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
from sapper.play.compiled import CompiledPlayer
from sapper.rules import Rules
from sapper.topology import topology
from sapper.world.generation import generate_layout


def blank(rows: int, cols: int, mines: int, shape: str = "") -> Observation:
    return Observation.parse("/".join(["#" * cols] * rows) + f" {mines} {shape}")


def share_won(rules: Rules, cell: int, n_games: int) -> float:
    player = CompiledPlayer(rules, "exact")
    first = rules.topology.cell(cell)
    won = [player.play_layout(generate_layout(rules, seed, first), cell).won for seed in range(n_games)]
    return sum(won) / n_games


@pytest.mark.slow
@pytest.mark.parametrize("start", ["any", "safe", "opening"])
def test_games_say_the_same(start: str) -> None:
    position = blank(7, 7, 8)
    posterior, rng = mine_probabilities(position), np.random.default_rng(1)
    ranked = rank_first_cells(posterior, start, Effort(1000, 600.0), rng)
    best = ranked[0]
    assert best.p_win is not None
    assert best.n_games >= 8
    played = share_won(Rules.parse(f"7x7/8 first-{start}"), best.cell, 1500)
    assert abs(played - best.p_win) < 4 * np.hypot(best.error, (played * (1 - played) / 1500) ** 0.5) + 0.01
    assert best.p_mine == (8 / 49 if start == "any" else 0.0)


@pytest.mark.slow
def test_a_promise_is_worth_something() -> None:
    posterior = mine_probabilities(blank(10, 10, 20))
    worth = [
        rank_first_cells(posterior, start, Effort(512, 600.0), np.random.default_rng(0))[0].p_win or 0.0
        for start in ("any", "safe", "opening")
    ]
    assert worth == sorted(worth)
    assert worth[1] > worth[0] + 0.05
    assert worth[2] > worth[1] + 0.05


def test_few_layouts_are_played_perfectly() -> None:
    """By hand: 1 x 3 with one mine. A safe end shows 0 or 1 and settles the rest; a safe middle leaves a coin."""
    position = blank(1, 3, 1)
    safe = best_cell(position, start="safe")
    assert safe.exact
    assert (safe.cell, safe.p_win) in (((0, 0), 1.0), ((0, 2), 1.0))
    assert {one.cell: one.p_win for one in safe.candidates}[0, 1] == pytest.approx(0.5)
    any_cell = best_cell(position, start="any")
    assert any_cell.p_win == pytest.approx(2 / 3)
    assert best_cell(position, start="opening").p_win == pytest.approx(1.0)


def test_layouts_are_drawn_uniformly_and_keep_the_promise() -> None:
    position, rng = blank(2, 3, 2), np.random.default_rng(0)
    for start, clear in (("safe", {0}), ("opening", {0, 1, 3, 4}), ("any", {0})):
        drawn = _Draw(position, start).layouts(0, rng.random((6000, 6)))
        free = sorted(set(range(6)) - clear)
        counts = dict.fromkeys(combinations(free, 2), 0)
        for layout in drawn:
            counts[tuple(np.flatnonzero(layout).tolist())] += 1  # type: ignore[index]
        expected = 6000 / len(counts)
        assert all(abs(n - expected) < 5 * expected**0.5 for n in counts.values())


def test_cells_without_room_for_the_opening_are_left_out() -> None:
    position = blank(3, 3, 5)
    posterior = mine_probabilities(position)
    ranked = rank_first_cells(posterior, "opening", Effort(8, 1.0), np.random.default_rng(0))
    assert {one.cell for one in ranked} == {0, 8}
    assert not _Draw(position, "opening").has_room(4)


@pytest.mark.parametrize("start", ["any", "safe", "opening"])
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 3), (2, 2), (3, 3)])
def test_every_tiny_blank_board_has_a_first_cell_or_says_why_not(start: str, rows: int, cols: int) -> None:
    board = topology("square", rows, cols)
    for total in range(rows * cols + 1):
        position = blank(rows, cols, total)
        room = [cell for cell in range(board.n_cells) if _Draw(position, start).has_room(cell)]
        if total == rows * cols:
            with pytest.raises(InputError, match="Every hidden cell is a mine"):
                best_cell(position, seconds=0.0, start=start)
        elif total and not room:
            with pytest.raises(InputError, match=f"no room for a first cell that opens beside {total} mine"):
                best_cell(position, seconds=0.0, start=start)
        else:
            assert total == 0 or board.index(*best_cell(position, seconds=0.0, start=start).cell) in room


def test_a_flagged_cell_is_not_what_to_open() -> None:
    assert best_cell(Observation.parse("F2#/### 2"), seconds=0.0).cell != (0, 0)
    assert best_cell(Observation.parse("F##/### 2"), seconds=0.0).cell != (0, 0)
    assert [one.cell for one in best_cell(Observation.parse("0F/## 0"), seconds=0.0).candidates] == [(1, 0), (1, 1)]
    # What a game that goes on is worth has nothing to do with flags.
    with_flag, without = (best_cell(Observation.parse(text)) for text in ("F2#/### 2", "#2#/### 2"))
    assert with_flag.p_win == without.p_win == pytest.approx(0.4)
    with pytest.raises(InputError, match=r"The best cells are flagged: \(0, 1\)\. Remove a flag\."):
        best_cell(Observation.parse("0F## 1"), seconds=0.0)


def test_first_cells_are_on_the_board_and_not_flagged() -> None:
    assert first_cells(blank(1, 1, 0)) == [0]
    assert first_cells(blank(4, 5, 3, "torus")) == [0]
    flagged = Observation.parse("F#/## 1")
    assert 0 not in first_cells(flagged)
    board = topology("square", 2, 3)
    assert all(0 <= cell < 6 for cell in first_cells(Observation(board, np.full((2, 3), -1), 1)))


def test_a_start_that_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="A start must be one of any, safe, opening, not 'lucky'"):
        best_cell(blank(3, 3, 2), start="lucky")


def test_a_large_board_is_answered_though_the_time_is_short() -> None:
    """It took minutes. What is asserted is that an answer comes, and that no chance is made up from too few games."""
    found = best_cell(blank(200, 200, 8000), seconds=0.2)
    assert found.p_win is None or found.chosen.n_games >= 8
    assert 0 <= found.cell[0] < 200


def test_a_huge_board_is_answered_by_risk_where_there_is_no_time() -> None:
    cells = np.full((600, 600), -1)
    cells[0, 0] = 1
    found = best_cell(cells, seconds=0.0, mines=72_000)
    assert found.p_win is None
    assert found.chosen.risk == pytest.approx(min(one.risk for one in found.candidates))
