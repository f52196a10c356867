"""Games that are played: by an agent, in compiled code, on from a position, or read from a replay.

`match` brings game and agent together and writes a `record`, from which everything can be played again. `compiled` and
`continuing` play whole games without going back to Python, `replays` turns mouse events into moves, and `telling` tells
a game step by step.
"""
