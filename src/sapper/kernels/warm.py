"""Compile every kernel before somebody waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels.reveal import reveal

if TYPE_CHECKING:
    from collections.abc import Callable


def _warm_reveal() -> None:
    cells = np.full(1, -1, dtype=np.int8)
    table = np.full((1, 8), -1, dtype=np.int32)
    # Read-only arrays are a type of their own to Numba; boards come with read-only tables.
    degree, shown = np.zeros(1, dtype=np.int8), np.zeros(1, dtype=np.int8)
    table.flags.writeable = False
    degree.flags.writeable = False
    reveal(cells, shown, table, degree, 0, True, np.empty(1, dtype=np.int32))


# What people read while they wait → the call that compiles it, with the very types that the library uses.
WARM_UPS: dict[str, Callable[[], None]] = {
    "opening cells": _warm_reveal,
}
