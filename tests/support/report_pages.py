"""Made-up results for the experiments of the reports."""

from __future__ import annotations

import numpy as np

from sapper.experiments.games import GameResult
from sapper.experiments.reports.catalogue import choose
from sapper.experiments.reports.claims import Count, Experiment, StudyResults
from sapper.rules import Rules


def made_up(
    experiment: Experiment, scores: dict[str, float], n: int = 400, *, column: str = "identified"
) -> StudyResults:
    """Results of an experiment in which an agent's share of identified mines, or of others, wobbles around a value."""
    rng = np.random.default_rng(0)
    games = {}
    for task in experiment.tasks(Count(games=n)):
        rules = Rules.parse(task.condition.rules)
        share = scores.get(f"{task.condition.agent} {rules.mines}", scores.get(task.condition.agent, 0.5))
        table = np.zeros((n, len(GameResult._fields)), dtype=np.int32)
        if column == "won":
            table[:, 0] = rng.random(n) < share
        else:
            table[:, GameResult._fields.index(column)] = rng.binomial(rules.mines, share, n)
            if task.condition.source.startswith("probe:marks"):
                table[:, GameResult._fields.index("moves")] = table[:, GameResult._fields.index("identified")]
        games[task.condition] = table
    return StudyResults(games)


def by_name(name: str) -> Experiment:
    (experiment,) = choose(name)
    return experiment
