"""Place the layouts of games and draw the clues that their cells show, identical to those of `world/generation.py`."""

from __future__ import annotations

from sapper.kernels.boards.pcg64 import fill_words, seed_generator
from sapper.kernels.boards.placement import Placement, draw_mines, write_layout
from sapper.kernels.codes import NO_CLUE
from sapper.kernels.engine.board import Board
from sapper.kernels.environments.games import ClueTables, EnvironmentRules, Games
from sapper.kernels.language import *

CLUE_STREAM = 1  # of a seed
FLOAT_STEP = 2.0**-53  # the spacing of random floats


def draw_clue(clues: ClueTables, word: Word, degree: Int, truth: Int) -> Int:
    """Draw what a cell shows, from a random word."""
    uniform = (word >> 11) * FLOAT_STEP
    drawn: Int = 0
    while drawn < degree + 2 and uniform >= clues.cumulative[degree, drawn, truth]:
        drawn += 1
    if drawn > clues.last[degree, truth]:
        drawn = clues.last[degree, truth]
    return NO_CLUE if drawn > degree else drawn


def place_layout(
    placement: Placement, board: Board, rules: EnvironmentRules, games: Games, which: Int, first: Int
) -> None:
    """Draw the layout and the shown clues of a game whose first opened cell is ``first``."""
    draw_mines(placement, board, rules.n_mines, rules.first_click, games.seeds[which], first)
    write_layout(placement, rules.n_mines, board, games.mines, games.shown, which)
    if rules.clues.is_exact:
        return
    seed_generator(placement.generator, games.seeds[which], CLUE_STREAM)
    fill_words(placement.generator, placement.n_cells, placement.words)
    for cell in range(placement.n_cells):
        games.shown[which, cell] = draw_clue(
            rules.clues, placement.words[cell], board.degree[cell], games.shown[which, cell]
        )


def draw_again(placement: Placement, board: Board, rules: EnvironmentRules, games: Games, which: Int, cell: Int) -> Int:
    """Draw what a cell shows after its latest redraw; linear in the cell's number."""
    truth: Int = 0
    for k in range(board.degree[cell]):
        truth += games.mines[which, board.table[cell, k]]
    seed_generator(placement.generator, games.seeds[which], CLUE_STREAM + games.n_redraws[which, cell])
    fill_words(placement.generator, cell + 1, placement.words)
    return draw_clue(rules.clues, placement.words[cell], board.degree[cell], truth)
