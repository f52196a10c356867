"""Three hundred questions about positions for a reader of text, each scored exactly.

There are four kinds: name a cell that is certainly ``safe``, open the best cell where a ``guess`` is needed, ``count``
the certain mines, and ``explain`` a certain cell by the clues that prove it. The questions are fixed, in the file
``questions.txt``; what is right is worked out from the position by the exact engine.

>>> question = Question("count", Observation.parse("01#/02#/02# 2"))
>>> question.score("There are 2."), question.score("3"), question.score("many")
(1.0, 0.0, None)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, NamedTuple, get_args

import numpy as np

from sapper.agents.agent import Agent
from sapper.agents.foreign.agent import ForeignAgent
from sapper.agents.registry import make_agent
from sapper.errors import Forfeit, InputError
from sapper.experiments.dataset.rows import LEVELS, chunk_of, make_packed, read_rows
from sapper.inference.evaluation.endgame import Endgame
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.kernels.codes import MINE, SAFE
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.text import PREAMBLE, QUESTION_STYLE, STYLES, Style, describe, parse_move
from sapper.topology import Cell

Reader = Callable[["Question", str], str | None]  # the question, its text → the answer; None if there is none


Kind = Literal["safe", "guess", "count", "explain"]
KINDS: tuple[Kind, ...] = get_args(Kind)
PER_KIND = 75
MAX_FORFEITS = 3  # in a row, until a program is given up
_BOARD, _SEED, _ROWS = "8x8/12", 300, 500

_TASKS: dict[Kind, str] = {
    "safe": "At least one hidden cell is certainly safe. Name one, as open (row, col).",
    "guess": "No hidden cell is certainly safe. Name the one with the best chance to win, as open (row, col).",
    "count": "How many hidden cells are certainly mines? Answer with the number, on the last line.",
    "explain": "{cell} is certainly {verdict}. Name the clues that prove it, as few as possible, by their cells, on "
    "the last line, such as (0, 1), (2, 3).",
}
_PAIR = re.compile(r"\((\d{1,4}),\s*(\d{1,4})\)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a position; ``cell`` is the one to explain."""

    kind: Kind
    position: Observation
    cell: Cell | None = None

    def text(self, style: Style = QUESTION_STYLE) -> str:
        """Return the question for the reader; statements do not name the clues, which a proof needs."""
        verdict = ""
        if style == "statements" and self.kind == "explain":
            style = QUESTION_STYLE
        if self.cell is not None:
            verdict = "a mine" if mine_probabilities(self.position).verdicts[self.cell] == MINE else "safe"
        task = _TASKS[self.kind].format(cell=self.cell, verdict=verdict)
        return "\n".join([PREAMBLE, describe(self.position, style), task])

    def score(self, answer: str) -> float | None:
        """Return what an answer is worth, from 0 to 1; None if it cannot be read.

        A guess is worth the share of the best cell's win chance; a proof, how near it is to the fewest clues.
        """
        if self.kind == "count":
            numbers = re.findall(r"\d+", _last_line(answer))
            n_mines = int(np.count_nonzero(mine_probabilities(self.position).verdicts == MINE))
            return None if not numbers else float(int(numbers[-1][:9]) == n_mines)
        if self.kind == "explain":
            return self._score_proof(_last_line(answer))
        try:
            cell = parse_move(answer, self.position).cell
        except InputError:
            return None
        posterior = mine_probabilities(self.position)
        if self.kind == "safe":
            return float(posterior.verdicts[cell] == SAFE)
        ranked = Endgame(self.position.topology.n_cells).rank(posterior)
        wins = {choice.cell: choice.wins for choice in ranked}
        return wins.get(self.position.topology.number(cell), 0) / max(wins.values())

    def _score_proof(self, answer: str) -> float | None:
        seen, shown = self.position, self.position.cells.ravel() >= 0
        named = {(int(row), int(col)) for row, col in _PAIR.findall(answer)}
        if not named:
            return None
        assert self.cell is not None
        if any(row >= seen.rows or col >= seen.cols or seen.cells[row, col] < 0 for row, col in named):
            return 0.0
        kept = [seen.topology.number(clue) for clue in named]
        silent = [cell for cell in np.flatnonzero(shown).tolist() if cell not in kept]
        proved = mine_probabilities(seen.assuming(silent=silent)).verdicts[self.cell]
        if proved != mine_probabilities(seen).verdicts[self.cell]:
            return 0.0
        return min(1.0, len(explain(seen, *self.cell).clues) / len(named))

    def __str__(self) -> str:
        words = [self.kind, str(self.position)] + ([] if self.cell is None else [f"{self.cell[0]},{self.cell[1]}"])
        return "\t".join(words)


def _last_line(answer: str) -> str:
    lines = [line for line in answer.split("\n") if line.strip()]
    return lines[-1] if lines else ""


def questions() -> list[Question]:
    """Return the questions of the benchmark."""
    found = []
    for line in (files("sapper.experiments.dataset") / "questions.txt").read_text(encoding="utf-8").split("\n")[:-1]:
        kind, position, *cell = line.split("\t")
        row_col = tuple(map(int, cell[0].split(","))) if cell else None
        found.append(Question(kind, Observation.parse(position), row_col))  # type: ignore[arg-type]
    return found


def choose_questions() -> Iterator[Question]:
    """Choose questions from games, as those of the file were: no two about the same position."""
    rules = Rules.parse(_BOARD)
    wanted = dict.fromkeys(KINDS, PER_KIND)
    turn = 0
    for number in range(20):
        rows = read_rows(make_packed(chunk_of(rules, _SEED, number, _ROWS, ())))
        for cells, level in zip(rows["cells"], rows["level"].tolist(), strict=True):
            seen = Observation(rules.topology, cells, rules.mines)
            # A guess where nothing is safe; the other kinds in turn.
            kind: Kind = "guess" if LEVELS[level] == "guess" else ("safe", "count", "explain")[turn % 3]
            turn += kind != "guess"
            made = _ask(kind, seen) if wanted[kind] else None
            if made is not None:
                wanted[kind] -= 1
                yield made


def _ask(kind: Kind, seen: Observation) -> Question | None:
    posterior = mine_probabilities(seen)
    if kind == "guess":
        ranked = Endgame(seen.topology.n_cells).rank(posterior)
        # There must be something to know: the best cell is not as good as all others.
        return Question(kind, seen) if ranked and ranked[0].wins > ranked[-1].wins else None
    if kind == "explain":
        certain = (*posterior.safe, *posterior.mines)
        proofs = [explain(seen, *cell) for cell in certain[:6]]
        hardest = max(proofs, key=lambda proof: (not proof.total, len(proof.clues)))
        return None if hardest.total or not hardest.clues else Question(kind, seen, hardest.cell)
    return Question(kind, seen)


class Result(NamedTuple):
    """What a reader got in one kind of question."""

    kind: str
    n: int
    score: float  # mean, from 0 to 1
    answered: float  # the share of answers that could be read


def run_benchmark(
    read: Reader,
    style: Style = QUESTION_STYLE,
    asked: Sequence[Question] | None = None,
    watch: Callable[[int, int], None] = lambda _done, _all: None,
) -> list[Result]:
    """Ask a reader all questions; return the results by kind, then over all."""
    asked = questions() if asked is None else asked
    if style not in STYLES:
        raise InputError(f"There is no style {style!r}; choose from {', '.join(STYLES)}.")
    scores: dict[str, list[float | None]] = {}
    for number, question in enumerate(asked, start=1):
        answer = read(question, question.text(style))
        scores.setdefault(question.kind, []).append(None if answer is None else question.score(answer))
        watch(number, len(asked))
    everything = [one for found in scores.values() for one in found]
    return [_summarise(kind, found) for kind, found in [*scores.items(), ("all", everything)]]


def _summarise(kind: str, found: list[float | None]) -> Result:
    n_read = sum(one is not None for one in found)
    return Result(kind, len(found), sum(one or 0.0 for one in found) / len(found), n_read / len(found))


def read_as(name: str) -> Reader:
    """Return an agent as a reader.

    A program that chose words reads the questions. Any other agent sees their positions, and answers by its decisions
    and deductions. A forfeit is no answer, unless there are `MAX_FORFEITS` in a row.
    """
    first = make_agent(name, 0)
    reader = first if isinstance(first, ForeignAgent) and first.reads_words else None
    n_forfeits = 0

    def read(question: Question, text: str) -> str | None:
        nonlocal n_forfeits
        try:
            if reader is not None:
                answer = reader.answer(question.kind, text)
            else:
                answer = _answer_by(make_agent(name, 0), question)
        except Forfeit as forfeit:
            n_forfeits += 1
            if n_forfeits == MAX_FORFEITS:
                printed = (forfeit.output.strip().splitlines() or [""])[-1]  # such as the last line of a traceback
                said = f"{forfeit.detail} {printed}".strip()
                raise InputError(f"{name!r} failed {n_forfeits} times in a row. {said}") from None
            return None
        n_forfeits = 0
        return answer

    return read


def _answer_by(agent: Agent, question: Question) -> str:
    decision = agent.decide(question.position)
    if question.kind == "count":
        return str(len({found.cell for found in decision.deductions if found.is_mine}))
    if question.kind == "explain":
        clues: list[Cell] = []
        for found in decision.deductions:
            clues += found.clues
            if found.cell == question.cell:
                return ", ".join(map(str, dict.fromkeys(clues)))
        return "I cannot say."
    return f"open {decision.cell}"
