"""Which cell to open when nothing is safe, looking ahead: what every possible clue would lead to.

For each candidate, each clue that it may show is put on the board and the engine is asked again. The chance of the clue
is the weight of that position over the weight of this one; the position is judged by the best safety that it leaves.
Candidates that come out close are followed one guess further. Some guesses have to be made sooner or later (swaps.py):
a cell that settles one is credited with what it would cost.

| array   | dtype   | shape  | meaning                                                            |
|---------|---------|--------|--------------------------------------------------------------------|
| seen    | int8    | (n,)   | what the player sees, read-only                                    |
| verdict | int8    | (n,)   | what is settled in it                                              |
| p       | float64 | (n,)   | chance of a mine under every hidden cell; NaN where open           |
| trial   | int8    | (n,)   | scratch: a position some clues ahead                               |
| tried   | int8    | (n,)   | the same memory, read-only: the type that the engine is compiled for |
| settled | int8    | (n,)   | scratch of the trials                                              |
| p_next  | float64 | (n,)   | scratch of the trials                                              |
| found   | int32   | (n,)   | scratch: the candidates                                            |
| relief  | float64 | (n,)   | scratch: what the guesses that a cell settles would leave of the chance to win |
| scores  | float64 | (n,)   | out: the scores of the candidates a step ahead, of poor ones a bound; NaN for others |
| others  |         |        | as in posterior.py                                                 |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel, kernel
from sapper.kernels.candidates import SAME, list_candidates
from sapper.kernels.choosing import HIDDEN
from sapper.kernels.posterior import solve
from sapper.kernels.swaps import weigh_swaps
from sapper.kernels.workspace import CONTRADICTION, LOG_WEIGHT, OK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Scratch = tuple[Int8s, Int8s, Int8s, Floats, Ints, Floats, Floats]  # from trial to scores

FAILED = -100  # minus a status of the engine: it needs more memory

# Found by play on other boards than those reported: see docs/strength.md.
NEAR = 0.85  # candidates have at least so many times the best safety
N_FRONTIER, N_OFF = 10, 3  # so many candidates on the frontier and off it
SECOND = 0.2  # weight of the second best safety one step on
DEAD = 0.5  # times the score of a dead cell, one that can show but a single clue: it teaches nothing
CLOSE = 0.98  # candidates with so many times the best score are followed further,
N_CLOSE = 4  # at most so many of them
NEAR_NEXT, N_FRONTIER_NEXT, N_OFF_NEXT = 0.9, 3, 1  # the next guess is one of these


@inner_kernel
def _judge(cells: Int8s, p: Floats) -> tuple[float, bool]:
    """What a position is worth, the best safety with a little of the second best, and whether it asks for a guess."""
    first, second = 0.0, 0.0
    for cell in range(len(cells)):
        if cells[cell] == HIDDEN:
            safety = 1.0 - p[cell]
            if safety > first:
                first, second = safety, first
            elif safety > second:
                second = safety
    if first == 0.0:
        return 1.0, False
    return (1.0 - SECOND) * first + SECOND * second, first < 1.0


@inner_kernel
def _follow(
    cell: int,
    safety: float,
    log_before: float,
    floor: float,
    table: Ints,
    degree: Int8s,
    cols: int,
    total: int,
    odds: float,
    trust_flags: bool,
    is_soft: bool,
    tables: Floats,
    trial: Int8s,
    tried: Int8s,
    settled: Int8s,
    p_next: Floats,
    ints: Ints,
    longs: Longs,
    floats: Floats,
) -> tuple[float, bool]:
    """What opening a cell is worth, or FAILED minus a status, and whether it is dead: it can show but one clue.

    Once it is clear that it is worth no more than the floor, a bound from above is enough.
    """
    worth = 0.0
    n_clues = 0
    left = safety  # chance not yet accounted for
    for clue in range(degree[cell] + 1):
        if left < 1e-9 or worth + left <= floor:
            break
        trial[cell] = clue
        status = solve(
            tried, table, degree, cols, total, odds, trust_flags, is_soft, tables, settled, p_next, ints, longs, floats
        )
        if status == CONTRADICTION:
            continue
        if status != OK:
            return float(FAILED - status), False
        p_clue = np.exp(floats[LOG_WEIGHT] - log_before)
        left -= p_clue
        n_clues += 1
        worth += p_clue * _judge(tried, p_next)[0]
    trial[cell] = HIDDEN
    if left >= 1e-9:
        return worth + left, False
    return worth, n_clues == 1


@inner_kernel
def _follow_further(
    cell: int,
    safety: float,
    log_before: float,
    floor: float,
    table: Ints,
    degree: Int8s,
    cols: int,
    total: int,
    odds: float,
    trust_flags: bool,
    is_soft: bool,
    tables: Floats,
    trial: Int8s,
    tried: Int8s,
    settled: Int8s,
    p_next: Floats,
    ints: Ints,
    longs: Longs,
    floats: Floats,
    relief: Floats,
) -> float:
    """The same, but where a clue leaves nothing safe, the next guess is followed too and the best of several taken.

    What the next guess settles is credited as it is now: roughly, but that is what the sums are worth.
    """
    n_cells = len(tried)
    found, p_beyond = np.empty(n_cells, np.int32), np.empty(n_cells)
    worth = 0.0
    left = safety
    for clue in range(degree[cell] + 1):
        if left < 1e-9 or worth + left <= floor:
            break
        trial[cell] = clue
        status = solve(
            tried, table, degree, cols, total, odds, trust_flags, is_soft, tables, settled, p_next, ints, longs, floats
        )
        if status == CONTRADICTION:
            continue
        if status != OK:
            return float(FAILED - status)
        log_next = floats[LOG_WEIGHT]
        p_clue = np.exp(log_next - log_before)
        left -= p_clue
        best, guesses = _judge(tried, p_next)
        if guesses:
            best = 0.0
            n_found = list_candidates(
                tried, table, degree, p_next, relief, found, NEAR_NEXT, N_FRONTIER_NEXT, N_OFF_NEXT
            )
            for number in range(n_found):
                other = found[number]
                following, _ = _follow(
                    other, 1.0 - p_next[other], log_next, best * relief[other], table, degree, cols, total, odds,
                    trust_flags, is_soft, tables, trial, tried, settled, p_beyond, ints, longs, floats,
                )  # fmt: skip
                if following < 0.0:
                    return following
                best = max(best, following / relief[other])
        worth += p_clue * min(best, 1.0)
    trial[cell] = HIDDEN
    return worth + left if left >= 1e-9 else worth


@inner_kernel
def _next_close(n_found: int, found: Ints, scores: Floats, least: float, above: float, after: int) -> int:
    """The place of the candidate that comes next by score after the one at ``after``; -1 if none is close."""
    place = -1
    for number in range(n_found):
        score = scores[found[number]]
        if score < least or score > above or (score == above and number <= after):
            continue
        if place < 0 or score > scores[found[place]]:
            place = number
    return place


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
    """Return the hidden cell of best score, or FAILED minus a status; some hundred sums. Nothing may be safe."""
    trial[:] = seen
    scores[:] = np.nan
    status = weigh_swaps(
        seen, table, degree, cols, total, odds, trust_flags, is_soft, tables, verdict, p, log_now, trial, tried,
        settled, p_next, ints, longs, floats, found, relief,
    )  # fmt: skip
    if status != OK:
        return FAILED - status
    n_found = list_candidates(seen, table, degree, p, relief, found, NEAR, N_FRONTIER, N_OFF)
    best_score = -1.0
    for number in range(n_found):
        cell = found[number]
        worth, dead = _follow(
            cell, 1.0 - p[cell], log_now, CLOSE * best_score * relief[cell], table, degree, cols, total, odds,
            trust_flags, is_soft, tables, trial, tried, settled, p_next, ints, longs, floats,
        )  # fmt: skip
        if worth < 0.0:
            return int(worth)
        scores[cell] = (DEAD if dead else 1.0) * worth / relief[cell]
        best_score = max(best_score, scores[cell])
    place = _next_close(n_found, found, scores, best_score, np.inf, -1)
    best: int = found[place]
    best_score = -1.0
    least = CLOSE * scores[best]
    for turn in range(N_CLOSE):
        following = _next_close(n_found, found, scores, least, scores[found[place]], place)
        if turn == 0 and following < 0:
            return best
        cell = found[place]
        worth = _follow_further(
            cell, 1.0 - p[cell], log_now, best_score * relief[cell], table, degree, cols, total, odds, trust_flags,
            is_soft, tables, trial, tried, settled, p_next, ints, longs, floats, relief,
        )  # fmt: skip
        if worth < 0.0:
            return int(worth)
        if worth / relief[cell] > best_score * SAME:
            best, best_score = cell, worth / relief[cell]
        if following < 0:
            break
        place = following
    return best
