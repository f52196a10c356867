"""A puzzle (position, task, every right answer and why) and the verdict on an answer.

A lucky guess is wrong: two layouts that fit every clue show why. Puzzles, verdicts and proofs can be written as plain
values for JSON and read back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from sapper.errors import InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import Explanation, explain
from sapper.inference.proofs.sentences import ProofStep
from sapper.layout import Layout
from sapper.notebook import draw
from sapper.observation import FLAG, SYMBOLS, Observation
from sapper.topology import Cell
from sapper.train.kinds import LEVELS, Kind, Name, read_kind
from sapper.words import count_mines, join_words, name_cells, percent


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Turn every error in reading plain values into `InputError`."""
    try:
        yield
    except KeyError as error:
        raise InputError(f"This is not {what}: it has no {error.args[0]!r}.") from None
    except (AttributeError, TypeError, ValueError, OverflowError):
        raise InputError(f"This is not {what}: some of its values are of the wrong kind.") from None


def read_cell(position: Observation, values: Any) -> Cell:
    """Read a cell of this position from [row, col]."""
    row, col = values
    if type(row) is not int or type(col) is not int:
        raise TypeError
    position.topology.number((row, col))
    return row, col


def read_cells(position: Observation, values: Any) -> tuple[Cell, ...]:
    """Read several cells."""
    return tuple(read_cell(position, one) for one in values)


def read_proof(position: Observation, values: Mapping[str, Any]) -> Explanation:
    """Read the proof of a certain cell; puzzles never have proofs with a risk."""
    return Explanation(
        position,
        read_cell(position, values["cell"]),
        str(values["verdict"]),
        float(values["p_mine"]),
        values["kind"],
        read_cells(position, values["clues"]),
        bool(values["total"]),
        bool(values["smallest"]),
        tuple(_read_step(position, one) for one in values["steps"]),
    )


def _read_step(position: Observation, values: Mapping[str, Any]) -> ProofStep:
    return ProofStep(
        str(values["sentence"]),
        str(values["rule"]),
        read_cells(position, values["cells"]),
        int(values["fewest"]),
        int(values["most"]),
        read_cells(position, values["clues"]),
        bool(values["total"]),
        tuple(int(number) for number in values["after"]),
        int(values["depth"]),
    )


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with a task. Flags are on mines that easier reasoning proves, so they are right."""

    kind: Kind
    rules: str  # of the board that it comes from
    seed: int | None  # None if made from a given position
    position: Observation = field(repr=False)
    task: str  # what to do, in a sentence
    solution: tuple[Cell, ...]  # every right cell; empty if the answer is a number
    difficulty: int  # on the rating scale: 600 is easy, 2000 is hard
    proof: Explanation | None = field(default=None, repr=False)  # for the easiest cell
    marked: tuple[Cell, ...] = ()  # the area or cell that the task is about
    number: int | None = None  # the answer, if it is a number
    reason: str = field(default="", repr=False)  # an explanation in words, where there is no proof
    chances: tuple[tuple[Cell, float], ...] = field(default=(), repr=False)  # win chances of a guess, best first

    def __str__(self) -> str:
        about = f"\nMarked: {join_words([str(cell) for cell in self.marked])}." if self.marked else ""
        return f"{self.position.pretty()}{about}\n{self.task}"

    @property
    def answer(self) -> str:
        """Return every right answer, in a sentence."""
        if self.number is not None:
            return f"{count_mines(self.number).capitalize()}."
        cells = join_words([str(cell) for cell in self.solution])
        if self.kind in ("guess", "chain"):
            return f"{cells}." if len(self.solution) == 1 else f"Any of these: {cells}."
        if len(self.solution) == 1:
            return f"{cells} is {'safe' if self.opens else 'a mine'}."
        return f"{cells} are {'safe' if self.opens else 'mines'}."

    @property
    def opens(self) -> bool:
        """Return whether the task asks for a safe cell rather than a mine, a clue or a number."""
        return self.kind in LEVELS and self.proof is not None and self.proof.verdict == "safe"

    @property
    def link(self) -> str:
        """Return a short name for URLs and messages; `read_link` makes the puzzle from it."""
        return str(Name.of(self.kind, self.rules, self.seed, self.position))

    @property
    def hint(self) -> str:
        """Say where to look, without the answer."""
        if self.chances:
            are = "is" if len(self.solution) == 1 else "are"
            best = f"{len(self.solution)} of the {len(self.chances)} cells {are} best"
            return f"{best}, not always including the safest cell."
        if self.proof is None:
            return "Find a clue whose cells all belong to the clues beside it too, and subtract its mines from theirs."
        clues = [f"the {SYMBOLS[int(self.position.cells[clue])]} at {clue}" for clue in self.proof.clues]
        if self.proof.total:
            clues.append(f"the total of {count_mines(self.position.total or 0)}")
        return f"Look at {join_words(clues)}."

    @property
    def explanation(self) -> tuple[str, ...]:
        """Return sentences that explain the answer: the proof, or a reason in place of one."""
        if self.chances:
            best, worst = self.chances[0], self.chances[-1]
            compared = (
                f"{best[0]} wins {percent(best[1], certain=False, places=1)} of the time, and no cell is better.",
                f"{worst[0]} wins only {percent(worst[1], certain=False, places=1)} of the time.",
            )
            return (*compared, self.reason) if self.reason else compared
        steps = () if self.proof is None else (*self.proof.summary, *(step.sentence for step in self.proof.steps))
        return (self.reason, *steps) if self.reason else steps

    def as_plain_values(self) -> dict[str, Any]:
        """Return plain values for JSON, including the answer in words; `from_plain_values` reads them."""
        return {
            "kind": self.kind,
            "board": self.rules,
            "seed": self.seed,
            "link": self.link,
            "position": str(self.position),
            "task": self.task,
            "marked": [list(cell) for cell in self.marked],
            "difficulty": self.difficulty,
            "solution": [list(cell) for cell in self.solution],
            "number": self.number,
            "answer": self.answer,
            "explanation": list(self.explanation),
            "reason": self.reason,
            "chances": [{"cell": list(cell), "p_win": p_win} for cell, p_win in self.chances],
            "proof": None if self.proof is None else self.proof.as_plain_values(),
        }

    @classmethod
    def from_plain_values(cls, values: Mapping[str, Any]) -> Puzzle:
        """Read a puzzle from plain values; raise `InputError` if they are not one.

        >>> from sapper.train import puzzle
        >>> made = puzzle("pairs", 7)
        >>> Puzzle.from_plain_values(made.as_plain_values()) == made
        True
        """
        with reading("a puzzle"):
            position = Observation.parse(values["position"])
            return cls(
                read_kind(values["kind"]),
                str(values["board"]),
                None if values["seed"] is None else int(values["seed"]),
                position,
                str(values["task"]),
                read_cells(position, values["solution"]),
                int(values["difficulty"]),
                None if values["proof"] is None else read_proof(position, values["proof"]),
                read_cells(position, values["marked"]),
                None if values["number"] is None else int(values["number"]),
                str(values["reason"]),
                tuple((read_cell(position, one["cell"]), float(one["p_win"])) for one in values["chances"]),
            )

    def _repr_svg_(self) -> str | None:
        board = self.position.topology
        return draw(board, "draw_svg", self.position, [board.index(*cell) for cell in self.marked])

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.explanation)
        return (
            f"{self._repr_svg_() or ''}<p>{escape(self.task)}</p>"
            f"<details><summary>Solution</summary><p>{escape(self.answer)}</p><ul>{items}</ul></details>"
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The score of an answer, and why."""

    is_right: bool
    score: float  # from 0 to 1; between them for a guess that is nearly the best
    said: tuple[str, ...]  # sentences
    proof: Explanation | None = field(default=None, repr=False)
    layouts: tuple[Layout, Layout] | None = field(default=None, repr=False)  # with and without a mine at a wrong cell

    def __str__(self) -> str:
        return " ".join(self.said)

    def as_plain_values(self) -> dict[str, Any]:
        """Return plain values for JSON; `from_plain_values` reads them, given the puzzle."""
        return {
            "right": self.is_right,
            "score": self.score,
            "said": list(self.said),
            "proof": None if self.proof is None else self.proof.as_plain_values(),
            "layouts": None if self.layouts is None else [str(layout) for layout in self.layouts],
        }

    @classmethod
    def from_plain_values(cls, puzzle: Puzzle, values: Mapping[str, Any]) -> Verdict:
        """Read a verdict on an answer to this puzzle; raise `InputError` if the values are not one."""
        with reading("a verdict"):
            layouts = values["layouts"]
            if layouts is not None:
                one, other = (Layout.parse(text, puzzle.position.topology) for text in layouts)
            return cls(
                bool(values["right"]),
                float(values["score"]),
                tuple(str(sentence) for sentence in values["said"]),
                None if values["proof"] is None else read_proof(puzzle.position, values["proof"]),
                None if layouts is None else (one, other),
            )

    def _repr_html_(self) -> str:
        parts = [f"<p>{escape(str(self))}</p>"]
        if self.layouts is not None:
            for name, layout in zip(("With a mine there", "Without"), self.layouts, strict=True):
                shown = f"{layout._repr_svg_() or ''}<figcaption>{name}</figcaption>"
                parts.append(f'<figure style="display:inline-block">{shown}</figure>')
        if self.proof is not None:
            parts.append(self.proof._repr_html_())
        return "".join(parts)


# Blind guesses keep three quarters of the best win chance on average, so losing a tenth of it or more scores nothing.
_COST = 10
_MAX_DRAWN = 32  # layouts sampled with and without the mine, to find two that are alike


def check(puzzle: Puzzle, answer: Cell | int) -> Verdict:
    """Judge an answer: a cell as (row, col), or a number where one is asked for."""
    if puzzle.number is not None:
        if not isinstance(answer, int) or isinstance(answer, bool):
            raise InputError("The answer must be a number of mines.")
        right = answer == puzzle.number
        assert puzzle.number is not None
        said = "Right." if right else f"There {'is' if puzzle.number == 1 else 'are'} {count_mines(puzzle.number)}."
        return Verdict(right, float(right), (said, puzzle.reason))
    if isinstance(answer, int):
        raise InputError("The answer must be a cell, as (row, col).")
    puzzle.position.topology.number(answer)
    if puzzle.kind == "chain":
        return _check_clue(puzzle, answer)
    if not puzzle.position.closed[answer] or puzzle.position.cells[answer] == FLAG:
        raise InputError(f"{answer} is not hidden; the answer must be a hidden cell without a flag.")
    return _check_guess(puzzle, answer) if puzzle.kind == "guess" else _check_certain(puzzle, answer)


def two_layouts(position: Observation, cell: Cell) -> tuple[Layout, Layout]:
    """Return two layouts that fit every clue, one with a mine at an undecided cell and one without.

    They are the most similar pair of a sample, so that the eye finds where they differ.
    """
    rng = np.random.default_rng(0)
    given = position.with_flags_as_mines()
    board = given.topology
    drawn = []
    number = board.number(cell)
    for assumed in (given.assuming(mines=[number]), given.assuming(safe=[number])):
        posterior = mine_probabilities(assumed)
        drawn.append(posterior.sample(_MAX_DRAWN, rng).reshape(_MAX_DRAWN, board.n_cells))
    shows_clue = np.append(given.cells.ravel() >= 0, False)  # the last entry is for -1 in the table: no neighbour
    near = shows_clue[board.table].any(axis=1)
    apart = (drawn[0][:, None, near] != drawn[1][None, :, near]).sum(axis=2)
    one, other = divmod(int(apart.argmin()), _MAX_DRAWN)
    with_mine, without = drawn[0][one], drawn[1][other].copy()
    # Away from every clue only the number of mines matters, so place them as in the other layout.
    far = given.closed.ravel() & ~near
    far[number] = False
    order = np.flatnonzero(far)[np.argsort(~with_mine[far], kind="stable")]
    n_far = int(without[far].sum())
    without[far] = False
    without[order[:n_far]] = True
    return Layout(board, with_mine), Layout(board, without)


def _check_certain(puzzle: Puzzle, cell: Cell) -> Verdict:
    wanted = "safe" if puzzle.opens else "a mine"
    if cell in puzzle.solution:
        proof = puzzle.proof if puzzle.proof is not None and puzzle.proof.cell == cell else None
        return Verdict(True, 1.0, (f"{cell} is certainly {wanted}.",), proof or _explain(puzzle, cell))
    explained = _explain(puzzle, cell)
    if explained.risk is None:
        is_what, asked = ("a mine", "a safe cell") if explained.verdict == "mine" else ("safe", "a mine")
        said = (f"{cell} is certainly {is_what}, but the task is to find {asked}.", _right_ones(puzzle))
        return Verdict(False, 0.0, said, explained)
    chance = percent(explained.p_mine, certain=False, places=1)
    said = (f"{cell} is uncertain: it has a {chance} chance of being a mine.", _right_ones(puzzle))
    return Verdict(False, 0.0, said, puzzle.proof, two_layouts(puzzle.position, cell))


def _explain(puzzle: Puzzle, cell: Cell) -> Explanation:
    return explain(puzzle.position, *cell, trust_flags=True)


def _check_guess(puzzle: Puzzle, cell: Cell) -> Verdict:
    chances = dict(puzzle.chances)
    best, own = puzzle.chances[0][1], chances.get(cell, 0.0)
    risk = float(mine_probabilities(puzzle.position).p_mine[cell])
    said = [
        f"{cell} has a {percent(risk, certain=False, places=1)} chance of being a mine and wins "
        f"{percent(own, certain=False, places=1)} of the time."
    ]
    if own == best:
        said.append("No cell is better.")
    else:
        are = "is" if len(puzzle.solution) == 1 else "are"
        said.append(f"{name_cells(puzzle.solution)} {are} best, with {percent(best, certain=False, places=1)}.")
    if puzzle.reason:
        said.append(puzzle.reason)
    return Verdict(own == best, max(1 - _COST * (1 - own / best), 0.0), tuple(said))


def _check_clue(puzzle: Puzzle, clue: Cell) -> Verdict:
    if puzzle.position.cells[clue] < 0:
        raise InputError(f"{clue} shows no clue; the answer must be an open cell with a number.")
    cell = puzzle.marked[0]
    if clue in puzzle.solution:
        return Verdict(True, 1.0, (f"Without the clue at {clue}, {cell} would not be certain.",), puzzle.proof)
    said = (f"{cell} would be certain even without the clue at {clue}.", puzzle.reason)
    return Verdict(False, 0.0, said, puzzle.proof)


def _right_ones(puzzle: Puzzle) -> str:
    is_one = len(puzzle.solution) == 1
    are_what = "safe" if puzzle.opens else "a mine" if is_one else "mines"
    return f"{name_cells(puzzle.solution)} {'is' if is_one else 'are'} certainly {are_what}."
