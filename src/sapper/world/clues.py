"""The clues that a game shows, drawn through its channel.

The draw for a cell depends on the seed, the cell and how often it was asked, never on the order of play:
two agents that open the same cell of the same board are shown the same clue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.observation import NO_CLUE
from sapper.world.generate import CLUE_STREAM, random_uniforms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.channel import Channel
    from sapper.layout import Layout


def shown_clues(layout: Layout, channel: Channel, seed: int, query: int = 0) -> NDArray[np.int8]:
    """Return what each cell shows when it is asked for the ``query``-th time, or NO_CLUE: (n_cells,).

    Mined cells get an entry too, which nobody is ever shown.
    """
    truths = layout.clues().ravel()
    if channel.kind == "exact":
        return truths
    uniform = random_uniforms(seed, CLUE_STREAM + (query if channel.redraws else 0), layout.topology.n_cells)
    shown = np.empty_like(truths)
    for degree in np.unique(layout.topology.degree).tolist():
        cells = np.flatnonzero(layout.topology.degree == degree)
        # Column t of the table, summed up, is the distribution function of the clue shown for the truth t.
        likelihood = channel.likelihood(degree)
        drawn = (uniform[cells] >= likelihood.cumsum(axis=0)[:, truths[cells]]).sum(axis=0)
        # A sum of floats may end a hair below one; a draw up there belongs to the last possible row.
        last_possible = degree + 1 - (likelihood[::-1] > 0).argmax(axis=0)
        drawn = np.minimum(drawn, last_possible[truths[cells]])
        shown[cells] = np.where(drawn > degree, NO_CLUE, drawn)
    return shown
