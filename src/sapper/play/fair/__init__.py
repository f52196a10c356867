"""Games whose mines are not laid beforehand: fair, kind and cruel boards.

`game` is one playthrough, which thinks about every opening before it answers; `starting` starts whatever game the rules
ask for. Matches, records and everything that plays games stand above.
"""
