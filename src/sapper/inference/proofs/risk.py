"""What is to be said of a cell that may or may not be a mine: its risk, and what choosing it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sapper.channel import ALWAYS_WRONG
from sapper.inference.reasoning.deduction import name_clue
from sapper.kernels.codes import MINE, SAFE
from sapper.words import count, count_mines, name_cells, percent

if TYPE_CHECKING:
    from sapper.inference.posterior.exact import Posterior
    from sapper.knowledge.facts import Facts
    from sapper.topology import Cell

# So many of the best cells are named; the value has them all.
_MOST_NAMED = 4


class Share(NamedTuple):
    """What a clue beside the cell says on its own: so many mines for so many cells that are not certain."""

    clue: Cell
    fewest: int
    most: int
    n_cells: int


class Risk(NamedTuple):
    """The risk of a cell, beside the least there is."""

    cell: Cell
    p_mine: float
    best: tuple[Cell, ...]  # the cells of least risk
    p_best: float
    p_zero: float  # chance that it shows a zero
    shares: tuple[Share, ...]  # of the clues that touch it, row by row

    @property
    def cost(self) -> float:
        """How much more risky it is than the best cells: a difference of chances."""
        return 0.0 if self.cell in self.best else max(0.0, self.p_mine - self.p_best)


def weigh(facts: Facts, posterior: Posterior, row: int, col: int) -> Risk:
    """Return the risk of an uncertain cell; ``facts`` are those of the position with nothing deduced."""
    best = posterior.best
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
    return Risk(
        (row, col),
        float(posterior.p_mine[row, col]),
        best,
        float(posterior.p_mine[best[0]]),
        float(posterior.p_clue(row, col)[0]),
        tuple(shares),
    )


def describe_risk(facts: Facts, risk: Risk) -> tuple[str, ...]:
    """Return what there is to say of an uncertain cell, a sentence each."""
    said = [f"{risk.cell} is not certain: it is a mine with a chance of {_percent(risk.p_mine)}."]
    others = [cell for cell in risk.best if cell != risk.cell]
    if risk.cell in risk.best:
        as_good = (
            f", and {name_cells(others, _MOST_NAMED)} {'is' if len(others) == 1 else 'are'} as good" if others else ""
        )
        said.append(f"No cell has less risk{as_good}.")
    else:
        least = "safe" if risk.p_best == 0.0 else f"best, with {_percent(risk.p_best)}"
        are = "is" if len(others) == 1 else "are"
        said.append(
            f"{name_cells(others, _MOST_NAMED)} {are} {least}: choosing {risk.cell} instead costs {_points(risk.cost)}."
        )
    zero = "It cannot show a 0" if risk.p_zero == 0.0 else f"It shows a 0 with a chance of {_percent(risk.p_zero)}"
    said.append(f"{zero}.")
    shares = [_describe_share(facts, share) for share in risk.shares]
    return (*said, *(shares or ["No clue touches it."]))


def _describe_share(facts: Facts, share: Share) -> str:
    clue = name_clue(facts, facts.board.index(*share.clue))
    cells = f"{count(share.n_cells, 'uncertain cell')}"
    if share.fewest == share.most:
        each = _percent(share.most / share.n_cells)
        mines = count_mines(share.most)
    else:
        low, high = share.fewest / share.n_cells, share.most / share.n_cells
        each = f"{percent(low, low == 0.0, 1)} to {percent(high, high == 1.0, 1)}"
        # A clue that is always wrong leaves out what is in between.
        mines = f"{share.fewest} {'or' if facts.channel == ALWAYS_WRONG else 'to'} {count_mines(share.most)}"
    return f"{clue[0].upper()}{clue[1:]}, taken alone, has {mines} left for {cells}: {each} each."


def _percent(p: float) -> str:
    return percent(p, False, 1)


def _points(cost: float) -> str:
    points = percent(cost, False, 1).removesuffix("%")
    return f"{points} percentage points"
