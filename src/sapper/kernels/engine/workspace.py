"""The engine's memory: `Frontier`, `Component`, `Pools` and `MineTotals`, all parts of a `Workspace`.

docs/engine.md explains boxes, states, layers and weights; docs/solve.md follows a small position through these arrays.
Unless a comment says otherwise, arrays have room for ``w`` entries: the cells of the board and a margin.
"""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np

from sapper.kernels.codes import MAX_DEGREE, MINE, MORE_ROOM, OPEN
from sapper.kernels.engine.board import Position
from sapper.kernels.language import *

MARGIN = 72  # branch-free loops write a little past the end
MAX_ENUMERATED = 16  # boxes of a component that is enumerated

# Tables, because a call of lgamma takes longer than a whole small component. They come from `math`: NumPy's logarithm
# differs between processors.
BINOMIAL_TABLE = np.array([[float(math.comb(k, m)) for m in range(MAX_DEGREE + 1)] for k in range(MAX_DEGREE + 1)])
LOG_FACTORIAL_TABLE = np.array([0.0, *accumulate(math.log(n) for n in range(1, 1024))])


class Frontier:
    """Cells, clues, boxes and components of a position."""

    # By cell.
    verdict: Ints  # UNKNOWN, SAFE, MINE or OPEN
    max_left: Ints  # of a clue: maximum number of mines still among its unknown neighbours
    slack: Ints  # noisy clues: `max_left` minus the minimum
    max_truth: Ints  # noisy clues: maximum number of mines around, known ones included
    n_around: Ints  # unknown neighbours
    clue_index: Ints  # the index of a clue
    box_of: Ints  # the box of an unknown cell, or -1
    cells: Ints  # the cells that belong to boxes
    queue: Ints  # (2w,): clues to process; later any stack

    # By clue. A box is free if its number of mines is not fixed.
    clue_of: Ints  # the cell that shows the clue
    n_boxes: Ints  # boxes that the clue touches
    boxes: IntGrid  # (w, max_degree): these boxes
    need: Ints  # minimum number of mines in its free boxes
    allow: Ints  # maximum number of mines in them
    known: Ints  # noisy clues: mines around that are not in free boxes
    rest_min: Ints  # minimum number of mines in its free boxes that are still to be eliminated
    rest_max: Ints  # maximum number of mines in them
    boxes_left: Ints  # the number of these boxes
    nibble: Ints  # the nibble of a state's key that holds its sum, or -1

    # By box.
    size: Ints  # its cells
    min_mines: Ints
    max_mines: Ints
    n_clues: Ints  # clues that touch it
    clues: IntGrid  # (w, max_degree): these clues, ascending
    component_of: Ints  # its component, or -1 if its number of mines is fixed
    first_cell: Ints  # the first of its cells
    with_mines: Doubles  # weight of all layouts times its mines
    with_safe: Doubles  # weight of all layouts times its safe cells
    support: Ints  # extended weights: 1 if it can hold a mine, plus 2 if it can hold a safe cell
    mines_to_draw: Ints  # sampling: mines still to be placed in it
    cells_to_draw: Ints  # sampling: cells of it still to be drawn

    # By component.
    members: Ints  # the boxes of all components, in elimination order
    start: Ints  # where each component begins in `members`

    n_unknown: Int  # hidden cells, without trusted flags
    n_known: Int  # exploded mines and trusted flags
    n_safe: Int  # cells that single clues prove safe
    n_mines: Int  # cells that single clues prove to be mines
    n_free: Int  # unknown cells that no clue touches
    clue_count: Int
    box_count: Int
    cell_count: Int  # cells in boxes
    component_count: Int

    def __init__(self, w: Int, max_degree: Int) -> None:
        self.verdict, self.max_left, self.slack, self.max_truth = ints(w), ints(w), ints(w), ints(w)
        self.n_around, self.clue_index, self.box_of, self.cells = ints(w), ints(w), ints(w), ints(w)
        self.queue = ints(2 * w)
        self.clue_of, self.n_boxes, self.need, self.allow, self.known = ints(w), ints(w), ints(w), ints(w), ints(w)
        self.rest_min, self.rest_max, self.boxes_left, self.nibble = ints(w), ints(w), ints(w), ints(w)
        self.size, self.min_mines, self.max_mines, self.n_clues = ints(w), ints(w), ints(w), ints(w)
        self.component_of, self.first_cell, self.support = ints(w), ints(w), ints(w)
        self.boxes, self.clues = ints(w, max_degree), ints(w, max_degree)
        self.with_mines, self.with_safe = doubles(w), doubles(w)
        self.mines_to_draw, self.cells_to_draw = ints(w), ints(w)
        self.members, self.start = ints(w), ints(w)
        self.n_unknown, self.n_known, self.n_safe, self.n_mines, self.n_free = 0, 0, 0, 0, 0
        self.clue_count, self.box_count, self.cell_count, self.component_count = 0, 0, 0, 0


class Component:
    """Settings and scratch memory for summing one component."""

    track: Int  # 1: weights by number of mines; 0: one weight, since the total is unknown
    extended: Flag  # whether weights may exceed the range of a float and have exponents
    boolean: Flag  # whether weights only say what is possible: 0 or 1
    widest: Int  # maximum number of clues open at once

    # The weight of m mines in a box of k cells.
    binomials: ConstDoubleGrid  # (k, m): the number of ways
    factor: DoubleGrid  # (k, m): times the odds, if the total is unknown
    factor_exponent: IntGrid  # (k, m): extended weights: exponents of `factor`
    factor_odds: Double  # the odds in `factor`
    factor_is_extended: Flag  # whether `factor` has exponents

    # The ordering, by box and by clue.
    trial: Ints  # an order to evaluate
    sort_key: Ints
    taken: Ints  # 1: in the order, or a candidate for it
    candidate: Ints
    before_min: Ints  # of a clue: minimum number of mines in its boxes before
    before_max: Ints  # maximum number of mines in them
    after_min: Ints  # minimum number of mines in its boxes after
    after_max: Ints  # maximum number of mines in them
    after_boxes: Ints  # the number of boxes after

    # The enumeration, by step: a box each.
    filled: Ints  # mines in it
    mines_so_far: Ints  # mines in those before
    ways: Doubles  # the number of ways to fill those before
    floor: IntGrid  # (steps, max_degree): by clue of the box: minimum sum once it is filled
    ceiling: IntGrid  # (steps, max_degree): the same, maximum sum
    n_ways: Int  # ways to fill all boxes found so far
    n_steps: Int  # boxes filled so far

    # The elimination. Pools keep what `*_used` counts once the component is done.
    states_used: Int
    links_used: Int
    weights_used: Int
    free_nibbles: Ints  # (2w,): nibbles of a key that are free again
    n_free_nibbles: Int
    n_nibbles: Int  # nibbles in use, free ones included
    step_word: Ints  # by clue of the current box: the word of the key that holds its sum
    step_shift: Ints  # the sum's shift in this word
    step_floor: Ints  # minimum sum with the box
    step_ceiling: Ints  # maximum sum with the box
    add_0: Long  # what a mine in the current box adds to the first word of a key
    add_1: Long  # and to the second
    drop_0: Long  # mask of the sums in the first word that close with the box
    drop_1: Long  # and in the second
    closes: Flag  # whether there are any

    def __init__(self, w: Int, max_degree: Int) -> None:
        steps, side = MAX_ENUMERATED + 1, max_degree + 1
        self.track, self.boolean, self.extended, self.widest, self.closes = 0, False, False, 0, False
        self.binomials, self.factor, self.factor_exponent = view(BINOMIAL_TABLE), doubles(side, side), ints(side, side)
        self.factor_odds, self.factor_is_extended = 0.0, False
        self.trial, self.sort_key, self.taken, self.candidate = ints(w), ints(w), ints(w), ints(w)
        self.before_min, self.before_max = ints(w), ints(w)
        self.after_min, self.after_max, self.after_boxes = ints(w), ints(w), ints(w)
        self.filled, self.mines_so_far, self.ways = ints(steps), ints(steps), doubles(steps)
        self.floor, self.ceiling = ints(steps, max_degree), ints(steps, max_degree)
        self.n_ways, self.n_steps = 0, 0
        self.states_used, self.links_used, self.weights_used = 0, 0, 0
        self.free_nibbles, self.n_free_nibbles, self.n_nibbles = ints(2 * w), 0, 0
        self.step_word, self.step_shift = ints(max_degree), ints(max_degree)
        self.step_floor, self.step_ceiling = ints(max_degree), ints(max_degree)
        self.add_0, self.add_1, self.drop_0, self.drop_1 = 0, 0, 0, 0


class Pools:
    """Memory that grows with the position. A state merges all ways to fill the boxes so far with the same sums."""

    layer: Ints  # (2w,): the first state of every layer; the layers of all components follow each other

    # By component.
    first_layer: Ints  # where its layers begin
    enumerated_at: Ints  # where its enumeration begins in `weights`, or -1: it was eliminated
    enumerated_base: Ints  # minimum number of mines in its boxes
    enumerated_span: Ints  # entries in a row of its enumeration
    enumerated_first: Ints  # the first entry with weight
    enumerated_length: Ints  # entries from there to the last with weight

    # By state.
    offset: Ints  # where its weights begin in `weights`
    fewest: Ints  # mines so far for its first weight
    length: Ints  # its weights: one for each number of mines
    first_link: Ints
    low: Ints  # minimum number of mines in the next box
    choices: Ints  # possible numbers from `low` on: a link each

    links: Ints  # the state in the next layer that a choice leads to
    link_likelihood: Doubles  # noisy clues: the likelihood of the clues that close with a link
    weights: Doubles  # of all states; enumerations are stored at the end
    exponents: Ints  # extended weights: exponents of `weights`, see totals.py
    backward: Doubles  # backward weights of two layers
    backward_exponents: Ints  # extended weights: their exponents

    # A hash table of the states of a layer.
    slot_stamp: Ints  # the layer to which a slot belongs
    slot_state: Ints
    slot_key: LongGrid  # (slots, 2): the state's sums, a nibble for each open clue
    keys: LongGrid  # (2 slots, 2): the keys of the current and the next layer
    stamp: Int  # of the current layer

    # How much is in use.
    n_states: Int
    n_links: Int
    n_weights: Int
    n_layers: Int
    weights_limit: Int  # enumerations begin here in `weights`
    short_of: Int  # after MORE_ROOM: the pool that was too small
    wanted: Long  # the size it needs, or 0 if unknown

    def __init__(self, w: Int) -> None:
        self.layer, self.first_layer, self.enumerated_at, self.enumerated_base = ints(2 * w), ints(w), ints(w), ints(w)
        self.enumerated_span, self.enumerated_first, self.enumerated_length = ints(w), ints(w), ints(w)
        self.weights_limit, self.short_of, self.wanted = 0, 0, 0

    def allocate(self, states: Int, links: Int, weights: Int, slots: Int, backward: Int, noisy: Flag) -> None:
        """Allocate empty pools."""
        self.offset, self.fewest, self.length = ints(states), ints(states), ints(states)
        self.first_link, self.low, self.choices = ints(states), ints(states), ints(states)
        self.links, self.link_likelihood = ints(links), doubles(links if noisy else 0)
        self.weights, self.exponents = doubles(weights), ints(weights)
        self.backward, self.backward_exponents = doubles(backward), ints(backward)
        self.slot_stamp, self.slot_state = ints(slots), ints(slots)
        self.slot_key, self.keys = longs(slots, 2), longs(2 * slots, 2)
        self.n_states, self.n_links, self.n_weights, self.n_layers, self.stamp = 0, 0, 0, 0, 0


class MineTotals:
    """Polynomials in the number of mines, see totals.py."""

    # By component.
    begin: Ints  # where its polynomial begins in `poly`
    suffix_at: Longs  # where its suffix product begins in `suffix`
    window_low: Ints  # the number of mines before it for the first entry there

    poly: Doubles  # (2w,): of every component, scaled to a maximum of 1
    log_poly: Doubles  # (2w,): extended weights: natural logarithms of `poly`, or NO_WEIGHT
    outside: Doubles  # (2w,): outside weights, with the indices of `poly`
    outside_exponent: Ints  # (2w,): extended weights: their exponents
    rest: Doubles  # weight of the free cells, by the mines in the components beyond their minimum
    prefix: Doubles  # (3w,)
    suffix: Doubles  # a pool
    log_factorials: ConstDoubles
    n_mines_left: Int  # for the components and the free cells
    base_sum: Int  # minimum number of mines in all components together
    log_sum: Double  # natural logarithm of the components' and the free cells' part of the weight
    log_tilt: Double

    def __init__(self, w: Int) -> None:
        self.begin, self.suffix_at, self.window_low = ints(w), longs(w), ints(w)
        self.poly, self.outside, self.rest, self.prefix = doubles(2 * w), doubles(2 * w), doubles(w), doubles(3 * w)
        self.log_poly, self.outside_exponent, self.suffix = doubles(2 * w), ints(2 * w), doubles(0)
        self.log_factorials = view(LOG_FACTORIAL_TABLE)
        self.n_mines_left, self.base_sum, self.log_sum, self.log_tilt = 0, 0, 0.0, 0.0


class Workspace:
    """The engine's memory for boards up to a given size, with settings and results; for one thread at a time."""

    n_cells: Public[Int]  # of the current board
    width: Public[Int]  # room by cell, clue or box
    max_degree: Public[Int]  # maximum number of neighbours of a cell
    frontier: Frontier
    component: Component
    pools: Pools
    totals: MineTotals
    position: ReadOnly[Position]  # the one that `answer` solved last
    cells: Bytes  # (n,): its cells, writable

    # Settings.
    stop: Public[Flag]  # set during a call, it ends the call with the status STOPPED
    by_elimination: Public[Flag]  # whether to eliminate small components too, as sampling requires

    # Results.
    log_weight: Public[Double]  # natural logarithm of the weight of all layouts together
    p_free: Public[Double]  # mine probability of a free cell
    free_verdict: Int
    p_by_verdict: Doubles  # (4,): mine probability by verdict

    def __init__(self, n_cells: Int, max_degree: Int = 8) -> None:
        self.n_cells, self.width, self.max_degree = n_cells, n_cells + MARGIN, max_degree
        self.frontier, self.component = Frontier(self.width, max_degree), Component(self.width, max_degree)
        self.pools, self.totals = Pools(self.width), MineTotals(self.width)
        cells = np.zeros(n_cells, dtype=np.int8)
        self.position, self.cells = Position(cells, np.zeros(n_cells, dtype=np.int8), np.zeros(n_cells)), view(cells)
        self.by_elimination, self.stop = False, False
        self.log_weight, self.p_free, self.free_verdict = 0.0, 0.0, 0
        self.p_by_verdict = doubles(4)
        self.p_by_verdict[MINE], self.p_by_verdict[OPEN] = 1.0, math.nan

    @property
    def n_free(self) -> int:
        """The number of unknown cells that no clue touches."""
        return self.frontier.n_free

    @property
    def widest(self) -> int:
        """The maximum number of clues that were open at once."""
        return self.component.widest

    @property
    def short_of(self) -> int:
        """The pool that was too small, after the status MORE_ROOM."""
        return self.pools.short_of

    @property
    def wanted(self) -> int:
        """The size that this pool needs, or 0 if unknown."""
        return self.pools.wanted

    def make_room(
        self, states: Int, links: Int, weights: Int, slots: Int, products: Int, backward: Int, noisy: Flag
    ) -> None:
        """Allocate empty pools."""
        self.pools.allocate(states, links, weights, slots, backward, noisy)
        self.totals.suffix = doubles(products)


def request_room(pools: Pools, pool: Int, wanted: Long) -> Int:
    """Record which pool is too small, and the size it needs or 0 if unknown; return the status MORE_ROOM."""
    pools.short_of, pools.wanted = pool, wanted
    return MORE_ROOM
