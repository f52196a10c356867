"""Report 004: nodes expanded by backtracking search on four static puzzles. Computed on the spot; no games."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sapper.experiments.reports.claims import EXACT, Check, Count, Experiment, Picture, Results
from sapper.experiments.reports.figures import Bars, draw_bars
from sapper.inference.puzzles.heuristics import Found, Heuristics
from sapper.inference.puzzles.reported import search_as_reported
from sapper.inference.puzzles.search import search
from sapper.observation import Observation
from sapper.statistics import Interval

if TYPE_CHECKING:
    from sapper.experiments.runs.running import Task

PUZZLES = {
    "P1": "###11#/#3###0/23#332/##2###/#223#3/#1###1 10",
    "P2": "###111/34#2##/2#####/##22#2/12##1#/#1#10# 10",
    "P3": "######/#2223#/#2002#/#2002#/#3222#/###### 10",
    "P4": "#1#11#/223##1/##5#5#/2#5###/#2##3#/##11#0 10",
}
REPORTED = {"P1": 5374, "P2": 1892, "P3": 30_000, "P4": 1843}
BEYOND = "P3"  # for which the report says only that there were more
LIMIT = 30_000
GREAT = 10  # how many times fewer nodes the report's "great benefits" are taken to be
PLAIN = Heuristics("nearest", "mine", forward_checking=False)
ALL_ON = Heuristics("mrv", "lcv", forward_checking=True)


@cache
def count_nodes() -> dict[str, dict[str, Found]]:
    """Search every puzzle three ways: as reported, the same idea without its faults, and with everything on."""
    return {
        name: {
            "as reported": search_as_reported(Observation.parse(text), node_limit=LIMIT),
            "no heuristic": search(Observation.parse(text), PLAIN, node_limit=LIMIT),
            "all heuristics": search(Observation.parse(text), ALL_ON, node_limit=LIMIT),
        }
        for name, text in PUZZLES.items()
    }


def _check(results: Results) -> list[Check]:
    del results
    return check_counts(count_nodes())


def check_counts(found: dict[str, dict[str, Found]]) -> list[Check]:
    """Compare counts of nodes with the report's."""
    checks = []
    for name, reported in REPORTED.items():
        one = found[name]["as reported"]
        same = not one.finished if name == BEYOND else one.finished and one.n_nodes == reported
        how = "no solution" if one.finished and not one.layouts else "a solution" if one.finished else "given up"
        checks.append(
            Check(
                f"{name}: {'more than ' if name == BEYOND else ''}{reported:,} nodes without a heuristic.",
                f"The report's search, faults included, expands {_count(one)} ({how}); the same order without the "
                f"faults {_count(found[name]['no heuristic'])}.",
                same,
                quote=f"{name} {'>30,000' if name == BEYOND else reported}",
                kind=EXACT,
            )
        )
    everything = {name: ways["all heuristics"] for name, ways in found.items()}
    checks.append(
        Check(
            f"Heuristics bring great benefits (here: at most one node in {GREAT} is left).",
            "Forward checking, fewest remaining values and least constraining value expand "
            + ", ".join(f"{_count(one)} ({name})" for name, one in everything.items())
            + ": one node for each unknown cell is the least possible.",
            all(one.layouts and GREAT * one.n_nodes <= REPORTED[name] for name, one in everything.items()),
            quote="using a heuristic-driven approach to Minesweeper can bring great benefits to performance.",
            kind=EXACT,
        )
    )
    return checks


def _count(found: Found) -> str:
    return f"{found.n_nodes:,}" if found.finished else f"more than {LIMIT:,}"


def _draw(results: Results) -> list[Picture]:
    del results
    found = count_nodes()
    bars = [
        Bars(way, [_exactly(found[name][way].n_nodes) for name in PUZZLES])
        for way in ("as reported", "no heuristic", "all heuristics")
    ]
    return [
        Picture(
            draw_bars(list(PUZZLES), bars, "expanded nodes", log=True),
            f"Nodes expanded on the four puzzles; the search gives up beyond {LIMIT:,}.",
        )
    ]


def _exactly(n: int) -> Interval:
    return Interval(min(n, LIMIT), min(n, LIMIT), min(n, LIMIT))


def _no_tasks(count: Count) -> list[Task]:
    del count
    return []


EXPERIMENTS = (
    Experiment(
        "004",
        "004",
        "Static puzzles by backtracking, 6 x 6 with 10 mines",
        "The report counts the nodes that its search expands on four puzzles without a heuristic; it could not get one "
        "to work.",
        "The report's search with its faults, the same order of cells without them, and everything switched on. "
        "Counts are exact, so there is nothing to repeat.",
        _no_tasks,
        _check,
        _draw,
        "The report's program checks five of eight neighbours, branches on mines only and may end without a solution "
        "that exists, as on P4; its counts are those of that search, to the node.",
    ),
)
