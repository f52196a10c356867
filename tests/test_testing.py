"""The checks for newcomers' agents: whatever an agent hands back, the answer is one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sapper.agents.agent import Decision
from sapper.errors import AgentFault
from sapper.observation import Observation
from sapper.testing import check_agent


def answering(answer: object) -> Callable[[np.random.Generator], Any]:
    """What makes agents that always answer the same."""

    class Stubborn:
        def __init__(self, rng: np.random.Generator) -> None:
            del rng

        def decide(self, observation: Observation) -> object:
            del observation
            return answer

    return Stubborn


class TakesNothing:
    def decide(self, observation: Observation) -> Decision:
        del observation
        return Decision(None, None, "never asked")


def sentence(make: Any) -> str:
    with pytest.raises(AgentFault) as fault:
        check_agent(make, n_games=1, trials=("4x4/3",))
    text = str(fault.value)
    assert text.endswith(" (rules 4x4/3, seed 0)")
    return text.removesuffix(" (rules 4x4/3, seed 0)")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, "The agent's answer is None; decide should return a Decision."),
        ((0, 0), "The agent's answer is of the type tuple; decide should return a Decision."),
        (Decision((0, 0), 0.0, None), "The reason should be a sentence, not None."),  # type: ignore[arg-type]
        (Decision((0, 0), "low", "It is."), "The risk should be a chance from 0 to 1, not of the type str."),  # type: ignore[arg-type]
        (Decision((0, 0), float("nan"), "It is."), "The risk nan is not a probability from 0 to 1."),
        (Decision((0, 0), 0.0, "It is.", None), "The deductions should be a tuple of Deduction."),  # type: ignore[arg-type]
        (Decision((0, 0), 0.0, "It is.", ((0, 0),)), "The deductions should be a tuple of Deduction."),  # type: ignore[arg-type]
        (Decision(5, 0.0, "It is."), "A cell is a pair (row, col) of whole numbers, not 5."),  # type: ignore[arg-type]
        (Decision((0, 0.5), 0.0, "It is."), "A cell is a pair (row, col) of whole numbers, not (0, 0.5)."),  # type: ignore[arg-type]
        (Decision((-1, 0), 0.0, "It is."), "There is no cell (-1, 0) to open."),
    ],
)
def test_an_answer_that_is_no_decision_is_named(answer: object, says: str) -> None:
    assert sentence(answering(answer)) == says


def test_what_an_agent_raises_is_told_with_the_place_and_kept_as_the_cause() -> None:
    class Stumbles:
        def decide(self, observation: Observation) -> Decision:
            del observation
            raise KeyError("here.\nAnd more")

    said = sentence(lambda _rng: Stumbles())
    assert re.fullmatch(r"The agent raised KeyError: .* \(test_testing\.py, line \d+\)\.", said)
    with pytest.raises(AgentFault) as fault:
        check_agent(lambda _rng: Stumbles(), n_games=1)
    assert isinstance(fault.value.__cause__, KeyError)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (TakesNothing, "What makes the agent should take one argument, a random generator."),
        (lambda: TakesNothing(), "What makes the agent should take one argument, a random generator."),
        (TakesNothing(), "What makes the agent is of the type TakesNothing, not a function or a class."),
        (lambda _rng: None, "What is made is None, which has no method decide."),
        (
            lambda _rng: SimpleNamespace(decide=lambda: None),
            "The method decide should take one argument, an observation.",
        ),
    ],
)
def test_what_makes_no_agent_is_named(make: object, says: str) -> None:
    assert sentence(make) == says
