"""Opened cells, and boards that need no guess.

`reveal` opens cells, `proving` and `subsets` prove them, `noguess` searches for and repairs boards that need no guess,
`moments` finds layouts on which easy reasoning gets stuck. They stand on the engine; everything else uses
`sapper.kernels`.
"""
