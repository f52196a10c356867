"""Puzzles and verdicts as plain values and back, in words, and in a notebook."""

from __future__ import annotations

import json
from typing import Any

import pytest
from effort import times
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.errors import InputError
from sapper.train import KINDS, Kind, Puzzle, Verdict, check, puzzle


@given(st.sampled_from(KINDS), st.integers(0, 500), st.sampled_from(["beginner", "7x7/9 torus", "8x8/12"]))
@settings(max_examples=times(15, 40), deadline=None)
def test_a_puzzle_survives_json(kind: Kind, seed: int, board: str) -> None:
    made = puzzle(kind, seed, board=board)
    plain = json.loads(json.dumps(made.as_plain_values()))
    assert Puzzle.from_plain_values(plain) == made
    # The values also contain everything in words.
    assert plain["answer"] == made.answer
    assert plain["explanation"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_verdict_survives_json(kind: Kind) -> None:
    made = puzzle(kind, 2)
    if made.number is not None:
        verdicts = [check(made, made.number), check(made, made.number + 1)]
    else:
        cells = [(row, col) for row in range(9) for col in range(9)]
        if kind == "chain":
            asked = [cell for cell in cells if made.position.cells[cell] >= 0]
        else:
            asked = [cell for cell in cells if made.position.cells[cell] == -1]
        verdicts = [check(made, cell) for cell in asked[:12]]
    assert {verdict.is_right for verdict in [*verdicts, check(made, made.number or made.solution[0])]} >= {True}
    for verdict in verdicts:
        plain = json.loads(json.dumps(verdict.as_plain_values()))
        assert Verdict.from_plain_values(made, plain) == verdict


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"kind": "tripels"}, "There is no puzzle kind 'tripels'"),
        ({"position": "nonsense"}, "."),
        ({"position": 3}, "Expected a position as text such as '1#/## 1', not 3."),
        ({"solution": [[99, 0]]}, "99"),
        ({"solution": [[0.5, 0]]}, "some of its values"),
        ({"solution": None}, "some of its values"),
        ({"proof": {}}, "This is not a puzzle: it has no 'cell'."),
        ({"seed": "many"}, "some of its values"),
    ],
)
def test_what_is_no_puzzle_is_one_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        Puzzle.from_plain_values(puzzle("subsets", 1).as_plain_values() | change)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_missing_values_are_named() -> None:
    with pytest.raises(InputError, match="it has no 'position'"):
        Puzzle.from_plain_values({})
    with pytest.raises(InputError, match="This is not a verdict: it has no 'layouts'"):
        Verdict.from_plain_values(puzzle("subsets", 1), {})


def test_answers_and_hints_in_words() -> None:
    said = {kind: puzzle(kind, 1) for kind in KINDS}
    assert said["one-two"].answer == "(0, 5) and (4, 5) are safe."
    assert said["area"].answer == "2 mines."
    assert said["chain"].answer == "Any of these: (0, 6), (2, 6) and (3, 6)."
    assert said["one-two"].hint == "Look at the 3 at (2, 6) and the 1 at (3, 6)."
    assert said["total"].hint == "Look at the 1 at (8, 1) and the total of 10 mines."
    assert said["guess"].hint.startswith("1 of the 16 cells is best")
    for made in said.values():
        assert all(str(cell) not in made.hint for cell in made.solution) or made.kind == "chain"


def test_a_notebook_shows_marks_task_and_proof() -> None:
    made = puzzle("area", 1)
    page = made._repr_html_()
    assert page.count('class="ring"') == len(made.marked) > 0
    assert "<p>How many mines are in the marked area?</p>" in page
    assert "<details><summary>Solution</summary><p>2 mines.</p>" in page
    assert f"Marked: {made.marked[0]}" in str(made)
    wrong = puzzle("subsets", 6, board="6x6/6")
    shown = check(wrong, (2, 2))._repr_html_()
    assert shown.count("<figure") == 2
    assert "(2, 2) is uncertain" in shown
    assert "<ol><li" in shown
