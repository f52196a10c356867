"""Explanations in words: the lines of a proof, the clues behind it, and the risk of an uncertain cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sapper.channel import ALWAYS_WRONG
from sapper.inference.facts import Bounded, Facts, cells_of
from sapper.inference.posterior.cores import TOTAL
from sapper.inference.proofs.proof import (
    Absurdity,
    BoxBound,
    Counted,
    Crowded,
    Difference,
    Hence,
    LeftOver,
    NotRight,
    OverTotal,
    ProofLine,
    RestMines,
    RestSafe,
    Right,
    Shared,
    Sparse,
    Suppose,
    TooFew,
    TooMany,
    UnderTotal,
)
from sapper.inference.reasoning.single import name_clue, name_clues
from sapper.observation import Observation
from sapper.topology import Cell
from sapper.words import capital, count, count_mines, join_words, name_cells, name_sources, percent, plural

if TYPE_CHECKING:
    from sapper.inference.proofs.explain import CellRisk, Explanation, Share

# No clue touches more cells; larger sets are all the cells that no clue of a proof touches.
_MAX_NAMED = 8


class ProofStep(NamedTuple):
    """One step: between ``fewest`` and ``most`` mines lie in ``cells``, because of clues and earlier steps.

    A step of the rule ``suppose`` assumes that instead, and steps of its depth rest on it until one of
    `proof.ABSURDITIES` shows that a clue, or the total, cannot hold; ``hence`` then concludes the opposite.

    sentence: the step in words.
    rule: the name of the rule, that of a class in `proof`.
    cells: the cells that it is about.
    fewest, most: the mines in them.
    clues: the clues that it uses.
    total: whether it uses the number of mines on the board.
    after: the earlier steps that it rests on, numbered from 1.
    depth: how many suppositions it stands under.
    """

    sentence: str
    rule: str
    cells: tuple[Cell, ...]
    fewest: int
    most: int
    clues: tuple[Cell, ...]
    total: bool
    after: tuple[int, ...]
    depth: int


def put_into_words(facts: Facts, lines: tuple[ProofLine, ...]) -> tuple[ProofStep, ...]:
    """Return a proof as steps; ``facts`` are those of the position with nothing deduced."""
    words = _Words(facts)
    cols = facts.board.cols
    return tuple(
        ProofStep(
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

    def sentence(self, line: ProofLine) -> str:
        match line:
            case Suppose():
                also = "" if line.depth == 1 else "also "
                return f"Suppose {also}that {self._cells(line.cells)} is {'a mine' if line.low else 'safe'}."
            case Hence():
                return f"So {self._claim(line)}."
            case Counted():
                return capital(f"{self._count(line)}.")
            case Absurdity():
                return capital(f"{self._why_absurd(line)}, which cannot be.")
        return capital(f"{self._why(line)}, so {self._claim(line)}.")

    def _why(self, line: ProofLine) -> str:
        match line:
            case RestSafe():
                return self._mines_found(line)
            case RestMines():
                return self._no_room(line)
            case Difference():
                clues = iter(line.sources)
                places = []
                for cells, _, _ in (line.larger, line.smaller):
                    # A statement that an earlier step made is taken from there whole; all others are what a clue says.
                    steps = [number + 1 for number, taken in line.needs if taken == cells]
                    places.append(f"{self._cells(cells)} ({f'step {steps[0]}' if steps else self._clue(next(clues))})")
                return f"there {_bounds(line.larger)} in {places[0]} and {_number(line.smaller)} in {places[1]}"
            case Shared():
                return self._shared(line)
            case BoxBound():
                verb = "can" if line.low else "must"
                held = [f"{_number(said)} {verb} lie in {self._cells(said[0])}" for said in _join_empty(line.others)]
                has = self._has(line.sources[0], bool(line.low))
                return f"{has}, of which {join_words(held)}" if held else has
            case NotRight():
                mines = line.mines | self._exploded(line.sources[0])
                touches = f"already touches {count_mines(mines.bit_count())}, {self._cells(mines)}"
                return f"{self._clue(line.sources[0])} is wrong and {touches if mines else 'touches no other mine'}"
            case LeftOver():
                if line.high == 0:
                    return f"these are all: {self._mines_left()}"
                n = line.rest.bit_count()
                others = "the only other cell" if n == 1 else f"the {n} other cells"
                return f"{self._mines_left()}: {line.n_mines} of them must lie in {others}"
        raise TypeError(line)

    def _mines_found(self, line: RestSafe) -> str:
        source = line.sources[0]
        if source == TOTAL:
            total = self._facts.total
            return "there is no mine on the board" if not total else f"all {count_mines(total)} of the board are found"
        _, most = self._facts.clues[source]
        if most == 0:
            return f"{self._clue(source)} touches no mine"
        mines = self._cells(line.mines | self._exploded(source))
        if self._is_plain(source):
            return f"{self._clue(source)} has its {_mines(most)} at {mines}"
        return f"{self._clue(source)} touches at most {count_mines(most)}, found at {mines}"

    def _no_room(self, line: RestMines) -> str:
        source = line.sources[0]
        if source == TOTAL:
            n = line.left.bit_count()
            return f"{count_mines(n)} and only {n} {'cell is' if n == 1 else 'cells are'} left on the board"
        return f"{self._clue(source)} has only {self._cells(line.left)} left for {self._its_mines(source)}"

    def _shared(self, line: Shared) -> str:
        (common, least, most), (_, low, high) = line.common, line.first
        one, other = (self._clue(source) for source in line.sources)
        if line.high:
            limits = f"{other} allows at most {most} in {self._cells(common)}"
        else:
            limits = f"{other} puts at least {least} in {self._cells(common)}"
        return f"{one} has {count_mines(low if line.high else high)} left to place and {limits}"

    def _has(self, source: int, needs: bool) -> str:
        """Say what a clue, or the board, has in hidden cells: at least, if it ``needs`` mines, or at most."""
        if source == TOTAL:
            return self._mines_left()
        _, low, high = self._facts.statement(source)
        bound = "" if self._is_plain(source) else "at least " if needs else "at most "
        other = "other " if self._exploded(source) else ""
        n = low if needs else high
        return f"{self._clue(source)} has {bound}{n} {other}{plural(n, 'mine')}"

    def _count(self, line: ProofLine) -> str:
        touched = 0
        for source in line.sources:
            touched |= self._facts.around[source] & self._facts.unknown
        several = len(line.sources) > 1
        apart = sum((self._facts.around[source] & self._facts.unknown).bit_count() for source in line.sources)
        many = len(line.sources) > _MAX_NAMED
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

    def _why_absurd(self, line: Absurdity) -> str:
        source = line.sources[0]
        match line:
            case Crowded() | Sparse():
                held = join_words([f"{_number(said)} in {self._cells(said[0])}" for said in _join_empty(line.boxes)])
                return f"{self._has(source, isinstance(line, Sparse))}, but there would be {held}"
            case OverTotal():
                return f"but {self._mines_left()}"
            case UnderTotal():
                room = f"only {count(line.rest.bit_count(), 'other cell')}" if line.rest else "no other cell"
                return f"{self._mines_left()} and at least {line.n_mines} of them would have {room} to lie in"
            case TooMany() if source == TOTAL:
                return f"there would be {count_mines(line.mines.bit_count())} where {self._mines_left()}"
            case TooFew() if source == TOTAL:
                room = f"only {count(line.left.bit_count(), 'cell')}" if line.left else "no other cell"
                return f"{self._mines_left()} and all of them would have {room} to lie in"
            case TooMany():
                mines = line.mines | self._exploded(source)
                at_most = "" if self._is_plain(source) else f" and not at most {self._facts.clues[source][1]}"
                touched = f"{count_mines(mines.bit_count())}{at_most}, {self._cells(mines)}"
                return f"{self._clue(source)} would touch {touched}"
            case TooFew():
                left = f"only {self._cells(line.left)}" if line.left else "no cell"
                return f"{self._clue(source)} would have {left} left for {self._its_mines(source)}"
            case Right():
                mines = line.mines | self._exploded(source)
                touched = f"{count_mines(mines.bit_count())}, {self._cells(mines)}," if mines else "no mine"
                return f"{self._clue(source)} would touch {touched} and be right"
        raise TypeError(line)

    def _mines_left(self) -> str:
        assert self._facts.total is not None
        left = self._facts.total - self._facts.mines.bit_count()
        has = f"the board has {count_mines(left)}"
        return f"{has} besides those already found" if self._facts.mines else has

    def _its_mines(self, source: int) -> str:
        """Say which mines a clue needs among hidden cells, before anything is deduced."""
        _, low, _ = self._facts.statement(source)
        other = "other " if self._exploded(source) else ""
        if self._is_plain(source):
            return f"its {other}mine" if low == 1 else f"its {low} {other}mines"
        return f"the {other}{_mines(low)} that it needs at least"

    def _claim(self, line: ProofLine) -> str:
        cells, low, high = line.cells, line.low, line.high
        n = cells.bit_count()
        are = f"{self._cells(cells)} {'is' if n == 1 else 'are'}"
        if high == 0:
            return f"{are} safe"
        if low == n:
            return f"{are} {'a mine' if n == 1 else 'mines'}"
        return f"there {_bounds((cells, low, high))} in {self._cells(cells)}"

    def _cells(self, mask: int) -> str:
        if mask.bit_count() > _MAX_NAMED:
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
    """Merge the boxes without mines."""
    empty = sum(cells for cells, _, high in boxes if high == 0)
    return [*([(empty, 0, 0)] if empty else []), *(said for said in boxes if said[2])]


_MAX_SAFEST = 4  # of the safest cells, those that are named


def name_grounds(found: Explanation) -> str:
    """Name what proves a cell: ``the 1 at (0, 0) and the total of 2 mines``; empty if it is uncertain."""
    seen = found.observation
    clues = [_name_clue(seen, clue) for clue in found.clues]
    return join_words(name_sources(clues, seen.total if found.total else None))


def because(found: Explanation) -> str:
    """Return the same as a clause: ``because of the 1 at (0, 0)``."""
    return f"because of {name_grounds(found)}"


def summarise(found: Explanation) -> tuple[str, ...]:
    """Say everything but the steps of a proof, a sentence each."""
    if found.risk is not None:
        return _describe_risk(found.observation, found.risk)
    said = f"{found.cell} is {'a mine' if found.verdict == 'mine' else 'safe'} {because(found)}."
    return (said,) if found.is_smallest else (said, "There may be a shorter proof.")


def _describe_risk(seen: Observation, risk: CellRisk) -> tuple[str, ...]:
    said = [f"{risk.cell} is uncertain: it has a {_percent(risk.p_mine)} chance of being a mine."]
    others = [cell for cell in risk.best if cell != risk.cell]
    are = "is" if len(others) == 1 else "are"
    if risk.cell in risk.best:
        as_safe = f", and {name_cells(others, _MAX_SAFEST)} {are} as safe" if others else ""
        said.append(f"No cell is safer{as_safe}.")
    else:
        least = "safe" if risk.p_best == 0.0 else f"safest, with a risk of {_percent(risk.p_best)}"
        points = _percent(risk.cost).removesuffix("%")
        said.append(
            f"{name_cells(others, _MAX_SAFEST)} {are} {least}: "
            f"choosing {risk.cell} instead costs {points} percentage points."
        )
    zero = "It cannot show a 0" if risk.p_zero == 0.0 else f"It has a {_percent(risk.p_zero)} chance of showing a 0"
    shares = [_describe_share(seen, share) for share in risk.shares]
    return (*said, f"{zero}.", *(shares or ["No clue touches it."]))


def _describe_share(seen: Observation, share: Share) -> str:
    cells = f"{count(share.n_cells, 'uncertain cell')}"
    if share.fewest == share.most:
        each = _percent(share.most / share.n_cells)
        mines = count_mines(share.most)
    else:
        low, high = share.fewest / share.n_cells, share.most / share.n_cells
        each = f"{percent(low, low == 0.0, 1)} to {percent(high, high == 1.0, 1)}"
        # A clue that is always wrong leaves out what is in between.
        mines = f"{share.fewest} {'or' if seen.channel == ALWAYS_WRONG else 'to'} {count_mines(share.most)}"
    return f"{capital(_name_clue(seen, share.clue))}, taken alone, has {mines} left for {cells}: {each} each."


def _name_clue(seen: Observation, clue: Cell) -> str:
    return f"the {seen.cells[clue]} at {clue}"


def _percent(p: float) -> str:
    return percent(p, False, 1)
