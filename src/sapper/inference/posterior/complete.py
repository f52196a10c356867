"""Everything that follows: the cells that the exact engine finds certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.inference.reasoning.deduction import COMPLETE, SINGLE, Deduction, deduce
from sapper.inference.reasoning.single import read_clue
from sapper.kernels.codes import MINE, SAFE

if TYPE_CHECKING:
    from sapper.inference.posterior.exact import Posterior
    from sapper.knowledge.facts import Facts


def deduce_complete(facts: Facts, posterior: Posterior) -> list[Deduction]:
    """Note what a posterior of the same position settles beyond what is known: mines first, each kind row by row.

    Where a single clue says so too, it gives the reason. Which clues the rest takes is not said: `explain` finds them
    and the argument for one cell, which for every cell would cost far more than the sum.
    """
    verdicts = posterior.verdicts.ravel()
    found: list[Deduction] = []
    for verdict, is_mine, reason in (
        (MINE, True, "it is a mine in every layout that fits"),
        (SAFE, False, "it is clear in every layout that fits"),
    ):
        new = [cell for cell in np.flatnonzero(verdicts == verdict).tolist() if facts.unknown >> cell & 1]
        clues = {other for cell in new for other in facts.neighbours[cell] if other in facts.clues}
        by_clue: dict[int, tuple[int, str]] = {}
        for clue in sorted(clues):
            said = read_clue(facts, clue)
            if said is not None and said[1] is is_mine:
                by_clue |= dict.fromkeys(said[0], (clue, said[2]))
        for cell in new:
            if cell in by_clue:
                clue, why = by_clue[cell]
                found += deduce(facts, [cell], is_mine, SINGLE, (clue,), why)
            else:
                found += deduce(facts, [cell], is_mine, COMPLETE, (), reason)
    return found
