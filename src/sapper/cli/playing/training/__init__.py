"""What ``sapper train`` and ``sapper course`` have behind them, all in the terminal.

`teachers` set the puzzles, some of them up and down a `ladder` of levels; `asking` shows one and reads answers;
`sessions` go from one to the next, a `diary` keeps the answers, and `progress` shows what they tell. `frames` draws the
examples of lessons. Only the two commands import them.
"""
