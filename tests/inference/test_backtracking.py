"""Backtracking search over static puzzles: report 004."""

from __future__ import annotations

import json
import re
from itertools import product
from math import comb
from pathlib import Path
from typing import Literal

import pytest
from command import complaint, run
from effort import times
from hypothesis import given, settings
from naive_reports import Report004
from oracle import ask_brute_force
from strategies import played_positions

from sapper.cli.commands.puzzle import make_puzzle
from sapper.errors import InputError
from sapper.formats import csp
from sapper.inference.backtracking import ORDERS, VALUES, Heuristics, search, search_as_reported
from sapper.observation import Observation

PUZZLES = Path(__file__).parents[1] / "data" / "csp_puzzles.txt"
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


@settings(max_examples=times(15, 40))
@given(position=played_positions(max_hidden=10, noisy=False))
def test_the_search_finds_as_many_layouts_as_there_are(position: Observation) -> None:
    _, n_layouts, _ = ask_brute_force(position)
    for heuristics in (Heuristics(), Heuristics("first", "lcv", False, True), Heuristics("degree", "clear")):
        assert len(search(position, heuristics, find_all=True).layouts) == n_layouts


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("memory", "order"), [(False, "queue"), (True, "queue"), (False, "fewest"), (True, "fewest"), (True, "most")]
)
def test_the_report_s_search_is_the_one_of_its_text(memory: bool, order: Literal["queue", "fewest", "most"]) -> None:
    """Node for node as a recursion written from the text, also with what the report would try next."""
    for text in ("##11/3#2#/2###/#22# 4", "1##/##2/#2# 2", "##1/#2#/1## 2", "###111/34#2##/2#####/##22#2 8"):
        rows, total = text.split()
        naive = Report004(rows.split("/"), int(total), memory, order)
        found = search_as_reported(Observation.parse(text), memory=memory, order=order)
        assert (found.n_nodes, bool(found.layouts)) == (naive.n_nodes, naive.solved)


@pytest.mark.slow
def test_the_reports_own_search_is_as_wasteful_as_it_says() -> None:
    """Its counts were 5374, 1892, more than 30000, and 1843 without a solution: to the last node."""
    found = [search_as_reported(puzzle, node_limit=30_000) for puzzle in puzzles()]
    assert [one.n_nodes if one.finished else None for one in found] == [5374, 1892, None, 1843]
    assert not found[3].layouts


def test_the_search_gives_up_when_it_is_told_to() -> None:
    found = search(puzzles()[0], Heuristics("first"), node_limit=10)
    assert not found.finished
    assert not found.layouts
    assert found.n_nodes == 10
    reported = search_as_reported(puzzles()[0], node_limit=10)
    assert (reported.finished, reported.n_nodes) == (False, 10)
    whole = search(puzzles()[0])
    assert search(puzzles()[0], node_limit=whole.n_nodes) == whole


def test_the_search_says_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    blank = Observation.parse("/".join(["#" * 8] * 8) + " 10")
    search(blank, count_only=True, node_limit=200, progress=lambda done, most: told.append((done, most)))
    assert told == [(64, 200), (128, 200), (192, 200)]


def test_the_search_stops_when_its_time_is_up() -> None:
    blank = Observation.parse("/".join(["#" * 12] * 12) + " 70")
    found = search(blank, find_all=True, seconds=0.05)
    assert not found.finished
    assert found.n_nodes < 1_000_000


@pytest.mark.parametrize("heuristics", ALL[::5], ids=str)
def test_counting_keeps_nothing_and_counts_the_same(heuristics: Heuristics) -> None:
    for puzzle, n_layouts in zip(puzzles(), (8, 2, 9, 2), strict=True):
        counted = search(puzzle, heuristics, count_only=True)
        found = search(puzzle, heuristics, find_all=True)
        assert (counted.n_layouts, counted.n_nodes, counted.finished) == (n_layouts, found.n_nodes, True)
        assert counted.layouts == ()
        assert found.n_layouts == n_layouts
        assert search(puzzle, heuristics).n_layouts == 1


@pytest.mark.slow
def test_large_boards_need_no_deep_calls() -> None:
    blank = Observation.parse("/".join(["#" * 45] * 45) + " 1500")
    for heuristics in (Heuristics("first", "mine"), Heuristics("first", "mine", False)):
        found = search(blank, heuristics)
        assert (found.n_nodes, found.layouts[0].n_mines) == (2025, 1500)
    reported = search_as_reported(blank)
    # Its first cell stays in the queue and is taken for a mine twice.
    assert (reported.n_nodes, reported.layouts[0].n_mines) == (1500, 1499)


def test_a_random_puzzle_shows_its_share_of_clues_and_is_solved() -> None:
    position = make_puzzle("12x12/30", 0.5, 7)
    assert position.total == 30
    assert int((position.cells >= 0).sum()) == 57
    assert str(position) == str(make_puzzle("12x12/30", 0.5, 7)) != str(make_puzzle("12x12/30", 0.5, 8))
    (layout,) = search(position).layouts
    clues = layout.clues()
    assert layout.n_mines == 30
    assert all(clues[cell] == position.cells[cell] for cell in zip(*(position.cells >= 0).nonzero(), strict=True))
    # More clues of the same seed are shown beside the ones that were there before.
    more = make_puzzle("12x12/30", 0.7, 7)
    assert bool((more.cells[position.cells >= 0] == position.cells[position.cells >= 0]).all())
    assert not make_puzzle("3x3/4", 1.0, 0).closed.sum() > 4
    assert (make_puzzle("3x3/9", 0.5, 0).cells == -1).all()
    assert make_puzzle("5x5/5 hex total-hidden", 0.3, 0).total is None


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


@pytest.mark.slow
def test_the_command_solves_counts_and_compares() -> None:
    done = run("puzzle", str(PUZZLES), "--number", "4", "--heuristics", "lcv")
    assert "Puzzle 4: 20 cells, 20 nodes expanded, 1 found." in done.stdout
    done = run("puzzle", str(PUZZLES), "--find", "all", "--json")
    assert done.stdout.count('"puzzle"') == 4
    done = run("puzzle", str(PUZZLES), "--compare", "--limit", "5000")
    assert "as reported, 4 children" in done.stdout
    assert "gave up" in done.stdout
    assert "1 found" in run("puzzle", "1#/## 1").stdout


def test_the_command_counts_layouts() -> None:
    done = run("puzzle", str(PUZZLES), "--find", "count")
    assert [line.split(", ")[-1] for line in done.stdout.splitlines()] == [
        "8 layouts.", "2 layouts.", "9 layouts.", "2 layouts.",
    ]  # fmt: skip
    # Where the search gives up, the exact sum knows.
    done = run("puzzle", "/".join(["#" * 8] * 8) + " 10", "--find", "count", "--limit", "100")
    assert done.stdout == (
        f"Puzzle 1: 64 cells, 100 nodes expanded (gave up), at least 4 layouts; the exact sum says {comb(64, 10):,}.\n"
    )
    # To the last digit it would take minutes on a large board.
    done = run("puzzle", "/".join(["#" * 12] * 12) + " 30", "--find", "count", "--limit", "100")
    assert "gave up), none found so far; the exact sum says about 8.23e+30." in done.stdout
    answer = json.loads(run("puzzle", "1#/## 1", "--find", "count", "--json").stdout)[0]
    assert (answer["count"], answer["exact_count"], answer["layouts"], answer["finished"]) == (3, None, [], True)


def test_the_command_names_the_clues_that_disagree(tmp_path: Path) -> None:
    done = run("puzzle", "1#2/### 1")
    assert done.returncode == 1
    assert done.stderr == ""
    assert done.stdout.endswith("No layout fits: the 2 at (0, 2) and the total of 1 mine cannot both hold.\n")
    # One of several, in a file: the others are solved all the same.
    (tmp_path / "some.csp").write_text("2 2 1 1 -1 -1 -1\n2 2 3 1 -1 -1 -1\n2 2 1 1 -1 -1 -1\n")
    done = run("puzzle", str(tmp_path / "some.csp"), "--json")
    assert done.returncode == 1
    answers = json.loads(done.stdout)
    assert [len(answer["layouts"]) for answer in answers] == [1, 0, 1]
    assert [answer["contradiction"] is None for answer in answers] == [True, False, True]
    assert answers[1]["contradiction"]["clues"] == [[0, 0]]
    assert answers[1]["contradiction"]["total"] is True
    # A search that gives up before it knows is helped out.
    done = run("puzzle", str(tmp_path / "some.csp"), "--number", "2", "--limit", "1", "--find", "count")
    assert "cannot both hold" in done.stdout


@pytest.mark.slow
def test_the_table_of_the_documentation_is_the_one_that_the_command_prints() -> None:
    printed = run("puzzle", str(PUZZLES), "--compare", "--limit", "100000").stdout.splitlines()
    page = (Path(__file__).parents[2] / "docs" / "puzzles.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```\n( +P1.*?)```", page, re.DOTALL)
    assert shown.splitlines() == [line for line in printed if "memory" not in line]
    assert len(printed) == 62


def test_the_report_search_tells_a_puzzle_that_it_misses_from_one_without_a_layout() -> None:
    done = run("puzzle", str(PUZZLES), "--number", "4", "--as-reported")
    missed = "  2 layouts fit; the report's search ends without finding one.\n"
    assert (done.returncode, done.stdout) == (3, f"Puzzle 4: 20 cells, 1,843 nodes expanded, 0 found.\n{missed}")
    none = run("puzzle", "1#/## 3", "--as-reported")
    assert none.returncode == 1
    assert "No layout fits" in none.stdout


def test_the_report_s_degree_heuristic_is_the_textbook_s_turned_around() -> None:
    """On P3 the cells that most clues touch settle it without a wrong turn; the corners, which one touches, do not."""
    third = puzzles()[2]
    counts = [
        search(third, Heuristics(order, "mine", forward_checking=False)).n_nodes for order in ("degree", "fewest")
    ]
    assert counts == [20, 5019]


def test_the_command_makes_random_puzzles() -> None:
    arguments = ("puzzle", "--random", "8x8/15 clues:0.6", "--seed", "5")
    first = run(*arguments)
    assert first.returncode == 0, first.stderr
    position = first.stdout.splitlines()[0]
    assert position == str(make_puzzle("8x8/15", 0.6, 5))
    assert "1 found." in first.stdout
    assert run(*arguments).stdout == first.stdout
    assert json.loads(run(*arguments, "--json").stdout)[0]["position"] == position


def test_the_command_answers_wrong_input_in_a_sentence(tmp_path: Path) -> None:
    either = "Give either a puzzle, such as report-004, or --random ROWSxCOLS/MINES."
    assert complaint("puzzle") == either
    assert complaint("puzzle", str(PUZZLES), "--random", "4x4/3") == either
    assert "not a board" in complaint("puzzle", "--random", "4x4")
    assert "should be a share from 0 to 1" in complaint("puzzle", "--random", "4x4/3 clues:1.5")
    assert "finds at most one layout" in complaint("puzzle", str(PUZZLES), "--as-reported", "--find", "count")
    assert complaint("puzzle", str(PUZZLES), "--number", "9") == "There is no puzzle 9, only 4."
    assert "no heuristic 'best'" in complaint("puzzle", str(PUZZLES), "--heuristics", "best")
    assert "both mrv and degree" in complaint("puzzle", str(PUZZLES), "--heuristics", "mrv,degree")
    assert "There is no file" in complaint("puzzle", str(tmp_path / "none.csp"))
    (tmp_path / "empty.csp").write_text("# nothing\n")
    assert "does not contain a puzzle" in complaint("puzzle", str(tmp_path / "empty.csp"))
