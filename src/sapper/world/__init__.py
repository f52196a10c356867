"""The world holds the mines and shows observations. It never reasons.

`generation` draws layouts and clues from a seed; `game` is one playthrough. Agents never import this package.
"""
