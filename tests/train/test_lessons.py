"""The lessons as values: complete, in order, each with puzzles that are about its idea and whose answers are exact."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest

from sapper import train
from sapper.errors import InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import EXPLODED, FLAG, HIDDEN, Observation
from sapper.topology import Cell
from sapper.train import Frame, Lesson, Puzzle, check, lesson, lessons, puzzles, read_link, what_follows

PUZZLES = [(one, number) for one in lessons() for number in range(len(one.puzzles))]
IDS = [f"{one.name}-{number + 1}" for one, number in PUZZLES]


def test_twelve_lessons_in_order() -> None:
    assert [one.number for one in lessons()] == list(range(1, 13))
    assert len({one.name for one in lessons()}) == 12
    for one in lessons():
        assert lesson(one.number) == lesson(str(one.number)) == lesson(one.name) == one
        assert 2 <= len(one.text) <= 5
        assert 5 <= len(one.example) <= 10
        assert 3 <= len(one.puzzles) <= 5
        assert all(paragraph.endswith((".", "?")) for paragraph in one.text)
        assert one.remember.endswith(".")
        assert len(str(one).splitlines()) == 1


def test_the_guide_lists_them_as_they_are() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "course.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|(\d+)\. (.*?)\|`(.*?)`\|(.*?)\|$", guide, flags=re.MULTILINE)
    assert rows == [(str(one.number), one.title, one.name, one.remember) for one in lessons()]


@pytest.mark.parametrize("which", [0, 13, -1, "", "tripels", "1.0", "x" * 100])
def test_a_lesson_that_is_not_there(which: int | str) -> None:
    with pytest.raises(InputError, match=r"There is no lesson .*; choose from 1 numbers, 2 edges") as refused:
        lesson(which)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("one", lessons(), ids=lambda one: one.name)
def test_a_lesson_in_plain_values(one: Lesson) -> None:
    plain = json.loads(json.dumps(one.as_plain_values()))
    assert tuple(Frame.from_plain_values(frame) for frame in plain["example"]) == one.example
    assert tuple(Puzzle.from_plain_values(made) for made in plain["puzzles"]) == one.puzzles
    said = {name: getattr(one, name) for name in ("number", "name", "title", "about", "remember")}
    assert plain | said == plain
    assert tuple(plain["text"]) == one.text


def test_a_frame_that_is_none() -> None:
    plain = lesson(1).example[0].as_plain_values()
    for change, sentence in (
        ({"position": "?"}, "is not one of"),
        ({"lit": {"clue": [[99, 0]]}}, "99"),
        ({"lit": None}, "This is not a frame: some of its values are of the wrong kind."),
        ({"risks": [{}]}, "This is not a frame: it has no 'cell'."),
    ):
        with pytest.raises(InputError, match=sentence):
            Frame.from_plain_values(plain | change)


def test_no_position_is_shown_twice() -> None:
    shown = [{str(frame.position) for frame in one.example} for one in lessons()]
    posed = [str(one.puzzles[number].position) for one, number in PUZZLES]
    assert len(set(posed)) == len(posed)
    assert not set(posed) & set().union(*shown)


@pytest.mark.parametrize("one", lessons(), ids=lambda one: one.name)
def test_an_example_is_a_game_that_goes_on(one: Lesson) -> None:
    positions = [frame.position for frame in one.example]
    moves = [(before, after) for before, after in pairwise(positions) if before != after]
    n_games = 1 + sum(not goes_on(before, after) for before, after in moves)
    # Two of the lessons have two patterns to show.
    assert n_games == (2 if one.name in ("one-two-one", "fifty-fifty") else 1)
    assert len(moves) >= n_games


def goes_on(before: Observation, after: Observation) -> bool:
    """Whether the second position comes from the first by opening cells and by flagging some."""
    if before.topology != after.topology or before.total != after.total:
        return False
    known = before.cells != HIDDEN
    return bool((after.cells[known] == before.cells[known]).all())


# -- puzzles -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "number"), PUZZLES, ids=IDS)
def test_the_solution_is_what_the_engine_says(one: Lesson, number: int) -> None:
    made = one.puzzles[number]
    posterior = mine_probabilities(made.position)
    flags = {(int(row), int(col)) for row, col in np.argwhere(made.position.cells == FLAG)}
    assert flags <= set(posterior.mines)
    if made.kind == "guess":
        assert not posterior.safe
        best = max(p_win for _, p_win in made.chances)
        assert set(made.solution) == {cell for cell, p_win in made.chances if p_win == best}
        assert {cell for cell, _ in made.chances} | set(posterior.mines) == hidden_cells(made.position)
    else:
        assert set(made.solution) == (set(posterior.safe) if made.opens else set(posterior.mines) - flags)
        if not made.opens:
            assert not posterior.safe
    assert all(check(made, cell).is_right for cell in made.solution)
    others = {cell for cell in hidden_cells(made.position) - flags if cell not in made.solution}
    assert others
    assert not any(check(made, cell).is_right for cell in others)
    # The link makes a puzzle of the same position, with the same answers.
    assert read_link(made.link).solution == made.solution


def hidden_cells(position: Observation) -> set[Cell]:
    return {(int(row), int(col)) for row, col in np.argwhere(position.closed)}


@pytest.mark.parametrize("one", lessons(), ids=lambda one: one.name)
def test_puzzles_get_harder(one: Lesson) -> None:
    ratings = [made.difficulty for made in one.puzzles]
    assert ratings == sorted(ratings)


def test_the_course_has_every_level_of_reasoning() -> None:
    kinds = [made.kind for one in lessons() for made in one.puzzles]
    assert set(kinds) >= {*train.LEVELS, "guess"}
    for one in lessons():
        for made in one.puzzles:
            if made.kind in train.LEVELS and made.kind != "single":
                easier = train.LEVELS[train.LEVELS.index(made.kind) - 1]
                # Without the lesson, nothing follows.
                assert what_follows(made.position, easier)[0] == ()


# -- what they are about -----------------------------------------------------------------------------------------


def clues(made: Puzzle) -> list[tuple[int, set[Cell], Cell]]:
    """The clues of the proof: mines to find, the hidden cells around, and where it is."""
    assert made.proof is not None
    found = []
    for row, col in made.proof.clues:
        near = [cell for cell in hidden_cells(made.position) if max(abs(cell[0] - row), abs(cell[1] - col)) == 1]
        flags = [cell for cell in near if made.position.cells[cell] == FLAG]
        found.append((int(made.position.cells[row, col]) - len(flags), set(near) - set(flags), (row, col)))
    return found


def n_flags_near(made: Puzzle) -> int:
    return sum(int(made.position.cells[cell]) - left for left, _, cell in clues(made))


def is_at_edge(made: Puzzle) -> bool:
    rows, cols = made.position.cells.shape
    return all(row in (0, rows - 1) or col in (0, cols - 1) for _, _, (row, col) in clues(made))


def is_one_one(made: Puzzle) -> bool:
    (one, few, first), (other, many, second) = sorted(clues(made), key=lambda clue: len(clue[1]))
    beside = abs(first[0] - second[0]) + abs(first[1] - second[1]) == 1
    return (one, other, len(few), len(many)) == (1, 1, 2, 3) and few < many and beside and n_flags_near(made) == 0


def is_one_two(made: Puzzle) -> bool:
    (one, around_one, first), (two, around_two, second) = sorted(clues(made))
    beside = abs(first[0] - second[0]) + abs(first[1] - second[1]) == 1
    return (one, two, len(around_two - around_one)) == (1, 2, 1) and beside and n_flags_near(made) == 0


def has_row(made: Puzzle) -> bool:
    lines = [*made.position.cells.tolist(), *made.position.cells.T.tolist()]
    text = ["".join(str(code) if code > 0 else " " for code in line) for line in lines]
    return any("121" in line or "1221" in line for line in text) and len(made.solution) > 1


def is_subset(made: Puzzle) -> bool:
    said = clues(made)
    return any(one < other for _, one, _ in said for _, other, _ in said) and not (len(said) == 2 and is_one_one(made))


def is_pair(made: Puzzle) -> bool:
    (small, few, _), (large, many, _) = sorted(clues(made), key=lambda clue: clue[0])
    return bool(few & many and few - many) and large - small == len(many - few)


def needs_cases(made: Puzzle) -> bool:
    assert made.proof is not None
    return len(made.proof.clues) > 2 and not made.proof.total


def needs_total(made: Puzzle) -> bool:
    assert made.proof is not None
    without = Observation(made.position.topology, made.position.with_flags_as_mines().cells)
    return made.proof.total and not set(made.solution) & set(mine_probabilities(without).safe)


IDEAS: dict[str, Callable[[Puzzle], bool]] = {
    "numbers": lambda made: made.kind == "single",
    "edges": is_at_edge,
    "one-one": is_one_one,
    "one-two": is_one_two,
    "one-two-one": has_row,
    "known-mines": lambda made: n_flags_near(made) > 0,
    "subsets": is_subset,
    "pairs": is_pair,
    "cases": needs_cases,
    "total": needs_total,
    "risk": lambda made: len({round(p_win, 9) for _, p_win in made.chances}) > 1,
    "fifty-fifty": lambda made: bool(halves(made.position)),
}


@pytest.mark.parametrize(("one", "number"), PUZZLES, ids=IDS)
def test_a_puzzle_is_about_the_idea_of_its_lesson(one: Lesson, number: int) -> None:
    assert IDEAS[one.name](one.puzzles[number])


def halves(position: Observation) -> list[tuple[Cell, Cell]]:
    """Pairs of cells of which exactly one is a mine, with even chances; each is asked of the engine."""
    given = position.with_flags_as_mines()
    p_mine = mine_probabilities(given).p_mine
    even = sorted(cell for cell in hidden_cells(given) if p_mine[cell] == 0.5)
    found = []
    for cell in even:
        cells = given.cells.copy()
        cells[cell] = EXPLODED
        safe = mine_probabilities(Observation(given.topology, cells, given.total)).safe
        beside = [one for one in even if one > cell and max(abs(one[0] - cell[0]), abs(one[1] - cell[1])) == 1]
        found += [(cell, other) for other in beside if other in safe]
    return found


def nothing_decides(position: Observation, pair: tuple[Cell, Cell]) -> bool:
    """Whether every cell that may show a number touches both or neither."""
    mines = mine_probabilities(position).mines
    for row, col in np.ndindex(position.cells.shape):
        if (row, col) not in (*pair, *mines):
            touched = [max(abs(one[0] - row), abs(one[1] - col)) == 1 for one in pair]
            if touched[0] != touched[1]:
                return False
    return True


def test_lesson_twelve_has_50_50s_to_take_and_50_50s_to_wait_with() -> None:
    takes = [set(made.solution) <= {c for pair in halves(made.position) for c in pair} for made in lesson(12).puzzles]
    assert sorted(takes) == [False, False, True, True]
    for made, is_taken in zip(lesson(12).puzzles, takes, strict=True):
        finals = [pair for pair in halves(made.position) if nothing_decides(made.position, pair)]
        assert bool(finals) == is_taken


@pytest.mark.slow
def test_a_50_50_that_nothing_can_decide_never_costs_anything_to_take() -> None:
    n_seen = 0
    for made in [*lesson(12).puzzles, *islice(puzzles("guess", 40, board="7x7/10"), 50)]:
        chances = dict(made.chances)
        for pair in halves(made.position):
            if nothing_decides(made.position, pair) and set(pair) <= set(chances):
                n_seen += 1
                assert max(chances[cell] for cell in pair) == pytest.approx(made.chances[0][1])
    assert n_seen > 2
