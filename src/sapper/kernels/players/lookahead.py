"""Which cell to open when nothing is safe, looking ahead: what every possible clue would lead to.

For each candidate, each clue that it may show is put on the board and the engine is asked again. The chance of the clue
is the weight of that position over the weight of this one; the position is judged by the best safety that it leaves.
Candidates that come out close are followed one guess further. Some guesses have to be made sooner or later (swaps.py):
a cell that settles one is credited with what it would cost. Some hundred sums.
"""

from __future__ import annotations

from math import exp

from sapper.kernels.codes import CONTRADICTION, FAILED, HIDDEN, OK
from sapper.kernels.engine.board import Position
from sapper.kernels.engine.posterior import solve_position
from sapper.kernels.language import Double, Flag, Int, inner, unlocked
from sapper.kernels.players.candidates import SAME_SCORE, list_candidates
from sapper.kernels.players.player import Player
from sapper.kernels.players.swaps import weigh_swaps

# Found by play on other boards than those reported: see docs/strength.md.
NEAR = 0.85  # candidates have at least this many times the best safety;
N_FRONTIER = 10  # at most so many of them are on the frontier
N_OFF = 3  # and so many off it
SECOND = 0.2  # weight of the second best safety a step ahead
DEAD = 0.5  # factor for a dead cell, which can show only one clue: it teaches nothing
CLOSE = 0.98  # candidates with at least this many times the best score are followed further,
N_CLOSE = 4  # at most so many
NEAR_NEXT = 0.9  # the same as above for the guess after
N_FRONTIER_NEXT = 3
N_OFF_NEXT = 1

CERTAIN = 1e-9  # a smaller chance than this is not looked into
ABOVE_ALL = 1e300  # no score reaches this


@inner
def judge(position: Position) -> tuple[Double, Flag]:
    """What a position is worth, the best safety with a little of the second best, and whether it asks for a guess."""
    first, second = 0.0, 0.0
    for cell in range(position.cells.shape[0]):
        if position.cells[cell] == HIDDEN:
            safety = 1.0 - position.p_mine[cell]
            if safety > first:
                first, second = safety, first
            elif safety > second:
                second = safety
    if first == 0.0:
        return 1.0, False
    return (1.0 - SECOND) * first + SECOND * second, first < 1.0


@inner
def follow(
    player: Player, into: Position, cell: Int, safety: Double, log_before: Double, floor: Double
) -> tuple[Double, Flag]:
    """Return what opening a cell is worth, or FAILED, and whether it is dead: it can show only one clue.

    Once it is clear that it is worth no more than ``floor``, a bound from above is enough.
    """
    worth = 0.0
    n_clues: Int = 0
    left = safety  # chance not yet accounted for
    for clue in range(player.board.degree[cell] + 1):
        if left < CERTAIN or worth + left <= floor:
            break
        player.draft[cell] = clue
        status = solve_position(player.ws, player.board, player.asked, into)
        if status == CONTRADICTION:
            continue
        if status != OK:
            player.status = status
            return FAILED, False
        p_clue = exp(player.ws.log_weight - log_before)
        left -= p_clue
        n_clues += 1
        best, _ = judge(into)
        worth += p_clue * best
    player.draft[cell] = HIDDEN
    if left >= CERTAIN:
        return worth + left, False
    return worth, n_clues == 1


@inner
def follow_best(player: Player, log_before: Double) -> Double:
    """Return what the best guess of the position ahead is worth, or FAILED.

    What it settles is credited as it is now: roughly, but the sums are not worth more than that.
    """
    best = 0.0
    list_candidates(player, player.board, player.ahead, player.next_candidates, NEAR_NEXT, N_FRONTIER_NEXT, N_OFF_NEXT)
    for number in range(player.next_candidates.count):
        cell = player.next_candidates.cells[number]
        relief = player.relief[cell]
        worth, _ = follow(player, player.beyond, cell, 1.0 - player.ahead.p_mine[cell], log_before, best * relief)
        if worth < 0.0:
            return FAILED
        best = max(best, worth / relief)
    return best


@inner
def follow_further(player: Player, cell: Int, floor: Double) -> Double:
    """Do the same as `follow`, but where a clue leaves nothing safe, follow the best next guess too."""
    worth = 0.0
    left = 1.0 - player.position.p_mine[cell]
    for clue in range(player.board.degree[cell] + 1):
        if left < CERTAIN or worth + left <= floor:
            break
        player.draft[cell] = clue
        status = solve_position(player.ws, player.board, player.asked, player.ahead)
        if status == CONTRADICTION:
            continue
        if status != OK:
            player.status = status
            return FAILED
        log_next = player.ws.log_weight
        p_clue = exp(log_next - player.log_now)
        left -= p_clue
        best, guesses = judge(player.ahead)
        if guesses:
            best = follow_best(player, log_next)
            if best < 0.0:
                return FAILED
        worth += p_clue * min(best, 1.0)
    player.draft[cell] = HIDDEN
    return worth + left if left >= CERTAIN else worth


@inner
def next_close(player: Player, least: Double, above: Double, after: Int) -> Int:
    """Return the place of the candidate that comes next by score after the one at ``after``; -1 if none is close."""
    place: Int = -1
    best = 0.0
    for number in range(player.candidates.count):
        score = player.scores[player.candidates.cells[number]]
        if score < least or score > above or (score == above and number <= after):
            continue
        if place < 0 or score > best:
            place, best = number, score
    return place


@inner
def score_candidates(player: Player) -> Double:
    """Score every candidate a step ahead; return the best score, or FAILED."""
    best = -1.0
    for number in range(player.candidates.count):
        cell = player.candidates.cells[number]
        safety, relief = 1.0 - player.position.p_mine[cell], player.relief[cell]
        worth, dead = follow(player, player.ahead, cell, safety, player.log_now, CLOSE * best * relief)
        if worth < 0.0:
            return FAILED
        player.scores[cell] = (DEAD if dead else 1.0) * worth / relief
        best = max(best, player.scores[cell])
    return best


@inner
def pick_close(player: Player, first: Int) -> Int:
    """Follow the candidates that are close to the best, which is at ``first``; return the best cell, or FAILED."""
    best: Int = player.candidates.cells[first]
    place: Int = first
    least = CLOSE * player.scores[best]
    best_score = -1.0
    for turn in range(N_CLOSE):
        cell = player.candidates.cells[place]
        following = next_close(player, least, player.scores[cell], place)
        if turn == 0 and following < 0:
            return best
        relief = player.relief[cell]
        worth = follow_further(player, cell, best_score * relief)
        if worth < 0.0:
            return FAILED
        if worth / relief > best_score * SAME_SCORE:
            best, best_score = cell, worth / relief
        if following < 0:
            break
        place = following
    return best


@inner
def pick_by_lookahead(player: Player) -> Int:
    """Return the hidden cell of best score, or FAILED. Nothing may be safe; ``log_now`` is set."""
    for cell in range(player.board.n_cells):
        player.draft[cell] = player.position.cells[cell]
    player.status = weigh_swaps(player, player.board, player.position)
    if player.status != OK:
        return FAILED
    list_candidates(player, player.board, player.position, player.candidates, NEAR, N_FRONTIER, N_OFF)
    best_score = score_candidates(player)
    if best_score < 0.0:
        return FAILED
    return pick_close(player, next_close(player, best_score, ABOVE_ALL, -1))


def choose_by_lookahead(player: Player) -> Int:
    """Return the best cell of the player's position, looking ahead, or a negative number: see its status.

    The position is solved and nothing is safe; ``log_now`` is the logarithm of its weight.
    """
    with unlocked:
        cell = pick_by_lookahead(player)
    return cell
