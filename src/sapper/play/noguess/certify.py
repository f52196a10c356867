"""Prove that a layout needs no guess, step by step, each by the easiest reasoning and few clues.

The prover plays the game that the certificate describes. It uses single clues as long as they prove anything, then
subsets, pairs, connected clues and finally the number of mines. For the last two it searches a small set of clues: it
adds those around the cell, ring by ring, until they prove it, then drops every one that is not needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

import numpy as np

from sapper.errors import NeedsGuess, RulesError
from sapper.inference.facts import Bounded, Facts, cells_of
from sapper.inference.posterior.subproblem import Subproblem
from sapper.inference.reasoning.single import SINGLE, SUBSET, Deduction, deduce_single
from sapper.inference.reasoning.subsets import deduce_pairs, deduce_subsets, settled_by_subsets
from sapper.kernels import Field, reveal
from sapper.layout import Layout
from sapper.observation import HIDDEN, Observation
from sapper.play.noguess.certificate import HARDEST_KIND, KINDS, Certificate, CertificateStep
from sapper.play.noguess.generate import Reasoning, usual_reasoning
from sapper.rules import Rules
from sapper.topology import Cell

# Cells that are equally hard to prove, tried for the fewest clues.
_MAX_CANDIDATES = 6

_EASY_WAYS = {"subset": deduce_subsets, "pair": deduce_pairs}


def certify(rules: Rules | str, layout: Layout | str, first: Cell, reasoning: Reasoning | None = None) -> Certificate:
    """Return the certificate of a layout, or raise `NeedsGuess`; tens of milliseconds on an expert board.

    >>> from sapper.layout import Layout
    >>> from sapper.rules import Rules
    >>> rules, layout = Rules.parse("3x4/2"), Layout.parse("*---/*---/----")
    >>> certificate = certify(rules, layout, first=(0, 3))
    >>> certificate.hardest, certificate.score, certificate.steps[-1]
    ('single', 2, CertificateStep(kind='single', clues=((1, 1),), safe=((2, 0),), mines=()))
    >>> certify(rules, layout, first=(1, 1)).hardest
    'total'
    >>> certify(rules, layout, first=(1, 1), reasoning="complete")
    Traceback (most recent call last):
    ...
    sapper.errors.NeedsGuess: From (1, 1) the reasoning 'complete' proves 1 of 10 safe cells and then gets stuck.
    """
    rules = Rules.of(rules)
    layout = Layout.given(layout, rules.topology)
    if layout.topology != rules.topology or layout.n_mines != rules.mines:
        raise RulesError(f"The layout does not fit the rules {rules.in_short}.")
    chosen = usual_reasoning(rules) if reasoning is None else reasoning
    opened = layout.topology.number(first)
    if layout.mines.flat[opened]:
        raise NeedsGuess(f"The first cell {layout.topology.cell(opened)} is a mine.")
    player = _Player(rules, layout, opened, chosen)
    return Certificate(rules, layout, layout.topology.cell(opened), chosen, tuple(player.play()))


class _Player:
    """Clears a layout and records every step."""

    def __init__(self, rules: Rules, layout: Layout, first: int, reasoning: str) -> None:
        self.rules = rules
        self.first = first
        self.reasoning = reasoning
        self.board = layout.topology
        self.cells = np.full(self.board.n_cells, HIDDEN, dtype=np.int8)
        opened = np.empty(self.board.n_cells, dtype=np.int32)
        self.field = Field(self.cells, layout.clues().ravel(), opened)
        self.n_left = self.board.n_cells - rules.mines
        self.steps: list[CertificateStep] = []
        self._open(first)
        self.facts = Facts(self._look())
        self.news = dict.fromkeys(_EASY_WAYS, 0)  # per kind of reasoning, as bit sets: the clues to look at again
        kinds = KINDS[: KINDS.index(HARDEST_KIND[reasoning]) + 1]
        hard: dict[str, Callable[[], None]] = {"complete": self._reason_completely, "total": self._reason_with_total}
        self.hard_ways = [way for kind, way in hard.items() if kind in kinds]
        self.easy_kinds = [kind for kind in _EASY_WAYS if kind in kinds]

    def play(self) -> list[CertificateStep]:
        """Clear the board."""
        while self.n_left:
            self._reason()
            if not self.facts.safe:
                n_safe = self.board.n_cells - self.rules.mines
                raise NeedsGuess(
                    f"From {self.board.cell(self.first)} the reasoning {self.reasoning!r} proves "
                    f"{n_safe - self.n_left} of {n_safe} safe cells and then gets stuck."
                )
            self.facts.take(self._look())
        return self.steps

    def _open(self, cell: int) -> None:
        self.n_left -= reveal(self.field, self.board.graph, cell, self.rules.cascade)

    def _look(self) -> Observation:
        total = self.rules.mines if self.rules.total_known else None
        return Observation.of_game(self.board, self.cells, total, self.rules.channel)

    def _reason(self) -> None:
        """Record what follows by the easiest reasoning that proves a cell safe."""
        while True:
            self._note(deduce_single(self.facts, self._take_news()))
            self._take_news()
            if self.facts.safe:
                return
            if any(self._reason_easily(kind) for kind in self.easy_kinds):
                continue
            n_steps = len(self.steps)
            for way in self.hard_ways:
                way()
                if len(self.steps) > n_steps:
                    break
            else:
                return

    def _take_news(self) -> list[int]:
        touched, self.facts.touched = self.facts.touched, 0
        for kind in self.news:
            self.news[kind] |= touched
        return cells_of(touched)

    def _reason_easily(self, kind: str) -> bool:
        clues, self.news[kind] = self.news[kind], 0
        before = self.facts.unknown, self.facts.mines
        found = _EASY_WAYS[kind](self.facts, cells_of(clues))
        self._note(found, before)
        return bool(found)

    def _note(self, found: list[Deduction], before: tuple[int, int] = (0, 0)) -> None:
        """Record deductions, those from the same clues as one step.

        ``before`` is what was unknown and what were mines when they were made. Subset deductions were made together,
        but a step may use earlier ones, and then needs fewer clues.
        """
        cols = self.board.cols
        unknown, mines = before
        for (kind, sources), group in groupby(found, key=lambda one: (one.rule, one.clues)):
            cells: tuple[list[int], list[int]] = ([], [])
            for one in group:
                cells[one.is_mine].append(one.cell[0] * cols + one.cell[1])
            clues = tuple(row * cols + col for row, col in sources)
            if kind == SUBSET:
                clues = self._fewest_subsets(clues, cells, unknown, mines)
                unknown &= ~sum(1 << cell for some in cells for cell in some)
                mines |= sum(1 << cell for cell in cells[True])
            self._write(SINGLE if len(clues) == 1 else kind, clues, *cells)

    def _fewest_subsets(
        self, clues: tuple[int, ...], cells: tuple[list[int], list[int]], unknown: int, mines: int
    ) -> tuple[int, ...]:
        """Drop clues as long as the others still prove these cells, given what was known before."""
        facts = self.facts
        said: dict[int, Bounded] = {}
        for clue in clues:
            n = facts.clues[clue][0] - (facts.around[clue] & mines).bit_count()
            said[clue] = facts.around[clue] & unknown, n, n
        wanted = [sum(1 << cell for cell in some) for some in cells]
        for clue in clues:
            fewer = {other: one for other, one in said.items() if other != clue}
            if all(not want & ~have for want, have in zip(wanted, settled_by_subsets(fewer), strict=True)):
                said = fewer
        return tuple(said)

    def _write(self, kind: str, clues: tuple[int, ...], safe: list[int], mines: list[int]) -> None:
        """Record a step and open its safe cells, except those that an earlier cascade opened."""
        hidden = [cell for cell in sorted(safe) if self.cells[cell] == HIDDEN]
        if hidden or mines:
            cells = (tuple(map(self.board.cell, some)) for some in (sorted(clues), hidden, sorted(mines)))
            self.steps.append(CertificateStep(kind, *cells))
        for cell in hidden:
            if self.cells[cell] == HIDDEN:
                self._open(cell)

    # -- connected clues, and the number of mines ---------------------------------------------------------

    def _settle(self, clues: Iterable[int], left: int | None = None) -> dict[int, bool] | None:
        """Return what some clues settle, with ``left`` mines in all unknown cells if the total counts."""
        said = {clue: (tuple(cells_of(cells)), low) for clue, (cells, low, _) in self.facts.statements(clues).items()}
        others = () if left is None else cells_of(self.facts.unknown)
        return Subproblem.of_statements(said, others).settle(left)

    def _reason_completely(self) -> None:
        """Record what follows from the fewest clues that prove a cell safe."""
        best: tuple[int, ...] | None = None
        waiting = {clue for clue in self.facts.clues if self.facts.around[clue] & self.facts.unknown}
        while waiting:
            clues = self.facts.connected([min(waiting)])
            waiting.difference_update(clues)
            settled = self._settle(clues) or {}
            safe = [cell for cell, is_mine in settled.items() if not is_mine]
            for cell in safe[:_MAX_CANDIDATES]:
                found = self._fewest_around(cell)
                if found is not None and (best is None or len(found) < len(best)):
                    best = found
        if best is not None:
            self._conclude("complete", best, self._settle(best) or {})

    def _fewest_around(self, cell: int) -> tuple[int, ...] | None:
        """Return a minimal set of clues that proves a cell safe."""
        facts = self.facts
        reached = [clue for clue in facts.neighbours[cell] if clue in facts.clues]
        last = reached
        while last:
            settled = self._settle(reached)
            if settled is None:
                return None
            if settled.get(cell) is False:
                return self._leave_out(cell, reached, None)
            last = sorted({other for clue in last for other in facts.overlapping(clue)}.difference(reached))
            reached = reached + last
        return None

    def _leave_out(self, cell: int, clues: list[int], left: int | None) -> tuple[int, ...]:
        """Drop clues, the farthest first, as long as the others prove the cell safe."""
        kept = clues
        for clue in reversed(clues):
            fewer = [other for other in kept if other != clue]
            if self._proves(cell, fewer, left):
                kept = fewer
        return tuple(sorted(kept))

    def _proves(self, cell: int, clues: list[int], left: int | None) -> bool:
        settled = self._settle(clues, left)
        return settled is not None and settled.get(cell) is False

    def _reason_with_total(self) -> None:
        """Record what follows with the number of mines on the board."""
        everything = self.facts.everything()
        if everything is None:
            return
        unknown, left, _ = everything
        clues = [clue for clue in self.facts.clues if self.facts.around[clue] & unknown]
        settled = self._settle(clues, left) or {}
        safe = [cell for cell, is_mine in settled.items() if not is_mine]
        sets = [self._fewest_with_total(cell, clues, left) for cell in safe[:_MAX_CANDIDATES]]
        if sets:
            best = min(sets, key=len)
            self._conclude("total", best, self._settle(best, left) or {})

    def _fewest_with_total(self, cell: int, clues: list[int], left: int) -> tuple[int, ...]:
        """Return a minimal set of clues that proves a cell safe with the number of mines; parts are dropped first."""
        kept = clues
        waiting = set(clues)
        while waiting:
            part = set(self.facts.connected([min(waiting)]))
            waiting -= part
            fewer = [clue for clue in kept if clue not in part]
            if self._proves(cell, fewer, left):
                kept = fewer
        return self._leave_out(cell, kept, left)

    def _conclude(self, kind: str, clues: tuple[int, ...], settled: dict[int, bool]) -> None:
        safe = [cell for cell, is_mine in settled.items() if not is_mine]
        mines = [cell for cell, is_mine in settled.items() if is_mine]
        for cell, is_mine in settled.items():
            self.facts.learn(cell, is_mine)
        self._write(kind, clues, safe, mines)
