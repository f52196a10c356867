"""Looking ahead: what opening a cell may show, and what that would be worth.

`lookahead` chooses. It asks `candidates` which cells to look at, `judging` what a position ahead is worth, `dead` which
cells tell nothing, `swaps` and `chains` which guesses have to be made anyway; `prospects` are the notes that it takes.
"""
