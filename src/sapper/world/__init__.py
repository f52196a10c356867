"""The world: it holds the truth and shows observations. It never thinks.

`generate` draws layouts from a seed, `clues` says what is shown, `game` is one playthrough. It knows rules, layouts and
observations; agents never import it.
"""
