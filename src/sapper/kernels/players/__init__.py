"""Which cell to open: looking ahead, perfect endings, games played on, whole games.

`ahead`, `endgame` and `parts` each rate cells, `choosing` picks, `playing` and `rollouts` play. They stand on boards
and engine; everybody else uses `sapper.kernels`.
"""
