"""One experiment a file: what is played, what the report claims of it, how it is drawn.

`statements`, `withheld` and `chains` are report 000, `infer` is 001, `contradiction` 002, `one_two` 003 and
`backtracking` 004; `variants` are the assignment's other agents; `uncertainty` and `liars` go further than the reports.
`densities` is the grid of games that several of them play. Only `catalogue` imports them.
"""
