"""The games that visitors play: kept in a `store`, brought back to life (`live`), shown to their player (`states`).

What is left of them once they are over are `results`, which add up to `totals`; `daily` are the boards of the day.

`states` is where the truth ends: what it leaves out, no visitor sees. The routes import these; they know no route.
"""
