"""Whole games that the processes of the server play or judge: texts and numbers in, plain values out."""

from __future__ import annotations

import base64
import math
from time import perf_counter
from typing import TYPE_CHECKING

from sapper.agents.registry import make_agent
from sapper.errors import InputError
from sapper.formats import FORMATS
from sapper.formats.videos import read_video
from sapper.play.fair.starting import start_game
from sapper.play.matches.match import steps
from sapper.play.matches.record import Record, describe_result, describe_stop, read_record
from sapper.play.matches.replays import record_of
from sapper.play.review.judging import review_record
from sapper.play.review.winning import appraise
from sapper.play.review.words import ToldReview
from sapper.rules import Rules
from sapper.web.games.states import changed_cells, mined_cells
from sapper.web.requests.reading import check_table
from sapper.web.settings import MOST_COLS, MOST_GAME_CELLS, MOST_ROWS
from sapper.web.work.positions import BUDGET, as_lists
from sapper.words import name_size
from sapper.world.game import Outcome

if TYPE_CHECKING:
    from sapper.play.matches.match import Step

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

    def play(self) -> Step:
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


def _tell(step: Step) -> dict[str, object]:
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

    generate = import_module("sapper.play.boards.noguess").generate_no_guess
    rules = Rules.parse(rules_text)
    return str(generate(rules, seed, rules.topology.cell(first)))


# -- games that are over --------------------------------------------------------------------------------------


def review(text: str, n_games: int = 0, suffix: str | None = None) -> dict[str, object]:
    """Every move of a game judged; with games, what the risky ones did to the chance to win."""
    record = read_game(text, suffix)
    reviewed = review_record(record, BUDGET)
    if n_games and record.rules.n_cells > MOST_GAME_CELLS:
        raise InputError(f"Chances to win are estimated on boards of at most {MOST_GAME_CELLS:,} cells.")
    told = ToldReview(appraise(reviewed, n_games=n_games, budget=BUDGET))
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
        "result": told.review.result,
        "layout": mined_cells(record.final_game()),
    }


def read_game(text: str, suffix: str | None = None) -> Record:
    """Read a record, or with a suffix a binary replay in base64; of a board that is not too large."""
    record = _read_record(text) if suffix is None else _read_video(text, suffix)
    rules = record.rules
    check_table(rules.topology)
    if rules.rows > MOST_ROWS or rules.cols > MOST_COLS:
        raise InputError(
            f"The record is of {name_size(rules.rows, rules.cols)}; the limit is {MOST_ROWS} x {MOST_COLS}."
        )
    return record


def _read_video(text: str, suffix: str) -> Record:
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise InputError("The replay is not base64.") from None
    return record_of(read_video(data, suffix, SECONDS_TO_READ))


def _read_record(text: str) -> Record:
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError("The record holds something that is not a character.") from None
    if text.startswith("Sapper-Record"):
        return read_record(data)
    return record_of(FORMATS["rawvf"].read(data))  # type: ignore[arg-type]
