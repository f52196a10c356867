"""Commands to play with: the page, a game in the terminal, advice about a real game, a demonstration.

`serve` holds `play`, `watch` and `serve`, `game` plays in the terminal, `advise` helps at a board elsewhere, `demo`
shows an agent. They import the page or `play`; only `sapper.cli.command` imports them.
"""
