"""``sapper puzzle``: static puzzles by backtracking search, with a choice of heuristics."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import product
from math import log
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sapper.cli.errors import Status, give_up
from sapper.cli.files import in_words, load_position, read_bytes
from sapper.cli.options import grouped, read_words, refuse_with, refuse_without
from sapper.cli.terminal import show_progress
from sapper.errors import Contradiction, GaveUp, InputError, TooHard
from sapper.words import plural

if TYPE_CHECKING:
    from sapper.errors import Contradiction
    from sapper.inference.backtracking import Found, Heuristics
    from sapper.observation import Observation


REPORT = "report-004"  # the name of the report whose puzzles come with Sapper

MAX_COUNTED = 10**15  # layouts that are counted to the last digit
MAX_CHILDREN = 20
FINDS = ("one", "all", "count")

# The random stream of a seed that says which cells a random puzzle shows: far from those of layouts and clues.
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
    number: Annotated[int | None, typer.Option(metavar="N", help="Solve only the Nth of several puzzles.")] = None
    random: Annotated[
        str | None,
        typer.Option(
            metavar="BOARD",
            help="Instead of a puzzle: a random layout with half of its safe cells shown, or another share, as in "
            "'6x6/8 clues:0.6'.",
        ),
    ] = None
    seed: Annotated[int, typer.Option(min=0, max=2**62, help="With --random: same seed, same puzzle.")] = 0

    def puzzles(self) -> dict[int, Observation]:
        """Return the puzzles by their numbers."""
        if self.random is None:
            refuse_without("--random", "--seed")
        else:
            refuse_with("--random", "--number")
        if (self.source is None) == (self.random is None):
            raise InputError("Give either a puzzle, such as report-004, or --random ROWSxCOLS/MINES.")
        if self.random is not None:
            puzzles = {1: make_puzzle(*_read_random(self.random), self.seed)}
        else:
            assert self.source is not None
            puzzles = _read_puzzles(self.source)
        if self.number is None:
            return puzzles
        if not 1 <= self.number <= len(puzzles):
            raise InputError(f"There is no puzzle {self.number}, only {len(puzzles)}.")
        return {self.number: puzzles[self.number]}


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What is searched for and how, and when to give up."""

    find: Annotated[
        str,
        typer.Option(metavar="one|all|count", help="Find one layout that fits, or all, or only count them."),
    ] = "one"
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare all combinations of heuristics by the nodes they expand.")
    ] = False
    limit: Annotated[int, typer.Option(min=1, help="Give up after this many expanded nodes.")] = 1_000_000
    as_reported: Annotated[
        int | None,
        typer.Option(
            metavar="[CHILDREN]",
            min=1,
            max=MAX_CHILDREN,
            help="Use report 004's own search, faults included; each cell tries 4 neighbours next, or this many.",
        ),
    ] = None
    heuristics: Annotated[
        str,
        typer.Option(
            metavar="WORDS",
            help="Words joined by commas: the cell to try next (first, nearest, mrv, degree or fewest), the value to "
            "try first (mine, clear or lcv), no-forward-checking, and memory, which stores failures.",
        ),
    ] = "mrv,lcv,forward-checking"

    def check(self) -> None:
        """Raise `InputError` if the report's search is asked for what it cannot do, or an option has no effect."""
        if self.find not in FINDS:
            raise InputError(f"--find must be one of {', '.join(FINDS)}, not {self.find[:40]!r}.")
        if self.compare:
            refuse_with("--compare", "--find", "--as-reported", "--heuristics")
        if self.as_reported is not None:
            refuse_with("--as-reported", "--heuristics")
            if self.find != "one":
                raise InputError("The report's search finds at most one layout, so --as-reported needs --find one.")

    def search(self, position: Observation) -> Found:
        """Search for the layouts of a position."""
        from sapper.inference.backtracking import search, search_as_reported

        if self.as_reported is not None:
            return search_as_reported(position, self.as_reported, self.limit)
        with show_progress("Searching", "nodes") as watch:
            return search(
                position,
                read_heuristics(self.heuristics),
                find_all=self.find == "all",
                count_only=self.find == "count",
                node_limit=self.limit,
                progress=watch,
            )


def read_heuristics(text: str) -> Heuristics:
    """Read words that change the usual heuristics.

    >>> print(read_heuristics("degree,mine,no-forward-checking,memory"))
    degree, mine first, memory
    """
    from sapper.inference.backtracking import ORDERS, VALUES, Heuristics

    changes: dict[str, object] = {}
    said: dict[str, str] = {}
    name: str
    value: object
    for word in read_words(text, "--heuristics"):
        if word in ORDERS:
            name, value = "order", word
        elif word in VALUES:
            name, value = "values", word
        elif word in ("forward-checking", "no-forward-checking"):
            name, value = "forward_checking", word == "forward-checking"
        elif word in ("memory", "no-memory"):
            name, value = "memory", word == "memory"
        else:
            raise InputError(
                f"There is no heuristic {word[:40]!r}; choose from {', '.join((*ORDERS, *VALUES))}, "
                "no-forward-checking and memory."
            )
        if name in said:
            raise InputError(f"--heuristics says both {said[name]} and {word}; leave one of them out.")
        said[name], changes[name] = word, value
    return Heuristics(**changes)  # type: ignore[arg-type]


def _read_random(text: str) -> tuple[str, float]:
    """Read a board and the share of its safe cells that is shown, ``6x6/8 clues:0.6``."""
    share = 0.5
    words = text.split()
    for word in [word for word in words if word.startswith("clues:")]:
        words.remove(word)
        try:
            share = float(word.removeprefix("clues:"))
        except ValueError:
            share = -1.0
        if not 0.0 <= share <= 1.0:
            raise InputError(f"{word[:40]!r} should be a share from 0 to 1, such as clues:0.6.")
    return " ".join(words), share


class SolvedPuzzle(NamedTuple):
    """What came of one puzzle."""

    which: int
    position: Observation
    found: Found
    why: Contradiction | None  # why no layout fits, if none does
    exact: int | None  # how many layouts fit, if they were to be counted and the search gave up or missed them
    log_layouts: float | None  # the natural logarithm of that, which is known where counting would take minutes
    is_missed: bool  # whether the report's search ended without a layout although some fit

    def as_plain_values(self) -> dict[str, object]:
        """Return the same for JSON."""
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
    as_json: bool = typer.Option(False, "--json", help="Print the answer as JSON."),
) -> None:
    """Solve a puzzle by backtracking search and count the nodes it expands, as in report 004.

    A solution places all mines so that every clue holds. Each heuristic can be changed; --compare tries them all. If no
    layout fits, the clues that disagree are named and the exit status is 1; if the search gives up, or is the report's
    and misses all layouts, the status is 3.

    Example: sapper puzzle report-004 --number 1

    Example: sapper puzzle --random '6x6/8 clues:0.6' --seed 3 --find count

    Example: sapper puzzle report-004 --number 2 --heuristics degree,mine,memory
    """
    from sapper.words import count, plural

    asked.check()
    read_heuristics(asked.heuristics)  # that there are such
    puzzles = chosen.puzzles()
    if asked.compare:
        _compare(puzzles, asked.limit, as_json)
        return
    answers = []
    for which, position in puzzles.items():
        answer = _answer(which, position, asked)
        answers.append(answer)
        if as_json:
            continue
        if chosen.random is not None:
            print(position)
        if asked.find == "count":
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


def _answer(which: int, position: Observation, asked: SearchOptions) -> SolvedPuzzle:
    found = asked.search(position)
    why = _why_none(position) if not found.n_layouts else None
    is_missed = asked.as_reported is not None and found.finished and not found.n_layouts and why is None
    is_open = asked.find == "count" and not found.finished and why is None
    exact, log_layouts = _count_exactly(position) if is_open or is_missed else (None, None)
    return SolvedPuzzle(which, position, found, why, exact, log_layouts, is_missed)


def make_puzzle(text: str, clues: float, seed: int) -> Observation:
    """Return a random layout with this share of its safe cells, drawn at random, shown."""
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
    """Return why no layout fits, if none does: the engine knows even where the search gave up."""
    from sapper.inference.posterior.exact import mine_probabilities

    try:
        mine_probabilities(position)
    except Contradiction as why:
        return why
    except TooHard:
        pass
    return None


def _count_exactly(position: Observation) -> tuple[int | None, float | None]:
    """Return the number of layouts by the exact sum and its logarithm, where the search cannot count them.

    A number of very many digits takes minutes on large boards; then there is the logarithm alone.
    """
    from sapper.inference.posterior.exact import mine_probabilities

    try:
        found = mine_probabilities(position)
    except TooHard:
        return None, None
    return found.n_layouts if found.log_layouts < log(MAX_COUNTED) else None, found.log_layouts


def _print_layouts(answer: SolvedPuzzle) -> None:
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


def _print_count(answer: SolvedPuzzle) -> None:
    from sapper.cli.commands.analyse import readable_count

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
    from sapper.inference.backtracking import ORDERS, VALUES, Heuristics, search, search_as_reported

    table: dict[str, list[int | None]] = {}
    choices = [Heuristics(*one) for one in product(ORDERS, VALUES, (False, True), (False, True))]
    with show_progress("Comparing", "searches") as watch:
        for heuristics in choices:
            counts = table[str(heuristics)] = []
            for position in puzzles.values():
                watch(sum(map(len, table.values())), len(choices) * len(puzzles))
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
