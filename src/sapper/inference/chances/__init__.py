"""The chance to win, rather than the risk of one cell.

`lookahead` (a step ahead), `endgame` (perfect play over few layouts), `rollouts` (games played on) ask the kernels;
`ranking` puts what they say together; `optimal` is perfect play on its own, for small boards and studies.
"""
