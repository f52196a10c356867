from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import complaint, run


def test_explain_marks_the_clues_and_numbers_the_steps() -> None:
    done = run("explain", "####/34##/###2", "1,3")
    assert done.returncode == 0, done.stderr
    for part in (
        ">3<",
        ">4<",
        ">2<",
        "(1, 3) is a mine because of",
        "  1.    Suppose that",
        "  5. So (1, 3) is a mine.",
    ):
        assert part in done.stdout


def test_explain_without_a_cell_chooses_one() -> None:
    assert "The easiest certain cell:\n(0, 2) is a mine" in run("explain", "###/121").stdout
    assert "Nothing is certain. The best guess:\n(0, 1) is uncertain" in run("explain", "1##/### 2").stdout


def test_explain_in_json() -> None:
    proved = json.loads(run("explain", "1####/#####/####1 2", "0,2", "--json").stdout)
    assert {key: proved[key] for key in ("cell", "verdict", "p_mine", "kind", "clues", "total", "smallest")} == {
        "cell": [0, 2],
        "verdict": "safe",
        "p_mine": 0.0,
        "kind": "total",
        "clues": [[0, 0], [2, 4]],
        "total": True,
        "smallest": True,
    }
    assert [step["rule"] for step in proved["steps"]] == ["count", "left over"]
    guessed = json.loads(run("explain", "2#1/###/#3#", "(0, 1)", "--json").stdout)
    assert guessed["verdict"] == "uncertain"
    assert guessed["risk"]["best"] == [[1, 2]]
    assert guessed["risk"]["cost"] == pytest.approx(1 / 3)
    assert guessed["p_mine"] == pytest.approx(1 / 3)


def test_explain_draws_a_picture_with_rings(tmp_path: Path) -> None:
    done = run("explain", "###/121", "0,2", "--output", "why.svg", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "why.svg").read_text().count('class="ring"') == 2
    assert "(0, 2) is a mine" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("###/121", "1,1"), "(1, 1) is open already; only a hidden cell can be explained."),
        (("###/121", "9,9"), "There is no cell (9, 9) on a board of 2 rows x 3 columns."),
        (("###/121", "1"), "'1' is not a cell; write its row and column, counted from 0, like 3,14."),
        (("###/121", "a,b"), "'a,b' is not a cell; write its row and column, counted from 0, like 3,14."),
        (("00/00",), "Every cell is open; there is nothing to explain."),
        (("1#/## 2", "0,1"), "No layout fits: the 1 at (0, 0) and the total of 2 mines cannot both hold."),
        (("###/12x", "0,0"), "Row 1, column 2: 'x' is not one of # hidden, 0-8, F flag, * exploded, . no clue."),
    ],
)
def test_wrong_input_gets_one_sentence(arguments: tuple[str, ...], says: str) -> None:
    assert complaint("explain", *arguments) == says
