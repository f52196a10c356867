"""Chances as people read them. Never 0 % or 100 % unless it is certain."""

from __future__ import annotations


def percent(p: float, certain: bool, places: int = 0) -> str:
    """Write a chance as a percentage with so many decimal places.

    >>> percent(0.004, False), percent(0.996, False), percent(0.0, True), percent(1 / 3, False, 1)
    ('<1%', '>99%', '0%', '33.3%')
    """
    if certain:
        return f"{100 * p:.0f}%"
    least = 10.0**-places
    if 100 * p < least:
        return f"<{least:g}%"
    if 100 * p > 100 - least:
        return f">{100 - least:g}%"
    return f"{100 * p:.{places}f}%"
