"""What somebody claimed, what was measured, and whether the two agree: computed from games, never written by hand.

A claim is the report's, in its own words, or ours. It holds, fails or is open; how that comes about is said in `HOW`.

>>> count_verdicts([Check("a", "1", True), Check("b", "2", True), Check("c", "3", False), Check("d", "4", None)])
'2 hold, 1 fails, 1 open'
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.experiments.games import Condition, GameResult
from sapper.rules import Rules
from sapper.statistics import Interval, count_interval, mean_interval, wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from sapper.experiments.store import Store
    from sapper.experiments.sweep import SweepTask

HOLDS, FAILS, OPEN = "holds", "fails", "open"
VERDICTS = (HOLDS, FAILS, OPEN)
WHY = {FAILS: "Why it fails:", OPEN: "Why it is open:"}  # before `Check.reason`
A_GUESS = "Our guess, not measured:"  # the same where no game says so
_VERDICT = {True: HOLDS, False: FAILS, None: OPEN}

_COLUMN = {name: number for number, name in enumerate(GameResult._fields)}


# -- how much it takes to judge --------------------------------------------------------------------------------


class ClaimKind(NamedTuple):
    """A kind of claim, and how much has to be seen before one of it is judged."""

    what: str
    least: int
    unit: str


# The interval of a mean of fewer games is not one of 95 %: it takes the mean for nearly normal.
MEANS = ClaimKind("a claim about means", 30, "games for each condition")
RATES = ClaimKind("a claim about rates", 100, "games for each condition")
# None among 400 leaves at most 1 in 100; one counterexample is enough against it.
NEVER = ClaimKind("a claim about what never happens", 400, "cases")
EXACT = ClaimKind("an exact count", 0, "games")

WIDE = 0.2  # an interval wider than this share of a number cannot confirm it

HOW = (
    "Square brackets are 95 % intervals. A claim holds or fails only where the whole interval says so. Otherwise it is "
    "open.",
    "A number from a report holds if, with the tolerance printed beside it, it meets the interval, and fails if it "
    "does not. An interval wider than the tolerance plus a fifth of the number confirms nothing: the claim is open. "
    "A limit, such as “up to 40%”, is taken literally.",
    f"A claim is open as long as too few games were played: means take at least {MEANS.least} games for each "
    f"condition, rates {RATES.least}. That something never happens takes {NEVER.least} cases, but one counterexample "
    f"refutes it at once.",
    "A report's claims are judged with the report's own agent, as the report describes it. The sound version, which "
    "misses nothing that its rules give, is shown beside it.",
    "A reason why a claim fails was measured, unless it is called a guess.",
    "What a report claims is quoted. What no report claims is ours and is listed apart.",
)


class Number(NamedTuple):
    """A number in a report, or two between which something lies, and how exactly it is meant."""

    low: float
    high: float
    give: float  # the tolerance
    why: str  # where the tolerance comes from

    def __str__(self) -> str:
        """The number with its tolerance and the reason for that."""
        number = f"{self.low:g}" if self.low == self.high else f"{self.low:g} to {self.high:g}"
        return f"{number} ± {self.give:g} ({self.why})"


def rounded(number: float, digits: int, why: str = "half a unit of its last digit") -> Number:
    """A number that is given to so many digits after the point.

    >>> str(rounded(0.3, 1))
    '0.3 ± 0.05 (half a unit of its last digit)'
    """
    return Number(number, number, 0.5 * 10**-digits, why)


def of_runs(runs: Sequence[float]) -> Number:
    """What several runs of the same experiment gave: between the least and the largest of them.

    >>> str(of_runs([0.24372, 0.25601]))
    '0.244 to 0.256 ± 0.0005 (its runs, to three digits)'
    """
    return Number(round(min(runs), 3), round(max(runs), 3), 0.0005, "its runs, to three digits")


# -- claims ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Check:
    """One claim against what was measured."""

    claim: str
    measured: str
    holds: bool | None  # None: it cannot be told
    why: str = ""  # where it fails: the reason, as far as it is known
    quote: str = ""  # what the report says, word for word; without it the claim is ours
    number: Number | None = None  # the number in the quotation that was compared
    kind: ClaimKind = MEANS
    n_seen: int | None = None  # games of the smallest condition, or cases; None: that of the whole experiment
    is_guess: bool = False  # whether the reason is one that nothing measured

    @property
    def verdict(self) -> str:
        """Whether it holds, fails or is open, in a word."""
        return _VERDICT[self.holds]

    @property
    def reason(self) -> str:
        """Why it is open, or why it fails as far as that is known; empty where it holds."""
        if self.holds is not None:
            return "" if self.holds else self.why
        if self.is_short:
            return f"Too few: {self.n_seen} {self.kind.unit}, and {self.kind.what} takes {self.kind.least}."
        return "The interval is too wide: more games would tell."

    @property
    def reason_name(self) -> str:
        """What stands before the reason."""
        return A_GUESS if self.is_guess and self.holds is False else WHY[self.verdict]

    @property
    def is_short(self) -> bool:
        """Whether it is open because too little was seen."""
        return self.holds is None and self.n_seen is not None and self.n_seen < self.kind.least

    def as_plain_values(self) -> dict[str, object]:
        """For JSON: what was claimed, compared and measured, the verdict, and how much it rests on and takes."""
        number = self.number
        return {
            "claim": self.claim,
            "quote": self.quote or None,
            "number": number and {"low": number.low, "high": number.high, "tolerance": number.give, "why": number.why},
            "measured": self.measured,
            "verdict": self.verdict,
            "why": self.reason,
            "guess": self.is_guess and self.holds is False,
            "seen": self.n_seen,
            "least": self.kind.least,
            "unit": self.kind.unit,
        }

    def settle(self, n_games: int) -> Check:
        """Leave it open if too little was seen, whatever the interval says; ``n_games`` where it says no other number.

        >>> Check("a", "1", True).settle(4).verdict
        'open'
        """
        n_seen = n_games if self.n_seen is None else self.n_seen
        is_refuted = self.kind is NEVER and self.holds is False
        is_enough = n_seen >= self.kind.least or is_refuted
        return replace(self, n_seen=n_seen, holds=self.holds if is_enough else None)


def of_reports(checks: Iterable[Check]) -> list[Check]:
    """The claims that a report makes."""
    return [check for check in checks if check.quote]


def of_ours(checks: Iterable[Check]) -> list[Check]:
    """The claims that no report makes."""
    return [check for check in checks if not check.quote]


def count_verdicts(checks: Iterable[Check]) -> str:
    """Say how many claims hold, how many fail and how many are open.

    >>> count_verdicts([Check("a", "1", True)]), count_verdicts([])
    ('1 holds', 'none')
    """
    found = [check.verdict for check in checks]
    said = {HOLDS: ("holds", "hold"), FAILS: ("fails", "fail"), OPEN: ("open", "open")}
    parts = [f"{n} {one if n == 1 else many}" for word, (one, many) in said.items() if (n := found.count(word))]
    return ", ".join(parts) or "none"


class Picture(NamedTuple):
    """A figure and what it shows."""

    figure: Figure
    caption: str


class Report(NamedTuple):
    """What somebody built, and what of it no game can judge."""

    title: str
    built: tuple[str, ...]  # in sentences
    unmeasured: tuple[str, ...] = ()  # claims that are matters of opinion, or of a program that is not available


class ComparisonRow(NamedTuple):
    """A number of a report beside ours: of the agent as the report describes it, and of the sound version."""

    what: str
    reported: str
    ours: str
    sound: str = ""


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment of a report: what is played, what was claimed, how the two are compared and drawn."""

    name: str
    report: str  # the number of the report, or what goes further than the reports
    title: str
    about: str  # what the report did or we ask, in a sentence or two, in our words
    played: str  # what Sapper plays, in words
    tasks: Callable[[Count], list[SweepTask]]
    check: Callable[[StudyResults], list[Check]]  # from the intervals alone; `judge` also asks for enough games
    draw: Callable[[StudyResults], list[Picture]]
    note: str = ""  # what to make of it
    compare: Callable[[StudyResults], list[ComparisonRow]] | None = None  # the report's numbers beside ours

    def judge(self, results: StudyResults) -> list[Check]:
        """Return every claim with its verdict, open where too few games were played."""
        return [check.settle(results.n_games) for check in self.check(results)]


@dataclass(frozen=True, slots=True)
class Count:
    """How many games to play for each condition: few, many, or just so many."""

    quick: bool = False
    games: int | None = None

    def __call__(self, quick: int, full: int) -> int:
        """Choose between the number for a quick look and the one for tight intervals."""
        return self.games or (quick if self.quick else full)


class StudyResults:
    """The games of an experiment, by condition, as far as they are played."""

    def __init__(self, games: Mapping[Condition, NDArray[np.int32]]) -> None:
        self.by_condition = games

    @classmethod
    def of_store(cls, store: Store, tasks: Iterable[SweepTask]) -> StudyResults:
        """Read what the store has of these tasks."""
        return cls({task.condition: store.totals(task.run_in(store), task.n_games).games for task in tasks})

    @property
    def n_games(self) -> int:
        """The games of the condition that has the fewest."""
        return min((len(games) for games in self.by_condition.values()), default=0)

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
        most = {"score": 1.0, "detonations": Rules.parse(rules).mines}.get(name, math.inf)
        return mean_of(self.column(name, agent, rules, source=source), most)


def mean_of(values: NDArray[np.float64], most: float = math.inf) -> Interval:
    """A mean of counts or scores from 0 to ``most``, with its interval.

    >>> mean_of(np.array([1.0, 1.0, 4.0, 2.0])).value
    2.0
    """
    return count_interval(float(values.sum()), float((values**2).sum()), len(values), most)


def change_of(values: NDArray[np.float64]) -> Interval:
    """A mean of differences, which may be negative, with its interval.

    >>> change_of(np.array([1.0, -1.0, -4.0, 2.0])).value
    -0.5
    """
    return mean_interval(float(values.sum()), float((values**2).sum()), len(values))


def rate_of(values: NDArray[np.float64]) -> Interval:
    """The share of ones among zeros and ones, with its interval."""
    return wilson(int(values.sum()), len(values))


def by_seed(parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The means over several samples of equal size whose games belong together, first with first and so on.

    Games of the same seed on similar boards are alike, so each seed counts as one: an interval is that of its means.

    >>> by_seed([np.array([0.0, 2.0]), np.array([4.0, 6.0])])
    array([2., 4.])
    """
    return np.asarray(np.mean(np.stack(parts), axis=0))


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


def below(values: Iterable[Interval], limit: float = 0.0) -> bool | None:
    """Whether all values are smaller."""
    return _all(True if one.high < limit else False if one.low >= limit else None for one in values)


def meets(value: Interval, number: Number) -> bool | None:
    """Whether a number of a report meets what was measured, within its tolerance; None where anything would.

    >>> three = rounded(3, 0)
    >>> meets(Interval(2.6, 2.5, 2.7), three), meets(Interval(1.5, 1.3, 1.7), three), meets(Interval(2, 0, 4), three)
    (True, False, None)
    """
    low, high = number.low - number.give, number.high + number.give
    if value.low > high or value.high < low:
        return False
    # Written so that an interval without ends does not confirm anything either.
    is_narrow = value.high - value.low <= WIDE * abs(number.low + number.high) / 2 + (high - low)
    return True if is_narrow else None


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
