from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpora import read_corpus

from sapper.errors import Contradiction, InputError
from sapper.inference.posterior.engine import Engine
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.world.game import Game, Outcome


def positions_of_a_game(text: str, seed: int) -> list[Observation]:
    """Every position of a game in which safe cells are opened one by one in random order."""
    game, rng = Game(Rules.parse(text), seed), np.random.default_rng(seed)
    game.open(0, 0)
    found = [game.observation]
    while game.outcome is Outcome.PLAYING:
        assert game.layout is not None
        hidden = np.argwhere(game.observation.closed & ~game.layout.mines)
        row, col = hidden[rng.integers(len(hidden))].tolist()
        game.open(row, col)
        found.append(game.observation)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "beginner",
        "intermediate",
        "16x30/99",
        "12x12/25 torus",
        "12x12/20 hex",
        "12x12/24 total-hidden",
        "8x8/12 cautious:0.2",
    ],
)
def test_answers_are_those_of_a_fresh_computation_to_the_last_bit(text: str) -> None:
    engine = Engine(density=0.2)
    for seed in range(2):
        for observation in positions_of_a_game(text, seed):
            fresh, found = mine_probabilities(observation, density=0.2), engine.posterior(observation)
            np.testing.assert_array_equal(found.p_mine, fresh.p_mine)
            np.testing.assert_array_equal(found.verdicts, fresh.verdicts)
            assert found.log_weight == fresh.log_weight


def test_only_what_changed_is_summed_again() -> None:
    engine = Engine()
    for observation in positions_of_a_game("16x30/99", 5):
        engine.posterior(observation)
    # In a game opened cell by cell most components of a position were there before.
    assert engine.n_reused > engine.n_summed > 0


def test_the_same_position_again_sums_nothing() -> None:
    _, observation, _ = next(read_corpus("snake"))
    engine = Engine()
    engine.posterior(observation)
    summed = engine.n_summed
    assert summed > 0
    engine.posterior(observation)
    assert engine.n_summed == summed


def test_newly_opened_cells_can_be_given_alone() -> None:
    first, second = positions_of_a_game("intermediate", 4)[5:7]
    engine = Engine()
    engine.posterior(first)
    changed = np.argwhere(first.cells != second.cells).tolist()
    found = engine.open({(row, col): int(second.cells[row, col]) for row, col in changed})
    assert found.observation == second
    np.testing.assert_array_equal(found.p_mine, mine_probabilities(second).p_mine)


def test_a_contradiction_leaves_the_engine_usable() -> None:
    engine = Engine()
    good = positions_of_a_game("beginner", 2)[3]
    engine.posterior(good)
    with pytest.raises(Contradiction):
        engine.posterior(Observation.parse("35#######" + "/#########" * 8 + " 4"))
    np.testing.assert_array_equal(engine.posterior(good).p_mine, mine_probabilities(good).p_mine)


def test_opening_before_a_position_is_an_error() -> None:
    with pytest.raises(InputError, match="Ask for the posterior of a position first"):
        Engine().open({(0, 0): 1})


@pytest.mark.parametrize(
    ("shown", "says"),
    [
        ({(-1, 0): 1}, "There is no cell (-1, 0) on a board of 2 rows x 2 columns."),
        ({(9, 9): 1}, "There is no cell (9, 9) on a board of 2 rows x 2 columns."),
        ({(0.5, 0): 1}, "There is no cell (0.5, 0) on a board of 2 rows x 2 columns."),
        ({(0, 1): 257}, "Row 0, column 1: 257 is not a cell code."),
        ({(0, 1): 1.7}, "Row 0, column 1: 1.7 is not a cell code."),
        ({(0, 1): 4}, "Row 0, column 1: the clue 4 touches only 3 cells."),
    ],
)
def test_cells_that_are_not_there_and_numbers_that_are_no_clues_are_refused(shown: Any, says: str) -> None:
    engine = Engine()
    before = engine.posterior(Observation.parse("1#/## 1"))
    with pytest.raises(InputError) as caught:
        engine.open(shown)
    assert str(caught.value) == says
    np.testing.assert_array_equal(engine.open({}).p_mine, before.p_mine)
