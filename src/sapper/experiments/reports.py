"""Every experiment of the five reports, in order, and those that go further: one list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.errors import InputError
from sapper.experiments import (
    reports_000,
    reports_001,
    reports_002,
    reports_003,
    reports_004,
    reports_chains,
    reports_uncertainty,
    reports_variants,
    reports_withheld,
)

if TYPE_CHECKING:
    from sapper.experiments.claims import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (
    *reports_000.EXPERIMENTS,
    *reports_withheld.EXPERIMENTS,
    *reports_chains.EXPERIMENTS,
    *reports_001.EXPERIMENTS,
    *reports_002.EXPERIMENTS,
    *reports_003.EXPERIMENTS,
    *reports_004.EXPERIMENTS,
    *reports_variants.EXPERIMENTS,
    *reports_uncertainty.EXPERIMENTS,
)


def choose(only: str | None) -> list[Experiment]:
    """The experiments of these reports or of these names, joined by commas; all of them if nothing is said.

    >>> [one.name for one in choose("000-total,004")]
    ['000-total', '004']
    """
    if only is None:
        return list(EXPERIMENTS)
    words = {word.strip() for word in only.split(",")}
    known = {one.name for one in EXPERIMENTS} | {one.report for one in EXPERIMENTS}
    for word in sorted(words - known):
        raise InputError(f"There is no experiment {word[:40]!r}; choose from {', '.join(sorted(known))}.")
    return [one for one in EXPERIMENTS if {one.name, one.report} & words]
