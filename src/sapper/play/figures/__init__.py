"""The figures that players compare: 3BV, openings and islands (`metrics`), `zini`, and `measures` of games.

They look at layouts and finished games. Experiments, page and commands import them.
"""
