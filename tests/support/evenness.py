"""Whether counts are as even as chance makes them; SciPy's own function would import all of its statistics."""

from __future__ import annotations

from collections.abc import Iterable

from scipy.special import chdtrc


def p_of_evenness(counts: Iterable[int]) -> float:
    """Return how likely even chances give counts at least as uneven as these, by the chi-square test."""
    listed = [float(count) for count in counts]
    mean = sum(listed) / len(listed)
    return float(chdtrc(len(listed) - 1, sum((count - mean) ** 2 for count in listed) / mean))
