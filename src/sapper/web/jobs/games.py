"""Whole games that the processes of the server play or judge: texts and numbers in, plain values out.

Games that go on from a position of another: their rules, their layout, and the moves that lead there.

Only the server itself gets these answers: they contain the mines.
"""

from __future__ import annotations

import base64
import math
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from sapper.agents.registry import make_agent
from sapper.errors import IllegalMove, InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, NO_CLUE
from sapper.play.dealt import start_game
from sapper.play.match import steps
from sapper.play.reading import as_record, read
from sapper.play.record import Move, Record, describe_result, describe_stop
from sapper.play.review.review import review_record
from sapper.play.review.sentences import ReviewReport
from sapper.play.review.wins import appraise
from sapper.rules import Rules
from sapper.web.http.fields import check_table
from sapper.web.jobs.positions import BUDGET, as_lists, encode, read_position
from sapper.web.settings import MOST_COLS, MOST_GAME_CELLS, MOST_ROWS
from sapper.web.storage.live import check_moves
from sapper.web.storage.states import changed_cells, mined_cells
from sapper.words import name_size
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from sapper.observation import Observation
    from sapper.play.match import MatchStep


# Cells of all positions of a review together, beyond which they are told by what changed alone.
MOST_REVIEWED_CELLS = 4_000_000
# For the process that reads a binary replay: it ends before ours is given up.
SECONDS_TO_READ = 10.0
# Games that were told in part, kept by a process so that the rest need not begin anew.
MOST_UNDER_WAY = 8
# For playing a part again that nobody keeps; whoever needs longer is told nothing yet and asks again.
SECONDS_TO_CATCH_UP = 12.0


# -- games that nobody plays ----------------------------------------------------------------------------------


class _Watched:
    """A game of an agent, as far as it has been played."""

    def __init__(self, rules: Rules, seed: int, agent: str) -> None:
        self.name = str(rules), seed, agent
        self.game = start_game(rules, seed)
        self.start = str(self.game.observation)
        self.n_steps = self.n_moves = 0
        self.has_stopped = False  # with all mines found
        self._steps = steps(self.game, make_agent(agent, seed), flags=True)

    def play(self) -> MatchStep:
        """Let the agent make one more step."""
        step = next(self._steps)
        self.n_steps += 1
        self.n_moves += len(step.moves)
        self.has_stopped = step.decision.has_all and not any(move.action == "open" for move in step.moves)
        return step

    @property
    def is_over(self) -> bool:
        """Whether that was the last."""
        return self.has_stopped or self.game.outcome is not Outcome.PLAYING

    @property
    def result(self) -> str:
        """How it ended, in words."""
        describe = describe_stop if self.has_stopped else describe_result
        return describe(self.game, self.n_moves)


# The oldest first. There may be several of one name, for visitors who are at different steps of it.
_under_way: list[_Watched] = []


def _take(rules: Rules, seed: int, agent: str, since: int) -> _Watched:
    """The game that has come furthest towards a step, or a new one."""
    name = str(rules), seed, agent
    kept = [one for one in _under_way if one.name == name and one.n_steps <= since]
    if not kept:
        return _Watched(rules, seed, agent)
    found = max(kept, key=lambda one: one.n_steps)
    _under_way.remove(found)
    return found


def watch(rules_text: str, seed: int, agent: str, since: int = 0, seconds: int | None = None) -> dict[str, object]:
    """A game of an agent, from a step on; to its end, or as far as it comes in about so many seconds.

    The same seed gives the same game, so a part that nobody keeps any more is simply played again.
    """
    rules = Rules.parse(rules_text)
    if rules.n_cells > MOST_GAME_CELLS:
        raise InputError(f"Games to watch are for boards of at most {MOST_GAME_CELLS:,} cells.")
    watched = _take(rules, seed, agent, since)
    until = perf_counter() + SECONDS_TO_CATCH_UP
    while watched.n_steps < since and not watched.is_over and (seconds is None or perf_counter() < until):
        watched.play()
    told = []
    until = perf_counter() + (math.inf if seconds is None else seconds)
    while watched.n_steps >= since and not watched.is_over:
        told.append(_tell(watched.play()))
        if perf_counter() >= until:
            break
    game, is_over = watched.game, watched.is_over
    if not is_over:
        _under_way.append(watched)
        del _under_way[: max(0, len(_under_way) - MOST_UNDER_WAY)]
    return {
        "rules": str(rules), "seed": seed, "agent": agent, "start": watched.start, "since": since, "steps": told,
        "over": is_over, "layout": mined_cells(game),
        "outcome": (Outcome.FINISHED if watched.has_stopped else game.outcome).value,
        "result": watched.result if is_over else None, "score": game.score if is_over else None,
    }  # fmt: skip


def _tell(step: MatchStep) -> dict[str, object]:
    decision = step.decision
    return {
        "moves": [
            {"action": move.action, "row": move.row, "col": move.col, "reason": move.reason} for move in step.moves
        ],
        "reason": decision.reason,
        "p_mine": decision.p_mine,
        "deductions": [
            {
                "cell": list(found.cell), "is_mine": found.is_mine, "rule": found.rule,
                "clues": as_lists(found.clues), "reason": found.reason,
            }
            for found in decision.deductions
        ],
        "position_after": str(step.after),
    }  # fmt: skip


def no_guess_layout(rules_text: str, seed: int, first: int) -> str:
    """A layout that can be cleared from its first cell without a guess."""
    from importlib import import_module

    generate = import_module("sapper.play.noguess.generate").generate_no_guess
    rules = Rules.parse(rules_text)
    return str(generate(rules, seed, rules.topology.cell(first)))


# -- games that are over --------------------------------------------------------------------------------------


def review(text: str, n_games: int = 0, suffix: str | None = None) -> dict[str, object]:
    """Every move of a game judged; with games, what the risky ones did to the chance to win."""
    record = read_game(text, suffix)
    reviewed = review_record(record, BUDGET)
    if n_games and record.rules.n_cells > MOST_GAME_CELLS:
        raise InputError(f"Chances to win are estimated on boards of at most {MOST_GAME_CELLS:,} cells.")
    told = ReviewReport(appraise(reviewed, n_games=n_games, budget=BUDGET))
    is_short = record.rules.n_cells * len(record.moves) <= MOST_REVIEWED_CELLS
    return {
        "rules": str(record.rules),
        "seed": record.seed,
        "start": str(reviewed.start),
        "moves": [
            {
                **told.plain_move(number),
                "position_before": str(one.before) if is_short else None,
                "position_after": str(one.after) if is_short else None,
                "changed": changed_cells(one.before.cells, one.after.cells),
            }
            for number, one in enumerate(told.review.moves)
        ],
        # Whoever asked for no games need not be told that none were played.
        "summary": [line for line in told.summary if n_games or line not in told.wins],
        "games": told.appraisal.n_games,
        "wins_lost": told.appraisal.lost,
        "last_safe": told.review.last_safe,
        "mistakes": list(told.review.mistakes),
        "outcome": told.review.outcome.value,
        "result": told.review.result,
        "layout": mined_cells(record.final_game()),
    }


def read_game(text: str, suffix: str | None = None) -> Record:
    """Read a record or a RawVF replay, or with a suffix a binary replay in base64; of a board that is not too large."""
    if suffix is None:
        content = read(encode(text), format=None if text.startswith("Sapper-Record") else "rawvf")
    else:
        try:
            data = base64.b64decode(text, validate=True)
        except ValueError:
            raise InputError("The replay is not base64.") from None
        content = read(data, format=suffix.removeprefix("."), seconds=SECONDS_TO_READ)
    record = as_record(content)
    rules = record.rules
    check_table(rules.topology)
    if rules.rows > MOST_ROWS or rules.cols > MOST_COLS:
        raise InputError(
            f"The record is of {name_size(rules.rows, rules.cols)}; the limit is {MOST_ROWS} x {MOST_COLS}."
        )
    return record


_OVER = "The game is over at this point, so there is nothing to play on; go back to an earlier move."
_OPEN = "No cell is left to open here, so there is nothing to play on."


def after_moves(text: str, suffix: str | None, n_moves: int) -> dict[str, object]:
    """The game of a record after so many moves, on its own layout.

    A board that is dealt as the game goes on has none: same rules, same seed and same moves deal the same, so the game
    goes on as fair, kind or cruel as it was.
    """
    record = read_game(text, suffix)
    if n_moves > len(record.moves):
        raise InputError(f"The game has only {len(record.moves):,} moves.")
    check_moves(record.rules, n_moves)
    layout = record.final_game().layout if record.rules.dealing == "laid" else None
    moves = record.moves[:n_moves]
    game = start_game(record.rules, record.seed, layout)
    for move in moves:
        move.play(game)
    if game.outcome is not Outcome.PLAYING:
        raise IllegalMove(_OVER)
    return _tell_continued(record.rules, record.seed, layout, list(moves))


def from_position(text: str, seed: int) -> dict[str, object]:
    """A game from a position, on a layout that is drawn with exactly the chance that the clues give it.

    >>> told = from_position("1#/## 1", 0)
    >>> told["rules"], told["moves"]
    ('2x2/1 first-any', [['open', 0, 0]])
    """
    observation = read_position(text)
    cells = observation.cells
    if observation.channel.kind != "exact" or (cells == NO_CLUE).any():
        raise InputError("Clues of this position may be missing or wrong, so it cannot be played on.")
    if observation.total is None:
        raise InputError("Enter the number of mines first: without it no board can be dealt.")
    # Flags are opinions; a wrong one is no contradiction.
    posterior = mine_probabilities(observation.without_flags(), budget=BUDGET)
    mines = posterior.sample(1, np.random.default_rng(seed))[0] | (cells == EXPLODED)
    layout = Layout(observation.topology, mines)
    board = observation.topology
    opened_mine = "explodes" if (cells == EXPLODED).any() else "ends"
    rules = Rules.on(board, layout.n_mines, first_click="any", opened_mine=opened_mine)
    return _tell_continued(rules, seed, layout, _moves_to(observation, Game(rules, seed, layout)))


def _moves_to(observation: Observation, game: Game) -> list[Move]:
    """The moves that lead to a position; an open cell without mines around it opens its neighbours as well."""
    cells = observation.cells
    flags = [Move("flag", row, col) for row, col in np.argwhere(cells == FLAG).tolist()]
    # The cells with most behind them first, so that few moves are needed.
    is_open = (cells >= 0) | (cells == EXPLODED)
    opened = sorted(np.argwhere(is_open).tolist(), key=lambda cell: int(cells[cell[0], cell[1]]) != 0)
    moves: list[Move] = []
    for move in [*flags, *(Move("open", row, col) for row, col in opened)]:
        if move.action == "open" and not game.observation.closed[move.row, move.col]:
            continue
        if game.outcome is not Outcome.PLAYING:
            break
        move.play(game)
        moves.append(move)
    if game.outcome is not Outcome.PLAYING:
        raise IllegalMove(_OPEN)
    return moves


def _tell_continued(rules: Rules, seed: int, layout: Layout | None, moves: list[Move]) -> dict[str, object]:
    return {
        "rules": str(rules),
        "seed": seed,
        "layout": None if layout is None else str(layout),
        "moves": [[move.action, move.row, move.col] for move in moves],
    }
