"""Puzzles from seeds, without limit; the same seed makes the same puzzle on every machine."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from sapper.errors import GaveUp, RulesError, TooHard
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import Explanation, explain
from sapper.inference.proofs.grounds import find_grounds
from sapper.knowledge.facts import Facts
from sapper.observation import FLAG
from sapper.play.boards.noguess import check_rules
from sapper.rules import Rules
from sapper.train.areas import make_area
from sapper.train.chains import make_chain
from sapper.train.guesses import make_guess
from sapper.train.moments import moments
from sapper.train.puzzles import Kind, Puzzle, read_kind
from sapper.world.generate import MAX_SEED, check_seed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.inference.posterior.exact import Posterior
    from sapper.topology import Cell
    from sapper.train.levels import Level
    from sapper.train.moments import Moment

_MOST_CELLS = 4  # certain cells that are tried for the easiest proof
_MOST_SOLUTIONS = 8  # a task with more answers than that is no task
_MOST_REFUSED = 1000  # moments that are boring, before giving up

# What each level is worth on the scale of ratings, before the proof is looked at.
_BASE: dict[Level, int] = {"single": 600, "subsets": 850, "one-two": 1050, "pairs": 1250, "cases": 1500, "total": 1650}
_PER_CLUE, _PER_STEP, _PER_CELL = 60, 15, 3


def puzzle(kind: Kind = "subsets", seed: int = 0, *, board: Rules | str = "beginner") -> Puzzle:
    """Make the puzzle of a seed: of a level of reasoning, or a ``guess``, ``area`` or ``chain``.

    >>> made = puzzle("pairs", 7)
    >>> made.task
    'Open a cell that is certainly safe.'
    """
    rules = read_board(board)
    check_seed(seed)
    read_kind(kind)
    if kind == "guess":
        made = make_guess(rules, seed)
    elif kind == "area":
        made = make_area(rules, seed)
    elif kind == "chain":
        made = make_chain(rules, seed)
    else:
        found = (_of_moment(moment, kind) for moment in islice(moments(rules, kind, seed), _MOST_REFUSED))
        made = next((one for one in found if one is not None), None)
    if made is None:
        raise GaveUp(f"Found no puzzle of the kind {kind} on a board {rules} for seed {seed}.", _MOST_REFUSED)
    return replace(made, rules=str(rules), seed=seed)


def puzzles(kind: Kind = "subsets", seed: int = 0, *, board: Rules | str = "beginner") -> Iterator[Puzzle]:
    """Make puzzles without end, from this seed on; no two alike follow each other."""
    rules, last = read_board(board), None
    while seed <= MAX_SEED:
        made = puzzle(kind, seed, board=rules)
        if _likeness(made) != last:
            yield made
        last = _likeness(made)
        seed += 1


def read_board(board: Rules | str) -> Rules:
    """The rules of the games that puzzles come from: exact clues, and a first cell that opens something."""
    rules = Rules.parse(board) if isinstance(board, str) else board
    check_rules(rules)
    if not rules.total_known:
        raise RulesError("Puzzles come from boards whose number of mines is known.")
    # Any cell may come first, so there has to be room for an opening at each of them.
    has_room = rules.mines < rules.n_cells - int(rules.topology.degree.max(initial=0))
    return replace(rules, first_click="opening" if has_room else "safe", opened_mine="ends", cascade=True)


def level_puzzle(moment: Moment, level: Level, posterior: Posterior) -> Puzzle:
    """The puzzle of a moment of this level, however boring it is; ``posterior`` is that of its position."""
    # Where nothing is safe, a mine is to be flagged.
    opens = bool(moment.safe)
    solution = posterior.safe if opens else _unflagged(moment, posterior)
    proof = _easiest(moment, moment.safe if opens else moment.mines)
    task = "Open a cell that is certainly safe." if opens else "Nothing is safe yet: flag a cell that is a mine."
    return Puzzle(level, "", 0, moment.position, task, solution, _difficulty(level, proof), proof)


def _of_moment(moment: Moment, level: Level) -> Puzzle | None:
    """The puzzle of a moment, or None if it is boring."""
    # What a level finds is part of what is certain, so this needs no look at the rest.
    if len(moment.safe) > _MOST_SOLUTIONS:
        return None
    try:
        posterior = mine_probabilities(moment.position)
        n_solutions = len(posterior.safe if moment.safe else _unflagged(moment, posterior))
        misleads = bool(posterior.safe) and not moment.safe
        if misleads or n_solutions > _MOST_SOLUTIONS or _has_only_to_count(moment):
            return None
        made = level_puzzle(moment, level, posterior)
    except TooHard:
        return None
    assert made.proof is not None
    return made if len(made.proof.clues) + made.proof.total >= 2 else None


def _unflagged(moment: Moment, posterior: Posterior) -> tuple[Cell, ...]:
    return tuple(cell for cell in posterior.mines if moment.position.cells[cell] != FLAG)


def _easiest(moment: Moment, cells: tuple[Cell, ...]) -> Explanation:
    """The proof of the cell that takes the fewest clues; to prove them all would take too long."""
    position = moment.position
    given = position.with_flags_as_mines()
    facts, number = Facts(given), given.topology.number

    def n_clues(cell: Cell) -> int:
        clues, _ = next(find_grounds(facts, number(cell), cell in moment.mines))
        return len(clues)

    return explain(position, *min(cells[:_MOST_CELLS], key=n_clues), trust_flags=True)


def _n_flags(moment: Moment) -> int:
    return int((moment.position.cells == FLAG).sum())


def _has_only_to_count(moment: Moment) -> bool:
    """Whether all mines are flagged, or all that is hidden is a mine."""
    left = (moment.position.total or 0) - _n_flags(moment)
    return left in (0, int(moment.position.closed.sum()) - _n_flags(moment))


def _difficulty(level: Level, proof: Explanation) -> int:
    """What a puzzle is worth: the level first, then how many clues, steps and cells one has to hold in mind."""
    n_clues = len(proof.clues) + proof.total
    n_cells = len({cell for step in proof.steps for cell in step.cells})
    return (
        _BASE[level]
        + _PER_CLUE * max(n_clues - 2, 0)
        + _PER_STEP * max(len(proof.steps) - 2, 0)
        + _PER_CELL * max(n_cells - 3, 0)
    )


def _likeness(made: Puzzle) -> tuple[object, ...]:
    """Puzzles with the same clues to look at are alike, wherever they lie on the board."""
    cells = made.position.cells
    shown = sorted(int(cells[clue]) for clue in made.proof.clues) if made.proof is not None else []
    return made.kind, tuple(shown), len(made.solution), made.number, len(made.marked)
