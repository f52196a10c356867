"""Make puzzles and check answers in worker processes; `PuzzleCache` keeps recent puzzles.

The same link always gives the same puzzle. What `make` returns contains the solution and stays on the server; before
answering, a visitor sees only what `show` returns.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple, cast

from sapper.errors import GaveUp, InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.train import Kind, Learner, Name, Puzzle, Round, Way, check, of_position, read_board, read_link
from sapper.train.choosing import PuzzleChoice, choose
from sapper.train.course import lessons
from sapper.web.cache import LruDict
from sapper.web.http.fields import check_table
from sapper.web.http.responses import Refusal
from sapper.web.jobs.pool import WorkerPool
from sapper.web.jobs.positions import BUDGET, as_lists, chances, read_position
from sapper.web.settings import MAX_PUZZLE_CELLS

Values = dict[str, Any]

_SEEN = ("link", "kind", "board", "seed", "position", "task", "marked", "difficulty")


# -- making ---------------------------------------------------------------------------------------------------


def make(links: list[str]) -> list[Values]:
    """Make the puzzles of some links, with their solutions; a link that names none gives ``why_not``."""
    return [_make(link) for link in links]


def _make(link: str) -> Values:
    of_lesson = _lesson_puzzles().get(link)
    if of_lesson is not None:
        return of_lesson
    name = Name.parse(link)
    if name.seed is None:
        _check_position(Observation.parse(name.position))
    else:
        check_board(Rules.parse(name.board))
    try:
        return read_link(name).as_plain_values()
    except (GaveUp, InputError) as error:
        # Distinguish this from other failures, such as a position that is too hard.
        return {"link": link, "why_not": str(error)}


@cache
def _lesson_puzzles() -> dict[str, Values]:
    """Return the puzzles of the course by their links, as they are stored in its data."""
    return {puzzle.link: puzzle.as_plain_values() for lesson in lessons() for puzzle in lesson.puzzles}


def check_board(rules: Rules) -> str:
    """Return the board for puzzles with these rules; raise `InputError` if it is too large."""
    check_table(rules.topology)
    if rules.n_cells > MAX_PUZZLE_CELLS:
        raise InputError(
            f"A board of {rules.n_cells:,} cells is too large for puzzles; the limit is {MAX_PUZZLE_CELLS:,}."
        )
    return str(read_board(rules))


def make_given(position: str) -> Values:
    """Make the puzzle of a position: about what is certain, or else a guess; if neither, name the kind that fits."""
    given = read_position(position)
    _check_position(given)
    try:
        return {"kind": None, "puzzle": of_position(given).as_plain_values()}
    except InputError:
        with suppress(InputError):
            return {"kind": None, "puzzle": of_position(given, "guess").as_plain_values()}
    return {"kind": "guess", "puzzle": None}


def _check_position(given: Observation) -> None:
    check_table(given.topology)
    if given.topology.n_cells > MAX_PUZZLE_CELLS:
        raise InputError(
            f"The position has {given.topology.n_cells:,} cells; puzzles have at most {MAX_PUZZLE_CELLS:,}."
        )
    # Refuse a position that is too hard before trying to prove anything.
    mine_probabilities(given.without_flags(), budget=BUDGET)


# -- choosing -------------------------------------------------------------------------------------------------


class PuzzleRequest(NamedTuple):
    """What a visitor wants to train."""

    way: Way
    kinds: tuple[Kind, ...]  # the usual ones if empty
    board: str
    began: float  # start of the round; 0 outside rounds
    seed: int  # different for each visitor

    def choose(self, learner: Learner, now: float) -> PuzzleChoice:
        """Choose candidates for the next puzzle."""
        within = round_of(learner, self.way, self.began)
        return choose(learner, now, kinds=self.kinds, board=self.board, seed=self.seed, within=within)


def round_of(learner: Learner, way: Way, began: float) -> Round | None:
    """Return the state of a round; None outside rounds."""
    return learner.rounds.get((way, began), Round(way, began)) if began else None


# -- answering ------------------------------------------------------------------------------------------------


def show(made: Values) -> Values:
    """Return what a visitor may see of a puzzle before answering."""
    # Of what the task says, all that the other fields do not.
    proven = made["proof"]["verdict"] if made["kind"] == "chain" else None
    return {name: made[name] for name in _SEEN} | {"answer_with": _answer_with(made), "proven": proven}


def _answer_with(made: Values) -> str:
    if made["number"] is not None:
        return "number"
    if made["kind"] == "chain":
        return "clue"
    if made["kind"] == "guess":
        return "open"
    return "open" if made["proof"]["verdict"] == "safe" else "flag"


def hint(made: Values) -> Values:
    """Say where to look, without the answer."""
    return {"hint": Puzzle.from_plain_values(made).hint}


def judge(made: Values, answer: list[int] | int | None) -> Values:
    """Return the verdict on an answer, with the solution; no answer counts as wrong."""
    told: Values = {
        "right": False, "score": 0.0, "said": [], "proof": made["proof"], "layouts": None,
        "solution": made["solution"], "number": made["number"], "answer": made["answer"], "reason": made["reason"],
    }  # fmt: skip
    if answer is not None:
        verdict = check(Puzzle.from_plain_values(made), answer if isinstance(answer, int) else (answer[0], answer[1]))
        told |= verdict.as_plain_values()
        told["proof"] = told["proof"] or made["proof"]
        if verdict.layouts is not None:
            told["layouts"] = [as_lists(tuple(layout.mined_cells())) for layout in verdict.layouts]
    return told | {"guess": _weigh(made, answer) if made["chances"] else None}


def _weigh(made: Values, answer: object) -> Values:
    """Return the risk and win chance of the chosen cell and of every other, best first."""
    position = made["position"]
    p_mine = mine_probabilities(Observation.parse(position)).p_mine
    cells = [
        {"cell": one["cell"], "risk": float(p_mine[tuple(one["cell"])]), "p_win": one["p_win"]}
        for one in made["chances"]
    ]
    own = next((one for one in cells if one["cell"] == answer), None)
    return {"own": own, "best": cells[0], "cells": cells, "chances": chances(position, False)}


MAX_KEPT = 2_000  # a few kilobytes each, about twenty on large custom boards; others are made again


class NoPuzzle(Refusal):
    """Raised if a link names no puzzle: its board or position has none of the kind."""


class PuzzleCache:
    """Caches puzzles by their links. For the event loop; the workers of a `WorkerPool` make them."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._kept: LruDict[str, Values] = LruDict(MAX_KEPT)

    async def find(self, owner: str, link: str) -> Values:
        """Return the puzzle of a link."""
        return (await self.find_all(owner, [link]))[0]

    async def find_all(self, owner: str, links: list[str]) -> list[Values]:
        """Return the puzzles of some links, making those that are not cached; raise `NoPuzzle`."""
        there = {link: kept for link in links if (kept := self._kept.get(link)) is not None}
        missing = [link for link in links if link not in there]
        if missing:
            made = cast("list[Values]", (await self._pool.run(owner, make, missing)).value())
            why_not = next((one["why_not"] for one in made if "why_not" in one), None)
            if why_not is not None:
                raise NoPuzzle(422, why_not)
            there |= zip(missing, made, strict=True)
            self.keep(made)
        return [there[link] for link in links]

    def keep(self, made: Iterable[Values]) -> None:
        """Cache puzzles for later requests."""
        for one in made:
            self._kept.put(one["link"], one)
