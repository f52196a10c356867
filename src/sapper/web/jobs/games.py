"""Jobs about whole games: agents to watch, reviews, and games that continue from a position of another.

Text and numbers in, plain values out. Continued games contain the mines, so only the server sees those results.
"""

from __future__ import annotations

import base64
import math
from time import perf_counter

import numpy as np

from sapper.agents.registry import make_agent
from sapper.errors import Forfeit, IllegalMove, InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, NO_CLUE, Observation
from sapper.play.dealt import start_game
from sapper.play.match import MatchStep, steps
from sapper.play.metrics import board_metrics
from sapper.play.reading import as_record, read
from sapper.play.record import Move, Record, describe_result, describe_stop
from sapper.play.review.review import review_record
from sapper.play.review.sentences import ReviewReport
from sapper.play.review.wins import appraise
from sapper.rules import Rules
from sapper.web.http.fields import check_table
from sapper.web.jobs.positions import BUDGET, as_lists, encode, read_position
from sapper.web.settings import MAX_COLS, MAX_GAME_CELLS, MAX_ROWS
from sapper.web.storage.live import check_moves
from sapper.web.storage.states import changed_cells, mined_cells
from sapper.words import name_size
from sapper.world.game import Game, Outcome

# Cells of all positions of a review, beyond which it lists only changes.
MAX_REVIEWED_CELLS = 4_000_000
# For the process that reads a binary replay: less than our own time limit.
SECONDS_TO_READ = 10.0
# Unfinished games that a worker keeps, so that they can be continued.
MAX_UNFINISHED = 8
# For replaying a part that was not kept; after that, the client must ask again.
SECONDS_TO_CATCH_UP = 12.0


# -- games of agents ------------------------------------------------------------------------------------------


class _Watched:
    """A game of an agent, so far."""

    def __init__(self, rules: Rules, seed: int, agent: str) -> None:
        self.name = str(rules), seed, agent
        self.game = start_game(rules, seed)
        self.start = str(self.game.observation)
        self.n_steps = self.n_moves = 0
        self.has_stopped = False  # with all mines found
        self.forfeit: str | None = None  # why a foreign agent does not go on
        self._steps = steps(self.game, make_agent(agent, seed), flags=True)

    def play(self) -> MatchStep | None:
        """Play one more step; return None if the agent forfeits the game."""
        try:
            step = next(self._steps)
        except Forfeit as forfeit:
            self.has_stopped, self.forfeit = True, forfeit.detail
            return None
        self.n_steps += 1
        self.n_moves += len(step.moves)
        self.has_stopped = step.decision.has_all and not any(move.action == "open" for move in step.moves)
        return step

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.has_stopped or self.game.outcome is not Outcome.PLAYING

    @property
    def result(self) -> str:
        """The result, as a phrase."""
        if self.forfeit is not None:
            return f"lost by forfeit: {self.forfeit.removesuffix('.')}"
        describe = describe_stop if self.has_stopped else describe_result
        return describe(self.game, self.n_moves)


# The oldest first. Visitors at different steps may each have a copy of the same game.
_unfinished: list[_Watched] = []


def _take(rules: Rules, seed: int, agent: str, since: int) -> _Watched:
    """Return the kept game that is nearest before a step, or a new one."""
    name = str(rules), seed, agent
    kept = [one for one in _unfinished if one.name == name and one.n_steps <= since]
    if not kept:
        return _Watched(rules, seed, agent)
    found = max(kept, key=lambda one: one.n_steps)
    _unfinished.remove(found)
    return found


def watch(rules_text: str, seed: int, agent: str, since: int = 0, seconds: int | None = None) -> dict[str, object]:
    """Return a game of an agent from a step on, to its end or for about ``seconds``.

    The same seed gives the same game, so a part that was not kept is replayed.
    """
    rules = Rules.parse(rules_text)
    if rules.n_cells > MAX_GAME_CELLS:
        raise InputError(f"Games to watch are for boards of at most {MAX_GAME_CELLS:,} cells.")
    watched = _take(rules, seed, agent, since)
    until = perf_counter() + SECONDS_TO_CATCH_UP
    while watched.n_steps < since and not watched.is_over and (seconds is None or perf_counter() < until):
        watched.play()
    played = []
    until = perf_counter() + (math.inf if seconds is None else seconds)
    while watched.n_steps >= since and not watched.is_over:
        step = watched.play()
        if step is not None:
            played.append(_plain_step(step))
        if perf_counter() >= until:
            break
    game, is_over = watched.game, watched.is_over
    if not is_over:
        _unfinished.append(watched)
        del _unfinished[: max(0, len(_unfinished) - MAX_UNFINISHED)]
    return {
        "rules": str(rules), "seed": seed, "agent": agent, "start": watched.start, "since": since, "steps": played,
        "over": is_over, "layout": mined_cells(game),
        "outcome": (Outcome.FINISHED if watched.has_stopped else game.outcome).value,
        "result": watched.result if is_over else None, "score": game.score if is_over else None,
    }  # fmt: skip


def _plain_step(step: MatchStep) -> dict[str, object]:
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
    """Return a layout that can be cleared from its first cell without a guess."""
    from importlib import import_module

    generate = import_module("sapper.play.noguess.generate").generate_no_guess
    rules = Rules.parse(rules_text)
    return str(generate(rules, seed, rules.topology.cell(first)))


def daily_layout(rules_text: str, seeds: list[int], first: int, least: int, most: int) -> dict[str, object]:
    """Return the first of the no-guess layouts of these seeds whose 3BV is within bounds, or else the nearest to them.

    >>> daily_layout("9x9/10 first-opening", [1, 2, 3], 40, 15, 24)["seed"]
    2
    """
    shape = Rules.parse(rules_text).shape
    found: list[tuple[int, int, str]] = []
    for seed in seeds:
        layout = no_guess_layout(rules_text, seed, first)
        bbbv = board_metrics(Layout.parse(layout, shape)).bbbv
        found.append((max(least - bbbv, bbbv - most, 0), seed, layout))
        if found[-1][0] == 0:
            break
    _, seed, layout = min(found, key=lambda one: one[0])
    return {"seed": seed, "layout": layout}


# -- finished games -------------------------------------------------------------------------------------------


def review(text: str, n_games: int = 0, suffix: str | None = None) -> dict[str, object]:
    """Review every move of a game; with rollouts, also what the risky ones did to the win chance."""
    record = read_game(text, suffix)
    reviewed = review_record(record, BUDGET)
    if n_games and record.rules.n_cells > MAX_GAME_CELLS:
        raise InputError(f"Win chances are estimated on boards of at most {MAX_GAME_CELLS:,} cells.")
    report = ReviewReport(appraise(reviewed, n_games=n_games, budget=BUDGET))
    is_short = record.rules.n_cells * len(record.moves) <= MAX_REVIEWED_CELLS
    final = record.final_game()
    return {
        "rules": str(record.rules),
        "seed": record.seed,
        "start": str(reviewed.start),
        "moves": [
            {
                **report.plain_move(number),
                "position_before": str(one.before) if is_short else None,
                "position_after": str(one.after) if is_short else None,
                "changed": changed_cells(one.before.cells, one.after.cells),
            }
            for number, one in enumerate(report.review.moves)
        ],
        # Without rollouts, do not mention that there were none.
        "summary": [line for line in report.summary if n_games or line not in report.wins],
        "games": report.appraisal.n_games,
        "wins_lost": report.appraisal.lost,
        "last_safe": report.review.last_safe,
        "mistakes": list(report.review.mistakes),
        "outcome": report.review.outcome.value,
        "result": report.review.result,
        "identified": final.n_identified,
        "layout": mined_cells(final),
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
    if rules.rows > MAX_ROWS or rules.cols > MAX_COLS:
        raise InputError(f"The record is of {name_size(rules.rows, rules.cols)}; the limit is {MAX_ROWS} x {MAX_COLS}.")
    return record


_OVER = "The game is over at this point, so it cannot be continued; go back to an earlier move."
_OPEN = "No cell is left to open here, so the game cannot be continued."


def after_moves(text: str, suffix: str | None, n_moves: int) -> dict[str, object]:
    """Return the game of a record after ``n_moves`` moves of its player, on the same layout.

    A board that is dealt during play has no fixed layout: the same rules, seed and moves deal the same mines, so it
    stays as fair, kind or cruel as it was.
    """
    record = read_game(text, suffix)
    if n_moves > record.n_own:
        raise InputError(f"The game has only {record.n_own:,} moves.")
    n_moves += record.n_given
    check_moves(record.rules, n_moves)
    layout = record.final_game().layout if record.rules.dealing == "laid" else None
    moves = record.moves[:n_moves]
    game = start_game(record.rules, record.seed, layout)
    for move in moves:
        move.play(game)
    if game.outcome is not Outcome.PLAYING:
        raise IllegalMove(_OVER)
    return _plain_game(record.rules, record.seed, layout, list(moves))


def from_position(text: str, seed: int) -> dict[str, object]:
    """Return a game that continues from a position, on a layout drawn from the posterior.

    >>> game = from_position("1#/## 1", 0)
    >>> game["rules"], game["moves"]
    ('2x2/1 first-any', [['open', 0, 0]])
    """
    observation = read_position(text)
    cells = observation.cells
    if observation.channel.kind != "exact" or (cells == NO_CLUE).any():
        raise InputError("Clues of this position may be missing or wrong, so it cannot be continued.")
    if observation.total is None:
        raise InputError("Enter the number of mines first: no layout can be drawn without it.")
    # Flags are opinions; a wrong one is not a contradiction.
    posterior = mine_probabilities(observation.without_flags(), budget=BUDGET)
    mines = posterior.sample(1, np.random.default_rng(seed))[0] | (cells == EXPLODED)
    layout = Layout(observation.topology, mines)
    board = observation.topology
    opened_mine = "explodes" if (cells == EXPLODED).any() else "ends"
    rules = Rules.on(board, layout.n_mines, first_click="any", opened_mine=opened_mine)
    return _plain_game(rules, seed, layout, _moves_to(observation, Game(rules, seed, layout)))


def _moves_to(observation: Observation, game: Game) -> list[Move]:
    """Return moves that lead to a position; a zero also opens its neighbours."""
    cells = observation.cells
    flags = [Move("flag", row, col) for row, col in np.argwhere(cells == FLAG).tolist()]
    # Zeros first, so that few moves are needed.
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


def _plain_game(rules: Rules, seed: int, layout: Layout | None, moves: list[Move]) -> dict[str, object]:
    return {
        "rules": str(rules),
        "seed": seed,
        "layout": None if layout is None else str(layout),
        "moves": [[move.action, move.row, move.col] for move in moves],
    }
