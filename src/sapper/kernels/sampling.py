"""Random layouts that fit a position, each with exactly its posterior chance.

Works on what `posterior.solve` left in the workspace: the number of mines of each component is drawn first, then the
states of its layers from the last to the first, then cells within boxes, then the cells that no clue touches. Linear
in the links of the summation for every sample.

| array    | dtype   | shape         | meaning                                                 |
|----------|---------|---------------|---------------------------------------------------------|
| uniform  | float64 | (k, 3n + 8)   | uniform random numbers                                  |
| out      | bool    | (k, n)        | out: where the mines are, known ones included           |
| others   |         |               | as in posterior.py                                      |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel, kernel
from sapper.kernels.carving import carve_floats, carve_longs, carve_rows, carve_states
from sapper.kernels.frontier import EXPLODED, MINE, UNKNOWN
from sapper.kernels.summing import weigh_counts
from sapper.kernels.totals import fold_suffixes, open_windows, weigh_rest
from sapper.kernels.workspace import (
    BASE,
    BEGIN,
    BOX_OF,
    CHOICES,
    CLOSING,
    FIRST_LAYER,
    FRONTIER,
    HEAD,
    INFO_BASE,
    INFO_FRONTIER,
    INFO_LEFT,
    LABEL,
    LEAST,
    LENGTH,
    LINK,
    LOW,
    MARGIN,
    MEMBERS,
    N_COMPONENTS,
    N_FREE,
    OFFSET,
    P_FREE,
    POLY,
    SIZE,
    START,
    SUFFIX_AT,
    TILT,
    WINDOW_LOW,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]


@inner_kernel
def draw_component(
    first_box: int,
    last_box: int,
    first_layer: int,
    n_mines: int,
    track: int,
    factor: Floats,
    is_soft: bool,
    layer: Ints,
    states: Ints,
    links: Ints,
    soft: Floats,
    weights: Floats,
    rows: Ints,
    uniform: Floats,
    in_box: Ints,
) -> None:
    """Draw the mines of each box of a component that holds ``n_mines`` mines, walking back from its last state."""
    target = layer[first_layer + last_box - first_box]
    for at in range(last_box - 1, first_box - 1, -1):
        box = rows[MEMBERS, at]
        first, end = layer[first_layer + at - first_box], layer[first_layer + at - first_box + 1]
        goal = -1.0
        # Twice over the links: their weights together first, then up to the point that was drawn.
        for turn in range(2):
            total = 0.0
            chosen, count_chosen = -1, 0
            for state in range(first, end):
                for i in range(states[state, CHOICES]):
                    link = states[state, LINK] + i
                    if links[link] != target:
                        continue
                    count = states[state, LOW] + i
                    place = (n_mines - count if track == 1 else 0) - states[state, BASE]
                    if place < 0 or place >= states[state, LENGTH]:
                        continue
                    weight = weights[states[state, OFFSET] + place] * factor[rows[SIZE, box], count]
                    if is_soft:
                        weight *= soft[link]
                    if weight <= 0.0:
                        continue
                    total += weight
                    chosen, count_chosen = state, count
                    if turn == 1 and total > goal:
                        break
                if turn == 1 and total > goal:
                    break
            goal = total * uniform[at]
        in_box[box] = count_chosen
        n_mines -= count_chosen if track == 1 else 0
        target = chosen


@kernel
def sample(
    cells: Int8s,
    settled: Int8s,
    total: int,
    odds: float,
    is_soft: bool,
    ints: Ints,
    longs: Longs,
    floats: Floats,
    uniform: Floats,
    out: Bools,
) -> None:
    """Fill ``out`` with independent random layouts."""
    n = cells.size
    w = n + MARGIN
    track = 1 if total >= 0 else 0
    used, info = longs[:HEAD], floats[:HEAD]
    rows, _, _ = carve_rows(n, ints)
    _, small, weights, soft = carve_floats(n, floats, used)
    layer, states, links, _, _ = carve_states(n, ints, used)
    short, _, _ = carve_longs(n, longs)
    first_layers, begin, at, lows = short[FIRST_LAYER], short[BEGIN], short[SUFFIX_AT], short[WINDOW_LOW]
    poly = small[POLY * w : CLOSING * w]
    n_components, n_free = int(info[N_COMPONENTS]), int(info[N_FREE])
    n_left, base_sum, n_frontier = int(info[INFO_LEFT]), int(info[INFO_BASE]), int(info[INFO_FRONTIER])
    factor = np.empty((9, 9))
    weigh_counts(1.0 if track == 1 else odds, False, factor)
    n_range = 1
    suffix = np.ones(1)
    if track == 1 and n_components > 0:
        n_range = 1 + begin[n_components] - n_components
        rest = np.empty(n_range)
        low, high = max(0, n_left - base_sum - n_free), min(n_range - 1, n_left - base_sum)
        tilt = info[TILT]
        expected = open_windows(n_components, poly, begin, at, lows, tilt != 1.0)
        weigh_rest(rest, low, high, n_free, n_left - base_sum, tilt, expected, False)
        suffix = np.empty(at[n_components + 1])
        fold_suffixes(n_components, poly, begin, rest, suffix, at, lows, False)
    in_box = np.zeros(w, np.int32)
    cells_left = np.zeros(w, np.int32)
    for k in range(out.shape[0]):
        used_up = 0
        for c in range(n_components):
            mines = 0
            first, last = rows[START, c], rows[START, c + 1]
            if track == 1:
                end = layer[first_layers[c] + last - first]
                length = begin[c + 1] - begin[c]
                goal = 0.0
                # Beyond the window there is no weight.
                from_i = max(0, lows[c + 1] - used_up)
                to_i = min(length, lows[c + 1] + at[c + 2] - at[c + 1] - used_up)
                for i in range(from_i, to_i):
                    goal += poly[begin[c] + i] * suffix[at[c + 1] + used_up + i - lows[c + 1]]
                goal *= uniform[k, 2 * n + c]
                so_far = 0.0
                chosen = -1
                for i in range(from_i, to_i):
                    weight = poly[begin[c] + i] * suffix[at[c + 1] + used_up + i - lows[c + 1]]
                    if weight > 0.0:
                        so_far += weight
                        chosen = i
                        if so_far > goal:
                            break
                used_up += chosen
                mines = states[end, BASE] + chosen
            draw_component(
                first, last, first_layers[c], mines, track, factor, is_soft, layer, states, links, soft, weights, rows,
                uniform[k, n : 2 * n], in_box,
            )  # fmt: skip
        for i in range(n_frontier):
            box = rows[BOX_OF, rows[FRONTIER, i]]
            cells_left[box] = rows[SIZE, box]
            if rows[LABEL, box] < 0:
                in_box[box] = rows[LEAST, box]
        free_mines, free_cells = n_left - base_sum - used_up, n_free
        for cell in range(n):
            if settled[cell] == MINE or cells[cell] == EXPLODED:
                out[k, cell] = True
            elif settled[cell] != UNKNOWN:
                out[k, cell] = False
            elif rows[BOX_OF, cell] >= 0:
                # Sequential sampling: each cell of a box takes its share of what is left.
                box = rows[BOX_OF, cell]
                out[k, cell] = uniform[k, cell] * cells_left[box] < in_box[box]
            else:
                share = free_mines / free_cells if track == 1 else info[P_FREE]
                out[k, cell] = uniform[k, cell] < share
                free_mines -= out[k, cell]
                free_cells -= 1
            if rows[BOX_OF, cell] >= 0 and cells[cell] < 0 and cells[cell] != EXPLODED:
                cells_left[rows[BOX_OF, cell]] -= 1
                in_box[rows[BOX_OF, cell]] -= out[k, cell]
