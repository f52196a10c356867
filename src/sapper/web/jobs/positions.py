"""What the processes of the server compute of a position: texts and numbers in, plain values out.

Of a game that is being played they get the position and never the truth.
"""

from __future__ import annotations

import base64
import math
from dataclasses import replace

import numpy as np

from sapper.agents.best import best_cell, best_guess
from sapper.agents.sentences import win_chance_sentence
from sapper.errors import IllegalMove, InputError
from sapper.inference.evaluation.choice import Choice
from sapper.inference.evaluation.decision import Decider
from sapper.inference.evaluation.rollouts import Effort
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.posterior.workspace import Budget
from sapper.inference.proofs.explain import UNCERTAIN, Explanation, explain, explain_certain
from sapper.inference.proofs.sentences import name_grounds
from sapper.kernels.codes import MINE
from sapper.observation import FLAG, HIDDEN, Observation
from sapper.pictures.reader import read_picture
from sapper.play.reading import as_position, read
from sapper.web.http.fields import check_table
from sapper.web.settings import MAX_CELLS, MAX_GAME_CELLS

# A tenth of what the engine may use by itself: a position of a real game needs a thousandth of that.
BUDGET = Budget(states=1_000_000, megabytes=512)

MAX_CANDIDATES = 12
HINT_GAMES = 64  # rollouts for the win chance of a hint
# Layouts are counted one by one only on boards where that is quick, and as far as a float tells whole numbers apart.
_MAX_COUNTED_CELLS = 100
_MAX_COUNTED = 1e15
_SURE_IN_FLOATS = 1e9


# -- positions ------------------------------------------------------------------------------------------------


def read_position(text: str) -> Observation:
    """Read a position in any form that people paste, of a board that is not too large."""
    position = as_position(read(encode(text)))
    check_table(position.topology)
    if position.topology.n_cells > MAX_CELLS:
        raise InputError(f"The position has {position.topology.n_cells:,} cells; the limit is {MAX_CELLS:,}.")
    return position


def encode(text: str) -> bytes:
    """Return the bytes of pasted text: `read` takes text for a file name where it can."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError("The text contains something that is not a character.") from None


def read_screenshot(encoded: str) -> dict[str, object]:
    """Read the position that a picture shows, in base64; say which cells are doubtful and where they are in it."""
    try:
        data = base64.b64decode(encoded, validate=True)
    except ValueError:
        raise InputError("The field 'picture' must be a file in base64.") from None
    found = read_picture(data)
    grid = found.grid
    check_table(found.position.topology)
    return {
        "position": str(found.position),
        "doubts": as_lists(found.doubts),
        "grid": {"x": grid.x, "y": grid.y, "width": grid.cols * grid.pitch_x, "height": grid.rows * grid.pitch_y},
        "alternatives": [str(position) for position in found.alternatives],
    }


def analyse(text: str) -> dict[str, object]:
    """Everything exact about a position."""
    observation = read_position(text)
    posterior = mine_probabilities(observation, budget=BUDGET)
    return {
        "position": str(observation),
        "best": as_lists(tuple(cell for cell in posterior.safest if cell not in posterior.mines)),
        "layouts": _count(posterior),
        "caption": observation.caption(),
        **_chances(posterior),
    }


def chances(text: str, is_promised: bool, start: str = "safe") -> dict[str, object]:
    """The chances of a position in a game, and the best guess where no cell is safe, as a hint names it."""
    posterior = mine_probabilities(Observation.parse(text), budget=BUDGET)
    board, guess = posterior.observation.topology, None
    if posterior.safest and not posterior.safe and not is_promised:
        guess = list(board.cell(best_guess(posterior, start, BUDGET).cell))
    return _chances(posterior) | {"promised": is_promised, "guess": guess}


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
    if posterior.question.is_noisy and posterior.observation.topology.n_cells > _MAX_COUNTED_CELLS:
        return None
    return posterior.log_layouts


def _count(posterior: Posterior) -> str | None:
    """The exact number of layouts, where it can be had quickly."""
    log_layouts = _log_layouts(posterior)
    if log_layouts is None or log_layouts >= math.log(_MAX_COUNTED):
        return None
    if log_layouts < math.log(_SURE_IN_FLOATS):
        return str(round(math.exp(log_layouts)))
    return str(posterior.n_layouts) if int(posterior.observation.closed.sum()) <= _MAX_COUNTED_CELLS else None


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
    return {"cell": [row, col], **describe_explanation(explain(observation, row, col))}


def best(text: str, seconds: int, start: str) -> dict[str, object]:
    """Return the best cell, its win chance and the candidates beside it.

    A guess is the one that every hint names: rollouts, which play by least risk, only compare the candidates.
    """
    observation = read_position(text)
    if observation.topology.n_cells > MAX_GAME_CELLS:
        raise InputError(f"Win chances are estimated on boards of at most {MAX_GAME_CELLS:,} cells.")
    posterior = mine_probabilities(observation, budget=BUDGET)
    found = best_cell(observation, seconds=seconds, start=start)
    if not found.certain:
        guess = best_guess(posterior, start, BUDGET)
        found = found.opening(observation.topology.cell(guess.cell), guess.p_mine, "hints name it")
    return found.as_plain_values()


def describe_explanation(found: Explanation) -> dict[str, object]:
    """Return a proof, or how risky a cell is, as plain values."""
    return {
        "verdict": None if found.verdict == UNCERTAIN else found.verdict,
        "p_mine": found.p_mine,
        "kind": found.kind,
        "clues": as_lists(found.clues),
        "uses_total": found.total,
        "steps": [{"sentence": step.sentence, "depth": step.depth} for step in found.steps],
        "summary": " ".join(found.summary),
        "because": name_grounds(found),
        "details": list(found.summary[1:]),  # of a guess, besides its risk
    }


def hint(text: str, is_promised: bool, skip: int = 0, start: str = "safe") -> dict[str, object]:
    """Return a safe cell with its proof; else a mine that is not flagged yet; else the best guess and the safest.

    Of the certain cells the easiest to prove comes first; ``skip`` of them are skipped. ``start`` is what the rules
    promise of the first cell.
    """
    observation = Observation.parse(text)
    posterior = mine_probabilities(observation, budget=BUDGET)
    if is_promised:
        return _hint_first(posterior, start)
    flags = observation.cells == FLAG
    marked = [cell for cell in posterior.mines if flags[cell]]
    common: dict[str, object] = {
        "candidates": [],
        "best": None,
        "safest": None,
        "wrong_flags_possible": int(np.count_nonzero(flags)) > len(marked),
    }
    if posterior.safe or len(posterior.mines) > len(marked):
        # Mines that the player has rightly marked need no proof any more.
        known = observation.assuming(mines=map(observation.topology.number, marked))
        found, n_certain = explain_certain(known, skip=skip)
        assert found is not None
        return {
            "certain": True,
            "cell": list(found.cell),
            "n_certain": n_certain,
            **describe_explanation(found),
            **common,
        }
    if not posterior.safest:
        raise IllegalMove("Every cell is open; there is nothing to hint at.")
    best = _best_guess(posterior, start)
    cell = observation.topology.cell(best.cell)
    found, safest = explain(observation, *cell), _safest(posterior, cell)
    # After the cell's risk its win chance; what follows compares it with the safest cells.
    reason = " ".join(filter(None, (found.summary[0], win_chance_sentence(best), *found.summary[1:])))
    return {
        "certain": False,
        "cell": list(cell),
        "n_certain": 0,
        **describe_explanation(found),
        **common,
        "candidates": _candidates(posterior),
        "best": {
            "cell": list(cell), "p_mine": found.p_mine, "p_win": best.p_win, "how": best.how.value, "reason": reason,
        },
        "safest": safest,
        # Where the safest cell is another, that says more than how their risks compare.
        "details": list(found.summary[1 if safest["cell"] == list(cell) else 2 :]),
    }  # fmt: skip


def _hint_first(posterior: Posterior, start: str) -> dict[str, object]:
    board, channel = posterior.observation.topology, posterior.observation.channel
    best = best_guess(posterior, start, BUDGET)
    said, win_chance = "The rules promise that the first cell is safe", win_chance_sentence(best)
    if board.shape == "torus":
        said = f"{said}, and on a torus all cells are alike."
    elif win_chance:
        said = f"{said}. {win_chance}"
    elif channel.zero_is_certain:
        said = f"{said}; {board.cell(best.cell)} touches few others, so it is likely to open up."
    else:
        said = f"{said}. Clues may be wrong, so no zero opens its neighbours."
    return {
        "certain": True, "cell": list(board.cell(best.cell)), "n_certain": 1, "verdict": "safe", "p_mine": 0.0,
        "kind": "promise", "clues": [], "uses_total": False, "steps": [], "summary": said, "because": "",
        "details": [], "candidates": [], "best": None, "safest": None, "wrong_flags_possible": False,
    }  # fmt: skip


def _best_guess(posterior: Posterior, start: str) -> Choice:
    """Return the best guess, with its win chance by a few rollouts where the decision does not say it."""
    best, observation = best_guess(posterior, start, BUDGET), posterior.observation
    is_known = observation.channel.kind == "exact" and observation.total is not None
    if best.p_win is not None or not is_known or observation.topology.n_cells > MAX_GAME_CELLS or best.p_mine == 1.0:
        return best
    # The same generator every time: a hint depends on the position alone.
    decider, rng = Decider(observation.topology, budget=BUDGET), np.random.default_rng(0)
    found = decider.estimate(posterior, best.cell, Effort(HINT_GAMES), rng)
    p_win = None if found.p_win is None else round(found.p_win, 4)
    return replace(best, p_win=p_win, error=found.error, n_games=found.n_games)


def _safest(posterior: Posterior, best: tuple[int, int]) -> dict[str, object]:
    """The safest cell: the best one if no other is safer; one without a flag, if there is any."""
    observation, safest = posterior.observation, posterior.safest
    hidden = [cell for cell in safest if observation.cells[cell] == HIDDEN]
    cell = best if best in safest else (hidden or safest)[0]
    return {"cell": list(cell), "p_mine": float(posterior.p_mine[cell])}


def _candidates(posterior: Posterior) -> list[dict[str, object]]:
    board = posterior.observation.topology
    p = posterior.p_mine.ravel()
    # No certain mine is a candidate.
    closed = np.flatnonzero(posterior.observation.closed.ravel() & (posterior.verdicts.ravel() != MINE))
    chosen = closed[np.argsort(p[closed], kind="stable")][:MAX_CANDIDATES]
    return [{"cell": list(board.cell(index)), "p_mine": float(p[index])} for index in chosen.tolist()]


def as_lists(cells: tuple[tuple[int, int], ...]) -> list[list[int]]:
    """Cells as JSON has them."""
    return [list(cell) for cell in cells]
