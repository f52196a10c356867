"""Whether a guess is forced, against every continuation of safe openings on small boards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from continuations import settled_by_safe_openings
from effort import times

from sapper.errors import InputError
from sapper.inference import forced
from sapper.inference.forced import BUDGET, find_exchange, judge, judge_guess
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.posterior.subproblem import list_everything, list_part
from sapper.inference.posterior.workspace import Budget
from sapper.kernels.codes import SAFE, UNKNOWN
from sapper.rules import Rules
from sapper.topology import SHAPES
from sapper.world.game import Game


def small_positions(seed: int, n: int) -> Iterator[Posterior]:
    """Positions of small boards of every shape with something safe and something unsure."""
    rng = np.random.default_rng(seed)
    while n:
        rows, cols = (int(k) for k in rng.integers((1, 2), (5, 6)))
        mines = int(rng.integers(1, max(2, min(rows * cols // 2, 7))))
        shape = SHAPES[rng.integers(len(SHAPES))]
        game = Game(Rules(rows, cols, mines, shape=shape, first_click="any"), int(rng.integers(2**40)))
        for cell in rng.permutation(rows * cols)[: rng.integers(2, 9)]:
            at = game.rules.topology.cell(int(cell))
            is_clear = game.layout is None or not game.layout.mines[at]
            if game.outcome.value == "playing" and game.observation.closed[at] and is_clear:
                game.open(*at)
        posterior = mine_probabilities(game.observation) if game.outcome.value == "playing" else None
        # Trying everything is exponential in what can be opened.
        if posterior is None or np.count_nonzero(game.observation.closed) > 11:
            continue
        if (posterior.verdicts == UNKNOWN).any() and posterior.safe:
            n -= 1
            yield posterior


def settled(posterior: Posterior) -> set[int]:
    """The cells that some continuation of safe openings settles, by brute force."""
    observation = posterior.observation
    board = observation.topology
    assert observation.total is not None
    around = [board.neighbours_of(cell) for cell in range(board.n_cells)]
    return settled_by_safe_openings(observation.cells.ravel().tolist(), around, observation.total)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(times(2, 4)))
def test_forced_is_what_no_continuation_settles(seed: int) -> None:
    n_forced = n_unforced = 0
    for posterior in small_positions(seed, 60):
        told = settled(posterior)
        for cell in np.flatnonzero(posterior.verdicts == UNKNOWN).tolist():
            found = judge(posterior, cell)
            # So few layouts are listed, all of them, and then the verdict is exact both ways.
            assert found.is_forced == (cell not in told), f"{posterior.observation} {cell} {found}"
            n_forced += found.is_forced
            n_unforced += not found.is_forced
    assert n_forced > 20
    assert n_unforced > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_each_proof_by_itself_is_sound(seed: int) -> None:
    n_swaps = n_parts = 0
    for posterior in small_positions(100 + seed, 60):
        told = settled(posterior)
        for cell in np.flatnonzero(posterior.verdicts == UNKNOWN).tolist():
            swap, part = find_exchange(posterior, cell, BUDGET), list_part(posterior, cell)
            if swap:
                assert not told.intersection(swap), posterior.observation
                n_swaps += 1
            if part is not None and part.is_never_settled(cell):
                assert cell not in told, posterior.observation
                n_parts += 1
    assert n_swaps > 5
    assert n_parts > 5


def test_nothing_safe_is_forced_everywhere() -> None:
    found = mine_probabilities("1#11#/1#11# 2")
    assert {judge(found, cell).verdict for cell in (1, 4, 6, 9)} == {"nothing-safe"}


def test_a_swap_is_forced_although_something_is_safe() -> None:
    rows = ["#1" + "0" * 95 + "1##"] * 2
    found = judge_guess("/".join(rows) + " 2", (1, 0))
    assert found.verdict == "swap"
    assert found.cells == ((0, 0), (1, 0))
    assert judge_guess("/".join(rows) + " 2", (0, 99)).verdict == "safe"


def test_a_part_that_is_cut_off_is_forced_although_something_is_safe() -> None:
    position = "01111#10/12#11110/#3220111/13#212#1/13#33#42/##3#####/12#24#41/01#12### 14"
    found = judge_guess(position, (5, 0))
    assert found.verdict == "never-settled"
    assert found.cells == ((5, 0), (5, 1), (5, 3), (5, 4), (6, 2), (7, 2))
    assert judge_guess(position, (7, 6)).verdict == "safe"


def test_an_unforced_guess_has_something_safe_that_tells() -> None:
    assert judge_guess("##3#/#### 3", (0, 1)).verdict == "unforced"


def test_flags_are_opinions() -> None:
    assert judge_guess("F1001##/#1001## 2", (1, 0)) == judge_guess("#1001##/#1001## 2", (1, 0))


def test_a_certain_cell_is_no_guess() -> None:
    found = judge_guess("1# 1", (0, 1))
    assert found.verdict == "mine"
    assert not found.is_guess
    assert not found.is_forced


def test_too_hard_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forced, "BUDGET", Budget(states=1, megabytes=1))
    wide = "/".join(["#" * 40, ("#3" * 20), "#" * 40] * 6) + " 300"
    assert judge_guess(wide, (0, 0)).verdict == "too-hard"


@pytest.mark.parametrize(
    ("position", "cell"), [("1# 1 withheld:0.3", (0, 1)), ("1#", (0, 1)), ("1# 1", (0, 0)), ("1# 1", (5, 5))]
)
def test_what_cannot_be_judged_is_said(position: str, cell: tuple[int, int]) -> None:
    with pytest.raises(InputError):
        judge_guess(position, cell)


@pytest.mark.oracle
def test_lists_have_every_layout() -> None:
    for posterior in small_positions(7, 20):
        everything = list_everything(posterior)
        assert everything is not None
        assert everything.shows.shape[1] == posterior.n_layouts
        certain = {cell for cell in everything.cells if posterior.verdicts.flat[cell] == SAFE}
        clear = {c for c, row in zip(everything.cells, everything.shows, strict=True) if (row >= 0).all()}
        assert clear == certain
