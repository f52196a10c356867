"""Commands that look at a position or at a game: its chances, the best cell, the proof, the mistakes.

One file for each command of that name. They import what computes when they run; only `sapper.cli.command` imports them.
"""
