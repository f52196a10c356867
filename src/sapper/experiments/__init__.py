"""Experiments: games by the thousand, kept in a store, summed up with intervals, drawn.

`sweeps` is an experiment in one call and `results` what comes of it. `runs/` plays and keeps, `plots` draws, `pages` is
the look of pages. `reports/` plays the five reports again, `layouts/` studies boards. These
use runs, results and plots, never the other way. The lab of the page and the commands stand above.
"""
