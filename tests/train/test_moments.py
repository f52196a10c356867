"""The compiled search for moments: the same in every build, and true of every layout that it stops at."""

from __future__ import annotations

import numpy as np
import pytest

from sapper.inference.facts import Facts
from sapper.layout import Layout
from sapper.observation import HIDDEN, Observation
from sapper.play.noguess.generate import SearchMemory, random_numbers
from sapper.rules import Rules
from sapper.train.kinds import reason

LEVELS = [(0, 1, 0, 1), (1, 2, 0, 2), (1, 2, 6, 3), (2, 3, 0, 4), (2, 4, 0, 5)]


@pytest.mark.oracle
@pytest.mark.parametrize(("below", "beyond", "cols", "number"), LEVELS)
def test_the_search_stops_at_the_same_layouts_in_every_build(below: int, beyond: int, cols: int, number: int) -> None:
    rules = Rules.parse("6x6/7 first-opening")
    memory = SearchMemory(rules, 0, below, counts=beyond == 4)
    numbers = random_numbers(np.random.PCG64(number), 400 * rules.mines)
    found = memory.find_moment(numbers, 400, beyond, cols)
    assert (found, memory.search.n_tries, "".join(map(str, memory.marks))) == EXPECTED[number]


@pytest.mark.parametrize("shape", ["square", "torus", "hex", "knight", "orthogonal"])
def test_where_it_stops_the_readable_rules_are_stuck_too(shape: str) -> None:
    rules = Rules.parse("8x8/12 first-opening" + (f" {shape}" if shape != "square" else ""))
    cols = 1 if shape == "hex" else rules.cols
    memory = SearchMemory(rules, 27, 1)
    generator = np.random.PCG64(5)
    for _ in range(3):
        assert memory.find_moment(random_numbers(generator, 50_000 * rules.mines), 50_000, 2, cols)
        layout = Layout(rules.topology, memory.mines == 1)
        cells = np.where(memory.marks.reshape(8, 8) == 3, layout.clues(), HIDDEN).astype(np.int8)
        position = Observation(rules.topology, cells, rules.mines)
        facts = Facts(position)
        reason(facts, "one-two")
        assert not facts.safe
        reason(facts, "pairs")
        assert facts.safe


# By number of the stream: whether one was found, after how many layouts, and what was known then.
EXPECTED = {
    1: (True, 1, "330000330000330000330000330000000000"),
    2: (True, 16, "333320333320232330333330333330333320"),
    3: (True, 9, "333000333000223300000030003330000000"),
    4: (True, 40, "330000330300333300330300330000002000"),
    5: (True, 2, "332223333333332333332333003333003332"),
}
