"""Puzzles in which nothing is certain: the cell that wins most often if all is played perfectly after it.

They come from the end of games, where the chance to win with every cell is known exactly.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from sapper.inference.chances.endgame import FEW, Endgame
from sapper.train.kinds.games import crossroads, with_flags
from sapper.train.puzzles import Puzzle

if TYPE_CHECKING:
    from sapper.inference.posterior.exact import Posterior
    from sapper.rules import Rules

_MOST_TRIED = 20_000  # positions
_FEWEST_LAYOUTS = 3
_LEAST_AT_STAKE = 0.02  # chance to win between the best cell and the worst: or it would not matter
_MOST_SOLUTIONS = 8  # a task with more answers than that is no task, nor is one that half of the cells solve
_EASIEST, _HARDEST = 900, 2100


def make_guess(rules: Rules, seed: int) -> Puzzle | None:
    """The first position from this seed in which it matters which cell is chosen, and few of them are right."""
    endgame = Endgame(rules.n_cells, FEW)
    found = (guess_of(posterior, endgame) for posterior in islice(crossroads(rules, seed), _MOST_TRIED))
    return next((one for one in found if one is not None and not _is_boring(one)), None)


def _is_boring(made: Puzzle) -> bool:
    return len(made.solution) > min(_MOST_SOLUTIONS, len(made.chances) // 2)


def guess_of(posterior: Posterior, endgame: Endgame) -> Puzzle | None:
    """The puzzle of a position in which nothing is safe; None if its chances are unknown or hardly differ."""
    ranked = endgame.rank(posterior)
    if not ranked or ranked[0].layouts < _FEWEST_LAYOUTS:
        return None
    cell = posterior.observation.topology.cell
    chances = tuple((cell(end.cell), end.wins / end.layouts) for end in ranked)
    best, worst = chances[0][1], chances[-1][1]
    if best - worst < _LEAST_AT_STAKE:
        return None
    solution = tuple(at for at, chance in chances if chance == best)
    return Puzzle(
        "guess",
        "",
        0,
        with_flags(posterior),
        "Nothing is certain: open the cell with the best chance to win.",
        solution,
        _difficulty(posterior, solution, chances),
        chances=chances,
    )


def _difficulty(
    posterior: Posterior, solution: tuple[tuple[int, int], ...], chances: tuple[tuple[tuple[int, int], float], ...]
) -> int:
    """Harder, the fewer cells are right and the closer the others come; hardest where the safest cell is wrong."""
    values = [chance for _, chance in chances]
    share = len(solution) / len(chances)
    close = values[min(len(solution), len(values) - 1)] / values[0] if values[0] else 0.0
    misleads = not set(solution) & set(posterior.best)
    return round(_EASIEST + (_HARDEST - _EASIEST) * (0.4 * (1 - share) + 0.3 * close + 0.3 * misleads))
