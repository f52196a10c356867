"""The smallest position that shows a fault: fewer rows and columns, fewer open cells, and the agent still fails.

Each smaller position is shown to a new copy of the agent, with the same seed, as the first of a game. Where the fault
depends on what the agent saw before, the cells open one by one, in the order of the game. If it does not come up then
either, whole games are played on fewer rows and columns, and the example comes with the command for its game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sapper.agents.foreign.agent import ForeignAgent
from sapper.errors import Contradiction, Forfeit, SapperError, TooHard
from sapper.experiments.grading.judge import (
    FAULTS,
    MINE_CLAIM,
    MISSED_MINE,
    NOT_REPEATABLE,
    PRINTS,
    SAFE_CLAIM,
    Example,
    Judge,
    Tally,
    play_judged,
    prepare_game,
)
from sapper.layout import Layout
from sapper.observation import EXPLODED, HIDDEN, Observation
from sapper.rules import Rules
from sapper.topology import topology

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from sapper.agents.agent import Decision
    from sapper.agents.foreign.agent import Limits
    from sapper.topology import Cell

BY_CHANCE = ("illegal", "none")  # faults that show in a cell chosen at random, so other seeds are tried too
OTHER_SEEDS = 10
MOST_TRIALS = 300
_MINES = frozenset(MISSED_MINE.values())
MOST_GAMES = 60  # where only whole games show a fault
MOST_STALLED = 6  # where each trial takes a whole limit


@dataclass(frozen=True, slots=True)
class _Board:
    """A layout and when each of its cells opened, 0 for hidden ones; clues follow from both."""

    mines: NDArray[np.bool_]  # (rows, cols)
    opened: NDArray[np.int_]

    def observation(self, total_known: bool) -> Observation:
        """Return what a player sees."""
        board = topology("square", *self.mines.shape)
        clues = Layout(board, self.mines).clues()
        cells = np.where(self.opened > 0, np.where(self.mines, EXPLODED, clues), HIDDEN).astype(np.int8)
        return Observation(board, cells, int(self.mines.sum()) if total_known else None)

    def order(self) -> tuple[Cell, ...]:
        """Return the open cells in the order in which they opened."""
        cells = [(int(row), int(col)) for row, col in np.argwhere(self.opened > 0)]
        return tuple(sorted(cells, key=lambda cell: int(self.opened[cell])))

    def cut(self, rows: slice, cols: slice) -> _Board:
        """Return a part of it."""
        return _Board(self.mines[rows, cols], self.opened[rows, cols])


@dataclass(frozen=True, slots=True)
class MoveFaults:
    """What an agent did with a position: its faults, with the cell and the sentence of each."""

    faults: dict[str, tuple[Cell | None, str]]
    opened: Cell | None = None
    claims: tuple[tuple[Cell, ...], tuple[Cell, ...]] = ((), ())  # mines, safe cells
    reason: str = ""
    output: str = ""


def judge_position(
    name: str, observation: Observation, rules: Rules, seed: int, limits: Limits, order: Sequence[Cell] = ()
) -> MoveFaults:
    """Show a position to a new copy of an agent and judge its decision.

    With an ``order`` of its open cells, it sees them open one by one; what it decides on the way is not carried out.
    """
    agent = ForeignAgent(name, seed, limits=limits, rules=rules)
    judge = Judge(rules, agent)
    found: dict[str, Cell | None] = {}

    def look(before: Observation, decision: Decision, kinds: Iterable[str]) -> dict[str, Cell | None]:
        seen = judge.look(before, decision, agent.claims, Tally())
        # Of a decision without all the clues, only the claims can be judged.
        kinds = (SAFE_CLAIM, MINE_CLAIM) if agent.overlooks else kinds
        return {kind: cell for kind, cell in seen.items() if kind in kinds}

    try:
        for n_open in range(1, len(order)):
            cells = np.full_like(observation.cells, HIDDEN)
            for cell in order[:n_open]:
                cells[cell] = observation.cells[cell]
            before = Observation(observation.topology, cells, observation.total, observation.channel)
            decision = agent.decide(before)
            # What stays wrong: a claim is there until the end, a move on the way is not made.
            found |= look(before, decision, (SAFE_CLAIM, MINE_CLAIM, *_MINES))
        decision = agent.decide(observation)
    except Forfeit as fault:
        return MoveFaults({fault.kind: (None, fault.detail)}, output=fault.output)
    found |= look(observation, decision, FAULTS)
    found = {kind: cell for kind, cell in found.items() if kind not in _MINES or cell not in agent.claims[0]}
    faults = {kind: (cell, "") for kind, cell in found.items()}
    if agent.printed:
        faults[PRINTS] = None, f"It printed {agent.printed:,} bytes."
    for kind, what in agent.noted.items():
        faults[kind] = None, what
    mines, safe = (tuple(sorted(cells)) for cells in agent.claims)
    return MoveFaults(faults, decision.cell, (mines, safe), decision.reason)


def shrink(name: str, example: Example, limits: Limits) -> Example:
    """Return the smallest position found that shows the fault of an example, or the example if it needs its game."""
    rules = Rules.parse(example.rules)
    if example.kind in (NOT_REPEATABLE, "load") or rules.shape != "square":
        return example
    n_trials, most = 0, MOST_STALLED if example.kind in ("hang", "memory") else MOST_TRIALS
    best = replace(example)

    in_order = False

    def fails(board: _Board) -> bool:
        nonlocal n_trials, best
        if n_trials >= most or not board.opened.size:
            return False
        observation = board.observation(rules.total_known)
        if not observation.closed.any():
            return False
        here = replace(
            rules, rows=observation.rows, cols=observation.cols, mines=int(board.mines.sum()), first_click="any"
        )
        order = board.order() if in_order else ()
        for seed in (example.seed, *(range(OTHER_SEEDS) if example.kind in BY_CHANCE else ())):
            n_trials += 1
            try:
                verdict = judge_position(name, observation, here, seed, limits, order)
            except (TooHard, Contradiction):
                return False
            if example.kind in verdict.faults:
                break
        else:
            return False
        cell, detail = verdict.faults[example.kind]
        layout = Layout(observation.topology, board.mines)
        best = Example(
            example.kind, str(here), seed, str(observation), str(layout), cell, detail or example.detail,
            order=order, is_whole=False,
        )  # fmt: skip
        return True

    given = Observation.parse(example.position)
    mines = Layout.parse(example.layout).mines.reshape(given.rows, given.cols)
    opened = np.zeros(mines.shape, dtype=np.int_)
    for number, cell in enumerate(example.order, start=1):
        opened[cell] = number
    board = _Board(mines.copy(), np.where(given.closed, 0, np.maximum(opened, 1)))
    if not fails(board):
        in_order = True
        if not fails(board):
            return _shrink_game(name, example, board, limits)
    for _ in range(2):  # what is hidden now may make a row unnecessary
        board = _hide(_crop(board, fails), fails)
    return best


def _shrink_game(name: str, example: Example, board: _Board, limits: Limits) -> Example:
    """Return the example of a game on fewer rows and columns, or the same."""
    rules, best, n_games = Rules.parse(example.rules), example, 0

    def fails(board: _Board) -> bool:
        nonlocal best, n_games
        n_games += 1
        if n_games > MOST_GAMES or example.kind in ("hang", "memory"):
            return False
        rows, cols = board.mines.shape
        try:
            here = replace(rules, rows=rows, cols=cols, mines=int(board.mines.sum()))
            game = prepare_game(here, example.seed, Layout(topology("square", rows, cols), board.mines))
            tally, _ = play_judged(here, example.seed, ForeignAgent(name, example.seed, limits=limits), game)
        except SapperError:  # the board cannot be played by these rules
            return False
        best = tally.examples.get(example.kind, best)
        return example.kind in tally.examples

    _crop(board, fails)
    return best


def _crop(board: _Board, fails: Callable[[_Board], bool]) -> _Board:
    """Take away rows and columns from each side, many at first."""
    whole = slice(None)
    size = max(board.mines.shape)
    step = max(size // 2, 1)
    while True:
        first, last = slice(step, None), slice(None, -step)
        for rows, cols in ((first, whole), (last, whole), (whole, first), (whole, last)):
            smaller = board.cut(rows, cols)
            while smaller.mines.size and fails(smaller):
                board, smaller = smaller, smaller.cut(rows, cols)
        if step == 1:
            return board
        step //= 2


def _hide(board: _Board, fails: Callable[[_Board], bool]) -> _Board:
    """Close cells one by one, and take away mines."""
    for row, col in np.argwhere(board.opened > 0).tolist():
        opened = board.opened.copy()
        opened[row, col] = 0
        smaller = _Board(board.mines, opened)
        if fails(smaller):
            board = smaller
    for row, col in np.argwhere(board.mines).tolist():
        mines = board.mines.copy()
        mines[row, col] = False
        smaller = _Board(mines, board.opened)
        if fails(smaller):
            board = smaller
    return board
