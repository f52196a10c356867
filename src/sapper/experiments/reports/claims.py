"""What somebody claimed, what was measured, and whether the two agree: computed from games, never written by hand.

>>> verdict_of([Check("a", "1", True), Check("b", "2", False)])
'agrees in part'
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.experiments.runs.games import Condition, GameResult
from sapper.rules import Rules
from sapper.statistics import Interval, mean_interval, wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from sapper.experiments.runs.running import Task
    from sapper.experiments.runs.store import Store

AGREES = "agrees"
IN_PART = "agrees in part"
CONTRADICTS = "contradicts"
NOT_TOLD = "cannot be told"
VERDICTS = (AGREES, IN_PART, CONTRADICTS, NOT_TOLD)

_COLUMN = {name: number for number, name in enumerate(GameResult._fields)}


class Check(NamedTuple):
    """One claim against what was measured."""

    claim: str
    measured: str
    holds: bool | None  # None: the intervals are too wide to tell
    why: str = ""  # where it does not hold: the reason, as far as it is known


class Picture(NamedTuple):
    """A figure and what it shows."""

    figure: Figure
    caption: str


def verdict_of(checks: Sequence[Check]) -> str:
    """Sum up checks: those that cannot be told do not count unless there are no others."""
    told = [check.holds for check in checks if check.holds is not None]
    if not told:
        return NOT_TOLD
    if all(told):
        return AGREES
    return IN_PART if any(told) else CONTRADICTS


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment of a report: what is played, what was claimed, how the two are compared and drawn."""

    name: str
    report: str  # the number of the report, or what goes further than the reports
    title: str
    claim: str  # in a sentence or two, in our words
    played: str  # what Sapper plays, in words
    tasks: Callable[[Count], list[Task]]
    check: Callable[[Results], list[Check]]
    draw: Callable[[Results], list[Picture]]
    note: str = ""  # what to make of it


@dataclass(frozen=True, slots=True)
class Count:
    """How many games to play for each condition: few, many, or just so many."""

    quick: bool = False
    games: int | None = None

    def __call__(self, quick: int, full: int) -> int:
        """Choose between the number for a quick look and the one for tight intervals."""
        return self.games or (quick if self.quick else full)


class Results:
    """The games of an experiment, by condition, as far as they are played."""

    def __init__(self, games: Mapping[Condition, NDArray[np.int32]]) -> None:
        self.by_condition = games

    @classmethod
    def of_store(cls, store: Store, tasks: Iterable[Task]) -> Results:
        """Read what the store has of these tasks."""
        return cls({task.condition: store.totals(task.run_in(store), task.n_games).games for task in tasks})

    def column(
        self, name: str, agent: str, rules: str, *, source: str = "seeds", restart_opening: bool = False
    ) -> NDArray[np.float64]:
        """One number for every game, in the order of the seeds: a field of `GameResult`, or ``score``."""
        parsed = Rules.parse(rules)
        games = self.by_condition[Condition.of(parsed, agent, source, restart_opening)]
        if name == "score":
            if not parsed.mines:
                return np.ones(len(games))
            return games[:, _COLUMN["identified"]] / parsed.mines
        return games[:, _COLUMN[name]].astype(np.float64)

    def mean(self, name: str, agent: str, rules: str, *, source: str = "seeds") -> Interval:
        """The mean of a column, with its interval."""
        return mean_of(self.column(name, agent, rules, source=source))


def mean_of(values: NDArray[np.float64]) -> Interval:
    """A mean with its interval.

    >>> mean_of(np.array([1.0, 1.0, 4.0, 2.0])).value
    2.0
    """
    return mean_interval(float(values.sum()), float((values**2).sum()), len(values))


def rate_of(values: NDArray[np.float64]) -> Interval:
    """The share of ones among zeros and ones, with its interval."""
    return wilson(int(values.sum()), len(values))


def mean_over(parts: Sequence[NDArray[np.float64]]) -> Interval:
    """The mean over several samples of equal size whose games belong together, first with first and so on.

    Games of the same seed on similar boards are alike, so each seed counts as one: the interval is that of their means.

    >>> mean_over([np.array([0.0, 2.0]), np.array([4.0, 6.0])])[:2]
    (3.0, 1.040036015459946)
    """
    return mean_of(np.mean(np.stack(parts), axis=0))


# -- is it so? True, False, or None where the interval allows both ---------------------------------------------


def at_most(values: Iterable[Interval], limit: float) -> bool | None:
    """Whether all values are at most so large.

    >>> at_most([Interval(1, 0, 2)], 3), at_most([Interval(1, 0, 2)], 1.5), at_most([Interval(1, 0.9, 2)], 0.5)
    (True, None, False)
    """
    return _all(True if one.high <= limit else False if one.low > limit else None for one in values)


def at_least(values: Iterable[Interval], limit: float) -> bool | None:
    """Whether all values are at least so large."""
    return _all(True if one.low >= limit else False if one.high < limit else None for one in values)


def above(values: Iterable[Interval], limit: float = 0.0) -> bool | None:
    """Whether all values are larger."""
    return _all(True if one.low > limit else False if one.high <= limit else None for one in values)


def is_about(value: Interval, claimed: float, give: float) -> bool | None:
    """Whether a value is the claimed one, give or take so much.

    >>> is_about(Interval(5, 4, 6), 5, 2), is_about(Interval(5, 4, 6), 7, 2), is_about(Interval(5, 4, 6), 9, 2)
    (True, None, False)
    """
    if value.low > claimed + give or value.high < claimed - give:
        return False
    return True if value.low >= claimed - give and value.high <= claimed + give else None


def falls(values: Sequence[Interval]) -> bool | None:
    """Whether values never rise from one to the next by more than chance allows, and fall from first to last."""
    rises = any(later.low > earlier.high for earlier, later in pairwise(values))
    if rises or values[-1].low > values[0].high:
        return False
    return True if values[-1].high < values[0].low else None


def _all(answers: Iterable[bool | None]) -> bool | None:
    known = list(answers)
    if False in known:
        return False
    return None if None in known or not known else True


# -- in words --------------------------------------------------------------------------------------------------


def write(value: Interval, places: int = 3) -> str:
    """Write a value with its interval.

    >>> write(Interval(0.5, 0.4, 0.6), 2)
    '0.50 [0.40, 0.60]'
    """
    return f"{value.value:.{places}f} [{value.low:.{places}f}, {value.high:.{places}f}]"


def write_change(value: Interval, places: int = 3) -> str:
    """Write a difference with its sign and interval."""
    return f"{value.value:+.{places}f} [{value.low:+.{places}f}, {value.high:+.{places}f}]"


def write_rate(value: Interval) -> str:
    """Write a share in per cent with its interval."""
    return f"{100 * value.value:.1f} % [{100 * value.low:.1f}, {100 * value.high:.1f}]"
