"""Why a cell is safe or a mine.

`explain` is the entry. `posterior.cores` finds the fewest clues, `prover` derives the lines of a proof, whose classes
are in `proof`, and `sentences` words them and the risk of uncertain cells. `influence` follows what the deductions of a
game rest on.
"""
