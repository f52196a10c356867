"""Commands to play with: the page, a game in the terminal, puzzles, advice about a real game, a demonstration.

`serve` holds `play`, `watch` and `serve`, `game` plays in the terminal, `train` sets puzzles and `lessons` talks about
them, `advise` helps at a board elsewhere, `demo` shows an agent. They import the page, `train` or `play`; only
`sapper.cli.command` imports them.
"""
