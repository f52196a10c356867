"""The exact engine: from a position to the mine probability of every cell.

`posterior` is the entry point. `frontier` groups the cells of a `board` into components; `components` sums each, small
ones by `enumeration` and the others by variable `elimination` in a suitable `ordering`; `totals` conditions on the
number of mines. `sampling` draws layouts, and `workspace` is the memory.
Other kernels may import these modules; everything else uses `sapper.kernels`.
"""
