"""Visitors' games: kept in a `store`, loaded for play (`live`), shown to their player (`states`).

`results` keeps finished games and adds them up, `attempts` the answers to puzzles; `daily` holds the daily boards.

`states` decides what a visitor may see of the mines. The routes import these; they import no route.
"""
