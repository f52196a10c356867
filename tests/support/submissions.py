"""Submissions with the faults that courses see, each made from a sound one by a change of a line or two.

Unlike a student's, the sound one compares clues as sets: so it finds what single clues and subsets prove.
"""

from __future__ import annotations

from pathlib import Path

SOUND = """\
import itertools
import random


class Sentence:
    def __init__(self, cells, count):
        self.cells = set(cells)
        self.count = count

    def __eq__(self, other):
        return self.cells == other.cells and self.count == other.count


class MinesweeperAI:
    def __init__(self, height=8, width=8):
        self.height = height
        self.width = width
        self.moves_made = set()
        self.mines = set()
        self.safes = set()
        self.knowledge = []

    def mark_mine(self, cell):
        self.mines.add(cell)
        for sentence in self.knowledge:
            if cell in sentence.cells:
                sentence.cells.remove(cell)
                sentence.count -= 1

    def mark_safe(self, cell):
        self.safes.add(cell)
        for sentence in self.knowledge:
            sentence.cells.discard(cell)

    def add_knowledge(self, cell, count):
        self.moves_made.add(cell)
        self.mark_safe(cell)
        around = set()
        for i in range(cell[0] - 1, cell[0] + 2):
            for j in range(cell[1] - 1, cell[1] + 2):
                if (i, j) == cell or not (0 <= i < self.height and 0 <= j < self.width):
                    continue
                if (i, j) in self.mines:
                    count -= 1
                elif (i, j) not in self.safes:
                    around.add((i, j))
        self.knowledge.append(Sentence(around, count))
        changed = True
        while changed:
            changed = False
            for sentence in list(self.knowledge):
                if not sentence.cells:
                    continue
                if sentence.count == 0:
                    for other in list(sentence.cells):
                        self.mark_safe(other)
                    changed = True
                elif sentence.count == len(sentence.cells):
                    for other in list(sentence.cells):
                        self.mark_mine(other)
                    changed = True
            self.knowledge = [one for one in self.knowledge if one.cells]
            new = []
            for small, large in itertools.permutations(self.knowledge, 2):
                if small.cells < large.cells:
                    found = Sentence(large.cells - small.cells, large.count - small.count)
                    if found not in self.knowledge and found not in new:
                        new.append(found)
            self.knowledge += new
            changed = changed or bool(new)

    def make_safe_move(self):
        for cell in sorted(self.safes - self.moves_made):
            return cell
        return None

    def make_random_move(self):
        cells = [(i, j) for i in range(self.height) for j in range(self.width)]
        cells = [cell for cell in cells if cell not in self.moves_made and cell not in self.mines]
        return random.choice(cells) if cells else None
"""

_LEARN = "        self.moves_made.add(cell)\n        self.mark_safe(cell)\n"
_LATE = "        if len(self.moves_made) == 5:\n"

# Name → the lines that are changed, each with what it becomes.
CHANGES: dict[str, tuple[tuple[str, str], ...]] = {
    "sound": (),
    # The count is not reduced by mines that are known already.
    "count-not-reduced": (
        ("                    count -= 1\n                elif", "                    pass\n                elif"),
    ),
    "no-subsets": (
        (
            "            changed = changed or bool(new)",
            "            self.knowledge = self.knowledge[: len(self.knowledge) - len(new)]",
        ),
    ),
    # Conclusions are drawn once, and what follows from them is missed.
    "infers-once": (("        changed = True\n        while changed:\n", "        for _ in range(1):\n"),),
    "repeats-moves": (("if cell not in self.moves_made and cell not in self.mines]", "if cell not in self.mines]"),),
    "changes-while-iterating": (
        (
            "for other in list(sentence.cells):\n                        self.mark_safe",
            "for other in sentence.cells:\n                        self.mark_safe",
        ),
    ),
    "endless-loop": ((_LEARN, f"{_LEARN}{_LATE}            while True:\n                pass\n"),),
    "too-much-memory": ((_LEARN, f"{_LEARN}{_LATE}            self.cache = bytearray(2 * 2**30)\n"),),
    "prints": ((_LEARN, f"{_LEARN}        print('knowledge:', len(self.knowledge), {{}})\n"),),
    "exits": ((_LEARN, f"{_LEARN}{_LATE}            raise SystemExit\n"),),
    "swaps-coordinates": (
        (
            "for i in range(self.height) for j in range(self.width)]",
            "for i in range(self.width) for j in range(self.height)]",
        ),
    ),
    # It looks for the game in the frames above it and everywhere in memory.
    "peeks": (
        ("import random\n", "import gc\nimport random\nimport sys\n"),
        (
            "        for cell in sorted(self.safes - self.moves_made):\n",
            "        frame = sys._getframe() if len(self.moves_made) < 2 else None\n"
            "        while frame is not None:\n"
            "            for value in [*frame.f_locals.values(), *gc.get_objects()]:\n"
            "                if type(value).__name__ in ('Game', 'Layout', 'Minesweeper'):\n"
            "                    raise RuntimeError('found the game')\n"
            "            frame = frame.f_back\n"
            "        for cell in sorted(self.safes - self.moves_made):\n",
        ),
    ),
    "stops-early": (
        (
            "        return random.choice(cells) if cells else None",
            "        return random.choice(cells) if len(self.moves_made) < 9 else None",
        ),
    ),
    # A module-level game, as some hand in, and a drawing library that is not installed.
    "module-level": (("import itertools\n", "import itertools\nimport pygame\n\npygame.init()\nprint('ready')\n"),),
    "not-repeatable": (
        (
            "        return random.choice(cells) if cells else None",
            "        return random.SystemRandom().choice(cells) if cells else None",
        ),
    ),
    "does-not-load": (("import itertools\n", "import itertools\nimport minesweeper_helpers\n"),),
    "asks-for-input": (("import itertools\n", "import itertools\n\nlevel = input('Which level? ')\n"),),
    # The course asks make_safe_move to change nothing.
    "marks-its-move": (
        (
            "        for cell in sorted(self.safes - self.moves_made):\n",
            "        for cell in sorted(self.safes - self.moves_made):\n            self.moves_made.add(cell)\n",
        ),
    ),
    "claims-no-mines": (("        self.mines.add(cell)\n", "        self.found = {cell}\n"),),
    "order-of-sets": (
        (
            "        return random.choice(cells) if cells else None",
            "        return next((tuple(map(int, one.split())) for one in {f'{i} {j}' for i, j in cells}), None)",
        ),
    ),
    "sleeps": ((_LEARN, f"{_LEARN}{_LATE}            __import__('time').sleep(1000)\n"),),
    # It writes beside itself, removes itself, and leaves a process; the next game must see nothing of it.
    "leaves-things": (
        (
            "import itertools\n",
            "import itertools\nimport os\nimport time\n\nhere = os.path.dirname(os.path.abspath(__file__))\n",
        ),
        (
            _LEARN,
            f"{_LEARN}{_LATE}            assert sorted(os.listdir(here)) == ['minesweeper.py'], os.listdir(here)\n"
            "            os.remove(__file__)\n"
            "            open('log.txt', 'w').close()\n"
            "            child = os.fork()\n"
            "            if not child:\n"
            "                os.setsid()\n"
            "                time.sleep(1000)\n"
            "            raise ValueError(f'left {child}')\n",
        ),
    ),
}


# Opens one cell after the other, from the last.
UCI = """
from AI import AI
from Action import Action

class MyAI(AI):
    def __init__(self, rowDimension, colDimension, totalMines, startX, startY):
        self.rest = [(x, y) for x in range(colDimension) for y in range(rowDimension) if (x, y) != (startX, startY)]
        self.steps = 0

    def getAction(self, number):
        assert number >= (-1 if self.steps else 0)
        self.steps += 1
        if self.steps == 2:
            return Action(AI.Action.FLAG, 0, 0)
        if self.steps == 3:
            assert number == -1
            return Action(AI.Action.UNFLAG, 0, 0)
        if not self.rest:
            return Action(AI.Action.LEAVE)
        return Action(AI.Action.UNCOVER, *self.rest.pop())
"""


def source(name: str) -> str:
    """Return the text of a submission."""
    text = SOUND
    for old, new in CHANGES[name]:
        assert text.count(old) == 1, (name, old)
        text = text.replace(old, new)
    return text


def write(folder: Path, *names: str) -> Path:
    """Write submissions, by default all of them, as one folder each; return the folder of them."""
    for name in names or CHANGES:
        (folder / name).mkdir(parents=True)
        (folder / name / "minesweeper.py").write_text(source(name), "utf-8")
    return folder
