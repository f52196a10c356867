"""Puzzles of positions that somebody has: a game that went wrong, a screenshot, a page of a book."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sapper.errors import InputError
from sapper.inference.chances.endgame import FEW, Endgame
from sapper.inference.posterior.exact import mine_probabilities
from sapper.knowledge.facts import Facts
from sapper.observation import Observation
from sapper.play.positions import rules_of
from sapper.train.kinds.areas import area_of
from sapper.train.kinds.chains import chain_of
from sapper.train.kinds.guesses import guess_of
from sapper.train.kinds.moments import moment_of
from sapper.train.levels import LEVELS, reason
from sapper.train.making import level_puzzle, puzzle
from sapper.train.names import Name, read_kind

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sapper.inference.posterior.exact import Posterior
    from sapper.train.kinds.moments import Moment
    from sapper.train.levels import Level
    from sapper.train.names import Kind
    from sapper.train.puzzles import Puzzle


def of_position(position: Observation | str | ArrayLike, kind: Kind | None = None) -> Puzzle:
    """Make the puzzle of any position: of the easiest level that proves a safe cell, or else a mine.

    Flags of the position are taken off, since they may be wrong; on what easier reasoning proves to be a mine there is
    a new one. Raises `InputError` if nothing is certain, or if the position makes no puzzle of the kind asked for, and
    what `mine_probabilities` raises.

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
        raise InputError("Every cell is open; there is nothing left to find.")
    made = _guess(posterior) if kind == "guess" else _area(posterior) if kind == "area" else _certain(posterior, kind)
    return replace(made, rules=str(rules_of(seen)), seed=None)


def read_link(link: Name | str) -> Puzzle:
    """Make the puzzle that a link names, from its seed or from its position; raise `InputError` if it names none.

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
        raise InputError("Nothing is certain in this position; only a guess can be asked for.")
    level, moment = _easiest_moment(posterior)
    if kind == "chain":
        made = chain_of(moment)
        if made is None:
            raise InputError("There is no cell here that is certain by some clues and not by others nearby.")
        return made
    if kind not in (None, level):
        raise InputError(f"This position makes a puzzle of the kind {level}, not {kind}.")
    return level_puzzle(moment, level, posterior)


def _easiest_moment(posterior: Posterior) -> tuple[Level, Moment]:
    """The easiest level that finds something to open, or something to flag where nothing can be opened."""
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
        raise InputError(f"{posterior.safe[0]} is certainly safe, so nobody has to guess.")
    made = guess_of(posterior, Endgame(posterior.observation.topology.n_cells, FEW))
    if made is None:
        raise InputError("The chances to win are the same for every cell here, or too hard to know exactly.")
    return made


def _area(posterior: Posterior) -> Puzzle:
    made = area_of(posterior, 0)
    if made is None:
        raise InputError("There is no area here whose mines can be counted while each of its cells is unknown.")
    return made
