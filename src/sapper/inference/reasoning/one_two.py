"""The One-Two Punch of report 003: a 1 beside a 2 along a hidden wall.

::

    1 2 1        A 1 and a 2 side by side, known mines taken off, with hidden cells along one side. The two share
    a b c d      a wall; the 1 allows one mine in what they share, so the cell that only the 2 touches is a mine.

Written without directions, so it holds in any orientation, at any wall and on any topology: the 2 has exactly one
unknown neighbour that the 1 beside it does not touch.

It takes two clues that touch and share cells. On a knight or orthogonal board, and on any other where no three cells
touch each other, there are none: the pattern does not apply there, and `why_not` says so.

`deduce_walls` is the pattern as the report's text has it: the digits 1 and 2 side by side and three hidden cells along
one side, nothing else asked. The 1 and the 2 may be touching mines elsewhere, so it is often wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from sapper.inference.facts import Facts
from sapper.inference.reasoning.single import ONE_TWO, Deduction, deduce, name_clue
from sapper.topology import OWN, Topology

_SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0))


def deduce_one_two(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Look for the pattern at each of these clues and the clues beside it, once.

    >>> from sapper.inference.facts import Facts
    >>> from sapper.observation import Observation
    >>> facts = Facts(Observation.parse("0122/####"))
    >>> [str(found) for found in deduce_one_two(facts, [2])]
    ['(1, 3) is a mine: the 2 at (0, 2) has one cell more than the 1 beside it at (0, 1).']
    """
    found: list[Deduction] = []
    if why_not(facts.board):
        return found
    for clue in clues:
        cells, low, high = facts.statement(clue)
        if not cells or (high != 1 and low != 2):
            continue
        for other in facts.neighbours[clue]:
            if other in facts.clues and share_a_side(facts.board, clue, other):
                found += _punch(facts, clue, other)
                found += _punch(facts, other, clue)
    return found


def _punch(facts: Facts, one: int, two: int) -> list[Deduction]:
    cells1, _, high1 = facts.statement(one)
    cells2, low2, _ = facts.statement(two)
    alone = cells2 & ~cells1
    if high1 != 1 or low2 != 2 or alone.bit_count() != 1:
        return []
    reason = f"{_effective(facts, two, 2)} has one cell more than {_effective(facts, one, 1, beside=True)}"
    return deduce(facts, [alone.bit_length() - 1], True, ONE_TWO, tuple(sorted((one, two))), reason)


def deduce_walls(facts: Facts, *, waits: bool = False) -> list[Deduction]:
    """Look for report 003's pattern around the cells that have just opened; on square boards only. Not sound.

    ``waits`` asks for one thing more, as the report's play-by-play does: the cell beyond the 2 has to be open.

    >>> from sapper.inference.facts import Facts
    >>> from sapper.observation import Observation
    >>> [str(found) for found in deduce_walls(Facts(Observation.parse("12#/###")))]
    ['(1, 2) is a mine: the 1 at (0, 0) and the 2 at (0, 1) run along a hidden wall.']
    """
    found: list[Deduction] = []
    if facts.board.shape != "square":
        return found

    def at(row: int, col: int) -> int:
        """Return the number of a cell; -1 off the board, which no set of cells or clues contains."""
        return row * facts.board.cols + col if 0 <= row < facts.board.rows and 0 <= col < facts.board.cols else -1

    twos = {other for cell in facts.opened for other in (cell, *facts.neighbours[cell])}
    for two in sorted(cell for cell in twos if facts.shown(cell) == 2):
        row, col = divmod(two, facts.board.cols)
        for down, right in _SIDES:
            one = at(row - down, col - right)
            if one not in facts.clues or facts.shown(one) != 1:
                continue
            if waits and at(row + down, col + right) not in facts.clues:
                continue
            for side in (1, -1):
                up, left = side * right, side * down
                wall = [at(row + step * down + up, col + step * right + left) for step in (-1, 0, 1)]
                if all(cell >= 0 and facts.unknown >> cell & 1 for cell in wall):
                    reason = f"{name_clue(facts, one)} and {name_clue(facts, two)} run along a hidden wall"
                    found += deduce(facts, wall[2:], True, ONE_TWO, tuple(sorted((one, two))), reason)
    return found


def _effective(facts: Facts, clue: int, n: int, beside: bool = False) -> str:
    shown = facts.shown(clue)
    value = f"{shown}" if shown == n else f"{shown} (in effect {n})"
    return f"the {value}{' beside it' if beside else ''} at {divmod(clue, facts.board.cols)}"


@lru_cache(maxsize=16)
def why_not(board: Topology) -> str:
    """Say in a sentence why there is no one-two on a board; nothing if there may be one.

    >>> from sapper.topology import topology
    >>> why_not(topology("orthogonal", 9, 9))
    'This board, 9 x 9 orthogonal, has no one-two: no two cells that touch have a neighbour in common.'
    >>> why_not(topology("square", 9, 9))
    ''
    """
    for cell in range(board.n_cells):
        around = set(board.neighbours_of(cell))
        if any(around.intersection(board.neighbours_of(other)) for other in around):
            return ""
    name = f"{board.rows} x {board.cols} {board.shape}"
    return f"This board, {name}, has no one-two: no two cells that touch have a neighbour in common."


def share_a_side(board: Topology, first: int, second: int) -> bool:
    """Whether two neighbours touch along a side, not at a corner; always on hex and custom boards."""
    if board.shape in ("hex", OWN):
        return True
    row1, col1 = divmod(first, board.cols)
    row2, col2 = divmod(second, board.cols)
    return row1 == row2 or col1 == col2
