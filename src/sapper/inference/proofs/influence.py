"""Chains of influence: what every deduction of a game rests on, and how long the longest chain is.

They form a graph that grows with the game. Its nodes are the cells that were opened and the deductions that were made.
A deduction rests on the clues that it names and on earlier deductions about cells around them that are still hidden; a
cell opened because it was proved safe rests on that proof; a cell opened by a cascade rests on the cell that was
chosen. Clues and earlier deductions that a deduction can do without are left out, the deepest first, so the order of
events never makes a chain longer than the argument.

The depth of a deduction is one more than that of the deepest thing it rests on; guesses have depth 0.

>>> from sapper.inference.reasoning.single import SINGLE, Deduction
>>> from sapper.observation import Observation
>>> seen = Observation.parse("1#1#")
>>> graph = Influence(seen.topology)
>>> graph.open(0)
>>> graph.open(2)
>>> for cell, is_mine, clue in (((0, 1), True, (0, 0)), ((0, 3), False, (0, 2))):
...     node = graph.deduce(Deduction(cell, is_mine, SINGLE, (clue,), "…"), seen)
>>> graph.length, [str(node.cell) for node in graph.longest_chain()]
(2, ['(0, 0)', '(0, 1)', '(0, 3)'])
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from sapper.errors import TooHard
from sapper.inference.facts import Facts
from sapper.inference.posterior.cores import TOTAL as WHOLE_BOARD
from sapper.inference.posterior.cores import find_proofs
from sapper.inference.posterior.exact import is_possible
from sapper.inference.reasoning.single import COMPLETE, TOTAL, Deduction
from sapper.observation import Observation
from sapper.topology import Cell, Topology
from sapper.words import count, join_words

Kind = Literal["given", "guessed", "opened", "cascade", "safe", "mine"]

_MAX_NAMED = 3  # clues, and known cells, that are named for each link


class Node(NamedTuple):
    """A cell that was opened, or a deduction about it, and what that rests on.

    number: its place in the graph; nodes rest on earlier ones only.
    cell: the cell.
    kind: safe and mine are deductions; a given cell was open from the start.
    depth: the number of deductions in the longest chain that ends here.
    rests_on: numbers of nodes.
    clues: of a deduction, the clues that it rests on and what they show.
    with_total: of a deduction, whether it needs the number of mines on the board.
    """

    number: int
    cell: Cell
    kind: Kind
    depth: int
    rests_on: tuple[int, ...] = ()
    clues: tuple[tuple[Cell, int], ...] = ()
    with_total: bool = False

    @property
    def is_deduction(self) -> bool:
        """Whether something was deduced here, rather than opened."""
        return self.kind in ("safe", "mine")


class ProvingClues(NamedTuple):
    """Clues that settle a cell together, with nothing else known but which cells are open."""

    clues: tuple[Cell, ...]
    with_total: bool
    is_smallest: bool  # False: the search was cut short, and fewer clues may do

    @property
    def size(self) -> int:
        """The number of clues, the total counted as one."""
        return len(self.clues) + self.with_total


class Influence:
    """What rests on what, in one game. Add deductions and openings in the order in which they were made."""

    def __init__(self, board: Topology) -> None:
        self.nodes: list[Node] = []
        self._board = board
        self._opened: dict[int, int] = {}  # cell → its node
        self._deduced: dict[int, int] = {}

    def deduce(self, found: Deduction, seen: Observation) -> Node:
        """Add a deduction that was made from an observation and from what was added before.

        If it names no clues, like those of the exact agent, it rests on a smallest proof; see `smallest_proof` for the
        cost. Otherwise it takes one run of the engine for each clue and each known cell around them.
        """
        cell = self._board.index(*found.cell)
        if cell in self._deduced:
            return self.nodes[self._deduced[cell]]
        clues, with_total, known = self._sources(found, seen)
        elements = {clue: self._node_of_open(clue) for clue in clues}
        elements |= {other: self.nodes[self._deduced[other]] for other in known}
        needed = _needed(elements, seen, with_total, cell, found.is_mine)
        node = Node(
            len(self.nodes),
            found.cell,
            "mine" if found.is_mine else "safe",
            1 + max((elements[one].depth for one in needed), default=0),
            tuple(sorted(elements[one].number for one in needed)),
            tuple((self._board.cell(one), int(seen.cells.flat[one])) for one in sorted(needed) if one in clues),
            with_total,
        )
        self._deduced[cell] = node.number
        self.nodes.append(node)
        return node

    def open(self, chosen: int, cascade: Iterable[int] = ()) -> None:
        """Add a cell that was opened, by number, and those that opened with it; the same cell may be among these."""
        before = self._deduced.get(chosen)
        # A silent cell that was opened again and now shows a clue rests on what it did before.
        if chosen not in self._opened:
            if before is not None and self.nodes[before].kind == "safe":
                self._add_open(chosen, "opened", before)
            else:
                self._add_open(chosen, "guessed")
        for cell in cascade:
            if cell not in self._opened:
                self._add_open(cell, "cascade", self._opened[chosen])

    def node_of(self, cell: int) -> Node:
        """Return the node of an open cell, by number."""
        return self.nodes[self._opened[cell]]

    @property
    def deductions(self) -> list[Node]:
        """The deductions, in order."""
        return [node for node in self.nodes if node.is_deduction]

    @property
    def length(self) -> int:
        """The number of deductions in the longest chain."""
        return max((node.depth for node in self.nodes), default=0)

    def longest_chain(self) -> tuple[Node, ...]:
        """Return the longest chain from root to end, the earliest of several; empty if nothing was deduced."""
        ends = [node for node in self.nodes if node.is_deduction]
        return self.chain_to(max(ends, key=lambda node: (node.depth, -node.number))) if ends else ()

    def chain_to(self, end: Node) -> tuple[Node, ...]:
        """Return the deepest chain that ends here; of cells opened on the way, only the root is kept."""
        chain = [end]
        at = end
        while at.rests_on:
            at = max((self.nodes[number] for number in at.rests_on), key=lambda node: (node.depth, -node.number))
            if at.is_deduction or not at.rests_on:
                chain.append(at)
        return tuple(reversed(chain))

    def hidden_sources(self, node: Node) -> list[Node]:
        """Return the earlier deductions about hidden cells that one rests on directly, deepest first."""
        sources = [self.nodes[number] for number in node.rests_on if self.nodes[number].is_deduction]
        return sorted(sources, key=lambda source: (-source.depth, source.number))

    def describe(self, node: Node) -> str:
        """Describe a node: ``(1, 3) safe because of the 1 at (0, 2)``."""
        if not node.is_deduction:
            return f"{node.cell} {node.kind}"
        named = [self._name_clue(cell, shown) for cell, shown in node.clues[:_MAX_NAMED]]
        if len(node.clues) > _MAX_NAMED:
            n_more = len(node.clues) - _MAX_NAMED
            named.append(f"{count(n_more, 'more clue')}")
        if node.with_total:
            named.append("the total")
        hidden = self.hidden_sources(node)
        given = [f"{other.cell} {'a mine' if other.kind == 'mine' else 'safe'}" for other in hidden[:_MAX_NAMED]]
        if len(hidden) > _MAX_NAMED:
            given.append(f"{len(hidden) - _MAX_NAMED} more known")
        why = f" because of {join_words(named)}" if named else ""
        knowing = f", with {join_words(given)}" if given else ""
        return f"{node.cell} {'a mine' if node.kind == 'mine' else 'safe'}{why}{knowing}"

    def _name_clue(self, cell: Cell, shown: int) -> str:
        node = self.nodes[self._opened[self._board.index(*cell)]]
        opened_with = f" opened with {self.nodes[node.rests_on[0]].cell}" if node.kind == "cascade" else ""
        return f"the {shown} at {cell}{opened_with}"

    def _sources(self, found: Deduction, seen: Observation) -> tuple[list[int], bool, list[int]]:
        """Return the clues that a deduction names, whether it needs the total, and the known hidden cells around."""
        board = self._board
        if found.rule == COMPLETE and not found.clues:
            proof = smallest_proof(seen, found.cell, found.is_mine)
            if proof is not None:
                return [board.index(*clue) for clue in proof.clues], proof.with_total, []
        clues = [board.index(*clue) for clue in found.clues]
        with_total = found.rule == TOTAL
        closed = seen.closed.ravel()
        # The total is a clue that the whole board surrounds.
        around = self._deduced if with_total else sorted({cell for clue in clues for cell in board.neighbours_of(clue)})
        return clues, with_total, [cell for cell in around if cell in self._deduced and closed[cell]]

    def _node_of_open(self, cell: int) -> Node:
        if cell not in self._opened:
            self._add_open(cell, "given")
        return self.nodes[self._opened[cell]]

    def _add_open(self, cell: int, kind: Kind, cause: int | None = None) -> None:
        number = self._opened[cell] = len(self.nodes)
        if cause is None:
            self.nodes.append(Node(number, self._board.cell(cell), kind, 0))
        else:
            self.nodes.append(Node(number, self._board.cell(cell), kind, self.nodes[cause].depth, (cause,)))


def _needed(elements: dict[int, Node], seen: Observation, with_total: bool, cell: int, is_mine: bool) -> set[int]:
    """Drop clues and known cells that the deduction can do without, the deepest first, until all are needed."""
    needed = set(elements)

    def enough(chosen: Collection[int]) -> bool:
        clues = [one for one in chosen if not elements[one].is_deduction]
        known = {one: elements[one].kind == "mine" for one in chosen if elements[one].is_deduction}
        return _settles(seen, clues, with_total, known, cell, is_mine)

    if not enough(needed):
        # What the agent named does not prove it; then it rests on all of that, and on more.
        return needed
    for one in sorted(elements, key=lambda one: (-elements[one].depth, -elements[one].number)):
        if enough(needed - {one}):
            needed.remove(one)
    return needed


def _settles(
    seen: Observation, clues: Iterable[int], with_total: bool, known: dict[int, bool], cell: int, is_mine: bool
) -> bool:
    """Whether these clues and known cells (True: a mine) leave no layout in which the cell is the opposite."""
    opposite = {**known, cell: not is_mine}
    asked = seen.assuming(
        mines=[one for one, mined in opposite.items() if mined],
        safe=[one for one, mined in opposite.items() if not mined],
        silent={*np.flatnonzero(seen.cells >= 0).tolist()}.difference(clues),
    )
    if not with_total:
        asked = replace(asked, total=None)
    try:
        return not is_possible(asked)
    except TooHard:
        return False


def smallest_proof(seen: Observation, cell: Cell, is_mine: bool) -> ProvingClues | None:
    """Return a smallest set of clues, with the total if needed, that settles a cell; None if nothing does.

    Usually milliseconds, exponential at worst and then cut short: see `cores.find_proofs`.

    >>> from sapper.observation import Observation
    >>> smallest_proof(Observation.parse("####/1221"), (0, 2), True)
    ProvingClues(clues=((1, 0), (1, 1)), with_total=False, is_smallest=True)
    """
    board = seen.topology
    target = board.index(*cell)
    facts = Facts(seen)
    if not _settles(seen, facts.clues, seen.total is not None, {}, target, is_mine):
        return None
    found = next(find_proofs(facts, target, is_mine, is_possible))
    clues = tuple(board.cell(clue) for clue in sorted(found.clues - {WHOLE_BOARD}))
    return ProvingClues(clues, WHOLE_BOARD in found.clues, found.is_smallest)


def farthest(board: Topology, start: Cell, others: Sequence[Cell]) -> int:
    """Return how many steps from neighbour to neighbour lead to the farthest of these cells; 0 if there is none.

    >>> from sapper.topology import topology
    >>> [farthest(topology(shape, 5, 5), (0, 0), [(4, 4), (1, 0)]) for shape in ("square", "torus", "hex")]
    [4, 1, 6]
    """
    waiting = {board.index(*other) for other in others}
    reached = {board.index(*start)}
    edge, steps = list(reached), 0
    waiting -= reached
    while waiting and edge:
        steps += 1
        edge = sorted({other for cell in edge for other in board.neighbours_of(cell)} - reached)
        reached.update(edge)
        waiting.difference_update(edge)
    return steps


def component_size(seen: Observation, cell: Cell) -> int:
    """Return the number of hidden cells connected with this one through open clues, itself included."""
    facts = Facts(seen)
    target = seen.topology.index(*cell)
    cells = 1 << target
    for clue in facts.connected(other for other in facts.neighbours[target] if other in facts.clues):
        cells |= facts.statement(clue)[0]
    return cells.bit_count()
