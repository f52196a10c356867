"""Summing a component: one pass forwards and one back over merged states.

A state is the number of mines so far of every open clue, four bits each in two 60-bit words; equal states merge.
With each state goes a short row of weights by the number of mines used. The forward pass keeps its states and how
they lead to each other, so the backward pass looks nothing up. Exponential in the clues open at once, linear in
the boxes.

Arrays: see workspace.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel
from sapper.kernels.workspace import (
    ALLOW,
    BASE,
    CHOICES,
    CLUE_OF,
    CONTRADICTION,
    KNOWN,
    LARGEST_LAYER,
    LAYERS,
    LEAST,
    LENGTH,
    LINK,
    LINKS,
    LOW,
    MEMBERS,
    MORE_LINKS,
    MORE_SLOTS,
    MORE_STATES,
    MORE_WEIGHTS,
    MOST,
    N_CLUES,
    N_LEFT,
    NEED,
    OFFSET,
    OK,
    REST_LEAST,
    REST_MOST,
    SCALE,
    SIZE,
    SLOT,
    SLOTS_PER_WORD,
    STAMP,
    STATES,
    TOO_WIDE,
    WANTED,
    WEIGHTS,
    WIDEST,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]

# Places in `step`, eight each: of every clue that touches the box at hand, the word and shift of its slot and the
# bounds on the mines that it allows; then the slots that are free.
WORD, SHIFT, CEILING, FLOOR, FREE = 0, 8, 16, 24, 32

LOW_HALF = 0xFFFFFFFF

# A layer of states cannot weigh more than 2 to the number of its cells; beyond this exponent it is looked at and
# scaled by a power of two, which loses nothing.
SCALE_BITS = 500


@inner_kernel
def sum_forwards(
    first_box: int,
    last_box: int,
    track: int,  # 1: keep weights by number of mines; 0: the total is unknown and one weight will do
    factor: Floats,  # (9, 9): weight of m mines in a box of k cells
    is_soft: bool,
    tables: Floats,
    boolean: bool,  # only whether weights are zero matters: the others are kept at 1
    rows: Ints,
    clues: Ints,
    layer: Ints,
    step: Longs,
    used: Longs,
    states: Ints,
    links: Ints,
    soft: Floats,
    weights: Floats,
    keys: Longs,
    hashed: Longs,
    slots: Ints,
    info: Floats,  # out: at SCALE, the base-2 logarithm of what the weights were divided by
) -> int:
    """Sum a component forwards; its layers are appended to the pools. Returns a status."""
    n_states, n_links, n_weights, n_layers, stamp = used[STATES], used[LINKS], used[WEIGHTS], used[LAYERS], used[STAMP]
    n_slots = slots.shape[0]
    bits = 0
    info[SCALE] = 0.0

    if n_states >= states.shape[0]:
        return MORE_STATES
    if n_weights >= weights.size:
        return MORE_WEIGHTS
    layer[n_layers] = n_states
    states[n_states, OFFSET], states[n_states, BASE], states[n_states, LENGTH] = n_weights, 0, 1
    weights[n_weights] = 1.0
    n_weights += 1
    n_states += 1
    keys[0, 0, 0], keys[0, 0, 1] = 0, 0
    this, that = 0, 1

    n_free = 0  # slots given back, from FREE on in `step`
    width = 0

    for at in range(first_box, last_box):
        box = np.uint32(rows[MEMBERS, at])
        n_touching = rows[N_CLUES, box]
        least, most = np.int64(rows[LEAST, box]), np.int64(rows[MOST, box])
        inc0, inc1 = np.int64(0), np.int64(0)
        keep0, keep1 = np.int64(-1), np.int64(-1)
        closes = False
        for i in range(n_touching):
            clue = np.uint32(clues[box, i])
            rows[REST_LEAST, clue] -= least
            rows[REST_MOST, clue] -= most
            rows[N_LEFT, clue] -= 1
            if rows[SLOT, clue] < 0:
                if n_free > 0:
                    n_free -= 1
                    rows[SLOT, clue] = step[FREE + n_free]
                elif width < 2 * SLOTS_PER_WORD:
                    rows[SLOT, clue] = width
                    width += 1
                    used[WIDEST] = max(used[WIDEST], width)
                else:
                    return TOO_WIDE
            where = np.int64(rows[SLOT, clue])
            shift = 4 * where if where < SLOTS_PER_WORD else 4 * (where - SLOTS_PER_WORD)
            step[SHIFT + i] = shift
            step[CEILING + i] = rows[ALLOW, clue] - rows[REST_LEAST, clue]
            step[FLOOR + i] = rows[NEED, clue] - rows[REST_MOST, clue]
            if where < SLOTS_PER_WORD:
                step[WORD + i] = 0
                inc0 += np.int64(1) << shift
            else:
                step[WORD + i] = 1
                inc1 += np.int64(1) << shift
            if rows[N_LEFT, clue] == 0:
                closes = True
                if where < SLOTS_PER_WORD:
                    keep0 &= ~(np.int64(15) << shift)
                else:
                    keep1 &= ~(np.int64(15) << shift)
        if closes:
            for i in range(n_touching):
                clue = np.uint32(clues[box, i])
                if rows[N_LEFT, clue] == 0:
                    step[FREE + n_free] = rows[SLOT, clue]
                    n_free += 1

        first, last = layer[n_layers], n_states
        # Kept at once: whatever ends this call, the next one must not take the slots of this layer for its own.
        stamp += 1
        used[STAMP] = stamp
        n_next = 0
        mask = np.int64(n_slots - 1)
        for index in range(last - first):
            state = np.uint32(first + index)
            key0, key1 = keys[this, index, 0], keys[this, index, 1]
            low, high = least, most
            for i in range(n_touching):
                so_far = ((key0 if step[WORD + i] == 0 else key1) >> step[SHIFT + i]) & 15
                high = min(high, step[CEILING + i] - so_far)
                low = max(low, step[FLOOR + i] - so_far)
            n_choices = max(high - low + 1, 0)
            states[state, LINK], states[state, LOW], states[state, CHOICES] = n_links, low, n_choices
            if n_links + n_choices > links.size or (is_soft and n_links + n_choices > soft.size):
                return MORE_LINKS
            base, length = states[state, BASE], states[state, LENGTH]
            for count in range(low, high + 1):
                next0 = (key0 + count * inc0) & keep0
                next1 = (key1 + count * inc1) & keep1
                # Halves times constants below 2^31: mixes well and stays within 63 bits, compiled or not.
                mixed = (next0 & LOW_HALF) * 2146121005 ^ (next0 >> 32) * 1540483477
                mixed ^= (next1 & LOW_HALF) * 1640531513 ^ (next1 >> 32) * 1831565813
                place = (mixed ^ (mixed >> 29)) & mask
                found = np.int64(-1)
                while slots[place, 0] == stamp:
                    if hashed[place, 0] == next0 and hashed[place, 1] == next1:
                        found = np.int64(slots[place, 1])
                        break
                    place = (place + 1) & mask
                start = base + track * count
                if found < 0:
                    if 2 * n_next >= n_slots:
                        return MORE_SLOTS
                    found = last + n_next
                    if found >= states.shape[0]:
                        return MORE_STATES
                    slots[place, 0], slots[place, 1] = stamp, found
                    hashed[place, 0], hashed[place, 1] = next0, next1
                    keys[that, n_next, 0], keys[that, n_next, 1] = next0, next1
                    states[found, BASE], states[found, LENGTH] = start, length
                    n_next += 1
                else:
                    # BASE and LENGTH grow to cover every way to get here.
                    target = np.uint32(found)
                    end = max(states[target, BASE] + states[target, LENGTH], start + length)
                    start = min(start, states[target, BASE])
                    states[target, BASE], states[target, LENGTH] = start, end - start
                links[n_links] = found
                if is_soft:
                    likelihood = 1.0
                    if closes:
                        for i in range(n_touching):
                            clue = np.uint32(clues[box, i])
                            if rows[N_LEFT, clue] == 0:
                                so_far = ((key0 if step[WORD + i] == 0 else key1) >> step[SHIFT + i]) & 15
                                chance = tables[rows[CLUE_OF, clue], rows[KNOWN, clue] + so_far + count]
                                likelihood *= (1.0 if chance > 0.0 else 0.0) if boolean else chance
                    soft[n_links] = likelihood
                n_links += 1
        if n_next == 0:
            return CONTRADICTION

        n_before = n_weights
        for state in range(last, last + n_next):
            states[state, OFFSET] = n_weights
            n_weights += states[state, LENGTH]
        if n_weights > weights.size:
            used[WANTED] = n_weights
            return MORE_WEIGHTS
        if n_weights - n_before > used[LARGEST_LAYER]:
            used[LARGEST_LAYER] = n_weights - n_before
        for i in range(n_before, n_weights):
            weights[i] = 0.0
        n_cells = np.uint32(rows[SIZE, box])
        for index in range(last - first):
            state = np.uint32(first + index)
            source, length = states[state, OFFSET], states[state, LENGTH]
            for i in range(states[state, CHOICES]):
                count = states[state, LOW] + i
                link = states[state, LINK] + i
                target = np.uint32(links[link])
                ways = factor[n_cells, count]
                if is_soft:
                    ways *= soft[link]
                sink = states[target, OFFSET] + states[state, BASE] + track * count - states[target, BASE]
                for k in range(length):
                    weights[sink + k] += ways * weights[source + k]
        bits += n_cells
        if boolean:
            for i in range(n_before, n_weights):
                if weights[i] > 0.0:
                    weights[i] = 1.0
        elif bits > SCALE_BITS or is_soft:
            largest = 0.0
            for i in range(n_before, n_weights):
                if weights[i] > largest:
                    largest = weights[i]
            if largest <= 0.0:
                return CONTRADICTION
            exponent = np.floor(np.log2(largest))
            by = 2.0**-exponent
            for i in range(n_before, n_weights):
                weights[i] *= by
            info[SCALE] += exponent
            bits = 1
        n_states = last + n_next
        n_layers += 1
        layer[n_layers] = last
        this, that = that, this
    layer[n_layers + 1] = n_states
    # The next component begins a layer of its own.
    used[STATES], used[LINKS], used[WEIGHTS], used[LAYERS] = n_states, n_links, n_weights, n_layers + 1
    return OK


@inner_kernel
def sum_backwards(
    first_box: int,
    last_box: int,
    first_layer: int,
    track: int,
    factor: Floats,
    is_soft: bool,
    boolean: bool,
    closing: Floats,  # weight of everything else, by mines of this component from its least on
    rows: Ints,
    layer: Ints,
    states: Ints,
    links: Ints,
    soft: Floats,
    weights: Floats,
    behind: Floats,  # scratch: two layers of backward weights
    sums: Floats,  # out: by box
) -> None:
    """Walk a summed component back from its end and weigh every box. The weights of the rest come folded in."""
    this, that = 0, behind.size // 2
    last = layer[first_layer + last_box - first_box]
    for k in range(states[last, LENGTH]):
        behind[this + k] = closing[k]
    for at in range(last_box - 1, first_box - 1, -1):
        box = np.uint32(rows[MEMBERS, at])
        n_cells = np.uint32(rows[SIZE, box])
        first, end = layer[first_layer + at - first_box], layer[first_layer + at - first_box + 1]
        here_offset, there_offset = states[first, OFFSET], states[end, OFFSET]
        mined, clear, largest = 0.0, 0.0, 0.0
        for index in range(end - first):
            state = np.uint32(first + index)
            source, length = states[state, OFFSET], states[state, LENGTH]
            here = that + source - here_offset
            for k in range(length):
                behind[here + k] = 0.0
            for i in range(states[state, CHOICES]):
                count = states[state, LOW] + i
                link = states[state, LINK] + i
                target = np.uint32(links[link])
                ways = factor[n_cells, count]
                if is_soft:
                    ways *= soft[link]
                shift = states[state, BASE] + track * count - states[target, BASE]
                there = this + states[target, OFFSET] - there_offset + shift
                total = 0.0
                for k in range(length):
                    rest = ways * behind[there + k]
                    behind[here + k] += rest
                    total += weights[source + k] * rest
                mined += count * total
                clear += (np.int64(n_cells) - count) * total
            for k in range(length):
                largest = max(largest, behind[here + k])
        sums[0, box], sums[1, box] = mined, clear
        n_here = there_offset - here_offset
        if boolean:
            for k in range(n_here):
                behind[that + k] = 1.0 if behind[that + k] > 0.0 else 0.0
        elif largest > 1e150 or 0.0 < largest < 1e-150:
            # Boxes are normalised one by one, so a layer may be scaled as it likes.
            by = 2.0 ** -np.floor(np.log2(largest))
            for k in range(n_here):
                behind[that + k] *= by
        this, that = that, this
