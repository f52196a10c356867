"""Experiments, one per file: what is played, what the report claims and how it is drawn.

`clicks`, `statements`, `withheld` and `chains` are report 000, `infer` is 001, `consolidation` what both cost;
`contradiction` is 002, `one_two` and `fringe` are 003, `backtracking` is 004. `noisy_clues` and `variants` go
beyond the reports. Only `catalogue` imports them.
"""
