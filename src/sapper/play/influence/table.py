"""The measured games as a table, and the statistics that the answers draw from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sapper.inference.proofs.influence import farthest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sapper.play.influence.comparing import Played
    from sapper.play.influence.measuring import Figures


@dataclass(frozen=True, slots=True)
class Row:
    """The games of one size and density: a line of the table."""

    rows: int
    cols: int
    density: float
    games: tuple[Figures, ...]
    compared: tuple[dict[str, Played], ...] = ()  # the same boards, by players of different reach

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


def games_of(rows: Iterable[Row]) -> list[Figures]:
    """All games of these rows."""
    return [game for row in rows for game in row.games]


def mean_of(values: Sequence[float]) -> float:
    """The mean, 0 if there is nothing to take it of."""
    return sum(values) / len(values) if values else 0.0


def _mean_and_max(name: str, values: Sequence[float]) -> dict[str, float]:
    return {f"{name}_mean": mean_of(values), f"{name}_max": max(values, default=0)}


def means_by(rows: Sequence[Row], key: Callable[[Row], float], name: Callable[[Row], str]) -> list[tuple[str, float]]:
    """Mean length of the longest chain by some property of the rows, ascending."""
    groups: dict[float, tuple[str, list[int]]] = {}
    for row in rows:
        groups.setdefault(key(row), (name(row), []))[1].extend(game.length for game in row.games)
    return [(named, mean_of(lengths)) for _, (named, lengths) in sorted(groups.items())]


def diameter(row: Row) -> int:
    """The largest distance between two cells of a board; some corner is always as far from something as any cell."""
    board = row.games[0].rules.topology
    corners = [(at_row, at_col) for at_row in (0, board.rows - 1) for at_col in (0, board.cols - 1)]
    return max(farthest(board, corner, [board.cell(cell) for cell in range(board.n_cells)]) for corner in corners)


def halves(rows: Sequence[Row]) -> tuple[list[Figures], list[Figures]]:
    """The games with shorter and with longer chains, parted in each row so that size and density are the same."""
    shorter: list[Figures] = []
    longer: list[Figures] = []
    for row in rows:
        ordered = sorted(row.games, key=lambda game: game.length)
        half = len(ordered) // 2
        shorter += ordered[:half]
        longer += ordered[len(ordered) - half :]
    return shorter, longer


def noise_within(rows: Sequence[Row]) -> float:
    """What a correlation within the rows stays below by chance alone: two standard errors of none."""
    n_free = sum(max(0, sum(bool(game.chain) for game in row.games) - 1) for row in rows)
    return 2 / math.sqrt(max(1, n_free))


def correlation(
    rows: Sequence[Row], first: Callable[[Figures], float], second: Callable[[Figures], float]
) -> float | None:
    """Pearson's correlation within the rows: each value less its row's mean; None if one of the two never varies."""
    pairs: list[tuple[float, float]] = []
    for row in rows:
        games = [game for game in row.games if game.chain]
        means = mean_of([first(game) for game in games]), mean_of([second(game) for game in games])
        pairs += [(first(game) - means[0], second(game) - means[1]) for game in games]
    norms = [math.sqrt(sum(pair[k] ** 2 for pair in pairs)) for k in (0, 1)]
    if min(norms) < 1e-9:
        return None
    return sum(one * other for one, other in pairs) / (norms[0] * norms[1])
