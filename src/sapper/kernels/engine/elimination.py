"""Summing a component: one pass forwards and one back over merged states.

A state is the number of mines so far of every open clue, four bits each in two 60-bit words; equal states merge.
With each state goes a short row of weights by the number of mines used. The forward pass keeps its states and how
they lead to each other, so the backward pass looks nothing up. Exponential in the clues open at once, linear in
the boxes.
"""

from __future__ import annotations

from sapper.kernels.codes import (
    CONTRADICTION,
    MORE_BEHIND,
    MORE_LINKS,
    MORE_SLOTS,
    MORE_STATES,
    MORE_WEIGHTS,
    OK,
    SLOTS_PER_WORD,
    STOPPED,
    TOO_WIDE,
)
from sapper.kernels.engine.board import Question
from sapper.kernels.engine.extended import add, normalise, shift_down
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Double, Flag, Int, Long, inner

NIBBLE = 15

# Halves of a key times constants below 2^31: this mixes well and stays within 63 bits, compiled or not.
LOW_HALF = 0xFFFFFFFF
MIX_1 = 2146121005
MIX_2 = 1540483477
MIX_3 = 1640531513
MIX_4 = 1831565813


@inner
def take_slot(ws: Workspace, clue: Int) -> Int:
    """Give a clue that opens a place in the keys; return a status."""
    if ws.n_free_slots > 0:
        ws.n_free_slots -= 1
        ws.slot[clue] = ws.free_slots[ws.n_free_slots]
    elif ws.n_open_slots < 2 * SLOTS_PER_WORD:
        ws.slot[clue] = ws.n_open_slots
        ws.n_open_slots += 1
        ws.widest = max(ws.widest, ws.n_open_slots)
    else:
        return TOO_WIDE
    return OK


@inner
def begin_step(ws: Workspace, box: Int) -> Int:
    """Prepare to fill a box: where the sums of its clues stand, and between what they must lie; return a status."""
    one: Long
    nibble: Long
    shift: Int
    slot: Int
    ws.add_0, ws.add_1, ws.drop_0, ws.drop_1 = 0, 0, 0, 0
    ws.closes = False
    for i in range(ws.n_clues[box]):
        clue = ws.clues[box, i]
        ws.rest_least[clue] -= ws.least[box]
        ws.rest_most[clue] -= ws.most[box]
        ws.n_left[clue] -= 1
        if ws.slot[clue] < 0:
            status = take_slot(ws, clue)
            if status != OK:
                return status
        slot = ws.slot[clue]
        shift = 4 * slot if slot < SLOTS_PER_WORD else 4 * (slot - SLOTS_PER_WORD)
        ws.step_word[i] = 0 if slot < SLOTS_PER_WORD else 1
        ws.step_shift[i] = shift
        ws.step_ceiling[i] = ws.allow[clue] - ws.rest_least[clue]
        ws.step_floor[i] = ws.need[clue] - ws.rest_most[clue]
        one, nibble = 1, NIBBLE
        if slot < SLOTS_PER_WORD:
            ws.add_0 += one << shift
        else:
            ws.add_1 += one << shift
        if ws.n_left[clue] == 0:
            ws.closes = True
            if slot < SLOTS_PER_WORD:
                ws.drop_0 |= nibble << shift
            else:
                ws.drop_1 |= nibble << shift
    if ws.closes:
        for i in range(ws.n_clues[box]):
            clue = ws.clues[box, i]
            if ws.n_left[clue] == 0:
                ws.free_slots[ws.n_free_slots] = ws.slot[clue]
                ws.n_free_slots += 1
    return OK


@inner
def find_place(ws: Workspace, stamp: Int, key_0: Long, key_1: Long) -> Long:
    """Where the hash table has a state of the next layer, or would have it."""
    mixed: Long
    place: Long
    mask: Long = ws.slot_stamp.shape[0] - 1
    mixed = (key_0 & LOW_HALF) * MIX_1 ^ (key_0 >> 32) * MIX_2
    mixed ^= (key_1 & LOW_HALF) * MIX_3 ^ (key_1 >> 32) * MIX_4
    place = (mixed ^ (mixed >> 29)) & mask
    while ws.slot_stamp[place] == stamp and (ws.slot_key[place, 0] != key_0 or ws.slot_key[place, 1] != key_1):
        place = (place + 1) & mask
    return place


@inner
def likelihood_of(ws: Workspace, asked: Question, box: Int, key_0: Long, key_1: Long, count: Int) -> Double:
    """How likely the soft clues that close with a box show what they show, if it holds ``count`` mines."""
    likelihood: Double = 1.0
    so_far: Int
    for i in range(ws.n_clues[box]):
        clue = ws.clues[box, i]
        if ws.n_left[clue] == 0:
            so_far = ((key_0 if ws.step_word[i] == 0 else key_1) >> ws.step_shift[i]) & NIBBLE
            likelihood *= asked.tables[ws.clue_of[clue], ws.known[clue] + so_far + count]
    return likelihood


@inner
def fill_box(ws: Workspace, asked: Question, box: Int, first: Int, last: Int, this: Int) -> Int:
    """Fill a box in every way in every state from ``first`` to ``last``, which makes the next layer; return a status.

    The keys of these states begin at ``this`` in ``keys``.
    """
    key_0: Long
    key_1: Long
    next_0: Long
    next_1: Long
    low: Int
    high: Int
    start: Int
    end: Int
    n_next: Int = 0
    n_links: Int = ws.links_used
    n_slots: Int = ws.slot_stamp.shape[0]
    n_touching, least, most, track, stamp = ws.n_clues[box], ws.least[box], ws.most[box], ws.track, ws.stamp
    add_0, add_1, keep_0, keep_1 = ws.add_0, ws.add_1, ~ws.drop_0, ~ws.drop_1
    that: Int = n_slots - this
    for index in range(last - first):
        state = first + index
        key_0, key_1 = ws.keys[this + index, 0], ws.keys[this + index, 1]
        low, high = least, most
        for i in range(n_touching):
            so_far = ((key_0 if ws.step_word[i] == 0 else key_1) >> ws.step_shift[i]) & NIBBLE
            high = min(high, ws.step_ceiling[i] - so_far)
            low = max(low, ws.step_floor[i] - so_far)
        ws.first_link[state], ws.low[state], ws.choices[state] = n_links, low, max(high - low + 1, 0)
        if n_links + ws.choices[state] > ws.links.shape[0]:
            return MORE_LINKS
        base, length = ws.fewest[state], ws.length[state]
        for count in range(low, high + 1):
            next_0 = (key_0 + count * add_0) & keep_0
            next_1 = (key_1 + count * add_1) & keep_1
            place = find_place(ws, stamp, next_0, next_1)
            start = base + track * count
            if ws.slot_stamp[place] == stamp:
                # The weights of the state grow to cover every way to get here.
                found = ws.slot_state[place]
                end = max(ws.fewest[found] + ws.length[found], start + length)
                start = min(start, ws.fewest[found])
                ws.fewest[found], ws.length[found] = start, end - start
            else:
                found = last + n_next
                if 2 * n_next >= n_slots:
                    return MORE_SLOTS
                if found >= ws.offset.shape[0]:
                    return MORE_STATES
                ws.slot_stamp[place], ws.slot_state[place] = stamp, found
                ws.slot_key[place, 0], ws.slot_key[place, 1] = next_0, next_1
                ws.keys[that + n_next, 0], ws.keys[that + n_next, 1] = next_0, next_1
                ws.fewest[found], ws.length[found] = start, length
                n_next += 1
            ws.links[n_links] = found
            if asked.is_soft:
                ws.soft[n_links] = likelihood_of(ws, asked, box, key_0, key_1, count) if ws.closes else 1.0
            n_links += 1
    if n_next == 0:
        return CONTRADICTION
    ws.links_used, ws.states_used = n_links, last + n_next
    return OK


@inner
def lay_out_weights(ws: Workspace, first: Int, last: Int) -> Int:
    """Give the states of a layer room for their weights, and clear it; return a status."""
    begin = ws.weights_used
    for state in range(first, last):
        ws.offset[state] = ws.weights_used
        ws.weights_used += ws.length[state]
        if ws.weights_used > ws.list_end:
            return MORE_WEIGHTS
    if 2 * (ws.weights_used - begin) > ws.behind.shape[0]:
        return MORE_BEHIND
    for i in range(begin, ws.weights_used):
        ws.weights[i] = 0.0
    if ws.extended:
        for i in range(begin, ws.weights_used):
            ws.exponents[i] = 0
    return OK


@inner
def carry_weights(ws: Workspace, is_soft: Flag, box: Int, first: Int, last: Int) -> None:
    """Carry the weights of a layer along its links to the next one."""
    ways: Double
    sink: Int
    size = ws.size[box]
    for state in range(first, last):
        source, length = ws.offset[state], ws.length[state]
        for i in range(ws.choices[state]):
            count = ws.low[state] + i
            link = ws.first_link[state] + i
            target = ws.links[link]
            ways = ws.factor[size, count]
            if is_soft:
                ways *= ws.soft[link]
            sink = ws.offset[target] + ws.fewest[state] + ws.track * count - ws.fewest[target]
            for k in range(length):
                ws.weights[sink + k] += ways * ws.weights[source + k]


@inner
def carry_extended_weights(ws: Workspace, is_soft: Flag, box: Int, first: Int, last: Int) -> None:
    """Do what `carry_weights` does, with exponents."""
    ways: Double
    sink: Int
    size = ws.size[box]
    for state in range(first, last):
        source, length = ws.offset[state], ws.length[state]
        for i in range(ws.choices[state]):
            count = ws.low[state] + i
            link = ws.first_link[state] + i
            target = ws.links[link]
            ways, ways_exponent = ws.factor[size, count], ws.factor_exponent[size, count]
            if is_soft:
                ways *= ws.soft[link]
            sink = ws.offset[target] + ws.fewest[state] + ws.track * count - ws.fewest[target]
            for k in range(length):
                ws.weights[sink + k], ws.exponents[sink + k] = add(
                    ws.weights[sink + k], ws.exponents[sink + k],
                    ways * ws.weights[source + k], ways_exponent + ws.exponents[source + k],
                )  # fmt: skip


@inner
def begin_component(ws: Workspace) -> Int:
    """Make the first layer, a single state in which nothing is filled; return a status."""
    ws.states_used, ws.links_used, ws.weights_used = ws.n_states, ws.n_links, ws.n_weights
    ws.n_free_slots, ws.n_open_slots = 0, 0
    if ws.n_states >= ws.offset.shape[0]:
        return MORE_STATES
    if ws.n_weights >= ws.list_end:
        return MORE_WEIGHTS
    ws.layer[ws.n_layers] = ws.n_states
    ws.offset[ws.n_states], ws.fewest[ws.n_states], ws.length[ws.n_states] = ws.n_weights, 0, 1
    ws.weights[ws.n_weights], ws.exponents[ws.n_weights] = 1.0, 0
    ws.keys[0, 0], ws.keys[0, 1] = 0, 0
    ws.states_used += 1
    ws.weights_used += 1
    return OK


@inner
def sum_forwards(ws: Workspace, asked: Question, first_box: Int, last_box: Int) -> Int:
    """Sum a component forwards; its layers are appended to the pools. Returns a status."""
    this: Int = 0
    n_layers: Int = ws.n_layers
    status = begin_component(ws)
    for at in range(first_box, last_box):
        if status != OK:
            return status
        if ws.stop:
            return STOPPED
        box = ws.members[at]
        status = begin_step(ws, box)
        if status != OK:
            return status
        first, last = ws.layer[n_layers], ws.states_used
        # Whatever ends this call, the next one must not take the slots of this layer for its own.
        ws.stamp += 1
        status = fill_box(ws, asked, box, first, last, this)
        if status == OK:
            status = lay_out_weights(ws, last, ws.states_used)
        if status != OK:
            return status
        if ws.extended:
            carry_extended_weights(ws, asked.is_soft, box, first, last)
        else:
            carry_weights(ws, asked.is_soft, box, first, last)
        n_layers += 1
        ws.layer[n_layers] = last
        this = ws.slot_stamp.shape[0] - this
    ws.layer[n_layers + 1] = ws.states_used
    # The next component begins a layer of its own.
    ws.n_states, ws.n_links, ws.n_weights = ws.states_used, ws.links_used, ws.weights_used
    ws.n_layers = n_layers + 1
    return OK


@inner
def carry_back(ws: Workspace, is_soft: Flag, box: Int, first: Int, end: Int, this: Int, that: Int) -> None:
    """Carry the backward weights of the layer that begins at ``end`` back along the links.

    They stand at ``this`` in ``behind`` and go to ``that``. On the way the box between the layers is weighed.
    """
    mined: Double = 0.0
    clear: Double = 0.0
    ways: Double
    total: Double
    rest: Double
    size = ws.size[box]
    here_offset, there_offset = ws.offset[first], ws.offset[end]
    for state in range(first, end):
        source, length = ws.offset[state], ws.length[state]
        here = that + source - here_offset
        for k in range(length):
            ws.behind[here + k] = 0.0
        for i in range(ws.choices[state]):
            count = ws.low[state] + i
            link = ws.first_link[state] + i
            target = ws.links[link]
            ways = ws.factor[size, count]
            if is_soft:
                ways *= ws.soft[link]
            there = this + ws.offset[target] - there_offset + ws.fewest[state] + ws.track * count - ws.fewest[target]
            total = 0.0
            for k in range(length):
                rest = ways * ws.behind[there + k]
                ws.behind[here + k] += rest
                total += ws.weights[source + k] * rest
            mined += count * total
            clear += (size - count) * total
    ws.with_mines[box], ws.with_clear[box] = mined, clear


@inner
def carry_extended_back(ws: Workspace, is_soft: Flag, box: Int, first: Int, end: Int, this: Int, that: Int) -> None:
    """Do what `carry_back` does, with exponents; what is possible in the box goes into ``support``."""
    mined: Double = 0.0
    clear: Double = 0.0
    mined_exponent: Int = 0
    clear_exponent: Int = 0
    ways: Double
    rest: Double
    exponent: Int
    size = ws.size[box]
    here_offset, there_offset = ws.offset[first], ws.offset[end]
    for state in range(first, end):
        source, length = ws.offset[state], ws.length[state]
        here = that + source - here_offset
        for k in range(length):
            ws.behind[here + k], ws.behind_exponents[here + k] = 0.0, 0
        for i in range(ws.choices[state]):
            count = ws.low[state] + i
            link = ws.first_link[state] + i
            target = ws.links[link]
            ways = ws.factor[size, count]
            if is_soft:
                ways *= ws.soft[link]
            there = this + ws.offset[target] - there_offset + ws.fewest[state] + ws.track * count - ws.fewest[target]
            for k in range(length):
                rest, exponent = normalise(
                    ways * ws.behind[there + k], ws.factor_exponent[size, count] + ws.behind_exponents[there + k]
                )
                ws.behind[here + k], ws.behind_exponents[here + k] = add(
                    ws.behind[here + k], ws.behind_exponents[here + k], rest, exponent
                )
                rest *= ws.weights[source + k]
                exponent += ws.exponents[source + k]
                mined, mined_exponent = add(mined, mined_exponent, count * rest, exponent)
                clear, clear_exponent = add(clear, clear_exponent, (size - count) * rest, exponent)
    ws.support[box] = (1 if mined > 0.0 else 0) + (2 if clear > 0.0 else 0)
    if mined > 0.0 and clear > 0.0:
        mined = shift_down(mined, clear_exponent - mined_exponent)
        clear = shift_down(clear, mined_exponent - clear_exponent)
    ws.with_mines[box], ws.with_clear[box] = mined, clear


@inner
def sum_backwards(ws: Workspace, is_soft: Flag, c: Int) -> None:
    """Walk a summed component back from its end and weigh every box. The weights of the rest come folded in."""
    first_box, first_layer = ws.start[c], ws.first_layer[c]
    this: Int = 0
    that: Int = ws.behind.shape[0] // 2
    last = ws.layer[first_layer + ws.start[c + 1] - first_box]
    for k in range(ws.length[last]):
        ws.behind[k] = ws.closing[ws.begin[c] + k]
        ws.behind_exponents[k] = ws.closing_exponent[ws.begin[c] + k]
    for at in range(ws.start[c + 1] - 1, first_box - 1, -1):
        first, end = ws.layer[first_layer + at - first_box], ws.layer[first_layer + at - first_box + 1]
        if ws.extended:
            carry_extended_back(ws, is_soft, ws.members[at], first, end, this, that)
        else:
            carry_back(ws, is_soft, ws.members[at], first, end, this, that)
        this, that = that, this
