"""Whether a guess is forced: whether it is proved that safe openings never say what the cell is.

`judgement` answers; it asks `swaps` for mines and clear cells that no clue can tell apart, and `listing` for every
layout of a small part of the board. Stands on posteriors; games that are dealt as they are played, and reviews of them,
stand above.
"""
