"""A player for Sapper's line protocol: the two rules of single clues, else an arbitrary cell."""

import sys

seed = 0
for line in sys.stdin:
    word, *said = line.split()
    if word == "sapper":
        print("text single clues in Python", flush=True)
    elif word == "game":
        seed = int(said[3])
    elif word == "position":
        shown = {(row, col): one for row, cells in enumerate(said[0].split("/")) for col, one in enumerate(cells)}
        near = {
            (row, col): {(r, c) for r in (row - 1, row, row + 1) for c in (col - 1, col, col + 1)} & shown.keys()
            for row, col in shown
        }
        clues = {cell: int(one) for cell, one in shown.items() if one.isdigit()}
        closed = {cell for cell, one in shown.items() if one in "#F*"}
        mines = {cell for cell, one in shown.items() if one == "*"}
        for cell, clue in clues.items():  # as many mines as closed cells
            if len(near[cell] & closed) == clue:
                mines |= near[cell] & closed
        rest = closed - mines
        # Cells around a clue whose mines are all known.
        safe = {one for cell, clue in clues.items() if len(near[cell] & mines) == clue for one in near[cell] & rest}
        choice = sorted(safe or rest)
        move = "open {} {}".format(*choice[seed % len(choice)]) if choice else "stop"
        why = "a clue has all its mines" if safe else "nothing is certain"
        print(move, "mine", *(f"{row},{col}" for row, col in sorted(mines)), "because", why, flush=True)
    elif word == "quit":
        break
