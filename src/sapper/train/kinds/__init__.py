"""Where puzzles come from: `moments` and `games` find positions, and each of the other files makes a kind of puzzle.

Levels of reasoning are made of moments by `sapper.train.making`, which is also whom to ask for any puzzle.
"""
