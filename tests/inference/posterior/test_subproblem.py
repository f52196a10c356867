"""Parts of a board by themselves: what statements settle, and layouts beside those of the readable search."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from perfect import list_layouts as list_readably

from sapper.errors import Contradiction
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.subproblem import Subproblem, list_layouts
from sapper.observation import Observation


@pytest.mark.parametrize(
    "text", ["#####/#1###/#3###/##### 5", "F2###/*####/###1#/##### 5 torus", "1*. 1", "###/### 2 hex"]
)
def test_layouts_are_those_of_the_readable_search(text: str) -> None:
    position = Observation.parse(text)
    posterior = mine_probabilities(position)
    expected = {layout.mines.tobytes() for layout in list_readably(position)}
    found = list_layouts(posterior, len(expected))
    assert found is not None
    assert len(found) == len(expected)
    assert {np.ascontiguousarray(mines).tobytes() for mines in found} == expected
    assert list_layouts(posterior, len(expected) - 1) is None or len(expected) == 1


def test_both_constructors_settle_the_same() -> None:
    said = {1: ((0, 2), 1), 3: ((2, 4), 1)}
    for problem in (Subproblem.of_statements(said), Subproblem.of_cells(mine_probabilities("#1#1#"), [0, 2, 4])):
        assert problem.settle() == {}
        assert problem.settle(1) == {0: False, 2: True, 4: False}
        assert problem.settle(2) == {0: True, 2: False, 4: True}
        with pytest.raises(Contradiction):
            problem.settle(3)


def test_statements_that_contradict_are_not_called_too_hard() -> None:
    with pytest.raises(Contradiction):
        Subproblem.of_statements({7: ((1, 2), 2), 8: ((1,), 0)}).settle()


def test_threads_that_settle_statements_do_not_disturb_each_other() -> None:
    questions = [
        {clue: ((clue, clue + 1, clue + 2), (clue * k) % 3 % 2 + 1) for clue in range(0, 40, 3)} | {90: ((k % 40,), 1)}
        for k in range(300)
    ]

    def ask(number: int) -> object:
        try:
            return Subproblem.of_statements(questions[number]).settle()
        except Contradiction:
            return None

    expected = [ask(number) for number in range(300)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(300), chunksize=1)) == expected
