"""An impossible position names a smallest set of clues; smallest is checked by trying all smaller ones."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle import ask_brute_force
from strategies import positions

from sapper.errors import Contradiction
from sapper.inference.posterior.cores import smallest_cores
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import NO_CLUE, Observation


def holds(observation: Observation, clues: set[tuple[int, int]], total: bool) -> bool:
    """Whether some layout fits these clues alone, by brute force."""
    cells = observation.cells.copy()
    for row, col in np.argwhere(cells >= 0).tolist():
        if (row, col) not in clues:
            cells[row, col] = NO_CLUE
    reduced = Observation(observation.topology, cells, observation.total if total else None, observation.channel)
    return bool(ask_brute_force(reduced)[0])


@pytest.mark.slow
@given(positions().filter(lambda position: int(position.closed.sum()) <= 7 and position.cells.size <= 16))
def test_the_named_set_conflicts_and_no_smaller_one_does(observation: Observation) -> None:
    try:
        mine_probabilities(observation)
    except Contradiction as error:
        found = error
    else:
        assume(False)
    assert not holds(observation, set(found.clues), found.total)
    size = len(found.clues) + found.total
    everything: list[tuple[int, int] | None] = [
        *map(tuple, np.argwhere(observation.cells >= 0).tolist()),  # type: ignore[list-item]
        *([None] if observation.total is not None else []),
    ]
    for smaller in combinations(everything, size - 1):
        clues = {clue for clue in smaller if clue is not None}
        assert holds(observation, clues, None in smaller)


@given(st.lists(st.frozensets(st.integers(0, 7), min_size=1, max_size=4), min_size=1, max_size=6))
def test_smallest_cores_of_arbitrary_families(cores: list[frozenset[int]]) -> None:
    def is_free(chosen: set[int]) -> bool:
        return not any(core <= chosen for core in cores)

    found, is_smallest = next(smallest_cores(set(range(8)), is_free))
    assert is_smallest
    assert not is_free(set(found))
    assert len(found) == min(map(len, cores))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1#/## 2", "the 1 at (0, 0) and the total of 2 mines cannot both hold."),
        ("11#/##3 4", "the 3 at (1, 2) cannot hold."),
        ("*0 1", "the 0 at (0, 1) cannot hold."),
        ("0#2/### 2", "the 0 at (0, 0) and the 2 at (0, 2) cannot both hold."),
    ],
)
def test_the_sentence_names_values_and_places(text: str, says: str) -> None:
    with pytest.raises(Contradiction) as caught:
        mine_probabilities(Observation.parse(text))
    assert str(caught.value) == f"No layout fits: {says}"


@pytest.mark.slow
def test_a_core_on_a_large_board_is_found_quickly() -> None:
    # One impossible clue among two hundred.
    rows = [list("#" * 30) for _ in range(16)]
    for row in range(1, 16, 2):
        for col in range(1, 30, 2):
            rows[row][col] = "1"
    rows[7][7], rows[7][9] = "8", "0"
    with pytest.raises(Contradiction) as caught:
        mine_probabilities(Observation.parse("/".join("".join(row) for row in rows) + " 99"))
    assert len(caught.value.clues) + caught.value.total == 2
