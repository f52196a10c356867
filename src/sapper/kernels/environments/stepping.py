"""Many games side by side, stepped in one call: open or flag a cell, cascade, reward, end, begin anew.

A step costs what it opens; a game costs its layout and, at both ends, the writing of its mask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels.boards.reveal import open_cascade
from sapper.kernels.codes import EXPLODED, FLAG, HIDDEN, NO_CLUE
from sapper.kernels.engine.board import Board
from sapper.kernels.environments.games import EnvironmentRules, EnvironmentStep, Games
from sapper.kernels.environments.pcg64 import fill_words, load_stream, save_stream
from sapper.kernels.environments.placement import Placement, draw_again, place_layout
from sapper.kernels.language import (
    ByteGrid,
    ConstByteGrid,
    ConstWords,
    Double,
    Flag,
    Int,
    Long,
    Longs,
    inner,
    unlocked,
    view,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HIT_MINE = -1  # a mine was opened


@inner
def fill_row(table: ByteGrid, which: Int, length: Int, code: Int) -> None:
    """Write the same code into a whole row."""
    for k in range(length):
        table[which, k] = code


@inner
def allow(games: Games, rules: EnvironmentRules, which: Int, cell: Int) -> None:
    """Write down what may be done with a cell."""
    code = games.cells[which, cell]
    if code == HIDDEN:
        games.masks[which, cell] = games.is_placed[which] or rules.may_open[cell]
    else:
        games.masks[which, cell] = code == NO_CLUE and rules.redraws
    if rules.survey:
        games.masks[which, games.n_cells + cell] = code in (HIDDEN, FLAG)


@inner
def allow_all(games: Games, rules: EnvironmentRules, which: Int) -> None:
    """Write down what may be done with every cell."""
    for cell in range(games.n_cells):
        allow(games, rules, which, cell)


@inner
def start_game(games: Games, rules: EnvironmentRules, placement: Placement, which: Int) -> None:
    """Begin a new game with the next seed of its stream."""
    load_stream(placement.generator, games.streams, which)
    fill_words(placement.generator, 1, placement.words)
    save_stream(placement.generator, games.streams, which)
    # A seed is a number of 63 bits.
    games.seeds[which] = placement.words[0] >> 1
    games.n_closed[which], games.n_flags[which], games.n_correct_flags[which] = games.n_cells, 0, 0
    games.n_steps[which], games.is_placed[which] = 0, 0
    fill_row(games.cells, which, games.n_cells, HIDDEN)
    if rules.redraws:
        for cell in range(games.n_cells):
            games.n_redraws[which, cell] = 0
    fill_row(games.masks, which, games.n_actions, 1)
    if rules.forbids_some:
        allow_all(games, rules, which)


@inner
def place_on_first(
    games: Games, rules: EnvironmentRules, board: Board, placement: Placement, which: Int, cell: Int
) -> None:
    """Draw the layout for the first cell that is opened."""
    place_layout(placement, board, rules, games, which, cell)
    games.is_placed[which] = 1
    if rules.survey:
        for k in range(rules.n_mines):
            if games.cells[which, placement.places[k]] == FLAG:
                games.n_correct_flags[which] += 1
    # Until now some cells may have left no room for the opening.
    if rules.forbids_some:
        allow_all(games, rules, which)


@inner
def open_cell(games: Games, rules: EnvironmentRules, board: Board, placement: Placement, which: Int, cell: Int) -> Int:
    """Open a cell or ask a silent one again; return how many safe cells opened, or HIT_MINE."""
    was_open: Flag = games.cells[which, cell] == NO_CLUE
    if was_open:
        games.n_redraws[which, cell] += 1
        games.shown[which, cell] = draw_again(placement, board, games, which, cell)
        if games.shown[which, cell] == NO_CLUE:
            return 0
    elif not games.is_placed[which]:
        place_on_first(games, rules, board, placement, which, cell)
    if games.mines[which, cell]:
        games.cells[which, cell] = EXPLODED
        games.n_closed[which] -= 1
        allow(games, rules, which, cell)
        return HIT_MINE
    n_opened = open_cascade(games.field, board, which * games.n_cells, cell, rules.cascades)
    for k in range(n_opened):
        allow(games, rules, which, games.field.opened[k])
    if was_open:
        n_opened -= 1
    games.n_closed[which] -= n_opened
    return n_opened


@inner
def flag_cell(games: Games, rules: EnvironmentRules, which: Int, cell: Int) -> None:
    """Put a flag on a hidden cell or take it off."""
    change: Int = 1 if games.cells[which, cell] == HIDDEN else -1
    games.cells[which, cell] = FLAG if change == 1 else HIDDEN
    games.n_flags[which] += change
    if games.is_placed[which] and games.mines[which, cell]:
        games.n_correct_flags[which] += change
    allow(games, rules, which, cell)


@inner
def score_survey(games: Games, rules: EnvironmentRules, which: Int) -> Double:
    """Return the score of a survey that is finished: right flags less wrong ones, as a share of the mines."""
    if rules.n_mines == 0:
        return 1.0
    if games.is_placed[which]:
        return float(max(0, 2 * games.n_correct_flags[which] - games.n_flags[which])) / rules.n_mines
    # Nothing was opened, so that all cells carry flags: right without a layout only if all of them are mines.
    return 1.0 if rules.n_mines == games.n_cells else 0.0


@inner
def act(
    games: Games,
    rules: EnvironmentRules,
    board: Board,
    placement: Placement,
    step: EnvironmentStep,
    which: Int,
    action: Int,
) -> None:
    """Take an action that is allowed."""
    n_opened: Int = 0
    reward: Double = 0.0
    if action >= games.n_cells:
        flag_cell(games, rules, which, action - games.n_cells)
    else:
        n_opened = open_cell(games, rules, board, placement, which, action)
        if n_opened == HIT_MINE:
            reward += rules.prices.mine
        else:
            step.n_opened[which] = n_opened
            reward += rules.prices.safe_cell * n_opened
    if rules.survey:
        if games.n_closed[which] == games.n_flags[which]:
            step.terminated[which] = 1
            step.results[which] = score_survey(games, rules, which)
    elif n_opened == HIT_MINE:
        step.terminated[which] = 1
    elif games.n_closed[which] == rules.n_mines:
        step.terminated[which] = 1
        step.results[which] = 1.0
    if step.terminated[which]:
        reward += rules.prices.win * step.results[which]
        fill_row(games.masks, which, games.n_actions, 0)
    step.rewards[which] = reward


@inner
def step_game(
    games: Games, rules: EnvironmentRules, board: Board, placement: Placement, step: EnvironmentStep, which: Int
) -> None:
    """Take the action of one environment; one that is not allowed leaves the game as it is."""
    action: Int = step.actions[which]
    games.n_steps[which] += 1
    if games.masks[which, action]:
        act(games, rules, board, placement, step, which, action)
    else:
        step.rewards[which] = 0.0 + rules.prices.invalid_action
    step.truncated[which] = 0 < rules.max_steps <= games.n_steps[which]


@inner
def choose_actions(masks: ConstByteGrid, numbers: ConstWords, actions: Longs) -> None:
    """Choose an allowed action in every row of the masks, by a random number of 32 bits."""
    n_allowed: Int
    action: Int
    left: Long
    for which in range(masks.shape[0]):
        n_allowed = 0
        for k in range(masks.shape[1]):
            n_allowed += masks[which, k]
        left = (numbers[which] * n_allowed) >> 32
        action = 0
        while n_allowed > 0 and (left > 0 or masks[which, action] == 0):
            left -= masks[which, action]
            action += 1
        actions[which] = action


def start_games(games: Games, rules: EnvironmentRules, placement: Placement, step: EnvironmentStep) -> None:
    """Begin a new game, with the next seed of its stream, in every environment that takes part in the step."""
    with unlocked:
        for which in range(games.n_games):
            if step.chosen[which]:
                start_game(games, rules, placement, which)


def step_games(
    games: Games, rules: EnvironmentRules, board: Board, placement: Placement, step: EnvironmentStep
) -> None:
    """Take the actions of all environments that take part in the step, whose games must be going on.

    What comes of it is written for all environments: for those that take no part, that nothing happened.
    """
    with unlocked:
        for which in range(games.n_games):
            step.rewards[which], step.results[which] = 0.0, 0.0
            step.terminated[which], step.truncated[which], step.n_opened[which] = 0, 0, 0
            if step.chosen[which]:
                step_game(games, rules, board, placement, step, which)


def choose_allowed(masks: NDArray[np.int8], numbers: NDArray[np.uint64], actions: NDArray[np.int64]) -> None:
    """Choose one of the allowed actions of every environment, all with the same chance, or 0 where none is left.

    ``numbers`` (e,) are random and of 32 bits: what the remainder of so many does to the chances is below 10⁻⁶ on
    boards of up to 4,000 cells.
    """
    seen: ConstByteGrid = view(masks)
    drawn: ConstWords = view(numbers)
    chosen: Longs = view(actions)
    with unlocked:
        choose_actions(seen, drawn, chosen)
