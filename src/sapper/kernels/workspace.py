"""The scratch memory of the engine and where everything lies in it.

Calls from Python, and calls between kernels too, are dear per array. So there are three buffers, and most of what
the engine notes down are rows of one table: ``rows[LEAST, box]`` is the fewest mines in a box.

| array  | dtype   | shape         | meaning                                                                        |
|--------|---------|---------------|--------------------------------------------------------------------------------|
| rows   | int32   | (N_ROWS, w)   | rows by cell, clue or box, named below; w = n + MARGIN                         |
| clues  | int32   | (w, 8)        | the clues that touch each box, ascending, rows[N_CLUES, box] of them           |
| boxes  | int32   | (w, 8)        | the boxes of each clue, rows[N_BOXES, clue] of them                            |
| layer  | int32   | (2 * w,)      | first state of every layer; the layers of all components stand in one row      |
| states | int32   | (S, RECORD)   | of each state: OFFSET of its weights, BASE (mines of the first), LENGTH,       |
|        |         |               | LINK (its first link), LOW (fewest mines put into the box), CHOICES (links)    |
| links  | int32   | (L,)          | the state of the next layer that each choice leads to                          |
| slots  | int32   | (H, 2)        | hash table: stamp and state; H is a power of two                               |
| cache  | int32   | (K,) or none  | records of components that were summed before, see reuse.py                    |
| used   | int64   | (HEAD,)       | how much of the pools is used, and what room there is, named below             |
| keys   | int64   | (2, H, 2)     | states of this layer and of the next: two words each                           |
| short  | int64   | (9, w)        | rows by component, named below                                                 |
| hashed | int64   | (H, 2)        | the key in each slot of the hash table                                         |
| info   | float64 | (HEAD,)       | what is known beyond the cells, named below                                    |
| sums   | float64 | (2, w)        | by box: weight of all layouts times the mines in it; times the clear cells     |
| small  | float64 | (SMALL * w,)  | polynomials                                                                    |
| weights| float64 | (W,)          | forward weights of all states                                                  |
| soft   | float64 | (L,) or none  | with soft clues: the likelihood that each link brings in                       |
"""

from __future__ import annotations

# What a call reports.
OK = 0
CONTRADICTION = 1
TOO_WIDE = 2  # more clues open at once than two words hold
MORE_STATES = 3
MORE_LINKS = 4
MORE_WEIGHTS = 5
MORE_SLOTS = 6

MARGIN = 72  # the queue of single clues may run so far past the end

# Rows by cell.
HIGH = 0  # most mines still among the unknown neighbours of a clue
SPAN = 1  # soft clues: how many fewer there may be
TOP = 33  # soft clues: most mines around, known ones included
N_AROUND = 2  # unknown neighbours
NUMBER_OF = 3  # the number of a clue
BOX_OF = 4  # the box of an unknown cell, or -1
QUEUE = 5  # clues to look at; later any stack
FRONTIER = 6  # the cells that belong to boxes
# Rows by clue.
CLUE_OF = 7  # the cell that shows it
N_BOXES = 8
NEED = 9  # fewest mines in its free boxes
ALLOW = 10  # most mines in them
KNOWN = 11  # soft clues: mines around it that are not in free boxes
REST_LEAST = 12  # what its free boxes still to be summed can hold, fewest
REST_MOST = 13  # the same, most
N_LEFT = 14  # how many they are
SLOT = 15  # where its sum stands in a state
# Rows by box.
SIZE = 16
LEAST = 17  # fewest mines in it
MOST = 18  # most mines in it
N_CLUES = 19
LABEL = 20  # its component, or -1: fixed
PLACE = 21  # one of its cells
# Components.
MEMBERS = 22  # boxes of all components, in order of elimination
START = 23  # where each component begins in MEMBERS
# Scratch of the ordering.
TRIAL = 24
SORT_KEY = 25
TAKEN = 26
CANDIDATE = 27
BEFORE_LEAST = 28
BEFORE_MOST = 29
AFTER_LEAST = 30
AFTER_MOST = 31
AFTER_BOXES = 32
SUPPORT = 34  # by box: 1 if it can hold a mine, plus 2 if it can hold a clear cell; where floats cannot tell
N_ROWS = 35

OFFSET, BASE, LENGTH, LINK, LOW, CHOICES = 0, 1, 2, 3, 4, 5
RECORD = 6

HEAD = 24
# Places in `used`.
STATES, LINKS, WEIGHTS, LAYERS, STAMP, WIDEST, WANTED, LARGEST_LAYER = 0, 1, 2, 3, 4, 5, 6, 7
ROOM_STATES, ROOM_LINKS, ROOM_WEIGHTS, ROOM_SLOTS = 8, 9, 10, 11
ROOM_CACHE = 12  # 0: every call stands alone
CACHED, REUSED, SUMMED = 13, 14, 15  # numbers in the cache; components found there, and summed, so far
PLAIN = 16  # 1: sum every component by elimination, as samples need it
# Places in `info`.
LOG_WEIGHT, P_FREE, N_FREE, N_COMPONENTS, COST, SCALE = 0, 1, 2, 3, 4, 5
INFO_LEFT, INFO_BASE, INFO_FRONTIER, TILT = 6, 7, 12, 13
BY_VERDICT = 8  # four places

# Rows of w of the polynomials: poly 2, closing 2, rest 1, prefix 3, suffix 10, and the weights of counts.
POLY, CLOSING, REST, PREFIX, SUFFIX, FACTOR, SMALL = 0, 2, 4, 5, 8, 18, 20
# Rows of `short`, at the front of the int64 buffer, by component.
FIRST_LAYER = 0  # where its layers begin; of a listed component, its fewest mines
BEGIN = 1  # where its polynomial begins
SUFFIX_AT = 2  # where the suffix product from it on begins
WINDOW_LOW = 3  # the mines of those before it that the first entry there is for
STEP = 4  # no row by component: scratch of one step of elimination
LIST_AT = 5  # where its list begins in the pool of weights, or -1: not listed
LIST_START = 6  # first entry with weight
LIST_LENGTH = 7  # entries from there to the last with weight
LIST_SPAN = 8  # entries in all
SHORT_LONGS = 9

SLOTS_PER_WORD = 15

WALK = 512  # int32 for listing.py, behind the layers


def n_ints(n_cells: int, room_states: int, room_links: int, room_slots: int, room_cache: int = 0) -> int:
    """Length of the int32 buffer."""
    width = n_cells + MARGIN
    return (N_ROWS + 18) * width + WALK + RECORD * room_states + room_links + 2 * room_slots + room_cache


def n_longs(n_cells: int, room_slots: int) -> int:
    """Length of the int64 buffer."""
    return HEAD + SHORT_LONGS * (n_cells + MARGIN) + 6 * room_slots


def n_floats(n_cells: int, room_weights: int, room_soft: int) -> int:
    """Length of the float64 buffer."""
    return HEAD + (2 + SMALL) * (n_cells + MARGIN) + room_weights + room_soft
