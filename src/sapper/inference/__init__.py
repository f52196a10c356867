"""Everything that can be worked out from an observation.

`facts` is what is known, as bit sets; `reasoning/` reasons as people do and knows no probabilities; `posterior/`
computes exact mine probabilities; `proofs/` says why a cell is what it is; `evaluation/` estimates win chances;
`forced` tells forced guesses from unforced ones; `backtracking` is report 004's search. Inference never sees the
mines.
"""
