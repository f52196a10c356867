"""Studies of boards rather than of games: how their figures `spread`, how ways of making them differ (`comparison`).

They use `play` and `plots`; commands import them.
"""
