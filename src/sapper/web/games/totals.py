"""What the results of a visitor add up to: by board and in all, with the luck there was in them.

Only games without help count; those with help are counted beside them.
"""

from __future__ import annotations

import math
from statistics import fmean, median
from typing import TYPE_CHECKING

from sapper.rules import DEALINGS
from sapper.statistics import wilson
from sapper.web.games.states import as_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.web.games.results import Result

# What is told of a result, in this order.
FIELDS = (
    "game", "rules", "no_guess", "daily", "outcome", "seconds", "3bv", "clicks", "speed", "assisted", "ended", "risk",
    "needless", "mistakes",
)  # fmt: skip
_SLOTS = {"3bv": "bbbv"}  # where a name is not one in Python
MOST_TOLD = 1_000  # results that are told one by one, the newest


def describe_results(results: Sequence[Result]) -> dict[str, object]:
    """Everything there is to say about results, the oldest of which come first."""
    boards: dict[tuple[str, bool, bool], list[Result]] = {}
    for one in results:
        boards.setdefault((one.rules, one.no_guess, one.daily is not None), []).append(one)
    # The board that is played most comes first.
    ordered = sorted(boards.items(), key=lambda item: (-len(item[1]), item[0]))
    return {
        "all": _describe(results),
        "boards": [
            {"rules": rules, "no_guess": no_guess, "daily": is_daily, **_describe(played)}
            for (rules, no_guess, is_daily), played in ordered
        ],
        "results": [describe_result(one) for one in results[-MOST_TOLD:]],
    }


def describe_result(one: Result) -> dict[str, object]:
    """One result in plain values."""
    told: dict[str, object] = {name: getattr(one, _SLOTS.get(name, name)) for name in FIELDS}
    return told | {"seconds": round(one.seconds, 3), "ended": as_time(one.ended)}


def _describe(results: Sequence[Result]) -> dict[str, object]:
    counted = [one for one in results if not one.assisted]
    assisted = [one for one in results if one.assisted]
    won = [one for one in counted if one.is_won]
    speeds = [one.speed for one in won if one.speed is not None]
    efficiencies = [one.bbbv / one.clicks for one in won if one.bbbv and one.clicks]
    current, longest = _streaks(counted)
    return {
        "games": len(counted),
        "wins": len(won),
        "rate": list(wilson(len(won), len(counted))) if counted else None,
        "best_seconds": min((one.seconds for one in won), default=None),
        "median_seconds": median(one.seconds for one in won) if won else None,
        "best_speed": max(speeds, default=None),
        "mean_speed": fmean(speeds) if speeds else None,
        "efficiency": fmean(efficiencies) if efficiencies else None,
        "streak": current,
        "longest_streak": longest,
        "assisted": {"games": len(assisted), "wins": sum(one.is_won for one in assisted)},
        "luck": _describe_luck(counted),
    }


def _streaks(results: Sequence[Result]) -> tuple[int, int]:
    current = longest = 0
    for one in results:
        current = current + 1 if one.is_won else 0
        longest = max(longest, current)
    return current, longest


def _describe_luck(counted: Sequence[Result]) -> dict[str, object]:
    """The mines that the risks promised, with their spread, beside those that were hit; and what was needless.

    A board that needs no guess says nothing of luck: its layouts are not equally likely, so the exact risk of a move is
    not the chance of hitting a mine on it. Whatever risk was taken there was needless all the same. A fair, kind or
    cruel board does not leave it to luck what a guess meets.
    """
    known = [one for one in counted if one.risk is not None]
    by_luck = [one for one in known if not one.no_guess and _is_laid(one.rules)]
    expected = math.fsum(one.risk or 0.0 for one in by_luck)
    return {
        "games": len(by_luck),
        "expected": expected,
        "spread": math.sqrt(math.fsum(one.variance or 0.0 for one in by_luck)),
        "hits": sum(one.hits or 0 for one in by_luck),
        "unknown_moves": sum(one.unknown or 0 for one in by_luck),
        "judged": len(known),
        "needless": math.fsum(one.needless or 0.0 for one in known),
        "mistakes": sum(one.mistakes or 0 for one in known),
        "waiting": sum(one.waits for one in counted),
        "left_out": sum(one.risk is None and not one.waits for one in counted),
    }


def _is_laid(rules: str) -> bool:
    """Whether the mines of a game were laid beforehand.

    The last word says so. To read all of the rules would take seconds where thousands of results are on boards of
    one's own.
    """
    return rules.split()[-1] not in DEALINGS
