"""Generate no-guess boards: layouts that can be cleared from their first cell without a guess, from a seed.

There are two methods. *Reject* (rejection sampling) places mines at random until a layout can be cleared: every such
layout is equally likely, but large or dense boards are hopeless. *Repair*, the default, moves a mine from where the
proof is stuck and continues. It is fast on boards of any size, but its layouts are not quite equally likely
(docs/noguess.md measures by how much); *mixing* evens that out. Both return only layouts that were cleared completely.

>>> from sapper.rules import Rules
>>> print(generate_no_guess(Rules.parse("5x6/6"), seed=3, first=(0, 0)))
------/------/*-----/***-*-/---*--
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sapper import kernels
from sapper.errors import GaveUp, InputError, RulesError, TooHard
from sapper.inference.posterior.workspace import Budget, GrowingWorkspace
from sapper.kernels.codes import OK
from sapper.layout import Layout
from sapper.rules import Rules
from sapper.topology import Cell
from sapper.world.generation import cells_for_mines, check_seed

# Boards beyond this are too hard to reason about; the attempt counts as failed.
_BUDGET = Budget(states=200_000, megabytes=500)


def random_numbers(generator: np.random.PCG64, n: int) -> NDArray[np.float64]:
    """Return random numbers in [0, 1), from raw words that NumPy promises never to change."""
    uniforms: NDArray[np.float64] = (generator.random_raw(n) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return uniforms


class SearchMemory:
    """A kernel search, the arrays that it shares with Python, and room for the engine to grow."""

    def __init__(self, rules: Rules, first: int, level: int, counts: bool = False) -> None:
        n = rules.n_cells
        self.board = rules.topology.graph
        self.workspace = GrowingWorkspace(n, False, _BUDGET)
        self.mines = np.zeros(n, dtype=np.int32)
        self.shown = np.zeros(n, dtype=np.int32)
        self.marks = np.zeros(n, dtype=np.int32)
        # Never the first cell, whatever the policy: nothing can be proved about a mine there.
        cells = cells_for_mines(rules, first, frozenset({first})).astype(np.int32)
        self.draft = kernels.Draft(rules.mines, cells, self.mines, self.shown)
        self.search = kernels.BoardSearch(self.board, self.draft, self.marks, level, first, counts)

    def try_out(self, uniforms: NDArray[np.float64], n_tries: int) -> bool:
        """Search a layout; an attempt that is too hard to reason about counts as failed."""
        self.draft.supply(uniforms)
        self.search.n_tries = 0
        while (status := kernels.search_boards(self.workspace, self.board, self.search, n_tries)) != OK:
            if not self._make_room(status):
                self.search.n_tries += 1
        return self.search.is_cleared

    def find_moment(self, uniforms: NDArray[np.float64], n_tries: int, beyond: int, cols: int = 0) -> bool:
        """Search a layout on which this reasoning gets stuck, and the one of level ``beyond`` does not.

        With ``cols``, the reasoning includes one-two patterns: along the rows and columns of a board with that many
        columns, or, with 1, wherever two clues touch.
        """
        self.draft.supply(uniforms)
        self.search.n_tries = 0
        while True:
            status, found = kernels.search_moments(self.workspace, self.board, self.search, beyond, cols, n_tries)
            if status == OK:
                return found
            if not self._make_room(status):
                self.search.n_tries += 1

    def clears(self, layout: Layout) -> bool:
        """Return whether a layout can be cleared; one that is too hard to reason about cannot."""
        return self.clears_mines(layout.mines.ravel(), layout.clues().ravel())

    def clears_mines(self, mines: NDArray[np.bool_], clues: NDArray[np.int8]) -> bool:
        """Return the same for mines and clues in arrays, by cell number: faster for many layouts."""
        self.mines[:] = mines
        self.shown[:] = clues
        while (status := kernels.clear_board(self.workspace, self.board, self.search)) != OK:
            if not self._make_room(status):
                return False
        return self.search.is_cleared

    def _make_room(self, status: int) -> bool:
        """Grow the engine's workspace; return whether the budget allows it."""
        try:
            self.workspace.grow(status)
        except TooHard:
            return False
        return True


# The hardest reasoning that a player may need, easiest first; each includes those before it.
Reasoning = Literal["single", "subsets", "pairs", "complete", "count"]
REASONINGS: tuple[Reasoning, ...] = get_args(Reasoning)
Method = Literal["repair", "reject"]
METHODS: tuple[Method, ...] = get_args(Method)

# Attempts before a search gives up. One with repairs costs as much as dozens without.
MAX_TRIES = {"repair": 1_000, "reject": 100_000}

MAX_MIXES = 1_000_000

# The random numbers of a search are independent of those of `generate_layout`.
_STREAM = 2**31


@dataclass(frozen=True, slots=True)
class NoGuessBoard:
    """A no-guess board, and how it was found."""

    rules: Rules
    first: Cell  # to open first
    reasoning: Reasoning  # that suffices to clear it
    layout: Layout
    seed: int
    method: Method
    n_tries: int  # random layouts, including this one
    n_repairs: int  # mines moved in this layout


def usual_reasoning(rules: Rules) -> Reasoning:
    """Return the strongest reasoning under these rules: with the number of mines, if it is known."""
    return "count" if rules.total_known else "complete"


class NoGuessMaker:
    """Finds layouts for one first cell; same seed, same layout. Not thread-safe."""

    def __init__(
        self,
        rules: Rules,
        first: Cell,
        *,
        reasoning: Reasoning | None = None,
        method: Method = "repair",
        most_tries: int | None = None,
        mix: int = 0,
    ) -> None:
        check_rules(rules)
        board = self._board = rules.topology
        self._first = board.number(first)
        self.rules = rules
        self.first = board.cell(self._first)
        self.reasoning: Reasoning = usual_reasoning(rules) if reasoning is None else reasoning
        self.method: Method = method
        for value, allowed, name in ((self.reasoning, REASONINGS, "reasoning"), (method, METHODS, "method")):
            if value not in allowed:
                raise InputError(f"There is no {name} {value[:40]!r}; choose from {', '.join(allowed)}.")
        if self.reasoning == "count" and not rules.total_known:
            raise InputError("The rules hide the number of mines, so it cannot be used for counting.")
        self.most_tries = MAX_TRIES[method] if most_tries is None else most_tries
        if self.most_tries < 1:
            raise InputError(f"A search takes at least one try, not {self.most_tries}.")
        self.mix = mix
        if not 0 <= mix <= MAX_MIXES:
            raise InputError(f"A layout is mixed by 0 to {MAX_MIXES:,} exchanges, not {mix}.")
        self._memory = SearchMemory(rules, self._first, REASONINGS.index(self.reasoning))
        self._memory.search.max_repairs = 20 + board.n_cells // 5 if method == "repair" else 0
        self._memory.search.n_mixes = mix

    def make(self, seed: int) -> NoGuessBoard:
        """Find the layout of a seed, or raise `GaveUp`."""
        rules, memory = self.rules, self._memory
        search = memory.search
        generator = np.random.PCG64(np.random.SeedSequence((check_seed(seed), _STREAM)))
        stride = rules.mines + 2 * search.max_repairs + 2 * self.mix
        # The batch size does not affect the result: each attempt has its own part of one random stream.
        n_tries, n_batch = 0, 1 if self.method == "repair" else 8
        search.n_all_repairs = 0
        while n_tries < self.most_tries:
            n_batch = min(n_batch, max(1, 2**16 // max(stride, 1)), self.most_tries - n_tries)
            is_cleared = memory.try_out(random_numbers(generator, n_batch * stride), n_batch)
            n_tries += search.n_tries
            n_batch *= 2
            if is_cleared:
                layout = Layout(self._board, memory.mines == 1)
                return NoGuessBoard(
                    rules, self.first, self.reasoning, layout, seed, self.method, n_tries, search.n_repairs
                )
        repairs = f" and {search.n_all_repairs:,} repairs" if self.method == "repair" else ""
        tries = "1 try" if n_tries == 1 else f"{n_tries:,} tries"
        raise GaveUp(
            f"Gave up after {tries}{repairs}: found no board {rules.in_short} for seed {seed} that needs no guess from "
            f"{self.first} by {self.reasoning} reasoning.",
            n_tries,
        )

    def clears(self, layout: Layout) -> bool:
        """Return whether a given layout can be cleared from the first cell by this reasoning."""
        memory = self._memory
        if layout.topology != self._board or layout.n_mines != self.rules.mines:
            raise RulesError(f"The layout does not fit the rules {self.rules.in_short}.")
        if layout.mines.flat[self._first]:
            return False
        return memory.clears(layout)

    def known_cells(self) -> NDArray[np.int8]:
        """Return what was proved on the last layout: 0 unknown, 1 safe, 2 mine, 3 open: (rows, cols)."""
        return self._memory.marks.reshape(self.rules.rows, self.rules.cols).astype(np.int8)


def generate_no_guess(
    rules: Rules | str,
    seed: int,
    first: Cell,
    *,
    reasoning: Reasoning | None = None,
    method: Method = "repair",
    most_tries: int | None = None,
    mix: int = 0,
) -> Layout:
    """Return a layout that can be cleared from the cell ``first`` without a guess, or raise `GaveUp`.

    Under a millisecond on an expert board. ``reasoning`` is the hardest that a player may need: ``single`` clues,
    ``subsets``, ``pairs``, ``complete`` (everything that the clues imply) or ``count`` (with the number of mines), the
    default. ``mix`` is the number of random swaps of cells that are tried; those that need no guess either are kept.
    The more, the closer the layouts are to equally likely.
    """
    maker = NoGuessMaker(Rules.of(rules), first, reasoning=reasoning, method=method, most_tries=most_tries, mix=mix)
    return maker.make(seed).layout


def needs_no_guess(rules: Rules, layout: Layout, first: Cell, reasoning: Reasoning | None = None) -> bool:
    """Return whether a layout can be cleared from the cell ``first`` by this reasoning.

    >>> from sapper.rules import Rules
    >>> rules, layout = Rules.parse("2x5/1"), Layout.parse("---*-/-----")
    >>> needs_no_guess(rules, layout, (0, 0)), needs_no_guess(rules, layout, (0, 0), "complete")
    (False, False)
    """
    return NoGuessMaker(rules, first, reasoning=reasoning).clears(layout)


def check_rules(rules: Rules) -> None:
    """Raise `InputError` unless these rules allow no-guess boards."""
    if rules.channel.kind != "exact":
        raise InputError(f"No-guess boards need exact clues, not {rules.channel} ones.")
    if rules.dealing != "laid":
        raise InputError(f"No-guess boards have fixed mines; remove the word {rules.dealing}.")
