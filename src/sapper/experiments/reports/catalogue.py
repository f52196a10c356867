"""The five reports and all experiments, including those beyond the reports, in order."""

from __future__ import annotations

from sapper.errors import InputError
from sapper.experiments.reports.claims import Experiment, Report
from sapper.experiments.reports.studies import (
    backtracking,
    chains,
    clicks,
    consolidation,
    contradiction,
    fringe,
    infer,
    noisy_clues,
    one_two,
    statements,
    variants,
    withheld,
)

REPORTS = {
    "000": Report(
        "Statements",
        (
            "An agent with a knowledge base: a clue becomes a statement (these cells hold n mines), statements are "
            "reduced by what is known and consolidated against each other. Cells wait in a shuffled queue; proved "
            "mines leave it, and proved safe cells go to its front. Play continues after a mine; the score is the "
            "share of mines identified.",
            "Here: statements-reported, the agent of the report's play-by-play; statements, which deduces all that the "
            "report's text promises; statements-count-reported and statements-count, the same with the number of mines "
            "known.",
        ),
        (
            "“At every point in the program, given the information available to the agent and the state of the board, "
            "the program behaves as expected.” An expectation; the program's missed deductions are counted above.",
            "“we assume that using randomness to decide which cell to click next will allow the agent to gain more "
            "information” An assumption without an alternative.",
            "sapper influence answers the seven questions about chains of influence; what they say about densities and "
            "sizes is judged here too.",
        ),
    ),
    "001": Report(
        "Search and Infer",
        (
            "Search opens random cells until a zero appears, marks obvious mines and opens the safe cells that they "
            "imply. Infer also compares every pair of clues that share cells, and guesses by a product of the clues' "
            "shares. A mine ends the game.",
            "Here: search and infer, as described; where the report's pseudo-code says >= it means ==.",
        ),
        (
            "“As a human player, the inference in blue cycles are enough for breaking the dead end.” The figure is not "
            "available.",
        ),
    ),
    "002": Report(
        "Basic and improved (IBM) agent",
        (
            "A basic agent that reasons about the cell just clicked, and one that proves cells safe by contradiction: "
            "it assumes a mine in the variable that occurs in the fewest equations. A pygame board shows them at work "
            "(here: sapper play --watch, with the report's keys and colours).",
            "Here: local and contradiction, as described; basic and contradiction-full, their complete versions.",
        ),
        (
            "“the agents decisions are not surprising as it is preforming as we expected it to.” An expectation.",
            "“Hardware limits plays a role in our how fast our project runs.” About the authors' computers.",
            "“Due to how many time the program iterates through list while preforming computations … this would affect "
            "the runtime of our program.” The program is not available; we count the calls of ours.",
        ),
    ),
    "003": Report(
        "Two rules, the One-Two Punch, corners and edges",
        (
            "A simple agent with the two single-clue rules and a fringe of neighbours of zeros; an improved one with "
            "the One-Two Punch; and one that guesses corners, then edges.",
            "Here: simple-reported, one-two-reported and one-two-corners-reported, as described; basic, one-two and "
            "one-two-corners, the sound versions.",
        ),
        (
            "“There aren't any steps where my program makes a decision that I don't agree with” An opinion.",
            "“I was delightfully surprised that my algorithm could detect the One Two Punch rule as soon as the "
            "necessary spaces were filled to do so.” sapper trace --agent one-two --as-reported prints those grids.",
            "“The algorithm (both simple and improved) iterate through the board more often as the board gets filled "
            "with squares that cannot be guessed anymore.” About the author's program, which is not available.",
        ),
    ),
    "004": Report(
        "Static puzzles by backtracking",
        (
            "A search for a layout that fits all hints and uses all mines, counting the nodes that it expands. It "
            "branches only on mines and follows a few cells from each.",
            "Here: sapper puzzle --as-reported, faults included, and a complete search whose heuristics can be "
            "switched on one by one. The report does not print its four problems; the boards are the samples of its "
            "assignment, which came with it.",
        ),
        (
            "“In some cases, this would result in a noticeable time required” About the author's computer.",
            "“the expected revisiting of nodes given different conditions on the board made implementing a dynamic "
            "programming solution impractical” About the author's program; our search has such a memory.",
            "“for an n x n board with different constraints there might be an exponentially larger delay.” "
            "See docs/puzzles.md on scaling.",
        ),
    ),
    "variants": Report(
        "The same assignment elsewhere",
        (
            "Agents that open the cell with the least exact risk, or the one that works out the most others; no report "
            "on them is available.",
        ),
    ),
    "uncertainty": Report(
        "Clues that may be wrong",
        ("Beyond the reports: clues withheld, too low, too high or off by one, and what it is worth to know that.",),
    ),
}

EXPERIMENTS: tuple[Experiment, ...] = (
    *clicks.EXPERIMENTS,
    *statements.EXPERIMENTS,
    *withheld.EXPERIMENTS,
    *chains.EXPERIMENTS,
    *consolidation.OF_STATEMENTS,
    *infer.EXPERIMENTS,
    *consolidation.OF_PAIRS,
    *contradiction.EXPERIMENTS,
    *one_two.EXPERIMENTS,
    *fringe.EXPERIMENTS,
    *backtracking.EXPERIMENTS,
    *variants.EXPERIMENTS,
    *noisy_clues.EXPERIMENTS,
    *noisy_clues.LIES,
)


def choose(only: str | None) -> list[Experiment]:
    """Return the experiments of these reports or names, joined by commas; all of them by default.

    >>> [one.name for one in choose("000-total,004")]
    ['000-total', '004']
    """
    if only is None:
        return list(EXPERIMENTS)
    words = {word.strip() for word in only.split(",")}
    known = {one.name for one in EXPERIMENTS} | {one.report for one in EXPERIMENTS}
    for word in sorted(words - known):
        raise InputError(f"There is no experiment {word[:40]!r}; choose from {', '.join(sorted(known))}.")
    return [one for one in EXPERIMENTS if {one.name, one.report} & words]
