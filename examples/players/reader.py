"""A player in words for Sapper's line protocol: put a language model into ``answer``.

As it stands, Sapper's own engine answers, from the text of the question alone.
"""

import json
import sys

import numpy as np

from sapper import mine_probabilities
from sapper.errors import SapperError
from sapper.text import read_description


def answer(question: str) -> str:
    """Answer a question about a position; here a model would be asked."""
    lines = question.split("\n")
    found = mine_probabilities(read_description("\n".join(lines[1:-1])))
    if "How many" in lines[-1]:
        return f"The position has these certain mines: {found.mines}.\n{len(found.mines)}"
    if "prove" in lines[-1]:
        clues = np.argwhere(found.observation.cells >= 0).tolist()
        return ", ".join(f"({row}, {col})" for row, col in clues)  # right, but not short
    row, col = np.argwhere(found.p_mine == np.nanmin(found.p_mine))[0].tolist()
    return f"Its mine probability is {found.p_mine[row, col]:.3g}.\nopen ({row}, {col})"


for line in sys.stdin:
    if line.startswith("sapper"):
        print("words engine", flush=True)
    else:
        asked = json.loads(line)
        if "question" in asked:
            try:
                said = {"answer": answer(asked["question"])}
            except SapperError as error:  # statements do not hold the position
                said = {"error": str(error)}
            print(json.dumps(said), flush=True)
        elif "quit" in asked:
            break
