"""Ways of reasoning: sound, and complete for their own rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import naive_reasoning as naive
import numpy as np
import pytest
from effort import times
from hypothesis import given
from oracle import ask_brute_force
from small_boards import small_position
from strategies import played_positions

from sapper.agents.exact import deduce_complete
from sapper.agents.registry import AGENTS, make_agent
from sapper.channel import Channel
from sapper.errors import InputError
from sapper.inference.facts import Facts, cells_of
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.reasoning.contradiction import deduce_contradictions, deduce_least_involved
from sapper.inference.reasoning.one_two import deduce_one_two, why_not
from sapper.inference.reasoning.single import RULES, Deduction, deduce_single
from sapper.inference.reasoning.subsets import deduce_pairs, deduce_subsets, deduce_subsets_and_total
from sapper.layout import Layout
from sapper.observation import EXPLODED, HIDDEN, Observation
from sapper.rules import Rules
from sapper.topology import OWN, SHAPES, Topology, topology
from sapper.world.game import Game, Outcome

Way = Callable[[Facts, Iterable[int]], list[Deduction]]

# Ours, and the same as simply as it can be said.
WAYS: dict[str, tuple[tuple[Way, ...], tuple[Callable[[naive.Naive], bool], ...]]] = {
    "single": ((deduce_single,), (naive.single,)),
    "subsets": ((deduce_single, deduce_subsets), (naive.single, naive.subsets)),
    "pairs": ((deduce_single, deduce_pairs), (naive.single, naive.pairs)),
    "one-two": ((deduce_single, deduce_one_two), (naive.single, naive.one_two)),
    "contradictions": ((deduce_single, deduce_contradictions), (naive.single, naive.contradictions)),
    "least involved": ((deduce_single, deduce_least_involved), (naive.single, naive.least_involved)),
}


def reason(observation: Observation, ways: tuple[Way, ...]) -> tuple[set[int], set[int], list[Deduction]]:
    """Apply ways until nothing changes; return the safe cells, the mines, and the deductions in order."""
    facts = Facts(observation)
    found: list[Deduction] = []
    level = 0
    while level < len(ways):
        new = ways[level](facts, list(facts.clues))
        found += new
        level = 0 if new and level else level + 1
    board = observation.topology
    safe = {board.index(*one.cell) for one in found if not one.is_mine}
    return safe, {board.index(*one.cell) for one in found if one.is_mine}, found


def random_positions(n: int, seed: int, sizes: tuple[int, int] = (4, 9)) -> Iterable[Observation]:
    """Positions of games in progress: part of a layout is open, some mines have exploded."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        shape = str(rng.choice(["square", "square", *SHAPES[1:]]))
        board = topology(shape, int(rng.integers(*sizes)), int(rng.integers(*sizes)))  # type: ignore[arg-type]
        layout = Layout(board, rng.random(board.n_cells) < rng.choice([0.12, 0.2, 0.3]))
        cells = np.full(board.n_cells, HIDDEN, dtype=np.int8)
        is_open = rng.random(board.n_cells) < rng.choice([0.3, 0.5, 0.7])
        clues = layout.clues().ravel()
        cells[is_open] = np.where(layout.mines.ravel(), EXPLODED, clues)[is_open]
        yield Observation(board, cells, layout.n_mines if rng.random() < 0.5 else None)


@pytest.mark.parametrize("name", WAYS)
@given(position=played_positions(max_hidden=14))
def test_each_way_finds_exactly_what_its_rules_give(name: str, position: Observation) -> None:
    ours, simple = WAYS[name]
    safe, mines, _ = reason(position, ours)
    assert (safe, mines) == naive.fixpoint(position, *simple)


@pytest.mark.parametrize("name", WAYS)
def test_each_way_finds_exactly_what_its_rules_give_on_larger_boards(name: str) -> None:
    ours, simple = WAYS[name]
    for position in random_positions(times(15, 40), seed=11, sizes=(6, 9)):
        safe, mines, _ = reason(position, ours)
        assert (safe, mines) == naive.fixpoint(position, *simple), position


@pytest.mark.slow
@pytest.mark.parametrize("name", [*WAYS, "subsets and total"])
def test_no_deduction_is_refuted_by_any_layout(name: str) -> None:
    ways = WAYS[name][0] if name in WAYS else (deduce_single, deduce_subsets_and_total)
    n_found = 0
    for position in random_positions(times(200, 1500), seed=5):
        certain = mine_probabilities(position)
        _, _, found = reason(position, ways)
        for one in found:
            assert one.cell in (certain.mines if one.is_mine else certain.safe), (str(position), str(one))
            assert one.rule in RULES
        n_found += len(found)
    assert n_found > times(100, 1000)


def certain_by_all_layouts(position: Observation) -> tuple[set[int], set[int]]:
    """The cells that are clear in every layout that fits, and those that are mines in every one."""
    _, _, chances = ask_brute_force(position)
    return {cell for cell, p in enumerate(chances) if p == 0}, {cell for cell, p in enumerate(chances) if p == 1}


@pytest.mark.parametrize("text", ["exact", "liar", "liar:0.3"])
@pytest.mark.parametrize("shape", [*SHAPES, OWN])
def test_no_way_misfires_on_any_shape(shape: str, text: str) -> None:
    """Walls and corners are of squares alone: what is deduced elsewhere holds in every layout all the same."""
    rng = np.random.default_rng([17, len(shape), len(text)])
    for _ in range(times(25, 100)):
        position = small_position(shape, Channel.parse(text), rng, share_of_nonsense=0.0)
        certain_safe, certain_mines = certain_by_all_layouts(position)
        for name, (ways, _) in WAYS.items():
            safe, mines, _ = reason(position, ways)
            assert safe <= certain_safe, (name, str(position))
            assert mines <= certain_mines, (name, str(position))


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["knight", "orthogonal"])
def test_there_is_no_one_two_where_neighbours_share_nothing(shape: str) -> None:
    for rows, cols in ((3, 3), (5, 6), (9, 9)):
        board = topology(shape, rows, cols)  # type: ignore[arg-type]
        assert f"{rows} x {cols} {shape}" in why_not(board)
    for position in random_positions(300, seed=2):
        board = topology(shape, *position.cells.shape)  # type: ignore[arg-type]
        cells = np.minimum(position.cells.ravel(), board.degree)
        assert not deduce_one_two(Facts(Observation(board, cells)), np.flatnonzero(cells >= 0).tolist())


def test_a_board_of_ones_own_may_have_a_one_two() -> None:
    # Cells 0 and 1 touch each other and both 2 and 3; 1 touches 4 too.
    board = Topology.of_neighbours(1, 5, [[1, 2, 3], [0, 2, 3, 4], [0, 1], [0, 1], [1]])
    assert not why_not(board)
    facts = Facts(Observation.from_array([[1, 2, HIDDEN, HIDDEN, HIDDEN]], topology=board))
    assert [str(one.cell) for one in deduce_one_two(facts, [0, 1])] == ["(0, 4)"]
    assert why_not(Topology.of_neighbours(1, 4, [[1, 3], [0, 2], [1, 3], [2, 0]]))


@given(position=played_positions(max_hidden=14))
def test_the_total_is_used_soundly_and_adds_to_the_statements(position: Observation) -> None:
    certain = mine_probabilities(position)
    safe, mines, found = reason(position, (deduce_single, deduce_subsets_and_total))
    for one in found:
        assert one.cell in (certain.mines if one.is_mine else certain.safe), str(one)
    plain_safe, plain_mines, _ = reason(position, (deduce_single, deduce_subsets))
    assert safe >= plain_safe
    assert mines >= plain_mines


def test_complete_finds_all_that_the_engine_finds() -> None:
    for position in random_positions(200, seed=3):
        facts = Facts(position)
        certain = mine_probabilities(position)
        found = deduce_complete(facts, certain)
        assert {one.cell for one in found if one.is_mine} == set(certain.mines)
        assert {one.cell for one in found if not one.is_mine} == set(certain.safe)


@pytest.mark.slow
def test_stronger_ways_find_more() -> None:
    counts = dict.fromkeys(WAYS, 0)
    n_certain = 0
    for position in random_positions(150, seed=8):
        for name, (ways, _) in WAYS.items():
            counts[name] += len(reason(position, ways)[2])
        certain = mine_probabilities(position)
        n_certain += len(certain.safe) + len(certain.mines)
    assert counts["single"] < counts["one-two"] < counts["pairs"] <= counts["contradictions"] < n_certain
    assert counts["single"] < counts["subsets"]
    assert counts["single"] < counts["least involved"] < counts["contradictions"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["basic", "statements", "statements-count", "infer", "one-two", "contradiction-full"])
def test_an_agent_that_follows_a_game_knows_what_one_that_just_arrived_finds(name: str) -> None:
    """Working from what changed misses nothing: at every guess, a newcomer deduces the same cells."""
    n_compared = 0
    for seed in range(40):
        game = Game(Rules.parse("7x7/10 survey"), seed)
        agent = make_agent(name, seed)
        known: set[tuple[tuple[int, int], bool]] = set()
        while game.outcome is Outcome.PLAYING:
            observation = game.observation
            decision = agent.decide(observation)
            known |= {(one.cell, one.is_mine) for one in decision.deductions}
            if decision.cell is None:
                break
            waiting = any(observation.closed[cell] for cell, is_mine in known if not is_mine)
            if decision.p_mine != 0.0 and not waiting:
                newcomer = make_agent(name, seed).decide(observation)
                fresh = {(one.cell, one.is_mine) for one in newcomer.deductions}
                assert fresh == {one for one in known if observation.closed[one[0]]}
                n_compared += 1
            game.open(*decision.cell)
    assert n_compared > 60


def test_an_optimistic_clue_is_a_lower_bound_and_a_cautious_one_an_upper() -> None:
    facts = Facts(Observation.parse("1##/### optimistic:0.5"))
    assert facts.statement(0) == (0b11010, 1, 3)
    facts = Facts(Observation.parse("1##/### cautious:0.5"))
    assert facts.statement(0) == (0b11010, 0, 1)


def test_every_registered_agent_says_who_it_is() -> None:
    for name, entry in AGENTS.items():
        assert entry.name == name
        assert entry.about.endswith(".")
        assert len(entry.about) > 60


def test_facts_do_not_take_what_cannot_follow() -> None:
    facts = Facts(Observation.parse("1#/## 1"))
    assert facts.take(Observation.parse("11/## 1"))
    assert cells_of(facts.unknown) == [2, 3]
    assert not facts.take(Observation.parse("2#/## 1"))
    assert not facts.take(Observation.parse("1#/## 2"))
    assert not facts.take(Observation.parse("1#/## 1 torus"))


def test_a_board_too_large_for_sets_of_cells_is_refused() -> None:
    with pytest.raises(InputError, match="at most 40,000 cells"):
        make_agent("basic").decide(Game(Rules.parse("201x200/5000"), 1).observation)


def test_a_silent_cell_may_speak_but_not_hide() -> None:
    facts = Facts(Observation.parse(".#/## 1 withheld:0.5"))
    assert not facts.take(Observation.parse("##/## 1 withheld:0.5"))
    assert facts.take(Observation.parse("1#/## 1 withheld:0.5"))
    assert facts.statement(0) == (0b1110, 1, 1)
