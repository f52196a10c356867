"""How boards of different making are compared."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from command import call

from sapper.errors import InputError
from sapper.experiments.layouts import KINDS, LayoutComparison, Measure, compare_layouts, steps_from, write_table
from sapper.play.metrics import board_metrics
from sapper.rules import Rules
from sapper.statistics import Interval
from sapper.topology import topology
from sapper.world.generation import generate_layout


def test_steps_are_those_of_a_king_and_go_round_a_torus() -> None:
    assert steps_from(topology("square", 3, 5), [0]).reshape(3, 5).tolist() == [
        [0, 1, 2, 3, 4],
        [1, 1, 2, 3, 4],
        [2, 2, 2, 3, 4],
    ]
    assert steps_from(topology("torus", 5, 5), [0]).max() == 2
    assert (steps_from(topology("square", 2, 2), []) == -1).all()


def test_a_difference_is_measured_in_its_standard_error() -> None:
    # Half-widths of 3 and 4 make one of 5, so one of 10 is twice as wide: 2 x 1.96 standard errors.
    measure = Measure("board", "x", {"one": Interval(20.0, 17.0, 23.0), "other": Interval(10.0, 6.0, 14.0)})
    assert measure.difference("one", "other") == pytest.approx(2 * 1.959963984540054)
    assert measure.difference("other", "one") == pytest.approx(-2 * 1.959963984540054)
    comparison = LayoutComparison(Rules.parse("beginner"), (0, 0), 2, (measure,))
    assert comparison.chi_square("board", "one", "other")[0] == pytest.approx(4 * 1.959963984540054**2)


def test_plain_boards_are_measured_as_they_are() -> None:
    rules = Rules.parse("8x9/12")
    found = compare_layouts(rules, (4, 4), 20, seed=5, kinds=("plain",))
    layouts = [generate_layout(rules, seed, (4, 4)) for seed in range(5, 25)]
    by_name = {(one.group, one.name): one.by_kind["plain"] for one in found.measures}
    border = [np.concatenate([one.mines[0], one.mines[-1], one.mines[1:-1, 0], one.mines[1:-1, -1]]) for one in layouts]
    assert by_name["edge", "0"].value == pytest.approx(np.mean(border))
    assert by_name["board", "3BV"].value == pytest.approx(np.mean([board_metrics(one).bbbv for one in layouts]))
    assert [name for group, name in by_name if group == "edge"] == ["0", "1", "2", "3"]
    assert [name for group, name in by_name if group == "first"] == ["1", "2", "3", "4"]


def test_a_torus_has_no_edge() -> None:
    found = compare_layouts(Rules.parse("7x7/6 torus"), (0, 0), 2, kinds=("plain",))
    assert {one.group for one in found.measures} == {"first", "board"}
    assert "edge" not in write_table(found)


def test_one_board_is_no_comparison() -> None:
    with pytest.raises(InputError, match="at least two boards"):
        compare_layouts(Rules.parse("beginner"), (0, 0), 1)


@pytest.mark.slow
def test_the_command_makes_a_table_a_picture_and_json(tmp_path: Path) -> None:
    picture = tmp_path / "mines.svg"
    status, out, _ = call(
        "stats", "9x9/10", "--compare", "plain,reject,repair:3", "--count", "30", "--output", str(picture)
    )
    assert status == 0
    assert "| 3BV |" in out
    assert "| repair - reject |" in out
    assert picture.read_text().startswith("<?xml")
    _, out, _ = call("stats", "9x9/10", "--count", "5", "--json", "--compare", "repair")
    told = json.loads(out)
    assert told["boards"] == 5
    assert all(set(one) == {"group", "name", "repair"} for one in told["measures"])
    assert {*KINDS} == {"plain", "reject", "repair"}
    status, out, complaints = call("stats", "1x3/1", "--compare", "--first", "0,1", "--count", "2")
    assert (status, out) == (3, "")
    assert "Gave up after" in complaints


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["expert", "--compare=magic"], "There is no kind 'magic'"),
        (["expert", "--compare", "reject:3"], "should look like repair:100"),
        (["expert", "--compare", "plain,plain"], "--compare names plain twice."),
        (["expert", "--compare", "--output", "mines.gif"], "--output writes .svg, .png or .json, not 'mines.gif'."),
        (["9x9/10 withheld:0.2", "--compare"], "need exact clues"),
        (["expert", "--compare", "--no-guess", "magic"], "There is no reasoning"),
        (["expert", "--compare", "--first", "x"], "should look like 3,4"),
        (["expert", "beginner", "--compare"], "--compare needs one board"),
        (["*--", "--compare"], "--compare needs one board"),
    ],
)
def test_wrong_words(arguments: list[str], sentence: str) -> None:
    status, out, complaints = call("stats", "--count", "2", *arguments)
    assert (status, out) == (2, "")
    assert sentence in complaints
