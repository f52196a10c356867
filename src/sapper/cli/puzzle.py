"""``sapper puzzle``: static puzzles by backtracking search, with every heuristic switchable."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from sapper.errors import Contradiction
    from sapper.inference.search import Found
    from sapper.observation import Observation

# The stream of a seed that says which cells a random puzzle shows: far from those of layouts and clues.
_SHOWN_STREAM = 1_000_003


def puzzle(
    source: str | None = typer.Argument(
        None, metavar="[FILE]", help="Puzzles in CSP form (.csp, .txt), a position as text, or -."
    ),
    number: int | None = typer.Option(None, "--puzzle", metavar="N", help="Only the N-th puzzle of the file."),
    random: str | None = typer.Option(
        None, metavar="ROWSxCOLS/MINES", help="Instead of a file: a random layout with some of its clues shown."
    ),
    clues: float = typer.Option(0.5, min=0.0, max=1.0, help="With --random: the share of safe cells that is shown."),
    seed: int = typer.Option(0, min=0, max=2**62, help="With --random: same seed, same puzzle."),
    order: str = typer.Option("mrv", help="Which cell next: first, nearest, mrv or degree."),
    values: str = typer.Option("lcv", help="Which value first: mine, clear or lcv."),
    forward_checking: bool = typer.Option(True, help="Strike out values that a clue no longer allows."),
    memory: bool = typer.Option(False, "--memory", help="Do not search again what failed before."),
    find_all: bool = typer.Option(False, "--all", help="Find every layout that fits, not only the first."),
    count: bool = typer.Option(False, "--count", help="Only say how many layouts fit."),
    compare: bool = typer.Option(False, "--compare", help="Count the nodes of every combination of heuristics."),
    as_reported: bool = typer.Option(False, "--as-reported", help="Report 004's own search, faults included."),
    children: int = typer.Option(4, min=1, max=20, help="With --as-reported: how many cells a cell follows up."),
    limit: int = typer.Option(1_000_000, min=1, help="Give up after so many expanded nodes."),
    as_json: bool = typer.Option(False, "--json", help="Print the answer as JSON."),
) -> None:
    """Solve a static puzzle by backtracking and count the expanded nodes, as in report 004.

    All mines are used and every clue holds. Heuristics are switched one by one; --compare tries them all. A puzzle
    that no layout fits is answered with the clues that disagree and exit status 1.

    Example: sapper puzzle puzzles.csp --puzzle 1 --order mrv --values lcv

    Example: sapper puzzle --random 10x10/25 --clues 0.6 --seed 3 --count
    """
    from sapper.errors import InputError
    from sapper.inference.search import Heuristics, search, search_as_reported

    heuristics = Heuristics(order, values, forward_checking, memory)  # type: ignore[arg-type]
    if as_reported and (find_all or count):
        raise InputError(
            "The report's search finds one layout at most, so --as-reported goes with no --all or --count."
        )
    puzzles = _choose(source, random, clues, seed, number)
    if compare:
        _compare(puzzles, limit, as_json)
        return
    answers = []
    impossible = False
    for which, position in puzzles.items():
        if as_reported:
            found = search_as_reported(position, children, limit)
        else:
            found = search(position, heuristics, find_all=find_all, count_only=count, node_limit=limit)
        # The report's search misses layouts, so that it found none says nothing.
        why = _why_none(position) if not found.n_layouts and not as_reported else None
        impossible = impossible or why is not None
        exact = _count_exactly(position) if count and not found.finished and why is None else None
        if as_json:
            answers.append({"puzzle": which, "position": str(position), **_plain(found, why, exact)})
            continue
        if random is not None:
            print(position)
        if count:
            _print_count(which, position, found, exact)
        else:
            _print(which, position, found)
        if why is not None:
            print(f"  {why}")
    if as_json:
        print(json.dumps(answers))
    if impossible:
        raise typer.Exit(1)


def _choose(
    source: str | None, random: str | None, clues: float, seed: int, number: int | None
) -> dict[int, Observation]:
    from sapper.errors import InputError

    if (source is None) == (random is None):
        raise InputError("Give either a file of puzzles or --random ROWSxCOLS/MINES.")
    if random is not None:
        puzzles = {1: make_puzzle(random, clues, seed)}
    else:
        assert source is not None
        puzzles = _read_puzzles(source)
    if number is None:
        return puzzles
    if not 1 <= number <= len(puzzles):
        raise InputError(f"There is no puzzle {number}, only {len(puzzles)}.")
    return {number: puzzles[number]}


def make_puzzle(text: str, clues: float, seed: int) -> Observation:
    """A random layout of which this share of the safe cells, drawn at random, is shown."""
    from dataclasses import replace

    import numpy as np

    from sapper.observation import HIDDEN, Observation
    from sapper.rules import Rules
    from sapper.world.generate import generate_layout, random_words

    rules = replace(Rules.parse(text), first_click="any")
    layout = generate_layout(rules, seed, first=0)
    safe = np.flatnonzero(~layout.mines.ravel())
    keys = random_words(seed, _SHOWN_STREAM, rules.n_cells)[safe]
    shown = safe[np.argsort(keys, kind="stable")[: round(clues * safe.size)]]
    cells = np.full(rules.n_cells, HIDDEN, dtype=np.int8)
    cells[shown] = layout.clues().ravel()[shown]
    return Observation(rules.topology, cells, rules.mines if rules.total_known else None)


def _read_puzzles(source: str) -> dict[int, Observation]:
    from pathlib import Path

    from sapper.cli.files import load_position, read_bytes
    from sapper.errors import InputError
    from sapper.formats import csp

    if source != "-" and not source.endswith((".csp", ".txt")) and (len(source) > 255 or not Path(source).exists()):
        return {1: load_position(source)}
    try:
        puzzles = csp.read_all(read_bytes(source))
    except InputError as error:
        raise InputError(f"{source}: {error}") from None
    if not puzzles:
        raise InputError(f"{source} holds no puzzle.")
    return dict(enumerate(puzzles, start=1))


def _why_none(position: Observation) -> Contradiction | None:
    """Why no layout fits, if none does: the engine knows even where the search gave up."""
    from sapper.errors import Contradiction, TooHard
    from sapper.inference.exact import mine_probabilities

    try:
        mine_probabilities(position)
    except Contradiction as why:
        return why
    except TooHard:
        pass
    return None


def _count_exactly(position: Observation) -> int | None:
    """The number of layouts by the exact sum, for puzzles with too many of them to be found one by one."""
    from sapper.errors import TooHard
    from sapper.inference.exact import mine_probabilities

    try:
        return mine_probabilities(position).n_layouts
    except TooHard:
        return None


def _plain(found: Found, why: Contradiction | None, exact: int | None) -> dict[str, object]:
    return {
        "nodes": found.n_nodes,
        "finished": found.finished,
        "count": found.n_layouts,
        "exact_count": exact,
        "layouts": [str(layout) for layout in found.layouts],
        "contradiction": None if why is None else {"sentence": str(why), "clues": why.clues, "total": why.total},
    }


def _print(which: int, position: Observation, found: Found) -> None:
    n_unknown = int(position.closed.sum())
    end = "" if found.finished else " (gave up)"
    print(f"Puzzle {which}: {n_unknown} cells, {found.n_nodes:,} nodes expanded{end}, {len(found.layouts)} found.")
    for layout in found.layouts:
        for row, mines in enumerate(layout.mines.tolist()):
            shown = [
                "*" if mine else "-" if closed else str(code)
                for mine, closed, code in zip(
                    mines, position.closed[row].tolist(), position.cells[row].tolist(), strict=True
                )
            ]
            print("  " + " ".join(shown))
        print()


def _print_count(which: int, position: Observation, found: Found, exact: int | None) -> None:
    what = f"Puzzle {which}: {int(position.closed.sum())} cells, {found.n_nodes:,} nodes expanded"
    layouts = f"{found.n_layouts:,} layout{'s' if found.n_layouts != 1 else ''}"
    if found.finished:
        print(f"{what}, {layouts}.")
        return
    so_far = f"at least {layouts}" if found.n_layouts else "none found so far"
    print(f"{what} (gave up), {so_far}" + ("." if exact is None else f"; the exact sum says {exact:,}."))


def _compare(puzzles: dict[int, Observation], limit: int, as_json: bool) -> None:
    from itertools import product

    from sapper.inference.search import ORDERS, VALUES, Heuristics, search, search_as_reported

    table: dict[str, list[int | None]] = {}
    for order, values, forward, memory in product(ORDERS, VALUES, (False, True), (False, True)):
        heuristics = Heuristics(order, values, forward, memory)
        found = [search(position, heuristics, node_limit=limit) for position in puzzles.values()]
        table[str(heuristics)] = [one.n_nodes if one.finished else None for one in found]
    if all(position.total is not None and position.topology.shape == "square" for position in puzzles.values()):
        reported = [search_as_reported(position, node_limit=min(limit, 100_000)) for position in puzzles.values()]
        table["as reported, 4 children"] = [one.n_nodes if one.finished else None for one in reported]
    if as_json:
        print(json.dumps({"puzzles": list(puzzles), "nodes": table}))
        return
    width = max(map(len, table))
    print(" " * width + "".join(f"{f'P{which}':>9}" for which in puzzles))
    for name, counts in table.items():
        print(f"{name:<{width}}" + "".join(f"{'gave up' if count is None else f'{count:,}':>9}" for count in counts))
