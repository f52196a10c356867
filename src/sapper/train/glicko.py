"""Glicko-2: rating, deviation and volatility.

Steps and symbols follow M. E. Glickman, "Example of the Glicko-2 system" (2013). A puzzle is an opponent whose rating
is its difficulty. As on lichess, every answer is its own rating period, so a rating changes at once. The deviation
grows with elapsed time, one period a day, and not with the number of answers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

PERIOD = 86_400.0  # seconds
PUZZLE_DEVIATION = 50.0  # difficulties are derived from proofs, not from play, so they are not exact

_PROVISIONAL = 110.0  # a rating with a larger deviation is provisional; about a dozen answers bring it below
_SCALE = 173.7178
_CENTRE = 1500.0
_TAU = 0.5  # how much the volatility may change
_TOLERANCE = 1e-6
_MAX_ROUNDS = 100
# Learners improve: without a minimum, a rating would hardly change after about a hundred answers.
_LEAST_DEVIATION, _MAX_DEVIATION = 50.0, 350.0


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating with its deviation: its 95% interval is two deviations either way.

    >>> print(Rating())
    1000 ± 700
    """

    rating: float = 1000.0  # a beginner's: solves about one in two puzzles of the easier levels
    deviation: float = _MAX_DEVIATION
    volatility: float = 0.06

    @property
    def is_provisional(self) -> bool:
        """Return whether the next answers may still change the rating much."""
        return self.deviation > _PROVISIONAL

    def __str__(self) -> str:
        return f"{self.rating:.0f} ± {2 * self.deviation:.0f}"

    def as_plain_values(self) -> dict[str, float | bool]:
        """Return plain values for JSON."""
        return {
            "rating": self.rating,
            "deviation": self.deviation,
            "volatility": self.volatility,
            "provisional": self.is_provisional,
        }


class RatedResult(NamedTuple):
    """The result against an opponent or a puzzle."""

    rating: float  # the opponent's
    deviation: float
    score: float  # from 0 to 1


def expected_score(rating: float, opponent: float, deviation: float = PUZZLE_DEVIATION) -> float:
    """Return the expected score against an opponent.

    >>> expected_score(1500, 1500)
    0.5
    """
    phi = deviation / _SCALE
    return 1 / (1 + math.exp(-_impact(phi) * (rating - opponent) / _SCALE))


def rest(own: Rating, periods: float) -> Rating:
    """Return the rating after some time without play: the same, with a larger deviation."""
    phi = math.hypot(own.deviation / _SCALE, own.volatility * math.sqrt(max(periods, 0.0)))
    return replace(own, deviation=_within(phi * _SCALE))


def rate(own: Rating, results: Sequence[RatedResult], periods: float = 1.0) -> Rating:
    """Return the rating after these results, ``periods`` rating periods after the last ones.

    >>> games = [RatedResult(1400, 30, 1), RatedResult(1550, 100, 0), RatedResult(1700, 300, 0)]
    >>> new = rate(Rating(1500, 200, 0.06), games)  # Glickman's own example
    >>> round(new.rating, 1), round(new.deviation, 1), round(new.volatility, 5)
    (1464.1, 151.5, 0.06)
    """
    if not results:
        return rest(own, periods)
    mu, phi = (own.rating - _CENTRE) / _SCALE, own.deviation / _SCALE
    precision = surprise = 0.0
    for opponent, deviation, score in results:
        impact = _impact(deviation / _SCALE)
        away = impact * (mu - (opponent - _CENTRE) / _SCALE)
        expected, other = 1 / (1 + math.exp(-away)), 1 / (1 + math.exp(away))
        precision += impact * impact * expected * other
        surprise += impact * (score - expected)
    variance = 1 / precision
    sigma = _new_volatility(phi, own.volatility, variance, variance * surprise)
    idle = math.hypot(phi, sigma * math.sqrt(max(periods, 0.0)))
    new_phi = 1 / math.sqrt(1 / (idle * idle) + precision)
    moved = mu + new_phi * new_phi * surprise
    return Rating(_CENTRE + _SCALE * moved, _within(_SCALE * new_phi), sigma)


def _impact(phi: float) -> float:
    """Return the weight of an opponent with this deviation: Glickman's g."""
    return 1 / math.sqrt(1 + 3 * phi * phi / (math.pi * math.pi))


def _within(deviation: float) -> float:
    return min(max(deviation, _LEAST_DEVIATION), _MAX_DEVIATION)


def _new_volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Find the root of f by the Illinois algorithm: Glickman's step 5."""
    start = math.log(sigma * sigma)

    def f(x: float) -> float:
        grown = math.exp(x)
        spread = phi * phi + variance + grown
        return grown * (delta * delta - spread) / (2 * spread * spread) - (x - start) / (_TAU * _TAU)

    low = start
    above = delta * delta - phi * phi - variance
    if above > 0:
        high = math.log(above)
    else:
        k = 1
        while f(start - k * _TAU) < 0:
            k += 1
        high = start - k * _TAU
    f_low, f_high = f(low), f(high)
    for _ in range(_MAX_ROUNDS):
        if abs(high - low) <= _TOLERANCE:
            break
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
