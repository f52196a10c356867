"""Experiments: play thousands of games, store them, summarise them with intervals and plot them.

`sweep` plans and runs a sweep in one call; `results` is what it returns. `games` plays chunks; `backends` and `cluster`
run them here, in worker processes or on Dask; `store` stores them. `probes` measures something other than wins,
`plots` draws and `layouts` compares kinds of boards. `grading/` grades agents from outside, `dataset/` writes positions
for learners, `reports/` repeats the five student reports.
"""
