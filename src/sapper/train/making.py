"""Make puzzles from seeds, the same on every machine, or from given positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import log2

import numpy as np
from numpy.typing import ArrayLike

from sapper.errors import GaveUp, InputError, RulesError, TooHard
from sapper.inference.evaluation.endgame import FEW, Endgame
from sapper.inference.facts import Facts
from sapper.inference.posterior.cores import find_proofs
from sapper.inference.posterior.exact import Posterior, is_possible, mine_probabilities
from sapper.inference.proofs.explain import Explanation, explain
from sapper.inference.reasoning.one_two import why_not
from sapper.observation import FLAG, HIDDEN, Observation
from sapper.play.noguess.generate import check_rules
from sapper.play.reading import rules_of
from sapper.rules import Rules
from sapper.topology import Cell
from sapper.train.kinds import LEVELS, Kind, Level, Name, read_kind, reason
from sapper.train.positions import MAX_CLUES, Moment, moment_of, moments
from sapper.train.puzzle import Puzzle
from sapper.train.special import area_of, chain_of, guess_of, make_area, make_chain, make_guess
from sapper.world.generation import MAX_SEED, check_seed

_MAX_CELLS = 4  # certain cells whose proofs are compared
_MAX_SOLUTIONS = 8  # with more right answers, a task is too easy
_FEWEST_CLUES = 2  # in a proof: one is boring
_MAX_REFUSED = 1000  # moments tried before giving up

# Difficulty of each level in rating points, to which the proof adds.
_BASE: dict[Level, int] = {"single": 600, "subsets": 850, "one-two": 1050, "pairs": 1250, "cases": 1500, "total": 1500}
_PER_CLUE, _PER_STEP, _PER_CELL = 60, 15, 3
_FEW_TO_LOOK_AT = 4  # clues with hidden cells that add nothing to the difficulty
_PER_DOUBLING, _PER_HALVING = 40, 10  # for each doubling of those clues, and halving of the share of right cells


def puzzle(kind: Kind = "subsets", seed: int = 0, *, board: Rules | str = "beginner") -> Puzzle:
    """Make a puzzle from a seed: of a level of reasoning, or a ``guess``, ``area`` or ``chain``.

    >>> made = puzzle("pairs", 7)
    >>> made.task
    'Open a cell that is certainly safe.'
    """
    rules = read_board(board)
    check_seed(seed)
    read_kind(kind)
    if kind == "one-two" and (why := why_not(rules.topology)):
        raise GaveUp(why, 0)
    if kind == "guess":
        made = make_guess(rules, seed)
    elif kind == "area":
        made = make_area(rules, seed)
    elif kind == "chain":
        made = make_chain(rules, seed)
    else:
        found = (_of_moment(moment, kind) for moment in islice(moments(rules, kind, seed), _MAX_REFUSED))
        made = next((one for one in found if one is not None), None)
    if made is None:
        raise GaveUp(f"Found no puzzle of kind {kind} on a board {rules.in_short} for seed {seed}.", _MAX_REFUSED)
    return replace(made, rules=str(rules), seed=seed)


def puzzles(kind: Kind = "subsets", seed: int = 0, *, board: Rules | str = "beginner") -> Iterator[Puzzle]:
    """Generate unlimited puzzles, starting with this seed; no two similar ones follow each other."""
    rules, last = read_board(board), None
    while seed <= MAX_SEED:
        made = puzzle(kind, seed, board=rules)
        if _likeness(made) != last:
            yield made
        last = _likeness(made)
        seed += 1


def read_board(board: Rules | str) -> Rules:
    """Return the rules of the games that puzzles come from: exact clues and, if possible, an opening first."""
    rules = Rules.parse(board) if isinstance(board, str) else board
    check_rules(rules)
    if not rules.total_known:
        raise RulesError("Puzzles need a board whose number of mines is known.")
    # Any cell may be opened first, so there must be room for an opening at each of them.
    has_room = rules.mines < rules.n_cells - int(rules.topology.degree.max(initial=0))
    return replace(rules, first_click="opening" if has_room else "safe", opened_mine="ends", cascade=True)


def level_puzzle(moment: Moment, level: Level, posterior: Posterior) -> Puzzle:
    """Make the puzzle of a moment, even if it is boring; ``posterior`` is that of its position."""
    return _puzzle_of(moment, level, posterior, _easiest_cell(moment, level)[0])


def _puzzle_of(moment: Moment, level: Level, posterior: Posterior, easiest: Cell) -> Puzzle:
    # If nothing is safe, the task is to flag a mine.
    opens = bool(moment.safe)
    solution = posterior.safe if opens else _unflagged(moment, posterior)
    proof = explain(moment.position, *easiest, trust_flags=True)
    task = "Open a cell that is certainly safe." if opens else "Nothing is safe yet: flag a cell that is a mine."
    difficulty = _difficulty(level, proof) + _hiddenness(moment.position, level, len(solution))
    return Puzzle(level, "", 0, moment.position, task, solution, difficulty, proof)


def _of_moment(moment: Moment, level: Level) -> Puzzle | None:
    """Make the puzzle of a moment; None if it is boring."""
    # What a level finds is part of what is certain, so this test comes before the expensive ones.
    if len(moment.safe) > _MAX_SOLUTIONS:
        return None
    try:
        posterior = mine_probabilities(moment.position)
        n_solutions = len(posterior.safe if moment.safe else _unflagged(moment, posterior))
        misleads = bool(posterior.safe) and not moment.safe
        if misleads or n_solutions > _MAX_SOLUTIONS or _has_only_to_count(moment):
            return None
        easiest, n_clues = _easiest_cell(moment, level)
        if not _FEWEST_CLUES <= n_clues <= MAX_CLUES:
            return None
        return _puzzle_of(moment, level, posterior, easiest)
    except TooHard:
        return None


def _unflagged(moment: Moment, posterior: Posterior) -> tuple[Cell, ...]:
    return tuple(cell for cell in posterior.mines if moment.position.cells[cell] != FLAG)


def _easiest_cell(moment: Moment, level: Level) -> tuple[Cell, int]:
    """Return the cell whose proof needs the fewest clues, and how many; to save time, only a few cells are tried."""
    given = moment.position.with_flags_as_mines()
    facts, number = Facts(given), given.topology.number
    cells = moment.safe or moment.mines
    least = 1 if level == LEVELS[0] else 2  # above that level, nothing follows from one clue alone

    best, fewest = cells[0], given.topology.n_cells + 1
    for cell in cells[:_MAX_CELLS]:
        clues, _ = next(find_proofs(facts, number(cell), cell in moment.mines, is_possible))
        if len(clues) < fewest:
            best, fewest = cell, len(clues)
        if fewest <= least:
            break
    return best, fewest


def _n_flags(moment: Moment) -> int:
    return int((moment.position.cells == FLAG).sum())


def _has_only_to_count(moment: Moment) -> bool:
    """Return whether all mines are flagged, or all hidden cells are mines."""
    left = (moment.position.total or 0) - _n_flags(moment)
    return left in (0, int(moment.position.closed.sum()) - _n_flags(moment))


def _difficulty(level: Level, proof: Explanation) -> int:
    """Rate a proof by its level, and by the clues, steps and cells that one must keep in mind."""
    n_clues = len(proof.clues) + proof.total
    n_cells = len({cell for step in proof.steps for cell in step.cells})
    return (
        _BASE[level]
        + _PER_CLUE * max(n_clues - 2, 0)
        + _PER_STEP * max(len(proof.steps) - 2, 0)
        + _PER_CELL * max(n_cells - 3, 0)
    )


def _hiddenness(position: Observation, level: Level, n_solutions: int) -> int:
    """Rate how hard it is to find the place: harder with more clues to look at and fewer right cells."""
    table = position.topology.table  # of neighbours; -1 means none
    shows_clue = np.append(position.cells.ravel() > 0, False)
    is_hidden = np.append(position.cells.ravel() == HIDDEN, False)
    n_clues = np.count_nonzero(shows_clue[:-1] & is_hidden[table].any(axis=1))
    n_places = np.count_nonzero(is_hidden[:-1] & shows_clue[table].any(axis=1))
    # If single clues suffice, about every third one does, however many there are.
    doublings = log2(max(n_clues / _FEW_TO_LOOK_AT, 1.0)) if level != LEVELS[0] else 0.0
    return round(_PER_DOUBLING * doublings + _PER_HALVING * log2(max(n_places / n_solutions, 1.0)))


def _likeness(made: Puzzle) -> tuple[object, ...]:
    """Return what similar puzzles have in common: the clues to look at, wherever they are on the board."""
    cells = made.position.cells
    shown = sorted(int(cells[clue]) for clue in made.proof.clues) if made.proof is not None else []
    return made.kind, tuple(shown), len(made.solution), made.number, len(made.marked)


def of_position(position: Observation | str | ArrayLike, kind: Kind | None = None) -> Puzzle:
    """Make a puzzle from any position: of the easiest level that proves a safe cell, or else a mine.

    Flags in the position are removed, since they may be wrong; mines that easier reasoning proves get new ones. Raises
    `InputError` if nothing is certain or the position makes no such puzzle, and what `mine_probabilities` raises.

    >>> made = of_position("####/1221")
    >>> made.kind, made.solution
    ('subsets', ((0, 0), (0, 3)))
    """
    seen = Observation.of(position).without_flags()
    if kind is not None:
        read_kind(kind)
    if seen.channel.kind != "exact":
        raise InputError(f"Puzzles need exact clues, not {seen.channel} ones.")
    posterior = mine_probabilities(seen)
    if not seen.closed.any():
        raise InputError("Every cell is open: there is nothing left to find.")
    made = _guess(posterior) if kind == "guess" else _area(posterior) if kind == "area" else _certain(posterior, kind)
    return replace(made, rules=str(rules_of(seen)), seed=None)


def read_link(link: Name | str) -> Puzzle:
    """Make the puzzle that a link names; raise `InputError` if it names none.

    >>> read_link("subsets.____-1221").solution
    ((0, 0), (0, 3))
    >>> read_link("pairs.9x9.10.7").link
    'pairs.9x9.10.7'
    """
    name = Name.parse(link) if isinstance(link, str) else link
    if name.seed is None:
        return of_position(name.position, name.kind)
    return puzzle(name.kind, name.seed, board=name.board)


def _certain(posterior: Posterior, kind: Kind | None) -> Puzzle:
    if not posterior.safe and not posterior.mines:
        raise InputError("Nothing is certain in this position; it can only make a guess puzzle.")
    level, moment = _easiest_moment(posterior)
    if kind == "chain":
        made = chain_of(moment)
        if made is None:
            raise InputError("No cell here needs some of the nearby clues and not others.")
        return made
    if kind not in (None, level):
        raise InputError(f"This position makes a puzzle of kind {level}, not {kind}.")
    return level_puzzle(moment, level, posterior)


def _easiest_moment(posterior: Posterior) -> tuple[Level, Moment]:
    """Return the easiest level that finds a safe cell, or a mine if no cell is safe, and its moment."""
    seen = posterior.observation
    facts = Facts(seen)
    given = facts.mines
    for level in LEVELS:
        flagged = facts.mines
        reason(facts, level)
        if facts.safe or (not posterior.safe and facts.mines != given):
            return level, moment_of(seen, facts, flagged & ~given)
    raise AssertionError("whatever is certain follows from all the clues and the total")


def _guess(posterior: Posterior) -> Puzzle:
    if posterior.safe:
        raise InputError(f"{posterior.safe[0]} is certainly safe, so no guess is needed.")
    made = guess_of(posterior, Endgame(posterior.observation.topology.n_cells, FEW))
    if made is None:
        raise InputError("The win chances are the same for every cell here, or too hard to compute exactly.")
    return made


def _area(posterior: Posterior) -> Puzzle:
    made = area_of(posterior, 0)
    if made is None:
        raise InputError("There is no area of undecided cells here whose mines can be counted.")
    return made
