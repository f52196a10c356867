"""Which cell to open: candidates, lookahead, endgame search, rollouts, whole games.

`candidates` lists cells worth a look; `clue_values`, `exchanges` and `lookahead` rate them; `endgame` searches the
remaining `layouts`. `policy` is what `rollouts` follow, `paired` compares close candidates by them, and `decide` is the
whole ladder. `player` is their memory. They stand on boards and engine; everything else uses `sapper.kernels`.
"""
