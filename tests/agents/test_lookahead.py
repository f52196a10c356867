"""The player that looks a step ahead: what its scores mean, and which guesses it takes early."""

from __future__ import annotations

import math

import numpy as np
import pytest
from effort import times

from sapper.agents.registry import make_agent
from sapper.inference.evaluation.decision import LOOKAHEAD_ONLY, Decider
from sapper.inference.evaluation.endgame import EXPERT
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels.search.clue_values import SAFETY_DECAY
from sapper.kernels.search.player import N_SAFEST
from sapper.observation import HIDDEN, Observation
from sapper.play.compiled import CompiledPlayer
from sapper.play.match import steps
from sapper.rules import Rules
from sapper.world.game import Game


class Ahead:
    """A position with what is asked about it all the time; cells by number."""

    def __init__(self, observation: Observation) -> None:
        self.seen = observation.cells.ravel()
        self.p = mine_probabilities(observation).p_mine.ravel()
        self.near = [set(observation.topology.neighbours_of(cell)) for cell in range(observation.topology.n_cells)]
        self.hidden = np.flatnonzero(self.seen == HIDDEN).tolist()
        self.unsure = {cell for cell in self.hidden if 0.0 < self.p[cell] < 1.0}

    def is_uninformative(self, cell: int) -> bool:
        """Whether what a cell would show is clear: its unsure neighbours are counted by clues that count no others."""
        doubts = self.near[cell] & self.unsure
        clues = [clue for clue in range(len(self.seen)) if self.seen[clue] >= 0]
        while doubts:
            counted = [
                around for clue in clues if (around := self.near[clue] & self.unsure - {cell}) and around <= doubts
            ]
            if not counted:
                return False
            doubts = doubts - counted[0]
        return True

    def worth(self) -> float:
        """The best safeties, cells that tell nothing aside."""
        safety = {cell: 1.0 - self.p[cell] for cell in self.hidden if self.p[cell] < 1.0}
        best = [safety[cell] for cell in safety if not self.is_uninformative(cell)] or [*safety.values()]
        if not best:
            return 1.0
        weights = SAFETY_DECAY ** np.arange(N_SAFEST)
        return float(weights @ sorted([*best, *[0.0] * N_SAFEST], reverse=True)[:N_SAFEST] / weights.sum())


def score_by_hand(observation: Observation, cell: tuple[int, int]) -> float:
    """Sum over the clues: chance of the clue times what the position is worth that it leads to."""
    now = mine_probabilities(observation)
    score = 0.0
    for clue, p_clue in enumerate(now.p_clue(*cell)):
        if p_clue > 0.0:
            cells = observation.cells.copy()
            cells[cell] = clue
            score += p_clue * Ahead(Observation(observation.topology, cells, observation.total)).worth()
    return score


@pytest.mark.slow
@pytest.mark.oracle
def test_cells_said_to_tell_nothing_show_one_clue_for_certain() -> None:
    n_dead = 0
    for text in ("6x6/9", "6x6/9 hex", "6x6/9 torus", "6x6/7 knight", "6x6/9 orthogonal"):
        for seed in range(6):
            for step in steps(Game(Rules.parse(text), seed), make_agent("exact", seed)):
                ahead, posterior = Ahead(step.before), mine_probabilities(step.before)
                for cell in ahead.hidden:
                    if ahead.p[cell] < 1.0 and ahead.is_uninformative(cell):
                        shown = posterior.p_clue(*step.before.topology.cell(cell))
                        assert np.count_nonzero(shown > 0.0) == 1
                        n_dead += 1
    assert n_dead > 100


@pytest.mark.oracle
def test_scores_are_the_expected_safety_a_step_ahead() -> None:
    n_compared = 0
    for seed in range(times(4, 8)):
        game = Game(Rules.parse("6x7/9"), seed)
        for step in steps(game, make_agent("expert", seed)):
            if step.decision.p_mine in (0.0, None) or not (step.before.cells >= 0).any():
                continue
            decider = Decider(step.before.topology, LOOKAHEAD_ONLY)
            posterior = mine_probabilities(step.before)
            cell = decider.decide(posterior).cell
            if posterior.log_weight > math.log(EXPERT.beam):
                assert divmod(cell, step.before.cols) == step.decision.cell
            # Candidates that fall behind are given up early; the best one is summed to the end.
            by_hand = score_by_hand(step.before, divmod(cell, step.before.cols))
            assert decider.scores[cell] * decider.forced_loss_credit[cell] == pytest.approx(by_hand, rel=1e-9)
            n_compared += 1
    assert n_compared > times(5, 10)


def test_a_pair_that_no_clue_can_tell_apart_is_credited() -> None:
    """Two cells between mines, both touched by both clues: one half each, now or later, so guessing costs nothing."""
    position = Observation.parse("*##*###/.22.###/....### 5")
    posterior = mine_probabilities(position)
    assert posterior.p_mine[0, 1] == pytest.approx(0.5)
    decider = Decider(position.topology)
    decider.look_ahead(posterior)
    assert decider.forced_loss_credit[1] == pytest.approx(0.5)
    assert decider.forced_loss_credit[2] == pytest.approx(0.5)
    assert decider.forced_loss_credit[5] == 1.0


def test_the_reason_names_the_search() -> None:
    """By the number of layouts that are left: some hundred, some thousand, and too many to list."""
    for text, agent, said in (
        ("1####/#####/##### 3", "expert", "; perfect play wins "),
        ("1####/#####/##### 5", "expert", "; beam search wins at least "),
        ("1####/#####/##### 5", "master", "; perfect play wins "),
        ("1#####/######/######/###### 7", "expert", "; lookahead rates it best"),
        ("1#####/######/######/###### 5", "master", "; beam search wins at least "),
    ):
        position = Observation.parse(text)
        decision = make_agent(agent, 0).decide(position)
        assert said in decision.reason, (mine_probabilities(position).n_layouts, decision.reason)


def test_looking_ahead_never_opens_a_proved_mine_nor_guesses_while_something_is_safe() -> None:
    for seed in range(30):
        game = Game(Rules.parse("9x9/14"), seed)
        for step in steps(game, make_agent("expert", seed)):
            assert step.decision.cell is not None
            certain = mine_probabilities(step.before)
            assert step.decision.cell not in certain.mines
            if certain.safe:
                assert step.decision.cell in certain.safe


@pytest.mark.long
def test_looking_ahead_wins_more() -> None:
    rules = Rules.parse("expert")
    won = {
        name: sum(CompiledPlayer(rules, name).play(seed).won for seed in range(50_000_000, 50_001_000))
        for name in ("exact", "expert")
    }
    # A difference of a point is seen with some certainty only over tens of thousands; this guards against blunders.
    assert won["expert"] > won["exact"] - 30
    assert won["exact"] > 1000 * 0.34
