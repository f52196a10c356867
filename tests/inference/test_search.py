"""Backtracking search over static puzzles: report 004."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from command import complaint, run
from hypothesis import given, settings
from oracle import ask_brute_force
from strategies import played_positions

from sapper.errors import InputError
from sapper.formats import csp
from sapper.inference.search import ORDERS, VALUES, Heuristics, search, search_as_reported
from sapper.observation import Observation

PUZZLES = Path(__file__).parent.parent / "data" / "csp_puzzles.txt"
ALL = [Heuristics(*chosen) for chosen in product(ORDERS, VALUES, (False, True), (False, True))]


def puzzles() -> list[Observation]:
    return csp.read_all(PUZZLES.read_bytes())


@pytest.mark.parametrize("heuristics", ALL, ids=str)
def test_every_combination_finds_every_layout_of_the_reports_puzzles(heuristics: Heuristics) -> None:
    for puzzle, n_layouts in zip(puzzles(), (8, 2, 9, 2), strict=True):
        found = search(puzzle, heuristics, find_all=True)
        assert len(set(found.layouts)) == len(found.layouts) == n_layouts
        for layout in found.layouts:
            assert layout.n_mines == puzzle.total
            clues = layout.clues()
            assert all(clues[cell] == puzzle.cells[cell] for cell in zip(*(puzzle.cells >= 0).nonzero(), strict=True))


@settings(max_examples=40)
@given(position=played_positions(max_hidden=10, noisy=False))
def test_the_search_finds_as_many_layouts_as_there_are(position: Observation) -> None:
    _, n_layouts, _ = ask_brute_force(position)
    for heuristics in (Heuristics(), Heuristics("first", "lcv", False, True), Heuristics("degree", "clear")):
        assert len(search(position, heuristics, find_all=True).layouts) == n_layouts


def test_the_best_needs_a_node_per_cell_and_heuristics_pay() -> None:
    counts = {str(one): [search(puzzle, one).n_nodes for puzzle in puzzles()] for one in ALL}
    assert min(min(row) for row in counts.values()) == 20
    assert counts["mrv, lcv, forward checking"] == [20, 20, 20, 20]
    for one in ALL:
        if one.forward_checking:
            blind = str(Heuristics(one.order, one.values, False, one.memory))
            if one.order in ("first", "nearest"):  # the order does not depend on what was struck out
                assert all(a <= b for a, b in zip(counts[str(one)], counts[blind], strict=True))
        if one.memory:
            forgetful = str(Heuristics(one.order, one.values, one.forward_checking, False))
            assert all(a <= b for a, b in zip(counts[str(one)], counts[forgetful], strict=True))


def test_the_reports_own_search_is_as_wasteful_as_it_says() -> None:
    """Its counts were 5374, 1892, more than 30000, and 1843 without a solution: to the last node."""
    found = [search_as_reported(puzzle, node_limit=30_000) for puzzle in puzzles()]
    assert [one.n_nodes if one.finished else None for one in found] == [5374, 1892, None, 1843]
    assert not found[3].layouts


def test_the_search_gives_up_when_it_is_told_to() -> None:
    found = search(puzzles()[0], Heuristics("first"), node_limit=10)
    assert not found.finished
    assert not found.layouts


def test_an_impossible_puzzle_has_no_layout() -> None:
    assert search(Observation.parse("3#/## 1")).layouts == ()
    assert search(Observation.parse("1#/#1 3")).layouts == ()


def test_what_is_no_puzzle_is_refused() -> None:
    with pytest.raises(InputError, match="exact clues"):
        search(Observation.parse("1#/## 1 optimistic:0.5"))
    with pytest.raises(InputError, match="no order of cells 'fastest'"):
        Heuristics("fastest")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="known number"):
        search_as_reported(Observation.parse("1#/##"))


def test_the_command_solves_counts_and_compares() -> None:
    done = run("puzzle", str(PUZZLES), "--puzzle", "4", "--values", "lcv")
    assert "Puzzle 4: 20 cells, 20 nodes expanded, 1 found." in done.stdout
    done = run("puzzle", str(PUZZLES), "--all", "--json")
    assert done.stdout.count('"puzzle"') == 4
    done = run("puzzle", str(PUZZLES), "--compare", "--limit", "5000")
    assert "as reported, 4 children" in done.stdout
    assert "gave up" in done.stdout
    assert "1 found" in run("puzzle", "1#/## 1").stdout


def test_the_command_answers_wrong_input_in_a_sentence(tmp_path: Path) -> None:
    assert complaint("puzzle", str(PUZZLES), "--puzzle", "9") == "There is no puzzle 9, only 4."
    assert "no order of cells 'best'" in complaint("puzzle", str(PUZZLES), "--order", "best")
    assert "There is no file" in complaint("puzzle", str(tmp_path / "none.csp"))
    (tmp_path / "empty.csp").write_text("# nothing\n")
    assert "holds no puzzle" in complaint("puzzle", str(tmp_path / "empty.csp"))
