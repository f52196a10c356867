"""Why a cell is what it is.

`explain` is the entry: `grounds` finds the fewest clues, `prover` finds the lines of a `proof`, and `sentences` puts
them and the risk of undecided cells into words. `influence` follows what the deductions of a game rest on.
"""
