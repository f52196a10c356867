"""The memory of the engine, by name: what a position says, the component at hand, the pools, the polynomials.

Boxes, states, layers and weights are explained in docs/engine.md, with a small position followed through these arrays.
"""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np

from sapper.kernels.codes import MAX_DEGREE, MINE, MORE_ROOM, OPEN
from sapper.kernels.language import (
    ConstDoubleGrid,
    ConstDoubles,
    Double,
    DoubleGrid,
    Doubles,
    Flag,
    Int,
    IntGrid,
    Ints,
    Long,
    LongGrid,
    Longs,
    Public,
    doubles,
    inner,
    ints,
    longs,
    value,
    view,
)

MARGIN = 72  # loops without branches write a little past the end
MAX_LISTED = 16  # boxes of a component that is enumerated

# By table: a call of lgamma takes longer than a whole small component. From `math` and not from NumPy, whose logarithm
# is another one on other processors.
BINOMIAL_TABLE = np.array([[float(math.comb(k, m)) for m in range(MAX_DEGREE + 1)] for k in range(MAX_DEGREE + 1)])
LOG_FACTORIAL_TABLE = np.array([0.0, *accumulate(math.log(n) for n in range(1, 1024))])


@value
class Frontier:
    """What the clues say: cells, clues, boxes and components. Arrays have room for ``w`` entries and a margin."""

    # By cell.
    verdict: Ints  # UNKNOWN, SAFE, MINE or OPEN
    max_left: Ints  # of a clue: most mines still among its unknown neighbours
    slack: Ints  # noisy clues: how many fewer there may be
    max_truth: Ints  # noisy clues: most mines around, known ones included
    n_around: Ints  # unknown neighbours
    number_of: Ints  # the number of a clue
    box_of: Ints  # the box of an unknown cell, or -1
    cells: Ints  # the cells that belong to boxes
    queue: Ints  # (2w,): clues to look at; later any stack

    # By clue. Its free boxes are those whose number of mines is not fixed.
    clue_of: Ints  # the cell that shows it
    n_boxes: Ints  # boxes that it touches
    boxes: IntGrid  # (w, max_degree): which ones
    need: Ints  # fewest mines in its free boxes
    allow: Ints  # most mines in them
    known: Ints  # noisy clues: mines around it that are not in free boxes
    rest_least: Ints  # fewest mines that its free boxes still to be summed can hold
    rest_most: Ints  # most mines that they can hold
    n_left: Ints  # how many they are
    slot: Ints  # where its sum stands in a state, or -1

    # By box.
    size: Ints  # cells in it
    least: Ints  # fewest mines in it
    most: Ints  # most mines in it
    n_clues: Ints  # clues that touch it
    clues: IntGrid  # (w, max_degree): which ones, ascending
    component_of: Ints  # its component, or -1: its number of mines is fixed
    place: Ints  # one of its cells
    support: Ints  # extended weights: 1 if it can hold a mine, plus 2 if it can hold a safe cell
    in_box: Ints  # samples: mines still to be put into it
    cells_left: Ints  # samples: cells of it still to be drawn

    # By component.
    members: Ints  # the boxes of all components, in the order in which they are summed
    start: Ints  # where each component begins in `members`

    n_unknown: Int  # closed cells, without flags that are trusted
    n_known: Int  # mines in plain sight, and such flags
    n_safe: Int  # cells that single clues settle as safe
    n_mines: Int  # and as mines
    clue_count: Int
    box_count: Int
    cell_count: Int  # in boxes
    component_count: Int

    def __init__(self, w: Int, max_degree: Int) -> None:
        self.verdict, self.max_left, self.slack, self.max_truth = ints(w), ints(w), ints(w), ints(w)
        self.n_around, self.number_of, self.box_of, self.cells = ints(w), ints(w), ints(w), ints(w)
        self.queue = ints(2 * w)
        self.clue_of, self.n_boxes, self.need, self.allow, self.known = ints(w), ints(w), ints(w), ints(w), ints(w)
        self.rest_least, self.rest_most, self.n_left, self.slot = ints(w), ints(w), ints(w), ints(w)
        self.size, self.least, self.most, self.n_clues = ints(w), ints(w), ints(w), ints(w)
        self.component_of, self.place, self.support = ints(w), ints(w), ints(w)
        self.boxes, self.clues = ints(w, max_degree), ints(w, max_degree)
        self.in_box, self.cells_left = ints(w), ints(w)
        self.members, self.start = ints(w), ints(w)
        self.n_unknown, self.n_known, self.n_safe, self.n_mines = 0, 0, 0, 0
        self.clue_count, self.box_count, self.cell_count, self.component_count = 0, 0, 0, 0


@value
class Component:
    """What is needed while one component is summed."""

    track: Int  # 1: weights by number of mines; 0: the total is unknown, and one weight will do
    extended: Flag  # whether weights may span more than a float can, and have exponents
    boolean: Flag  # whether only what is possible counts: weights that are not zero are 1

    # The ordering, by box and by clue.
    trial: Ints  # an order that is tried out
    sort_key: Ints
    taken: Ints  # 1: in the order, or a candidate for it
    candidate: Ints
    before_least: Ints  # of a clue: fewest mines in its boxes before
    before_most: Ints  # most mines in them
    after_least: Ints  # fewest mines in its boxes after
    after_most: Ints  # most mines in them
    after_boxes: Ints  # how many come after

    # The enumeration, by step: a box each.
    put: Ints  # mines in it
    put_so_far: Ints  # mines in those before
    ways: Doubles  # in how many ways those before can be filled
    floor: IntGrid  # (steps, max_degree): by clue of the box, least mines once it is filled
    ceiling: IntGrid  # (steps, max_degree): the same, most mines
    n_ways: Int  # ways to fill all boxes, so far
    n_steps: Int  # boxes filled, so far

    # The elimination. `*_used` says how much of a pool is used; it counts once the component is done.
    states_used: Int
    links_used: Int
    weights_used: Int
    free_slots: Ints  # (2w,): places in a key that are free again
    n_free_slots: Int
    n_open_slots: Int  # places taken so far, those included
    step_word: Ints  # by clue of the box at hand: which word of the key holds its sum
    step_shift: Ints  # where in it
    step_floor: Ints  # the sum must be at least so large with the box
    step_ceiling: Ints  # and at most so large
    add_0: Long  # what a mine in the box at hand adds to the first word of a key
    add_1: Long  # and to the second
    drop_0: Long  # the sums in the first word that close with the box
    drop_1: Long
    closes: Flag  # whether there are any

    def __init__(self, w: Int, max_degree: Int) -> None:
        steps = MAX_LISTED + 1
        self.track, self.boolean, self.extended, self.closes = 0, False, False, False
        self.trial, self.sort_key, self.taken, self.candidate = ints(w), ints(w), ints(w), ints(w)
        self.before_least, self.before_most = ints(w), ints(w)
        self.after_least, self.after_most, self.after_boxes = ints(w), ints(w), ints(w)
        self.put, self.put_so_far, self.ways = ints(steps), ints(steps), doubles(steps)
        self.floor, self.ceiling = ints(steps, max_degree), ints(steps, max_degree)
        self.n_ways, self.n_steps = 0, 0
        self.states_used, self.links_used, self.weights_used = 0, 0, 0
        self.free_slots, self.n_free_slots, self.n_open_slots = ints(2 * w), 0, 0
        self.step_word, self.step_shift = ints(max_degree), ints(max_degree)
        self.step_floor, self.step_ceiling = ints(max_degree), ints(max_degree)
        self.add_0, self.add_1, self.drop_0, self.drop_1 = 0, 0, 0, 0


@value
class Pools:
    """Memory that grows with the position. A state stands for all ways to fill the boxes so far with the same sums."""

    layer: Ints  # the first state of every layer; the layers of all components stand in one row

    # By component.
    first_layer: Ints  # where its layers begin
    list_at: Ints  # where its enumeration begins in `weights`, or -1: summed by elimination
    list_fewest: Ints  # fewest mines in its boxes
    list_span: Ints  # entries in a row of its enumeration
    list_start: Ints  # the first entry with weight
    list_length: Ints  # entries from there to the last with weight

    # By state.
    offset: Ints  # where its weights begin in `weights`
    fewest: Ints  # the mines so far that its first weight is for
    length: Ints  # how many weights it has: one for each number of mines
    first_link: Ints  # its first link
    low: Ints  # fewest mines that may be put into the next box
    choices: Ints  # how many numbers from there on may be: a link each

    links: Ints  # the state of the next layer that a choice leads to
    soft: Doubles  # noisy clues, by link: the likelihood that it brings in
    weights: Doubles  # of all states, and of the enumerated components from the end on
    exponents: Ints  # extended weights: their exponents, see extended.py
    backward: Doubles  # backward weights of two layers
    backward_exponents: Ints  # extended weights: their exponents
    slot_stamp: Ints  # hash table of the states of a layer: the layer that the slot belongs to
    slot_state: Ints  # its state
    slot_key: LongGrid  # (slots, 2): its sums, four bits for each open clue
    keys: LongGrid  # (2 slots, 2): the sums of the states of this layer, and of the next

    # How much of them is used.
    n_states: Int
    n_links: Int
    n_weights: Int
    n_layers: Int
    stamp: Int  # of the layer that is being summed: it tells which slots of the hash table are its own
    list_end: Int  # the enumerated components begin here in `weights`

    def __init__(self, w: Int) -> None:
        self.layer, self.first_layer, self.list_at, self.list_fewest = ints(2 * w), ints(w), ints(w), ints(w)
        self.list_span, self.list_start, self.list_length, self.list_end = ints(w), ints(w), ints(w), 0

    def allocate(self, states: Int, links: Int, weights: Int, slots: Int, backward: Int, soft: Flag) -> None:
        """Allocate the pools, empty."""
        self.offset, self.fewest, self.length = ints(states), ints(states), ints(states)
        self.first_link, self.low, self.choices = ints(states), ints(states), ints(states)
        self.links, self.soft = ints(links), doubles(links if soft else 0)
        self.weights, self.exponents = doubles(weights), ints(weights)
        self.backward, self.backward_exponents = doubles(backward), ints(backward)
        self.slot_stamp, self.slot_state = ints(slots), ints(slots)
        self.slot_key, self.keys = longs(slots, 2), longs(2 * slots, 2)
        self.n_states, self.n_links, self.n_weights, self.n_layers, self.stamp = 0, 0, 0, 0, 0


@value
class Totals:
    """Polynomials in the number of mines, see totals.py."""

    # By component.
    begin: Ints  # where its polynomial begins in `poly`
    suffix_at: Longs  # where the suffix product from it on begins in `suffix`
    window_low: Ints  # the mines of those before it that the first entry there is for

    poly: Doubles  # of every component, scaled to a largest entry of 1
    log_poly: Doubles  # extended weights: natural logarithms of the same, or NO_WEIGHT
    outside: Doubles  # like `poly`: the weight of everything else
    outside_exponent: Ints  # extended weights: its exponents
    rest: Doubles  # weight of the cells that no clue touches, by the mines that the components hold beyond their least
    prefix: Doubles
    suffix: Doubles
    factor: DoubleGrid  # (k, m): weight of m mines in a box of k cells
    factor_exponent: IntGrid  # (k, m): extended weights: its exponents
    factor_odds: Double  # the odds of a mine in it
    factor_is_extended: Flag  # whether it has exponents
    binomials: ConstDoubleGrid  # (k, m)
    log_factorials: ConstDoubles
    n_mines_left: Int  # for the components and the cells that no clue touches
    base_sum: Int  # the least mines that the components hold together
    log_sum: Double  # what the components and the rest contribute to the weight
    log_tilt: Double  # see totals.py

    def __init__(self, w: Int, max_degree: Int) -> None:
        self.begin, self.suffix_at, self.window_low = ints(w), longs(w), ints(w)
        self.poly, self.outside, self.rest, self.prefix = doubles(2 * w), doubles(2 * w), doubles(w), doubles(3 * w)
        self.log_poly, self.outside_exponent, self.suffix = doubles(2 * w), ints(2 * w), doubles(0)
        side = max_degree + 1
        self.factor, self.factor_exponent = doubles(side, side), ints(side, side)
        self.factor_odds, self.factor_is_extended = 0.0, False
        self.binomials, self.log_factorials = view(BINOMIAL_TABLE), view(LOG_FACTORIAL_TABLE)
        self.n_mines_left, self.base_sum, self.log_sum, self.log_tilt = 0, 0, 0.0, 0.0


@value
class Workspace:
    """Memory for boards of any size up to the one it is made for, settings and results. Not for two threads at once."""

    n_cells: Public[Int]  # of the board at hand
    width: Public[Int]  # room by cell, clue or box
    max_degree: Public[Int]  # neighbours that a cell may have
    frontier: Frontier
    component: Component
    pools: Pools
    totals: Totals

    # Settings.
    stop: Public[Flag]  # set while a sum is going on: it ends with the status STOPPED
    by_elimination: Public[Flag]  # whether small components are summed like large ones, as samples need it

    # What was found about the position.
    log_weight: Public[Double]  # natural logarithm of the weight of all layouts together
    n_free: Public[Int]  # cells that no clue touches
    p_free: Public[Double]  # chance of a mine in each of them
    free_verdict: Int
    with_mines: Doubles  # by box: weight of all layouts times the mines in it
    with_safe: Doubles  # the same times its safe cells
    by_verdict: Doubles  # what each verdict means for the chance of a mine
    widest: Public[Int]  # clues open at once
    short_of: Public[Int]  # after MORE_ROOM: the pool that was too small
    wanted: Public[Long]  # how large it would have to be, if that is known

    def __init__(self, n_cells: Int, max_degree: Int = 8) -> None:
        self.n_cells, self.width, self.max_degree = n_cells, n_cells + MARGIN, max_degree
        self.frontier, self.component = Frontier(self.width, max_degree), Component(self.width, max_degree)
        self.pools, self.totals = Pools(self.width), Totals(self.width, max_degree)
        self.by_elimination, self.stop = False, False
        self.log_weight, self.n_free, self.p_free, self.free_verdict = 0.0, 0, 0.0, 0
        self.widest, self.short_of, self.wanted = 0, 0, 0
        self.with_mines, self.with_safe = doubles(self.width), doubles(self.width)
        self.by_verdict = doubles(4)
        self.by_verdict[MINE], self.by_verdict[OPEN] = 1.0, math.nan

    def make_room(
        self, states: Int, links: Int, weights: Int, slots: Int, products: Int, backward: Int, soft: Flag
    ) -> None:
        """Allocate the pools, empty."""
        self.pools.allocate(states, links, weights, slots, backward, soft)
        self.totals.suffix = doubles(products)


@inner
def lack(ws: Workspace, pool: Int) -> Int:
    """Note the pool that is too small; return the status that says so."""
    ws.short_of = pool
    return MORE_ROOM
