"""Experiments: games by the thousand, kept in a store, summed up with intervals, drawn.

`runs/` plays and keeps, `plots` draws, `reports/` plays the five reports again, `layouts/` studies boards. Reports and
layouts use runs and plots, never the other way. The lab of the page and the commands stand above.
"""
