"""Make the special puzzles: areas, chains and guesses.

- An area asks how many mines its cells hold, none of which is decided. The cells of one clue lie among those of one or
  two others; the rest of these is the area, so its number is a difference of clues in every layout.
- A chain asks for a clue without which a cell would not be certain: one link of the chains of influence in the reports.
- A guess asks for the cell with the highest win chance under perfect play. It comes from endgames, where exact search
  knows every win chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import NamedTuple

from sapper.errors import TooHard
from sapper.inference.evaluation.endgame import FEW, Endgame
from sapper.inference.facts import Facts, cells_of
from sapper.inference.posterior.cores import find_proofs
from sapper.inference.posterior.exact import Posterior, is_possible, mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.inference.reasoning.single import name_clue
from sapper.kernels.codes import MINE, SAFE
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.topology import Cell
from sapper.train.kinds import Level, kinds_on
from sapper.train.positions import MAX_CLUES, Moment, crossroads, moments, with_flags
from sapper.train.puzzle import Puzzle
from sapper.words import capital, count_mines, join_words

_MAX_TRIED = 20_000  # positions before giving up
_BASE = 950
_PER_CELL, _PER_CLUE = 20, 150


class _Sum(NamedTuple):
    """Clues to add and one to subtract; the remaining cells are the area."""

    added: tuple[int, ...]
    taken: int
    area: int  # cells as bits
    number: int


def make_area(rules: Rules, seed: int) -> Puzzle | None:
    """Make the first area puzzle from this seed."""
    found = (area_of(posterior, seed) for posterior in islice(crossroads(rules, seed), _MAX_TRIED))
    return next((one for one in found if one is not None), None)


def area_of(posterior: Posterior, seed: int) -> Puzzle | None:
    """Make a puzzle of one of a position's areas; None if it has none."""
    position = with_flags(posterior)
    facts = Facts(position.with_flags_as_mines())
    safe = sum(1 << position.topology.index(*cell) for cell in posterior.safe)
    found = [one for one in _sums(facts) if not one.area & safe]
    if not found:
        return None
    chosen = found[seed % len(found)]
    marked = tuple(position.topology.cell(cell) for cell in cells_of(chosen.area))
    return Puzzle(
        "area",
        "",
        0,
        position,
        "How many mines are in the marked area?",
        (),
        _BASE + _PER_CELL * len(marked) + _PER_CLUE * (len(chosen.added) - 1),
        marked=marked,
        number=chosen.number,
        reason=_explain(facts, chosen),
    )


def _sums(facts: Facts) -> Iterator[_Sum]:
    said = facts.statements(sorted(facts.clues))
    for clue in said:
        others = [other for other in facts.overlapping(clue) if other in said]
        for n_added in (1, 2):
            for added in combinations(others, n_added):
                union = 0
                total = 0
                for one in added:
                    cells, low, _ = said[one]
                    if union & cells:
                        break
                    union, total = union | cells, total + low
                else:
                    taken, number, _ = said[clue]
                    area = union & ~taken
                    # The subtracted cells must all be there, and the rest must be undecided.
                    if taken & ~union == 0 and 0 < total - number < area.bit_count():
                        yield _Sum(added, clue, area, total - number)


def _explain(facts: Facts, chosen: _Sum) -> str:
    said = {clue: facts.statement(clue)[1] for clue in (*chosen.added, chosen.taken)}
    added = join_words([f"{name_clue(facts, clue)} has {count_mines(said[clue])} left" for clue in chosen.added])
    total = sum(said[clue] for clue in chosen.added)
    together = f": {total} together" if len(chosen.added) > 1 else ""
    within = f"{capital(name_clue(facts, chosen.taken))}, whose cells all lie among these, has {said[chosen.taken]}"
    return f"{capital(added)}{together}. {within}. That leaves {count_mines(chosen.number)} for the marked area."


_LEVELS: tuple[Level, ...] = ("subsets", "one-two", "pairs", "cases")
_MAX_MOMENTS = 1000
_FEWEST_OTHERS = 3  # clues with hidden neighbours that are not needed
_CHAIN_BASE, _CHAIN_PER_CLUE = 1000, 90


def make_chain(rules: Rules, seed: int) -> Puzzle | None:
    """Make the first chain puzzle from this seed."""
    level = _LEVELS[seed % len(_LEVELS)]
    if level not in kinds_on(rules):
        level = "pairs"
    tried = islice(moments(rules, level, seed), _MAX_MOMENTS)
    found = (chain_of(one) for one in tried if _n_clues(one) <= MAX_CLUES)
    return next((one for one in found if one is not None), None)


def _n_clues(moment: Moment) -> int:
    """Return the fewest clues that prove the cell of a moment."""
    given = moment.position.with_flags_as_mines()
    cell = (moment.safe or moment.mines)[0]
    clues, _ = next(find_proofs(Facts(given), given.topology.number(cell), not moment.safe, is_possible))
    return len(clues)


def chain_of(moment: Moment) -> Puzzle | None:
    """Make the puzzle of a moment; None if its cell needs no single clue, or nearly all of them."""
    cell = (moment.safe or moment.mines)[0]
    given = moment.position.with_flags_as_mines()
    verdict = SAFE if moment.safe else MINE
    try:
        needed, others = needed_clues(given, cell, verdict)
        if not needed or others < _FEWEST_OTHERS:
            return None
        proof = explain(moment.position, *cell, trust_flags=True)
    except TooHard:
        return None
    what, clues = "safe" if moment.safe else "a mine", "clue" if len(needed) == 1 else "clues"
    return Puzzle(
        "chain",
        "",
        0,
        moment.position,
        f"{cell} is certainly {what}. Choose a clue that every proof of this needs.",
        needed,
        _CHAIN_BASE + _CHAIN_PER_CLUE * len(proof.clues),
        proof,
        marked=(cell,),
        reason=f"Every proof needs the {clues} at {join_words([str(clue) for clue in needed])}.",
    )


def needed_clues(given: Observation, cell: Cell, verdict: int) -> tuple[tuple[Cell, ...], int]:
    """Return the clues without which a cell is no longer certain, and how many others touch hidden cells."""
    board = given.topology
    hidden = given.closed.ravel()
    needed: list[Cell] = []
    n_others = 0
    for clue in range(board.n_cells):
        if given.cells.flat[clue] < 0 or not any(hidden[other] for other in board.neighbours_of(clue)):
            continue
        left = mine_probabilities(given.assuming(silent=[clue]))
        if left.verdicts[cell] == verdict:
            n_others += 1
        else:
            needed.append(board.cell(clue))
    return tuple(needed), n_others


_FEWEST_LAYOUTS = 3
_LEAST_AT_STAKE = 0.02  # win chance between the best cell and the worst: otherwise the choice would not matter
_MAX_SOLUTIONS = 8  # and at most half of the cells: otherwise the task is too easy
_EASIEST, _HARDEST = 900, 2100


def make_guess(rules: Rules, seed: int) -> Puzzle | None:
    """Make the first guess puzzle from this seed in which few cells are right."""
    endgame = Endgame(rules.n_cells, FEW)
    found = (guess_of(posterior, endgame) for posterior in islice(crossroads(rules, seed), _MAX_TRIED))
    return next((one for one in found if one is not None and not _is_boring(one)), None)


def _is_boring(made: Puzzle) -> bool:
    return len(made.solution) > min(_MAX_SOLUTIONS, len(made.chances) // 2)


def guess_of(posterior: Posterior, endgame: Endgame) -> Puzzle | None:
    """Make the puzzle of a position without safe cells; None if its win chances are unknown or hardly differ."""
    ranked = endgame.rank(posterior)
    if not ranked or ranked[0].layouts < _FEWEST_LAYOUTS:
        return None
    cell = posterior.observation.topology.cell
    chances = tuple((cell(end.cell), end.wins / end.layouts) for end in ranked)
    best, worst = chances[0][1], chances[-1][1]
    if best - worst < _LEAST_AT_STAKE:
        return None
    solution = tuple(at for at, chance in chances if chance == best)
    return Puzzle(
        "guess",
        "",
        0,
        with_flags(posterior),
        "Nothing is certain: open the cell with the best chance to win.",
        solution,
        _difficulty(posterior, solution, chances),
        chances=chances,
    )


def _difficulty(
    posterior: Posterior, solution: tuple[tuple[int, int], ...], chances: tuple[tuple[tuple[int, int], float], ...]
) -> int:
    """Rate a guess: harder if few cells are right, the others come close, or the safest cell is wrong."""
    values = [chance for _, chance in chances]
    share = len(solution) / len(chances)
    close = values[min(len(solution), len(values) - 1)] / values[0] if values[0] else 0.0
    misleads = not set(solution) & set(posterior.safest)
    return round(_EASIEST + (_HARDEST - _EASIEST) * (0.4 * (1 - share) + 0.3 * close + 0.3 * misleads))
