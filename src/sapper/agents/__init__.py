"""Agents: each combines a way of reasoning with a way of guessing. They see observations, never the mines.

`agent` is the protocol and what every agent is held to, `reasoning` an agent made of parts, `guessing` the heuristic
guessers, `exact` the agents that ask the posterior, `believer` one that trusts noisy clues, `custom` loads agents from
outside, and `registry` lists every agent by name. Agents import inference and below, never the world.
"""
