"""What the formats of other programs cannot hold: each function raises `FormatError` for one such thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.channel import EXACT
from sapper.errors import FormatError
from sapper.observation import EXPLODED, FLAG, NO_CLUE, Observation
from sapper.topology import OWN

if TYPE_CHECKING:
    from collections.abc import Collection

    from sapper.topology import Topology

_NAMES = {FLAG: "a flag", EXPLODED: "an exploded mine", NO_CLUE: "an open cell without a clue"}


def require_square(board: Topology, suffix: str) -> None:
    """Refuse boards of another topology than square: no other program's file can name one."""
    if board.shape != "square":
        other = "boards of your own" if board.shape == OWN else f"{board.shape} ones"
        raise FormatError(f"A {suffix} file holds only square boards, not {other}.")


def require_plain(observation: Observation, codes: Collection[int], suffix: str) -> int:
    """Refuse a position that says more, or less, than these cell codes and a total; return the total."""
    require_square(observation.topology, suffix)
    if observation.channel != EXACT:
        raise FormatError(f"A {suffix} file holds only exact clues, not {observation.channel} ones.")
    if observation.total is None:
        raise FormatError(f"A {suffix} file needs the total number of mines, which this position does not tell.")
    wrong = np.flatnonzero(~np.isin(observation.cells, list(codes)))
    if wrong.size:
        row, col = observation.topology.cell(wrong[0])
        name = _NAMES[int(observation.cells[row, col])]
        raise FormatError(f"Row {row}, column {col}: a {suffix} file cannot hold {name}.")
    return observation.total
