"""Experiments: play thousands of games, store them, summarise them with intervals and plot them.

`sweep` plans and runs a sweep in one call; `results` is what it returns. `games` plays chunks; `backends` and `cluster`
run them here, in worker processes or on Dask; `store` stores them. `probes` measures something other than wins,
`given_boards` reads boards from files, `plots` draws and `layouts` compares kinds of boards. `reports/` repeats the
five student reports.
"""
