"""Chains of influence in games as they are played: how long, how far, at what cost.

>>> from sapper.play.influence.following import follow_record
>>> from sapper.agents.registry import make_agent
>>> from sapper.play.matches.record import Record
>>> record = Record.parse('''Sapper-Record: 1
... Rules: 1x4/1 first-any
... Seed: 0
... Layout: -*--
... Moves:
... open 0,0
... open 0,2
... open 0,3
... ''')
>>> for link in measure(follow_record(record, make_agent("basic"))).chain_in_words:
...     print(link)
(0, 0) guessed
(0, 1) a mine by the 1 at (0, 0)
(0, 3) safe by the 1 at (0, 2), with (0, 1) a mine
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.agents.registry import make_agent
from sapper.inference.proofs.influence import Node, Proof, component_size, farthest, smallest_proof
from sapper.play.fair.starting import start_game
from sapper.play.influence.following import Followed, follow_match
from sapper.world.game import Outcome

if TYPE_CHECKING:
    from sapper.layout import Layout
    from sapper.rules import Rules
    from sapper.topology import Cell

DEFAULT_AGENT = "contradiction-full"

# So many smallest proofs are looked for in each game, of deductions drawn at random: one costs as much as many moves.
PROOFS_PER_GAME = 4


class Sample(NamedTuple):
    """A deduction drawn from a game, with a smallest proof of it."""

    cell: Cell
    is_mine: bool
    proof: Proof
    reach: int  # steps from the cell to the farthest clue of the proof
    component: int  # hidden cells that hang together with this one


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured in one game."""

    rules: Rules
    seed: int
    chain: tuple[Node, ...]  # the longest
    chain_in_words: tuple[str, ...]
    length: int  # deductions in the longest chain
    span: int  # steps from its root to its end
    n_deductions: int
    n_from_hidden: int  # deductions that rest on an earlier one about a cell that was still hidden
    n_guesses: int
    samples: tuple[Sample, ...]
    unevenness: float  # standard deviation of the true clues over the board
    divided: bool  # whether a row or column of zeros has cells on both sides
    crossed: bool  # whether the longest chain has cells on both sides of one
    score: float
    won: bool
    milliseconds: float


def measure_game(rules: Rules, seed: int, agent: str = DEFAULT_AGENT, n_proofs: int = PROOFS_PER_GAME) -> Figures:
    """Let a registered agent play the game of a seed, which is the agent's seed too, and measure it."""
    return measure(follow_match(start_game(rules, seed), make_agent(agent, seed)), n_proofs)


def measure(followed: Followed, n_proofs: int = PROOFS_PER_GAME) -> Figures:
    """Return the figures of a game that was followed; same game, same figures, the time aside."""
    game, graph = followed.game, followed.graph
    board = game.rules.topology
    chain = graph.longest_chain()
    deductions = graph.deductions
    layout = game.layout
    lines = [] if layout is None else dividing_lines(layout)
    return Figures(
        game.rules,
        game.seed,
        chain,
        tuple(graph.describe(node) for node in chain),
        graph.length,
        farthest(board, chain[0].cell, [chain[-1].cell]) if chain else 0,
        len(deductions),
        sum(bool(graph.hidden_sources(node)) for node in deductions),
        followed.n_guesses,
        _draw_samples(followed, n_proofs),
        0.0 if layout is None else float(layout.clues().std()),
        bool(lines),
        any(
            min(node.cell[axis] for node in chain) < at < max(node.cell[axis] for node in chain)
            for axis, at in lines
            if chain
        ),
        game.score,
        game.outcome is Outcome.WON,
        followed.milliseconds,
    )


def _draw_samples(followed: Followed, n_proofs: int) -> tuple[Sample, ...]:
    deductions = followed.graph.deductions
    rng = np.random.default_rng(followed.game.seed)
    drawn = sorted(rng.choice(len(deductions), min(n_proofs, len(deductions)), replace=False).tolist())
    samples = []
    for node in (deductions[number] for number in drawn):
        seen = followed.made_from[node.number]
        proof = smallest_proof(seen, node.cell, node.kind == "mine")
        if proof is not None:
            reach = farthest(seen.topology, node.cell, proof.clues)
            samples.append(Sample(node.cell, node.kind == "mine", proof, reach, component_size(seen, node.cell)))
    return tuple(samples)


def dividing_lines(layout: Layout) -> list[tuple[int, int]]:
    """Return the rows (0, row) and columns (1, col) of a square board that are all zeros and have cells on both sides.

    On other topologies a line of cells does not divide, or not so simply, and none is returned.

    >>> from sapper.layout import Layout
    >>> dividing_lines(Layout.parse("*-/--/--/--/-*"))
    [(0, 2)]
    """
    if layout.topology.shape != "square":
        return []
    zeros = (layout.clues() == 0) & ~layout.mines
    return [
        (axis, at)
        for axis, all_zero in enumerate((zeros.all(axis=1), zeros.all(axis=0)))
        for at in np.flatnonzero(all_zero).tolist()
        if 0 < at < all_zero.size - 1
    ]
