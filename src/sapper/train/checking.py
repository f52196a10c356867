"""What an answer is worth, and why; for a cell that is not certain, two layouts that show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, NO_CLUE, Observation
from sapper.train.puzzles import Verdict
from sapper.words import count_mines, name_cells, percent

if TYPE_CHECKING:
    from sapper.inference.proofs.explain import Explanation
    from sapper.topology import Cell
    from sapper.train.puzzles import Puzzle

# Somebody who guesses blindly keeps three quarters of the best chance on average. So a guess that gives away a tenth of
# the best chance, or more, is worth nothing.
_COST = 10
_MOST_DRAWN = 32  # layouts of either kind, among which two are looked for that are alike


def check(puzzle: Puzzle, answer: Cell | int) -> Verdict:
    """Judge an answer: a cell as (row, col), or a number where one is asked for."""
    if puzzle.number is not None:
        return _check_number(puzzle, answer)
    if isinstance(answer, int):
        raise InputError("The answer is a cell, as (row, col).")
    puzzle.position.topology.number(answer)
    if puzzle.kind == "chain":
        return _check_clue(puzzle, answer)
    if not puzzle.position.closed[answer] or puzzle.position.cells[answer] == FLAG:
        raise InputError(f"{answer} is not hidden; the answer is a hidden cell without a flag.")
    return _check_guess(puzzle, answer) if puzzle.kind == "guess" else _check_certain(puzzle, answer)


def two_layouts(position: Observation, cell: Cell) -> tuple[Layout, Layout]:
    """Two layouts that fit every clue: one with a mine at the cell, and one without; for a cell that is not certain.

    Of some that are drawn, the two that are most alike, so that the eye finds where they differ.
    """
    rng = np.random.default_rng(0)
    given = position.with_flags_as_mines()
    board = given.topology
    drawn = []
    for code in (EXPLODED, NO_CLUE):
        cells = given.cells.copy()
        cells[cell] = code
        posterior = mine_probabilities(Observation(board, cells, given.total, given.channel))
        drawn.append(posterior.sample(_MOST_DRAWN, rng).reshape(_MOST_DRAWN, board.n_cells))
    shows_clue = np.append(given.cells.ravel() >= 0, False)  # and -1 in the table of neighbours stands for none
    near = shows_clue[board.table].any(axis=1)
    apart = (drawn[0][:, None, near] != drawn[1][None, :, near]).sum(axis=2)
    one, other = divmod(int(apart.argmin()), _MOST_DRAWN)
    with_mine, without = drawn[0][one], drawn[1][other].copy()
    # Far from every clue only the number of mines counts, so they may as well lie where those of the other do.
    far = given.closed.ravel() & ~near
    far[board.number(cell)] = False
    order = np.flatnonzero(far)[np.argsort(~with_mine[far], kind="stable")]
    n_far = int(without[far].sum())
    without[far] = False
    without[order[:n_far]] = True
    return Layout(board, with_mine), Layout(board, without)


def _check_certain(puzzle: Puzzle, cell: Cell) -> Verdict:
    wanted = "safe" if puzzle.opens else "a mine"
    if cell in puzzle.solution:
        proof = puzzle.proof if puzzle.proof is not None and puzzle.proof.cell == cell else None
        return Verdict(True, 1.0, (f"{cell} is certainly {wanted}.",), proof or _explain(puzzle, cell))
    explained = _explain(puzzle, cell)
    if explained.risk is None:
        is_what, asked = ("a mine", "a safe cell") if explained.verdict == "mine" else ("safe", "a mine")
        said = (f"{cell} is certainly {is_what}, but the task is to find {asked}.", _right_ones(puzzle))
        return Verdict(False, 0.0, said, explained)
    chance = percent(explained.p_mine, certain=False, places=1)
    said = (f"{cell} is not certain: it is a mine with a chance of {chance}.", _right_ones(puzzle))
    return Verdict(False, 0.0, said, puzzle.proof, two_layouts(puzzle.position, cell))


def _explain(puzzle: Puzzle, cell: Cell) -> Explanation:
    return explain(puzzle.position, *cell, trust_flags=True)


def _check_guess(puzzle: Puzzle, cell: Cell) -> Verdict:
    chances = dict(puzzle.chances)
    best, own = puzzle.chances[0][1], chances.get(cell, 0.0)
    risk = float(mine_probabilities(puzzle.position).p_mine[cell])
    said = [
        f"{cell} is a mine with a chance of {percent(risk, certain=False, places=1)} and wins "
        f"{percent(own, certain=False, places=1)} of the time."
    ]
    if own == best:
        said.append("No cell is better.")
    else:
        are = "is" if len(puzzle.solution) == 1 else "are"
        said.append(f"{name_cells(puzzle.solution)} {are} best, with {percent(best, certain=False, places=1)}.")
    if puzzle.reason:
        said.append(puzzle.reason)
    return Verdict(own == best, max(1 - _COST * (1 - own / best), 0.0), tuple(said))


def _check_number(puzzle: Puzzle, answer: object) -> Verdict:
    if not isinstance(answer, int) or isinstance(answer, bool):
        raise InputError("The answer is a number of mines.")
    right = answer == puzzle.number
    assert puzzle.number is not None
    said = "Right." if right else f"There {'is' if puzzle.number == 1 else 'are'} {count_mines(puzzle.number)}."
    return Verdict(right, float(right), (said, puzzle.reason))


def _check_clue(puzzle: Puzzle, clue: Cell) -> Verdict:
    if puzzle.position.cells[clue] < 0:
        raise InputError(f"{clue} shows no clue; the answer is an open cell with a number.")
    cell = puzzle.marked[0]
    if clue in puzzle.solution:
        return Verdict(True, 1.0, (f"Without the clue at {clue}, {cell} would not be certain.",), puzzle.proof)
    said = (f"{cell} would be certain even without the clue at {clue}.", puzzle.reason)
    return Verdict(False, 0.0, said, puzzle.proof)


def _right_ones(puzzle: Puzzle) -> str:
    is_one = len(puzzle.solution) == 1
    are_what = "safe" if puzzle.opens else "a mine" if is_one else "mines"
    return f"{name_cells(puzzle.solution)} {'is' if is_one else 'are'} certainly {are_what}."
