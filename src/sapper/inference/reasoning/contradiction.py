"""Proof by contradiction, as in report 002: assume, follow the two rules, and see whether a clue cannot hold.

The report takes the least involved variable, the unknown cell that the fewest clues touch, and assumes a mine there; so
it can only prove cells safe, one at a time (`deduce_least_involved`). `deduce_contradictions` assumes both answers for
every cell on the frontier. Neither splits a case again, so what takes two assumptions at once is beyond both.
"""

from __future__ import annotations

from collections.abc import Iterable

from sapper.inference.facts import Facts, cells_of
from sapper.inference.reasoning.single import CONTRADICTION, Deduction, deduce, name_clue


def deduce_least_involved(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Assume a mine in the unknown cell that the fewest clues touch; the lowest of several. Linear in the frontier.

    All clues are examined: which variable is least involved depends on the whole board.

    >>> from sapper.inference.facts import Facts
    >>> from sapper.observation import Observation
    >>> facts = Facts(Observation.parse("###/111"))
    >>> [str(found) for found in deduce_least_involved(facts, [])]
    ['(0, 0) is safe: if it were a mine, the 1 at (1, 2) would run out of cells.']
    """
    del clues
    involved: dict[int, int] = {}
    for clue in facts.clues:
        for cell in cells_of(facts.statement(clue)[0]):
            involved[cell] = involved.get(cell, 0) + 1
    if not involved:
        return []
    cell = min(involved, key=lambda one: (involved[one], one))
    return _refute(facts, cell, True)


def deduce_contradictions(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Assume a mine, and then none, in every unknown cell connected with these clues, once."""
    found: list[Deduction] = []
    connected = facts.connected(clues)
    cells = 0
    for clue in connected:
        cells |= facts.statement(clue)[0]
    for cell in cells_of(cells):
        for is_mine in (True, False):
            if facts.unknown >> cell & 1:
                found += _refute(facts, cell, is_mine)
    return found


def _refute(facts: Facts, cell: int, is_mine: bool) -> list[Deduction]:
    """Assume that a cell is a mine, or is not; if that cannot be, deduce the opposite."""
    refuted = follow(facts, cell, is_mine)
    if refuted is None:
        return []
    broken, used, too_many = refuted
    what = "touch too many mines" if too_many else "run out of cells"
    reason = f"if it were {'a mine' if is_mine else 'safe'}, {name_clue(facts, broken)} would {what}"
    return deduce(facts, [cell], not is_mine, CONTRADICTION, sorted(used), reason)


def follow(facts: Facts, cell: int, is_mine: bool) -> tuple[int, set[int], bool] | None:
    """Follow the two rules from an assumption.

    Return the clue that cannot hold, the clues that led there and whether it has too many mines rather than too few, or
    None if every clue may hold.
    """
    unknown, mines = facts.unknown & ~(1 << cell), facts.mines | (1 << cell if is_mine else 0)
    causes: dict[int, int] = {}  # cell that was settled → the clue that did it
    waiting = [clue for clue in facts.neighbours[cell] if clue in facts.clues]
    while waiting:
        clue = waiting.pop(0)
        low, high = facts.clues[clue]
        around = facts.around[clue]
        known = (around & mines).bit_count()
        cells = around & unknown
        n_cells = cells.bit_count()
        if high < known or low - known > n_cells:
            return clue, _trace(facts, clue, causes), high < known
        if not cells or (high != known and low - known != n_cells):
            continue
        unknown &= ~cells
        if high != known:
            mines |= cells
        for settled in cells_of(cells):
            causes[settled] = clue
            waiting += [other for other in facts.neighbours[settled] if other in facts.clues and other != clue]
    return None


def _trace(facts: Facts, broken: int, causes: dict[int, int]) -> set[int]:
    """The clues that a contradiction rests on: the broken one, and those that settled cells around it, and so on."""
    used = {broken}
    waiting = [broken]
    while waiting:
        for cell in facts.neighbours[waiting.pop()]:
            clue = causes.get(cell)
            if clue is not None and clue not in used:
                used.add(clue)
                waiting.append(clue)
    return used
