"""The exact posterior: mine probabilities, what is certain, and why nothing fits if nothing does.

`reference` is the readable one in Python integers, `exact` the compiled one, `batch` takes many positions at once,
`subproblem` a part of a board. `workspace` is the kernels' memory, `limits` bounds time, and `cores` finds a smallest
set of clues that cannot all hold.
"""
