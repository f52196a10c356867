"""The codes that kernels and their callers exchange: cells, verdicts, statuses, pools and limits."""

from __future__ import annotations

# Cells as the player sees them; other values are clues.
HIDDEN = -1
FLAG = -2
EXPLODED = -3
NO_CLUE = -4

# Verdicts.
UNKNOWN = 0
SAFE = 1
MINE = 2
OPEN = 3

# Statuses.
OK = 0
CONTRADICTION = 1  # no layout fits
TOO_WIDE = 2  # more clues are open at once than fit into two words
MORE_ROOM = 3  # repeat the call with a larger pool, the one that `Workspace.short_of` names
STOPPED = 4  # the caller set `Workspace.stop`
OUT_OF_RANGE = 5  # the weights exceed the range even of tilted floats

# Pools.
STATES = 0
LINKS = 1
WEIGHTS = 2
SLOTS = 3
PRODUCTS = 4
BACKWARD = 5

MAX_DEGREE = 15  # neighbours of a cell: the sum of a clue fits into a nibble, four bits
NIBBLES_PER_WORD = 15  # in a key of the elimination

# Results of games that kernels play.
WON = -1
LOST = -2

# Why exact search returns no cell.
TOO_MANY = -1  # too many layouts, or too much work to enumerate them
NO_ROOM = -2  # the transposition table is full
NO_CHOICE = -3  # one layout is left: nothing to decide
NO_PART = -4  # no part of the board is independent, or it has too many layouts

# Enumerated layouts.
MINED = -1  # instead of a clue
ANY_NUMBER = -1000  # of mines: the total is unknown

# A kernel function could not finish: see the status of the player.
FAILED = -1

# Maximum number of paired rollouts per candidate.
TRIAL_GAMES = 32
