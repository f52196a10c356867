"""What no clue will ever tell apart: found as a plain search finds it, weighed as layouts are counted one by one."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from effort import times
from guessing import guessing_positions
from perfect import list_layouts

from sapper.inference.evaluation.decision import Decider
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels.search.exchanges import LEAST_LOSS, LEAST_ROUGH, MAX_EXCHANGE_STEPS
from sapper.kernels.search.lookahead import EARLY
from sapper.kernels.search.player import MAX_EXCHANGE_CELLS, MAX_EXCHANGES, MAX_OUTSIDE
from sapper.observation import HIDDEN, Observation

if TYPE_CHECKING:
    from numpy.typing import NDArray

Exchange = tuple[frozenset[int], frozenset[int]]  # the mines, and the cells that are clear

BOARDS = ["5x5/7", "6x5/8 first-opening", "5x5/6 hex", "5x5/6 knight", "5x5/8 orthogonal", "5x6/11 torus"]


class Around:
    """A position with what is asked about it all the time."""

    def __init__(self, position: Observation) -> None:
        self.cells = position.cells.ravel()
        self.p = mine_probabilities(position).p_mine.ravel()
        self.near = [set(position.topology.neighbours_of(cell)) for cell in range(position.topology.n_cells)]
        hidden = np.flatnonzero(self.cells == HIDDEN).tolist()
        self.unknown = [cell for cell in hidden if 0.0 < self.p[cell] < 1.0]
        self.clues = np.flatnonzero(self.cells >= 0).tolist()
        self.touched = [cell for cell in self.unknown if self.near[cell] & set(self.clues)]
        self.is_early = len(self.clues) < EARLY * position.topology.n_cells

    def imbalance(self, cell: int, side: dict[int, int]) -> int:
        """How many more cells of the one side than of the other a cell touches."""
        return sum(sign for member, sign in side.items() if cell in self.near[member])

    def ways(self, side: dict[int, int]) -> tuple[float, float]:
        """Estimate the probabilities that one side is all mines, and that the other is."""
        signed = np.array([self.p[cell] if sign > 0 else 1.0 - self.p[cell] for cell, sign in side.items()])
        return float(np.prod(signed)), float(np.prod(1.0 - signed))


def as_exchange(side: dict[int, int]) -> Exchange:
    """The two sides of an exchange, the one with the least cell first."""
    first = side[min(side)]
    one = frozenset(cell for cell, sign in side.items() if sign == first)
    return one, frozenset(side) - one


def grown_exchanges(at: Around, least: float = LEAST_ROUGH, most_steps: int = MAX_EXCHANGE_STEPS) -> set[Exchange]:
    """All exchanges, grown from each cell: the first clue with an imbalance needs another cell on the other side.

    If there is none and the sides are not equally long, a cell that no clue touches may make up for it.
    """
    found = set()
    n_steps = 0

    def grow(side: dict[int, int]) -> None:
        nonlocal n_steps
        clue = next((clue for clue in at.clues if at.imbalance(clue, side)), None)
        excess = sum(side.values()) if clue is None else at.imbalance(clue, side)
        if excess == 0:
            found.add(as_exchange(side))
            return
        first = next(iter(side))
        wanted = (
            [cell for cell in likely if cell > first and cell in at.near[clue]]
            if clue is not None
            else [cell for cell in likely if cell not in at.touched and at.near[cell] & set(side)]
        )
        for cell in sorted(set(wanted) - set(side)):
            longer = side | {cell: -1 if excess > 0 else 1}
            if len(side) < MAX_EXCHANGE_CELLS and n_steps < most_steps and max(at.ways(longer)) >= least:
                n_steps += 1
                grow(longer)

    likely = [cell for cell in at.unknown if min(at.p[cell], 1.0 - at.p[cell]) >= min(LEAST_LOSS, least)]
    for first in likely:
        n_steps = 0
        if first in at.touched:
            grow({first: 1})
    return found


def outside_of(at: Around, exchange: Exchange) -> list[int]:
    """The cells that touch one side more often than the other, and may be opened."""
    side = dict.fromkeys(exchange[0], 1) | dict.fromkeys(exchange[1], -1)
    touched = set().union(*(at.near[cell] for cell in side)) - set(side)
    return [cell for cell in sorted(touched) if at.imbalance(cell, side) and at.p[cell] != 1.0]


def rough_chance(at: Around, exchange: Exchange) -> float:
    """Estimate the probability that an exchange stays unresolved."""
    members = list(exchange[0] | exchange[1])
    one_way, other_way = at.ways(dict.fromkeys(exchange[0], 1) | dict.fromkeys(exchange[1], -1))
    most = min(float(at.p[members].min()), float(1.0 - at.p[members].max()))
    return one_way if at.is_early else min(max(one_way, other_way), most)


def layouts_of(position: Observation) -> NDArray[np.bool_]:
    """All layouts that fit, a row each."""
    return np.array([layout.mines.ravel() for layout in list_layouts(position)])


def counted_credit(position: Observation) -> NDArray[np.float64]:
    """One minus the chance that each exchange a cell settles costs the game, multiplied: by counting layouts."""
    at, mined = Around(position), layouts_of(position)
    pairs = {(frozenset({one}), frozenset({two})) for one, two in combinations(at.unknown, 2) if two in at.near[one]}
    exchanges = set() if at.is_early else grown_exchanges(at) - pairs
    credit = np.ones(len(at.cells))
    for exchange in pairs | exchanges:
        least = LEAST_LOSS if exchange in pairs else LEAST_ROUGH
        outside = outside_of(at, exchange)
        if any(at.cells[cell] >= 0 for cell in outside) or len(outside) > MAX_OUTSIDE:
            continue
        if rough_chance(at, exchange) * np.prod(at.p[outside]) < least:
            continue
        fits = mined[:, [*exchange[0], *outside]].all(axis=1) & ~mined[:, list(exchange[1])].any(axis=1)
        if fits.mean() >= LEAST_LOSS:
            credit[[*exchange[0], *exchange[1], *outside]] *= 1.0 - fits.mean()
    return credit


def weighed_credit(position: Observation) -> NDArray[np.float64]:
    """What the compiled search credits."""
    decider = Decider(position.topology)
    decider.look_ahead(mine_probabilities(position))
    return decider.forced_loss_credit


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("text", BOARDS)
def test_relief_is_that_of_counting_layouts(text: str) -> None:
    n_credited = 0
    for position in guessing_positions(text, range(times(20, 60)), 3000)[: times(6, 40)]:
        at = Around(position)
        if len(grown_exchanges(at, most_steps=2 * MAX_EXCHANGE_STEPS)) > min(len(grown_exchanges(at)), MAX_EXCHANGES):
            continue  # the search gives up somewhere, and where depends on its order
        expected = counted_credit(position)
        assert weighed_credit(position) == pytest.approx(expected, abs=1e-9)
        n_credited += int(np.count_nonzero(expected < 1.0))
    assert n_credited > times(3, 20)


@pytest.mark.slow
@pytest.mark.parametrize("text", BOARDS)
def test_every_clue_is_blind_to_the_exchange(text: str) -> None:
    """Every layout with one has a twin that fits as well, and what can be opened in both shows the same in both."""
    n_twins = 0
    for position in guessing_positions(text, range(times(20, 300)), 300):
        at, mined = Around(position), layouts_of(position)
        known = {row.tobytes() for row in mined}
        touch = np.array([[other in at.near[cell] for other in range(len(at.cells))] for cell in range(len(at.cells))])
        for exchange in grown_exchanges(at):
            outside = [cell for cell in outside_of(at, exchange) if at.cells[cell] < 0]
            fits = mined[:, [*exchange[0], *outside]].all(axis=1) & ~mined[:, list(exchange[1])].any(axis=1)
            for row in mined[fits]:
                twin = row.copy()
                twin[[*exchange[0], *exchange[1]]] ^= True
                assert twin.tobytes() in known
                both_open = ~row & ~twin
                assert np.array_equal((touch @ row)[both_open], (touch @ twin)[both_open])
                n_twins += 1
    assert n_twins > times(3, 100)


@pytest.mark.slow
@pytest.mark.parametrize("text", BOARDS)
def test_no_smallest_chain_is_missed(text: str) -> None:
    """All sets with two sides that no clue tells apart, by trying all of them: those without a smaller one inside."""
    n_found = 0
    for position in guessing_positions(text, range(times(100, 300)), 200):
        at = Around(position)
        if len(at.unknown) > 8:
            continue
        even = [
            dict(zip(members, (1, *signs), strict=True))
            for size in range(2, 7)
            for members in combinations(at.touched, size)
            for signs in product((1, -1), repeat=size - 1)
        ]
        even = [side for side in even if not any(at.imbalance(clue, side) for clue in at.clues)]
        smallest = {
            as_exchange(side)
            for side in even
            if sum(side.values()) == 0
            and not any(
                other.keys() < side.keys() and len({side[cell] * sign for cell, sign in other.items()}) == 1
                for other in even
            )
        }
        assert smallest <= grown_exchanges(at, 0.0, 10**9)
        n_found += len(smallest)
    assert n_found > times(5, 20)


def test_a_square_with_mines_at_opposite_corners_is_a_guess_that_has_to_be_made() -> None:
    position = Observation.parse("##10/##21/12#1/0111 3")
    assert weighed_credit(position).reshape(4, 4)[:2, :2] == pytest.approx(0.5)


def test_guesses_that_are_linked_through_clues_are_one_guess() -> None:
    """Six cells up the right side, linked through the clues between them: one half, whichever of them is opened."""
    position = Observation.parse("0001##/0123#2/12##2#/2#5331/2#4#2#/12#22# 9")
    exchange = sorted(Around(position).unknown)
    assert len(exchange) == 6
    assert mine_probabilities(position).p_mine.ravel()[exchange] == pytest.approx(0.5)
    assert weighed_credit(position)[exchange] == pytest.approx(0.5)
