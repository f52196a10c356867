"""``sapper puzzle``: static puzzles by backtracking search, with every heuristic switchable."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sapper.cli.errors import Status
from sapper.cli.options import grouped

if TYPE_CHECKING:
    from sapper.errors import Contradiction
    from sapper.inference.backtracking import Found, Heuristics
    from sapper.observation import Observation


REPORT = "report-004"  # the name of the report whose puzzles come with Sapper

MOST_COUNTED = 10**15  # layouts that are counted to the last digit
HEURISTICS = ("--order", "--values", "--forward-checking", "--memory")

# The stream of a seed that says which cells a random puzzle shows: far from those of layouts and clues.
_SHOWN_STREAM = 1_000_003


@dataclass(frozen=True, slots=True)
class PuzzleOptions:
    """Which puzzles: some of a file, or a random one."""

    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[PUZZLE]",
            help="report-004 (its four puzzles), a file in CSP form (.csp, .txt), a position as text, or -.",
        ),
    ] = None
    number: Annotated[
        int | None, typer.Option("--puzzle", metavar="N", help="Solve only the Nth of several puzzles.")
    ] = None
    random: Annotated[
        str | None,
        typer.Option(
            metavar="ROWSxCOLS/MINES", help="Instead of a puzzle: a random layout with some of its clues shown."
        ),
    ] = None
    clues: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="With --random: which share of the safe cells is shown.")
    ] = 0.5
    seed: Annotated[int, typer.Option(min=0, max=2**62, help="With --random: same seed, same puzzle.")] = 0

    def puzzles(self) -> dict[int, Observation]:
        """The puzzles by their numbers."""
        from sapper.cli.options import refuse_with, refuse_without
        from sapper.errors import InputError

        if self.random is None:
            refuse_without("--random", "--clues", "--seed")
        else:
            refuse_with("--random", "--puzzle")
        if (self.source is None) == (self.random is None):
            raise InputError("Give either a puzzle, such as report-004, or --random ROWSxCOLS/MINES.")
        if self.random is not None:
            puzzles = {1: make_puzzle(self.random, self.clues, self.seed)}
        else:
            assert self.source is not None
            puzzles = _read_puzzles(self.source)
        if self.number is None:
            return puzzles
        if not 1 <= self.number <= len(puzzles):
            raise InputError(f"There is no puzzle {self.number}, only {len(puzzles)}.")
        return {self.number: puzzles[self.number]}


@dataclass(frozen=True, slots=True)
class HeuristicOptions:
    """How the search goes about it."""

    order: Annotated[
        str, typer.Option(metavar="ORDER", help="Which cell to try next: first, nearest, mrv, degree or fewest.")
    ] = "mrv"
    values: Annotated[str, typer.Option(metavar="VALUES", help="Which value to try first: mine, clear or lcv.")] = "lcv"
    forward_checking: Annotated[bool, typer.Option(help="Strike out values that a clue no longer allows.")] = True
    memory: Annotated[bool, typer.Option("--memory", help="Remember what failed, and do not search it again.")] = False

    def heuristics(self) -> Heuristics:
        """The same for the search."""
        from sapper.inference.backtracking import Heuristics

        return Heuristics(self.order, self.values, self.forward_checking, self.memory)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What is searched for, and when to give up."""

    find_all: Annotated[bool, typer.Option("--all", help="Find every layout that fits, not only the first.")] = False
    count: Annotated[bool, typer.Option("--count", help="Only say how many layouts fit.")] = False
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare all combinations of heuristics by the nodes they expand.")
    ] = False
    limit: Annotated[int, typer.Option(min=1, help="Give up after this many expanded nodes.")] = 1_000_000
    as_reported: Annotated[
        bool, typer.Option("--as-reported", help="Use report 004's own search, faults included.")
    ] = False
    children: Annotated[
        int, typer.Option(min=1, max=20, help="With --as-reported: how many neighbours each cell tries next.")
    ] = 4

    def check(self) -> None:
        """Raise `InputError` if the report's search is asked for what it cannot do, or an option has no effect."""
        from sapper.cli.options import refuse_with, refuse_without
        from sapper.errors import InputError

        if self.compare:
            refuse_with("--compare", "--all", "--count", "--as-reported", *HEURISTICS)
        if self.as_reported:
            refuse_with("--as-reported", *HEURISTICS)
        else:
            refuse_without("--as-reported", "--children")
        if self.count:
            refuse_with("--count", "--all")
        if self.as_reported and (self.find_all or self.count):
            raise InputError(
                "The report's search finds at most one layout, so --as-reported cannot go with --all or --count."
            )

    def search(self, position: Observation, heuristics: Heuristics) -> Found:
        """Search for the layouts of a position."""
        from sapper.cli.terminal import show_progress
        from sapper.inference.backtracking import search, search_as_reported

        if self.as_reported:
            return search_as_reported(position, self.children, self.limit)
        with show_progress("Searching", "nodes") as watch:
            return search(
                position,
                heuristics,
                find_all=self.find_all,
                count_only=self.count,
                node_limit=self.limit,
                progress=watch,
            )


class Answer(NamedTuple):
    """What came of one puzzle."""

    which: int
    position: Observation
    found: Found
    why: Contradiction | None  # why no layout fits, if none does
    exact: int | None  # how many layouts fit, if they were to be counted and the search gave up or missed them
    log_layouts: float | None  # the natural logarithm of that, which is known where counting would take minutes
    is_missed: bool  # whether the report's search ended without a layout although some fit

    def as_plain_values(self) -> dict[str, object]:
        """The same for JSON."""
        found, why = self.found, self.why
        return {
            "puzzle": self.which,
            "position": str(self.position),
            "nodes": found.n_nodes,
            "finished": found.finished,
            "count": found.n_layouts,
            "exact_count": self.exact,
            "log_layouts": self.log_layouts,
            "missed": self.is_missed,
            "layouts": [str(layout) for layout in found.layouts],
            "contradiction": None if why is None else {"sentence": str(why), "clues": why.clues, "total": why.total},
        }


@grouped
def puzzle(
    chosen: PuzzleOptions,
    asked: SearchOptions,
    going: HeuristicOptions,
    as_json: bool = typer.Option(False, "--json", help="Print the answer as JSON."),
) -> None:
    """Solve a puzzle by backtracking search and count the nodes it expands, as in report 004.

    A solution places all mines so that every clue holds. Heuristics can be switched on and off one by one; --compare
    tries them all. If no layout fits, the clues that disagree are named and the exit status is 1; if the search gives
    up, or is the report's and misses all layouts, the status is 3.

    Example: sapper puzzle report-004 --puzzle 1

    Example: sapper puzzle --random 6x6/8 --clues 0.6 --seed 3 --count
    """
    from sapper.cli.errors import give_up
    from sapper.errors import GaveUp
    from sapper.words import count, plural

    heuristics = going.heuristics()
    asked.check()
    puzzles = chosen.puzzles()
    if asked.compare:
        _compare(puzzles, asked.limit, as_json)
        return
    answers = []
    for which, position in puzzles.items():
        answer = _answer(which, position, asked, heuristics)
        answers.append(answer)
        if as_json:
            continue
        if chosen.random is not None:
            print(position)
        if asked.count:
            _print_count(answer)
        else:
            _print_layouts(answer)
        if answer.why is not None:
            print(f"  {answer.why}")
        elif answer.is_missed:
            fitting = "Layouts fit" if answer.exact is None else count(answer.exact, "layout fits", "layouts fit")
            print(f"  {fitting}; the report's search ends without finding one.")
    if as_json:
        print(json.dumps([answer.as_plain_values() for answer in answers]))
    if any(answer.why is not None for answer in answers):
        raise typer.Exit(Status.NO)
    if any(answer.is_missed for answer in answers):
        raise typer.Exit(Status.GAVE_UP)
    if not all(answer.found.finished for answer in answers):
        said = f"Gave up after {asked.limit:,} expanded {plural(asked.limit, 'node')}; see --limit."
        raise give_up(GaveUp(said, asked.limit))


def _answer(which: int, position: Observation, asked: SearchOptions, heuristics: Heuristics) -> Answer:
    found = asked.search(position, heuristics)
    why = _why_none(position) if not found.n_layouts else None
    is_missed = asked.as_reported and found.finished and not found.n_layouts and why is None
    is_open = asked.count and not found.finished and why is None
    exact, log_layouts = _count_exactly(position) if is_open or is_missed else (None, None)
    return Answer(which, position, found, why, exact, log_layouts, is_missed)


def make_puzzle(text: str, clues: float, seed: int) -> Observation:
    """A random layout of which this share of the safe cells, drawn at random, is shown."""
    from dataclasses import replace

    import numpy as np

    from sapper.observation import HIDDEN, Observation
    from sapper.rules import Rules
    from sapper.world.generation import generate_layout, random_words

    rules = replace(Rules.parse(text), first_click="any")
    layout = generate_layout(rules, seed, first=(0, 0))
    safe = np.flatnonzero(~layout.mines.ravel())
    keys = random_words(seed, _SHOWN_STREAM, rules.n_cells)[safe]
    shown = safe[np.argsort(keys, kind="stable")[: round(clues * safe.size)]]
    cells = np.full(rules.n_cells, HIDDEN, dtype=np.int8)
    cells[shown] = layout.clues().ravel()[shown]
    return Observation(rules.topology, cells, rules.mines if rules.total_known else None)


def _read_puzzles(source: str) -> dict[int, Observation]:
    from sapper.cli.files import in_words, load_position, read_bytes
    from sapper.errors import InputError
    from sapper.formats import csp
    from sapper.observation import Observation
    from sapper.play.reading import is_file

    if source == REPORT:
        from sapper.experiments.reports.studies.backtracking import PUZZLES

        return {number: Observation.parse(text) for number, text in enumerate(PUZZLES.values(), start=1)}
    if source != "-" and not source.endswith((".csp", ".txt")) and not is_file(source):
        return {1: load_position(source)}
    data = read_bytes(source)
    try:
        puzzles = csp.read_all(data)
    except InputError as error:
        raise InputError(f"{in_words(source)}: {error}") from None
    if not puzzles:
        raise InputError(f"{in_words(source)} does not contain a puzzle.")
    return dict(enumerate(puzzles, start=1))


def _why_none(position: Observation) -> Contradiction | None:
    """Why no layout fits, if none does: the engine knows even where the search gave up."""
    from sapper.errors import Contradiction, TooHard
    from sapper.inference.posterior.exact import mine_probabilities

    try:
        mine_probabilities(position)
    except Contradiction as why:
        return why
    except TooHard:
        pass
    return None


def _count_exactly(position: Observation) -> tuple[int | None, float | None]:
    """The number of layouts by the exact sum and its logarithm, for puzzles with too many to be found one by one.

    A number of very many digits takes minutes on large boards; then there is the logarithm alone.
    """
    from math import log

    from sapper.errors import TooHard
    from sapper.inference.posterior.exact import mine_probabilities

    try:
        found = mine_probabilities(position)
    except TooHard:
        return None, None
    return found.n_layouts if found.log_layouts < log(MOST_COUNTED) else None, found.log_layouts


def _print_layouts(answer: Answer) -> None:
    from sapper.words import plural

    position, found = answer.position, answer.found
    n_unknown = int(position.closed.sum())
    end = "" if found.finished else " (gave up)"
    print(
        f"Puzzle {answer.which}: {n_unknown} {plural(n_unknown, 'cell')}, {found.n_nodes:,} "
        f"{plural(found.n_nodes, 'node')} expanded{end}, {len(found.layouts)} found."
    )
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


def _print_count(answer: Answer) -> None:
    from sapper.cli.commands.analyse import readable_count
    from sapper.words import plural

    found, exact = answer.found, answer.exact
    what = f"Puzzle {answer.which}: {int(answer.position.closed.sum())} cells, {found.n_nodes:,} nodes expanded"
    layouts = f"{found.n_layouts:,} {plural(found.n_layouts, 'layout')}"
    if found.finished:
        print(f"{what}, {layouts}.")
        return
    so_far = f"at least {layouts}" if found.n_layouts else "none found so far"
    known = "" if exact is None else f"; the exact sum says {exact:,}"
    if exact is None and answer.log_layouts is not None:
        known = f"; the exact sum says about {readable_count(answer.log_layouts)}"
    print(f"{what} (gave up), {so_far}{known}.")


def _compare(puzzles: dict[int, Observation], limit: int, as_json: bool) -> None:
    from itertools import product

    from sapper.cli.terminal import show_progress
    from sapper.inference.backtracking import ORDERS, VALUES, Heuristics, search, search_as_reported

    table: dict[str, list[int | None]] = {}
    ways = [Heuristics(*one) for one in product(ORDERS, VALUES, (False, True), (False, True))]
    with show_progress("Comparing", "searches") as watch:
        for heuristics in ways:
            counts = table[str(heuristics)] = []
            for position in puzzles.values():
                watch(sum(map(len, table.values())), len(ways) * len(puzzles))
                found = search(position, heuristics, node_limit=limit)
                counts.append(found.n_nodes if found.finished else None)
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
