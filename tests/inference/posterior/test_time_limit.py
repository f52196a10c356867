"""Sums that are stopped, and that nothing is left of it afterwards."""

from __future__ import annotations

import threading
from time import perf_counter

import numpy as np
import pytest
from corpora import read_corpus

from sapper.errors import OutOfTime, TooHard
from sapper.inference.evaluation.endgame import MANY, Endgame
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.limits import time_limit
from sapper.inference.posterior.workspace import GrowingWorkspace
from sapper.observation import Observation

# Six rows of isolated clues: some seconds of work.
HARD = Observation.parse("/".join(("#" * 30 if row % 2 == 0 else "#2" * 15) for row in range(21)))


def test_a_sum_that_takes_too_long_is_stopped_and_the_next_one_is_not() -> None:
    _, position, _ = next(iter(read_corpus("expert")))
    expected = mine_probabilities(position).p_mine

    with time_limit(perf_counter() - 1.0), pytest.raises(OutOfTime, match="ran out of time"):
        mine_probabilities(position)
    np.testing.assert_array_equal(mine_probabilities(position).p_mine, expected)


def test_a_sum_that_is_going_on_is_stopped() -> None:
    begun = perf_counter()
    with time_limit(begun + 0.2), pytest.raises(OutOfTime):
        mine_probabilities(HARD)
    assert mine_probabilities(Observation.parse("1# 1")).p_mine[0, 1] == 1.0


def test_a_sum_that_begins_when_the_time_is_over_is_stopped_even_with_new_memory() -> None:
    """A thread of its own has no memory yet when its time is over."""
    raised: list[BaseException] = []

    def work() -> None:
        with time_limit(perf_counter() - 1.0):
            try:
                mine_probabilities(HARD)
            except OutOfTime as error:
                raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert [type(error) for error in raised] == [OutOfTime]


def test_within_the_time_nothing_changes() -> None:
    _, position, _ = next(iter(read_corpus("expert")))
    expected = mine_probabilities(position).p_mine
    with time_limit(perf_counter() + 3600.0):
        np.testing.assert_array_equal(mine_probabilities(position).p_mine, expected)
    assert not [one for one in threading.enumerate() if isinstance(one, threading.Timer)]


def test_other_workspaces_are_stopped_too() -> None:
    workspace, search = GrowingWorkspace(9, False), Endgame(9, MANY).search
    with time_limit(perf_counter() - 1.0, workspace, search):
        assert all(one.stop for one in (workspace, search))
    assert not any(one.stop for one in (workspace, search))


def test_a_search_for_perfect_play_that_is_stopped_finds_nothing() -> None:
    posterior = mine_probabilities(Observation.parse("####/####/####/#### 3"))
    endgame = Endgame(16, MANY)
    found = endgame.rank(posterior)
    endgame.search.stop = True
    assert endgame.rank(posterior) == []
    endgame.search.stop = False
    assert endgame.rank(posterior) == found


def test_a_limit_within_another_one_does_not_lift_it() -> None:
    workspace = GrowingWorkspace(9, False)
    with time_limit(perf_counter() - 1.0, workspace):
        with time_limit(perf_counter() + 3600.0, workspace), pytest.raises(OutOfTime):
            mine_probabilities(HARD)
        stays_stopped = workspace.stop
        with pytest.raises(OutOfTime):
            mine_probabilities(HARD)
    assert stays_stopped
    assert not workspace.stop
    assert mine_probabilities("1# 1").p_mine[0, 1] == 1.0


def test_a_limit_that_is_over_ends_with_it_and_the_outer_one_goes_on() -> None:
    workspace = GrowingWorkspace(9, False)
    with time_limit(perf_counter() + 3600.0):
        with time_limit(perf_counter() - 1.0, workspace), pytest.raises(OutOfTime):
            mine_probabilities(HARD)
        assert not workspace.stop
        assert mine_probabilities("1# 1").p_mine[0, 1] == 1.0


def test_code_that_handles_a_sum_that_is_too_hard_does_not_carry_on_after_the_time() -> None:
    assert not issubclass(OutOfTime, TooHard)
