"""The exact posterior: the chance of every cell, what is certain, and why nothing fits if nothing does.

`reference` is the readable one in Python integers, `exact` the same compiled, `engine` the one that follows a game,
`local` the one for a handful of statements. `workspace` is the kernels' memory, `conflict` finds a smallest set of
clues that cannot all hold, and `complete` turns a posterior into deductions.
"""
