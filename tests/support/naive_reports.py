"""The agents of reports 000 and 003 and the search of report 004 again, written from their texts.

Each follows a game cell by cell. Before every query it says which cells it would allow as the next one, and afterwards
which mines it has marked. Nothing of ours is used but the layout.
"""

from __future__ import annotations

from collections import deque
from itertools import product

Cell = tuple[int, int]


class Grid:
    """The knowledge base: ``?`` for a hidden tile, ``m`` for a mine, a clue as a number."""

    def __init__(self, mines: list[list[bool]]) -> None:
        self.mines = mines
        self.rows, self.cols = len(mines), len(mines[0])
        self.tiles: dict[Cell, str | int] = dict.fromkeys(product(range(self.rows), range(self.cols)), "?")
        self.marked: set[Cell] = set()

    def around(self, cell: Cell) -> list[Cell]:
        near = product((cell[0] - 1, cell[0], cell[0] + 1), (cell[1] - 1, cell[1], cell[1] + 1))
        return [other for other in near if other != cell and other in self.tiles]

    def clue(self, cell: Cell) -> int:
        return sum(self.mines[row][col] for row, col in self.around(cell))

    def hidden(self) -> set[Cell]:
        return {cell for cell, tile in self.tiles.items() if tile == "?"}

    def mark(self, cell: Cell) -> None:
        self.tiles[cell] = "m"
        self.marked.add(cell)


class Report003(Grid):
    """Two rules, each clue once; the bare pattern; a fringe of neighbours of zeros; corners, then edges."""

    def __init__(
        self, mines: list[list[bool]], punch: bool = False, corners: bool = False, waits: bool = False
    ) -> None:
        super().__init__(mines)
        self.punch, self.corners, self.waits = punch, corners, waits
        self.fringe: deque[Cell] = deque()

    def allowed(self) -> set[Cell]:
        while self.fringe and self.tiles[self.fringe[0]] != "?":
            self.fringe.popleft()
        if self.fringe:
            return {self.fringe[0]}
        if self.corners and len(self.hidden()) < len(self.tiles):
            ends = (0, self.rows - 1), (0, self.cols - 1)
            for walls in (2, 1):
                for cell in sorted(self.hidden()):
                    if (cell[0] in ends[0]) + (cell[1] in ends[1]) == walls:
                        return {cell}
        return self.hidden()

    def query(self, cell: Cell) -> None:
        if self.mines[cell[0]][cell[1]]:
            self.tiles[cell] = "m"
            return
        clue, near = self.clue(cell), self.around(cell)
        hidden = [other for other in near if self.tiles[other] == "?"]
        if clue - sum(self.tiles[other] == "m" for other in near) == len(hidden):
            for other in hidden:
                self.mark(other)
        self.tiles[cell] = clue
        if self.punch:
            self.look_for_walls()
        if clue == 0:
            self.fringe += hidden

    def look_for_walls(self) -> None:
        for row, col in sorted(self.tiles):
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                for up, left in ((right, down), (-right, -down)):
                    beside, beyond = (row - down, col - right), (row + down, col + right)
                    wall = [(row + k * down + up, col + k * right + left) for k in (-1, 0, 1)]
                    if (self.tiles[row, col], self.tiles.get(beside)) != (2, 1):
                        continue
                    if self.waits and self.tiles.get(beyond, "?") in ("?", "m"):
                        continue
                    if all(self.tiles.get(one) == "?" for one in wall):
                        self.mark(wall[2])


class Report000(Grid):
    """After every click one statement, the newest that settles something; what is safe goes to the top of the queue.

    With the number of mines, a cell that shows more than 0 adds another statement: the cells that are not its
    neighbours hold the rest of the mines.
    """

    def __init__(self, mines: list[list[bool]], total: bool = False) -> None:
        super().__init__(mines)
        self.total = sum(map(sum, mines)) if total else None
        self.statements: list[tuple[set[Cell], int]] = []
        self.top: list[Cell] = []  # proved safe, the next to be clicked last

    def allowed(self) -> set[Cell]:
        self.top = [cell for cell in self.top if self.tiles[cell] == "?"]
        return {self.top[-1]} if self.top else self.hidden()

    def query(self, cell: Cell) -> None:
        if self.mines[cell[0]][cell[1]]:
            self.tiles[cell] = "m"
        else:
            for opened in sorted(self.reveal(cell)):
                self.tell(opened)
        for cells, number in reversed(self.statements):
            unknown = [other for other in sorted(cells) if self.tiles[other] == "?" and other not in self.top]
            left = number - sum(self.tiles[other] == "m" for other in cells)
            if unknown and left in (0, len(unknown)):
                if left:
                    for other in unknown:
                        self.mark(other)
                else:
                    self.top += unknown
                return

    def tell(self, cell: Cell) -> None:
        clue, near = self.clue(cell), set(self.around(cell))
        self.statements.append((near, clue))
        if self.total is not None and clue > 0:
            self.statements.append((set(self.tiles) - near - {cell}, self.total - clue))

    def has_all(self) -> bool:
        return list(self.tiles.values()).count("m") == self.total

    def reveal(self, cell: Cell) -> set[Cell]:
        """Open a cell and, around zeros, all that it touches."""
        opened, waiting = {cell}, [cell]
        while waiting:
            one = waiting.pop()
            self.tiles[one] = self.clue(one)
            if self.tiles[one] == 0:
                new = {other for other in self.around(one) if self.tiles[other] == "?"} - opened
                opened |= new
                waiting += sorted(new)
        return opened


class Report004:
    """Place a mine, recurse on the next cells of the queue, take it back: nodes, and whether it is solved."""

    def __init__(self, rows: list[str], total: int, memory: bool = False, order: str = "queue") -> None:
        self.cells = {(r, c): text for r, row in enumerate(rows) for c, text in enumerate(row)}
        self.hints = {cell: int(text) for cell, text in self.cells.items() if text != "#"}
        self.queue = [cell for cell, text in self.cells.items() if text == "#"]
        self.total, self.memory, self.order = total, memory, order
        self.mines: list[Cell] = []
        self.failed: list[set[Cell]] = []
        self.n_nodes = 0
        self.solved = self.solve(self.queue[0])

    def next_cell(self) -> Cell:
        if self.order == "queue":
            return self.queue[0]
        sign = 1 if self.order == "fewest" else -1
        return min(self.queue, key=lambda cell: sign * sum(other in self.queue for other in near(cell)))

    def solve(self, cell: Cell) -> bool:
        row, col = cell
        looked_at = [(row, col - 1), (row - 1, col - 1), (row + 1, col - 1), (row, col + 1), (row - 1, col + 1)]
        if any(self.hints.get(other, 1) <= 0 for other in looked_at):
            return False
        if self.memory and {*self.mines, cell} in self.failed:
            return False
        if len(self.mines) >= self.total and not any(self.hints.values()):
            return True
        self.n_nodes += 1
        self.mines.append(cell)
        self.add(cell, -1)
        for _ in range(4):
            if not self.queue:
                break
            other = self.next_cell()
            self.queue.remove(other)
            if self.solve(other):
                return True
            self.queue.append(other)
        self.add(cell, 1)
        self.failed.append(set(self.mines))
        self.mines.pop()
        return False

    def add(self, cell: Cell, change: int) -> None:
        for other in near(cell):
            if other in self.hints:
                self.hints[other] += change


def near(cell: Cell) -> list[Cell]:
    return [(cell[0] + down, cell[1] + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
