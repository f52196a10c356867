"""The engine's memory: grown for one position, given back after it, and never shared between threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from sapper.errors import TooHard
from sapper.inference.posterior import workspace as memory
from sapper.inference.posterior.exact import PosteriorQuery, mine_probabilities
from sapper.inference.posterior.workspace import GrowingWorkspace, cache_in_thread
from sapper.kernels.codes import OUT_OF_RANGE, TOO_WIDE
from sapper.observation import Observation

LATTICE = Observation.parse("/".join("#" * 13 if row % 2 == 0 else "#2" * 6 + "#" for row in range(9)))


def test_memory_that_a_hard_position_took_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_BYTES_KEPT", 0)
    monkeypatch.setattr(memory, "_BYTES_PER_CELL", 0)
    workspace = PosteriorQuery(LATTICE).workspace()
    usual = GrowingWorkspace(workspace.most_cells, False).n_bytes
    first = mine_probabilities(LATTICE)
    assert workspace.n_bytes == usual
    first.p_clue(0, 0)
    assert workspace.n_bytes == usual
    first.sample(2, np.random.default_rng(1))
    assert workspace.n_bytes == usual
    np.testing.assert_array_equal(mine_probabilities(LATTICE).p_mine, first.p_mine)


def test_a_large_board_keeps_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_BYTES_KEPT", 0)
    monkeypatch.setattr(memory, "_BYTES_PER_CELL", 10_000)

    def grown() -> int:
        workspace = PosteriorQuery(LATTICE).workspace()
        mine_probabilities(LATTICE)
        return workspace.n_bytes - GrowingWorkspace(workspace.most_cells, False).n_bytes

    # In a thread of its own, because a workspace of this one may have served a much larger board.
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(grown).result() > 0


@pytest.mark.parametrize(("status", "says"), [(TOO_WIDE, "30 clues are open"), (OUT_OF_RANGE, "weights of")])
def test_each_reason_to_give_up_is_named(status: int, says: str) -> None:
    with pytest.raises(TooHard, match=says):
        GrowingWorkspace(9, False).grow(status)


def test_what_is_cached_in_a_thread_belongs_to_it() -> None:
    make = cache_in_thread(2)(lambda number: [number])
    here = make(1)
    assert make(1) is here
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(make, 1).result() is not here
