"""Why a cell is what it is.

`explain` is the way in: `grounds` finds the fewest clues, `prover` searches for the lines of a `proof` and keeps what
is `settled`, `argument` says them in words, and `risk` speaks of cells that are not certain. `influence` follows what
the deductions of a game rest on.
"""
