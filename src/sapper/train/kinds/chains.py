"""Puzzles about what a cell hangs on: the clues without which it would not be certain.

The reports follow such chains of influence through a game; here one link is asked for.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from sapper.errors import TooHard
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.inference.proofs.grounds import find_grounds
from sapper.inference.reasoning.one_two import why_not
from sapper.kernels.codes import MINE, SAFE
from sapper.knowledge.facts import Facts
from sapper.observation import NO_CLUE, Observation
from sapper.train.kinds.moments import MOST_CLUES, moments
from sapper.train.puzzles import Puzzle
from sapper.words import join_words

if TYPE_CHECKING:
    from sapper.rules import Rules
    from sapper.topology import Cell
    from sapper.train.kinds.moments import Moment
    from sapper.train.levels import Level

_LEVELS: tuple[Level, ...] = ("subsets", "one-two", "pairs", "cases")
_MOST_TRIED = 1000  # moments
_FEWEST_OTHERS = 3  # clues of the same part of the board that are not needed
_BASE, _PER_CLUE = 1000, 90


def make_chain(rules: Rules, seed: int) -> Puzzle | None:
    """The first moment from this seed in which a cell hangs on some of its clues and not on others."""
    level = _LEVELS[seed % len(_LEVELS)]
    if level == "one-two" and why_not(rules.topology):
        level = "pairs"
    tried = islice(moments(rules, level, seed), _MOST_TRIED)
    found = (chain_of(one) for one in tried if _n_clues(one) <= MOST_CLUES)
    return next((one for one in found if one is not None), None)


def _n_clues(moment: Moment) -> int:
    """How many clues prove the cell of a moment, at least."""
    given = moment.position.with_flags_as_mines()
    cell = (moment.safe or moment.mines)[0]
    clues, _ = next(find_grounds(Facts(given), given.topology.number(cell), not moment.safe))
    return len(clues)


def chain_of(moment: Moment) -> Puzzle | None:
    """The puzzle of a moment; None if its cell hangs on no single clue, or on all that are there."""
    cell = (moment.safe or moment.mines)[0]
    given = moment.position.with_flags_as_mines()
    verdict = SAFE if moment.safe else MINE
    try:
        needed, others = needed_clues(given, cell, verdict)
        if not needed or others < _FEWEST_OTHERS:
            return None
        proof = explain(moment.position, *cell, trust_flags=True)
    except TooHard:
        return None
    what, clues = "safe" if moment.safe else "a mine", "clue" if len(needed) == 1 else "clues"
    return Puzzle(
        "chain",
        "",
        0,
        moment.position,
        f"{cell} is certainly {what}. Choose a clue that every proof of this needs.",
        needed,
        _BASE + _PER_CLUE * len(proof.clues),
        proof,
        marked=(cell,),
        reason=f"Every proof needs the {clues} at {join_words([str(clue) for clue in needed])}.",
    )


def needed_clues(given: Observation, cell: Cell, verdict: int) -> tuple[tuple[Cell, ...], int]:
    """The clues without which a cell is not certain any more, and how many others touch hidden cells."""
    board = given.topology
    hidden = given.closed.ravel()
    needed: list[Cell] = []
    n_others = 0
    for clue in range(board.n_cells):
        if given.cells.flat[clue] < 0 or not any(hidden[other] for other in board.neighbours_of(clue)):
            continue
        cells = given.cells.copy()
        cells.flat[clue] = NO_CLUE
        left = mine_probabilities(Observation(board, cells, given.total, given.channel))
        if left.verdicts[cell] == verdict:
            n_others += 1
        else:
            needed.append(board.cell(clue))
    return tuple(needed), n_others
