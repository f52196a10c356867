"""What comes next."""

from __future__ import annotations

import pytest

from sapper.errors import GaveUp
from sapper.train import KINDS, LEVELS, Attempt, Kind, Learner, Round, learn, next_puzzle
from sapper.train.choosing import choose
from sapper.train.glicko import expected_score

DAY = 86_400


def test_mistakes_that_are_due_come_first() -> None:
    wrong = Attempt("pairs", "9x9/10", 7, 1250, 0, 5, 1000)
    learner = learn([wrong])
    chosen = choose(learner, 1000 + DAY)
    assert chosen.is_repetition
    assert chosen.names == (wrong.name,)
    assert next_puzzle(learner, 1000 + DAY).link == "pairs.9x9.10.7"
    # Not before, not in a round, and not if other kinds are wanted.
    assert not choose(learner, 1000 + 60).is_repetition
    assert not choose(learner, 1000 + DAY, within=Round("sprint", 1000 + DAY)).is_repetition
    assert not choose(learner, 1000 + DAY, kinds=["single"]).is_repetition


def test_a_puzzle_of_a_position_comes_back_too() -> None:
    wrong = Attempt("subsets", "2x4/2", None, 850, 0, 5, 1000, position="####/1221")
    assert next_puzzle(learn([wrong]), 1000 + DAY).solution == ((0, 0), (0, 3))


def test_the_same_attempts_and_seed_choose_the_same() -> None:
    assert choose(Learner(), 0, seed=3) == choose(Learner(), 0, seed=3)
    assert len({choose(Learner(), 0, seed=seed).names for seed in range(20)}) == 20


@pytest.mark.slow
def test_difficulty_follows_the_rating_and_kinds_vary() -> None:
    learner = Learner()
    asked = []
    strength = 1600
    for number in range(80):
        now = 100.0 * number
        made = next_puzzle(learner, now, seed=1)
        asked.append(made)
        right = (number * 0.618034) % 1 < expected_score(strength, made.difficulty)
        learner.note(Attempt.of(made, float(right), seconds=9, at=now))
    late = [made.difficulty for made in asked[30:]]
    assert abs(sum(late) / len(late) - strength) < 250
    assert abs(learner.overall.rating.rating - strength) < 250
    assert len({made.link for made in asked}) == 80
    assert len({made.kind for made in asked}) >= 5
    kinds = [made.kind for made in asked]
    assert not any(len(set(kinds[at : at + 5])) == 1 for at in range(len(kinds) - 4))


@pytest.mark.parametrize("way", ["sprint", "survival"])
def test_rounds_begin_easily_and_get_harder(way: str) -> None:
    first = next_puzzle(Learner(), 0, within=Round(way, 0))  # type: ignore[arg-type]
    later = next_puzzle(Learner(), 0, within=Round(way, 0, n_right=40))  # type: ignore[arg-type]
    assert first.difficulty < later.difficulty
    assert {first.kind, later.kind} <= set(LEVELS)
    begun = {choose(Learner(), 0, seed=seed, within=Round(way, 0)).names[0].kind for seed in range(40)}  # type: ignore[arg-type]
    assert begun <= {"single", "subsets"}


def test_one_kind_is_enough_and_all_come_if_none_is_named() -> None:
    assert next_puzzle(Learner(), 0, kinds=["area"]).kind == "area"
    # New learners get only levels; special kinds follow.
    for n_before, wanted in ((0, LEVELS), (9, LEVELS), (10, KINDS)):
        learner = learn([Attempt("one-two", "9x9/10", seed, 1050, 0.5, 5, seed) for seed in range(n_before)])
        assert {choose(learner, 100, seed=seed).names[0].kind for seed in range(400)} == set(wanted)


def test_a_kind_that_the_board_does_not_have_is_left_out() -> None:
    # In two rows with few mines, single clues say all at once.
    kinds: tuple[Kind, ...] = ("single", "total")
    assert choose(Learner(), 0, kinds=kinds, board="2x8/3").names[0].kind == "single"
    assert next_puzzle(Learner(), 0, kinds=kinds, board="2x8/3").kind == "total"
    with pytest.raises(GaveUp, match="no puzzle of kind single"):
        next_puzzle(Learner(), 0, kinds=["single"], board="2x8/3")
