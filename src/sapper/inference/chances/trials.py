"""Close candidates tried out, for one position after another: asks `kernels.choose_by_trying`.

>>> from sapper.inference.posterior.exact import mine_probabilities
>>> from sapper.observation import Observation
>>> seen = Observation.parse("1#####/######/######/######/###### 8")
>>> Trying(seen.topology).choose(mine_probabilities(seen))
Tried(cell=12, n_games=0, p_win=0.0)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper import kernels
from sapper.inference.chances.endgame import Endgame
from sapper.inference.chances.lookahead import as_position
from sapper.inference.chances.rollouts import FINAL
from sapper.inference.posterior.workspace import Workspace
from sapper.kernels.codes import TRIAL_GAMES

if TYPE_CHECKING:
    from sapper.inference.posterior.exact import Posterior
    from sapper.topology import Topology

EXCHANGES = 3  # sets of random numbers for each game; a game that steps on more mines uses them again
MOST_CELLS = 10_000  # of a board; on larger ones a game takes longer than most people wait


class Tried(NamedTuple):
    """The cell that was chosen, the games that were played on with it, and what they were worth on average."""

    cell: int
    n_games: int  # 0: it was not a close call
    p_win: float


def make_trials(board: Topology, workspace: Workspace, asked: kernels.Question) -> kernels.Trials | None:
    """Return the memory for trying out, which shares engine and question with whoever asks; None for large boards."""
    n = board.n_cells
    if n > MOST_CELLS:
        return None
    # Any numbers, but the same ones every time: what is chosen depends on the position alone.
    numbers = np.random.default_rng(0)
    cells, start = np.zeros(n, dtype=np.int8), np.zeros(n, dtype=np.int8)
    position = kernels.Position(cells, np.zeros(n, dtype=np.int8), np.zeros(n))
    player = kernels.Player(workspace, board.graph, asked, position, Endgame(n, FINAL).ending)
    layouts = np.zeros((TRIAL_GAMES, n), dtype=np.bool_)
    uniform = numbers.random((TRIAL_GAMES, EXCHANGES, 3 * n + 8))
    rollout = kernels.Rollout(start, layouts, uniform, np.zeros(TRIAL_GAMES), cells, True)
    return kernels.Trials(player, rollout, start, layouts, numbers.random((TRIAL_GAMES, 3 * n + 8)))


class Trying:
    """Looks ahead and tries out what is close, on one board. Not for two threads at once."""

    def __init__(self, board: Topology) -> None:
        self.board = board
        self._workspace = Workspace(board.n_cells, False)
        self._asked = kernels.Question(-1)
        self._trials = make_trials(board, self._workspace, self._asked)

    def choose(self, posterior: Posterior) -> Tried:
        """Return the best cell of a position with exact clues in which nothing is safe; raises `TooHard`."""
        self._asked.total = posterior.question.total
        player = kernels.Player(self._workspace, self.board.graph, self._asked, as_position(posterior))
        player.log_now = posterior.log_weight
        while True:
            if self._trials is None:
                cell = kernels.choose_by_lookahead(player)
            else:
                cell = kernels.choose_by_trying(player, self._trials)
            if cell >= 0:
                break
            self._workspace.grow(player.status)
        if self._trials is None:
            return Tried(cell, 0, 0.0)
        return Tried(cell, self._trials.n_played, self._trials.share_won if self._trials.n_played else 0.0)
