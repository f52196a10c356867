"""Ways of guessing that rest on the exact posterior.

`certainty` is the posterior that an agent's parts share, `by_posterior` what the ways of guessing have in common; each
other file is one of them, or two that are close. The registry puts them together; others import `certainty` alone.
"""
