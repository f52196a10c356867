"""The brute force asked about an observation."""

from __future__ import annotations

from fractions import Fraction

from brute_force import brute_force

from sapper.channel import SOFT_KINDS
from sapper.observation import Observation


def ask_brute_force(
    observation: Observation, density: Fraction = Fraction(1, 2)
) -> tuple[Fraction, int, list[Fraction | None]]:
    """Return the weight of all layouts, their number, and each cell's chance."""
    board, channel = observation.topology, observation.channel
    likelihood = None
    if channel.kind in SOFT_KINDS:
        likelihood = {degree: channel.likelihood(degree).tolist() for degree in set(board.degree.tolist())}
    return brute_force(
        observation.cells.ravel().tolist(),
        [board.neighbours_of(index) for index in range(board.n_cells)],
        observation.total,
        likelihood,
        density,
    )
