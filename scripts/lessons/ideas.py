"""What the puzzles of lessons are about: each of these accepts the puzzles that show one idea."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.lessons.fifties import find_fifties
from scripts.lessons.patterns import (
    find_one_one,
    find_one_two,
    find_pair,
    find_row,
    find_subset,
    is_at_border,
    is_in_corner,
    opposite,
    proof_numbers,
    share_a_side,
)

from sapper.inference.posterior.exact import mine_probabilities

if TYPE_CHECKING:
    from collections.abc import Callable

    from scripts.lessons.patterns import Number

    from sapper.train import Puzzle

    Accepts = Callable[[Puzzle], bool]

_FEW = 3  # right answers, so that it takes the idea to find one
_AT_STAKE = 0.1  # chance to win between the right cells of a guess and all others


def n_clues(made: Puzzle) -> int:
    """How many clues the proof takes, without the total."""
    return 0 if made.proof is None else len(made.proof.clues)


def uses_flags(numbers: list[Number]) -> bool:
    """Whether one of the numbers has found some of its mines already."""
    return any(one.flags for one in numbers)


def of_clues(n: int, most_solutions: int = _FEW) -> Accepts:
    """Puzzles whose proof takes this many clues, with few answers."""
    return lambda made: n_clues(made) == n and len(made.solution) <= most_solutions


def at_edges(n: int, corner: bool) -> Accepts:
    """Puzzles whose proof takes this many clues, all at the edge of the board, and one in a corner on request."""

    def accepts(made: Puzzle) -> bool:
        clues = proof_numbers(made)
        return (
            len(clues) == n
            and all(is_at_border(made.position, one.cell) for one in clues)
            and any(is_in_corner(made.position, one.cell) for one in clues) == corner
            and len(made.solution) <= _FEW
        )

    return accepts


def one_one(across: bool, flags: bool = False) -> Accepts:
    """A 1-1 from the edge of the board, along a row or along a column; on request with known mines taken off."""

    def accepts(made: Puzzle) -> bool:
        numbers = proof_numbers(made)
        found = find_one_one(numbers) if len(numbers) == 2 else None
        return (
            found is not None
            and made.opens
            and uses_flags(numbers) == flags
            and (found[0].cell[0] == found[1].cell[0]) == across
            and len(made.solution) <= 2
        )

    return accepts


def one_two(flagged: int = 0, most_solutions: int = 2) -> Accepts:
    """A 1-2, in which this many of the two numbers have known mines to take off."""

    def accepts(made: Puzzle) -> bool:
        numbers = proof_numbers(made)
        found = find_one_two(numbers) if len(numbers) == 2 else None
        n_flagged = sum(bool(one.flags) for one in numbers)
        return found is not None and n_flagged == flagged and len(made.solution) <= most_solutions

    return accepts


def row(*shown: int) -> Accepts:
    """Numbers in a row, along which everything is that is to be found, and first of all what lies inside."""

    def accepts(made: Puzzle) -> bool:
        found = find_row(made.position, shown)
        if found is None or made.proof is None or not made.opens:
            return False
        inside = [opposite(one) for one in (found[1:-1] if shown == (1, 2, 1) else (found[0], found[-1]))]
        return (
            {one.cell for one in found} >= set(made.proof.clues)
            and set(made.solution) >= set(inside)
            and {cell for one in found for cell in one.hidden} >= set(made.solution)
        )

    return accepts


def subset(left_over: int, side_by_side: bool = True) -> Accepts:
    """A number inside another that has this many cells more, and that is no 1-1 from a wall."""

    def accepts(made: Puzzle) -> bool:
        numbers = proof_numbers(made)
        found = find_subset(numbers) if len(numbers) == 2 else None
        return (
            found is not None
            and find_one_one(numbers) is None
            and share_a_side(found[0].cell, found[1].cell) == side_by_side
            and len(found[1].hidden - found[0].hidden) == left_over
            and len(made.solution) <= 4
        )

    return accepts


def subset_of_three(made: Puzzle) -> bool:
    """A number inside another whose difference is news to a third."""
    numbers = proof_numbers(made)
    return len(numbers) == 3 and find_subset(numbers) is not None and len(made.solution) <= 4


def pair(own: int, flags: bool) -> Accepts:
    """A pair that overlaps, in which only the larger number has this many cells."""

    def accepts(made: Puzzle) -> bool:
        numbers = proof_numbers(made)
        found = find_pair(numbers) if len(numbers) == 2 and uses_flags(numbers) == flags else None
        return found is not None and len(found[1].hidden - found[0].hidden) == own and len(made.solution) <= _FEW

    return accepts


def cases(n: int) -> Accepts:
    """A proof that assumes something, from this many clues and without the total."""

    def accepts(made: Puzzle) -> bool:
        assert made.proof is not None
        return n_clues(made) == n and not made.proof.total and len(made.solution) <= 2

    return accepts


def total(n: int) -> Accepts:
    """A proof by the total and this many clues."""

    def accepts(made: Puzzle) -> bool:
        assert made.proof is not None
        return n_clues(made) == n and made.proof.total and len(made.solution) <= _FEW

    return accepts


def lead(made: Puzzle) -> float:
    """By how much the right cells of a guess win more often than the best of the others."""
    others = [p_win for cell, p_win in made.chances if cell not in made.solution]
    return made.chances[0][1] - max(others, default=0.0)


def guess(by_risk: bool) -> Accepts:
    """A guess in which the cells of least risk are right, or none of them is."""

    def accepts(made: Puzzle) -> bool:
        least = set(mine_probabilities(made.position).safest)
        right = set(made.solution)
        is_right = right == least if by_risk else not right & least
        return is_right and lead(made) >= (_AT_STAKE if by_risk else _AT_STAKE / 2) and len(right) <= 2

    return accepts


def fifty(waits: bool) -> Accepts:
    """A guess beside a 50/50: it is right to wait, because something may still decide it, or to take it."""

    def accepts(made: Puzzle) -> bool:
        found = find_fifties(made.position)
        right = set(made.solution)
        if not found or lead(made) < _AT_STAKE / 2:
            return False
        if waits:
            return not any(one.is_final or right & set(one.cells) for one in found)
        return right <= {cell for one in found if one.is_final for cell in one.cells}

    return accepts
