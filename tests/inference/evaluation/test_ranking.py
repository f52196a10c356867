"""Chances to win by playing on: unbiased, better with more games, exact where they can be."""

from __future__ import annotations

import json
from contextlib import suppress

import numpy as np
import pytest
from command import complaint, run
from effort import times
from perfect import list_layouts

from sapper.agents.best import best_cell
from sapper.agents.registry import make_agent
from sapper.errors import Contradiction
from sapper.inference.evaluation.decision import Decider, Policy
from sapper.inference.evaluation.endgame import SearchLimits, solve_position
from sapper.inference.evaluation.rollouts import Effort, Rollouts
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels.codes import LEAST_RISK, LOOKAHEAD
from sapper.observation import Observation
from sapper.play.compiled import ContinuingPlayer
from sapper.play.match import steps
from sapper.rules import Rules
from sapper.world.game import Game

KNOWN = "#####/#1###/#3###/##### 5"  # 360 layouts, 285 won by perfect play


@pytest.mark.oracle
def test_games_in_which_nobody_dies_win_as_often_as_games_in_which_one_may() -> None:
    position = Observation.parse(KNOWN)
    posterior = mine_probabilities(position)
    player = ContinuingPlayer(Rules.parse("4x5/5"), "exact")
    layouts = list_layouts(position)
    cells = [(0, 2), (0, 0), (2, 2)]
    # Played to the end by least risk, as that player does.
    values = Rollouts(20, final=1).values(
        posterior, [position.topology.index(*cell) for cell in cells], 240, np.random.default_rng(1)
    )
    for row, cell in zip(values, cells, strict=True):
        won = sum(player.wins(position, layout.mines, [cell]) for layout in layouts) / len(layouts)
        assert abs(row.mean() - won) < 4.0 * row.std() / len(row) ** 0.5 + 1e-9
        # The variance is what it is for.
        assert row.var() < won * (1.0 - won)


@pytest.mark.oracle
def test_games_that_end_in_perfect_play_are_worth_what_perfect_play_wins() -> None:
    position = Observation.parse(KNOWN)
    posterior = mine_probabilities(position)
    best = solve_position(position)
    # After any clue of the first cell at most 360 layouts are left.
    row = Rollouts(20, final=360).values(posterior, [2], 100, np.random.default_rng(1))[0]
    assert abs(row.mean() - best.by_cell[0, 2] / best.layouts) < 4.0 * row.std() / len(row) ** 0.5 + 1e-9
    longer = Rollouts(20, final=1).values(posterior, [2], 100, np.random.default_rng(1))[0]
    assert row.var() < longer.var()


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["exact", "expert"])
def test_games_played_on_win_as_often_as_the_player_they_stand_for(agent: str) -> None:
    position = Observation.parse("1#####/######/######/######/######/###### 7")
    posterior, rng = mine_probabilities(position), np.random.default_rng(3)
    final, policy = (300, LOOKAHEAD) if agent == "expert" else (1, LEAST_RISK)
    values = Rollouts(36, final=final, policy=policy).values(posterior, [5, 14], times(200, 600), rng)
    player = ContinuingPlayer(Rules.parse("6x6/7"), agent)
    for row, cell in zip(values, [(0, 5), (2, 2)], strict=True):
        won = np.array([player.wins(position, layout, [cell]) for layout in posterior.sample(times(400, 1500), rng)])
        assert abs(row.mean() - won.mean()) < 5.0 * (row.var() / len(row) + won.var() / len(won)) ** 0.5


@pytest.mark.oracle
def test_the_same_generator_gives_the_same_values() -> None:
    posterior = mine_probabilities(Observation.parse(KNOWN))
    first, again = (Rollouts(20).values(posterior, [0, 2], 16, np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(first, again)


def regret(position: Observation, n_games: int) -> float:
    """What is lost by the choice after so many games, against perfect play, as a share of all layouts."""
    best = solve_position(position)
    # With so few layouts allowed to the search, rollouts have to decide.
    decider = Decider(position.topology, Policy(SearchLimits(2, 0)))
    chosen = decider.rank(mine_probabilities(position), Effort(n_games), np.random.default_rng(0))[0]
    cell = position.topology.cell(chosen.cell)
    cells = position.cells.copy()
    won = 0
    for clue in range(position.topology.degree[chosen.cell] + 1):
        cells[cell] = clue
        with suppress(Contradiction):
            won += solve_position(Observation(position.topology, cells, position.total)).wins
    return (best.wins - won) / best.layouts


@pytest.mark.slow
def test_more_games_are_never_worse_by_more_than_noise() -> None:
    positions = []
    for seed in range(times(60, 150)):
        for step in steps(Game(Rules.parse("7x7/13"), seed), make_agent("exact", seed)):
            posterior = mine_probabilities(step.before)
            if not posterior.safe and 3.0 < posterior.log_weight < 7.0 and (step.before.cells >= 0).any():
                positions.append(step.before)
    assert len(positions) > times(10, 30)
    few, many = ([regret(position, n) for position in positions] for n in (64, 512))
    difference = np.array(many) - np.array(few)
    assert difference.mean() <= 5.0 * difference.std() / len(difference) ** 0.5
    assert np.mean(many) < 0.01


def test_the_best_cell_with_its_chance() -> None:
    # Perfect play takes a moment; what it may take is for a machine that is busy.
    found = best_cell(Observation.parse(KNOWN), seconds=60.0)
    assert found.cell == (0, 2)
    assert found.exact
    assert found.p_win == pytest.approx(285 / 360)
    by_cell = solve_position(Observation.parse(KNOWN)).by_cell
    assert all(one.p_win is not None and one.p_win * 360 <= by_cell[one.cell] + 1e-9 for one in found.candidates)
    safe = best_cell(Observation.parse("01#/02#/02# 2"), seconds=60.0)
    assert safe.certain
    assert safe.cell in mine_probabilities(Observation.parse("01#/02#/02# 2")).safe
    other = best_cell(Observation.parse(KNOWN), "exact", seconds=60.0)
    assert other.cell == make_agent("exact").decide(Observation.parse(KNOWN)).cell


@pytest.mark.slow
def test_a_large_position_is_answered_by_games() -> None:
    position = next(
        step.before
        for seed in range(20)
        for step in steps(Game(Rules.parse("12x12/26"), seed), make_agent("exact", seed))
        if (step.before.cells >= 0).sum() > 20 and mine_probabilities(step.before).log_weight > 12.0
        if not mine_probabilities(step.before).safe
    )
    found = best_cell(position, seconds=2.0)
    assert not found.exact
    assert found.p_win is not None
    assert 0.0 < found.p_win < 1.0
    assert found.chosen.n_games >= 8
    assert found.chosen.error > 0.0


def test_the_book_answers_blank_boards() -> None:
    blank = "/".join(["#" * 30] * 16) + " 99"
    found = best_cell(Observation.parse(blank), seconds=0.1)
    assert found.cell == (0, 0)
    assert found.p_win is not None
    assert 0.35 < found.p_win < 0.45
    opening = best_cell(Observation.parse(blank), seconds=0.1, start="opening")
    assert opening.p_win is not None
    assert opening.p_win > found.p_win + 0.05


def test_the_command_best() -> None:
    answer = json.loads(run("best", KNOWN, "--time", "0.1", "--json").stdout)
    assert answer["cell"] == [0, 2]
    assert answer["exact"]
    assert "Open (0, 2). Its risk is 2.2%. The win chance is 79.2%." in run("best", KNOWN, "--time", "0.1").stdout
    assert "known number of mines" in complaint("best", "1#/##")
    assert "no agent 'nobody'" in complaint("best", KNOWN, "--agent", "nobody")
    assert "first-lucky" in complaint("best", "1x2/1 first-lucky")
    assert "Every cell is open already." in complaint("best", "00/00 0")
    assert "cannot" in complaint("best", "1#/## 3")
