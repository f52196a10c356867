"""Boards that need no guess: made (`noguess`), proved (`certify`, a `certificate`), checked (`verify`).

`verify` uses neither the engine nor the ways of reasoning, so that it can be believed.
"""
