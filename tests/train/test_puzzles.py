"""Puzzles of every kind: nothing easier solves them, every right answer is known, and no other is right."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from effort import times
from numpy.typing import NDArray

from sapper import train
from sapper.errors import GaveUp, InputError, RulesError
from sapper.inference.evaluation.endgame import solve_position
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels.codes import SAFE
from sapper.layout import Layout
from sapper.observation import FLAG, HIDDEN, Observation
from sapper.train import LEVELS, Puzzle, Verdict, check, puzzle, puzzles, two_layouts, what_follows
from sapper.train.special import needed_clues
from sapper.world.generation import generate_layout

BOARDS = ("beginner", "8x8/12 hex", "8x8/12 torus", "7x7/9 knight", "6x6/7", "16x16/40")
NONE = {("one-two", "7x7/9 knight"): "no two cells that touch have a neighbour in common"}


def fits(layout: Layout, position: Observation) -> bool:
    """Whether a layout is one that the position allows, by looking at every clue."""
    clues = layout.clues()
    is_open = position.cells >= 0
    return bool(
        layout.n_mines == position.total
        and not layout.mines[is_open].any()
        and (clues[is_open] == position.cells[is_open]).all()
    )


def cells_where(chosen: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The cells of a mask, row by row."""
    return [(int(row), int(col)) for row, col in np.argwhere(chosen)]


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("level", LEVELS)
def test_nothing_easier_finds_anything_and_the_level_does(level: train.Level, board: str) -> None:
    if (level, board) in NONE:
        with pytest.raises(GaveUp, match=NONE[level, board]):
            puzzle(level, 0, board=board)
        return
    for seed in range(times(2, 4)):
        made = puzzle(level, seed, board=board)
        flagged = set(cells_where(made.position.cells == FLAG))
        if level != "single":
            safe, mines = what_follows(made.position, LEVELS[LEVELS.index(level) - 1])
            # Flags stand exactly on what easier reasoning proves.
            assert (safe, set(mines)) == ((), flagged)
        safe, mines = what_follows(made.position, level)
        opens = made.opens
        found = set(safe) if opens else set(mines) - flagged
        assert found
        assert found <= set(made.solution)
        posterior = mine_probabilities(made.position)
        assert set(made.solution) == (set(posterior.safe) if opens else set(posterior.mines) - flagged)
        assert made.proof is not None
        assert made.proof.cell in found
        assert made.proof.verdict == ("safe" if opens else "mine")


def test_a_seed_means_the_same_puzzle_on_every_machine() -> None:
    made = [puzzle(kind, 3, board="6x6/6") for kind in train.KINDS]
    assert made == [puzzle(kind, 3, board="6x6/6") for kind in train.KINDS]
    assert [str(one.position) for one in made] == EXPECTED


def test_puzzles_that_follow_each_other_are_not_alike() -> None:
    made = list(islice(puzzles("subsets", 0), 30))
    assert len({str(one.position) for one in made}) == 30
    looks = [sorted(int(one.position.cells[clue]) for clue in one.proof.clues) for one in made if one.proof]
    assert all(
        (a, len(x.solution)) != (b, len(y.solution))
        for a, b, x, y in zip(looks, looks[1:], made, made[1:], strict=False)
    )
    # Nor is the place to look at always the same.
    assert len({one.solution[0] for one in made}) > 15


@pytest.mark.slow
def test_difficulty_rises_with_the_level() -> None:
    means = {level: np.mean([puzzle(level, seed).difficulty for seed in range(10)]) for level in LEVELS}
    # The last mines are few, so counting them takes less than many a case.
    order = ("single", "subsets", "one-two", "pairs", "total", "cases")
    assert sorted(means, key=lambda level: means[level]) == list(order)


@pytest.mark.parametrize("level", ["single", "pairs", "cases"])
def test_a_lucky_cell_is_wrong_and_two_layouts_show_it(level: train.Level) -> None:
    made = puzzle(level, 5)
    posterior = mine_probabilities(made.position)
    hidden = cells_where(made.position.closed)
    unsure = next(cell for cell in hidden if 0 < posterior.p_mine[cell] < 1)
    verdict = check(made, unsure)
    assert not verdict.is_right
    assert verdict.score == 0
    assert "is uncertain" in str(verdict)
    assert verdict.layouts is not None
    with_mine, without = verdict.layouts
    assert with_mine.mines[unsure]
    assert not without.mines[unsure]
    assert fits(with_mine, made.position)
    assert fits(without, made.position)
    right = [check(made, cell) for cell in made.solution]
    assert all(one.is_right and one.proof is not None for one in right)


def test_a_certain_mine_is_no_answer_to_what_is_safe() -> None:
    made = Puzzle(
        "single", "2x3/1", 0, Observation.parse("1##/1## 1"), "Open a cell that is certainly safe.", ((0, 2),), 1
    )
    assert "uncertain" in str(check(made, (0, 1)))
    made = puzzle("total", 5)
    mine = next(cell for cell in mine_probabilities(made.position).mines if made.position.cells[cell] == HIDDEN)
    said = str(check(made, mine))
    assert said.startswith(f"{mine} is certainly a mine, but the task is to find a safe cell. ")
    assert said.endswith(" are certainly safe.")


def test_answers_that_are_none() -> None:
    made = puzzle("subsets", 0)
    opened = cells_where(made.position.cells >= 0)[0]
    flagged = puzzle("cases", 1)
    flag = cells_where(flagged.position.cells == FLAG)[0]
    for asked, answer in ((made, opened), (made, (99, 0)), (made, 3), (flagged, flag), (puzzle("area", 0), (0, 0))):
        with pytest.raises(InputError):
            check(asked, answer)


def test_wrong_wishes() -> None:
    with pytest.raises(InputError, match="no puzzle kind 'tripels'"):
        puzzle("tripels")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="exact clues"):
        puzzle("subsets", board="8x8/10 withheld:0.2")
    with pytest.raises(RulesError, match="number of mines is known"):
        puzzle("subsets", board="8x8/10 total-hidden")
    with pytest.raises(InputError, match="seed"):
        puzzle("subsets", -1)


@pytest.mark.parametrize(("board", "first_click"), [("3x3/1", "safe"), ("4x4/6", "opening"), ("4x4/8", "safe")])
def test_the_first_cell_opens_something_where_there_is_room(board: str, first_click: str) -> None:
    rules = train.read_board(board)
    assert rules.first_click == first_click
    for number in range(rules.n_cells):
        assert generate_layout(rules, 1, rules.topology.cell(number)).n_mines == rules.mines


def test_the_chances_of_a_guess_are_those_of_perfect_play() -> None:
    n_compared = 0
    for made in islice(puzzles("guess", 0, board="4x4/4"), 8):
        optimum = solve_position(made.position.without_flags())
        assert made.chances[0][1] == pytest.approx(optimum.wins / optimum.layouts)
        n_compared += 1
        best = check(made, made.solution[0])
        assert best == Verdict(True, 1.0, best.said)
        for cell, chance in made.chances[len(made.solution) :]:
            verdict = check(made, cell)
            given_away = 1 - chance / made.chances[0][1]
            assert not verdict.is_right
            assert verdict.score == pytest.approx(max(1 - 10 * given_away, 0))
    assert n_compared == 8


@pytest.mark.parametrize("board", ["beginner", "8x8/12 hex"])
def test_every_layout_has_the_number_in_the_area(board: str) -> None:
    rng = np.random.default_rng(1)
    for made in islice(puzzles("area", 0, board=board), 6):
        posterior = mine_probabilities(made.position)
        rows, cols = zip(*made.marked, strict=True)
        assert set(posterior.sample(200, rng)[:, rows, cols].sum(axis=1).tolist()) == {made.number}
        # It is a question: no cell of it is certain.
        assert all(0 < posterior.p_mine[cell] < 1 for cell in made.marked)
        assert made.number is not None
        assert check(made, made.number).is_right
        assert not check(made, made.number + 1).is_right


def test_without_a_needed_clue_the_cell_is_not_certain() -> None:
    for made in islice(puzzles("chain", 0), 8):
        assert made.proof is not None
        # Every proof needs them, so the smallest does.
        assert set(made.solution) <= set(made.proof.clues)
        assert check(made, made.solution[0]).is_right
        spare = next(cell for cell in cells_where(made.position.cells > 0) if cell not in made.solution)
        assert not check(made, spare).is_right


def test_needed_clues_of_a_position_that_can_be_seen() -> None:
    # By the 2 and the 1 at the right a mine is at (0, 1), which is the one that the first 1 has.
    position = Observation.parse("####/1221")
    assert needed_clues(position, (0, 0), SAFE) == (((1, 0), (1, 2), (1, 3)), 1)


def test_two_layouts_of_a_cell() -> None:
    position = Observation.parse("1##/### 2")
    one, other = two_layouts(position, (0, 1))
    assert (one.mines[0, 1], other.mines[0, 1]) == (True, False)


EXPECTED = [
    "##1000/#31000/#20000/#21110/####10/####10 6",
    "##1000/##1000/##1111/######/######/###### 6",
    "000000/111000/1F2100/23F211/##33F2/#2#### 6",
    "1111##/##1###/11123#/0001##/0013##/001FF# 6",
    "######/######/#1111#/#1001#/#2112#/1##### 6",
    "#10011/#1012F/2211F2/#F2111/#F2000/#21000 6",
    "0001##/0001##/00012#/1111##/##2###/###### 6",
    "001###/112###/##2###/######/######/###### 6",
    "######/######/#1111#/#1001#/#2112#/1##### 6",
]


@pytest.mark.parametrize("kind", [kind for kind in train.KINDS if kind != "one-two"])
def test_an_orthogonal_board_has_every_kind_but_the_one_two(kind: train.Kind) -> None:
    made = puzzle(kind, 0, board="8x8/14 orthogonal")
    assert made.position.topology.shape == "orthogonal"
    assert made.number is not None or made.solution
    with pytest.raises(GaveUp, match="has no one-two"):
        puzzle("one-two", 0, board="8x8/14 orthogonal")


def test_a_chain_takes_other_pairs_where_there_is_no_one_two() -> None:
    # The chains of every fourth seed come from moments with a one-two.
    for board in ("7x7/9 knight", "8x8/12 hex"):
        assert puzzle("chain", 1, board=board).kind == "chain"
