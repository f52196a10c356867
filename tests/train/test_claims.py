"""What the lessons claim, asked of the exact engine: every cell lit up, every chance said, every rule of the texts."""

from __future__ import annotations

import re
from itertools import groupby

import numpy as np
import pytest

from sapper.errors import Contradiction
from sapper.inference.evaluation.endgame import solve_position
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import EXPLODED, FLAG, NO_CLUE, Observation
from sapper.topology import Cell, topology
from sapper.train import Frame, Lesson, lessons
from sapper.words import percent

FRAMES = [(lesson, number) for lesson in lessons() for number in range(len(lesson.example))]
IDS = [f"{lesson.name}-{number + 1}" for lesson, number in FRAMES]


def frame_of(lesson: Lesson, number: int) -> Frame:
    return lesson.example[number]


def by_these_clues(frame: Frame, mines: set[Cell], safe: set[Cell]) -> tuple[set[Cell], set[Cell]]:
    """The cells that are certainly safe, and the mines, by the clues lit up, the flags and what is given; or raise."""
    cells = frame.position.cells.copy()
    shown = set(frame.cells("clue"))
    for row, col in np.ndindex(cells.shape):
        if cells[row, col] >= 0 and (row, col) not in shown:
            cells[row, col] = NO_CLUE
    cells[cells == FLAG] = EXPLODED
    for given, code in ((mines, EXPLODED), (safe, NO_CLUE)):
        for cell in given:
            cells[cell] = code
    total = frame.position.total if frame.total else None
    posterior = mine_probabilities(Observation(frame.position.topology, cells, total))
    return set(posterior.safe), set(posterior.mines)


def flags_of(position: Observation) -> set[Cell]:
    return {(int(row), int(col)) for row, col in np.argwhere(position.cells == FLAG)}


@pytest.mark.parametrize(("lesson", "number"), FRAMES, ids=IDS)
def test_what_is_lit_up_as_safe_or_as_a_mine_is_certain(lesson: Lesson, number: int) -> None:
    frame = frame_of(lesson, number)
    if not frame.position.closed.any():
        return
    posterior = mine_probabilities(frame.position.without_flags())
    assert set(frame.cells("safe")) <= set(posterior.safe)
    assert set(frame.cells("mine")) | flags_of(frame.position) <= set(posterior.mines)


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)
def test_it_follows_from_the_clues_that_are_lit_up(lesson: Lesson) -> None:
    n_claims = 0
    for _, group in groupby(lesson.example, key=lambda frame: str(frame.position)):
        mines: set[Cell] = set()
        safe: set[Cell] = set()
        for frame in group:
            new_mines = set(frame.cells("mine")) - mines - flags_of(frame.position)
            new_safe = set(frame.cells("safe")) - safe
            if new_mines | new_safe:
                found_safe, found_mines = by_these_clues(frame, mines, safe)
                assert new_safe <= found_safe
                assert new_mines <= found_mines
                n_claims += 1
            mines |= new_mines
            safe |= new_safe
    # Where nothing is certain there is nothing to claim.
    assert n_claims or lesson.name == "risk"


def test_suppositions_lead_step_by_step_to_what_cannot_be() -> None:
    (lesson,) = [lesson for lesson in lessons() if any(frame.cells("supposed-mine") for frame in lesson.example)]
    assert lesson.name == "cases"
    frames = [frame for frame in lesson.example if frame.cells("supposed-mine") or frame.cells("supposed-safe")]
    (supposed,) = frames[0].cells("supposed-mine")
    assert not frames[0].cells("supposed-safe")
    mines, safe = {supposed}, set[Cell]()
    for frame in frames[1:-1]:
        found_safe, found_mines = by_these_clues(frame, mines, safe)
        new_mines, new_safe = set(frame.cells("supposed-mine")) - mines, set(frame.cells("supposed-safe")) - safe
        assert new_mines | new_safe
        assert new_mines <= found_mines
        assert new_safe <= found_safe
        mines |= new_mines
        safe |= new_safe
    with pytest.raises(Contradiction):
        by_these_clues(frames[-1], mines, safe)
    after = lesson.example[lesson.example.index(frames[-1]) + 1]
    assert after.cells("safe") == (supposed,)


@pytest.mark.parametrize(("lesson", "number"), FRAMES, ids=IDS)
def test_the_risks_and_the_chances_to_win_are_exact(lesson: Lesson, number: int) -> None:
    frame = frame_of(lesson, number)
    position = frame.position.without_flags()
    for cell, p_mine in frame.risks:
        assert mine_probabilities(position).p_mine[cell] == pytest.approx(p_mine, abs=1e-12)
    for cell, p_win in frame.chances:
        assert chance_to_win(position, cell) == pytest.approx(p_win, abs=1e-9)


def chance_to_win(position: Observation, cell: Cell) -> float:
    """Open a cell, and play perfectly after whatever it shows."""
    chance = 0.0
    for shown, p_shown in enumerate(mine_probabilities(position).p_clue(*cell).tolist()):
        if p_shown:
            cells = position.cells.copy()
            cells[cell] = shown
            after = solve_position(Observation(position.topology, cells, position.total))
            chance += p_shown * after.wins / after.layouts
    return chance


@pytest.mark.parametrize(("lesson", "number"), FRAMES, ids=IDS)
def test_captions_name_what_is_there(lesson: Lesson, number: int) -> None:
    frame = frame_of(lesson, number)
    lit = {cell for _, cells in frame.lit for cell in cells} | {cell for cell, _ in (*frame.risks, *frame.chances)}
    for shown, row, col in re.findall(r"[Tt]he (\d) at \((\d+), (\d+)\)", frame.caption):
        cell = int(row), int(col)
        assert frame.position.cells[cell] == int(shown)
        assert cell in lit
    for row, col in re.findall(r"\((\d+), (\d+)\)", frame.caption):
        cell = int(row), int(col)
        # A mine that stands under a flag, or that was found before, need not be lit up again.
        assert cell in lit or not frame.position.closed[cell] or frame.position.cells[cell] == FLAG
    chances = [p for _, p in (*frame.risks, *frame.chances)]
    for said in re.findall(r"\d+%", frame.caption):
        assert said in {percent(p, certain=False) for p in chances}
    assert frame.caption[0].isupper() or frame.caption[0] == "("
    assert frame.caption.endswith(".")
    assert "\n" not in frame.caption


# -- what the texts say ------------------------------------------------------------------------------------------


def certain(text: str) -> tuple[set[Cell], set[Cell]]:
    posterior = mine_probabilities(Observation.parse(text))
    return set(posterior.safe), set(posterior.mines)


def test_how_many_cells_a_cell_touches() -> None:
    board = topology("square", 5, 5)
    assert [int(board.degree[board.number(cell)]) for cell in ((2, 2), (0, 2), (0, 0))] == [8, 5, 3]


@pytest.mark.parametrize(
    ("text", "safe", "mines"),
    [
        ("###/11.", {(0, 2)}, set()),
        ("####/.12.", {(0, 0)}, {(0, 3)}),
        ("#####/.121.", {(0, 0), (0, 2), (0, 4)}, {(0, 1), (0, 3)}),
        ("######/.1221.", {(0, 0), (0, 1), (0, 4), (0, 5)}, {(0, 2), (0, 3)}),
    ],
    ids=["1-1", "1-2", "1-2-1", "1-2-2-1"],
)
def test_the_patterns_are_what_the_lessons_say(text: str, safe: set[Cell], mines: set[Cell]) -> None:
    assert certain(text) == (safe, mines)


def test_a_3_that_touches_two_flags_works_like_a_1() -> None:
    flagged = mine_probabilities(Observation.parse("F##/3#./F..").with_flags_as_mines())
    alone = mine_probabilities(Observation.parse(".##/1#./..."))
    assert np.array_equal(flagged.p_mine, alone.p_mine, equal_nan=True)


def test_a_pair_that_overlaps() -> None:
    # The 3 exceeds the 1 by two, and it has two cells of its own.
    assert certain("####/.13#/....") == ({(0, 0)}, {(0, 3), (1, 3)})


def test_a_subset_leaves_the_difference() -> None:
    # All cells of the number above are among those of the one below, which has two more.
    assert certain("#1/#1/##") == ({(2, 0), (2, 1)}, set())
    assert certain("#1/#3/##") == (set(), {(2, 0), (2, 1)})


def test_the_risks_that_the_text_speaks_of() -> None:
    assert mine_probabilities(Observation.parse("###/.1.")).p_mine[0] == pytest.approx(1 / 3)
    far = Observation.parse("#" * 20 + " 4")
    assert mine_probabilities(far).p_mine[0, 0] == pytest.approx(4 / 20)
