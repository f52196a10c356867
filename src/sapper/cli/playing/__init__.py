"""Commands to play with: the page, a game in the terminal, lessons, puzzles, advice about a real game, a demonstration.

`serve` holds `play`, `watch` and `serve`, `game` plays in the terminal, `course` gives a lesson, `train` sets puzzles,
`advise` helps at a board elsewhere, and `demo` shows an agent; `training` is what `course` and `train` share. They
import the page, `train` or `play`; only `sapper.cli.command` imports them.
"""
