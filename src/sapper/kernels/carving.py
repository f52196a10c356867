"""Cutting the three buffers of the workspace into the arrays that workspace.py names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels import inner_kernel
from sapper.kernels.workspace import (
    HEAD,
    MARGIN,
    N_ROWS,
    RECORD,
    ROOM_CACHE,
    ROOM_LINKS,
    ROOM_SLOTS,
    ROOM_STATES,
    ROOM_WEIGHTS,
    SHORT_LONGS,
    SMALL,
    WALK,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]


@inner_kernel
def carve_rows(n: int, ints: Ints) -> tuple[Ints, Ints, Ints]:
    """Return rows, clues and boxes."""
    w = n + MARGIN
    rows = ints[: N_ROWS * w].reshape((N_ROWS, w))
    lists = ints[N_ROWS * w : (N_ROWS + 16) * w].reshape((2, w, 8))
    return rows, lists[0], lists[1]


@inner_kernel
def carve_states(n: int, ints: Ints, used: Longs) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Return layer, states, links, slots and cache."""
    w = n + MARGIN
    at = (N_ROWS + 16) * w
    layer = ints[at : at + 2 * w + WALK]
    at += 2 * w + WALK
    states = ints[at : at + RECORD * used[ROOM_STATES]].reshape((used[ROOM_STATES], RECORD))
    at += RECORD * used[ROOM_STATES]
    links = ints[at : at + used[ROOM_LINKS]]
    at += used[ROOM_LINKS]
    slots = ints[at : at + 2 * used[ROOM_SLOTS]].reshape((used[ROOM_SLOTS], 2))
    at += 2 * used[ROOM_SLOTS]
    return layer, states, links, slots, ints[at : at + used[ROOM_CACHE]]


@inner_kernel
def carve_longs(n: int, longs: Longs) -> tuple[Longs, Longs, Longs]:
    """Return short, keys and hashed."""
    w = n + MARGIN
    room = longs[ROOM_SLOTS]
    at = HEAD + SHORT_LONGS * w
    short = longs[HEAD:at].reshape((SHORT_LONGS, w))
    keys = longs[at : at + 4 * room].reshape((2, room, 2))
    return short, keys, longs[at + 4 * room : at + 6 * room].reshape((room, 2))


@inner_kernel
def carve_floats(n: int, floats: Floats, used: Longs) -> tuple[Floats, Floats, Floats, Floats]:
    """Return sums, small, weights and soft."""
    w = n + MARGIN
    at = HEAD + (2 + SMALL) * w
    sums = floats[HEAD : HEAD + 2 * w].reshape((2, w))
    end = at + used[ROOM_WEIGHTS]
    return sums, floats[HEAD + 2 * w : at], floats[at:end], floats[end:]
