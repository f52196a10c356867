"""Many games in parallel, for reinforcement learning.

`games` is their memory, `placement` draws layouts from seeds with NumPy's `pcg64`, `stepping` takes actions. These
kernels use those of `boards`; everything else uses `sapper.kernels`.
"""
