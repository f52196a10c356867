"""A player for Sapper's line protocol: the two rules of single clues, else an arbitrary cell."""

import sys

Cell = tuple[int, int]


def choose(rows: list[str], seed: int) -> tuple[Cell | None, set[Cell], str]:
    """Return the cell to open, the mines found on the way, and why."""
    cells = [(row, col) for row in range(len(rows)) for col in range(len(rows[0]))]

    def around(cell: Cell) -> list[Cell]:
        return [one for one in cells if one != cell and max(abs(one[0] - cell[0]), abs(one[1] - cell[1])) == 1]

    def shows(cell: Cell) -> str:
        return rows[cell[0]][cell[1]]

    mines = {cell for cell in cells if shows(cell) == "*"}
    clues = [cell for cell in cells if shows(cell).isdigit()]
    for clue in clues:  # as many mines as closed cells
        closed = [cell for cell in around(clue) if shows(cell) in "#F*"]
        if len(closed) == int(shows(clue)):
            mines.update(closed)
    for clue in clues:  # all its mines are known
        rest = [cell for cell in around(clue) if shows(cell) in "#F" and cell not in mines]
        if rest and sum(cell in mines for cell in around(clue)) == int(shows(clue)):
            return rest[0], mines, f"the {shows(clue)} at {clue} touches no other mine"
    rest = [cell for cell in cells if shows(cell) in "#F" and cell not in mines]
    return (rest[seed % len(rest)] if rest else None), mines, "nothing is certain"


seed = 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "sapper":
        print("text single clues in Python", flush=True)
    elif words[0] == "game":
        seed = int(words[4])
    elif words[0] == "position":
        cell, mines, why = choose(words[1].split("/"), seed)
        move = "stop" if cell is None else f"open {cell[0]} {cell[1]}"
        print(move, "mine", *(f"{row},{col}" for row, col in sorted(mines)), "because", why, flush=True)
    elif words[0] == "quit":
        break
