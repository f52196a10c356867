"""Help for a person at a game: the `best` cell of a position, and advice about a `real_game`.

`entries` reads what people type about it.
"""
