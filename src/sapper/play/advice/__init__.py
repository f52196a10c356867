"""Help for a person at a game: advice about a `real_game`, a `typed_game` with hints.

`entries` reads what people type about a real game.
"""
