"""The assignment's other agents: least risk and most worked out against random openings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sapper.experiments.reports.claims import (
    Check,
    Count,
    Experiment,
    Picture,
    StudyResults,
    above,
    by_seed,
    change_of,
    write_change,
)
from sapper.experiments.reports.figures import DENSITIES, DensityGrid, draw_curves
from sapper.experiments.sweep import SweepTask

GRID = DensityGrid(
    {
        "random": "random, no reasoning",
        "contradiction-full": "reasons, guesses at random",
        "min-cost": "min-cost",
        "min-risk": "min-risk",
    },
    8,
    "survey first-any total-hidden",
)


def _tasks(count: Count) -> list[SweepTask]:
    return GRID.tasks(count(30, 400), 25)


def _saved(results: StudyResults, agent: str, over: str) -> list[NDArray[np.float64]]:
    """Return the detonations that an agent saves over another, game by game, at every density."""
    return GRID.differences(results, "detonations", over, agent)


def _check(results: StudyResults) -> list[Check]:
    checks = []
    for agent, name in (("min-cost", "Least risk (min-cost)"), ("min-risk", "Most worked out (min-risk)")):
        over_random = [change_of(saved) for saved in _saved(results, agent, "random")]
        over_guessing = change_of(by_seed(_saved(results, agent, "contradiction-full")))
        by_density = [change_of(saved) for saved in _saved(results, agent, "contradiction-full")]
        most = max(range(len(DENSITIES)), key=lambda number: by_density[number].value)
        checks += [
            Check(
                f"{name} steps on fewer mines than random openings, at every density.",
                f"Mines saved per game: between {write_change(min(over_random), 2)} and "
                f"{write_change(max(over_random), 2)}.",
                above(over_random),
            ),
            Check(
                f"{name} also beats an agent that reasons equally well but guesses at random.",
                f"Mines saved per game: {write_change(over_guessing, 2)} on average, most at a density of "
                f"{DENSITIES[most]}: {write_change(by_density[most], 2)}.",
                above([over_guessing]),
            ),
        ]
    between = change_of(by_seed(_saved(results, "min-risk", "min-cost")))
    checks.append(
        Check(
            "Looking ahead pays: min-risk steps on fewer mines than min-cost.",
            f"Mines saved per game: {write_change(between, 2)} on average.",
            above([between]),
            "A cell that works out many others is often risky; q R + (1 - q) S counts cells and ignores the cost of "
            "the risk, so what is gained later is paid at once.",
            is_guess=True,
        )
    )
    return checks


def _draw(results: StudyResults) -> list[Picture]:
    pictures = []
    for column, y_name in (("score", "average score"), ("detonations", "mines detonated")):
        lines = GRID.lines(results, column)
        caption = f"{y_name.capitalize()} against the density of mines, 8 x 8, total unknown."
        pictures.append(
            Picture(draw_curves(lines, "share of mines", y_name, most=1.0 if column == "score" else None), caption)
        )
    return pictures


EXPERIMENTS = (Experiment.of("min-cost", _tasks, _check, _draw),)
