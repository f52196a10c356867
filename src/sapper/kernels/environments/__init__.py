"""Many games side by side: what learning agents play.

`games` is their memory, `placement` lays mines from a seed (with NumPy's `pcg64`), `stepping` opens cells. They stand
on boards; everything else uses `sapper.kernels`.
"""
