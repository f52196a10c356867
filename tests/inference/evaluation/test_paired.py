"""Paired rollouts of close candidates, against the same choice made plainly."""

from __future__ import annotations

import numpy as np
import pytest
from effort import times
from guessing import guessing_positions

from sapper import kernels
from sapper.inference.evaluation.choice import Choice, How
from sapper.inference.evaluation.decision import MAX_CELLS_PAIRED, N_PAIRED_RESAMPLES, Decider, Policy
from sapper.inference.evaluation.endgame import SearchLimits
from sapper.inference.evaluation.rollouts import FINAL, Rollouts
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.posterior.workspace import GrowingWorkspace
from sapper.kernels.codes import LOOKAHEAD, PAIRED_GAMES
from sapper.observation import Observation
from sapper.rules import Rules

ROLLOUTS_ONLY = Policy(SearchLimits(0, 0), uses_rollouts=True)
CLOSE_SHARE, MAX_CLOSE, N_FIRST_GAMES, SCORE_WEIGHT, PRIOR_GAMES = 0.98, 3, 16, 0.65, 100.0

# Games take their time uncompiled.
BOARDS = ["5x4/5"] if kernels.BUILD == "python" else ["7x7/10", "6x6/9 torus", "7x6/9 hex", "8x8/14 knight"]


def guesses(text: str, n_games: int) -> list[Posterior]:
    """The positions of games in which something has to be guessed."""
    return [mine_probabilities(seen) for seen in guessing_positions(text, range(n_games), 10**12)]


def look_ahead(posterior: Posterior) -> tuple[int, np.ndarray]:
    """The best cell ahead, and the scores a guess further, all of them exact."""
    n = posterior.p_mine.size
    workspace, further = GrowingWorkspace(n, False), np.full(n, -1.0)
    board, asked = posterior.observation.topology.graph, posterior.question
    player = kernels.Player(workspace, board, asked, posterior.as_position(), LOOKAHEAD, None, None, None, further)
    player.log_weight, player.exact_above = posterior.log_weight, 0.0
    while (cell := kernels.decide(player)) < 0:
        workspace.grow(player.status)
    return cell, further


def choose_plainly(posterior: Posterior) -> Choice:
    """Choose as the kernel should: the same games, and the rule written out."""
    best, further = look_ahead(posterior)
    observation, p = posterior.observation, posterior.p_mine.ravel()
    n = p.size
    close = [
        cell for cell in np.argsort(-further, kind="stable").tolist() if further[cell] > CLOSE_SHARE * further[best]
    ]
    cells = [best, *(cell for cell in close if cell != best)][:MAX_CLOSE]
    early = np.count_nonzero(observation.cells >= 0) < 0.1 * n
    if early or len(cells) == 1:
        return Choice(best, float(p[best]), How.LOOKAHEAD)
    rng = np.random.default_rng(0)
    uniform, numbers = rng.random((PAIRED_GAMES, N_PAIRED_RESAMPLES, 3 * n + 8)), rng.random((PAIRED_GAMES, 3 * n + 8))
    layouts = posterior.sample_by(numbers).reshape(PAIRED_GAMES, -1)
    rollouts = Rollouts(n, final=FINAL)
    values = [(1.0 - p[cell]) * rollouts.play(observation, cell, layouts, uniform) for cell in cells]

    def rate(k: int, n_games: int) -> float:
        played = values[k][:n_games].mean() - values[0][:n_games].mean()
        ahead = further[cells[k]] / further[best] - 1.0
        return float(SCORE_WEIGHT * ahead * values[0][:n_games].mean() + played * n_games / (n_games + PRIOR_GAMES))

    def error(k: int, other: int) -> float:
        spread = (values[k][:N_FIRST_GAMES] - values[other][:N_FIRST_GAMES]).std()
        return float(spread / np.sqrt(N_FIRST_GAMES) * N_FIRST_GAMES / (N_FIRST_GAMES + PRIOR_GAMES))

    places = range(len(cells))
    leader = max(places, key=lambda k: rate(k, N_FIRST_GAMES))
    kept = [
        k
        for k in places
        if k in (0, leader) or rate(k, N_FIRST_GAMES) >= rate(leader, N_FIRST_GAMES) - error(k, leader)
    ]
    n_games = PAIRED_GAMES if len(kept) > 1 else N_FIRST_GAMES
    winner = max(kept, key=lambda k: rate(k, n_games))
    value = float(values[winner][:n_games].mean())
    return Choice(cells[winner], float(p[cells[winner]]), How.ROLLOUTS, value, n_games=n_games)


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("text", BOARDS)
def test_the_choice_is_the_one_made_plainly(text: str) -> None:
    decider = Decider(Rules.parse(text).topology, ROLLOUTS_ONLY)
    n_tried = n_changed = 0
    for posterior in guesses(text, times(5, 25)):
        found, plainly = decider.decide(posterior), choose_plainly(posterior)
        assert (found.cell, found.how, found.n_games) == (plainly.cell, plainly.how, plainly.n_games)
        assert found.p_win == pytest.approx(plainly.p_win)
        n_tried += found.n_games > 0
        n_changed += found.cell != look_ahead(posterior)[0]
    assert n_tried
    assert n_changed or kernels.BUILD == "python"


def test_the_choice_depends_on_the_position_alone() -> None:
    rules = Rules.parse("8x8/12")
    positions = guesses("8x8/12", 10)
    together = Decider(rules.topology, ROLLOUTS_ONLY)
    there = [together.decide(posterior) for posterior in positions]
    back = [together.decide(posterior) for posterior in reversed(positions)]
    assert there == back[::-1]
    assert there == [Decider(rules.topology, ROLLOUTS_ONLY).decide(posterior) for posterior in positions]


def test_flags_change_nothing() -> None:
    rules = Rules.parse("8x8/12")
    decider = Decider(rules.topology, ROLLOUTS_ONLY)
    n_flagged = 0
    for posterior in guesses("8x8/12", 10):
        seen = posterior.observation
        cells = seen.cells.copy()
        for mine in posterior.mines:
            cells[mine] = -2
            n_flagged += 1
        flagged = Observation(seen.topology, cells, seen.total, seen.channel)
        assert decider.decide(mine_probabilities(flagged)) == decider.decide(posterior)
    assert n_flagged


def test_boards_too_large_for_games_are_looked_at_ahead_only() -> None:
    rules = Rules.parse("101x100/1500")
    assert rules.n_cells > MAX_CELLS_PAIRED
    cells = np.full((101, 100), -1, dtype=np.int8)
    cells[50, 50] = 2
    posterior = mine_probabilities(Observation(rules.topology, cells, rules.mines))
    found = Decider(rules.topology, ROLLOUTS_ONLY).decide(posterior)
    assert (found.cell, found.how) == (look_ahead(posterior)[0], How.LOOKAHEAD)
