"""The five reports (``data/reports.toml``) and all experiments, including those beyond the reports, in order."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from sapper.errors import InputError
from sapper.experiments.reports.claims import Experiment, Report
from sapper.experiments.reports.studies import (
    backtracking,
    chains,
    clicks,
    consolidation,
    contradiction,
    fringe,
    infer,
    noisy_clues,
    one_two,
    statements,
    variants,
    withheld,
)

REPORTS = {
    name: Report(found["title"], tuple(found["built"]), tuple(found.get("unmeasured", ())))
    for name, found in tomllib.loads((files("sapper.data") / "reports.toml").read_text("utf-8")).items()
}

EXPERIMENTS: tuple[Experiment, ...] = (
    *clicks.EXPERIMENTS,
    *statements.EXPERIMENTS,
    *withheld.EXPERIMENTS,
    *chains.EXPERIMENTS,
    *consolidation.OF_STATEMENTS,
    *infer.EXPERIMENTS,
    *consolidation.OF_PAIRS,
    *contradiction.EXPERIMENTS,
    *one_two.EXPERIMENTS,
    *fringe.EXPERIMENTS,
    *backtracking.EXPERIMENTS,
    *variants.EXPERIMENTS,
    *noisy_clues.EXPERIMENTS,
    *noisy_clues.LIES,
)


def choose(only: str | None) -> list[Experiment]:
    """Return the experiments of these reports or names, joined by commas; all of them by default.

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
