"""Variable elimination: sum a component box by box, with one pass forward and one backward.

A state holds the sum of mines so far of every open clue, one nibble (four bits) each in a key of two 60-bit words; ways
to fill the boxes with equal keys are merged. Boxes are eliminated in the order of `ordering`, and each elimination
turns one layer of states into the next. A clue is open from its first box to its last, so the cost is exponential in
the clues that are open at once and linear in the boxes.

The passes are the inside-outside algorithm on a chain of layers, also called forward-backward. First all states and the
links between them are made; those that lead to no complete filling, most of them on lattices, are dropped. The forward
pass gives each state left a short row of inside weights, by the number of mines so far. The backward pass needs no
hashing: it starts from the outside weights that `totals` found for the whole component and yields, for each box, the
weight of all layouts times its mines and its safe cells.

N. L. Zhang and D. Poole, "A simple approach to Bayesian network computations" (1994), introduced variable elimination;
J. K. Baker, "Trainable grammars for speech recognition" (1979), the inside-outside algorithm.
"""

from __future__ import annotations

from sapper.kernels.codes import (
    BACKWARD,
    CONTRADICTION,
    LINKS,
    NIBBLES_PER_WORD,
    OK,
    SLOTS,
    STATES,
    STOPPED,
    TOO_WIDE,
    WEIGHTS,
)
from sapper.kernels.engine.board import Query
from sapper.kernels.engine.totals import add, normalise, shift_down
from sapper.kernels.engine.workspace import Component, Frontier, MineTotals, Pools, Workspace, request_room
from sapper.kernels.language import *

NIBBLE_MASK = 15

FEW_STATES = 500  # of a component; dropping dead ends among them takes as long as weighing them

# Multiplying halves of a key by constants below 2^31 mixes well and stays within 63 bits, compiled or not.
LOW_HALF = 0xFFFFFFFF
MIX_1 = 2146121005
MIX_2 = 1540483477
MIX_3 = 1640531513
MIX_4 = 1831565813


def take_nibble(frontier: Frontier, component: Component, clue: Int) -> Int:
    """Assign a nibble of the keys to a clue that opens; return a status."""
    if component.n_free_nibbles > 0:
        component.n_free_nibbles -= 1
        frontier.nibble[clue] = component.free_nibbles[component.n_free_nibbles]
    elif component.n_nibbles < 2 * NIBBLES_PER_WORD:
        frontier.nibble[clue] = component.n_nibbles
        component.n_nibbles += 1
        component.widest = max(component.widest, component.n_nibbles)
    else:
        return TOO_WIDE
    return OK


def begin_step(frontier: Frontier, component: Component, box: Int) -> Int:
    """Locate the sums of a box's clues in the keys and compute their bounds; return a status."""
    one: Long
    mask: Long
    shift: Int
    nibble: Int
    component.add_0, component.add_1, component.drop_0, component.drop_1 = 0, 0, 0, 0
    component.closes = False
    for i in range(frontier.n_clues[box]):
        clue = frontier.clues[box, i]
        frontier.rest_min[clue] -= frontier.min_mines[box]
        frontier.rest_max[clue] -= frontier.max_mines[box]
        frontier.boxes_left[clue] -= 1
        if frontier.nibble[clue] < 0:
            status = take_nibble(frontier, component, clue)
            if status != OK:
                return status
        nibble = frontier.nibble[clue]
        shift = 4 * nibble if nibble < NIBBLES_PER_WORD else 4 * (nibble - NIBBLES_PER_WORD)
        component.step_word[i] = 0 if nibble < NIBBLES_PER_WORD else 1
        component.step_shift[i] = shift
        component.step_ceiling[i] = frontier.allow[clue] - frontier.rest_min[clue]
        component.step_floor[i] = frontier.need[clue] - frontier.rest_max[clue]
        one, mask = 1, NIBBLE_MASK
        if nibble < NIBBLES_PER_WORD:
            component.add_0 += one << shift
        else:
            component.add_1 += one << shift
        if frontier.boxes_left[clue] == 0:
            component.closes = True
            if nibble < NIBBLES_PER_WORD:
                component.drop_0 |= mask << shift
            else:
                component.drop_1 |= mask << shift
    if component.closes:
        for i in range(frontier.n_clues[box]):
            clue = frontier.clues[box, i]
            if frontier.boxes_left[clue] == 0:
                component.free_nibbles[component.n_free_nibbles] = frontier.nibble[clue]
                component.n_free_nibbles += 1
    return OK


def find_slot(pools: Pools, stamp: Int, key_0: Long, key_1: Long) -> Long:
    """Return the hash-table slot of a state of the next layer, or the slot where it belongs."""
    mixed: Long
    slot: Long
    mask: Long = pools.slot_stamp.shape[0] - 1
    mixed = (key_0 & LOW_HALF) * MIX_1 ^ (key_0 >> 32) * MIX_2
    mixed ^= (key_1 & LOW_HALF) * MIX_3 ^ (key_1 >> 32) * MIX_4
    slot = (mixed ^ (mixed >> 29)) & mask
    while pools.slot_stamp[slot] == stamp and (pools.slot_key[slot, 0] != key_0 or pools.slot_key[slot, 1] != key_1):
        slot = (slot + 1) & mask
    return slot


def reach_state(
    pools: Pools, stamp: Int, key_0: Long, key_1: Long, new: Int, key_at: Int, fewest: Int, length: Int
) -> Int:
    """Return the state with this key in the next layer: ``new``, with its key at ``key_at``, if there is none yet.

    The weights of the state grow to cover ``length`` numbers of mines from ``fewest`` on.
    """
    start: Int
    end: Int
    slot = find_slot(pools, stamp, key_0, key_1)
    if pools.slot_stamp[slot] == stamp:
        found = pools.slot_state[slot]
        end = max(pools.fewest[found] + pools.length[found], fewest + length)
        start = min(fewest, pools.fewest[found])
        pools.fewest[found], pools.length[found] = start, end - start
        return found
    pools.slot_stamp[slot], pools.slot_state[slot] = stamp, new
    pools.slot_key[slot, 0], pools.slot_key[slot, 1] = key_0, key_1
    pools.keys[key_at, 0], pools.keys[key_at, 1] = key_0, key_1
    pools.fewest[new], pools.length[new] = fewest, length
    return new


def likelihood_of(
    frontier: Frontier, component: Component, query: Query, box: Int, key_0: Long, key_1: Long, count: Int
) -> Double:
    """Return the likelihood of the noisy clues that close with a box when it holds ``count`` mines."""
    likelihood: Double = 1.0
    so_far: Int
    for i in range(frontier.n_clues[box]):
        clue = frontier.clues[box, i]
        if frontier.boxes_left[clue] == 0:
            so_far = ((key_0 if component.step_word[i] == 0 else key_1) >> component.step_shift[i]) & NIBBLE_MASK
            likelihood *= query.likelihood[frontier.clue_of[clue], frontier.known[clue] + so_far + count]
    return likelihood


def fill_box(
    frontier: Frontier, component: Component, pools: Pools, query: Query, box: Int, first: Int, last: Int, keys_at: Int
) -> Int:
    """Fill a box in every way in the states ``first`` to ``last`` - 1, which makes the next layer; return a status.

    The keys of these states begin at ``keys_at``.
    """
    key_0: Long
    key_1: Long
    low: Int
    high: Int
    n_next: Int = 0
    n_links: Int = component.links_used
    n_slots: Int = pools.slot_stamp.shape[0]
    next_keys_at: Int = n_slots - keys_at
    n_touching, min_mines, max_mines = frontier.n_clues[box], frontier.min_mines[box], frontier.max_mines[box]
    add_0, add_1, keep_0, keep_1 = component.add_0, component.add_1, ~component.drop_0, ~component.drop_1
    track, stamp = component.track, pools.stamp
    for index in range(last - first):
        state = first + index
        key_0, key_1 = pools.keys[keys_at + index, 0], pools.keys[keys_at + index, 1]
        low, high = min_mines, max_mines
        for i in range(n_touching):
            so_far = ((key_0 if component.step_word[i] == 0 else key_1) >> component.step_shift[i]) & NIBBLE_MASK
            high = min(high, component.step_ceiling[i] - so_far)
            low = max(low, component.step_floor[i] - so_far)
        n_choices = max(high - low + 1, 0)
        pools.first_link[state], pools.low[state], pools.choices[state] = n_links, low, n_choices
        if n_links + n_choices > pools.links.shape[0]:
            return request_room(pools, LINKS, 0)
        if last + n_next + n_choices > pools.offset.shape[0]:
            return request_room(pools, STATES, 0)
        if 2 * (n_next + n_choices) > n_slots:
            return request_room(pools, SLOTS, 0)
        fewest, length = pools.fewest[state], pools.length[state]
        for count in range(low, high + 1):
            found = reach_state(
                pools, stamp, (key_0 + count * add_0) & keep_0, (key_1 + count * add_1) & keep_1,
                last + n_next, next_keys_at + n_next, fewest + track * count, length,
            )  # fmt: skip
            n_next += found == last + n_next
            pools.links[n_links] = found
            if query.is_noisy:
                pools.link_likelihood[n_links] = (
                    likelihood_of(frontier, component, query, box, key_0, key_1, count) if component.closes else 1.0
                )
            n_links += 1
    if n_next == 0:
        return CONTRADICTION
    component.links_used, component.states_used = n_links, last + n_next
    return OK


def allocate_weights(component: Component, pools: Pools, first: Int, last: Int) -> Int:
    """Allocate zero weights for the states of the layers ``first`` to ``last`` - 1; return a status."""
    wanted: Long = component.weights_used
    in_layer: Long
    most: Long = 1
    for layer in range(first, last):
        in_layer = 0
        for state in range(pools.layer[layer], pools.layer[layer + 1]):
            in_layer += pools.length[state]
        wanted += in_layer
        most = max(most, in_layer)
    if wanted > pools.weights_limit:
        return request_room(pools, WEIGHTS, wanted + pools.weights.shape[0] - pools.weights_limit)
    if 2 * most > pools.backward.shape[0]:
        return request_room(pools, BACKWARD, 2 * most)
    begin = component.weights_used
    for state in range(pools.layer[first], pools.layer[last]):
        pools.offset[state] = component.weights_used
        component.weights_used += pools.length[state]
    for i in range(begin, component.weights_used):
        pools.weights[i] = 0.0
    if component.extended:
        for i in range(begin, component.weights_used):
            pools.exponents[i] = 0
    return OK


def link_weight(component: Component, pools: Pools, is_noisy: Flag, size: Int, count: Int, link: Int) -> Double:
    """Return the weight of filling a box of ``size`` cells with ``count`` mines, along a link."""
    weight: Double = component.factor[size, count]
    return weight * pools.link_likelihood[link] if is_noisy else weight


def target_of(component: Component, pools: Pools, state: Int, target: Int, count: Int) -> Int:
    """Return the index of the weight to which the first weight of ``state`` leads, with ``count`` mines."""
    fewest = pools.fewest[state] + component.track * count
    return pools.offset[target] + fewest - pools.fewest[target]


def propagate(
    frontier: Frontier, component: Component, pools: Pools, is_noisy: Flag, box: Int, first: Int, last: Int
) -> None:
    """Propagate the inside weights of the states ``first`` to ``last`` - 1 to the next layer."""
    weight: Double
    size = frontier.size[box]
    for state in range(first, last):
        source, length = pools.offset[state], pools.length[state]
        for i in range(pools.choices[state]):
            count, link = pools.low[state] + i, pools.first_link[state] + i
            if pools.links[link] < 0:
                continue
            weight = link_weight(component, pools, is_noisy, size, count, link)
            target = target_of(component, pools, state, pools.links[link], count)
            for k in range(length):
                pools.weights[target + k] += weight * pools.weights[source + k]


def propagate_extended(
    frontier: Frontier, component: Component, pools: Pools, is_noisy: Flag, box: Int, first: Int, last: Int
) -> None:
    """Propagate as `propagate` does, for weights with exponents."""
    weight: Double
    size = frontier.size[box]
    for state in range(first, last):
        source, length = pools.offset[state], pools.length[state]
        for i in range(pools.choices[state]):
            count, link = pools.low[state] + i, pools.first_link[state] + i
            if pools.links[link] < 0:
                continue
            weight = link_weight(component, pools, is_noisy, size, count, link)
            exponent = component.factor_exponent[size, count]
            target = target_of(component, pools, state, pools.links[link], count)
            for k in range(length):
                pools.weights[target + k], pools.exponents[target + k] = add(
                    pools.weights[target + k], pools.exponents[target + k],
                    weight * pools.weights[source + k], exponent + pools.exponents[source + k],
                )  # fmt: skip


def begin_component(component: Component, pools: Pools) -> Int:
    """Make the first layer: a single state, in which no box is filled; return a status."""
    first = pools.n_states
    component.states_used, component.links_used, component.weights_used = first, pools.n_links, pools.n_weights
    component.n_free_nibbles, component.n_nibbles = 0, 0
    if first >= pools.offset.shape[0]:
        return request_room(pools, STATES, 0)
    if pools.n_weights >= pools.weights_limit:
        return request_room(pools, WEIGHTS, 0)
    pools.layer[pools.n_layers] = first
    pools.offset[first], pools.fewest[first], pools.length[first] = pools.n_weights, 0, 1
    pools.weights[pools.n_weights], pools.exponents[pools.n_weights] = 1.0, 0
    pools.keys[0, 0], pools.keys[0, 1] = 0, 0
    component.states_used += 1
    component.weights_used += 1
    return OK


def make_states(ws: Workspace, query: Query, first_box: Int, last_box: Int) -> Int:
    """Make the layers of states of a component's boxes and the links between them; return a status."""
    keys_at: Int = 0
    layer: Int = ws.pools.n_layers
    for at in range(first_box, last_box):
        if ws.stop:
            return STOPPED
        box, first, last = ws.frontier.members[at], ws.pools.layer[layer], ws.component.states_used
        status = begin_step(ws.frontier, ws.component, box)
        if status != OK:
            return status
        # However this call ends, no later layer may mistake these slots for its own.
        ws.pools.stamp += 1
        status = fill_box(ws.frontier, ws.component, ws.pools, query, box, first, last, keys_at)
        if status != OK:
            return status
        layer += 1
        ws.pools.layer[layer] = last
        keys_at = ws.pools.slot_stamp.shape[0] - keys_at
    ws.pools.layer[layer + 1] = ws.component.states_used
    return OK


def drop_dead_ends(pools: Pools, first: Int, last: Int) -> None:
    """Drop the links from the states ``first`` to ``last`` - 1 that lead nowhere, and the states that lose them all.

    A state may keep within the bounds of every clue although the clues together forbid it. Dropped, it has no weights.
    """
    for state in range(last - 1, first - 1, -1):
        n_alive: Int = 0
        for link in range(pools.first_link[state], pools.first_link[state] + pools.choices[state]):
            if pools.length[pools.links[link]] > 0:
                n_alive += 1
            else:
                pools.links[link] = -1
        if n_alive == 0:
            pools.choices[state], pools.length[state] = 0, 0


def forward_pass(ws: Workspace, query: Query, first_box: Int, last_box: Int) -> Int:
    """Eliminate a component's boxes; append its layers to the pools. Returns a status."""
    layer: Int = ws.pools.n_layers
    end: Int = layer + last_box - first_box
    status = begin_component(ws.component, ws.pools)
    if status == OK:
        status = make_states(ws, query, first_box, last_box)
    if status == OK:
        if ws.pools.layer[end] - ws.pools.layer[layer] > FEW_STATES:
            drop_dead_ends(ws.pools, ws.pools.layer[layer], ws.pools.layer[end])
        status = allocate_weights(ws.component, ws.pools, layer + 1, end + 1)
    if status != OK:
        return status
    for at in range(first_box, last_box):
        if ws.stop:
            return STOPPED
        box, first, last = ws.frontier.members[at], ws.pools.layer[layer], ws.pools.layer[layer + 1]
        if ws.component.extended:
            propagate_extended(ws.frontier, ws.component, ws.pools, query.is_noisy, box, first, last)
        else:
            propagate(ws.frontier, ws.component, ws.pools, query.is_noisy, box, first, last)
        layer += 1
    # The next component begins its own layer.
    ws.pools.n_states, ws.pools.n_links = ws.component.states_used, ws.component.links_used
    ws.pools.n_weights, ws.pools.n_layers = ws.component.weights_used, end + 1
    return OK


def propagate_back(
    frontier: Frontier, component: Component, pools: Pools, is_noisy: Flag, box: Int, layer: Int, source: Int, to: Int
) -> None:
    """Propagate backward weights to a layer from the next one, and weigh the box between them.

    They are at ``source`` in `backward` and go to ``to``.
    """
    mined: Double = 0.0
    safe: Double = 0.0
    weight: Double
    total: Double
    rest: Double
    size = frontier.size[box]
    first, end = pools.layer[layer], pools.layer[layer + 1]
    here_offset, there_offset = pools.offset[first], pools.offset[end]
    for state in range(first, end):
        inside, length = pools.offset[state], pools.length[state]
        here = to + inside - here_offset
        for k in range(length):
            pools.backward[here + k] = 0.0
        for i in range(pools.choices[state]):
            count, link = pools.low[state] + i, pools.first_link[state] + i
            if pools.links[link] < 0:
                continue
            weight = link_weight(component, pools, is_noisy, size, count, link)
            there = source - there_offset + target_of(component, pools, state, pools.links[link], count)
            total = 0.0
            for k in range(length):
                rest = weight * pools.backward[there + k]
                pools.backward[here + k] += rest
                total += pools.weights[inside + k] * rest
            mined += count * total
            safe += (size - count) * total
    frontier.with_mines[box], frontier.with_safe[box] = mined, safe


def propagate_back_extended(
    frontier: Frontier, component: Component, pools: Pools, is_noisy: Flag, box: Int, layer: Int, source: Int, to: Int
) -> None:
    """Propagate as `propagate_back` does, for weights with exponents; record what is possible in ``support``."""
    mined: Double = 0.0
    safe: Double = 0.0
    mined_exponent: Int = 0
    safe_exponent: Int = 0
    weight: Double
    rest: Double
    exponent: Int
    size = frontier.size[box]
    first, end = pools.layer[layer], pools.layer[layer + 1]
    here_offset, there_offset = pools.offset[first], pools.offset[end]
    for state in range(first, end):
        inside, length = pools.offset[state], pools.length[state]
        here = to + inside - here_offset
        for k in range(length):
            pools.backward[here + k], pools.backward_exponents[here + k] = 0.0, 0
        for i in range(pools.choices[state]):
            count, link = pools.low[state] + i, pools.first_link[state] + i
            if pools.links[link] < 0:
                continue
            weight = link_weight(component, pools, is_noisy, size, count, link)
            there = source - there_offset + target_of(component, pools, state, pools.links[link], count)
            for k in range(length):
                rest, exponent = normalise(
                    weight * pools.backward[there + k],
                    component.factor_exponent[size, count] + pools.backward_exponents[there + k],
                )
                pools.backward[here + k], pools.backward_exponents[here + k] = add(
                    pools.backward[here + k], pools.backward_exponents[here + k], rest, exponent
                )
                rest *= pools.weights[inside + k]
                exponent += pools.exponents[inside + k]
                mined, mined_exponent = add(mined, mined_exponent, count * rest, exponent)
                safe, safe_exponent = add(safe, safe_exponent, (size - count) * rest, exponent)
    frontier.support[box] = (1 if mined > 0.0 else 0) + (2 if safe > 0.0 else 0)
    if mined > 0.0 and safe > 0.0:
        mined = shift_down(mined, safe_exponent - mined_exponent)
        safe = shift_down(safe, mined_exponent - safe_exponent)
    frontier.with_mines[box], frontier.with_safe[box] = mined, safe


def final_state(frontier: Frontier, pools: Pools, c: Int) -> Int:
    """Return the only state in the last layer of an eliminated component."""
    return pools.layer[pools.first_layer[c] + frontier.start[c + 1] - frontier.start[c]]


def backward_pass(
    frontier: Frontier, component: Component, pools: Pools, totals: MineTotals, is_noisy: Flag, c: Int
) -> None:
    """Weigh every box of an eliminated component, from its last layer to its first."""
    source: Int = 0
    to: Int = pools.backward.shape[0] // 2
    for k in range(pools.length[final_state(frontier, pools, c)]):
        pools.backward[k] = totals.outside[totals.begin[c] + k]
        pools.backward_exponents[k] = totals.outside_exponent[totals.begin[c] + k]
    for at in range(frontier.start[c + 1] - 1, frontier.start[c] - 1, -1):
        box, layer = frontier.members[at], pools.first_layer[c] + at - frontier.start[c]
        if component.extended:
            propagate_back_extended(frontier, component, pools, is_noisy, box, layer, source, to)
        else:
            propagate_back(frontier, component, pools, is_noisy, box, layer, source, to)
        source, to = to, source
