"""Where the world and the mind meet.

`matches/` plays and records games, `boards/` makes and proves boards without guesses, `figures/` measures layouts and
games, `advice/` helps a person at a game, `review/` judges one afterwards, `influence/` measures chains of influence;
`positions` is what they share, `files` reads and writes what they hold. Matches and boards know none of the others.
Experiments, page and commands stand above.
"""
