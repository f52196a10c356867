"""Jobs that take time, run in worker processes that can be killed.

`positions` analyses and explains, `games` watches agents and continues games, `review` judges finished games,
`training` makes and checks puzzles; `pool` runs them with a time limit. The `lab` runs sweeps in a process of its
own.
"""
