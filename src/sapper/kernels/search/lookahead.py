"""Which cell to open when nothing is safe, looking ahead: what every possible clue would lead to.

For each candidate, each clue that it may show is put on the board and the engine is asked again. The chance of the clue
is the weight of that position over the weight of this one; the position is judged by the best safety that it leaves.
Candidates that come out close are followed one guess further. Some guesses have to be made sooner or later (swaps.py):
a cell that settles one is credited with what it would cost.

Some hundred sums (judging.py). What no longer matters is not summed: clues whose chance is used up, candidates that
cannot come close any more, and guesses that cannot make up for what others are worth.
"""

from __future__ import annotations

from math import exp

from sapper.kernels.codes import CONTRADICTION, FAILED, HIDDEN, OK
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import Double, Flag, Int, inner
from sapper.kernels.search.candidates import SAME_SCORE, add_beside, list_candidates
from sapper.kernels.search.clue_values import judge_clue, keep_reading, open_ahead, put_back, read_now
from sapper.kernels.search.exchanges import weigh_swaps
from sapper.kernels.search.layouts import is_known_mine, is_unknown
from sapper.kernels.search.player import (
    N_BESIDE,
    N_FRONTIER,
    N_FRONTIER_EARLY,
    N_FRONTIER_NEXT,
    N_OFF,
    N_OFF_NEXT,
    Player,
    Prospects,
)

# Found by play on other boards than those reported: see docs/strength.md.
NEAR = 0.85  # candidates have at least this many times the best safety
NEAR_NEXT = 0.9  # the same for the guess after
DEAD = 0.5  # factor for a dead cell, which can show only one clue: it teaches nothing
CLOSE = 0.965  # candidates with at least this many times the best score are followed further,
N_CLOSE = 6  # at most so many

EARLY = 0.1  # it is early while less than this share of the board is open: chains mislead then

CERTAIN = 1e-9  # a smaller chance than this is not looked into
ABOVE_ALL = 1e300  # no score reaches this
IMPOSSIBLE = -1.0  # in place of the chance of a clue that contradicts others
GIVEN_UP = -2.0  # in place of a worth that is too little to matter


@inner
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


@inner
def note_next(player: Player, notes: Prospects, number: Int, clue: Int) -> None:
    """Note the guesses that may follow in the position ahead."""
    list_candidates(player, player.board, player.ahead, player.next_candidates, NEAR_NEXT, N_FRONTIER_NEXT, N_OFF_NEXT)
    row = number * notes.n_clues + clue
    notes.n_next[number, clue] = player.next_candidates.count
    for k in range(player.next_candidates.count):
        cell = player.next_candidates.cells[k]
        first, end = clue_range(player.board, player.ahead, cell)
        notes.next_cell[row, k], notes.next_safety[row, k] = cell, 1.0 - player.ahead.p_mine[cell]
        notes.next_first[row, k], notes.next_end[row, k] = first, end


@inner
def look_into(player: Player, notes: Prospects, number: Int, clue: Int) -> Int:
    """Find out what a clue of a candidate leads to and note it; return a status of the engine."""
    cell = player.candidates.cells[number]
    player.draft[cell] = clue
    status, worth, guesses = judge_clue(player, player.ws, player.now, cell, clue)
    notes.looked[number] = clue + 1
    notes.p_clue[number, clue] = IMPOSSIBLE
    if status == OK:
        notes.log_weight[number, clue] = player.ws.log_weight
        notes.p_clue[number, clue] = exp(player.ws.log_weight - player.log_now)
        notes.worth[number, clue], notes.n_next[number, clue] = worth, 0
        if guesses:
            note_next(player, notes, number, clue)
    player.draft[cell] = HIDDEN
    return OK if status == CONTRADICTION else status


@inner
def follow(player: Player, notes: Prospects, number: Int, floor: Double) -> tuple[Double, Flag]:
    """Return what opening a candidate is worth, or FAILED, and whether it is dead: it can show only one clue.

    Once it is clear that it is worth no more than ``floor``, a bound from above is enough.
    """
    worth: Double = 0.0
    n_clues: Int = 0
    cell = player.candidates.cells[number]
    left: Double = 1.0 - player.position.p_mine[cell]  # chance not yet accounted for
    first, end = clue_range(player.board, player.position, cell)
    notes.first[number], notes.end[number], notes.looked[number] = first, end, first
    for clue in range(first, end):
        if left < CERTAIN or worth + left <= floor:
            break
        player.status = look_into(player, notes, number, clue)
        if player.status != OK:
            return FAILED, False
        if notes.p_clue[number, clue] >= 0.0:
            n_clues += 1
            left -= notes.p_clue[number, clue]
            worth += notes.p_clue[number, clue] * notes.worth[number, clue]
    if left >= CERTAIN:
        return worth + left, False
    # What is left of its clues has no chance worth a look.
    notes.end[number] = notes.looked[number]
    return worth, n_clues == 1


@inner
def follow_next(player: Player, notes: Prospects, row: Int, k: Int, log_before: Double, floor: Double) -> Double:
    """Return what the guess number ``k`` is worth that may follow in the position of a row, or FAILED.

    Once it is clear that it is worth no more than ``floor``, a bound from above is enough.
    """
    worth: Double = 0.0
    left: Double = notes.next_safety[row, k]
    cell = notes.next_cell[row, k]
    for clue in range(notes.next_first[row, k], notes.next_end[row, k]):
        if left < CERTAIN or worth + left <= floor:
            break
        player.draft[cell] = clue
        status, best, _ = judge_clue(player, player.ws, player.then, cell, clue)
        if status == CONTRADICTION:
            continue
        if status != OK:
            player.status = status
            return FAILED
        p_clue = exp(player.ws.log_weight - log_before)
        left -= p_clue
        worth += p_clue * best
    player.draft[cell] = HIDDEN
    return worth + left if left >= CERTAIN else worth


@inner
def bound_next(player: Player, notes: Prospects, row: Int, first: Int, n_next: Int) -> Double:
    """Return a bound from above for what the guesses from ``first`` on are worth: their safety."""
    bound: Double = 0.0
    for k in range(first, n_next):
        bound = max(bound, notes.next_safety[row, k] / player.relief[notes.next_cell[row, k]])
    return min(bound, 1.0)


@inner
def follow_best(player: Player, notes: Prospects, number: Int, clue: Int, floor: Double) -> Double:
    """Return what the best guess is worth that may follow a clue of a candidate; or FAILED.

    GIVEN_UP if that is no more than ``floor``; more than 1 is as good as 1. What the guess settles is credited as it is
    now: roughly, but the sums are not worth more than that.
    """
    best: Double = 0.0
    row = number * notes.n_clues + clue
    n_next = notes.n_next[number, clue]
    for k in range(n_next):
        if max(best, bound_next(player, notes, row, k, n_next)) <= floor:
            return GIVEN_UP
        relief = player.relief[notes.next_cell[row, k]]
        worth = follow_next(player, notes, row, k, notes.log_weight[number, clue], best * relief)
        if worth < 0.0:
            return FAILED
        best = max(best, worth / relief)
        if best >= 1.0:
            return 1.0
    return best


@inner
def bound_clue(player: Player, notes: Prospects, number: Int, clue: Int) -> Double:
    """Return a bound from above for what a clue adds to the worth of its candidate, once guesses are followed."""
    n_next = notes.n_next[number, clue]
    if notes.p_clue[number, clue] <= 0.0:
        return 0.0
    if n_next == 0:
        return notes.p_clue[number, clue] * notes.worth[number, clue]
    return notes.p_clue[number, clue] * bound_next(player, notes, number * notes.n_clues + clue, 0, n_next)


@inner
def follow_guess(player: Player, notes: Prospects, number: Int, clue: Int, floor: Double) -> Double:
    """Have a candidate show a clue after which nothing is safe, and return the same as `follow_best`."""
    cell = player.candidates.cells[number]
    player.draft[cell] = clue
    put_back(player.ws, player.now)
    open_ahead(player, player.ws, player.board, cell, clue)
    keep_reading(player.ws, player.then)
    best = follow_best(player, notes, number, clue, floor)
    player.draft[cell] = HIDDEN
    return best


@inner
def follow_further(player: Player, notes: Prospects, number: Int, floor: Double) -> Double:
    """Do the same as `follow`, but where a clue leaves nothing safe, follow the best next guess too.

    If it turns out to be worth no more than ``floor``, that is returned.
    """
    worth: Double = 0.0
    left: Double = 1.0 - player.position.p_mine[player.candidates.cells[number]]
    rest: Double = 0.0  # a bound from above for what the clues from here on add
    best: Double
    for clue in range(notes.looked[number], notes.end[number]):
        player.status = look_into(player, notes, number, clue)
        if player.status != OK:
            return FAILED
    for clue in range(notes.first[number], notes.end[number]):
        rest += bound_clue(player, notes, number, clue)
    for clue in range(notes.first[number], notes.end[number]):
        if left < CERTAIN:
            break
        if worth + rest <= floor:
            return floor
        p_clue = notes.p_clue[number, clue]
        if p_clue <= 0.0:
            continue
        rest -= bound_clue(player, notes, number, clue)
        left -= p_clue
        best = notes.worth[number, clue]
        if notes.n_next[number, clue] > 0:
            best = follow_guess(player, notes, number, clue, (floor - worth - rest) / p_clue)
            if best == GIVEN_UP:
                return floor
            if best < 0.0:
                return FAILED
        worth += p_clue * min(best, 1.0)
    return worth + left if left >= CERTAIN else worth


@inner
def next_close(player: Player, least: Double, above: Double, after: Int) -> Int:
    """Return the place of the candidate that comes next by score after the one at ``after``; -1 if none is close."""
    place: Int = -1
    best: Double = 0.0
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
    best: Double = -1.0
    for number in range(player.candidates.count):
        cell = player.candidates.cells[number]
        relief = player.relief[cell]
        worth, dead = follow(player, player.prospects, number, CLOSE * best * relief)
        if worth < 0.0:
            return FAILED
        player.scores[cell], player.further[cell] = (DEAD if dead else 1.0) * worth / relief, -1.0
        best = max(best, player.scores[cell])
    return best


@inner
def pick_close(player: Player, first: Int) -> Int:
    """Follow the candidates that are close to the best, which is at ``first``; return the best cell, or FAILED."""
    best: Int = player.candidates.cells[first]
    place: Int = first
    least = CLOSE * player.scores[best]
    best_score: Double = -1.0
    for turn in range(N_CLOSE):
        cell = player.candidates.cells[place]
        following = next_close(player, least, player.scores[cell], place)
        if turn == 0 and following < 0:
            return best
        relief = player.relief[cell]
        worth = follow_further(player, player.prospects, place, player.near_best * best_score * relief)
        if worth < 0.0:
            return FAILED
        player.further[cell] = worth / relief
        if worth / relief > best_score * SAME_SCORE:
            best, best_score = cell, worth / relief
        if following < 0:
            break
        place = following
    return best


@inner
def is_early(board: Board, position: Position) -> Flag:
    """Whether little is open."""
    n_open: Int = 0
    for cell in range(board.n_cells):
        n_open += position.cells[cell] >= 0
    return n_open < EARLY * board.n_cells


@inner
def has_opened(board: Board, position: Position) -> Flag:
    """Whether there is an opening: a cell that shows no mines around it."""
    for cell in range(board.n_cells):
        if position.cells[cell] == 0:
            return True
    return False


@inner
def list_all_candidates(player: Player) -> None:
    """List the cells that are worth a look in the position of the game."""
    if player.is_early:
        list_candidates(player, player.board, player.position, player.candidates, NEAR, N_FRONTIER_EARLY, N_OFF)
    else:
        list_candidates(player, player.board, player.position, player.candidates, NEAR, N_FRONTIER, N_OFF)
    # In the hunt for an opening too: two cells away from a clue along the edge is about as good as a corner.
    if not player.is_early or not has_opened(player.board, player.position):
        add_beside(player, player.board, player.position, player.candidates, NEAR, N_BESIDE)


@inner
def pick_by_lookahead(player: Player) -> Int:
    """Return the hidden cell of best score, or FAILED. Nothing may be safe; ``log_now`` is set."""
    player.status = read_now(player, player.ws, player.board, player.position)
    if player.status != OK:
        return FAILED
    player.is_early = is_early(player.board, player.position)
    player.status = weigh_swaps(player, player.board, player.position)
    if player.status != OK:
        return FAILED
    list_all_candidates(player)
    best_score = score_candidates(player)
    if best_score < 0.0:
        return FAILED
    return pick_close(player, next_close(player, best_score, ABOVE_ALL, -1))
