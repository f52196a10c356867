"""The figures that players compare: 3BV, openings and islands (`metrics`), `zini`, and `measures` of games."""
