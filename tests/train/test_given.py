"""Puzzles made from given positions."""

from __future__ import annotations

import numpy as np
import pytest
from effort import times
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sapper.errors import Contradiction, InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import FLAG, Observation
from sapper.train import KINDS, LEVELS, Kind, Level, check, of_position, puzzle


@pytest.mark.slow
@given(st.sampled_from(LEVELS), st.integers(0, 300))
@settings(max_examples=times(15, 40), deadline=None)
def test_the_position_of_a_puzzle_makes_the_same_puzzle(level: Level, seed: int) -> None:
    made = puzzle(level, seed)
    assume(made.opens)
    # Flags of the position do not count: they are put where easier reasoning proves mines.
    again = of_position(made.position.without_flags())
    assert (again.kind, again.position, again.solution) == (level, made.position, made.solution)
    assert again == of_position(str(made.position), level)
    assert check(again, again.solution[0]).is_right


def test_wrong_flags_are_taken_off() -> None:
    made = of_position("F###/1221")
    assert made.position == Observation.parse("####/1221")
    assert made.solution == ((0, 0), (0, 3))


def test_where_nothing_is_safe_a_mine_is_asked_for() -> None:
    made = of_position("#2### 3")
    assert made.task.startswith("Nothing is safe yet")
    assert (made.kind, made.solution) == ("single", ((0, 0), (0, 2)))
    assert all(check(made, cell).is_right for cell in made.solution)
    assert not (made.position.cells == FLAG).any()


def test_an_exploded_mine_is_known_and_no_answer() -> None:
    made = of_position("*2#/12#/01# 2")
    assert made.solution == ((0, 2), (2, 2))
    assert str(made.position) == "*2#/12#/01# 2"
    made = of_position("*2### 3")
    assert made.solution == ((0, 2),)


@pytest.mark.parametrize("kind", ["guess", "area", "chain"])
def test_other_kinds_on_request(kind: Kind) -> None:
    made = puzzle(kind, 3)
    again = of_position(made.position, kind)
    assert again.kind == kind
    assert again.task == made.task or kind == "chain"
    if kind == "guess":
        assert again.chances == made.chances
    if kind == "area":
        assert again.number is not None
        rows, cols = zip(*again.marked, strict=True)
        drawn = mine_probabilities(again.position).sample(100, np.random.default_rng(3))
        assert set(drawn[:, rows, cols].sum(axis=1).tolist()) == {again.number}


@pytest.mark.parametrize(
    ("position", "kind", "sentence"),
    [
        ("##/## 2", None, "Nothing is certain in this position; it can only make a guess puzzle."),
        ("00/00", None, "Every cell is open: there is nothing left to find."),
        ("####/1221", "pairs", "This position makes a puzzle of kind subsets, not pairs."),
        ("####/1221", "guess", "(0, 0) is certainly safe, so no guess is needed."),
        ("##/## 2", "guess", "The win chances are the same for every cell here, or too hard to compute exactly."),
        ("##/## 2", "area", "There is no area of undecided cells here whose mines can be counted."),
        ("1#/11", "chain", "No cell here needs some of the nearby clues and not others."),
        ("1#/## 1 withheld:0.2", None, "Puzzles need exact clues, not withheld:0.2 ones."),
        ("####/1221", "tripels", f"There is no puzzle kind 'tripels'; choose from {', '.join(KINDS)}."),
    ],
)
def test_what_makes_no_puzzle_is_one_sentence(position: str, kind: Kind | None, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        of_position(position, kind)
    assert str(refused.value) == sentence


def test_clues_that_disagree_make_no_puzzle() -> None:
    with pytest.raises(Contradiction):
        of_position("1#/#3 1")
