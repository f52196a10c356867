"""Report 004: nodes expanded by backtracking search on four static puzzles, computed without games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from sapper.experiments.reports.claims import EXACT, Check, ComparisonRow, Count, Experiment, Picture, StudyResults
from sapper.experiments.reports.figures import Bars, draw_bars
from sapper.experiments.sweep import SweepTask
from sapper.inference.backtracking import Found, Heuristics, search, search_as_reported
from sapper.observation import Observation
from sapper.statistics import Interval
from sapper.words import count, join_words

# The report prints none of its four problems. These are the samples of its assignment, which came with it; that they
# are the ones it searched is shown by its counts, which come out to the node.
PUZZLES = {
    "P1": "###11#/#3###0/23#332/##2###/#223#3/#1###1 10",
    "P2": "###111/34#2##/2#####/##22#2/12##1#/#1#10# 10",
    "P3": "######/#2223#/#2002#/#2002#/#3222#/###### 10",
    "P4": "#1#11#/223##1/##5#5#/2#5###/#2##3#/##11#0 10",
}
REPORTED = {"P1": 5374, "P2": 1892, "P3": 30_000, "P4": 1843}
BEYOND = "P3"  # the report gives only a lower limit for this one
LIMIT = 30_000
GREAT = 10  # factor that we take the report's "great benefits" to mean
CHILDREN = (1, 2, 3, 4)  # the report's count has four
WAYS = {
    "nearest first": Heuristics("nearest", "mine", forward_checking=False),
    "with memory": Heuristics("nearest", "mine", forward_checking=False, memory=True),
    "fewest constraints first": Heuristics("fewest", "mine", forward_checking=False),
    "most constraints first": Heuristics("degree", "mine", forward_checking=False),
    "all heuristics": Heuristics("mrv", "lcv", forward_checking=True),
}


@cache
def count_nodes() -> dict[str, dict[str, Found]]:
    """Search every puzzle as reported, and by several complete searches."""
    positions = {name: Observation.parse(text) for name, text in PUZZLES.items()}
    return {
        name: {
            "as reported": search_as_reported(position, node_limit=LIMIT),
            "as reported, with memory": search_as_reported(position, node_limit=LIMIT, memory=True),
            "as reported, fewest first": search_as_reported(position, node_limit=LIMIT, order="fewest"),
            "as reported, most first": search_as_reported(position, node_limit=LIMIT, order="most"),
            **{way: search(position, heuristics, node_limit=LIMIT) for way, heuristics in WAYS.items()},
        }
        for name, position in positions.items()
    }


@cache
def count_by_children() -> dict[str, list[Found]]:
    """Run the report's search with one child per cell, with two, and so on."""
    return {
        name: [search_as_reported(Observation.parse(text), children, LIMIT) for children in CHILDREN]
        for name, text in PUZZLES.items()
    }


def _check(results: StudyResults) -> list[Check]:
    del results
    return [*check_counts(count_nodes()), *check_children(count_by_children())]


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
                f"The report's search, faults included, expands {_count(one)} ({how}). A complete search, nearest cell "
                f"first, as the report describes it, expands {_count(found[name]['nearest first'])}.",
                same,
                quote=f"{name} {'>30,000' if name == BEYOND else reported}",
                kind=EXACT,
            )
        )
    everything = {name: ways["all heuristics"] for name, ways in found.items()}
    checks.append(
        Check(
            f"Heuristics bring great benefits (here: at most one node in {GREAT} remains).",
            "Forward checking, fewest remaining values and least constraining value expand "
            + ", ".join(f"{_count(one)} ({name})" for name, one in everything.items())
            + ": one node for each hidden cell is the minimum.",
            all(one.layouts and GREAT * one.n_nodes <= REPORTED[name] for name, one in everything.items()),
            quote="using a heuristic-driven approach to Minesweeper can bring great benefits to performance.",
            kind=EXACT,
        )
    )
    return [*checks, *_check_suggestions(found)]


def _check_suggestions(found: dict[str, dict[str, Found]]) -> list[Check]:
    """Judge what the report would try next: memory, and its degree heuristic."""
    own, own_memory, own_fewest, own_most, plain, memory, fewest, most = (
        [ways[way] for ways in found.values()]
        for way in (
            "as reported",
            "as reported, with memory",
            "as reported, fewest first",
            "as reported, most first",
            "nearest first",
            "with memory",
            "fewest constraints first",
            "most constraints first",
        )
    )
    return [
        Check(
            "Remembering which configurations fail improves the search (here: fewer nodes, and no solution is lost).",
            f"In the report's search {_list(own_memory)} nodes with memory, {_list(own)} without; "
            f"{_solved(own_memory)} found with memory, {_solved(own)} without. In a complete search {_list(memory)} "
            f"nodes, without memory {_list(plain)}.",
            _is_less(own_memory, own) and _loses_none(own_memory, own),
            "What the report's search can still find depends on the order of its queue as well as on the mines placed. "
            "In a complete search it does not, and memory loses nothing.",
            "One quick way to improve this algorithm would be to take a dynamic-programming approach and use an "
            "array to keep track of which node configurations work.",
            kind=EXACT,
            is_guess=True,
        ),
        Check(
            "The degree heuristic takes the cell with the fewest constraints (here: it finds the solutions with fewer "
            "nodes than the opposite).",
            f"In the report's search fewest first {_list(own_fewest)} nodes, {_solved(own_fewest)} found; most first, "
            f"as in textbooks, {_list(own_most)}, {_solved(own_most)} found. In a complete search {_list(fewest)} "
            f"and {_list(most)}.",
            _is_less(own_fewest, own_most) and _loses_none(own_fewest, own),
            "The textbook heuristic is the opposite: the cell with the most constraints comes first, so that a wrong "
            "turn shows at once.",
            "For the degree heuristic, since we should choose the node with the less amount of constraints",
            kind=EXACT,
            is_guess=True,
        ),
    ]


def check_children(found: dict[str, list[Found]]) -> list[Check]:
    """Compare the growth of counts with the number of children with what the report says."""
    steps = CHILDREN[-1] - CHILDREN[0]
    factors = [(counts[-1].n_nodes / counts[0].n_nodes) ** (1 / steps) for counts in found.values()]
    return [
        Check(
            "The time is exponential in the number of children (here: up to the report's four, each additional "
            "child at least doubles the nodes on average).",
            "; ".join(f"{name}: {_list(counts)}" for name, counts in found.items())
            + f" with {CHILDREN[0]} to {CHILDREN[-1]} children; by a factor of at least {min(factors):.0f} each.",
            all(factor >= 2 for factor in factors),
            quote="its time-complexity, which would be exponential on the number of children n each cell is allowed "
            "to check.",
            kind=EXACT,
        )
    ]


def _is_less(ones: Sequence[Found], others: Sequence[Found]) -> bool:
    """Return whether no count is larger, and some are smaller."""
    pairs = [(one.n_nodes, other.n_nodes) for one, other in zip(ones, others, strict=True)]
    return all(one <= other for one, other in pairs) and any(one < other for one, other in pairs)


def _loses_none(ones: Sequence[Found], others: Sequence[Found]) -> bool:
    """Return whether every puzzle that others solve is solved."""
    return all(one.layouts or not other.layouts for one, other in zip(ones, others, strict=True))


def _solved(found: Sequence[Found]) -> str:
    return count(sum(bool(one.layouts) for one in found), "solution")


def _list(found: Sequence[Found]) -> str:
    return join_words([_count(one) for one in found])


def _compare(results: StudyResults) -> list[ComparisonRow]:
    del results
    return [
        ComparisonRow(
            f"nodes expanded on {name}",
            f"{'> ' if name == BEYOND else ''}{REPORTED[name]:,}",
            _count(ways["as reported"]),
            f"{_count(ways['nearest first'])} (nearest first), {_count(ways['all heuristics'])} (all heuristics)",
        )
        for name, ways in count_nodes().items()
    ]


def _count(found: Found) -> str:
    return f"{found.n_nodes:,}" if found.finished else f"more than {LIMIT:,}"


def _draw(results: StudyResults) -> list[Picture]:
    del results
    found = count_nodes()
    bars = [
        Bars(way, [_exactly(found[name][way].n_nodes) for name in PUZZLES])
        for way in ("as reported", "nearest first", "all heuristics")
    ]
    return [
        Picture(
            draw_bars(list(PUZZLES), bars, "expanded nodes", log=True),
            f"Nodes expanded on the four puzzles; the search gives up beyond {LIMIT:,}.",
        )
    ]


def _exactly(n: int) -> Interval:
    return Interval(min(n, LIMIT), min(n, LIMIT), min(n, LIMIT))


def _no_tasks(count: Count) -> list[SweepTask]:
    del count
    return []


EXPERIMENTS = (Experiment.of("004", _no_tasks, _check, _draw, _compare),)
