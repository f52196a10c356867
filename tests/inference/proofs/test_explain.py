"""Explanations: smallest is checked over all subsets of clues, and every step over all layouts, on small boards."""

from __future__ import annotations

import re
from itertools import combinations, islice, product

import numpy as np
import pytest
from corpora import read_corpus
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracle import ask_brute_force
from strategies import played_positions

from sapper.errors import Contradiction, InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import Explanation, explain, explain_easiest
from sapper.inference.proofs.proof import ABSURDITIES, Hence, Suppose
from sapper.inference.proofs.sentences import ProofStep
from sapper.observation import EXPLODED, Observation

Cell = tuple[int, int]


class AllLayouts:
    """Every way to put mines under the hidden cells, and which of them a clue, the total or a step allows."""

    def __init__(self, observation: Observation) -> None:
        self.observation = observation
        hidden = np.flatnonzero(observation.closed.ravel()).tolist()
        choices = np.array(list(product((0, 1), repeat=len(hidden))), dtype=np.int8).reshape(2 ** len(hidden), -1)
        self.mines = np.zeros((len(choices), observation.cells.size), dtype=np.int8)
        self.mines[:, hidden] = choices
        self.mines[:, np.flatnonzero(observation.cells.ravel() == EXPLODED)] = 1

    def by_clue(self, clue: Cell) -> NDArray[np.bool_]:
        board = self.observation.topology
        around = board.neighbours_of(board.index(*clue))
        likelihood = self.observation.channel.likelihood(len(around))
        allowed: NDArray[np.bool_] = likelihood[self.observation.cells[clue]] > 0
        by_clue: NDArray[np.bool_] = allowed[self.mines[:, list(around)].sum(axis=1)]
        return by_clue

    def by_total(self) -> NDArray[np.bool_]:
        by_total: NDArray[np.bool_] = self.mines.sum(axis=1) == self.observation.total
        return by_total

    def by_claim(self, step: ProofStep) -> NDArray[np.bool_]:
        n = self.mines[:, [self.observation.topology.index(*cell) for cell in step.cells]].sum(axis=1)
        by_claim: NDArray[np.bool_] = (step.fewest <= n) & (n <= step.most)
        return by_claim


def check_argument(found: Explanation) -> None:
    """Check that each step follows from the clues and steps that it names, and that the last one is the verdict."""
    layouts = AllLayouts(found.observation)
    scopes: list[set[int]] = [set()]  # by depth: the steps that may be used
    for number, step in enumerate(found.steps, start=1):
        if step.rule == Suppose.rule:
            scopes.append(set())
        if step.rule == Hence.rule:
            supposed, absurd = (found.steps[other - 1] for other in step.after)
            assert supposed.rule == Suppose.rule
            assert absurd.rule in ABSURDITIES
            assert set(step.after) <= scopes.pop()
            assert step.cells == supposed.cells
            assert step.fewest == step.most == 1 - supposed.fewest
            assert not step.clues
            assert not step.total
        else:
            assert set(step.after) <= set().union(*scopes)
            premises = np.ones(len(layouts.mines), dtype=np.bool_)
            for clue in step.clues:
                premises &= layouts.by_clue(clue)
            if step.total:
                premises &= layouts.by_total()
            for other in step.after:
                premises &= layouts.by_claim(found.steps[other - 1])
            if step.rule in ABSURDITIES:
                assert not premises.any(), step
            elif step.rule != Suppose.rule:
                assert layouts.by_claim(step)[premises].all(), step
        scopes[-1].add(number)
        assert step.depth == len(scopes) - 1
    assert len(scopes) == 1
    last = found.steps[-1]
    assert last.cells == (found.cell,)
    assert last.fewest == last.most == int(found.verdict == "mine")
    used = {other for step in found.steps for other in step.after}
    assert used >= set(range(1, len(found.steps))), "every step is used"
    assert {clue for step in found.steps for clue in step.clues} == set(found.clues)
    assert any(step.total for step in found.steps) == found.total


def certain_cells(observation: Observation) -> list[Cell]:
    posterior = mine_probabilities(observation)
    return [*posterior.safe, *posterior.mines]


@pytest.mark.slow
@given(played_positions(max_hidden=9), st.randoms(use_true_random=False))
def test_every_argument_is_a_proof_and_takes_the_fewest_clues(observation: Observation, random: object) -> None:
    cells = certain_cells(observation)
    assume(cells)
    cell = random.choice(cells)  # type: ignore[attr-defined]
    found = explain(observation, *cell)
    check_argument(found)
    assert found.is_smallest
    layouts = AllLayouts(observation)
    index = observation.topology.index(*cell)
    opposite = layouts.mines[:, index] == (found.verdict == "safe")
    by = [layouts.by_clue((row, col)) for row, col in np.argwhere(observation.cells >= 0).tolist()]
    if observation.total is not None:
        by.append(layouts.by_total())
    by = [allowed for allowed in by if not allowed.all()]
    size = len(found.clues) + found.total
    for fewer in combinations(by, min(size - 1, len(by))):
        assert np.logical_and.reduce([opposite, *fewer]).any()


@pytest.mark.slow
@given(played_positions(max_hidden=9))
def test_an_uncertain_cell_has_its_exact_risk_and_cost(observation: Observation) -> None:
    _, _, chances = ask_brute_force(observation)
    uncertain = [index for index, p in enumerate(chances) if p is not None and 0 < p < 1]
    assume(uncertain)
    index = uncertain[0]
    p = float(chances[index])  # type: ignore[arg-type]
    least = min(float(chance) for chance in chances if chance is not None)
    found = explain(observation, *observation.topology.cell(index))
    assert (found.verdict, found.kind, found.steps, found.clues) == ("uncertain", None, (), ())
    assert found.p_mine == pytest.approx(p)
    assert found.risk is not None
    assert found.risk.p_best == pytest.approx(least)
    assert found.risk.cost == pytest.approx(p - least, abs=1e-9)
    zero = float(mine_probabilities(observation).p_clue(*found.cell)[0])
    assert found.risk.p_zero == pytest.approx(zero)
    assert not re.search(r"(?<![\d.])(0|100)(\.0)?%", found.summary[0])


EXAMPLES = [
    # position, cell, verdict, kind, clues, total
    ("1#/11", (0, 1), "mine", "single", 1, False),
    ("*1#/11#", (0, 2), "safe", "single", 1, False),
    ("###/121", (0, 2), "mine", "subset", 2, False),
    ("2#1/###/#3#", (1, 2), "safe", "pair", 2, False),
    ("#1#/##1/#2#", (0, 2), "safe", "contradiction", 3, False),
    ("####/34##/###2", (1, 3), "mine", "contradiction", 3, False),
    ("#22#/#3##/#4#2/##1#", (1, 2), "mine", "contradiction", 5, False),
    ("#### 0", (0, 1), "safe", "total", 0, True),
    ("*### 1", (0, 1), "safe", "total", 0, True),
    ("### 3", (0, 1), "mine", "total", 0, True),
    ("1####/#####/####1 2", (0, 2), "safe", "total", 2, True),
    ("1####/#####/####1 9", (0, 2), "mine", "total", 2, True),
    ("1##/###/##1 4", (1, 1), "safe", "total", 2, True),
    # The 0 and the total prove it both, and the clue is easier.
    ("0#/## 0", (0, 1), "safe", "single", 1, False),
]


@pytest.mark.parametrize(("text", "cell", "verdict", "kind", "n_clues", "total"), EXAMPLES)
def test_the_easiest_kind_that_will_do(
    text: str, cell: Cell, verdict: str, kind: str, n_clues: int, total: bool
) -> None:
    found = explain(Observation.parse(text), *cell)
    assert (found.verdict, found.kind, len(found.clues), found.total) == (verdict, kind, n_clues, total)
    check_argument(found)


def test_a_case_split_in_full() -> None:
    assert str(explain(Observation.parse("#22#/#3##/#4#2/##1#"), 1, 2)) == (
        "(1, 2) is a mine because of the 2 at (0, 1), the 3 at (1, 1), the 4 at (2, 1), the 2 at (2, 3) and the 1 at "
        "(3, 2).\n"
        "  1.    Suppose that (1, 2) is safe.\n"
        "  2.    The 2 at (0, 1) has only (0, 0) and (1, 0) left for its 2 mines, so (0, 0) and (1, 0) are mines.\n"
        "  3.       Suppose also that (3, 1) is a mine.\n"
        "  4.       The 1 at (3, 2) has its mine at (3, 1), so (2, 2) and (3, 3) are safe.\n"
        "  5.       The 2 at (2, 3) would have only (1, 3) left for its 2 mines, which cannot be.\n"
        "  6.    So (3, 1) is safe.\n"
        "  7.    The 4 at (2, 1) has only (1, 0), (2, 0), (2, 2) and (3, 0) left for its 4 mines, "
        "so (2, 0) and (2, 2) are mines.\n"
        "  8.    The 3 at (1, 1) would touch 4 mines, (0, 0), (1, 0), (2, 0) and (2, 2), which cannot be.\n"
        "  9. So (1, 2) is a mine."
    )


def test_a_count_under_a_supposition_in_full() -> None:
    assert str(explain(Observation.parse("4*2#/##33/####/###3 5 torus"), 1, 1)) == (
        "(1, 1) is safe because of the 4 at (0, 0), the 3 at (1, 3), the 3 at (3, 3) and the total of 5 mines.\n"
        "  1.    Suppose that (1, 1) is a mine.\n"
        "  2.    Whatever way the 4 at (0, 0), the 3 at (1, 3) and the 3 at (3, 3) are met, "
        "the 9 hidden cells around them hold at least 5 mines.\n"
        "  3.    But the board has 4 mines besides those already found, which cannot be.\n"
        "  4. So (1, 1) is safe."
    )


def test_an_uncertain_cell_in_full() -> None:
    assert " ".join(explain(Observation.parse("2#1/###/#3#"), 0, 1).summary) == (
        "(0, 1) is uncertain: it has a 33.3% chance of being a mine. "
        "(1, 2) is safe: choosing (0, 1) instead costs 33.3 percentage points. It cannot show a 0. "
        "The 2 at (0, 0), taken alone, has 1 mine left for 2 uncertain cells: 50.0% each. "
        "The 1 at (0, 2), taken alone, has 1 mine left for 2 uncertain cells: 50.0% each."
    )


def test_a_small_chance_is_not_none() -> None:
    found = explain(Observation.parse("/".join(["#" * 60] * 50) + " 1"), 0, 0)
    assert "a <0.1% chance of being a mine" in found.summary[0]
    assert "a 99.9% chance of showing a 0" in found.summary[2]
    assert found.summary[3] == "No clue touches it."


def test_without_a_cell_the_easiest_is_explained() -> None:
    # On the left one clue is enough, on the right it takes two.
    both = explain_easiest(Observation.parse("###.1#1/121.111"))
    assert (both.kind, len(both.clues)) == ("single", 1)
    assert explain_easiest(Observation.parse("###/121")).kind == "subset"
    assert explain_easiest(Observation.parse("2#1/###/#3#")).kind == "pair"
    assert explain_easiest(Observation.parse("1####/#####/####1 2")).kind == "total"
    guess = explain_easiest(Observation.parse("1##/### 2"))
    assert guess.risk is not None
    assert guess.cell in guess.risk.best


def test_flags_are_opinions() -> None:
    plain, flagged = (explain(Observation.parse(text), 0, 2) for text in ("###/121", "FF#/121"))
    assert plain.steps == flagged.steps


def test_what_cannot_be_explained() -> None:
    position = Observation.parse("1#/11")
    with pytest.raises(InputError, match="is open already"):
        explain(position, 0, 0)
    with pytest.raises(InputError, match="There is no cell"):
        explain(position, 2, 0)
    with pytest.raises(InputError, match="Every cell is open"):
        explain_easiest(Observation.parse("00/00 0"))
    with pytest.raises(Contradiction, match="the 1 at"):
        explain(Observation.parse("1#/## 2"), 0, 1)


@pytest.mark.slow
def test_long_chains_of_clues_have_short_arguments() -> None:
    # Rows of clues between hidden cells, of which up to eleven are needed at once. Supposing cell by cell would take
    # hundreds of steps.
    for name, position, _ in islice(read_corpus("snake"), 6):
        for cell in certain_cells(position)[::3]:
            found = explain(position, *cell)
            assert len(found.steps) <= 6 + 4 * len(found.clues), name


@pytest.mark.slow
def test_expert_positions_are_explained_by_few_clues() -> None:
    for name, position, _ in read_corpus("expert"):
        for cell in certain_cells(position)[::25]:
            found = explain(position, *cell)
            # Counting the mines of the whole board takes dozens of clues; all else takes a few.
            assert found.is_smallest or (found.total and len(found.clues) > 20), name
            assert found.steps[-1].cells == (cell,)
            assert (found.verdict == "mine") == bool(found.steps[-1].most)
            assert {clue for step in found.steps for clue in step.clues} == set(found.clues)


def test_what_is_always_wrong_proves_what_is_not_so() -> None:
    found = explain("*1#/... liar", 0, 2)
    assert str(found) == (
        "(0, 2) is a mine because of the 1 at (0, 1).\n"
        "  1. The 1 at (0, 1) is wrong and already touches 1 mine, (0, 0), so (0, 2) is a mine."
    )
    check_argument(found)
    risky = explain("*1#/### liar", 1, 1)
    assert risky.summary[-1].endswith("has 1 mine left for 4 uncertain cells: 25.0% each.")
    assert "0 or 2 mines" in explain("1##/### liar", 0, 1).summary[-1]
