"""Many games side by side, with random numbers of their own: what learning agents play.

`games` are laid (`laying`, by `pcg64`) and stepped (`stepping`) together. They stand on boards; everybody else uses
`sapper.kernels`.
"""
