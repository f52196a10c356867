"""Win chances, rather than the risk of one cell.

`decision` decides what to open and ranks the cells of a position, by `endgame` search where few layouts are left and
by `rollouts` otherwise; `openings` has the opening book and the first cells of a board. Each answer is a `choice`.
"""
