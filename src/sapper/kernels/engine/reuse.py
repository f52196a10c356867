"""Remembering the sums of components from one position of a game to the next.

A component is described by its boxes and clues as they lie on the board: a record of integers. If the very same
description was summed before, its layers are still in the pools and only the backward pass is made again, because what
lies around the component has changed. The answers are those of a fresh computation to the last bit. Linear in the
boxes and in the number of records, of which a board never has many.

The records stand one behind the other in ``cache``: length of the whole, boxes, first layer, scale, then the
description and the order.
"""

from __future__ import annotations

from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Flag, Int, inner, truncate

# What a record begins with.
RECORD_LENGTH = 0
RECORD_BOXES = 1
RECORD_LAYER = 2
RECORD_SCALE = 3
DESCRIPTION = 4


@inner
def describe(ws: Workspace, first: Int, last: Int) -> Int:
    """Write the description of a component behind the last record; return its length, or 0 if there is no room."""
    start = ws.n_cached + DESCRIPTION
    # At most 5 numbers a box, 3 a clue of it, and the order.
    if start + 1 + (6 + 3 * ws.max_degree) * (last - first) > ws.cache.shape[0]:
        return 0
    at = start
    ws.cache[at] = 1 if ws.boolean else 0
    at += 1
    for i in range(first, last):
        box = ws.members[i]
        n_clues = ws.n_clues[box]
        ws.cache[at] = ws.place[box]
        ws.cache[at + 1] = ws.size[box]
        ws.cache[at + 2] = ws.least[box]
        ws.cache[at + 3] = ws.most[box]
        ws.cache[at + 4] = n_clues
        at += 5
        for k in range(n_clues):
            clue = ws.clues[box, k]
            ws.cache[at] = ws.clue_of[clue]
            ws.cache[at + 1] = ws.need[clue]
            ws.cache[at + 2] = ws.allow[clue]
            at += 3
    return at - start


@inner
def is_same(ws: Workspace, one: Int, other: Int, length: Int) -> Flag:
    """Whether two descriptions are equal."""
    for i in range(length):
        if ws.cache[one + i] != ws.cache[other + i]:
            return False
    return True


@inner
def recall(ws: Workspace, first: Int, last: Int, length: Int) -> Int:
    """Find the record with the description just written and put the boxes into its order; return it, or -1."""
    fresh = ws.n_cached + DESCRIPTION
    n_boxes = last - first
    record: Int = 0
    while record < ws.n_cached:
        if (
            ws.cache[record + RECORD_BOXES] == n_boxes
            and ws.cache[record + RECORD_LENGTH] == DESCRIPTION + length + n_boxes
            and is_same(ws, record + DESCRIPTION, fresh, length)
        ):
            order = record + DESCRIPTION + length
            for i in range(n_boxes):
                ws.trial[first + i] = ws.members[first + ws.cache[order + i]]
            for i in range(first, last):
                ws.members[i] = ws.trial[i]
            ws.n_reused += 1
            return record
        record += ws.cache[record + RECORD_LENGTH]
    return -1


@inner
def remember(ws: Workspace, first: Int, last: Int, length: Int, first_layer: Int) -> None:
    """Keep the description just written as a record, with the order that the boxes are in now.

    The description was written from the boxes in ascending order, so their ranks tell the order.
    """
    rank: Int
    record = ws.n_cached
    ws.cache[record + RECORD_LENGTH] = DESCRIPTION + length + last - first
    ws.cache[record + RECORD_BOXES] = last - first
    ws.cache[record + RECORD_LAYER] = first_layer
    ws.cache[record + RECORD_SCALE] = truncate(ws.scale)
    order = record + DESCRIPTION + length
    for i in range(first, last):
        rank = 0
        for k in range(first, last):
            rank += ws.members[k] < ws.members[i]
        ws.cache[order + i - first] = rank
    ws.n_cached += ws.cache[record + RECORD_LENGTH]
