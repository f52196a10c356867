"""One experiment a file: what is played, what the report claims of it, how it is drawn.

`clicks`, `statements`, `withheld` and `chains` are report 000, `infer` is 001, `consolidation` what both cost;
`contradiction` is 002, `one_two` and `fringe` are 003, `backtracking` is 004. `liars`, `uncertainty` and `variants`
go beyond the reports. `densities` is the grid of games that several of them play. Only `catalogue` imports them.
"""
