"""What an assistant may ask: text and numbers in, short JSON or sentences out; errors are `SapperError`.

Every tool gets the whole position and remembers nothing, except `RunningGames`, which keeps the mines of running games
to itself.

>>> analyse("01#/02#/02# 2")
'{"safe": [[0, 2]], "mines": [[1, 2], [2, 2]], "undecided": 0}'
>>> judge_guess("1#11#/1#11# 2", 0, 1)
'{"verdict": "nothing-safe", "forced": true, "p_mine": 0.5}'
"""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from threading import Lock

import numpy as np

from sapper.agents.best import best_cell
from sapper.errors import Contradiction, InputError
from sapper.inference.forced import judge_guess as judge
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain as explain_cell
from sapper.observation import Observation
from sapper.play.dealt import start_game
from sapper.play.noguess.generate import generate_no_guess
from sapper.play.record import read_record
from sapper.play.review.review import review_record
from sapper.play.review.sentences import ReviewReport
from sapper.play.review.wins import appraise
from sapper.rules import Rules
from sapper.text import parse_move
from sapper.world.game import Game, Outcome
from sapper.world.generation import MAX_SEED, generate_layout

_MAX_CELLS = 2500
_MAX_GAMES = 1000  # that are kept; the one that was idle longest makes room
_MAX_LISTED = 40  # cells in an answer
_MAX_SECONDS = 10.0  # that the best move may be sought for
_MAX_RECORD = 200_000  # characters


def _read(position: str) -> Observation:
    seen = Observation.parse(position)
    _check_size(seen.topology.n_cells)
    return seen


def _check_size(n_cells: int) -> None:
    if n_cells > _MAX_CELLS:
        raise InputError(f"The board has {n_cells:,} cells; the limit is {_MAX_CELLS:,}.")


def validate(position: str) -> str:
    """Check whether any layout of mines fits a position, and say which clues disagree if none does."""
    seen = _read(position)
    try:
        found = mine_probabilities(seen)
    except Contradiction as error:
        return json.dumps({"valid": False, "why": str(error)})
    log10 = round(found.log_weight / np.log(10), 2)
    return json.dumps({"valid": True, "hidden": int(seen.closed.sum()), "log10_layouts": log10})


def analyse(position: str) -> str:
    """List the cells that are certainly safe, the certain mines, and the undecided cells of least mine probability."""
    seen = _read(position)
    found = mine_probabilities(seen)
    answer: dict[str, object] = {}
    for name, cells in (("safe", found.safe), ("mines", found.mines)):
        answer[name] = [list(cell) for cell in cells[:_MAX_LISTED]]
        if len(cells) > _MAX_LISTED:
            answer[f"{name}_not_listed"] = len(cells) - _MAX_LISTED
    n_undecided = int(seen.closed.sum()) - len(found.safe) - len(found.mines)
    answer["undecided"] = n_undecided
    if n_undecided:
        undecided = [(found.p_mine[cell], cell) for cell in map(tuple, np.argwhere(seen.closed).tolist())]
        ranked = sorted((p, cell) for p, cell in undecided if cell not in {*found.safe, *found.mines})
        answer["least_risk"] = [[*cell, round(float(p), 6)] for p, cell in ranked[:8]]
    return json.dumps(answer)


def explain(position: str, row: int, col: int) -> str:
    """Prove step by step that a hidden cell is safe or a mine, or say how risky it is and why."""
    return str(explain_cell(_read(position), row, col))


def best_move(position: str, seconds: float = 1.0) -> str:
    """Name the cell to open with the highest chance to win, the alternatives, and reasons; takes about ``seconds``."""
    if not 0.0 <= seconds <= _MAX_SECONDS:
        raise InputError(f"seconds must be between 0 and {_MAX_SECONDS:g}, not {seconds:g}.")
    found = best_cell(_read(position), seconds=seconds)
    candidates = [
        {
            "cell": list(one.cell),
            "risk": round(one.risk, 6),
            "p_win": one.p_win and round(one.p_win, 4),
            "why": one.reason,
        }
        for one in found.candidates[:5]
    ]
    return json.dumps({"open": list(found.cell), "certain": found.certain, "candidates": candidates})


def judge_guess(position: str, row: int, col: int) -> str:
    """Say whether opening a cell is safe, a forced guess that no safe opening can avoid, or an unforced guess."""
    seen = _read(position)
    found = judge(seen, (row, col))
    p_mine = round(float(mine_probabilities(seen.without_flags()).p_mine[row, col]), 6)
    answer = {"verdict": found.verdict, "forced": found.is_forced, "p_mine": p_mine}
    return json.dumps(answer | ({"cells": [list(cell) for cell in found.cells]} if found.cells else {}))


def review(record: str) -> str:
    """Review a finished game, the text of a Sapper record: mistakes, extra risk and bad luck, move by move."""
    if len(record) > _MAX_RECORD:
        raise InputError(f"The record has {len(record):,} characters; the limit is {_MAX_RECORD:,}.")
    loaded = read_record(record.encode())
    _check_size(loaded.rules.n_cells)
    told = ReviewReport(appraise(review_record(loaded), n_games=0))
    notable = [number for number in range(len(told.review.moves)) if told.is_notable(number)]
    moves = [f"Move {number + 1}: {' '.join(told.describe_move(number))}" for number in notable[:_MAX_LISTED]]
    return "\n".join([f"{told.title}.", *told.summary, *moves])


def generate(board: str = "beginner", seed: int = 0, no_guess: bool = False) -> str:
    """Generate a layout: * is a mine, - is not; with no_guess one that reasoning alone clears from the first cell."""
    rules = Rules.parse(board)
    _check_size(rules.n_cells)
    first = rules.rows // 2, rules.cols // 2
    layout = generate_no_guess(rules, seed, first) if no_guess else generate_layout(rules, seed, first)
    return json.dumps({"layout": str(layout), "first": list(first), "rules": str(rules)})


class RunningGames:
    """Running games by id. Their mines and seeds are never told before the end."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._lock = Lock()

    def play(self, game: str = "", move: str = "", board: str = "beginner") -> str:
        """Start a game on a board (leave game empty), or make a move in it such as open (3, 4) or flag (0, 2)."""
        with self._lock:
            played = self._games.get(game) if game else self._start(board)
            if played is None:
                raise InputError(f"There is no game {game[:40]!r}; leave game empty to start one.")
            if move:
                asked = parse_move(move, played.observation)
                (played.open if asked.verb == "open" else played.flag)(*asked.cell)
            game = game or secrets.token_hex(8)
            self._games[game] = played
            self._games.move_to_end(game)
            if len(self._games) > _MAX_GAMES:
                self._games.popitem(last=False)
            answer: dict[str, object] = {
                "game": game, "position": str(played.observation), "outcome": played.outcome.value,
            }  # fmt: skip
            if played.outcome is not Outcome.PLAYING and played.layout is not None:
                answer["layout"] = str(played.layout)
            return json.dumps(answer)

    @staticmethod
    def _start(board: str) -> Game:
        rules = Rules.parse(board)
        _check_size(rules.n_cells)
        return start_game(rules, secrets.randbelow(MAX_SEED))


TOOLS = (validate, analyse, explain, best_move, judge_guess, review, generate)
