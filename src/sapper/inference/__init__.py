"""Everything that can be worked out from an observation.

`reasoning/` holds the ways of people, one file each, and does not know probabilities; `posterior/` the exact chances;
`proofs/` why a cell is what it is; `chances/` which cell wins; `puzzles/` search for layouts that fit. Chances and
proofs stand on posteriors, posteriors on reasoning. Agents and play import from here; inference never sees the truth.
"""
