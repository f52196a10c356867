"""The numbers that kernels and their callers exchange: what cells show, what is known of them, how a call ended."""

from __future__ import annotations

# What a player sees of a cell, where it is not a clue.
HIDDEN = -1
FLAG = -2
EXPLODED = -3
NO_CLUE = -4

# What the engine knows of a cell.
UNKNOWN = 0
SAFE = 1
MINE = 2
OPEN = 3

# How a call ended.
OK = 0
CONTRADICTION = 1  # nothing fits
TOO_WIDE = 2  # more clues are open at once than two words hold
MORE_ROOM = 3  # with a larger pool, the one that `Workspace.short_of` names, the call can be made again
STOPPED = 4  # the caller did not want to wait any longer
OUT_OF_RANGE = 5  # the weights span more than even tilted floats can

# Pools that may be too small.
STATES = 0
LINKS = 1
WEIGHTS = 2
SLOTS = 3
PRODUCTS = 4
BACKWARD = 5

MAX_DEGREE = 15  # neighbours of a cell: as much as four bits hold
SLOTS_PER_WORD = 15  # of four bits each

# How a game ended that kernels played.
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
