"""Judge claims by measurements: every verdict is computed from games.

A claim is quoted from a report, or ours. It holds, fails or is open; `HOW` explains how that is decided.

>>> count_verdicts([Check("a", "1", True), Check("b", "2", True), Check("c", "3", False), Check("d", "4", None)])
'2 hold, 1 fails, 1 open'
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sapper.experiments.games import Condition, GameResult
from sapper.experiments.store import Store
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules
from sapper.statistics import Interval, count_interval, mean_interval, wilson

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HOLDS, FAILS, OPEN = "holds", "fails", "open"
VERDICTS = (HOLDS, FAILS, OPEN)
WHY = {FAILS: "Why it fails:", OPEN: "Why it is open:"}  # before `Check.reason`
A_GUESS = "Our guess, not measured:"  # the same if nothing measured shows it
_VERDICT = {True: HOLDS, False: FAILS, None: OPEN}

_COLUMN = {name: number for number, name in enumerate(GameResult._fields)}


# -- how many games a verdict needs ----------------------------------------------------------------------------


class ClaimKind(NamedTuple):
    """A kind of claim, and how many games or cases a verdict on it needs."""

    what: str
    least: int
    unit: str


# With fewer games, a mean is not nearly normal, and its interval does not cover 95%.
MEANS = ClaimKind("a claim about means", 30, "games for each condition")
RATES = ClaimKind("a claim about rates", 100, "games for each condition")
# None among 400 means at most 1 in 100; one counterexample refutes the claim.
NEVER = ClaimKind("a claim about what never happens", 400, "cases")
EXACT = ClaimKind("an exact count", 0, "games")

WIDE = 0.2  # relative width: a wider interval cannot confirm a number

HOW = (
    "Square brackets are 95% intervals. A claim holds or fails only if the whole interval says so; otherwise it is "
    "open.",
    "A number from a report holds if it meets the interval within the tolerance printed beside it, and fails if it "
    "does not. If the interval is wider than the tolerance plus a fifth of the number, the claim is open. "
    "Limits, such as “up to 40%”, have no tolerance.",
    f"A claim stays open after too few games: means need at least {MEANS.least} games for each condition, rates "
    f"{RATES.least}. A claim that something never happens needs {NEVER.least} cases; one counterexample refutes it.",
    "A report's claims are judged with its own agent, as the report describes it. Beside it is the sound version, "
    "which misses no consequence of its rules.",
    "Reasons for failures were measured, unless they are called guesses.",
    "The reports' claims are quoted. Ours are listed separately.",
)


class Number(NamedTuple):
    """A number or range in a report, with its tolerance."""

    low: float
    high: float
    give: float  # tolerance
    why: str  # reason for the tolerance

    def __str__(self) -> str:
        """Return the number with its tolerance and the reason for it."""
        number = f"{self.low:g}" if self.low == self.high else f"{self.low:g} to {self.high:g}"
        return f"{number} ± {self.give:g} ({self.why})"


def rounded(number: float, digits: int, why: str = "half a unit of its last digit") -> Number:
    """Return a number that is given to this many decimal places.

    >>> str(rounded(0.3, 1))
    '0.3 ± 0.05 (half a unit of its last digit)'
    """
    return Number(number, number, 0.5 * 10**-digits, why)


def of_runs(runs: Sequence[float]) -> Number:
    """Return the range of several runs of the same experiment.

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
    holds: bool | None  # None: open
    why: str = ""  # why it fails, as far as known
    quote: str = ""  # what the report says, verbatim; empty if the claim is ours
    number: Number | None = None  # the number in the quotation that was compared
    kind: ClaimKind = MEANS
    n_seen: int | None = None  # games of the smallest condition, or cases; None: those of the whole experiment
    is_guess: bool = False  # whether the reason is not measured

    @property
    def verdict(self) -> str:
        """Return holds, fails or open."""
        return _VERDICT[self.holds]

    @property
    def reason(self) -> str:
        """Say why the claim is open or fails; empty if it holds or the reason is unknown."""
        if self.holds is not None:
            return "" if self.holds else self.why
        if self.is_short:
            return f"Too few: {self.n_seen} {self.kind.unit}, and {self.kind.what} needs {self.kind.least}."
        return "The interval is too wide: more games are needed."

    @property
    def reason_name(self) -> str:
        """Return the words before the reason."""
        return A_GUESS if self.is_guess and self.holds is False else WHY[self.verdict]

    @property
    def is_short(self) -> bool:
        """Return whether the claim is open for lack of games."""
        return self.holds is None and self.n_seen is not None and self.n_seen < self.kind.least

    def as_plain_values(self) -> dict[str, object]:
        """Return plain values for JSON: claim, measurement, verdict, and the games seen and needed."""
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
        """Leave the claim open if too little was seen; ``n_games`` is used if it has no number of its own.

        >>> Check("a", "1", True).settle(4).verdict
        'open'
        """
        n_seen = n_games if self.n_seen is None else self.n_seen
        is_refuted = self.kind is NEVER and self.holds is False
        is_enough = n_seen >= self.kind.least or is_refuted
        return replace(self, n_seen=n_seen, holds=self.holds if is_enough else None)


def of_reports(checks: Iterable[Check]) -> list[Check]:
    """Return the claims that a report makes."""
    return [check for check in checks if check.quote]


def of_ours(checks: Iterable[Check]) -> list[Check]:
    """Return the claims that no report makes."""
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
    """What a report describes, and which of its claims no game can judge."""

    title: str
    built: tuple[str, ...]  # paragraphs
    unmeasured: tuple[str, ...] = ()  # opinions, or claims about a program that is not available


class ComparisonRow(NamedTuple):
    """A report's number beside ours: for the agent as the report describes it, and for the sound version."""

    what: str
    reported: str
    ours: str
    sound: str = ""


@cache
def _read_words() -> dict[str, dict[str, str]]:
    """Return what each experiment is about: ``report``, ``title``, ``about``, ``played`` and perhaps a ``note``."""
    return tomllib.loads((files("sapper.data") / "experiments.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment: what is played, what is claimed, and how the two are compared and drawn."""

    name: str
    report: str  # the number of the report, or a topic beyond the reports
    title: str
    about: str  # what the report did or we ask, in a sentence or two
    played: str  # what Sapper plays, in a sentence or two
    tasks: Callable[[Count], list[SweepTask]]
    check: Callable[[StudyResults], list[Check]]  # from the intervals alone; `judge` also asks for enough games
    draw: Callable[[StudyResults], list[Picture]]
    note: str = ""  # assumptions and limits
    compare: Callable[[StudyResults], list[ComparisonRow]] | None = None  # the report's numbers beside ours

    @classmethod
    def of(
        cls,
        name: str,
        tasks: Callable[[Count], list[SweepTask]],
        check: Callable[[StudyResults], list[Check]],
        draw: Callable[[StudyResults], list[Picture]],
        compare: Callable[[StudyResults], list[ComparisonRow]] | None = None,
    ) -> Experiment:
        """Make the experiment of this name, with its words from ``data/experiments.toml``."""
        return cls(name, **_read_words()[name], tasks=tasks, check=check, draw=draw, compare=compare)

    def judge(self, results: StudyResults) -> list[Check]:
        """Return every claim with its verdict, open where too few games were played."""
        return [check.settle(results.n_games) for check in self.check(results)]


@dataclass(frozen=True, slots=True)
class Count:
    """The number of games for each condition: a quick or full default, or ``games``."""

    quick: bool = False
    games: int | None = None

    def __call__(self, quick: int, full: int) -> int:
        """Choose between the numbers for a quick run and a full one."""
        return self.games or (quick if self.quick else full)


class StudyResults:
    """The games of an experiment by condition, as far as they have been played."""

    def __init__(self, games: Mapping[Condition, NDArray[np.int32]]) -> None:
        self.by_condition = games

    @classmethod
    def of_store(cls, store: Store, tasks: Iterable[SweepTask]) -> StudyResults:
        """Read what the store has of these tasks."""
        return cls({task.condition: store.totals(task.run_in(store), task.n_games).games for task in tasks})

    @property
    def n_games(self) -> int:
        """Return the number of games of the smallest condition."""
        return min((len(games) for games in self.by_condition.values()), default=0)

    def column(
        self, name: str, agent: str, rules: str, *, source: str = "seeds", restart_opening: bool = False
    ) -> NDArray[np.float64]:
        """Return one number for every game, in order of seeds: a field of `GameResult`, or ``score``."""
        parsed = Rules.parse(rules)
        games = self.by_condition[Condition.of(parsed, agent, source, restart_opening)]
        if name == "score":
            if not parsed.mines:
                return np.ones(len(games))
            return games[:, _COLUMN["identified"]] / parsed.mines
        return games[:, _COLUMN[name]].astype(np.float64)

    def mean(self, name: str, agent: str, rules: str, *, source: str = "seeds") -> Interval:
        """Return the mean of a column, with its interval."""
        most = {"score": 1.0, "detonations": Rules.parse(rules).mines}.get(name, math.inf)
        return mean_of(self.column(name, agent, rules, source=source), most)


def mean_of(values: NDArray[np.float64], most: float = math.inf) -> Interval:
    """Return the mean of counts or scores from 0 to ``most``, with its interval.

    >>> mean_of(np.array([1.0, 1.0, 4.0, 2.0])).value
    2.0
    """
    return count_interval(float(values.sum()), float((values**2).sum()), len(values), most)


def change_of(values: NDArray[np.float64]) -> Interval:
    """Return the mean of differences, which may be negative, with its interval.

    >>> change_of(np.array([1.0, -1.0, -4.0, 2.0])).value
    -0.5
    """
    return mean_interval(float(values.sum()), float((values**2).sum()), len(values))


def rate_of(values: NDArray[np.float64]) -> Interval:
    """Return the share of ones among zeros and ones, with its interval."""
    return wilson(int(values.sum()), len(values))


def by_seed(parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the means, seed by seed, over several samples with the same seeds.

    Games of the same seed on similar boards are alike, so each seed counts once in an interval.

    >>> by_seed([np.array([0.0, 2.0]), np.array([4.0, 6.0])])
    array([2., 4.])
    """
    return np.asarray(np.mean(np.stack(parts), axis=0))


# -- comparisons: True, False, or None if the interval allows both ---------------------------------------------


def at_most(values: Iterable[Interval], limit: float) -> bool | None:
    """Return whether all values are at most ``limit``.

    >>> at_most([Interval(1, 0, 2)], 3), at_most([Interval(1, 0, 2)], 1.5), at_most([Interval(1, 0.9, 2)], 0.5)
    (True, None, False)
    """
    return _all(True if one.high <= limit else False if one.low > limit else None for one in values)


def at_least(values: Iterable[Interval], limit: float) -> bool | None:
    """Return whether all values are at least ``limit``."""
    return _all(True if one.low >= limit else False if one.high < limit else None for one in values)


def above(values: Iterable[Interval], limit: float = 0.0) -> bool | None:
    """Return whether all values are larger than ``limit``."""
    return _all(True if one.low > limit else False if one.high <= limit else None for one in values)


def below(values: Iterable[Interval], limit: float = 0.0) -> bool | None:
    """Return whether all values are smaller than ``limit``."""
    return _all(True if one.high < limit else False if one.low >= limit else None for one in values)


def meets(value: Interval, number: Number) -> bool | None:
    """Return whether a report's number meets an interval within its tolerance; None if the interval is too wide.

    >>> three = rounded(3, 0)
    >>> meets(Interval(2.6, 2.5, 2.7), three), meets(Interval(1.5, 1.3, 1.7), three), meets(Interval(2, 0, 4), three)
    (True, False, None)
    """
    low, high = number.low - number.give, number.high + number.give
    if value.low > high or value.high < low:
        return False
    # Written so that NaN limits do not confirm anything.
    is_narrow = value.high - value.low <= WIDE * abs(number.low + number.high) / 2 + (high - low)
    return True if is_narrow else None


def falls(values: Sequence[Interval]) -> bool | None:
    """Return whether values fall from first to last without a significant rise from one to the next."""
    rises = any(later.low > earlier.high for earlier, later in pairwise(values))
    if rises or values[-1].low > values[0].high:
        return False
    return True if values[-1].high < values[0].low else None


def _all(answers: Iterable[bool | None]) -> bool | None:
    known = list(answers)
    if False in known:
        return False
    return None if None in known or not known else True


# -- writing ---------------------------------------------------------------------------------------------------


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
    return f"{100 * value.value:.1f}% [{100 * value.low:.1f}, {100 * value.high:.1f}]"
