"""Many positions at once: the same answers as one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sapper import kernels
from sapper.errors import Contradiction, InputError, TooHard
from sapper.inference.posterior.batch import ANSWERED, IMPOSSIBLE, TOO_HARD, mine_probabilities_many
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.workspace import Budget, GrowingWorkspace
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.topology import SHAPES, Shape, topology

pytestmark = pytest.mark.oracle


def random_positions(shape: Shape, n: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Positions of real layouts with a few wrong clues among them, so that some are impossible; and their totals."""
    board = topology(shape, 5, 6)
    mines = rng.random((n, board.n_cells)) < 0.25
    clues = np.array([np.append(row, False)[board.table].sum(axis=1) for row in mines])
    cells = np.where(mines | (rng.random(mines.shape) < 0.5), HIDDEN, clues)
    for code in (FLAG, NO_CLUE):
        cells[rng.random(cells.shape) < 0.03] = code
    cells[mines & (rng.random(cells.shape) < 0.1)] = EXPLODED
    wrong = rng.random(n) < 0.2
    cells[wrong, 0] = 5
    return cells.reshape(n, 5, 6).astype(np.int8), mines.sum(axis=1)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("known", [True, False])
def test_they_are_answered_as_one_by_one_to_the_last_bit(shape: Shape, known: bool) -> None:
    cells, totals = random_positions(shape, 40, np.random.default_rng(3))
    found = mine_probabilities_many(cells, mines=totals if known else None, topology=shape, threads=1)
    assert len(found) == 40
    for k, position in enumerate(cells):
        try:
            board = topology(shape, 5, 6)
            # A clue above the number of neighbours is an impossible position here, and no position at all alone.
            one = mine_probabilities(Observation(board, position, int(totals[k]) if known else None))
        except (Contradiction, InputError):
            assert found.status[k] == IMPOSSIBLE
            assert np.isnan(found.p_mine[k]).all()
            assert np.isnan(found.log_layouts[k])
            assert not found.safe[k].any()
            assert not found.mines[k].any()
            continue
        assert found.status[k] == ANSWERED
        np.testing.assert_array_equal(found.p_mine[k], one.p_mine)
        assert [tuple(cell) for cell in np.argwhere(found.safe[k]).tolist()] == list(one.safe)
        assert [tuple(cell) for cell in np.argwhere(found.mines[k]).tolist()] == list(one.mines)
        assert found.log_layouts[k] == one.log_layouts
    assert {*found.status.tolist()} == {ANSWERED, IMPOSSIBLE}


def test_threads_give_the_same_answers_in_the_same_places() -> None:
    cells, totals = random_positions("square", 1000, np.random.default_rng(4))
    one, three = (mine_probabilities_many(cells, mines=totals, threads=n) for n in (1, 3))
    for name in ("p_mine", "safe", "mines", "log_layouts", "status"):
        np.testing.assert_array_equal(getattr(one, name), getattr(three, name))


def test_flags_may_be_trusted_and_the_density_given() -> None:
    cells = np.array([[[FLAG, HIDDEN], [1, HIDDEN]]])
    trusted = mine_probabilities_many(cells, trust_flags=True)
    assert trusted.safe[0].tolist() == [[False, True], [False, True]]
    assert np.isnan(trusted.p_mine[0, 0, 0]) == np.isnan(
        mine_probabilities(Observation.from_array(cells[0]), trust_flags=True).p_mine[0, 0]
    )
    sparse = mine_probabilities_many(np.full((1, 1, 2), HIDDEN), density=0.1)
    assert sparse.p_mine[0].tolist() == [[pytest.approx(0.1)] * 2]
    assert np.isnan(sparse.log_layouts[0])


def test_what_is_too_hard_gets_a_status_and_the_others_their_answers() -> None:
    # Isolated clues in a lattice: no two of them settle anything, and all are open at once.
    lattice = np.full((16, 16), HIDDEN)
    lattice[1::2, 1::2] = 2
    easy = np.full((16, 16), HIDDEN)
    easy[0, 0] = 1
    small = Budget(states=400, megabytes=50)
    with pytest.raises(TooHard):
        mine_probabilities(Observation.from_array(lattice, mines=60), budget=small)
    found = mine_probabilities_many(np.array([easy, lattice, easy, lattice]), mines=60, budget=small)
    assert found.status.tolist() == [ANSWERED, TOO_HARD, ANSWERED, TOO_HARD]
    assert np.isnan(found.p_mine[1]).all()
    np.testing.assert_array_equal(found.p_mine[0], found.p_mine[2])
    assert repr(found) == "<Posteriors of 4 positions of 16x16 square: 2 answered, 0 impossible, 2 too hard>"


def test_no_positions_are_no_problem() -> None:
    assert len(mine_probabilities_many(np.empty((0, 3, 4), dtype=np.int8), mines=3)) == 0


@pytest.mark.parametrize(
    ("cells", "options", "says"),
    [
        (np.zeros((3, 4), dtype=int), {}, r"\(positions, rows, cols\), not of the shape \(3, 4\)"),
        (np.zeros((1, 3, 4)), {}, "has the type float64"),
        (np.full((2, 3, 4), 257), {}, "Position 0, row 0, column 0: 257 is not a cell code"),
        (np.full((2, 3, 4), -5), {}, "-5 is not a cell code"),
        ([[[1, 2]], [[1]]], {}, "different sizes"),
        (np.zeros((2, 3, 4), dtype=int), {"mines": 13}, "between 0 and the 12 cells"),
        (np.zeros((2, 3, 4), dtype=int), {"mines": [1, 2, 3]}, "one for each of the 2"),
        (np.zeros((2, 3, 4), dtype=int), {"mines": 1.5}, "float64"),
        (np.zeros((2, 3, 4), dtype=int), {"topology": "moebius"}, "no topology 'moebius'"),
        (np.zeros((2, 3, 4), dtype=int), {"topology": topology("hex", 4, 3)}, "the board has 4 rows x 3 columns"),
        (np.zeros((2, 3, 4), dtype=int), {"density": 0.0}, "more than 0 and less than 1, not 0.0"),
        (np.zeros((2, 3, 4), dtype=int), {"threads": 0}, "At least one thread is needed, not 0"),
    ],
)
def test_wrong_input_is_named(cells: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        mine_probabilities_many(cells, **options)


def test_a_batch_of_more_cells_than_32_bits_count_is_answered_to_its_end() -> None:
    n, k = 2**20, 2**11 + 1
    try:
        # Memory that nobody touches costs nothing: only the last position is looked at.
        cells, settled, p_mine = np.zeros(n * k, dtype=np.int8), np.empty(n * k, dtype=np.int8), np.empty(n * k)
    except MemoryError:
        pytest.skip("the system does not hand out 20 GB of memory, even if it is not used")
    totals, log_weights, statuses = np.full(k, 1, dtype=np.int32), np.empty(k), np.empty(k, dtype=np.int8)
    cells[-4:] = HIDDEN
    batch = kernels.Batch(cells, totals, settled, p_mine, log_weights, statuses)
    board = kernels.Board(n, np.zeros((n, 1), dtype=np.int32), np.zeros(n, dtype=np.int8))
    assert kernels.solve_many(GrowingWorkspace(n, False), board, kernels.Query(1), batch, k - 1, k) == (k, 0)
    assert p_mine[-4:].tolist() == [0.25] * 4
