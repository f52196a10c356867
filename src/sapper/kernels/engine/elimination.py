"""Summing a component: one pass forwards and one back over merged states.

A state is the number of mines so far of every open clue, four bits each in two 60-bit words; equal states merge.
With each state goes a short row of weights by the number of mines used. The forward pass keeps its states and how
they lead to each other, so the backward pass looks nothing up. Exponential in the clues open at once, linear in
the boxes.
"""

from __future__ import annotations

from sapper.kernels.codes import (
    BACKWARD,
    CONTRADICTION,
    LINKS,
    OK,
    SLOTS,
    SLOTS_PER_WORD,
    STATES,
    STOPPED,
    TOO_WIDE,
    WEIGHTS,
)
from sapper.kernels.engine.board import Question
from sapper.kernels.engine.extended import add, normalise, shift_down
from sapper.kernels.engine.workspace import Pools, Workspace, lack
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
    if ws.component.n_free_slots > 0:
        ws.component.n_free_slots -= 1
        ws.frontier.slot[clue] = ws.component.free_slots[ws.component.n_free_slots]
    elif ws.component.n_open_slots < 2 * SLOTS_PER_WORD:
        ws.frontier.slot[clue] = ws.component.n_open_slots
        ws.component.n_open_slots += 1
        ws.widest = max(ws.widest, ws.component.n_open_slots)
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
    ws.component.add_0, ws.component.add_1, ws.component.drop_0, ws.component.drop_1 = 0, 0, 0, 0
    ws.component.closes = False
    for i in range(ws.frontier.n_clues[box]):
        clue = ws.frontier.clues[box, i]
        ws.frontier.rest_least[clue] -= ws.frontier.least[box]
        ws.frontier.rest_most[clue] -= ws.frontier.most[box]
        ws.frontier.n_left[clue] -= 1
        if ws.frontier.slot[clue] < 0:
            status = take_slot(ws, clue)
            if status != OK:
                return status
        slot = ws.frontier.slot[clue]
        shift = 4 * slot if slot < SLOTS_PER_WORD else 4 * (slot - SLOTS_PER_WORD)
        ws.component.step_word[i] = 0 if slot < SLOTS_PER_WORD else 1
        ws.component.step_shift[i] = shift
        ws.component.step_ceiling[i] = ws.frontier.allow[clue] - ws.frontier.rest_least[clue]
        ws.component.step_floor[i] = ws.frontier.need[clue] - ws.frontier.rest_most[clue]
        one, nibble = 1, NIBBLE
        if slot < SLOTS_PER_WORD:
            ws.component.add_0 += one << shift
        else:
            ws.component.add_1 += one << shift
        if ws.frontier.n_left[clue] == 0:
            ws.component.closes = True
            if slot < SLOTS_PER_WORD:
                ws.component.drop_0 |= nibble << shift
            else:
                ws.component.drop_1 |= nibble << shift
    if ws.component.closes:
        for i in range(ws.frontier.n_clues[box]):
            clue = ws.frontier.clues[box, i]
            if ws.frontier.n_left[clue] == 0:
                ws.component.free_slots[ws.component.n_free_slots] = ws.frontier.slot[clue]
                ws.component.n_free_slots += 1
    return OK


@inner
def find_place(pools: Pools, stamp: Int, key_0: Long, key_1: Long) -> Long:
    """Where the hash table has a state of the next layer, or would have it."""
    mixed: Long
    place: Long
    mask: Long = pools.slot_stamp.shape[0] - 1
    mixed = (key_0 & LOW_HALF) * MIX_1 ^ (key_0 >> 32) * MIX_2
    mixed ^= (key_1 & LOW_HALF) * MIX_3 ^ (key_1 >> 32) * MIX_4
    place = (mixed ^ (mixed >> 29)) & mask
    while pools.slot_stamp[place] == stamp and (pools.slot_key[place, 0] != key_0 or pools.slot_key[place, 1] != key_1):
        place = (place + 1) & mask
    return place


@inner
def likelihood_of(ws: Workspace, asked: Question, box: Int, key_0: Long, key_1: Long, count: Int) -> Double:
    """How likely the soft clues that close with a box show what they show, if it holds ``count`` mines."""
    likelihood: Double = 1.0
    so_far: Int
    for i in range(ws.frontier.n_clues[box]):
        clue = ws.frontier.clues[box, i]
        if ws.frontier.n_left[clue] == 0:
            so_far = ((key_0 if ws.component.step_word[i] == 0 else key_1) >> ws.component.step_shift[i]) & NIBBLE
            likelihood *= asked.tables[ws.frontier.clue_of[clue], ws.frontier.known[clue] + so_far + count]
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
    n_links: Int = ws.component.links_used
    n_slots: Int = ws.pools.slot_stamp.shape[0]
    n_touching, least, most, track, stamp = (
        ws.frontier.n_clues[box],
        ws.frontier.least[box],
        ws.frontier.most[box],
        ws.component.track,
        ws.pools.stamp,
    )
    add_0, add_1, keep_0, keep_1 = ws.component.add_0, ws.component.add_1, ~ws.component.drop_0, ~ws.component.drop_1
    that: Int = n_slots - this
    for index in range(last - first):
        state = first + index
        key_0, key_1 = ws.pools.keys[this + index, 0], ws.pools.keys[this + index, 1]
        low, high = least, most
        for i in range(n_touching):
            so_far = ((key_0 if ws.component.step_word[i] == 0 else key_1) >> ws.component.step_shift[i]) & NIBBLE
            high = min(high, ws.component.step_ceiling[i] - so_far)
            low = max(low, ws.component.step_floor[i] - so_far)
        ws.pools.first_link[state], ws.pools.low[state], ws.pools.choices[state] = n_links, low, max(high - low + 1, 0)
        if n_links + ws.pools.choices[state] > ws.pools.links.shape[0]:
            return lack(ws, LINKS)
        base, length = ws.pools.fewest[state], ws.pools.length[state]
        for count in range(low, high + 1):
            next_0 = (key_0 + count * add_0) & keep_0
            next_1 = (key_1 + count * add_1) & keep_1
            place = find_place(ws.pools, stamp, next_0, next_1)
            start = base + track * count
            if ws.pools.slot_stamp[place] == stamp:
                # The weights of the state grow to cover every way to get here.
                found = ws.pools.slot_state[place]
                end = max(ws.pools.fewest[found] + ws.pools.length[found], start + length)
                start = min(start, ws.pools.fewest[found])
                ws.pools.fewest[found], ws.pools.length[found] = start, end - start
            else:
                found = last + n_next
                if 2 * n_next >= n_slots:
                    return lack(ws, SLOTS)
                if found >= ws.pools.offset.shape[0]:
                    return lack(ws, STATES)
                ws.pools.slot_stamp[place], ws.pools.slot_state[place] = stamp, found
                ws.pools.slot_key[place, 0], ws.pools.slot_key[place, 1] = next_0, next_1
                ws.pools.keys[that + n_next, 0], ws.pools.keys[that + n_next, 1] = next_0, next_1
                ws.pools.fewest[found], ws.pools.length[found] = start, length
                n_next += 1
            ws.pools.links[n_links] = found
            if asked.is_soft:
                ws.pools.soft[n_links] = (
                    likelihood_of(ws, asked, box, key_0, key_1, count) if ws.component.closes else 1.0
                )
            n_links += 1
    if n_next == 0:
        return CONTRADICTION
    ws.component.links_used, ws.component.states_used = n_links, last + n_next
    return OK


@inner
def lay_out_weights(ws: Workspace, first: Int, last: Int) -> Int:
    """Give the states of a layer room for their weights, and clear it; return a status."""
    begin = ws.component.weights_used
    for state in range(first, last):
        ws.pools.offset[state] = ws.component.weights_used
        ws.component.weights_used += ws.pools.length[state]
        if ws.component.weights_used > ws.pools.list_end:
            return lack(ws, WEIGHTS)
    if 2 * (ws.component.weights_used - begin) > ws.pools.backward.shape[0]:
        return lack(ws, BACKWARD)
    for i in range(begin, ws.component.weights_used):
        ws.pools.weights[i] = 0.0
    if ws.component.extended:
        for i in range(begin, ws.component.weights_used):
            ws.pools.exponents[i] = 0
    return OK


@inner
def place_of(ws: Workspace, state: Int, target: Int, count: Int) -> Int:
    """Return where the first weight of a state goes in those of the state that ``count`` mines lead to."""
    fewest = ws.pools.fewest[state] + ws.component.track * count
    return ws.pools.offset[target] + fewest - ws.pools.fewest[target]


@inner
def carry_weights(ws: Workspace, is_soft: Flag, box: Int, first: Int, last: Int) -> None:
    """Carry the weights of a layer along its links to the next one."""
    ways: Double
    sink: Int
    size = ws.frontier.size[box]
    for state in range(first, last):
        source, length = ws.pools.offset[state], ws.pools.length[state]
        for i in range(ws.pools.choices[state]):
            count = ws.pools.low[state] + i
            link = ws.pools.first_link[state] + i
            target = ws.pools.links[link]
            ways = ws.totals.factor[size, count]
            if is_soft:
                ways *= ws.pools.soft[link]
            sink = place_of(ws, state, target, count)
            for k in range(length):
                ws.pools.weights[sink + k] += ways * ws.pools.weights[source + k]


@inner
def carry_extended_weights(ws: Workspace, is_soft: Flag, box: Int, first: Int, last: Int) -> None:
    """Do what `carry_weights` does, with exponents."""
    ways: Double
    sink: Int
    size = ws.frontier.size[box]
    for state in range(first, last):
        source, length = ws.pools.offset[state], ws.pools.length[state]
        for i in range(ws.pools.choices[state]):
            count = ws.pools.low[state] + i
            link = ws.pools.first_link[state] + i
            target = ws.pools.links[link]
            ways, ways_exponent = ws.totals.factor[size, count], ws.totals.factor_exponent[size, count]
            if is_soft:
                ways *= ws.pools.soft[link]
            sink = place_of(ws, state, target, count)
            for k in range(length):
                ws.pools.weights[sink + k], ws.pools.exponents[sink + k] = add(
                    ws.pools.weights[sink + k], ws.pools.exponents[sink + k],
                    ways * ws.pools.weights[source + k], ways_exponent + ws.pools.exponents[source + k],
                )  # fmt: skip


@inner
def begin_component(ws: Workspace) -> Int:
    """Make the first layer, a single state in which nothing is filled; return a status."""
    ws.component.states_used, ws.component.links_used, ws.component.weights_used = (
        ws.pools.n_states,
        ws.pools.n_links,
        ws.pools.n_weights,
    )
    ws.component.n_free_slots, ws.component.n_open_slots = 0, 0
    if ws.pools.n_states >= ws.pools.offset.shape[0]:
        return lack(ws, STATES)
    if ws.pools.n_weights >= ws.pools.list_end:
        return lack(ws, WEIGHTS)
    ws.pools.layer[ws.pools.n_layers] = ws.pools.n_states
    ws.pools.offset[ws.pools.n_states], ws.pools.fewest[ws.pools.n_states], ws.pools.length[ws.pools.n_states] = (
        ws.pools.n_weights,
        0,
        1,
    )
    ws.pools.weights[ws.pools.n_weights], ws.pools.exponents[ws.pools.n_weights] = 1.0, 0
    ws.pools.keys[0, 0], ws.pools.keys[0, 1] = 0, 0
    ws.component.states_used += 1
    ws.component.weights_used += 1
    return OK


@inner
def sum_forwards(ws: Workspace, asked: Question, first_box: Int, last_box: Int) -> Int:
    """Sum a component forwards; its layers are appended to the pools. Returns a status."""
    this: Int = 0
    n_layers: Int = ws.pools.n_layers
    status = begin_component(ws)
    for at in range(first_box, last_box):
        if status != OK:
            return status
        if ws.stop:
            return STOPPED
        box = ws.frontier.members[at]
        status = begin_step(ws, box)
        if status != OK:
            return status
        first, last = ws.pools.layer[n_layers], ws.component.states_used
        # Whatever ends this call, the next one must not take the slots of this layer for its own.
        ws.pools.stamp += 1
        status = fill_box(ws, asked, box, first, last, this)
        if status == OK:
            status = lay_out_weights(ws, last, ws.component.states_used)
        if status != OK:
            return status
        if ws.component.extended:
            carry_extended_weights(ws, asked.is_soft, box, first, last)
        else:
            carry_weights(ws, asked.is_soft, box, first, last)
        n_layers += 1
        ws.pools.layer[n_layers] = last
        this = ws.pools.slot_stamp.shape[0] - this
    ws.pools.layer[n_layers + 1] = ws.component.states_used
    # The next component begins a layer of its own.
    ws.pools.n_states, ws.pools.n_links, ws.pools.n_weights = (
        ws.component.states_used,
        ws.component.links_used,
        ws.component.weights_used,
    )
    ws.pools.n_layers = n_layers + 1
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
    size = ws.frontier.size[box]
    here_offset, there_offset = ws.pools.offset[first], ws.pools.offset[end]
    for state in range(first, end):
        source, length = ws.pools.offset[state], ws.pools.length[state]
        here = that + source - here_offset
        for k in range(length):
            ws.pools.backward[here + k] = 0.0
        for i in range(ws.pools.choices[state]):
            count = ws.pools.low[state] + i
            link = ws.pools.first_link[state] + i
            target = ws.pools.links[link]
            ways = ws.totals.factor[size, count]
            if is_soft:
                ways *= ws.pools.soft[link]
            there = this - there_offset + place_of(ws, state, target, count)
            total = 0.0
            for k in range(length):
                rest = ways * ws.pools.backward[there + k]
                ws.pools.backward[here + k] += rest
                total += ws.pools.weights[source + k] * rest
            mined += count * total
            clear += (size - count) * total
    ws.with_mines[box], ws.with_safe[box] = mined, clear


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
    size = ws.frontier.size[box]
    here_offset, there_offset = ws.pools.offset[first], ws.pools.offset[end]
    for state in range(first, end):
        source, length = ws.pools.offset[state], ws.pools.length[state]
        here = that + source - here_offset
        for k in range(length):
            ws.pools.backward[here + k], ws.pools.backward_exponents[here + k] = 0.0, 0
        for i in range(ws.pools.choices[state]):
            count = ws.pools.low[state] + i
            link = ws.pools.first_link[state] + i
            target = ws.pools.links[link]
            ways = ws.totals.factor[size, count]
            if is_soft:
                ways *= ws.pools.soft[link]
            there = this - there_offset + place_of(ws, state, target, count)
            for k in range(length):
                rest, exponent = normalise(
                    ways * ws.pools.backward[there + k],
                    ws.totals.factor_exponent[size, count] + ws.pools.backward_exponents[there + k],
                )
                ws.pools.backward[here + k], ws.pools.backward_exponents[here + k] = add(
                    ws.pools.backward[here + k], ws.pools.backward_exponents[here + k], rest, exponent
                )
                rest *= ws.pools.weights[source + k]
                exponent += ws.pools.exponents[source + k]
                mined, mined_exponent = add(mined, mined_exponent, count * rest, exponent)
                clear, clear_exponent = add(clear, clear_exponent, (size - count) * rest, exponent)
    ws.frontier.support[box] = (1 if mined > 0.0 else 0) + (2 if clear > 0.0 else 0)
    if mined > 0.0 and clear > 0.0:
        mined = shift_down(mined, clear_exponent - mined_exponent)
        clear = shift_down(clear, mined_exponent - clear_exponent)
    ws.with_mines[box], ws.with_safe[box] = mined, clear


@inner
def last_layer(ws: Workspace, c: Int) -> Int:
    """Return the one state of the last layer of a summed component."""
    return ws.pools.layer[ws.pools.first_layer[c] + ws.frontier.start[c + 1] - ws.frontier.start[c]]


@inner
def sum_backwards(ws: Workspace, is_soft: Flag, c: Int) -> None:
    """Walk a summed component back from its end and weigh every box. The weights of the rest come folded in."""
    first_box, first_layer = ws.frontier.start[c], ws.pools.first_layer[c]
    this: Int = 0
    that: Int = ws.pools.backward.shape[0] // 2
    last = last_layer(ws, c)
    for k in range(ws.pools.length[last]):
        ws.pools.backward[k] = ws.totals.outside[ws.totals.begin[c] + k]
        ws.pools.backward_exponents[k] = ws.totals.outside_exponent[ws.totals.begin[c] + k]
    for at in range(ws.frontier.start[c + 1] - 1, first_box - 1, -1):
        first, end = ws.pools.layer[first_layer + at - first_box], ws.pools.layer[first_layer + at - first_box + 1]
        if ws.component.extended:
            carry_extended_back(ws, is_soft, ws.frontier.members[at], first, end, this, that)
        else:
            carry_back(ws, is_soft, ws.frontier.members[at], first, end, this, that)
        this, that = that, this
