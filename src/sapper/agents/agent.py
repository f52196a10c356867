"""What an agent is: something that looks at an observation and decides, with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Protocol

from sapper.words import count

if TYPE_CHECKING:
    from sapper.inference.reasoning.deduction import Deduction
    from sapper.observation import Observation
    from sapper.topology import Cell


@dataclass(frozen=True, slots=True, repr=False)
class Decision:
    """The cell to open, its risk as far as the agent can tell, why, and what was deduced on the way.

    Every deduced mine is meant to be marked. ``cell`` is None when there is nothing left to open. In a survey, where
    only mines count, an agent that ``has_all`` of them may stop there.
    """

    cell: Cell | None
    p_mine: float | None  # None: the agent has no opinion
    reason: str  # a sentence: "Opened (2, 1): the 2 at (1, 2) already touches 2 mines."
    deductions: tuple[Deduction, ...] = ()  # new since the last decision, in order
    has_all: bool = False  # every mine is found, and the agent would rather stop than open the rest

    def __repr__(self) -> str:
        risk = "" if self.p_mine is None else f", p_mine={self.p_mine:.4g}"
        found = f", {count(len(self.deductions), 'deduction')}" if self.deductions else ""
        return f"<Decision {self.cell}{risk}: {self.reason!r}{found}>"

    def _repr_html_(self) -> str:
        found = "".join(f"<li>{escape(str(deduction))}</li>" for deduction in self.deductions)
        return f"<p>{escape(self.reason)}</p>" + (f"<ul>{found}</ul>" if found else "")

    @property
    def why(self) -> str:
        """The reason alone, for where the cell is named anyway: what stands between the colon and the full stop."""
        return self.reason.partition(": ")[2].removesuffix(".") or self.reason


class Agent(Protocol):
    """Decides on observation after observation of one game; any position may come first.

    Same observations and same generator give the same decisions, whatever the hidden mines are.
    """

    def decide(self, observation: Observation) -> Decision:
        """Choose the next cell to open."""
        ...
