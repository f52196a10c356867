"""Layouts from seeds, opening cells, and searching for no-guess boards.

`placement` draws layouts with NumPy's `pcg64`, `reveal` opens cells, `proving` and `subsets` prove cells safe,
`noguess` searches for no-guess boards and `moments` for layouts on which easy reasoning gets stuck. These kernels use
the engine; everything else uses `sapper.kernels`.
"""
