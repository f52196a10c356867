"""Many games in parallel, for reinforcement learning.

`games` is their memory, `clues` says what their cells show, `stepping` takes actions. These kernels use those of
`boards`; everything else uses `sapper.kernels`.
"""
