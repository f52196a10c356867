"""The engine's memory: grown for one position, given back after it, and never shared between threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from sapper.errors import Contradiction, TooHard
from sapper.inference.posterior import workspace as memory
from sapper.inference.posterior.exact import Question, mine_probabilities
from sapper.inference.posterior.subproblem import settle_statements
from sapper.inference.posterior.workspace import Workspace, cache_in_thread
from sapper.kernels.codes import OUT_OF_RANGE, TOO_WIDE
from sapper.observation import Observation

LATTICE = Observation.parse("/".join("#" * 13 if row % 2 == 0 else "#2" * 6 + "#" for row in range(9)))


def test_memory_that_a_hard_position_took_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_BYTES_KEPT", 0)
    workspace = Question(LATTICE).workspace()
    usual = Workspace(workspace.most_cells, False).n_bytes
    first = mine_probabilities(LATTICE)
    assert workspace.n_bytes == usual
    first.p_clue(0, 0)
    assert workspace.n_bytes == usual
    first.sample(2, np.random.default_rng(1))
    assert workspace.n_bytes == usual
    np.testing.assert_array_equal(mine_probabilities(LATTICE).p_mine, first.p_mine)


@pytest.mark.parametrize(("status", "says"), [(TOO_WIDE, "30 clues are open"), (OUT_OF_RANGE, "weights of")])
def test_each_reason_to_give_up_is_named(status: int, says: str) -> None:
    with pytest.raises(TooHard, match=says):
        Workspace(9, False).grow(status)


def test_statements_that_contradict_are_not_called_too_hard() -> None:
    with pytest.raises(Contradiction):
        settle_statements({7: ((1, 2), 2), 8: ((1,), 0)})


def test_threads_that_settle_statements_do_not_disturb_each_other() -> None:
    questions = [
        {clue: ((clue, clue + 1, clue + 2), (clue * k) % 3 % 2 + 1) for clue in range(0, 40, 3)} | {90: ((k % 40,), 1)}
        for k in range(300)
    ]

    def ask(number: int) -> object:
        try:
            return settle_statements(questions[number])
        except Contradiction:
            return None

    expected = [ask(number) for number in range(300)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(300), chunksize=1)) == expected


def test_what_is_cached_in_a_thread_belongs_to_it() -> None:
    make = cache_in_thread(2)(lambda number: [number])
    here = make(1)
    assert make(1) is here
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(make, 1).result() is not here
