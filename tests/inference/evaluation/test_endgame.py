"""Perfect play compiled: the same wins as the readable search, and as brute force over strategies."""

from __future__ import annotations

import numpy as np
import pytest
from effort import times
from guessing import guessing_positions
from perfect import Solver, list_layouts

from sapper import kernels
from sapper.errors import TooHard
from sapper.inference.evaluation import endgame
from sapper.inference.evaluation.choice import How
from sapper.inference.evaluation.decision import Decider, Policy
from sapper.inference.evaluation.endgame import Endgame, EndgameMemory, SearchLimits, solve_position
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels.search.endgame import ALL_GUESSES, THREE_GUESSES
from sapper.observation import Observation


@pytest.mark.oracle
@pytest.mark.parametrize("text", ["4x5/6", "5x5/7 torus", "5x4/5 hex", "5x5/5 knight", "5x5/7 orthogonal"])
def test_every_cell_wins_what_the_readable_search_says(text: str) -> None:
    positions = guessing_positions(text, range(40), 60)[:8]
    assert len(positions) > 5
    for position in positions:
        layouts = list_layouts(position)
        solver = Solver(position.topology, layouts)
        ranked = Endgame(position.topology.n_cells).rank(mine_probabilities(position))
        assert {ending.layouts for ending in ranked} == {len(layouts)}
        for ending in ranked:
            assert ending.wins == solver.wins_at(solver.everything, ending.cell)
        # All cells that are mines in some layouts and clear in others are there.
        mined = np.array([layout.mines.ravel() for layout in layouts])
        unsettled = np.flatnonzero(mined.any(axis=0) & ~mined.all(axis=0)).tolist()
        assert sorted(ending.cell for ending in ranked) == unsettled
        chosen = Decider(position.topology).decide(mine_probabilities(position))
        assert chosen is not None
        assert chosen.wins == ranked[0].wins == solver.value(solver.everything)


N_CELLS = 25


def tried_when_narrow(n_layouts: int) -> int:
    """How many guesses a narrow search tries where so many layouts are left."""
    if n_layouts <= ALL_GUESSES:
        return N_CELLS
    return 3 if n_layouts <= THREE_GUESSES else 2


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("text", ["5x5/6 hex"] if kernels.BUILD == "python" else ["5x5/7", "5x5/7 torus", "5x5/6 hex"])
def test_a_narrow_search_wins_what_the_readable_one_says(text: str) -> None:
    positions = [one for one in guessing_positions(text, range(60), 600) if len(list_layouts(one)) > THREE_GUESSES]
    assert len(positions) > 1
    n_less = 0
    for position in positions[: times(1, 2)]:
        layouts, board = list_layouts(position), position.topology
        memory = EndgameMemory(N_CELLS, len(layouts), 1 << 16, exact=0)
        assert position.total is not None
        seen = mine_probabilities(position).as_position()
        cell = kernels.choose_by_search(memory.search, board.graph, seen, position.total, len(layouts))
        wins = dict(zip(memory.unknown, memory.wins, strict=True))
        narrow = Solver(board, layouts, tried_when_narrow, memory.unknown)
        assert wins == {one: narrow.wins_at(narrow.everything, one) for one in wins}
        perfect = Solver(board, layouts)
        best = {one: perfect.wins_at(perfect.everything, one) for one in wins}
        assert all(wins[one] <= best[one] for one in wins)
        n_less += sum(wins[one] < best[one] for one in wins)
        assert wins[cell] == max(wins.values())
        # Without slack others are only bounded, but the choice is the same.
        assert kernels.choose_by_search(memory.search, board.graph, seen, position.total, 0) == cell
        assert best[cell] >= 0.99 * max(best.values())
    assert n_less


@pytest.mark.slow
def test_play_is_perfect_with_few_layouts_and_nearly_so_with_more() -> None:
    position = next(one for one in guessing_positions("5x5/7 torus", range(60), 600) if len(list_layouts(one)) > 300)
    posterior = mine_probabilities(position)
    exact, beam, neither = (
        Decider(position.topology, Policy(SearchLimits(*limits))).decide(posterior)
        for limits in ((600, 0), (100, 600), (100, 200))
    )
    assert (exact.how, beam.how, neither.how) == (How.EXACT_SEARCH, How.BEAM_SEARCH, How.LOOKAHEAD)
    assert 0.95 * exact.wins < beam.wins <= exact.wins
    assert Endgame(N_CELLS, 600).rank(posterior)
    assert Endgame(N_CELLS, 100, 600).rank(posterior) == []


def test_too_many_layouts_or_states_are_left_to_others() -> None:
    position = Observation.parse("1###/####/#### 4")
    posterior = mine_probabilities(position)
    assert Endgame(12, exact=10).rank(posterior) == []
    assert Endgame(12, exact=400).rank(posterior) != []
    unknown_total = mine_probabilities(Observation.parse("1###/####/####"))
    assert Endgame(12, exact=400).rank(unknown_total) == []
    with pytest.raises(TooHard, match="More than 10 layouts"):
        solve_position(position, 10)


@pytest.mark.parametrize("room", [5, 6])
def test_more_unsure_cells_than_there_is_room_for_are_left_to_others(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endgame, "MAX_UNKNOWN", room)
    position = Observation.parse("2###/#### 3")
    posterior = mine_probabilities(position)
    n_unsure = int(np.count_nonzero((posterior.p_mine > 0) & (posterior.p_mine < 1)))
    assert n_unsure == 7
    assert Endgame(8).rank(posterior) == []
    assert Endgame(8).rank_in_part(posterior) == []
    with pytest.raises(TooHard, match="Too many undecided cells"):
        solve_position(position)
    monkeypatch.setattr(endgame, "MAX_UNKNOWN", n_unsure)
    assert Endgame(8).rank(posterior) != []
    assert solve_position(position).wins > 0


def test_safe_cells_are_opened_first_and_one_layout_is_won() -> None:
    found = solve_position(Observation.parse("2##/2##/1## 3"))
    posterior = mine_probabilities(Observation.parse("2##/2##/1## 3"))
    assert posterior.safe
    assert set(posterior.safe) <= set(found.best)
    layouts = list_layouts(Observation.parse("2##/2##/1## 3"))
    assert found.wins == Solver(posterior.observation.topology, layouts).value((1 << len(layouts)) - 1)
    only = solve_position(Observation.parse("3#/## 3"))
    assert (only.wins, only.layouts) == (1, 1)


def test_the_marks_of_two_scratches_are_the_same() -> None:
    """Decisions may not depend on which player's memory they were made in."""
    position = guessing_positions("6x6/8", range(20), 200)[0]
    posterior = mine_probabilities(position)
    assert Endgame(36).rank(posterior) == Endgame(36).rank(posterior)
