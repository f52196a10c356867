"""Boards of one's own: any table of neighbours, up to fifteen each, against brute force."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import ask_brute_force
from own_boards import random_board

from sapper.agents.best import best_cell
from sapper.agents.registry import AGENTS, make_agent
from sapper.channel import Channel
from sapper.errors import Contradiction, InputError
from sapper.inference.posterior.batch import mine_probabilities_many
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.reference import posterior
from sapper.inference.proofs.explain import explain
from sapper.layout import Layout
from sapper.observation import HIDDEN, Observation
from sapper.topology import OWN, Topology, topology
from sapper.world.generation import shown_clues


def random_position(board: Topology, rng: np.random.Generator, channel: Channel | None = None) -> Observation:
    """A position of a random layout, a third of it open."""
    layout = Layout(board, rng.random(board.n_cells) < 0.4)
    shown = layout.clues().ravel() if channel is None else shown_clues(layout, channel, int(rng.integers(99)))
    is_open = ~layout.mines.ravel() & (rng.random(board.n_cells) < 0.5)
    total = layout.n_mines if rng.random() < 0.5 else None
    return Observation(board, np.where(is_open, shown, HIDDEN), total, channel or Channel())


@pytest.mark.slow
@pytest.mark.oracle
@given(st.integers(0, 2**32), st.sampled_from([0.1, 0.3, 0.6, 1.0]))
def test_chances_are_those_of_all_layouts(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    position = random_position(random_board(3, 6, share, rng), rng)
    if position.closed.sum() > 13:
        return
    found = mine_probabilities(position)
    chances = ask_brute_force(position)[2]
    for cell, chance in enumerate(chances):
        if chance is not None:
            assert found.p_mine.flat[cell] == pytest.approx(float(chance), abs=1e-12)
    assert found.safe == tuple(position.topology.cell(cell) for cell, chance in enumerate(chances) if chance == 0)


@pytest.mark.oracle
@pytest.mark.parametrize("kind", ["optimistic", "cautious", "liar"])
def test_uncertain_clues_too(kind: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(6):
        position = random_position(random_board(3, 5, 0.9, rng), rng, Channel(kind, 0.3))  # type: ignore[arg-type]
        expected = posterior(position)
        assert expected is not None
        found = mine_probabilities(position).p_mine.ravel()
        for cell, chance in expected.p_mine.items():
            assert found[cell] == pytest.approx(float(chance), abs=1e-12)


def test_all_of_fifteen_neighbours_count() -> None:
    """A star: one cell touches fifteen others, and its clue may be any number up to fifteen."""
    star = Topology.of_neighbours(4, 4, [list(range(1, 16)), *([0] for _ in range(15))])
    for clue in range(16):
        cells = np.full((4, 4), HIDDEN)
        cells[0, 0] = clue
        found = mine_probabilities(Observation(star, cells))
        np.testing.assert_allclose(found.p_mine.ravel()[1:], clue / 15)
        assert found.n_layouts == pytest.approx(np.exp(found.log_layouts))
    assert str(Observation(star, cells)) == "f###/####/####/#### own:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"
    many = mine_probabilities_many(np.stack([cells, cells]), topology=star)
    assert many.mines.sum() == 30


@pytest.mark.parametrize(("share", "most"), [(0.25, 8), (0.5, 12), (0.9, 15)])
def test_agents_proofs_and_advice_take_them(share: float, most: int) -> None:
    rng = np.random.default_rng(3)
    board = random_board(4, 5, share, rng)
    assert board.degree.max() == most
    while True:
        layout = Layout(board, rng.random(20) < 0.2)
        cells = np.where(~layout.mines & (rng.random((4, 5)) < 0.5), layout.clues(), HIDDEN)
        position = Observation(board, cells, layout.n_mines)
        certain = mine_probabilities(position)
        if certain.safe and certain.mines:
            break
    for cell in (*certain.safe, *certain.mines):
        assert explain(position, *cell).verdict == ("safe" if cell in certain.safe else "mine")
    for name in AGENTS:
        decision = make_agent(name).decide(position)
        assert decision.cell is None or position.closed[decision.cell]
        for found in decision.deductions:
            # What follows is true in every layout, whatever a board looks like.
            assert found.cell in (certain.mines if found.is_mine else certain.safe), name
    assert best_cell(position, seconds=0.1).certain
    assert "own" in position.caption()
    assert position._repr_svg_()
    assert repr(position).startswith("<Observation 4x5 own: ")


def test_perfect_play_takes_no_symmetry_for_granted() -> None:
    # A path of five cells folded into a row: its mirror image is the same board, others are not.
    path = Topology.of_neighbours(1, 5, [[1], [0, 2], [1, 3], [2, 4], [3]])
    same = topology("square", 1, 5)
    for total in (1, 2):
        own = best_cell(Observation(path, np.full((1, 5), HIDDEN), total), seconds=60.0, start="any")
        usual = best_cell(Observation(same, np.full((1, 5), HIDDEN), total), seconds=60.0, start="any")
        assert own.p_win == usual.p_win
    lopsided = Topology.of_neighbours(1, 4, [[1, 2, 3], [0], [0], [0]])
    assert best_cell(Observation(lopsided, np.full((1, 4), HIDDEN), 1), seconds=60.0, start="any").exact


def test_they_are_compared_by_their_tables_and_travel() -> None:
    one, other = (Topology.of_neighbours(1, 3, table) for table in ([[1], [0], []], [[], [2], [1]]))
    assert one != other
    assert one == Topology.of_neighbours(1, 3, [[1], [0], []])
    assert hash(one) == hash(Topology.of_neighbours(1, 3, [[1], [0], []]))
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert again.shape == OWN
    square = Topology.of_neighbours(1, 2, [[1], [0]])
    assert square != topology("square", 1, 2)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ([[1], [0]], "The table has 2 rows; a board of 3 cells needs one for each"),
        ([[1], [0, 2], []], "Cell 1 touches cell 2, but not the other way round"),
        ([[0], [], []], "Cell 0 touches itself"),
        ([[3], [], []], "Cell 0 touches cell 3; they are numbered from 0 to 2"),
        ([[-1], [], []], "Cell 0 touches cell -1"),
        ([[1.5], [], []], "cell numbers"),
        ([3, [], []], "cell numbers"),
    ],
)
def test_wrong_tables_are_named(table: list[list[int]], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Topology.of_neighbours(1, 3, table)


def test_more_than_fifteen_are_refused() -> None:
    with pytest.raises(InputError, match="Cell 0 touches 16 others; 15 is the limit"):
        Topology.of_neighbours(1, 17, [list(range(1, 17)), *([0] for _ in range(16))])


def test_what_no_layout_fits_is_said_here_too() -> None:
    path = Topology.of_neighbours(1, 3, [[1], [0, 2], [1]])
    with pytest.raises(Contradiction):
        mine_probabilities(Observation.from_array([[1, 0, HIDDEN]], topology=path))
    with pytest.raises(InputError, match="the clue 2 touches only 1 cell"):
        Observation.from_array([[2, HIDDEN, HIDDEN]], topology=path)
