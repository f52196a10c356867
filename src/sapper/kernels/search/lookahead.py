"""Lookahead: the expected value of the positions that each clue of a candidate would lead to.

For each candidate, each clue that it may show is put on the board and the engine sums again (clue_values.py). The
probability of the clue is the weight of that position over the weight of this one; the position is valued by the safest
cells that it leaves. Close candidates are followed one guess further. A cell that settles a forced guess is credited
with what that would cost (exchanges.py).

About a hundred sums. As in alpha-beta search, ``alpha`` is the value to beat: a value of at most ``alpha`` may be any
upper bound that is at most ``alpha``, so clues and guesses that can no longer exceed it are not summed. Where a sum
fails, the player's status is not OK, and values mean nothing.
"""

from __future__ import annotations

from math import exp

from sapper.kernels.codes import CONTRADICTION, FAILED, HIDDEN, OK
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import *
from sapper.kernels.search.candidates import SAME_SCORE, add_beside, list_candidates
from sapper.kernels.search.clue_values import evaluate_clue, read_game, restore_snapshot, save_snapshot, show_clue
from sapper.kernels.search.exchanges import weigh_exchanges
from sapper.kernels.search.layouts import is_known_mine, is_unknown
from sapper.kernels.search.player import (
    N_BESIDE,
    N_FRONTIER,
    N_FRONTIER_EARLY,
    N_FRONTIER_NEXT,
    N_OFF,
    N_OFF_NEXT,
    ClueTable,
    Player,
)

# Tuned by play on other boards than those reported: see docs/strength.md.
NEAR = 0.85  # candidates have at least this share of the best safe probability
NEAR_NEXT = 0.9  # the same for the next guess
UNINFORMATIVE = 0.5  # factor for a cell that can show only one clue
CLOSE = 0.965  # candidates with at least this share of the best score are followed further,
N_CLOSE = 6  # at most this many

EARLY = 0.1  # it is early while less than this share of the board is open: long exchanges mislead then

NEGLIGIBLE = 1e-9  # clues with less probability than this are ignored
INFINITE = 1e300  # more than any score


def clue_range(board: Board, position: Position, cell: Int) -> tuple[Int, Int]:
    """Return the least clue that a cell may show by what is settled around it, and one more than the greatest."""
    n_mines: Int = 0
    n_unknown: Int = 0
    for k in range(board.degree[cell]):
        other = board.table[cell, k]
        if is_known_mine(position, other):
            n_mines += 1
        elif is_unknown(position, other):
            n_unknown += 1
    return n_mines, n_mines + n_unknown + 1


def list_next(player: Player, table: ClueTable, number: Int, clue: Int) -> None:
    """List the guesses that may follow in the scratch position."""
    list_candidates(
        player, player.board, player.scratch, player.next_candidates, NEAR_NEXT, N_FRONTIER_NEXT, N_OFF_NEXT
    )
    row = number * table.n_clues + clue
    table.n_next[number, clue] = player.next_candidates.count
    for k in range(player.next_candidates.count):
        cell = player.next_candidates.cells[k]
        first, end = clue_range(player.board, player.scratch, cell)
        table.next_cell[row, k], table.next_safety[row, k] = cell, 1.0 - player.scratch.p_mine[cell]
        table.next_first[row, k], table.next_end[row, k] = first, end


def fill_clue(player: Player, table: ClueTable, number: Int, clue: Int) -> None:
    """Enter what a clue of a candidate leads to."""
    cell = player.candidates.cells[number]
    player.scratch_cells[cell] = clue
    status, value, guesses = evaluate_clue(player, player.ws, player.snapshot, cell, clue)
    table.n_filled[number] = clue + 1
    table.p_clue[number, clue], table.n_next[number, clue] = 0.0, 0
    if status == OK:
        table.log_weight[number, clue] = player.ws.log_weight
        table.p_clue[number, clue] = exp(player.ws.log_weight - player.log_weight)
        table.value[number, clue] = value
        if guesses:
            list_next(player, table, number, clue)
    player.scratch_cells[cell] = HIDDEN
    player.status = OK if status == CONTRADICTION else status


def value_ahead(player: Player, table: ClueTable, number: Int, alpha: Double) -> tuple[Double, Flag]:
    """Return the value of a candidate one step ahead, and whether it is uninformative: it can show only one clue."""
    value: Double = 0.0
    n_clues: Int = 0
    cell = player.candidates.cells[number]
    left: Double = 1.0 - player.position.p_mine[cell]  # probability not yet accounted for
    first, end = clue_range(player.board, player.position, cell)
    table.first[number], table.end[number], table.n_filled[number] = first, end, first
    for clue in range(first, end):
        if left < NEGLIGIBLE or value + left <= alpha:
            break
        fill_clue(player, table, number, clue)
        if player.status != OK:
            return 0.0, False
        if table.p_clue[number, clue] > 0.0:
            n_clues += 1
            left -= table.p_clue[number, clue]
            value += table.p_clue[number, clue] * table.value[number, clue]
    if left >= NEGLIGIBLE:
        return value + left, False
    table.end[number] = table.n_filled[number]
    return value, n_clues == 1


def value_next(player: Player, table: ClueTable, row: Int, k: Int, log_before: Double, alpha: Double) -> Double:
    """Return the value of the next guess ``k`` of a row; the next snapshot is that of its position."""
    value: Double = 0.0
    left: Double = table.next_safety[row, k]
    cell = table.next_cell[row, k]
    for clue in range(table.next_first[row, k], table.next_end[row, k]):
        if left < NEGLIGIBLE or value + left <= alpha:
            break
        player.scratch_cells[cell] = clue
        status, best, _ = evaluate_clue(player, player.ws, player.next_snapshot, cell, clue)
        if status == CONTRADICTION:
            continue
        if status != OK:
            player.status = status
            break
        p_clue = exp(player.ws.log_weight - log_before)
        left -= p_clue
        value += p_clue * best
    player.scratch_cells[cell] = HIDDEN
    return value + left if left >= NEGLIGIBLE else value


def bound_next(player: Player, table: ClueTable, row: Int, first: Int, n_next: Int) -> Double:
    """Return an upper bound for the value of the next guesses from ``first`` on: their safe probability."""
    bound: Double = 0.0
    for k in range(first, n_next):
        bound = max(bound, table.next_safety[row, k] / player.forced_loss_credit[table.next_cell[row, k]])
    return min(bound, 1.0)


def value_of_best_next(player: Player, table: ClueTable, number: Int, clue: Int, alpha: Double) -> Double:
    """Return the value of the best guess that may follow a clue of a candidate; at most 1.

    Forced guesses that it settles are credited as they are now: an approximation, but better ones are not worth sums.
    """
    best: Double = 0.0
    row = number * table.n_clues + clue
    n_next = table.n_next[number, clue]
    cell = player.candidates.cells[number]
    player.scratch_cells[cell] = clue
    restore_snapshot(player.ws, player.snapshot)
    show_clue(player, player.ws, player.board, cell, clue)
    save_snapshot(player.ws, player.next_snapshot)
    for k in range(n_next):
        if best >= 1.0 or max(best, bound_next(player, table, row, k, n_next)) <= alpha:
            break
        credit = player.forced_loss_credit[table.next_cell[row, k]]
        value = value_next(player, table, row, k, table.log_weight[number, clue], best * credit)
        if player.status != OK:
            break
        best = max(best, value / credit)
    player.scratch_cells[cell] = HIDDEN
    return min(best, 1.0)


def bound_clue(player: Player, table: ClueTable, number: Int, clue: Int) -> Double:
    """Return an upper bound for what a clue adds to the value of its candidate, once next guesses are followed."""
    n_next = table.n_next[number, clue]
    if n_next == 0:
        return table.p_clue[number, clue] * table.value[number, clue]
    return table.p_clue[number, clue] * bound_next(player, table, number * table.n_clues + clue, 0, n_next)


def value_two_ahead(player: Player, table: ClueTable, number: Int, alpha: Double) -> Double:
    """Return the value of a candidate, with the best next guess after each clue that leaves nothing safe."""
    value: Double = 0.0
    left: Double = 1.0 - player.position.p_mine[player.candidates.cells[number]]
    rest: Double = 0.0  # upper bound for what the remaining clues add
    best: Double
    limit: Double
    for clue in range(table.n_filled[number], table.end[number]):
        fill_clue(player, table, number, clue)
        if player.status != OK:
            return 0.0
    for clue in range(table.first[number], table.end[number]):
        rest += bound_clue(player, table, number, clue)
    for clue in range(table.first[number], table.end[number]):
        if left < NEGLIGIBLE:
            break
        if value + rest <= alpha:
            return alpha
        p_clue = table.p_clue[number, clue]
        if p_clue <= 0.0:
            continue
        rest -= bound_clue(player, table, number, clue)
        left -= p_clue
        best = table.value[number, clue]
        if table.n_next[number, clue] > 0:
            limit = (alpha - value - rest) / p_clue
            best = value_of_best_next(player, table, number, clue, limit)
            if player.status != OK:
                return 0.0
            if best <= limit:
                return alpha
        value += p_clue * best
    return value + left if left >= NEGLIGIBLE else value


def next_close(player: Player, least: Double, above: Double, after: Int) -> Int:
    """Return the candidate that comes next by score after the one at ``after``; -1 if none is close."""
    place: Int = -1
    best: Double = 0.0
    for number in range(player.candidates.count):
        score = player.scores[player.candidates.cells[number]]
        if score < least or score > above or (score == above and number <= after):
            continue
        if place < 0 or score > best:
            place, best = number, score
    return place


def score_candidates(player: Player) -> Double:
    """Score every candidate one step ahead; return the best score."""
    best: Double = -1.0
    for number in range(player.candidates.count):
        cell = player.candidates.cells[number]
        credit = player.forced_loss_credit[cell]
        value, uninformative = value_ahead(player, player.clue_table, number, CLOSE * best * credit)
        if player.status != OK:
            break
        player.scores[cell], player.deep_scores[cell] = (UNINFORMATIVE if uninformative else 1.0) * value / credit, -1.0
        best = max(best, player.scores[cell])
    return best


def pick_close(player: Player, first: Int) -> Int:
    """Follow the candidates that are close to the best, which is at ``first``; return the best cell."""
    best: Int = player.candidates.cells[first]
    place: Int = first
    least = CLOSE * player.scores[best]
    best_score: Double = -1.0
    for turn in range(N_CLOSE):
        cell = player.candidates.cells[place]
        following = next_close(player, least, player.scores[cell], place)
        if turn == 0 and following < 0:
            break
        credit = player.forced_loss_credit[cell]
        value = value_two_ahead(player, player.clue_table, place, player.exact_above * best_score * credit)
        if player.status != OK:
            break
        player.deep_scores[cell] = value / credit
        if value / credit > best_score * SAME_SCORE:
            best, best_score = cell, value / credit
        if following < 0:
            break
        place = following
    return best


def is_early(board: Board, position: Position) -> Flag:
    """Whether little is open."""
    n_open: Int = 0
    for cell in range(board.n_cells):
        n_open += position.cells[cell] >= 0
    return n_open < EARLY * board.n_cells


def has_opened(board: Board, position: Position) -> Flag:
    """Whether there is an opening: a cell that shows no mines around it."""
    for cell in range(board.n_cells):
        if position.cells[cell] == 0:
            return True
    return False


def list_all_candidates(player: Player) -> None:
    """List the candidates in the position of the game."""
    n_frontier: Int = N_FRONTIER_EARLY if player.is_early else N_FRONTIER
    list_candidates(player, player.board, player.position, player.candidates, NEAR, n_frontier, N_OFF)
    # Also before there is an opening: two cells away from a clue along the edge is about as good as a corner.
    if not player.is_early or not has_opened(player.board, player.position):
        add_beside(player, player.board, player.position, player.candidates, NEAR, N_BESIDE)


def pick_by_lookahead(player: Player) -> Int:
    """Return the hidden cell of best score, or FAILED with the player's status. Nothing may be safe."""
    cell: Int = FAILED
    best_score: Double
    player.status = read_game(player, player.ws, player.board, player.position)
    player.is_early = is_early(player.board, player.position)
    if player.status == OK:
        player.status = weigh_exchanges(player, player.board, player.position)
    if player.status == OK:
        list_all_candidates(player)
        best_score = score_candidates(player)
        if player.status == OK:
            cell = pick_close(player, next_close(player, best_score, INFINITE, -1))
    return cell if player.status == OK else FAILED
