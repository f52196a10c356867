"""Report 000: clues that are withheld, 5 x 5 with 15 mines, and what ten games can tell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sapper.experiments.plots import Line
from sapper.experiments.reports.claims import (
    Check,
    Count,
    Experiment,
    Picture,
    Results,
    above,
    mean_of,
    write,
    write_change,
)
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.runs.games import Condition
from sapper.experiments.runs.running import Task
from sapper.rules import Rules
from sapper.statistics import Z95, Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RUNS = 10  # the report's number of games
CHANCES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
_PLAYERS = {"statements": "statements", "local": "each clue once", "exact": "exact"}


def _withheld(p: float) -> str:
    return f"5x5/15 survey first-any total-hidden{f' withheld:{p}' if p else ''}"


def _withheld_tasks(count: Count) -> list[Task]:
    n_games = count(200, 4000)
    return [Task(Condition.of(Rules.parse(_withheld(p)), agent), n_games) for agent in _PLAYERS for p in CHANCES]


def _check_withheld(results: Results) -> list[Check]:
    def detonations(agent: str, p: float) -> NDArray[np.float64]:
        return results.column("detonations", agent, _withheld(p))

    full, poor = detonations("statements", 0.0), detonations("statements", 0.3)
    ten_full, ten_poor = mean_of_runs(full), mean_of_runs(poor)
    rise = mean_of(poor - full)
    spread = math.hypot(ten_full.high - ten_full.value, ten_poor.high - ten_poor.value)
    tell = "may miss it altogether" if rise.value < spread else "can tell that there is one, but hardly how large"
    ten_rise = Interval(rise.value, rise.value - spread, rise.value + spread)
    once, once_poor = mean_of(detonations("local", 0.0)), mean_of(detonations("local", 0.3))
    ten_once = mean_of_runs(detonations("local", 0.0))
    alike = "which ten games could have given" if ten_once.low <= 11 <= ten_once.high else "which is nearer"
    why = (
        f"Ten games of this agent do not give that by chance. One that looks at each clue only once, when it opens, "
        f"detonates {write(once, 1)} with all clues, {alike}, and {write(once_poor, 1)} with 30 % withheld: the "
        f"report's agent misses deductions that it claims to make."
    )
    return [
        Check(
            "More mines are detonated when 30 % of the clues are withheld.",
            f"{write(mean_of(full), 2)} rises to {write(mean_of(poor), 2)}: {write_change(rise, 2)} on the same "
            f"boards.",
            above([rise]),
        ),
        Check(
            "11 of 15 mines are detonated with all clues, as the mean of 10 games.",
            f"{write(mean_of(full), 2)}; the mean of 10 games lies between {ten_full.low:.1f} and {ten_full.high:.1f} "
            f"in 95 of 100 repetitions.",
            _contains(ten_full, 11),
            why,
        ),
        Check(
            "14 with 30 % of them withheld.",
            f"{write(mean_of(poor), 2)}; the mean of 10 games between {ten_poor.low:.1f} and {ten_poor.high:.1f}.",
            _contains(ten_poor, 14),
            f"Nor does the agent that looks at each clue once come to that many, with {write(once_poor, 1)}.",
        ),
        Check(
            "That is a rise of 3.",
            f"The rise is {write(rise, 2)}; with 10 games each it comes out between {ten_rise.low:+.1f} and "
            f"{ten_rise.high:+.1f}, so 10 games {tell}.",
            _contains(ten_rise, 3),
            f"No agent here loses so much: the rise is {write(mean_of(_lost_by_once(results)), 2)} for one that looks "
            f"at each clue once, and {write(mean_of(detonations('exact', 0.3) - detonations('exact', 0.0)), 2)} for "
            f"the exact one.",
        ),
    ]


def _lost_by_once(results: Results) -> NDArray[np.float64]:
    """What withheld clues cost the agent that looks at each clue once, game by game."""
    return results.column("detonations", "local", _withheld(0.3)) - results.column("detonations", "local", _withheld(0))


def mean_of_runs(values: NDArray[np.float64], n_runs: int = RUNS) -> Interval:
    """Where the mean of so few games lies in 95 of 100 repetitions.

    >>> import numpy as np
    >>> mean_of_runs(np.array([1.0, 3.0] * 500), 4).high.round(2)
    np.float64(2.98)
    """
    half = Z95 * values.std(ddof=1) / math.sqrt(n_runs) if len(values) > 1 else math.nan
    return Interval(float(values.mean()), values.mean() - half, values.mean() + half)


def _contains(interval: Interval, value: float) -> bool | None:
    return None if math.isnan(interval.low) else bool(interval.low <= value <= interval.high)


def _draw_withheld(results: Results) -> list[Picture]:
    lines = [
        Line(name, CHANCES, [results.mean("detonations", agent, _withheld(p)) for p in CHANCES])
        for agent, name in _PLAYERS.items()
    ]
    lines.append(Line("the report", (0.0, 0.3), [Interval(11, 11, 11), Interval(14, 14, 14)]))
    return [
        Picture(
            draw_curves(lines, "chance that a clue is withheld", "mines detonated of 15"),
            "Detonations against the chance that a clue is withheld, 5 x 5 with 15 mines.",
        )
    ]


EXPERIMENTS = (
    Experiment(
        "000-withheld",
        "000",
        "5 x 5 with 15 mines, clues withheld",
        "When a clear cell shows no clue with chance 0.3, the mines detonated rise from 11 to 14, each the mean of "
        "10 games.",
        "statements, local and exact with 0 to 50 % of the clues withheld, on the same boards, total unknown.",
        _withheld_tasks,
        _check_withheld,
        _draw_withheld,
    ),
)
