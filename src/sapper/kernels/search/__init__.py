"""Which cell to open: lookahead, exact endgame search, rollouts, whole games.

`candidates` picks cells worth a look, `clue_values`, `exchanges` and `lookahead` rate them one clue ahead, `endgame`
searches the remaining `layouts`, `policy` chooses, `rollouts` and `paired` play on from a position, `decide` plays
whole games; `player` is their memory. They stand on boards and engine; everything else uses `sapper.kernels`.
"""
