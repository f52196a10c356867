"""Commands for studies: agents against each other, sweeps, the reports, chains of influence.

One file for each command, or for two that are close; `options` are those of everything that plays many games. They
import `experiments` when they run; only `sapper.cli.command` imports them.
"""
