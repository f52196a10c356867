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

# Why an endgame search names no cell.
TOO_MANY = -1  # more layouts, or more work to enumerate them, than allowed
NO_ROOM = -2  # more states than the transposition table holds
NO_CHOICE = -3  # one layout is left: nothing to decide
NO_PART = -4  # no part of the board is separate, or its layouts are too many

# Enumerated layouts.
MINED = -1  # what a mine shows
ANY_NUMBER = -1000  # of mines

# How a cell is chosen where nothing is safe. The first three are policies of a player; a policy other than least risk
# searches the endgame first.
LEAST_RISK = 0
LOOKAHEAD = 1
PAIRED_ROLLOUTS = 2  # lookahead, with rollouts for close candidates
EXACT_SEARCH = 3  # over all remaining layouts
BEAM_SEARCH = 4
PART_SEARCH = 5  # exact, in a separate part of the board

# The decision needs more memory than the engine has: see the player's status.
FAILED = -1

# Rollouts of each close candidate, at most.
PAIRED_GAMES = 32
