"""``sapper puzzle``: static puzzles by backtracking search, with every heuristic switchable."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from sapper.inference.search import Found
    from sapper.observation import Observation


def puzzle(
    source: str = typer.Argument(metavar="FILE", help="Puzzles in CSP form (.csp, .txt), a position as text, or -."),
    number: int | None = typer.Option(None, "--puzzle", metavar="N", help="Only the N-th puzzle of the file."),
    order: str = typer.Option("mrv", help="Which cell next: first, nearest, mrv or degree."),
    values: str = typer.Option("lcv", help="Which value first: mine, clear or lcv."),
    forward_checking: bool = typer.Option(True, help="Strike out values that a clue no longer allows."),
    memory: bool = typer.Option(False, "--memory", help="Do not search again what failed before."),
    find_all: bool = typer.Option(False, "--all", help="Find every layout that fits, not only the first."),
    compare: bool = typer.Option(False, "--compare", help="Count the nodes of every combination of heuristics."),
    as_reported: bool = typer.Option(False, "--as-reported", help="Report 004's own search, faults included."),
    children: int = typer.Option(4, min=1, max=20, help="With --as-reported: how many cells a cell follows up."),
    limit: int = typer.Option(1_000_000, min=1, help="Give up after so many expanded nodes."),
    as_json: bool = typer.Option(False, "--json", help="Print the answer as JSON."),
) -> None:
    """Solve a static puzzle by backtracking and count the expanded nodes, as in report 004.

    All mines are used and every clue holds. Heuristics are switched one by one; --compare tries them all.

    Example: sapper puzzle puzzles.csp --puzzle 1 --order mrv --values lcv
    """
    from sapper.errors import InputError
    from sapper.inference.search import Heuristics, search, search_as_reported

    heuristics = Heuristics(order, values, forward_checking, memory)  # type: ignore[arg-type]
    puzzles = _read_puzzles(source)
    if number is not None:
        if not 1 <= number <= len(puzzles):
            raise InputError(f"There is no puzzle {number}, only {len(puzzles)}.")
        puzzles = {number: puzzles[number]}
    if compare:
        _compare(puzzles, limit, as_json)
        return
    answers = []
    for which, position in puzzles.items():
        if as_reported:
            found = search_as_reported(position, children, limit)
        else:
            found = search(position, heuristics, find_all=find_all, node_limit=limit)
        if as_json:
            answers.append({"puzzle": which, **_plain(found)})
        else:
            _print(which, position, found)
    if as_json:
        print(json.dumps(answers))


def _read_puzzles(source: str) -> dict[int, Observation]:
    from pathlib import Path

    from sapper.cli.files import load_position, read_bytes
    from sapper.errors import InputError
    from sapper.formats import csp

    if source != "-" and not Path(source).exists() and not source.endswith((".csp", ".txt")):
        return {1: load_position(source)}
    try:
        puzzles = csp.read_all(read_bytes(source))
    except InputError as error:
        raise InputError(f"{source}: {error}") from None
    if not puzzles:
        raise InputError(f"{source} holds no puzzle.")
    return dict(enumerate(puzzles, start=1))


def _plain(found: Found) -> dict[str, object]:
    return {
        "nodes": found.n_nodes,
        "finished": found.finished,
        "layouts": [str(layout) for layout in found.layouts],
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
