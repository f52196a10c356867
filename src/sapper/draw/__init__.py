"""Pictures of positions: coloured text (`terminal`), `svg`, HTML (`pages`) and `pixels`, with one `palette`.

Drawing knows observations and layouts, but no inference.
"""
