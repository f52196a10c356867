"""The lines of a proof as sentences that a person can follow.

What is to be said of a cell that may or may not be a mine: its risk, and what choosing it costs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sapper.channel import ALWAYS_WRONG
from sapper.inference.facts import cells_of
from sapper.inference.posterior.cores import TOTAL
from sapper.inference.proofs import proof as rules
from sapper.inference.reasoning.single import name_clue, name_clues
from sapper.words import count, count_mines, join_words, name_cells, percent, plural

if TYPE_CHECKING:
    from sapper.inference.facts import Bounded, Facts
    from sapper.inference.proofs.explain import Risk, Share
    from sapper.inference.proofs.proof import Line
    from sapper.topology import Cell


# No clue touches more cells; larger sets are all the cells that no clue of a proof touches.
_MOST_NAMED = 8


class Step(NamedTuple):
    """One step: between ``fewest`` and ``most`` mines lie in these cells, by these clues and earlier steps.

    A step of the rule ``suppose`` assumes that instead, and steps of its depth rest on it until one of `ABSURDITIES`
    shows that a clue, or the total, cannot hold; ``hence`` is then the opposite of what was supposed.
    """

    sentence: str
    rule: str  # one of those named in `proof`
    cells: tuple[Cell, ...]
    fewest: int
    most: int
    clues: tuple[Cell, ...]  # clues that it uses
    total: bool  # whether it uses the number of mines on the board
    after: tuple[int, ...]  # numbers, from 1, of the earlier steps that it rests on
    depth: int  # suppositions that it stands under


def put_into_words(facts: Facts, lines: tuple[Line, ...]) -> tuple[Step, ...]:
    """Return a proof as steps; ``facts`` are those of the position with nothing deduced."""
    words = _Words(facts)
    cols = facts.board.cols
    return tuple(
        Step(
            words.sentence(line),
            line.rule,
            tuple(divmod(cell, cols) for cell in cells_of(line.cells)),
            line.low,
            line.high,
            tuple(divmod(source, cols) for source in sorted(line.sources) if source != TOTAL),
            TOTAL in line.sources,
            tuple(sorted({number + 1 for number, _ in line.needs})),
            line.depth,
        )
        for line in lines
    )


class _Words:
    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def sentence(self, line: Line) -> str:
        if line.rule == rules.SUPPOSE:
            also = "" if line.depth == 1 else "also "
            return f"Suppose {also}that {self._cells(line.cells)} is {'a mine' if line.low else 'clear'}."
        if line.rule == rules.HENCE:
            return f"So {self._claim(line)}."
        if line.rule == rules.COUNT:
            return _capital(f"{self._count(line)}.")
        if line.rule in rules.ABSURDITIES:
            why = self._why_not_the_total if line.sources[0] == TOTAL else self._why_not_the_clue
            return _capital(f"{why(line)}, which cannot be.")
        because = {
            rules.REST_CLEAR: self._mines_found,
            rules.REST_MINES: self._no_room,
            rules.DIFFERENCE: self._difference,
            rules.SHARED: self._shared,
            rules.BOX: self._other_boxes,
            rules.NOT_RIGHT: self._not_right,
            rules.LEFT_OVER: self._left_over,
        }[line.rule]
        return _capital(f"{because(line)}, so {self._claim(line)}.")

    def _mines_found(self, line: Line) -> str:
        source = line.sources[0]
        if source == TOTAL:
            total = self._facts.total
            return "there is no mine on the board" if not total else f"all {count_mines(total)} of the board are found"
        _, most = self._facts.clues[source]
        if most == 0:
            return f"{self._clue(source)} touches no mine"
        mines = self._cells(line.via[0][0] | self._exploded(source))
        if self._is_plain(source):
            return f"{self._clue(source)} has its {_mines(most)} at {mines}"
        return f"{self._clue(source)} touches at most {count_mines(most)}, found at {mines}"

    def _no_room(self, line: Line) -> str:
        left, low, _ = line.via[0]
        source = line.sources[0]
        if source == TOTAL:
            only = "cell is" if low == 1 else "cells are"
            return f"{count_mines(low)} and only {low} {only} left on the board"
        return f"{self._clue(source)} has only {self._cells(left)} left for {self._its_mines(source)}"

    def _difference(self, line: Line) -> str:
        clues = iter(line.sources)
        said = []
        for cells, low, high in line.via:
            # A statement that an earlier step made is taken from there whole; all others are what a clue says.
            steps = [number + 1 for number, taken in line.needs if taken == cells]
            origin = f"step {steps[0]}" if steps else self._clue(next(clues))
            said.append(f"{_number((cells, low, high))} in {self._cells(cells)} ({origin})")
        place = said[0].split(" in ", 1)[1]
        return f"there {_bounds(line.via[0])} in {place} and {said[1]}"

    def _shared(self, line: Line) -> str:
        (common, least, most), (_, low, high) = line.via
        one, other = (self._clue(source) for source in line.sources)
        if line.high:
            has, limit = low, f"at most {most} can"
        else:
            has, limit = high, f"at least {least} must"
        return f"{one} has {count_mines(has)} left to place and by {other} {limit} lie in {self._cells(common)}"

    def _other_boxes(self, line: Line) -> str:
        verb = "can" if line.low else "must"
        held = [f"{_number(said)} {verb} lie in {self._cells(said[0])}" for said in _join_empty(line.via)]
        has = self._has(line.sources[0], bool(line.low))
        return f"{has}, of which {join_words(held)}" if held else has

    def _not_right(self, line: Line) -> str:
        mines = line.via[0][0] | self._exploded(line.sources[0])
        touches = f"already touches {count_mines(mines.bit_count())}, {self._cells(mines)}"
        return f"{self._clue(line.sources[0])} is wrong and {touches if mines else 'touches no other mine'}"

    def _has(self, source: int, needs: bool) -> str:
        """What a clue, or the board, has in hidden cells: at least, if it ``needs`` mines, or at most."""
        if source == TOTAL:
            return self._mines_left()
        _, low, high = self._facts.statement(source)
        bound = "" if self._is_plain(source) else "at least " if needs else "at most "
        other = "other " if self._exploded(source) else ""
        n = low if needs else high
        return f"{self._clue(source)} has {bound}{n} {other}{plural(n, 'mine')}"

    def _count(self, line: Line) -> str:
        touched = 0
        for source in line.sources:
            touched |= self._facts.around[source] & self._facts.unknown
        several = len(line.sources) > 1
        apart = sum((self._facts.around[source] & self._facts.unknown).bit_count() for source in line.sources)
        many = len(line.sources) > _MOST_NAMED
        named = f"these {len(line.sources)} clues" if many else name_clues(self._facts, line.sources)
        if several and apart == touched.bit_count():
            how = f"{named} share no hidden cell"
        else:
            how = f"whatever way {named} {'are' if several else 'is'} met"
        cells = f"the {touched.bit_count()} hidden cells around {'them' if several else 'it'}"
        beside = line.cells & ~touched
        if beside:
            cells = f"{cells} and {self._cells(beside)}"
        amount = f"at least {count_mines(line.low)}" if line.low else f"at most {count_mines(line.high)}"
        return f"{how}{' and' if how.endswith('cell') else ','} {cells} hold {amount}{' together' if beside else ''}"

    def _left_over(self, line: Line) -> str:
        rest, fewest, _ = line.via[0]
        if line.high == 0:
            return f"these are all: {self._mines_left()}"
        n = rest.bit_count()
        others = "the only other cell" if n == 1 else f"the {n} other cells"
        return f"{self._mines_left()}: {fewest} of them must lie in {others}"

    def _why_not_the_clue(self, line: Line) -> str:
        source = line.sources[0]
        if line.rule in (rules.CROWDED, rules.SPARSE):
            return self._why_not_the_boxes(line)
        cells = line.via[0][0]
        if line.rule == rules.TOO_FEW:
            left = f"only {self._cells(cells)}" if cells else "no cell"
            return f"{self._clue(source)} would have {left} left for {self._its_mines(source)}"
        mines = cells | self._exploded(source)
        if line.rule == rules.RIGHT:
            touched = f"{count_mines(mines.bit_count())}, {self._cells(mines)}," if mines else "no mine"
            return f"{self._clue(source)} would touch {touched} and be right"
        at_most = "" if self._is_plain(source) else f" and not at most {self._facts.clues[source][1]}"
        return f"{self._clue(source)} would touch {count_mines(mines.bit_count())}{at_most}, {self._cells(mines)}"

    def _why_not_the_boxes(self, line: Line) -> str:
        held = join_words([f"{_number(said)} in {self._cells(said[0])}" for said in _join_empty(line.via)])
        has = self._has(line.sources[0], line.rule == rules.SPARSE)
        return f"{has}, but there would be {held}"

    def _why_not_the_total(self, line: Line) -> str:
        if line.rule in (rules.CROWDED, rules.SPARSE):
            return self._why_not_the_boxes(line)
        cells, least, most = line.via[0]
        if line.rule == rules.TOO_MANY:
            return f"there would be {count_mines(most)} where {self._mines_left()}"
        if line.rule == rules.OVER_TOTAL:
            return f"but {self._mines_left()}"
        n = cells.bit_count()
        room = f"only {n} {'other ' if line.rule == rules.UNDER_TOTAL else ''}{plural(n, 'cell')}"
        wanted = f"at least {least}" if line.rule == rules.UNDER_TOTAL else "all"
        return f"{self._mines_left()} and {wanted} of them would have {room if n else 'no other cell'} to lie in"

    def _mines_left(self) -> str:
        assert self._facts.total is not None
        left = self._facts.total - self._facts.mines.bit_count()
        known = " besides those already found" if self._facts.mines else ""
        return f"the board has {count_mines(left)}{known}"

    def _its_mines(self, source: int) -> str:
        """The mines that a clue needs among hidden cells, as it was when nothing was deduced."""
        _, low, _ = self._facts.statement(source)
        other = "other " if self._exploded(source) else ""
        if self._is_plain(source):
            return f"its {other}mine" if low == 1 else f"its {low} {other}mines"
        return f"the {other}{_mines(low)} that it needs at least"

    def _claim(self, line: Line) -> str:
        cells, low, high = line.cells, line.low, line.high
        n = cells.bit_count()
        are = f"{self._cells(cells)} {'is' if n == 1 else 'are'}"
        if high == 0:
            return f"{are} clear"
        if low == n:
            return f"{are} {'a mine' if n == 1 else 'mines'}"
        return f"there {_bounds((cells, low, high))} in {self._cells(cells)}"

    def _cells(self, mask: int) -> str:
        if mask.bit_count() > _MOST_NAMED:
            return f"{mask.bit_count()} other cells"
        cols = self._facts.board.cols
        return join_words([str(divmod(cell, cols)) for cell in cells_of(mask)])

    def _clue(self, source: int) -> str:
        return name_clue(self._facts, source)

    def _exploded(self, source: int) -> int:
        return self._facts.around[source] & self._facts.mines

    def _is_plain(self, source: int) -> bool:
        """Whether the clue is the number of mines around it, and not a bound on it."""
        low, high = self._facts.clues[source]
        return low == high == self._facts.shown(source)


def _mines(n: int) -> str:
    """Say how many mines something has, after "its": ``mine``, ``2 mines``."""
    return "mine" if n == 1 else f"{n} mines"


def _number(said: Bounded) -> str:
    """Say how many mines some cells hold.

    >>> [_number((7, low, high)) for low, high in ((0, 0), (1, 1), (0, 2), (2, 3), (1, 2))]
    ['none', '1', 'at most 2', 'at least 2', '1 to 2']
    """
    cells, low, high = said
    if high == 0:
        return "none"
    if low == high:
        return str(low)
    if low == 0:
        return f"at most {high}"
    return f"at least {low}" if high == cells.bit_count() else f"{low} to {high}"


def _bounds(said: Bounded) -> str:
    """Say it as a verb with its mines: ``is 1 mine``, ``are at least 2 mines``."""
    number = _number(said)
    return f"is {number} mine" if number.split()[-1] == "1" else f"are {number} mines"


def _join_empty(boxes: tuple[Bounded, ...]) -> list[Bounded]:
    """The same boxes, those without mines as one."""
    empty = sum(cells for cells, _, high in boxes if high == 0)
    return [*([(empty, 0, 0)] if empty else []), *(said for said in boxes if said[2])]


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


# So many of the best cells are named; the value has them all.
_MOST_SHARES = 4


def describe_risk(facts: Facts, risk: Risk) -> tuple[str, ...]:
    """Return what there is to say of an uncertain cell, a sentence each."""
    said = [f"{risk.cell} is not certain: it is a mine with a chance of {_percent(risk.p_mine)}."]
    others = [cell for cell in risk.best if cell != risk.cell]
    if risk.cell in risk.best:
        as_good = (
            f", and {name_cells(others, _MOST_SHARES)} {'is' if len(others) == 1 else 'are'} as good" if others else ""
        )
        said.append(f"No cell has less risk{as_good}.")
    else:
        least = "safe" if risk.p_best == 0.0 else f"safest, with {_percent(risk.p_best)}"
        are = "is" if len(others) == 1 else "are"
        said.append(
            f"{name_cells(others, _MOST_SHARES)} {are} {least}: "
            f"choosing {risk.cell} instead costs {_points(risk.cost)}."
        )
    zero = "It cannot show a 0" if risk.p_zero == 0.0 else f"It shows a 0 with a chance of {_percent(risk.p_zero)}"
    said.append(f"{zero}.")
    shares = [_describe_share(facts, share) for share in risk.shares]
    return (*said, *(shares or ["No clue touches it."]))


def _describe_share(facts: Facts, share: Share) -> str:
    clue = name_clue(facts, facts.board.index(*share.clue))
    cells = f"{count(share.n_cells, 'uncertain cell')}"
    if share.fewest == share.most:
        each = _percent(share.most / share.n_cells)
        mines = count_mines(share.most)
    else:
        low, high = share.fewest / share.n_cells, share.most / share.n_cells
        each = f"{percent(low, low == 0.0, 1)} to {percent(high, high == 1.0, 1)}"
        # A clue that is always wrong leaves out what is in between.
        mines = f"{share.fewest} {'or' if facts.channel == ALWAYS_WRONG else 'to'} {count_mines(share.most)}"
    return f"{clue[0].upper()}{clue[1:]}, taken alone, has {mines} left for {cells}: {each} each."


def _percent(p: float) -> str:
    return percent(p, False, 1)


def _points(cost: float) -> str:
    points = percent(cost, False, 1).removesuffix("%")
    return f"{points} percentage points"
