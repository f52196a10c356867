"""Opened cells, and boards that need no guess.

`reveal` opens cells, `clearing` plays a board by proof alone (with the notes of `proving` and `consolidating`),
`repairing` moves mines from where a proof is stuck. They stand on the engine; players and environments may import them,
everybody else uses `sapper.kernels`.
"""
