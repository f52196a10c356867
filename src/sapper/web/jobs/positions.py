"""What the processes of the server compute of a position: texts and numbers in, plain values out.

Of a game that is being played they get the position and never the truth.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sapper import kernels
from sapper.errors import IllegalMove, InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.workspace import Budget
from sapper.inference.proofs.explain import UNCERTAIN, explain, explain_certain
from sapper.observation import FLAG, Observation
from sapper.play.advice.best import best_cell
from sapper.play.reading import as_position, read
from sapper.web.http.fields import check_table
from sapper.web.settings import MOST_CELLS, MOST_GAME_CELLS

if TYPE_CHECKING:
    from sapper.inference.posterior.exact import Posterior
    from sapper.inference.proofs.explain import Explanation


# A tenth of what the engine may use by itself: a position of a real game needs a thousandth of that.
BUDGET = Budget(states=1_000_000, megabytes=512)

MOST_CANDIDATES = 12
# Layouts are counted one by one only on boards where that is quick, and as far as a float tells whole numbers apart.
_MOST_COUNTED_CELLS = 100
_MOST_COUNTED = 1e15
_SURE_IN_FLOATS = 1e9


# -- positions ------------------------------------------------------------------------------------------------


def read_position(text: str) -> Observation:
    """Read a position in any form that people paste, of a board that is not too large."""
    position = as_position(read(encode(text)))
    check_table(position.topology)
    if position.topology.n_cells > MOST_CELLS:
        raise InputError(f"The position has {position.topology.n_cells:,} cells; the limit is {MOST_CELLS:,}.")
    return position


def encode(text: str) -> bytes:
    """Return the bytes of pasted text: `read` takes text for a file name where it can."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError("The text contains something that is not a character.") from None


def analyse(text: str) -> dict[str, object]:
    """Everything exact about a position."""
    observation = read_position(text)
    posterior = mine_probabilities(observation, budget=BUDGET)
    return {
        "position": str(observation),
        "best": as_lists(posterior.best),
        "layouts": _count(posterior),
        "caption": observation.caption(),
        **_chances(posterior),
    }


def chances(text: str, is_promised: bool) -> dict[str, object]:
    """The chances of a position in a game."""
    return _chances(mine_probabilities(Observation.parse(text), budget=BUDGET)) | {"promised": is_promised}


def _chances(posterior: Posterior) -> dict[str, object]:
    p = posterior.p_mine
    return {
        # No number means open; JSON has no word for it but null.
        "p": [[None if math.isnan(value) else value for value in row] for row in p.tolist()],
        "safe": as_lists(posterior.safe),
        "mines": as_lists(posterior.mines),
        "log_layouts": _log_layouts(posterior),
    }


def _log_layouts(posterior: Posterior) -> float | None:
    # Where clues may be wrong, layouts are not equally likely and have to be counted apart.
    if posterior.question.soft and posterior.observation.topology.n_cells > _MOST_COUNTED_CELLS:
        return None
    return posterior.log_layouts


def _count(posterior: Posterior) -> str | None:
    """The exact number of layouts, where it can be had quickly."""
    log_layouts = _log_layouts(posterior)
    if log_layouts is None or log_layouts >= math.log(_MOST_COUNTED):
        return None
    if log_layouts < math.log(_SURE_IN_FLOATS):
        return str(round(math.exp(log_layouts)))
    return str(posterior.n_layouts) if int(posterior.observation.closed.sum()) <= _MOST_COUNTED_CELLS else None


def wrong_flags(text: str) -> dict[str, object]:
    """The flags that certainly stand on safe cells."""
    observation = Observation.parse(text)
    if not (observation.cells == FLAG).any():
        return {"cells": []}
    posterior = mine_probabilities(observation, budget=BUDGET)
    return {"cells": as_lists(tuple(cell for cell in posterior.safe if observation.cells[cell] == FLAG))}


def explain_cell(text: str, row: int, col: int) -> dict[str, object]:
    """Why a cell is what it is, or how risky."""
    observation = read_position(text)
    # The explanation takes what the engine allows by itself, so whatever is too hard for us is found out before.
    mine_probabilities(observation, budget=BUDGET)
    return {"cell": [row, col], **_explanation(explain(observation, row, col))}


def best(text: str, seconds: int, start: str) -> dict[str, object]:
    """The best cell and its chance to win, and the candidates beside it."""
    observation = read_position(text)
    if observation.topology.n_cells > MOST_GAME_CELLS:
        raise InputError(f"Win chances are estimated on boards of at most {MOST_GAME_CELLS:,} cells.")
    mine_probabilities(observation, budget=BUDGET)
    return best_cell(observation, seconds=seconds, start=start).as_plain_values()


def _explanation(found: Explanation) -> dict[str, object]:
    return {
        "verdict": None if found.verdict == UNCERTAIN else found.verdict,
        "p_mine": found.p_mine,
        "kind": found.kind,
        "clues": as_lists(found.clues),
        "uses_total": found.total,
        "steps": [{"sentence": step.sentence, "depth": step.depth} for step in found.steps],
        "summary": " ".join(found.summary),
    }


def hint(text: str, is_promised: bool, skip: int = 0) -> dict[str, object]:
    """A safe cell with its proof; else a mine that the player has not marked yet; else the best guess.

    Of the certain cells the easiest to prove comes first; ``skip`` of them are passed over.
    """
    observation = Observation.parse(text)
    if is_promised:
        return _hint_first(observation)
    posterior = mine_probabilities(observation, budget=BUDGET)
    flags = observation.cells == FLAG
    marked = [cell for cell in posterior.mines if flags[cell]]
    common: dict[str, object] = {
        "candidates": [],
        "best": None,
        "wrong_flags_possible": int(np.count_nonzero(flags)) > len(marked),
    }
    if posterior.safe or len(posterior.mines) > len(marked):
        # Mines that the player has rightly marked need no proof any more.
        known = observation.assuming(mines=map(observation.topology.number, marked))
        found, n_certain = explain_certain(known, skip=skip)
        assert found is not None
        said = _explanation(found)
        if marked:
            said = _call_them_marked(said)
        return {"certain": True, "cell": list(found.cell), "n_certain": n_certain, **said, **common}
    if not posterior.best:
        raise IllegalMove("Every cell is open; there is nothing to hint at.")
    cell = _best_guess(posterior)
    found = explain(observation, *cell)
    summary = " ".join(found.summary)
    return {
        "certain": False,
        "cell": list(cell),
        "n_certain": 0,
        **_explanation(found),
        **common,
        "candidates": _candidates(posterior),
        "best": {"cell": list(cell), "p_mine": found.p_mine, "reason": summary},
    }


def _hint_first(observation: Observation) -> dict[str, object]:
    board = observation.topology
    cell = board.cell(int(np.argmin(board.degree)))
    if board.shape == "torus":
        said = "The rules promise that the first cell is safe, and on a torus all cells are alike."
    elif observation.channel.zero_is_certain:
        said = f"The rules promise that the first cell is safe; {cell} touches few others, so it is likely to open up."
    else:
        said = "The rules promise that the first cell is safe. Clues may be wrong, so no zero opens its neighbours."
    return {
        "certain": True, "cell": list(cell), "n_certain": 1, "verdict": "safe", "p_mine": 0.0, "kind": "promise",
        "clues": [], "uses_total": False, "steps": [], "summary": said, "candidates": [], "best": None,
        "wrong_flags_possible": False,
    }  # fmt: skip


def _call_them_marked(said: dict[str, object]) -> dict[str, object]:
    listed = said["steps"]
    assert isinstance(listed, list)
    for step in listed:
        step["sentence"] = step["sentence"].replace("the exploded ones", "the known ones")
    return said


def _best_guess(posterior: Posterior) -> tuple[int, int]:
    observation = posterior.observation
    board = observation.topology
    chosen = kernels.choose_least_risk(board.graph, observation.cells.ravel(), posterior.p_mine.ravel())
    # It leaves flagged cells alone; if there are no others, one of them is the best there is.
    return board.cell(chosen) if chosen >= 0 else posterior.best[0]


def _candidates(posterior: Posterior) -> list[dict[str, object]]:
    board = posterior.observation.topology
    p = posterior.p_mine.ravel()
    closed = np.flatnonzero(posterior.observation.closed.ravel())
    chosen = closed[np.argsort(p[closed], kind="stable")][:MOST_CANDIDATES]
    return [{"cell": list(board.cell(index)), "p_mine": float(p[index])} for index in chosen.tolist()]


def as_lists(cells: tuple[tuple[int, int], ...]) -> list[list[int]]:
    """Cells as JSON has them."""
    return [list(cell) for cell in cells]
