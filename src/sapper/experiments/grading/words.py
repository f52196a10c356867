"""What is wrong with a submission, in words: the fault, its proof, what to do about it, how to see it again."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sapper.agents.foreign.files import FILES
from sapper.errors import Contradiction, TooHard
from sapper.experiments.grading.judge import MINE_CLAIM, MISSED, MISSED_MINE, OPENS_MINE, RISK, SAFE_CLAIM
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain, explain_certain
from sapper.kernels.codes import MINE, SAFE
from sapper.layout import Layout
from sapper.observation import EXPLODED, Observation
from sapper.words import count, percent

if TYPE_CHECKING:
    from sapper.experiments.grading.judge import Example
    from sapper.experiments.grading.run import Submission
    from sapper.topology import Cell

_PROOFS = ("a single clue", "one clue within another", "a pair of clues", "a case split", "the number of mines")
# Kind → its name, and what to do about it.
ABOUT: dict[str, tuple[str, str]] = {
    "load": (
        "It cannot be started",
        "Import the file in a fresh folder and see that it ends without an error; what plays a game or asks for input "
        "belongs under if __name__ == '__main__'.",
    ),
    "crash": ("It crashes", "The line is in the message. Run the position to see it again."),
    "hang": ("It takes too long", "Look for a loop that nothing ends, and for lists that grow with every move."),
    "exit": ("It ends the program", "Return None if there is no move; leave exit() to the main program."),
    "memory": ("It takes too much memory", "Look for a list that keeps what it no longer needs, or copies of it."),
    "illegal": ("It makes illegal moves", "Check the order of rows and columns, and leave out cells that are open."),
    "none": ("It stops although moves are left", "Go on while there is a hidden cell that is not a known mine."),
    "protocol": ("Its answer is not a move", "Compare the answer with what the course asks for."),
    SAFE_CLAIM: (
        "It calls cells safe that need not be",
        "Look at how a clue is stored: mines that are known already have to be taken off its count.",
    ),
    MINE_CLAIM: (
        "It calls cells mines that need not be",
        "Look at when all cells of a sentence are taken for mines, and at what was taken off its count.",
    ),
    OPENS_MINE: ("It opens certain mines", "When you guess, leave out the cells that the clues prove to be mines."),
    MISSED["single"]: (
        "It guesses although a single clue proves a safe cell",
        "Look at every sentence again after each change, until nothing changes any more.",
    ),
    MISSED["subset"]: (
        "It guesses although one clue within another proves a safe cell",
        "Where the cells of one sentence lie within those of another, subtract, and look at what results in turn.",
    ),
    MISSED["pair"]: (
        "It guesses although two overlapping clues prove a safe cell",
        "Two clues bound the mines in the cells that they share; more than a course usually asks.",
    ),
    MISSED["cases"]: (
        "It guesses although a case split proves a safe cell",
        "Suppose that a cell is a mine, and see whether a clue can no longer hold; more than a course usually asks.",
    ),
    MISSED["count"]: (
        "It guesses although the number of mines proves a safe cell",
        "Towards the end, the number of mines that are left is a clue about all hidden cells.",
    ),
    **{
        kind: (
            f"It does not see the mines that {proof} proves",
            "Look at every sentence again after each change, and mark its cells as mines when they all have to be.",
        )
        for kind, proof in zip(MISSED_MINE.values(), _PROOFS, strict=True)
    },
    RISK: ("It takes more risk than it has to", "Compare the cells by how likely each is to be a mine."),
    "mutates": ("It changes what it may only read", "Choose the move and return it; learn in add_knowledge."),
    "snoops": ("It does what no player needs", "An agent needs its clues: no files, programs or interpreter."),
    "not-repeatable": (
        "It plays differently each time",
        "Use the random module, whose seed is set; sort a set before you choose from it.",
    ),
    "prints": ("It prints", "Remove the prints before handing in; they slow it down and hide messages."),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of a submission, in words.

    what: its name. often: in how many games. shown: what the agent does in the position. proof: why that is wrong, line
    by line. advice: what to do. commands: to see it again. layout: one that fits and refutes a claim.
    """

    kind: str
    what: str
    often: str
    shown: str
    proof: tuple[str, ...]
    advice: str
    command: str
    observation: Observation | None
    cell: Cell | None
    clues: tuple[Cell, ...] = ()
    layout: Layout | None = None
    is_smallest: bool = True


def describe(one: Submission, example: Example) -> Finding:
    """Describe a fault."""
    what, advice = ABOUT[example.kind]
    n_games, n_with = len(one.total.games), one.total.faults.get(example.kind, 0)
    often = f"in {n_with} of {count(n_games, 'game')}"
    observation: Observation | None = Observation.parse(example.position)
    assert observation is not None
    # A board says nothing about a fault that does not depend on it.
    if example.kind in ("load", "snoops", "prints", "not-repeatable") or observation.closed.all():
        observation = None
    shown = example.detail
    proof: tuple[str, ...] = ()
    clues: tuple[Cell, ...] = ()
    layout: Layout | None = None
    if observation is not None and example.cell is not None:
        try:
            shown, proof, clues, layout = _prove(observation, example)
        except (TooHard, Contradiction):
            shown = example.detail
    command = command_of(one.agent, example)
    return Finding(
        example.kind, what, often, shown, proof, advice, command, observation, example.cell, clues, layout,
        not example.is_whole,
    )  # fmt: skip


def as_theirs(one: Submission) -> Submission:
    """Return a submission as its student names it, who has the file and not the teacher's folder."""
    kind = one.agent.partition(":")[0]
    return replace(one, agent=f"{kind}:{FILES[kind][0]}") if kind in FILES else one


def command_of(agent: str, example: Example) -> str:
    """Return the command that shows a fault again: the position, or the game that it needs."""
    if example.is_whole:
        words = ["sapper", "trace", "--agent", agent, "--board", example.rules, "--layout", example.layout]
        return shlex.join([*words, "--seed", str(example.seed)])
    order = " ".join(["", "opened", *(f"{row},{col}" for row, col in example.order)]) if example.order else ""
    words = ["sapper", "grade", agent, "--position", f"{example.position}{order}"]
    return shlex.join([*words, "--seed", str(example.seed)] if example.seed else words)


def _prove(observation: Observation, example: Example) -> tuple[str, tuple[str, ...], tuple[Cell, ...], Layout | None]:
    """Return what the agent does, the proof that it is wrong, the clues of the proof, and a layout that refutes it."""
    cell = example.cell
    assert cell is not None
    if example.kind in (SAFE_CLAIM, MINE_CLAIM):
        is_safe = example.kind == SAFE_CLAIM
        shown = f"It claims that {cell} is {'safe' if is_safe else 'a mine'}."
        verdict = int(mine_probabilities(observation).verdicts[cell])
        if verdict == (MINE if is_safe else SAFE):
            lines, clues = _explain(observation, cell)
            return shown, lines, clues, None
        layout = counterexample(observation, cell, is_mine=is_safe)
        what = "a mine" if is_safe else "safe"
        told = f"No clue proves it: here is a layout that fits every clue, in which {cell} is {what}."
        return shown, (told,), (), layout
    if example.kind in MISSED.values():
        found, _ = explain_certain(observation)
        shown = f"It opens {cell}, which it does not know to be safe."
        if found is None:
            return shown, (), (), None
        return shown, (" ".join(found.summary), *(step.sentence for step in found.steps)), found.clues, None
    if example.kind in MISSED_MINE.values():
        lines, clues = _explain(observation, cell)
        return f"It does not claim that {cell} is a mine.", lines, clues, None
    if example.kind == OPENS_MINE:
        lines, clues = _explain(observation, cell)
        return f"It opens {cell}, which is certainly a mine.", lines, clues, None
    if example.kind == RISK:
        posterior = mine_probabilities(observation)
        least, taken = float(posterior.p_mine[posterior.safest[0]]), float(posterior.p_mine[cell])
        other = f"{posterior.safest[0]} with {percent(least, certain=least == 0.0)}"
        told = f"{cell} is a mine with a probability of {percent(taken, certain=False)}, {other}."
        return f"It opens {cell}.", (told,), (), None
    return example.detail, (), (), None


def _explain(observation: Observation, cell: Cell) -> tuple[tuple[str, ...], tuple[Cell, ...]]:
    found = explain(observation, *cell)
    return (" ".join(found.summary), *(step.sentence for step in found.steps)), found.clues


def counterexample(observation: Observation, cell: Cell, *, is_mine: bool) -> Layout:
    """Return a layout that fits a position, with a mine in a cell or without.

    >>> str(counterexample(Observation.parse("1#/## 1"), (0, 1), is_mine=False))
    '--/*-'
    """
    number = observation.topology.index(*cell)
    assumed = observation.assuming(mines=[number] if is_mine else [], safe=[] if is_mine else [number])
    mines = mine_probabilities(assumed, density=0.2).sample(1, np.random.default_rng(1))[0].ravel()
    mines = mines | (assumed.cells.ravel() == EXPLODED)
    return Layout(observation.topology, mines)
