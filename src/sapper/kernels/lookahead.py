"""Which cell to open when nothing is safe, one step further ahead: what every possible clue would lead to.

For each candidate, each clue that it may show is put on the board and the engine is asked again. The chance of the clue
is the weight of that position over the weight of this one; the position is judged by the best safety that it leaves.
Some guesses have to be made sooner or later: of two cells that only mines touch one-sidedly, no clue will ever tell
which is the mine. A cell that settles such a pair is credited with what the pair would cost later.

| array   | dtype   | shape  | meaning                                                            |
|---------|---------|--------|--------------------------------------------------------------------|
| seen    | int8    | (n,)   | what the player sees, read-only                                    |
| verdict | int8    | (n,)   | what is settled in it                                              |
| p       | float64 | (n,)   | chance of a mine under every hidden cell; NaN where open           |
| trial   | int8    | (n,)   | scratch: a position one clue ahead                                 |
| tried   | int8    | (n,)   | the same memory, read-only: the type that the engine is compiled for |
| settled | int8    | (n,)   | scratch of the trials                                              |
| p_next  | float64 | (n,)   | scratch of the trials                                              |
| found   | int32   | (n,)   | scratch: the candidates, and the cells beyond a pair               |
| relief  | float64 | (n,)   | scratch: what is left of the chance to win after the pairs at a cell |
| scores  | float64 | (n,)   | out: the score of every candidate, NaN for other cells             |
| others  |         |        | as in posterior.py                                                 |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel, kernel
from sapper.kernels.choosing import HIDDEN
from sapper.kernels.frontier import MINE, UNKNOWN
from sapper.kernels.posterior import solve
from sapper.kernels.workspace import CONTRADICTION, LOG_WEIGHT, OK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Scratch = tuple[Int8s, Int8s, Int8s, Floats, Ints, Floats, Floats]  # from trial to scores

EXPLODED, NO_CLUE = -3, -4
FAILED = -100  # minus a status of the engine: it needs more memory

# Found by play on other boards than those reported: see docs/strength.md.
NEAR = 0.9  # candidates have at least so many times the best safety
N_FRONTIER, N_OFF = 10, 3  # so many candidates on the frontier and off it
SECOND = 0.2  # weight of the second best safety one step on
LEAST_PAIR = 0.01  # pairs less likely to cost the game are not weighed
MOST_BEYOND = 3  # hidden cells that touch one of a pair only; all of them would have to be mines
SAME = 1.0 + 1e-9  # equal scores may differ in their last bits


@inner_kernel
def _touches(first: int, second: int, table: Ints, degree: Int8s) -> bool:
    found = False
    for k in range(degree[first]):
        found |= table[first, k] == second
    return found


@inner_kernel
def _list_beyond(
    first: int, second: int, seen: Int8s, verdict: Int8s, table: Ints, degree: Int8s, found: Ints, n_found: int
) -> int:
    """Add the hidden cells that touch only the first of a pair; -1 if a clue does, or if there are too many."""
    for k in range(degree[first]):
        cell = table[first, k]
        if cell == second or _touches(second, cell, table, degree):
            continue
        if seen[cell] >= 0:
            return -1
        if seen[cell] == HIDDEN and verdict[cell] != MINE:
            if n_found >= MOST_BEYOND:
                return -1
            found[n_found] = cell
            n_found += 1
    return n_found


@inner_kernel
def _weigh_pairs(
    seen: Int8s,
    table: Ints,
    degree: Int8s,
    cols: int,
    total: int,
    odds: float,
    trust_flags: bool,
    is_soft: bool,
    tables: Floats,
    verdict: Int8s,
    p: Floats,
    log_now: float,
    trial: Int8s,
    tried: Int8s,
    settled: Int8s,
    p_next: Floats,
    ints: Ints,
    longs: Longs,
    floats: Floats,
    found: Ints,
    relief: Floats,
) -> int:
    """Fill ``relief``: for every cell, one minus the chance to lose later by a pair that opening it settles."""
    relief[:] = 1.0
    for first in range(len(seen)):
        if seen[first] != HIDDEN or verdict[first] != UNKNOWN:
            continue
        for k in range(degree[first]):
            second = table[first, k]
            if second < first or seen[second] != HIDDEN or verdict[second] != UNKNOWN:
                continue
            n_beyond = _list_beyond(first, second, seen, verdict, table, degree, found, 0)
            if n_beyond >= 0:
                n_beyond = _list_beyond(second, first, seen, verdict, table, degree, found, n_beyond)
            if n_beyond < 0:
                continue
            # A rough chance first: most pairs are not worth a sum.
            rough = p[first] * (1.0 - p[second])
            for number in range(n_beyond):
                rough *= p[found[number]]
            if rough < 0.3 * LEAST_PAIR:
                continue
            for number in range(n_beyond):
                trial[found[number]] = EXPLODED
            trial[first], trial[second] = EXPLODED, NO_CLUE
            status = solve(
                tried, table, degree, cols, total, odds, trust_flags, is_soft, tables, settled, p_next, ints, longs,
                floats,
            )  # fmt: skip
            trial[first] = trial[second] = HIDDEN
            for number in range(n_beyond):
                trial[found[number]] = HIDDEN
            if status == CONTRADICTION:
                continue
            if status != OK:
                return status
            # Swapped, the pair fits as well, so this is also the chance of guessing the wrong one of the two.
            p_lost = np.exp(floats[LOG_WEIGHT] - log_now)
            if p_lost < LEAST_PAIR:
                continue
            relief[first] *= 1.0 - p_lost
            relief[second] *= 1.0 - p_lost
            for number in range(n_beyond):
                relief[found[number]] *= 1.0 - p_lost
    return OK


@inner_kernel
def _rank(cell: int, seen: Int8s, table: Ints, degree: Int8s, p: Floats, relief: Floats) -> float:
    """Its safety, credited; of equal ones the likeliest to open up comes first."""
    p_open = 1.0
    for k in range(degree[cell]):
        other = table[cell, k]
        if seen[other] < 0 and p[other] == p[other]:
            p_open *= 1.0 - p[other]
    rank: float = (1.0 - p[cell]) / relief[cell] * (1.0 + 1e-3 * p_open)
    return rank


@inner_kernel
def _list_candidates(seen: Int8s, table: Ints, degree: Int8s, p: Floats, relief: Floats, found: Ints) -> int:
    """List the cells worth a look: the best on the frontier, then the best off it."""
    least = 0.0
    for cell in range(len(seen)):
        if seen[cell] == HIDDEN:
            least = max(least, NEAR * (1.0 - p[cell]) / relief[cell])
    n_found = 0
    for turn in range(2):
        start, most = n_found, N_FRONTIER if turn == 0 else N_OFF
        for cell in range(len(seen)):
            if seen[cell] != HIDDEN or (1.0 - p[cell]) / relief[cell] < least:
                continue
            on_frontier = False
            for k in range(degree[cell]):
                on_frontier |= seen[table[cell, k]] >= 0
            if on_frontier != (turn == 0):
                continue
            rank = _rank(cell, seen, table, degree, p, relief)
            place = n_found
            while place > start and rank > _rank(found[place - 1], seen, table, degree, p, relief) * SAME:
                place -= 1
            if place - start >= most:
                continue
            for k in range(min(n_found, start + most - 1), place, -1):
                found[k] = found[k - 1]
            found[place] = cell
            n_found = min(n_found + 1, start + most)
    return n_found


@inner_kernel
def _judge(cells: Int8s, p: Floats) -> float:
    """What a position is worth: the best safety in it, with a little of the second best; one if nothing is left."""
    first, second = 0.0, 0.0
    for cell in range(len(cells)):
        if cells[cell] == HIDDEN:
            safety = 1.0 - p[cell]
            if safety > first:
                first, second = safety, first
            elif safety > second:
                second = safety
    if first == 0.0:
        return 1.0
    return (1.0 - SECOND) * first + SECOND * second


@kernel
def choose_by_lookahead(
    seen: Int8s,
    table: Ints,
    degree: Int8s,
    cols: int,
    total: int,
    odds: float,
    trust_flags: bool,
    is_soft: bool,
    tables: Floats,
    verdict: Int8s,
    p: Floats,
    log_now: float,  # logarithm of the weight of this position
    trial: Int8s,
    tried: Int8s,
    settled: Int8s,
    p_next: Floats,
    ints: Ints,
    longs: Longs,
    floats: Floats,
    found: Ints,
    relief: Floats,
    scores: Floats,
) -> int:
    """Return the hidden cell of best score, or FAILED minus a status; some sixty sums. No cell may be settled safe."""
    trial[:] = seen
    scores[:] = np.nan
    status = _weigh_pairs(
        seen, table, degree, cols, total, odds, trust_flags, is_soft, tables, verdict, p, log_now, trial, tried,
        settled, p_next, ints, longs, floats, found, relief,
    )  # fmt: skip
    if status != OK:
        return FAILED - status
    best, best_score = -1, -1.0
    for number in range(_list_candidates(seen, table, degree, p, relief, found)):
        cell = found[number]
        score = 0.0
        left = 1.0 - p[cell]  # chance not yet accounted for
        for clue in range(degree[cell] + 1):
            # Even if all that is left were won, this candidate could not be the best any more.
            if left < 1e-9 or (score + left) / relief[cell] <= best_score:
                break
            trial[cell] = clue
            status = solve(
                tried, table, degree, cols, total, odds, trust_flags, is_soft, tables, settled, p_next, ints, longs,
                floats,
            )  # fmt: skip
            if status == CONTRADICTION:
                continue
            if status != OK:
                return FAILED - status
            p_clue = np.exp(floats[LOG_WEIGHT] - log_now)
            left -= p_clue
            score += p_clue * _judge(tried, p_next)
        trial[cell] = HIDDEN
        scores[cell] = score / relief[cell]
        if scores[cell] > best_score * SAME:
            best, best_score = cell, scores[cell]
    return best
