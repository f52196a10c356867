"""Parts of the board that are cut off from the rest: played by themselves they lose nothing of the whole."""

from __future__ import annotations

import math

import pytest
from guessing import guessing_positions
from perfect import Solver

from sapper.agents.registry import make_agent
from sapper.errors import TooHard
from sapper.inference.endgame import Endgame
from sapper.inference.exact import mine_probabilities
from sapper.inference.optimal import list_layouts, solve_position
from sapper.observation import Observation
from sapper.play.best import best_cell

# In the upper right corner, a mine and a clear cell that nothing will ever tell apart; half of the board is unknown.
HALF_AND_FIELD = "00002###/11213#31/2#3#2110/###32111/#####3##/########/########/######## 14"


@pytest.mark.oracle
@pytest.mark.parametrize("text", ["10x10/22 first-opening", "12x12/30 first-opening", "12x12/36 hex first-opening"])
def test_the_best_cell_of_a_part_is_a_best_cell_of_the_whole(text: str) -> None:
    n_found = 0
    for position in guessing_positions(text, range(200), 120):
        posterior = mine_probabilities(position)
        n_layouts = round(math.exp(posterior.log_layouts))
        found = Endgame(position.topology.n_cells).rank_in_part(posterior)
        if not found or found[0].layouts == n_layouts:
            continue
        n_found += 1
        layouts = list_layouts(position)
        solver = Solver(position.topology, layouts)
        best = solver.value(solver.everything)
        assert n_layouts % found[0].layouts == 0
        for ending in found:
            # The chances multiply, so the wins in the whole are as the wins in the part.
            assert solver.wins_at(solver.everything, ending.cell) * found[0].wins == best * ending.wins
        chosen = Endgame(position.topology.n_cells).choose_in_part(posterior)
        assert chosen is not None
        assert chosen.wins == found[0].wins
        # Allowed too few layouts for the whole, it is solved in parts, with the same result if these are few enough.
        try:
            in_parts = solve_position(position, n_layouts - 1)
        except TooHard:
            continue
        whole = solve_position(position)
        assert (in_parts.wins, in_parts.layouts, in_parts.best) == (whole.wins, whole.layouts, whole.best)
        if n_found == 12:
            break
    assert n_found > 2


def test_a_part_whose_number_of_mines_is_open_is_not_cut_off() -> None:
    # The corner above and the corner below share nothing but the mines that are left, and each may have more or fewer.
    position = Observation.parse("00112##/012#4##/01#3##3/13333#2/2##1111/##42211/##2#2#1 13")
    posterior = mine_probabilities(position)
    assert not posterior.safe
    assert Endgame(49).choose_in_part(posterior) is None


def test_a_part_is_played_at_once_and_the_answer_says_why() -> None:
    position = Observation.parse(HALF_AND_FIELD)
    found = best_cell(position, seconds=0.2)
    assert found.cell in {(0, 6), (0, 7)}
    assert [one.cell for one in found.candidates] == [(0, 6), (0, 7)]
    assert "cut off wins 1 of its 2 layouts" in found.chosen.reason
    # Half of the games are lost here, whatever comes after.
    assert found.p_win is not None
    assert 0.1 < found.p_win < 0.5 + 3 * found.chosen.error
    decision = make_agent("expert", 0).decide(position)
    assert decision.cell in {(0, 6), (0, 7)}
    assert "cut off" in decision.reason
