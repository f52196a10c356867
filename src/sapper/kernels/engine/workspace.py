"""The memory of the engine: everything that it notes down while it sums, by name.

Boxes, states, layers and weights are explained in docs/engine.md, with a small position followed through these arrays.
"""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np

from sapper.kernels.codes import MAX_DEGREE, MINE, OPEN
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
    ints,
    longs,
    value,
    view,
)

MARGIN = 72  # loops without branches write a little past the end
MAX_LISTED = 16  # boxes of a component that is listed

# By table: a call of lgamma takes longer than a whole small component. From `math` and not from NumPy, whose logarithm
# is another one on other processors.
BINOMIAL_TABLE = np.array([[float(math.comb(k, m)) for m in range(MAX_DEGREE + 1)] for k in range(MAX_DEGREE + 1)])
LOG_FACTORIAL_TABLE = np.array([0.0, *accumulate(math.log(n) for n in range(1, 1024))])


@value
class Workspace:
    """Memory for boards of any size up to the one it is made for. Not for two threads at once."""

    n_cells: Public[Int]  # of the board at hand
    width: Public[Int]  # room by cell, clue or box
    max_degree: Public[Int]  # neighbours that a cell may have

    # By cell.
    verdict: Ints  # UNKNOWN, SAFE, MINE or OPEN
    high: Ints  # of a clue: most mines still among its unknown neighbours
    span: Ints  # soft clues: how many fewer there may be
    top: Ints  # soft clues: most mines around, known ones included
    n_around: Ints  # unknown neighbours
    number_of: Ints  # the number of a clue
    box_of: Ints  # the box of an unknown cell, or -1
    frontier: Ints  # the cells that belong to boxes
    queue: Ints  # (2w,): clues to look at; later any stack

    # By clue. Its free boxes are those whose number of mines is not fixed.
    clue_of: Ints  # the cell that shows it
    n_boxes: Ints  # boxes that it touches
    boxes: IntGrid  # (w, max_degree): which ones
    need: Ints  # fewest mines in its free boxes
    allow: Ints  # most mines in them
    known: Ints  # soft clues: mines around it that are not in free boxes
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
    label: Ints  # its component, or -1: fixed
    place: Ints  # one of its cells
    support: Ints  # extended weights: 1 if it can hold a mine, plus 2 if it can hold a clear cell
    with_mines: Doubles  # out: weight of all layouts times the mines in it
    with_clear: Doubles  # out: the same times its clear cells

    in_box: Ints  # samples: mines still to be put into it
    cells_left: Ints  # samples: cells of it still to be drawn

    # By component.
    members: Ints  # the boxes of all components, in the order in which they are summed
    start: Ints  # where each component begins in `members`
    first_layer: Ints  # where its layers begin
    begin: Ints  # where its polynomial begins in `poly`
    suffix_at: Longs  # where the suffix product from it on begins in `suffix`
    window_low: Ints  # the mines of those before it that the first entry there is for
    list_at: Ints  # where its list begins in `weights`, or -1: not listed
    list_fewest: Ints  # fewest mines in its boxes
    list_span: Ints  # entries in a row of its list
    list_start: Ints  # the first entry with weight
    list_length: Ints  # entries from there to the last with weight

    # Scratch of the ordering, by box and by clue.
    trial: Ints  # an order that is tried out
    sort_key: Ints
    taken: Ints  # 1: in the order, or a candidate for it
    candidate: Ints
    before_least: Ints  # of a clue: fewest mines in its boxes before
    before_most: Ints  # most mines in them
    after_least: Ints  # fewest mines in its boxes after
    after_most: Ints  # most mines in them
    after_boxes: Ints  # how many come after

    # Scratch of the listing, by step: a box each.
    put: Ints  # mines in it
    put_most: Ints  # most that it may have
    put_so_far: Ints  # mines in those before
    ways: Doubles  # in how many ways those before can be filled
    floor: IntGrid  # (steps, max_degree): by clue of the box, least mines once it is filled
    ceiling: IntGrid  # (steps, max_degree): the same, most mines

    # Elimination. A state stands for all ways to fill the boxes so far that leave the open clues with the same sums.
    layer: Ints  # the first state of every layer; the layers of all components stand in one row
    offset: Ints  # by state: where its weights begin in `weights`
    fewest: Ints  # the mines so far that its first weight is for
    length: Ints  # how many weights it has: one for each number of mines
    first_link: Ints  # its first link
    low: Ints  # fewest mines that may be put into the next box
    choices: Ints  # how many numbers from there on may be: a link each
    links: Ints  # the state of the next layer that a choice leads to
    soft: Doubles  # soft clues, by link: the likelihood that it brings in
    weights: Doubles  # of all states, and of the listed components from the end on
    exponents: Ints  # extended weights: their exponents, see extended.py
    behind: Doubles  # backward weights of two layers
    behind_exponents: Ints  # extended weights: their exponents
    slot_stamp: Ints  # hash table of the states of a layer: the layer that the slot belongs to
    slot_state: Ints  # its state
    slot_key: LongGrid  # (slots, 2): its sums, four bits for each open clue
    keys: LongGrid  # (2 slots, 2): the sums of the states of this layer, and of the next
    free_slots: Ints  # places in a key that are free again
    step_word: Ints  # by clue of the box at hand: which word of the key holds its sum
    step_shift: Ints  # where in it
    step_floor: Ints  # the sum must be at least so large with the box
    step_ceiling: Ints  # and at most so large

    # Polynomials in the number of mines, see totals.py.
    poly: Doubles  # of every component, scaled to a largest entry of 1
    log_poly: Doubles  # extended weights: natural logarithms of the same, or NO_WEIGHT
    closing: Doubles  # like `poly`: the weight of everything else
    closing_exponent: Ints  # extended weights: its exponents
    rest: Doubles  # weight of the cells that no clue touches, by the mines that the components hold beyond their least
    prefix: Doubles
    suffix: Doubles
    factor: DoubleGrid  # (k, m): weight of m mines in a box of k cells
    factor_exponent: IntGrid  # (k, m): extended weights: its exponents
    factor_odds: Double  # the odds of a mine in it
    factor_is_extended: Flag  # whether it has exponents
    binomials: ConstDoubleGrid  # (k, m)
    log_factorials: ConstDoubles
    by_verdict: Doubles  # what each verdict means for the chance of a mine

    # The component that is being summed.
    track: Int  # 1: weights by number of mines; 0: the total is unknown, and one weight will do
    extended: Flag  # whether weights may span more than a float can, and have exponents
    boolean: Flag  # whether only what is possible counts: weights that are not zero are 1
    states_used: Int  # of the pools, so far; it counts once the component is done
    links_used: Int
    weights_used: Int
    n_free_slots: Int  # places in a key that are free again
    n_open_slots: Int  # places taken so far, those included
    add_0: Long  # what a mine in the box at hand adds to the first word of a key
    add_1: Long  # and to the second
    drop_0: Long  # the sums in the first word that close with the box
    drop_1: Long
    closes: Flag  # whether there are any

    # How much of the pools is used.
    n_states: Int
    n_links: Int
    n_weights: Int
    n_layers: Int
    stamp: Int  # of the layer that is being summed: it tells which slots of the hash table are its own
    list_end: Int  # the listed components begin here in `weights`

    # Settings.
    stop: Public[Flag]  # set while a sum is going on: it ends with the status STOPPED
    by_elimination: Public[Flag]  # whether small components are summed like large ones, as samples need it

    # What was found about the position.
    n_unknown: Int  # closed cells, without flags that are trusted
    n_known: Int  # mines in plain sight, and such flags
    n_safe: Int  # cells that single clues settle as safe
    n_mines: Int  # and as mines
    clue_count: Int
    box_count: Int
    frontier_count: Int
    component_count: Public[Int]
    n_free: Public[Int]  # cells that no clue touches
    n_mines_left: Int  # mines for these and the components
    base_sum: Int  # the least mines that the components hold together
    log_weight: Public[Double]  # natural logarithm of the weight of all layouts together
    p_free: Public[Double]  # chance of a mine in a cell that no clue touches
    free_verdict: Int
    log_sum: Double  # what the components and the rest contribute to `log_weight`
    log_tilt: Double  # see totals.py
    widest: Public[Int]  # clues open at once
    wanted: Public[Long]  # how large the pool would have to be that was too small, if that is known

    def __init__(self, n_cells: Int, max_degree: Int = 8) -> None:
        self.n_cells, self.width, self.max_degree = n_cells, n_cells + MARGIN, max_degree
        self.by_elimination, self.stop, self.wanted, self.widest = False, False, 0, 0
        self.track, self.boolean, self.closes, self.extended = 0, False, False, False
        self.states_used, self.links_used, self.weights_used, self.list_end = 0, 0, 0, 0
        self.n_free_slots, self.n_open_slots = 0, 0
        self.add_0, self.add_1, self.drop_0, self.drop_1 = 0, 0, 0, 0
        self.n_unknown, self.n_known, self.n_safe, self.n_mines = 0, 0, 0, 0
        self.clue_count, self.box_count, self.frontier_count, self.component_count = 0, 0, 0, 0
        self.n_free, self.n_mines_left, self.base_sum, self.free_verdict = 0, 0, 0, 0
        self.log_weight, self.log_sum, self.p_free, self.log_tilt = 0.0, 0.0, 0.0, 0.0
        w = self.width
        self.verdict, self.high, self.span, self.top = ints(w), ints(w), ints(w), ints(w)
        self.n_around, self.number_of, self.box_of, self.frontier = ints(w), ints(w), ints(w), ints(w)
        self.queue = ints(2 * w)
        self.clue_of, self.n_boxes, self.need, self.allow, self.known = ints(w), ints(w), ints(w), ints(w), ints(w)
        self.rest_least, self.rest_most, self.n_left, self.slot = ints(w), ints(w), ints(w), ints(w)
        self.size, self.least, self.most, self.n_clues = ints(w), ints(w), ints(w), ints(w)
        self.label, self.place, self.support = ints(w), ints(w), ints(w)
        self.boxes, self.clues = ints(w, max_degree), ints(w, max_degree)
        self.with_mines, self.with_clear = doubles(w), doubles(w)
        self.in_box, self.cells_left = ints(w), ints(w)
        self.members, self.start, self.first_layer, self.begin = ints(w), ints(w), ints(w), ints(w)
        self.suffix_at, self.window_low = longs(w), ints(w)
        self.list_at, self.list_fewest, self.list_span = ints(w), ints(w), ints(w)
        self.list_start, self.list_length = ints(w), ints(w)
        self.trial, self.sort_key, self.taken, self.candidate = ints(w), ints(w), ints(w), ints(w)
        self.before_least, self.before_most = ints(w), ints(w)
        self.after_least, self.after_most, self.after_boxes = ints(w), ints(w), ints(w)
        steps = MAX_LISTED + 1
        self.put, self.put_most, self.put_so_far, self.ways = ints(steps), ints(steps), ints(steps), doubles(steps)
        self.floor, self.ceiling = ints(steps, max_degree), ints(steps, max_degree)
        self.layer = ints(2 * w)
        self.free_slots, self.step_word, self.step_shift = ints(2 * w), ints(max_degree), ints(max_degree)
        self.step_floor, self.step_ceiling = ints(max_degree), ints(max_degree)
        self.poly, self.closing, self.rest, self.prefix = doubles(2 * w), doubles(2 * w), doubles(w), doubles(3 * w)
        self.log_poly, self.closing_exponent = doubles(2 * w), ints(2 * w)
        self.factor, self.factor_exponent = (
            doubles(max_degree + 1, max_degree + 1),
            ints(max_degree + 1, max_degree + 1),
        )
        self.factor_odds, self.factor_is_extended = 0.0, False
        self.binomials, self.log_factorials = view(BINOMIAL_TABLE), view(LOG_FACTORIAL_TABLE)
        self.by_verdict = doubles(4)
        self.by_verdict[MINE], self.by_verdict[OPEN] = 1.0, math.nan

    def make_room(
        self, states: Int, links: Int, weights: Int, slots: Int, products: Int, behind: Int, soft: Flag
    ) -> None:
        """Allocate the pools, empty."""
        self.offset, self.fewest, self.length = ints(states), ints(states), ints(states)
        self.first_link, self.low, self.choices = ints(states), ints(states), ints(states)
        self.links, self.soft = ints(links), doubles(links if soft else 0)
        self.weights, self.exponents, self.suffix = doubles(weights), ints(weights), doubles(products)
        self.behind, self.behind_exponents = doubles(behind), ints(behind)
        self.slot_stamp, self.slot_state = ints(slots), ints(slots)
        self.slot_key, self.keys = longs(slots, 2), longs(2 * slots, 2)
        self.n_states, self.n_links, self.n_weights, self.n_layers, self.stamp = 0, 0, 0, 0, 0
