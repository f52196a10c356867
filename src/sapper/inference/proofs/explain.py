"""Why a cell is safe or a mine: the fewest clues that prove it and the proof in words; or its exact risk.

>>> print(explain("1#/11", 0, 1))
(0, 1) is a mine because of the 1 at (0, 0).
  1. The 1 at (0, 0) has only (0, 1) left for its mine, so (0, 1) is a mine.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html import escape
from itertools import islice
from typing import NamedTuple

from numpy.typing import ArrayLike

from sapper.channel import ALWAYS_WRONG
from sapper.errors import InputError
from sapper.inference.facts import Bounded, Facts, cells_of
from sapper.inference.posterior.cores import TOTAL, find_proofs
from sapper.inference.posterior.exact import Posterior, is_possible, mine_probabilities
from sapper.inference.proofs.proof import Derivation, ruled_out
from sapper.inference.proofs.prover import prove
from sapper.inference.proofs.sentences import ProofStep, put_into_words, summarise
from sapper.inference.reasoning.single import RULES, Deduction, deduce_single
from sapper.inference.reasoning.subsets import deduce_pairs, deduce_subsets
from sapper.kernels.codes import MINE, SAFE
from sapper.notebook import draw
from sapper.observation import Observation
from sapper.topology import Cell


class Share(NamedTuple):
    """What a clue beside the cell says on its own: ``fewest`` to ``most`` mines in ``n_cells`` uncertain cells."""

    clue: Cell
    fewest: int
    most: int
    n_cells: int


class CellRisk(NamedTuple):
    """The risk of a cell, beside the least there is.

    cell: the cell.
    p_mine: its risk.
    best: the safest cells.
    p_best: their risk.
    p_zero: the chance that the cell shows a zero.
    shares: what the clues that touch it say, row by row.
    """

    cell: Cell
    p_mine: float
    best: tuple[Cell, ...]
    p_best: float
    p_zero: float
    shares: tuple[Share, ...]

    @property
    def cost(self) -> float:
        """The risk beyond that of the safest cells."""
        return 0.0 if self.cell in self.best else max(0.0, self.p_mine - self.p_best)


def assess_risk(facts: Facts, posterior: Posterior, row: int, col: int) -> CellRisk:
    """Return the risk of an uncertain cell; ``facts`` are those of the position with nothing deduced."""
    best = posterior.safest
    verdicts = posterior.verdicts.ravel()
    shares = []
    for clue in facts.neighbours[facts.board.index(row, col)]:
        if clue in facts.clues:
            low, high = facts.clues[clue]
            around = facts.neighbours[clue]
            n_mines = sum(bool(verdicts[cell] == MINE or facts.mines >> cell & 1) for cell in around)
            n_cells = sum(bool(facts.unknown >> cell & 1 and verdicts[cell] not in (MINE, SAFE)) for cell in around)
            fewest, most = max(low - n_mines, 0), min(high - n_mines, n_cells)
            if facts.channel == ALWAYS_WRONG and low < high:
                wrong = facts.shown(clue) - n_mines
                fewest, most = fewest + (fewest == wrong), most - (most == wrong)
            shares.append(Share(facts.board.cell(clue), fewest, most, n_cells))
    return CellRisk(
        (row, col),
        float(posterior.p_mine[row, col]),
        best,
        float(posterior.p_mine[best[0]]),
        float(posterior.p_clue(row, col)[0]),
        tuple(shares),
    )


VERDICTS = {SAFE: "safe", MINE: "mine"}
UNCERTAIN = "uncertain"

_MAX_CORES = 8  # smallest sets of clues that are tried for the easiest argument
_MAX_CELLS = 8  # certain cells that are tried for the easiest, where all of them are hard


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hidden cell is safe or a mine; or, where neither is certain, how risky it is.

    observation: the position.
    cell: the cell, (row, col).
    verdict: ``safe``, ``mine`` or ``uncertain``.
    p_mine: the chance of a mine.
    kind: the hardest kind of reasoning in the proof, such as ``single`` or ``contradiction``; None without a proof.
    clues: the clues that prove it, row by row.
    total: whether the number of mines on the board is needed too.
    is_smallest: whether it is certain that no fewer clues prove it.
    steps: the proof; the last step settles the cell.
    risk: the risk and what it is made of, where the cell is uncertain.
    """

    observation: Observation = field(repr=False)
    cell: Cell
    verdict: str
    p_mine: float
    kind: str | None = None
    clues: tuple[Cell, ...] = ()
    total: bool = False
    is_smallest: bool = False
    steps: tuple[ProofStep, ...] = ()
    risk: CellRisk | None = None

    @property
    def summary(self) -> tuple[str, ...]:
        """Everything but the steps, in sentences."""
        return summarise(self)

    def __str__(self) -> str:
        numbered = [
            f"{number:>3}. {'   ' * step.depth}{step.sentence}" for number, step in enumerate(self.steps, start=1)
        ]
        return "\n".join([" ".join(self.summary), *numbered])

    def as_plain_values(self) -> dict[str, object]:
        """Return plain values for JSON; steps are numbered from 1. The position is not included."""
        risk = self.risk
        return {
            "cell": self.cell,
            "verdict": self.verdict,
            "p_mine": self.p_mine,
            "kind": self.kind,
            "clues": self.clues,
            "total": self.total,
            "smallest": self.is_smallest,
            "summary": self.summary,
            "steps": [step._asdict() for step in self.steps],
            "risk": None
            if risk is None
            else {
                "best": risk.best,
                "p_best": risk.p_best,
                "cost": risk.cost,
                "p_zero": risk.p_zero,
                "shares": [share._asdict() for share in risk.shares],
            },
        }

    def _repr_html_(self) -> str:
        board = self.observation.topology
        proof = [board.index(*clue) for clue in (*self.clues, self.cell)]
        picture = draw(board, "draw_svg", self.observation, proof) or ""
        steps = "".join(
            f'<li style="margin-left:{1.5 * step.depth:g}em">{escape(step.sentence)}</li>' for step in self.steps
        )
        return f"{picture}<p>{escape(' '.join(self.summary))}</p>" + (f"<ol>{steps}</ol>" if steps else "")


def explain(
    position: Observation | str | ArrayLike,
    row: int,
    col: int,
    *,
    mines: int | None = None,
    density: float = 0.5,
    trust_flags: bool = False,
) -> Explanation:
    """Explain one hidden cell of a position, in any form that `mine_probabilities` takes.

    With ``trust_flags``, mines under flags are given and need no proof; otherwise flags are ignored. ``density`` is
    that of `mine_probabilities`. Usually takes milliseconds. Raises `InputError` if the cell is open or trusted,
    `Contradiction` if no layout fits and `TooHard` if the exact sum exceeds the budget.
    """
    observation = Observation.of(position, mines)
    index = observation.topology.index(row, col)
    given = observation.with_flags_as_mines() if trust_flags else observation
    if not given.closed[row, col]:
        already = "flagged" if observation.closed[row, col] else "open"
        raise InputError(f"({row}, {col}) is {already} already; only a hidden cell can be explained.")
    return replace(_explain(mine_probabilities(given, density=density), Facts(given), index), observation=observation)


def explain_easiest(observation: Observation, *, density: float = 0.5) -> Explanation:
    """Explain the certain cell that is easiest to prove, or a safest cell if nothing is certain."""
    posterior = mine_probabilities(observation, density=density)
    if not observation.closed.any():
        raise InputError("Every cell is open; there is nothing to explain.")
    facts = Facts(observation)
    if not posterior.safe and not posterior.mines:
        return _explain(posterior, facts, observation.topology.index(*posterior.safest[0]))
    easiest = _easiest_by_rule(observation)
    if easiest is not None:
        return _explain(posterior, facts, observation.topology.index(*easiest.cell))
    certain = [observation.topology.index(*cell) for cell in (*posterior.safe, *posterior.mines)]
    explanations = [_explain(posterior, facts, cell) for cell in certain[:_MAX_CELLS]]
    return min(explanations, key=_difficulty)


def explain_certain(observation: Observation, *, skip: int = 0) -> tuple[Explanation | None, int]:
    """Explain a safe cell, or a mine if no cell is safe; return also how many such cells there are.

    The easiest to prove comes first; ``skip`` chooses a later one, cyclically.
    """
    posterior = mine_probabilities(observation)
    cells = list(posterior.safe or posterior.mines)
    if not cells:
        return None, 0
    facts = Facts(observation)
    index = observation.topology.index
    by_rule = _cells_by_rule(observation, frozenset(cells))
    at = skip % len(cells)
    if at < len(by_rule):
        return _explain(posterior, facts, index(*by_rule[at])), len(cells)
    others = [cell for cell in cells if cell not in by_rule]
    explanations = [_explain(posterior, facts, index(*cell)) for cell in others[:_MAX_CELLS]]
    explanations.sort(key=_difficulty)
    at -= len(by_rule)
    found = explanations[at] if at < len(explanations) else _explain(posterior, facts, index(*others[at]))
    return found, len(cells)


def _difficulty(one: Explanation) -> tuple[int, int, int]:
    return RULES.index(one.kind or ""), len(one.clues) + one.total, len(one.steps)


def _cells_by_rule(observation: Observation, cells: frozenset[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the cells that an easy rule proves, ordered by rule and then by the number of clues."""
    ordered: dict[tuple[int, int], None] = {}
    untouched = Facts(observation)
    for deduce in (deduce_single, deduce_subsets, deduce_pairs):
        facts = Facts(observation)
        found = [one for one in deduce(facts, sorted(facts.clues)) if one.cell in cells]
        if deduce is deduce_single:
            # Deductions that rest on earlier ones need more clues than they name.
            found.sort(key=lambda one: (not _stands_alone(untouched, one), len(one.clues)))
        else:
            found.sort(key=lambda one: len(one.clues))
        ordered.update(dict.fromkeys(one.cell for one in found))
    return list(ordered)


def _easiest_by_rule(observation: Observation) -> Deduction | None:
    """Return the deduction of the easiest rule that finds any, from the fewest clues, a safe cell before a mine."""
    for deduce in (deduce_single, deduce_subsets, deduce_pairs):
        facts = Facts(observation)
        found = deduce(facts, sorted(facts.clues))
        if deduce is deduce_single:
            # Deductions that rest on earlier ones need more clues than they name; those of the first pass do not.
            untouched = Facts(observation)
            found = [one for one in found if _stands_alone(untouched, one)] or found
        if found:
            return min(found, key=lambda one: (len(one.clues), one.is_mine))
    return None


def _stands_alone(facts: Facts, deduction: Deduction) -> bool:
    cells, low, high = facts.statement(facts.board.index(*deduction.clues[0]))
    return high == 0 or low == cells.bit_count()


def _explain(posterior: Posterior, facts: Facts, index: int) -> Explanation:
    observation = posterior.observation
    row, col = observation.topology.cell(index)
    verdict = VERDICTS.get(int(posterior.verdicts[row, col]), UNCERTAIN)
    if verdict == UNCERTAIN:
        risk = assess_risk(facts, posterior, row, col)
        return Explanation(observation, (row, col), verdict, risk.p_mine, risk=risk)
    is_mine = verdict == "mine"
    clues, is_smallest, proof = _easiest_proof(facts, index, is_mine)
    return Explanation(
        observation,
        (row, col),
        verdict,
        float(is_mine),
        proof.kind,
        tuple(observation.topology.cell(clue) for clue in sorted(clues - {TOTAL})),
        TOTAL in clues,
        is_smallest,
        put_into_words(facts, proof.lines),
    )


def _easiest_proof(facts: Facts, cell: int, is_mine: bool) -> tuple[frozenset[int], bool, Derivation]:
    """Return the smallest set of clues with the easiest argument, of those that are found quickly."""
    best: tuple[frozenset[int], bool, Derivation] | None = None
    for clues, is_smallest in islice(find_proofs(facts, cell, is_mine, is_possible), _MAX_CORES):
        proof = _prove_from(facts, clues, cell, is_mine)
        if best is None or _hardness(proof) < _hardness(best[2]):
            best = clues, is_smallest, proof
        if proof.kind == RULES[0]:
            break
    assert best is not None
    return best


def _hardness(proof: Derivation) -> tuple[int, int]:
    return RULES.index(proof.kind), len(proof.lines)


def _prove_from(facts: Facts, clues: frozenset[int], cell: int, is_mine: bool) -> Derivation:
    statements = {clue: facts.statement(clue) for clue in sorted(clues - {TOTAL})}
    everything = facts.everything()
    if TOTAL in clues and everything is not None:
        statements[TOTAL] = everything
    wrong = ruled_out(facts, clues - {TOTAL})
    return prove(statements, cell, is_mine, lambda mines, safe: _count(facts, clues, mines, safe), wrong)


def _count(facts: Facts, clues: frozenset[int], mines: int, safe: int) -> Bounded:
    """Return the hidden cells that these clues touch, with the given ones, and the fewest and most mines in them.

    The engine decides which numbers are possible if every other hidden cell is safe.
    """
    touched = mines | safe
    for clue in clues - {TOTAL}:
        touched |= facts.statement(clue)[0]
    assumed = facts.observation.assuming(
        mines=cells_of(mines), safe=cells_of(safe | facts.unknown & ~touched), silent=facts.clues.keys() - clues
    )
    n_exploded = (facts.mines | mines).bit_count()

    def fits(n: int) -> bool:
        asked = replace(assumed, total=n_exploded + n)
        return is_possible(asked)

    n_free = (touched & ~(mines | safe)).bit_count()
    least = next((n for n in range(n_free + 1) if fits(n)), None)
    if least is None:
        # The clues alone cannot hold, which the two rules will show.
        return touched, 0, touched.bit_count()
    most = next(n for n in range(n_free, -1, -1) if fits(n))
    return touched, mines.bit_count() + least, mines.bit_count() + most
