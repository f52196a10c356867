"""The exact engine: from a board and what it shows to the mine probability of every cell.

`posterior` is the entry. `board` and `frontier` set the sum up; `components` sums each component, with `enumeration`
for small ones and `elimination` along an `ordering` for the rest; `totals` joins them under the number of mines, with
the range of `extended`. `sampling` draws layouts; `workspace` is the memory. Other kernels may import it; everything
else uses `sapper.kernels`.
"""
