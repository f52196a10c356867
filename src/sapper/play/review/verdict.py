"""The verdict on a move: one rule, from the evidence about it.

A *mistake* is a move that is shown to be wrong: it opened a certain mine, flagged a safe cell, made an unforced guess
on a fair or cruel board, or gave away win chance. The first three are *certain mistakes*: they need no
rollouts. A risk above the least is *extra risk* until rollouts show its cost, because a risk that must be taken sooner
or later may as well be taken first.

>>> from sapper.statistics import Interval
>>> judge(Evidence(opened=((0, 0),), p_mine=0.5, extra_risk=0.5, any_safe=True))
'extra risk'
>>> judge(Evidence(opened=((0, 0),), p_mine=0.5, extra_risk=0.5, any_safe=True, wins_lost=Interval(0.5, 0.4, 0.6)))
'mistake'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sapper.play.dealt import DealtGuess
from sapper.rules import Dealing
from sapper.statistics import Interval
from sapper.topology import Cell

Verdict = Literal["safe", "forced guess", "fair guess", "extra risk", "unlucky", "mistake", "unknown"]

# A guess this little riskier than the safest one may have its reasons, such as the cells that it may open.
FAIR = 0.03
# Risks that differ by less are equal: floating-point sums of the same layouts in another order.
EQUAL = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything that a verdict depends on."""

    opened: tuple[Cell, ...] = ()  # by the move itself, before any cascade
    flagged: bool = False  # the move put a flag on a cell
    p_mine: float | None = None  # probability that the move hits a mine, or that the flag is on one; None: too hard
    is_certain: bool = False  # ``p_mine`` is 0 or 1 by proof, not by rounding
    any_safe: bool = False  # some cell was safe
    extra_risk: float = 0.0  # ``p_mine`` above the least risk of any cell
    hit: bool = False  # a mine exploded
    dealing: Dealing = "laid"
    guesses: tuple[DealtGuess, ...] = ()  # that the move made on a fair, kind or cruel board
    wins_lost: Interval | None = None  # win chance given away, with its 95% interval; None: not estimated

    @property
    def is_spared(self) -> bool:
        """Whether all guesses were forced on a board that decides forced guesses, so that the risk does not count."""
        kinds = {guess.judgement.verdict for guess in self.guesses}
        if not kinds or kinds & {"unforced", "too-hard"}:
            return False
        # On a cruel board, a guess where nothing is safe has its true risk.
        return not (self.dealing == "cruel" and kinds == {"nothing-safe"})


def judge(evidence: Evidence) -> Verdict:
    """Return the verdict on a move.

    - ``safe``: nothing could happen, a certain mine was flagged, or a flag was removed.
    - ``forced guess``: no cell was safe, and none was safer.
    - ``fair guess``: no cell was safe, and the risk was at most `FAIR` above the least; or it was higher and is shown
      to have cost no wins; or a flag on an undecided cell.
    - ``extra risk``: a cell was safe, or safer by more than `FAIR`; whether that cost wins is not shown.
    - ``unlucky``: a forced or fair guess that hit a mine.
    - ``mistake``: shown to be wrong.
    - ``unknown``: the exact calculation was too hard.

    On a fair, kind or cruel board a guess is forced or not, whatever its risk. An unforced one is a mistake, but extra
    risk on a kind board, where it survives.
    """
    kinds = {guess.judgement.verdict for guess in evidence.guesses}
    if "too-hard" in kinds:
        return "unknown"
    if "unforced" in kinds:
        return "extra risk" if evidence.dealing == "kind" else "mistake"
    if evidence.is_spared:
        return "unlucky" if evidence.hit else "forced guess"
    if not evidence.opened and not evidence.flagged:
        return "safe"
    if evidence.p_mine is None:
        return "unknown"
    if evidence.is_certain:
        return "safe" if evidence.flagged == bool(evidence.p_mine) else "mistake"
    if evidence.flagged:
        return "fair guess"
    lost = evidence.wins_lost
    if lost is not None and lost.low > 0:
        return "mistake"
    is_extra = evidence.any_safe or evidence.extra_risk > FAIR
    if is_extra and (lost is None or lost.high > 0):
        return "extra risk"
    if evidence.hit:
        return "unlucky"
    return "fair guess" if is_extra or evidence.extra_risk > EQUAL else "forced guess"
