"""The agent protocol: an agent looks at an observation and decides, with a reason.

The agent contract: an agent can be made, and its decision can be carried out.

`make_checked` and `ask` raise `AgentFault` in one sentence. Own agents are held to them while they play, and
`sapper.testing.check_agent` asks for more besides: honesty, blindness, the same decisions twice.
"""

from __future__ import annotations

import importlib
import inspect
import numbers
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Protocol

import numpy as np

from sapper.errors import AgentFault
from sapper.inference.reasoning.single import Deduction
from sapper.observation import NO_CLUE, Observation
from sapper.topology import Cell
from sapper.words import count


@dataclass(frozen=True, slots=True, repr=False)
class Decision:
    """The cell to open, its risk as far as the agent can tell, why, and what was deduced on the way.

    cell: the cell; None if there is nothing left to open.
    p_mine: its risk; None if the agent has no opinion.
    reason: a sentence: "Opened (2, 1): the 2 at (1, 2) already touches 2 mines."
    deductions: what is new since the last decision, in order; every deduced mine is meant to be flagged.
    has_all: whether every mine is found, so that the agent may stop in a survey, where only mines count.
    """

    cell: Cell | None
    p_mine: float | None
    reason: str
    deductions: tuple[Deduction, ...] = ()
    has_all: bool = False

    def __repr__(self) -> str:
        risk = "" if self.p_mine is None else f", p_mine={self.p_mine:.4g}"
        found = f", {count(len(self.deductions), 'deduction')}" if self.deductions else ""
        return f"<Decision {self.cell}{risk}: {self.reason!r}{found}>"

    def _repr_html_(self) -> str:
        found = "".join(f"<li>{escape(str(deduction))}</li>" for deduction in self.deductions)
        return f"<p>{escape(self.reason)}</p>" + (f"<ul>{found}</ul>" if found else "")

    @property
    def why(self) -> str:
        """Return the reason without the cell: the text between the colon and the full stop."""
        return self.reason.partition(": ")[2].removesuffix(".") or self.reason


class Agent(Protocol):
    """Decides on successive observations of one game; any position may come first.

    Same observations and same generator give the same decisions, whatever the hidden mines are.
    """

    def decide(self, observation: Observation) -> Decision:
        """Choose the next cell to open."""
        ...


Maker = Callable[[np.random.Generator], Agent]

_OURS, _LOADING = Path(__file__).parent.parent, Path(importlib.__file__).parent

MAX_SHOWN = 200  # characters of an agent's answer in an error message


def make_checked(make: Maker, rng: np.random.Generator) -> Agent:
    """Make an agent; raise `AgentFault` if the result is not one."""
    if not callable(make):
        raise AgentFault(f"What makes the agent is {_describe(make)}, not a function or a class.")
    if not _takes_one(make):
        raise AgentFault("What makes the agent should take one argument, a random generator.")
    try:
        agent = make(rng)
    except Exception as error:
        raise AgentFault(f"Making the agent raised {describe_error(error)}.") from error
    decide = getattr(agent, "decide", None)
    if not callable(decide):
        raise AgentFault(f"What is made is {_describe(agent)}, which has no method decide.")
    if not _takes_one(decide):
        raise AgentFault("The method decide should take one argument, an observation.")
    return agent


def ask(agent: Agent, observation: Observation) -> Decision:
    """Ask an agent to decide; raise `AgentFault` unless it returns a `Decision` that is legal in the position."""
    try:
        decision = agent.decide(observation)
    except AgentFault:
        raise
    except Exception as error:
        raise AgentFault(f"The agent raised {describe_error(error)}.") from error
    _check_types(observation, decision)
    for found in decision.deductions:
        if not observation.closed[found.cell]:
            raise AgentFault(f"{found.cell} was deduced although it is open.")
    cell = decision.cell
    if cell is not None and not observation.closed[cell] and observation.cells[cell] != NO_CLUE:
        raise AgentFault(f"The agent wants to open {cell}, which is open already.")
    return decision


def describe_error(error: BaseException) -> str:
    r"""Describe an error of foreign code as part of a sentence: its type, its message and where it happened.

    >>> describe_error(ValueError("no such cell.\nTry another"))
    'ValueError: no such cell'
    """
    text = (str(error).strip() or ".").splitlines()[0].rstrip(".")[:MAX_SHOWN]
    # The innermost frame of the foreign code, rather than of Sapper or the import system.
    theirs = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not ({_OURS, _LOADING} & {*Path(frame.filename).parents} or frame.filename.startswith("<frozen"))
    ]
    where = f" ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else ""
    return f"{type(error).__name__}{': ' if text else ''}{text}{where}"


def most_decisions(observation: Observation) -> int:
    """Return more decisions than any game needs; with withheld clues, every open cell may be asked a few times."""
    return 10 * observation.topology.n_cells + 10


def _check_types(observation: Observation, decision: Decision) -> None:
    if not isinstance(decision, Decision):
        raise AgentFault(f"The agent's answer is {_describe(decision)}; decide should return a Decision.")
    if not isinstance(decision.reason, str):
        raise AgentFault(f"The reason should be a sentence, not {_describe(decision.reason)}.")
    risk: object = decision.p_mine
    if risk is not None and not isinstance(risk, numbers.Real):
        raise AgentFault(f"The risk should be a chance from 0 to 1, not {_describe(risk)}.")
    if not isinstance(decision.deductions, tuple) or not all(isinstance(one, Deduction) for one in decision.deductions):
        raise AgentFault("The deductions should be a tuple of Deduction.")
    for cell in (decision.cell, *(found.cell for found in decision.deductions)):
        if cell is not None:
            _check_cell(observation, cell)


def _check_cell(observation: Observation, cell: object) -> None:
    if not (isinstance(cell, tuple) and len(cell) == 2 and all(isinstance(one, numbers.Integral) for one in cell)):
        raise AgentFault(f"A cell is a pair (row, col) of whole numbers, not {repr(cell)[:MAX_SHOWN]}.")
    row, col = cell
    if not (0 <= row < observation.rows and 0 <= col < observation.cols):
        raise AgentFault(f"There is no cell {cell} to open.")


def _takes_one(function: Callable[..., object]) -> bool:
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        return False
    except ValueError:
        pass  # a built-in, whose signature is unknown
    return True


def _describe(value: object) -> str:
    return "None" if value is None else f"of the type {type(value).__name__}"
