"""How the neighbourhood of a board is written: the name of its shape or, on a board of one's own, its table.

The table is ``own:`` and then, for every cell in turn, the numbers of the cells that it touches: commas between the
numbers, slashes between the cells. Touching is mutual, so a pair is written once, with the cell that comes first, and
the cells at the end that add nothing are left out. That is a whole board in one word, so whatever keeps rules or
positions as text keeps these boards too.

>>> ring = read_neighbourhood("own:1,3/2/3", 2, 2)
>>> ring.neighbours_of(0), ring.neighbours_of(3)
((1, 3), (0, 2))
>>> write_neighbourhood(ring)
'own:1,3/2/3'
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sapper.errors import InputError
from sapper.topology import OWN, SHAPES, Shape, Topology, check_size, topology

if TYPE_CHECKING:
    from typing import TypeGuard

_PREFIX = f"{OWN}:"
_TABLE = re.compile(r"(\d{1,7}(,\d{1,7})*)?(/(\d{1,7}(,\d{1,7})*)?)*", re.ASCII)


def is_neighbourhood(word: str) -> bool:
    """Whether a word says which cells touch.

    >>> is_neighbourhood("hex"), is_neighbourhood("own:1/2"), is_neighbourhood("own")
    (True, True, False)
    """
    return _is_shape(word) or word.startswith(_PREFIX)


def write_neighbourhood(board: Topology) -> str:
    """Return the word that `read_neighbourhood` makes this board of."""
    return _write_table(board) if board.shape == OWN else board.shape


def read_neighbourhood(word: str, rows: int, cols: int) -> Topology:
    """Return the board of this size whose neighbourhood the word says, or raise `InputError`."""
    if _is_shape(word):
        return topology(word, rows, cols)
    if not word.startswith(_PREFIX):
        raise InputError(f"{word[:40]!r} does not say which cells touch; write {', '.join(SHAPES)} or own:TABLE.")
    return _read_table(word, *check_size(rows, cols))


def _is_shape(word: str) -> TypeGuard[Shape]:
    return word in SHAPES


@lru_cache(maxsize=16)  # the same few boards are written over and over: in every record and every position
def _write_table(board: Topology) -> str:
    later = (
        ",".join(str(other) for other in board.neighbours_of(cell) if other > cell) for cell in range(board.n_cells)
    )
    return _PREFIX + "/".join(later).rstrip("/")


@lru_cache(maxsize=16)
def _read_table(word: str, rows: int, cols: int) -> Topology:
    text, n_cells = word.removeprefix(_PREFIX), rows * cols
    if not _TABLE.fullmatch(text):
        raise InputError(
            f"{word[:40]!r} is not a table of neighbours: write the numbers of cells with commas between them, and a "
            "slash after each cell."
        )
    found = text.split("/")
    if len(found) > n_cells:
        raise InputError(f"The table of neighbours has {len(found):,} cells, but the board has only {n_cells:,}.")
    around: list[set[int]] = [set() for _ in range(n_cells)]
    for cell, numbers in enumerate(found):
        for number in numbers.split(",") if numbers else ():
            other = int(number)
            around[cell].add(other)
            if other < n_cells:  # the board itself says what is wrong with others
                around[other].add(cell)
    return Topology.of_neighbours(rows, cols, [sorted(others) for others in around])
