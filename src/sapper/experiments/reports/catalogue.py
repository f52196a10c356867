"""Every experiment of the five reports, in order, and those that go further: one list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.errors import InputError
from sapper.experiments.reports.studies import (
    backtracking,
    chains,
    contradiction,
    infer,
    liars,
    one_two,
    statements,
    uncertainty,
    variants,
    withheld,
)

if TYPE_CHECKING:
    from sapper.experiments.reports.claims import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (
    *statements.EXPERIMENTS,
    *withheld.EXPERIMENTS,
    *chains.EXPERIMENTS,
    *infer.EXPERIMENTS,
    *contradiction.EXPERIMENTS,
    *one_two.EXPERIMENTS,
    *backtracking.EXPERIMENTS,
    *variants.EXPERIMENTS,
    *uncertainty.EXPERIMENTS,
    *liars.EXPERIMENTS,
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
