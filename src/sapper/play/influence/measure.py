"""Measure chains of influence: their length, reach and cost, game by game and as a table.

>>> from sapper.play.influence.follow import follow_record
>>> from sapper.agents.registry import make_agent
>>> from sapper.play.record import Record
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
(0, 1) a mine because of the 1 at (0, 0)
(0, 3) safe because of the 1 at (0, 2), with (0, 1) a mine
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sapper.agents.registry import make_agent
from sapper.inference.proofs.influence import Node, ProvingClues, component_size, farthest, smallest_proof
from sapper.layout import Layout
from sapper.play.dealt import start_game
from sapper.play.influence.follow import Followed, Played, follow_match
from sapper.rules import Rules
from sapper.topology import Cell
from sapper.world.game import Outcome

DEFAULT_AGENT = "contradiction-full"

# Smallest proofs searched per game, of random deductions: each costs as much as many moves.
PROOFS_PER_GAME = 4


class Sample(NamedTuple):
    """A random deduction of a game, with a smallest proof."""

    cell: Cell
    is_mine: bool
    proof: ProvingClues
    reach: int  # steps from the cell to the farthest clue of the proof
    component: int  # hidden cells connected with this one


@dataclass(frozen=True, slots=True)
class InfluenceFigures:
    """The figures of one game."""

    rules: Rules
    seed: int
    chain: tuple[Node, ...]  # the longest
    chain_in_words: tuple[str, ...]
    length: int  # deductions in the longest chain
    span: int  # steps from its root to its end
    n_deductions: int
    n_from_hidden: int  # deductions that depend on an earlier one about a hidden cell
    n_guesses: int
    samples: tuple[Sample, ...]
    unevenness: float  # standard deviation of the true clues over the board
    divided: bool  # whether a row or column of zeros has cells on both sides
    crossed: bool  # whether the longest chain has cells on both sides of one
    score: float
    won: bool
    milliseconds: float


def measure_game(
    rules: Rules, seed: int, agent: str = DEFAULT_AGENT, n_proofs: int = PROOFS_PER_GAME
) -> InfluenceFigures:
    """Play the game of a seed with a registered agent, which gets the same seed, and measure it."""
    return measure(follow_match(start_game(rules, seed), make_agent(agent, seed)), n_proofs)


def measure(followed: Followed, n_proofs: int = PROOFS_PER_GAME) -> InfluenceFigures:
    """Return the figures of a followed game; they depend only on the game, except for times."""
    game, graph = followed.game, followed.graph
    board = game.rules.topology
    chain = graph.longest_chain()
    deductions = graph.deductions
    layout = game.layout
    lines = [] if layout is None else dividing_lines(layout)
    return InfluenceFigures(
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

    Other topologies have none.

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


@dataclass(frozen=True, slots=True)
class InfluenceRow:
    """The games of one size and density: a line of the table."""

    rows: int
    cols: int
    density: float
    games: tuple[InfluenceFigures, ...]
    compared: tuple[dict[str, Played], ...] = ()  # the same boards, by agents of different reach

    @property
    def size(self) -> str:
        """The size of the board."""
        return f"{self.rows}x{self.cols}"

    def figures(self) -> dict[str, float]:
        """The figures of the table; means and maxima over games, or over the proofs drawn from them."""
        samples = [one for game in self.games for one in game.samples]
        return {
            "games": len(self.games),
            **_mean_and_max("chain", [game.length for game in self.games]),
            **_mean_and_max("span", [game.span for game in self.games]),
            "proofs": len(samples),
            **_mean_and_max("proof", [one.proof.size for one in samples]),
            **_mean_and_max("reach", [one.reach for one in samples]),
            "deductions": mean_of([game.n_deductions for game in self.games]),
            "milliseconds": mean_of([game.milliseconds for game in self.games]),
        }


def games_of(rows: Iterable[InfluenceRow]) -> list[InfluenceFigures]:
    """All games of these rows."""
    return [game for row in rows for game in row.games]


def mean_of(values: Sequence[float]) -> float:
    """Return the mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def _mean_and_max(name: str, values: Sequence[float]) -> dict[str, float]:
    return {f"{name}_mean": mean_of(values), f"{name}_max": max(values, default=0)}


def means_by(
    rows: Sequence[InfluenceRow], key: Callable[[InfluenceRow], float], name: Callable[[InfluenceRow], str]
) -> list[tuple[str, float]]:
    """Return the mean length of the longest chain by a property of the rows, ascending."""
    groups: dict[float, tuple[str, list[int]]] = {}
    for row in rows:
        groups.setdefault(key(row), (name(row), []))[1].extend(game.length for game in row.games)
    return [(named, mean_of(lengths)) for _, (named, lengths) in sorted(groups.items())]


def diameter(row: InfluenceRow) -> int:
    """Return the largest distance between two cells of a board, which some corner always has."""
    board = row.games[0].rules.topology
    corners = [(at_row, at_col) for at_row in (0, board.rows - 1) for at_col in (0, board.cols - 1)]
    return max(farthest(board, corner, [board.cell(cell) for cell in range(board.n_cells)]) for corner in corners)


def halves(rows: Sequence[InfluenceRow]) -> tuple[list[InfluenceFigures], list[InfluenceFigures]]:
    """Return the games with shorter and with longer chains, split within each row of the same size and density."""
    shorter: list[InfluenceFigures] = []
    longer: list[InfluenceFigures] = []
    for row in rows:
        ordered = sorted(row.games, key=lambda game: game.length)
        half = len(ordered) // 2
        shorter += ordered[:half]
        longer += ordered[len(ordered) - half :]
    return shorter, longer


def noise_within(rows: Sequence[InfluenceRow]) -> float:
    """Return the noise of a correlation within the rows: two standard errors."""
    n_free = sum(max(0, sum(bool(game.chain) for game in row.games) - 1) for row in rows)
    return 2 / math.sqrt(max(1, n_free))


def correlation(
    rows: Sequence[InfluenceRow],
    first: Callable[[InfluenceFigures], float],
    second: Callable[[InfluenceFigures], float],
) -> float | None:
    """Return Pearson's correlation within the rows, after subtracting their means; None if a value never varies."""
    pairs: list[tuple[float, float]] = []
    for row in rows:
        games = [game for game in row.games if game.chain]
        means = mean_of([first(game) for game in games]), mean_of([second(game) for game in games])
        pairs += [(first(game) - means[0], second(game) - means[1]) for game in games]
    norms = [math.sqrt(sum(pair[k] ** 2 for pair in pairs)) for k in (0, 1)]
    if min(norms) < 1e-9:
        return None
    return sum(one * other for one, other in pairs) / (norms[0] * norms[1])
