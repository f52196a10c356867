"""Puzzles to train with: made, and answers judged, by the processes of the server.

A link names a puzzle, so whoever has it gets the same one. What `make` returns contains the solution: it stays on the
server, and a visitor sees what `show` leaves of it until the answer is given.

Puzzles that were made lately, with their solutions: those that somebody thinks about, and those that may follow.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from sapper.errors import GaveUp, InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.train import Name, Puzzle, Round, check, of_position, read_board, read_link
from sapper.train.choosing import choose
from sapper.train.course import lessons
from sapper.web.cache import LruDict
from sapper.web.http.fields import check_table
from sapper.web.http.responses import Refusal
from sapper.web.jobs.positions import BUDGET, as_lists, chances, read_position
from sapper.web.settings import MAX_PUZZLE_CELLS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.train import Kind, Learner, Way
    from sapper.train.choosing import Choice
    from sapper.web.jobs.pool import WorkerPool


Values = dict[str, Any]

_SEEN = ("link", "kind", "board", "seed", "position", "task", "marked", "difficulty")


# -- making ---------------------------------------------------------------------------------------------------


def make(links: list[str]) -> list[Values]:
    """The puzzles of some links, with their solutions; ``why_not`` for a link that names none."""
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
        # Said apart from all else that can be wrong, such as a position that is too hard.
        return {"link": link, "why_not": str(error)}


@cache
def _lesson_puzzles() -> dict[str, Values]:
    """The puzzles of the course by their links: they are what they were when the lesson was written."""
    return {puzzle.link: puzzle.as_plain_values() for lesson in lessons() for puzzle in lesson.puzzles}


def check_board(rules: Rules) -> str:
    """The board that puzzles of these rules come from; raises `InputError` if it is too large."""
    check_table(rules.topology)
    if rules.n_cells > MAX_PUZZLE_CELLS:
        raise InputError(
            f"A board of {rules.n_cells:,} cells is too large for puzzles; the limit is {MAX_PUZZLE_CELLS:,}."
        )
    return str(read_board(rules))


def make_given(position: str) -> Values:
    """The puzzle of a position: what is certain there, or else the best guess; or only the kind that would fit."""
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
    # What is too hard for us is found out before anybody begins to prove it.
    mine_probabilities(given.without_flags(), budget=BUDGET)


# -- choosing -------------------------------------------------------------------------------------------------


class Wish(NamedTuple):
    """What a visitor wants to train: a way, kinds of puzzles (the usual ones if none), a board, when a round began."""

    way: Way
    kinds: tuple[Kind, ...]
    board: str
    began: float
    seed: int  # the visitor's own

    def choose(self, learner: Learner, now: float) -> Choice:
        """Which puzzles may come next."""
        within = round_of(learner, self.way, self.began)
        return choose(learner, now, kinds=self.kinds, board=self.board, seed=self.seed, within=within)


def round_of(learner: Learner, way: Way, began: float) -> Round | None:
    """How a round stands; None outside rounds."""
    return learner.rounds.get((way, began), Round(way, began)) if began else None


# -- answering ------------------------------------------------------------------------------------------------


def show(made: Values) -> Values:
    """What a visitor may see of a puzzle before it is answered."""
    return {name: made[name] for name in _SEEN} | {"answer_with": _answer_with(made)}


def _answer_with(made: Values) -> str:
    if made["number"] is not None:
        return "number"
    if made["kind"] == "chain":
        return "clue"
    if made["kind"] == "guess":
        return "open"
    return "open" if made["proof"]["verdict"] == "safe" else "flag"


def hint(made: Values) -> Values:
    """Where to look, without the answer."""
    return {"hint": Puzzle.from_plain_values(made).hint}


def judge(made: Values, answer: list[int] | int | None) -> Values:
    """The verdict on an answer, with everything that was held back; no answer is a wrong one."""
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
    """What a guess is worth: the risk and the chance to win of every cell that can be chosen, the best first."""
    position = made["position"]
    p_mine = mine_probabilities(Observation.parse(position)).p_mine
    cells = [
        {"cell": one["cell"], "risk": float(p_mine[tuple(one["cell"])]), "p_win": one["p_win"]}
        for one in made["chances"]
    ]
    own = next((one for one in cells if one["cell"] == answer), None)
    return {"own": own, "best": cells[0], "cells": cells, "chances": chances(position, False)}


MOST_KEPT = 2_000  # some kilobytes each, some twenty on large boards of one's own; others are made again


class NoPuzzle(Refusal):
    """A link that names no puzzle: its board or its position has none of the kind."""


class PuzzleCache:
    """Puzzles by their links. For the event loop; `WorkerPool` does the work."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._kept: LruDict[str, Values] = LruDict(MOST_KEPT)

    async def find(self, owner: str, link: str) -> Values:
        """The puzzle of a link."""
        return (await self.find_all(owner, [link]))[0]

    async def find_all(self, owner: str, links: list[str]) -> list[Values]:
        """The puzzles of some links; at once if all are there, else they are made now. Raises `NoPuzzle`."""
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
