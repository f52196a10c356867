"""Positions in pictures: screenshots of any Minesweeper program.

`image` decodes, `grid` finds the lines of the board and `cells` cuts it up, `ink` says what is drawn in the cells,
`glyphs` what shapes look like, `labels` which cells are hidden; none of them knows the engine. `reader` asks it which
readings are possible.
"""
