"""What no clue will ever tell apart: the compiled weights are those of counting layouts one by one."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from guessing import guessing_positions

from sapper.inference.chances.lookahead import Lookahead
from sapper.inference.chances.optimal import list_layouts
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.workspace import Budget, Workspace
from sapper.kernels.players.player import MOST_OUTSIDE
from sapper.kernels.players.swaps import LEAST_LOSS
from sapper.observation import HIDDEN, Observation

if TYPE_CHECKING:
    from numpy.typing import NDArray


def counted_relief(position: Observation) -> NDArray[np.float64]:
    """One minus the chance that each swap a cell settles costs the game, multiplied: by counting layouts."""
    board = position.topology
    posterior = mine_probabilities(position)
    p = posterior.p_mine.ravel()
    cells = position.cells.ravel()
    mined = np.array([layout.mines.ravel() for layout in list_layouts(position)])
    unknown = [cell for cell in np.flatnonzero(cells == HIDDEN).tolist() if 0.0 < p[cell] < 1.0]
    around = [set(board.neighbours_of(cell)) for cell in range(board.n_cells)]
    swaps: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((one,), (two,)) for one, two in combinations(unknown, 2) if two in around[one]
    ]
    swaps += [
        ((four[0], four[3]), (four[1], four[2]))
        for four in combinations(unknown, 4)
        if all(two in around[one] for one, two in combinations(four, 2))
    ]
    relief = np.ones(board.n_cells)
    for mines, clear in swaps:
        touched = set().union(*(around[cell] for cell in mines + clear)) - set(mines + clear)
        beyond = [
            cell
            for cell in touched
            if sum(cell in around[mine] for mine in mines) != sum(cell in around[other] for other in clear)
        ]
        hidden = [cell for cell in beyond if cells[cell] < 0 and p[cell] < 1.0]
        if any(cells[cell] >= 0 for cell in beyond) or len(hidden) > MOST_OUTSIDE:
            continue
        if np.prod([*p[list(mines)], *(1.0 - p[list(clear)]), *p[hidden]]) < LEAST_LOSS:
            continue
        fits = mined[:, [*mines, *hidden]].all(axis=1) & ~mined[:, list(clear)].any(axis=1)
        if fits.mean() >= LEAST_LOSS:
            relief[[*mines, *clear, *hidden]] *= 1.0 - fits.mean()
    return relief


@pytest.mark.oracle
@pytest.mark.parametrize("text", ["5x5/7", "6x5/8 first-opening", "5x5/6 hex"])
def test_relief_is_that_of_counting_layouts(text: str) -> None:
    positions = guessing_positions(text, range(60), 3000)[:25]
    assert len(positions) > 15
    n_credited = 0
    for position in positions:
        lookahead = Lookahead(position.topology.n_cells)
        lookahead.choose(mine_probabilities(position), Workspace(position.topology.n_cells, False, Budget()))
        expected = counted_relief(position)
        assert lookahead.relief == pytest.approx(expected, abs=1e-9)
        n_credited += int(np.count_nonzero(expected < 1.0))
    assert n_credited > 20


def test_a_square_with_mines_at_opposite_corners_is_a_guess_that_has_to_be_made() -> None:
    position = Observation.parse("##10/##21/12#1/0111 3")
    lookahead = Lookahead(16)
    lookahead.choose(mine_probabilities(position), Workspace(16, False, Budget()))
    assert lookahead.relief.reshape(4, 4)[:2, :2] == pytest.approx(0.5)
