"""Win chances, rather than the risk of one cell.

`decision` ranks the cells of a position, `endgame` searches few layouts exactly, `rollouts` estimates by playing on,
and `openings` has the opening book and first cells.
"""
