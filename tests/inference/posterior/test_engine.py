from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sapper.errors import Contradiction, InputError, TooHard
from sapper.inference.posterior.exact import Engine, mine_probabilities
from sapper.inference.posterior.workspace import Budget
from sapper.layout import Layout
from sapper.observation import HIDDEN, Observation
from sapper.rules import Rules
from sapper.topology import topology
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
    with pytest.raises(InputError, match=r"Call posterior\(\) before open\(\)"):
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


def test_settings_that_are_changed_count_from_then_on() -> None:
    engine = Engine(density=0.1)
    position = Observation.parse("1###/####/##F#")
    for density, trust_flags in ((0.1, False), (0.25, False), (0.25, True)):
        engine.density, engine.trust_flags = density, trust_flags
        expected = mine_probabilities(position, density=density, trust_flags=trust_flags)
        np.testing.assert_array_equal(engine.posterior(position).p_mine, expected.p_mine)
    engine.budget = Budget(states=1)
    with pytest.raises(TooHard):
        engine.posterior(Observation.parse("/".join("#" * 13 if row % 2 == 0 else "#2" * 6 + "#" for row in range(9))))


def test_long_frontiers_one_after_the_other_are_answered_as_by_themselves() -> None:
    # Rows of clues above and below every hidden row: hundreds of layers in a position, and no two positions alike.
    engine, rng = Engine(), np.random.default_rng(4)
    for _ in range(5):
        mines = np.zeros((5, 240), dtype=np.bool_)
        mines[1::2] = rng.random((2, 240)) < 0.4
        board = topology("square", 5, 240)
        cells = Layout(board, mines.ravel()).clues().reshape(5, 240).astype(np.int8)
        cells[1::2] = HIDDEN
        position = Observation(board, cells, None)
        np.testing.assert_array_equal(engine.posterior(position).p_mine, mine_probabilities(position).p_mine)
