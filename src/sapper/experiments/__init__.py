"""Experiments: thousands of games, kept in a store, summarised with intervals, drawn.

`sweep` plans and runs in one call and `results` is what it returns. `games` plays chunks, `backends` and `cluster`
run them here, in worker processes or on Dask, `store` keeps them, `probes` measures other things than games,
`given_boards` reads boards from files, `plots` draws, `layouts` compares kinds of boards. `reports/` repeats the five
student reports.
"""
