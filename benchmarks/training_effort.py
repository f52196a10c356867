"""The effort of a puzzle for a player limited to its level: looks at clues until the first right answer.

The player climbs the levels: every clue alone, then every pair of overlapping clues, as far as the level goes. Where
cases are needed, it makes assumptions cell by cell and follows the clues until one is violated or all are satisfied; if
the total counts, the number of mines must fit too. The order of looks is random, so the mean over several orders
counts. A look is one clue, one pair of clues, or one clue while following an assumption.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from sapper.inference.facts import Facts, cells_of
from sapper.inference.reasoning.one_two import deduce_one_two
from sapper.inference.reasoning.single import deduce_single
from sapper.inference.reasoning.subsets import deduce_pairs, deduce_subsets
from sapper.train import LEVELS, Puzzle

MAX_LOOKS = 20_000
_RULES = (deduce_single, deduce_subsets, deduce_one_two, deduce_pairs)


class _Enough(Exception):
    """The player exceeded the limit of looks."""


@dataclass
class _Supposing:
    """Follows assumptions through the statements of the frontier, and counts the looks."""

    said: list[tuple[int, int]]  # cells as bits, mines among them
    n_far: int  # cells that no clue touches
    left: int | None  # remaining mines on the board, if they count
    n_looks: int
    touching: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, (cells, _) in enumerate(self.said):
            for cell in cells_of(cells):
                self.touching.setdefault(cell, []).append(number)

    def is_possible(self, mines: int, clear: int, news: int) -> bool:
        """Return whether some layout has these mines and these safe cells, by search."""
        waiting = [number for cell in cells_of(news) for number in self.touching.get(cell, ())]
        while waiting:
            self.n_looks += 1
            if self.n_looks > MAX_LOOKS:
                raise _Enough
            cells, number = self.said[waiting.pop()]
            need = number - (cells & mines).bit_count()
            unknown = cells & ~(mines | clear)
            if need < 0 or need > unknown.bit_count():
                return False
            if unknown and need in (0, unknown.bit_count()):
                if need:
                    mines |= unknown
                else:
                    clear |= unknown
                waiting += [other for cell in cells_of(unknown) for other in self.touching[cell]]
        undecided = [cells & ~(mines | clear) for cells, _ in self.said if cells & ~(mines | clear)]
        if not undecided:
            return self.left is None or 0 <= self.left - mines.bit_count() <= self.n_far
        tight = min(undecided, key=int.bit_count)
        cell = tight & -tight
        return self.is_possible(mines | cell, clear, cell) or self.is_possible(mines, clear | cell, cell)


def looks_needed(puzzle: Puzzle, seed: int) -> int:
    """Return the player's looks, in one random order."""
    rng = random.Random(seed)
    given = puzzle.position.with_flags_as_mines()
    facts = Facts(given)
    begun = facts.mines
    n_looks = rung = 0
    while rung < min(LEVELS.index(puzzle.kind) + 1, len(_RULES)):
        before = facts.unknown
        for clue in rng.sample(sorted(facts.clues), len(facts.clues)):
            if facts.statement(clue)[0]:
                n_looks += len(list(facts.overlapping(clue))) if rung else 1
                _RULES[rung](facts, [clue])
                if facts.safe if puzzle.opens else facts.mines != begun:
                    return n_looks
        rung = 0 if rung and facts.unknown != before else rung + 1
    said = [(cells, low) for cells, low, _ in (facts.statement(clue) for clue in facts.clues) if cells]
    frontier = 0
    for cells, _ in said:
        frontier |= cells
    n_far = (facts.unknown & ~frontier).bit_count()
    left = (given.total or 0) - facts.mines.bit_count() if puzzle.kind == "total" else None
    player = _Supposing(said, n_far, left, n_looks)
    places = cells_of(frontier)
    if puzzle.kind == "total":
        places += cells_of(facts.unknown & ~frontier)[:1]  # cells that no clue touches are interchangeable
    try:
        for cell in rng.sample(places, len(places)):
            opposite = (1 << cell, 0) if puzzle.opens else (0, 1 << cell)
            if frontier >> cell & 1:
                found = not player.is_possible(*opposite, 1 << cell)
            else:
                found = not _Supposing(said, n_far - 1, (left or 0) - puzzle.opens, 0).is_possible(0, 0, 0)
            if found:
                return player.n_looks
    except _Enough:
        pass
    return MAX_LOOKS
