"""The exact engine: from a board and what it shows to the chance of every cell.

`posterior` is the way through: `board` and `frontier` set the sum up, `ordering`, `summing` and `elimination`
do it part by part, `closing` and `totals` bring the total in. `listing` and `sampling` give layouts, `reuse` and
`workspace` save work. The other kernels may import it; everybody else uses `sapper.kernels`.
"""
