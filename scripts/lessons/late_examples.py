"""The worked examples of the last lessons: supposing, counting, and what to do when nothing is certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scripts.lessons.fifties import find_fifties
from scripts.lessons.ideas import cases, fifty, guess, total
from scripts.lessons.patterns import number_at, numbers_of, proof_numbers
from scripts.lessons.puzzles import first
from scripts.lessons.saying import a_number, all_of, are, how_many, mines, one_of
from scripts.lessons.scene import Scene
from scripts.lessons.sources import of_kind

from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.inference.proofs.proof import ABSURDITIES, Counted, Hence, LeftOver, RestMines, RestSafe, Suppose
from sapper.layout import Layout
from sapper.observation import FLAG
from sapper.words import percent

if TYPE_CHECKING:
    from scripts.lessons.fifties import Fifty

    from sapper.inference.proofs.explain import Explanation
    from sapper.observation import Observation
    from sapper.topology import Cell
    from sapper.train import Puzzle
    from sapper.train.course import Frame

_EASY_STEPS = {Suppose.rule, RestSafe.rule, RestMines.rule, Hence.rule}


def suppose() -> list[Frame]:
    """One cell supposed to be a mine, until a number cannot come out right."""
    made = first("6x6/7", of_kind("cases"), lambda made: cases(3)(made) and _is_one_chain(made))
    assert made.proof is not None
    scene = Scene(made.position)
    clues = made.proof.clues
    scene.show(
        f"No two of these numbers settle {made.proof.cell}, but all three together do.",
        clue=clues,
        area=[made.proof.cell],
    )
    supposed: dict[bool, list[Cell]] = {True: [], False: []}
    for step in made.proof.steps[:-1]:
        if step.rule not in ABSURDITIES:
            supposed[step.fewest > 0] += step.cells
        then = "" if step.rule == Suppose.rule else "Then "
        said = f"{then}{step.sentence[0].lower() if then else step.sentence[0]}{step.sentence[1:]}"
        scene.show(
            said.replace(" clear.", " safe."),
            clue=step.clues,
            supposed_mine=supposed[True],
            supposed_safe=supposed[False],
        )
    scene.show(f"So {made.proof.cell} is not a mine: it is safe.", clue=clues, safe=[made.proof.cell])
    scene.open_and_tell([made.proof.cell])
    return scene.frames


def _is_one_chain(made: Puzzle) -> bool:
    """Return whether the proof assumes one mine and continues by single clues."""
    assert made.proof is not None
    *steps, absurd, hence = made.proof.steps
    return (
        made.opens
        and made.proof.is_smallest
        and {step.rule for step in steps} <= _EASY_STEPS
        and steps[0].rule == Suppose.rule
        and all(step.depth == 1 for step in steps)
        and absurd.rule in ABSURDITIES
        and hence.rule == Hence.rule
        and len(steps) == 3
    )


def count_down() -> list[Frame]:
    """The numbers need all the mines that are left, so the other cells are safe."""
    made = first("6x6/6", of_kind("total"), lambda made: total(2)(made) and _counts(made))
    proof = made.proof
    assert proof is not None
    position = made.position
    flags = [cell for cell in _cells(position) if position.cells[cell] == FLAG]
    assert position.total is not None
    left = position.total - len(flags)
    numbers = proof_numbers(made)
    scene = Scene(position)
    scene.show(
        f"The board has {mines(position.total)} and {how_many(len(flags))} of them {are(len(flags))} found, so "
        f"{how_many(left)} {are(left)} left.",
        total=True,
        mine=flags,
    )
    for number, also in zip(numbers, ("", ", too"), strict=True):
        scene.show(
            f"{number} has {mines(number.left)} to find in the hidden cells around it{also}.",
            clue=[number.cell],
            area=number.hidden,
        )
    around = frozenset().union(*(number.hidden for number in numbers))
    scene.show(
        f"They share no hidden cell, so together they need {mines(left)}: all that are left.",
        clue=proof.clues,
        area=around,
        total=True,
    )
    safe = [cell for cell in mine_probabilities(position).safe if cell not in around]
    others = "the only other hidden cell" if len(safe) == 1 else "every other hidden cell"
    scene.show(f"So {others} is safe: {all_of(safe)}.", clue=proof.clues, area=around, total=True, safe=safe)
    scene.open_and_tell(safe)
    return scene.frames


def _counts(made: Puzzle) -> bool:
    """Whether the proof adds up the mines of numbers that share nothing, and that settles all other cells."""
    assert made.proof is not None
    numbers = proof_numbers(made)
    around = [cell for number in numbers for cell in number.hidden]
    rules = [step.rule for step in made.proof.steps]
    return (
        rules == [Counted.rule, LeftOver.rule]
        and len(around) == len(set(around))
        and bool((made.position.cells == FLAG).any())
    )


def compare_risks() -> list[Frame]:
    """The cells around a number against those that no number touches."""
    made = first("6x6/7", of_kind("guess"), lambda made: guess(by_risk=True)(made) and _has_far_cells(made))
    posterior = mine_probabilities(made.position)
    risk = {cell: float(posterior.p_mine[cell]) for cell in _cells(made.position) if made.position.closed[cell]}
    scene = Scene(made.position, _lucky_layout(made.position, made.solution[0]))
    scene.show("Nothing is certain here: any of the hidden cells may be a mine, and any may be safe.")
    near = max(numbers_of(made.position), key=lambda one: max(risk[cell] for cell in one.hidden))
    scene.show(
        f"{near} has {mines(near.left)} to find in {how_many(len(near.hidden))} cells; with what the other numbers "
        f"say, {_risks(near.hidden, risk)}.",
        clue=[near.cell],
        area=near.hidden,
        risks=[(cell, risk[cell]) for cell in sorted(near.hidden)],
    )
    far = _far_cells(made.position)
    scene.show(
        f"No number touches {all_of(far)}: {_risks(far, risk)}.",
        area=far,
        risks=[(cell, risk[cell]) for cell in sorted(far)],
    )
    best = made.solution
    scene.show(
        f"The smallest risk on the board is {_percent(risk[best[0]])}, at {one_of(best)}.",
        area=best,
        risks=[(cell, risk[cell]) for cell in best],
    )
    worst, p_worst = made.chances[-1]
    scene.show(
        f"Played well to the end, the game is won {_percent(made.chances[0][1])} of the time from there, but only "
        f"{_percent(p_worst)} if you begin with {worst}.",
        area=best,
        chances=[*made.chances[: len(best)], (worst, p_worst)],
    )
    scene.open([best[0]])
    scene.show(f"This time it went well: {best[0]} shows {a_number(scene.shown(best[0]))}.", area=[best[0]])
    return scene.frames


def _has_far_cells(made: Puzzle) -> bool:
    far = _far_cells(made.position)
    p_mine = mine_probabilities(made.position).p_mine
    return bool(far) and len({round(float(p_mine[cell]), 6) for cell in far}) == 1


def _far_cells(position: Observation) -> list[Cell]:
    """The hidden cells that no number touches."""
    touched = {cell for number in numbers_of(position) for cell in number.hidden}
    hidden = position.without_flags().closed & (position.cells != FLAG)
    return [cell for cell in _cells(position) if hidden[cell] and cell not in touched]


def wait_or_take() -> list[Frame]:
    """A 50/50 that another cell decides, and one that nothing can."""
    return [*_wait(), *_take()]


def _wait() -> list[Frame]:
    made, found = next(
        (made, found)
        for made in of_kind("guess")("6x6/7")
        if fifty(waits=True)(made) and (found := _find_decider(made)) is not None
    )
    pair, cell, layout = found
    clue, p_win = number_at(made.position, pair.clue), dict(made.chances)
    scene = Scene(made.position, layout)
    scene.show(
        f"{clue} has one mine to find, in {one_of(pair.cells)}, and nothing says in which: a 50/50.",
        clue=[clue.cell],
        area=pair.cells,
        risks=[(one, 0.5) for one in pair.cells],
    )
    p_mine = float(mine_probabilities(made.position).p_mine[cell])
    scene.show(
        f"But {cell} touches only one of the two, and it is a mine only {_percent(p_mine)} of the time, so wait.",
        area=[cell],
        risks=[(cell, p_mine)],
    )
    half = max(pair.cells, key=lambda one: p_win[one])
    scene.show(
        f"Opening {cell} first wins {_percent(p_win[cell])} of the time, and beginning with {half} only "
        f"{_percent(p_win[half])}.",
        area=[cell],
        chances=[(cell, p_win[cell]), (half, p_win[half])],
    )
    scene.open([cell])
    proof = _easy_proof(scene.position, pair)
    assert proof is not None
    scene.show(
        f"{cell} shows {a_number(scene.shown(cell))}, and that decides it: {proof.cell} is safe.",
        clue=proof.clues,
        safe=[proof.cell],
    )
    return scene.frames


def _find_decider(made: Puzzle) -> tuple[Fifty, Cell, Layout] | None:
    """A right cell that touches one cell of a 50/50, with a layout in which its number easily decides it."""
    for pair in find_fifties(made.position):
        for cell in sorted(set(made.solution) & set(pair.witnesses)):
            for layout in _layouts(made.position):
                if not layout.mines[cell]:
                    scene = Scene(made.position, layout)
                    scene.open([cell])
                    if scene.shown(cell) != "0" and _easy_proof(scene.position, pair) is not None:
                        return pair, cell, layout
    return None


def _easy_proof(position: Observation, pair: Fifty) -> Explanation | None:
    """The proof that a cell of a 50/50 is safe, from two clues at most; None if there is none."""
    for cell in set(pair.cells) & set(mine_probabilities(position.with_flags_as_mines()).safe):
        proof = explain(position, *cell, trust_flags=True)
        if len(proof.clues) <= 2 and not proof.total:
            return proof
    return None


def _take() -> list[Frame]:
    made = first("5x5/6", of_kind("guess", start=30), fifty(waits=False))
    pair = next(one for one in find_fifties(made.position) if one.is_final and set(one.cells) & set(made.solution))
    p_win = dict(made.chances)
    best = next(cell for cell in pair.cells if cell in made.solution)
    scene = Scene(made.position, _lucky_layout(made.position, best))
    scene.show(
        f"Here {all_of(pair.cells)} hold one mine between them, by {number_at(made.position, pair.clue)}.",
        clue=[pair.clue],
        area=pair.cells,
        risks=[(cell, 0.5) for cell in pair.cells],
    )
    scene.show(
        "Every other cell that can show a number touches both of them or neither, so nothing will ever decide it.",
        area=pair.cells,
    )
    worst, p_worst = next(one for one in reversed(made.chances) if one[0] not in pair.cells)
    scene.show(
        f"Taking it now, at {best}, wins {_percent(p_win[best])} of the time, and beginning with {worst} only "
        f"{_percent(p_worst)}.",
        area=[best],
        chances=[(best, p_win[best]), (worst, p_worst)],
    )
    scene.open([best])
    scene.show(
        f"You were lucky, and the {scene.shown(best)} at {best} tells you something about the cells beside it, too.",
        clue=[best],
        area=number_at(scene.position, best).hidden,
    )
    return scene.frames


# -- what these share -------------------------------------------------------------------------------------------


def _cells(position: Observation) -> list[Cell]:
    return [position.topology.cell(at) for at in range(position.topology.n_cells)]


def _layouts(position: Observation) -> list[Layout]:
    drawn = mine_probabilities(position.with_flags_as_mines()).sample(64, np.random.default_rng(0))
    return [Layout(position.topology, mines) for mines in drawn]


def _lucky_layout(position: Observation, cell: Cell) -> Layout:
    """A layout of the position in which this cell is safe."""
    return next(layout for layout in _layouts(position) if not layout.mines[cell])


def _percent(p: float) -> str:
    return percent(p, certain=False)


def _risks(cells: frozenset[Cell] | list[Cell], risk: dict[Cell, float]) -> str:
    """The risks of some cells, in words."""
    values = sorted({round(risk[cell], 9) for cell in cells})
    if len(values) == 1:
        each = "each is" if len(cells) > 1 else "it is"
        return f"{each} a mine {_percent(values[0])} of the time"
    return f"they are mines {_percent(values[0])} to {_percent(values[-1])} of the time"
