"""Players: each a way of reasoning plus a way of guessing. They see observations, never the truth.

`agent` is the protocol, `reasoning` an agent made of parts, `guessing` the plain ways of guessing, `exact/` those that
sum, `book` the openings, `registry` every agent by name; `own` finds agents from outside, `contract` is what they are
held to. Agents import inference and below, never the world; play and whatever lies above imports them.
"""
