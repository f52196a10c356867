"""A puzzle: a position, a task, every right answer, and why it is right; and the verdict on an answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from sapper.layout import Layout
from sapper.observation import SYMBOLS, Observation
from sapper.showing import draw
from sapper.train.levels import LEVELS
from sapper.train.names import Kind, Name, read_kind
from sapper.train.plain import read_cell, read_cells, read_proof, reading
from sapper.words import count_mines, join_words, percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sapper.inference.proofs.explain import Explanation
    from sapper.topology import Cell


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with a task. Flags stand on mines that easier reasoning proves; they are right."""

    kind: Kind
    rules: str  # the board it comes from
    seed: int | None  # None if somebody gave the position
    position: Observation = field(repr=False)
    task: str  # what to do, in a sentence
    solution: tuple[Cell, ...]  # every cell that is a right answer; empty where a number is asked for
    difficulty: int  # on the scale of ratings: 600 is easy, 2000 is hard
    proof: Explanation | None = field(default=None, repr=False)  # of the easiest cell
    marked: tuple[Cell, ...] = ()  # what the task is about: an area, or the cell to settle
    number: int | None = None  # the answer where a number is asked for
    reason: str = field(default="", repr=False)  # why, where there is no proof
    chances: tuple[tuple[Cell, float], ...] = field(default=(), repr=False)  # of a guess: to win, by cell, best first

    def __str__(self) -> str:
        about = f"\nMarked: {join_words([str(cell) for cell in self.marked])}." if self.marked else ""
        return f"{self.position.pretty()}{about}\n{self.task}"

    @property
    def answer(self) -> str:
        """Every right answer, in a sentence."""
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
        """Whether a safe cell is asked for; else it is a mine, a clue or a number."""
        return self.kind in LEVELS and self.proof is not None and self.proof.verdict == "safe"

    @property
    def link(self) -> str:
        """The puzzle in one short word, for addresses and messages; `read_link` makes it again."""
        return str(Name.of(self.kind, self.rules, self.seed, self.position))

    @property
    def hint(self) -> str:
        """Where to look, without the answer."""
        if self.chances:
            are = "is" if len(self.solution) == 1 else "are"
            best = f"{len(self.solution)} of the {len(self.chances)} cells {are} best"
            return f"{best}, and the cell of least risk is not always among them."
        if self.proof is None:
            return "There is a clue whose cells all lie among those of the clues beside it: take its mines off theirs."
        clues = [f"the {SYMBOLS[int(self.position.cells[clue])]} at {clue}" for clue in self.proof.clues]
        if self.proof.total:
            clues.append(f"the total of {count_mines(self.position.total or 0)}")
        return f"Look at {join_words(clues)}."

    @property
    def explanation(self) -> tuple[str, ...]:
        """Why that is so, sentence by sentence: the proof, or what there is in place of one."""
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
        """The same for JSON, with the answer and its explanation in words; `from_plain_values` reads it."""
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
        """Read a puzzle again, as it was or as JSON gives it back; raise `InputError` if it is none.

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
        told = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.explanation)
        return (
            f"{self._repr_svg_() or ''}<p>{escape(self.task)}</p>"
            f"<details><summary>Solution</summary><p>{escape(self.answer)}</p><ul>{told}</ul></details>"
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer is worth, and why."""

    is_right: bool
    score: float  # from 0 to 1; less than 1 for a guess that is not the best
    said: tuple[str, ...]  # in sentences
    proof: Explanation | None = field(default=None, repr=False)
    layouts: tuple[Layout, Layout] | None = field(default=None, repr=False)  # with and without a mine at a wrong cell

    def __str__(self) -> str:
        return " ".join(self.said)

    def as_plain_values(self) -> dict[str, Any]:
        """The same for JSON; `from_plain_values` reads it, given the puzzle."""
        return {
            "right": self.is_right,
            "score": self.score,
            "said": list(self.said),
            "proof": None if self.proof is None else self.proof.as_plain_values(),
            "layouts": None if self.layouts is None else [str(layout) for layout in self.layouts],
        }

    @classmethod
    def from_plain_values(cls, puzzle: Puzzle, values: Mapping[str, Any]) -> Verdict:
        """Read the verdict on an answer to this puzzle again; raise `InputError` if it is none."""
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
