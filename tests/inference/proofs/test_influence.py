from __future__ import annotations

from itertools import combinations, product

import pytest
from effort import times
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import ask_brute_force
from strategies import played_positions

from sapper.agents.registry import make_agent
from sapper.inference.proofs.influence import Influence, Node, component_size, farthest, smallest_proof
from sapper.inference.reasoning.single import SINGLE, TOTAL, Deduction
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.play.influence.follow import Followed, compare_players, follow_match, follow_record, show_divide
from sapper.play.influence.measure import dividing_lines, measure, measure_game
from sapper.play.match import play_match
from sapper.play.record import Move, Record
from sapper.rules import Rules
from sapper.topology import SHAPES, Shape, topology
from sapper.world.game import Game

CLUE_NAMING_AGENTS = ("basic", "local", "statements", "statements-count", "infer", "contradiction-full", "one-two")


def replayed(layout: str, *moves: str, rules: str = "", agent: str = "basic") -> Followed:
    """A game on a given layout with given moves, ``row,col`` each, while an agent deduces."""
    truth = Layout.parse(layout)
    board = f"{truth.topology.rows}x{truth.topology.cols}/{truth.n_mines} first-any {rules}"
    places = [tuple(map(int, move.split(","))) for move in moves]
    parsed = [Move("open", row, col) for row, col in places]
    return follow_record(Record(Rules.parse(board), 0, tuple(parsed), truth), make_agent(agent))


def node_about(followed: Followed, row: int, col: int, deduced: bool) -> Node:
    return next(one for one in followed.graph.nodes if one.cell == (row, col) and one.is_deduction == deduced)


# -- depth on games made by hand ------------------------------------------------------------------------------


def test_a_deduction_from_a_guessed_clue_has_depth_one_and_the_next_two() -> None:
    followed = replayed("-*--", "0,0", "0,2", "0,3")
    assert node_about(followed, 0, 0, False).kind == "guessed"
    assert node_about(followed, 0, 1, True)[2:5] == ("mine", 1, (0,))
    safe = node_about(followed, 0, 3, True)
    assert (safe.kind, safe.depth) == ("safe", 2)
    assert safe.clues == (((0, 2), 1),)
    assert {followed.graph.nodes[number].cell for number in safe.rests_on} == {(0, 1), (0, 2)}
    last = node_about(followed, 0, 3, False)
    assert (last.kind, last.depth, last.rests_on) == ("opened", 2, (safe.number,))
    assert followed.n_guesses == 2
    assert followed.graph.length == 2
    assert [followed.graph.describe(node) for node in followed.graph.longest_chain()] == [
        "(0, 0) guessed",
        "(0, 1) a mine because of the 1 at (0, 0)",
        "(0, 3) safe because of the 1 at (0, 2), with (0, 1) a mine",
    ]


def test_a_cascade_rests_on_the_cell_that_was_chosen() -> None:
    followed = replayed("---*-", "0,0", "0,4")
    assert node_about(followed, 0, 2, False).kind == "cascade"
    found = node_about(followed, 0, 3, True)
    assert found.depth == 1
    chain = followed.graph.longest_chain()
    assert [node.cell for node in chain] == [(0, 0), (0, 3)]
    assert followed.graph.describe(found) == "(0, 3) a mine because of the 1 at (0, 2) opened with (0, 0)"
    # From one end of the chain to the other, not from the clue.
    assert measure(followed).span == 3


def test_a_cascade_from_a_proved_cell_is_as_deep_as_its_proof() -> None:
    followed = replayed("-*-----*", "0,0", "0,2", "0,3")
    assert node_about(followed, 0, 3, False).kind == "opened"
    assert node_about(followed, 0, 6, False).depth == node_about(followed, 0, 3, True).depth == 2
    # The agent looks on before moves only, so that nobody asked it about (0, 7).
    assert followed.graph.length == 2


def test_cells_that_one_clue_settles_together_do_not_rest_on_each_other() -> None:
    followed = replayed("*-*", "0,1")
    graph = Influence(followed.game.rules.topology)
    graph.open(1)
    for col in (0, 2):
        graph.deduce(Deduction((0, col), True, SINGLE, ((0, 1),), "both"), Observation.parse("#2#"))
    assert [(node.depth, node.rests_on) for node in graph.deductions] == [(1, (0,)), (1, (0,))]


def test_what_a_deduction_does_not_need_is_left_out() -> None:
    # Two hidden cells for two mines: that one of them is known already is nothing to the other.
    seen = Observation.parse("11/2#/1#")
    graph = Influence(seen.topology)
    for cell in (0, 1, 2, 4):
        graph.open(cell)
    first = graph.deduce(Deduction((1, 1), True, SINGLE, ((0, 0),), "…"), seen)
    second = graph.deduce(Deduction((2, 1), True, SINGLE, ((1, 0),), "…"), seen)
    assert (first.depth, second.depth) == (1, 1)
    assert graph.hidden_sources(second) == []


def test_the_total_rests_on_every_mine_that_is_known() -> None:
    seen = Observation.parse("1#1## 1")
    graph = Influence(seen.topology)
    graph.open(0)
    graph.open(2)
    graph.deduce(Deduction((0, 1), True, SINGLE, ((0, 0),), "…"), seen)
    last = graph.deduce(Deduction((0, 4), False, TOTAL, (), "all mines are found"), seen)
    assert (last.depth, last.with_total) == (2, True)
    assert [node.cell for node in graph.hidden_sources(last)] == [(0, 1)]
    assert graph.describe(last) == "(0, 4) safe because of the total, with (0, 1) a mine"


def test_a_position_in_the_middle_of_a_game_begins_with_given_cells() -> None:
    seen = Observation.parse("1#")
    graph = Influence(seen.topology)
    graph.deduce(Deduction((0, 1), True, SINGLE, ((0, 0),), "…"), seen)
    assert [node.kind for node in graph.longest_chain()] == ["given", "mine"]


def test_an_empty_graph_has_no_chain() -> None:
    graph = Influence(topology("square", 2, 2))
    assert (graph.length, graph.longest_chain(), graph.deductions) == (0, (), [])


def test_a_chord_opens_what_was_proved_and_what_was_not() -> None:
    truth = Layout.parse("---/-*-/---")
    moves = (Move("open", 0, 0), Move("flag", 1, 1), Move("chord", 0, 0), Move("chord", 0, 1))
    followed = follow_record(Record(Rules.parse("3x3/1 first-any"), 0, moves, truth), make_agent("basic"))
    # The 1 in the corner has three hidden neighbours: nothing is proved, the flag is an opinion.
    assert node_about(followed, 0, 1, False).kind == "guessed"
    # By then (1, 1) is known, and with it the neighbours of the second chord.
    assert node_about(followed, 0, 2, False).kind == "opened"


# -- against recomputation and brute force --------------------------------------------------------------------


def games(size: int = 5) -> st.SearchStrategy[Game]:
    def make(shape: str, rows: int, cols: int, mines: int, seed: int, survey: bool, known: bool) -> Game:
        words = f"{shape} first-any {'survey' if survey else 'classic'} {'total-known' if known else 'total-hidden'}"
        return Game(Rules.parse(f"{rows}x{cols}/{min(mines, rows * cols)} {words}"), seed)

    shapes = st.sampled_from(SHAPES)
    sizes = st.integers(1, size)
    return st.builds(make, shapes, sizes, sizes, st.integers(0, 8), st.integers(0, 9999), st.booleans(), st.booleans())


def naive_depth(nodes: list[Node], number: int) -> int:
    below = [naive_depth(nodes, other) for other in nodes[number].rests_on]
    return max(below, default=0) + (nodes[number].kind in ("safe", "mine"))


@given(games(), st.sampled_from((*CLUE_NAMING_AGENTS, "exact")), st.integers(0, 99))
@settings(max_examples=times(20, 80))
def test_depth_is_what_a_recomputation_gives(game: Game, agent: str, seed: int) -> None:
    graph = follow_match(game, make_agent(agent, seed)).graph
    for node in graph.nodes:
        assert all(other < node.number for other in node.rests_on)
        assert node.depth == naive_depth(graph.nodes, node.number)
    chain = graph.longest_chain()
    assert sum(node.is_deduction for node in chain) == graph.length
    # The total may be all that the first deduction rests on; any other chain begins with a guess.
    assert [node.depth for node in chain] == list(range(graph.length - len(chain) + 1, graph.length + 1))
    assert not chain or chain[0].kind == "guessed" or chain[0].with_total


@given(games(4), st.sampled_from(CLUE_NAMING_AGENTS), st.integers(0, 99))
@settings(max_examples=times(20, 60))
def test_a_deduction_follows_from_what_it_rests_on_and_needs_all_of_it(game: Game, agent: str, seed: int) -> None:
    followed = follow_match(game, make_agent(agent, seed))
    graph = followed.graph
    for node in graph.deductions[:12]:
        sources = [graph.nodes[number] for number in node.rests_on]
        assert proves(followed.made_from[node.number], sources, node)
        for left_out in sources:
            fewer = [source for source in sources if source is not left_out]
            assert not proves(followed.made_from[node.number], fewer, node)


def proves(seen: Observation, sources: list[Node], node: Node) -> bool:
    """Whether these clues and known cells alone settle a cell, by listing every layout."""
    cells = seen.cells.copy()
    clues = {source.cell for source in sources if not source.is_deduction}
    for cell in product(range(seen.rows), range(seen.cols)):
        if cells[cell] >= 0 and cell not in clues:
            cells[cell] = NO_CLUE
        elif cells[cell] == FLAG:
            cells[cell] = HIDDEN
    for source in sources:
        if source.is_deduction:
            cells[source.cell] = EXPLODED if source.kind == "mine" else NO_CLUE
    asked = Observation(seen.topology, cells, seen.total if node.with_total else None)
    row, col = node.cell
    return ask_brute_force(asked)[2][row * seen.cols + col] == (node.kind == "mine")


@given(played_positions(max_hidden=9, noisy=False))
@settings(max_examples=times(20, 80))
def test_smallest_proofs_are_those_of_brute_force(seen: Observation) -> None:
    _, _, chances = ask_brute_force(seen)
    for cell, chance in enumerate(chances):
        if chance is None:
            continue
        place = seen.topology.cell(cell)
        for is_mine in (True, False):
            proof = smallest_proof(seen, place, is_mine)
            if chance != is_mine:
                assert proof is None
                continue
            assert proof is not None
            assert proof.is_smallest
            assert proof.size == smallest_size(seen, cell, is_mine)
            assert settles(seen, cell, is_mine, proof.clues, proof.with_total)


def layouts_that_fit(seen: Observation, clues: tuple[tuple[int, int], ...], with_total: bool) -> list[set[int]]:
    flat = seen.cells.ravel().tolist()
    hidden = [cell for cell, code in enumerate(flat) if code in (HIDDEN, FLAG)]
    exploded = {cell for cell, code in enumerate(flat) if code == EXPLODED}
    fitting = []
    for choice in product((False, True), repeat=len(hidden)):
        mines = exploded | {cell for cell, mined in zip(hidden, choice, strict=True) if mined}
        counts = (
            len(mines & set(seen.topology.neighbours_of(seen.topology.index(*clue)))) == seen.cells[clue]
            for clue in clues
        )
        if all(counts) and (not with_total or len(mines) == seen.total):
            fitting.append(mines)
    return fitting


def settles(seen: Observation, cell: int, is_mine: bool, clues: tuple[tuple[int, int], ...], with_total: bool) -> bool:
    return all((cell in mines) == is_mine for mines in layouts_that_fit(seen, clues, with_total))


def smallest_size(seen: Observation, cell: int, is_mine: bool) -> int:
    everything = layouts_that_fit(seen, (), False)
    wrong = [mines for mines in everything if (cell in mines) != is_mine]
    # By clue, and by the total: which wrong layouts it rules out, as bits.
    ruled_out = []
    for index, code in enumerate(seen.cells.ravel().tolist()):
        if code >= 0:
            around = set(seen.topology.neighbours_of(index))
            ruled_out.append(sum(1 << n for n, mines in enumerate(wrong) if len(mines & around) != code))
    if seen.total is not None:
        ruled_out.append(sum(1 << n for n, mines in enumerate(wrong) if len(mines) != seen.total))
    useful = sorted({mask for mask in ruled_out if mask})
    whole = (1 << len(wrong)) - 1
    for size in range(len(useful) + 1):
        for chosen in combinations(useful, size):
            union = 0
            for mask in chosen:
                union |= mask
            if union == whole:
                return size
    raise AssertionError("nothing settles it")


# -- distance -------------------------------------------------------------------------------------------------


@given(st.sampled_from(("square", "torus", "hex", "orthogonal")), st.integers(1, 9), st.integers(1, 9), st.data())
def test_distance_is_that_of_the_formula(shape: Shape, rows: int, cols: int, data: st.DataObject) -> None:
    cells = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    start, end = data.draw(cells), data.draw(cells)
    across, along = abs(start[0] - end[0]), abs(start[1] - end[1])
    if shape == "torus":
        across, along = min(across, rows - across), min(along, cols - along)
    expected = across + along if shape == "orthogonal" else max(across, along)
    if shape == "hex":
        # Odd rows stand half a cell to the right; two rows down are worth one column.
        first, second = (2 * cell[1] + cell[0] % 2 for cell in (start, end))
        expected = across + max(0, (abs(first - second) - across) // 2)
    board = topology(shape, rows, cols)
    assert farthest(board, start, [end]) == expected
    assert farthest(board, start, [end, start]) == expected
    assert farthest(board, start, []) == 0


def test_the_component_of_a_cell_ends_where_no_clue_leads_on() -> None:
    assert component_size(Observation.parse("#1#1#"), (0, 0)) == 3
    assert component_size(Observation.parse("#1##1#"), (0, 0)) == 2
    assert component_size(Observation.parse("#1#.#1#"), (0, 0)) == 2
    assert component_size(Observation.parse("1###"), (0, 3)) == 1


# -- games ----------------------------------------------------------------------------------------------------


@given(games(6), st.sampled_from(CLUE_NAMING_AGENTS), st.integers(0, 99))
@settings(max_examples=times(15, 40))
def test_the_record_of_a_game_has_the_chains_of_the_game(game: Game, agent: str, seed: int) -> None:
    twin = Game(game.rules, game.seed)
    record = play_match(twin, make_agent(agent, seed))
    played, watched = follow_match(game, make_agent(agent, seed)), follow_record(record, make_agent(agent, seed))
    # An onlooker is not asked after the last move, when the agent may still deduce what is left; up to there the graphs
    # are the same.
    n_watched = len(watched.graph.nodes)
    assert played.graph.nodes[:n_watched] == watched.graph.nodes
    assert {node.kind for node in played.graph.nodes[n_watched:]} <= {"mine", "safe"}


def test_same_seed_same_figures() -> None:
    rules = Rules.parse("8x8/12 survey first-any total-hidden")
    first, second = measure_game(rules, 5), measure_game(rules, 5)
    names = [name for name in first.__slots__ if name != "milliseconds"]
    assert [getattr(first, name) for name in names] == [getattr(second, name) for name in names]
    assert first.length > 1
    assert len(first.samples) == 4


def test_dividing_lines_are_zeros_with_cells_on_both_sides() -> None:
    assert dividing_lines(Layout.parse("-----/-----/----*")) == [(1, 1), (1, 2)]
    assert dividing_lines(Layout.parse("*----*")) == [(1, 2), (1, 3)]
    assert dividing_lines(Layout.parse("*--/---/---/---/--*")) == [(0, 2)]
    assert dividing_lines(Layout.parse("*----*", "torus")) == []


@pytest.mark.slow
def test_players_of_longer_arguments_guess_no_worse_on_average() -> None:
    rules = Rules.parse("8x8/13 survey first-any total-hidden")
    compared = [compare_players(rules, seed) for seed in range(40)]
    means = [sum(one[name].score for one in compared) / len(compared) for name in compared[0]]
    assert means[0] < means[1] <= means[-1] + 0.01


def test_zeros_divide_only_while_the_total_is_unknown() -> None:
    divide = show_divide()
    zeros = [row for row in range(divide.before.rows) if not divide.before.cells[row].any()]
    assert divide.opened[0] < zeros[0] < divide.watched[0]
    changed = [
        tuple(map(int, cell)) for cell in zip(*(divide.before.cells != divide.after.cells).nonzero(), strict=True)
    ]
    assert changed == [divide.opened]
    for known, expected in ((False, divide.total_hidden), (True, divide.total_known)):
        for seen, chance in zip((divide.before, divide.after), expected, strict=True):
            asked = Observation(seen.topology, seen.cells, seen.total if known else None)
            exact = ask_brute_force(asked)[2][seen.topology.index(*divide.watched)]
            assert exact is not None
            assert float(exact) == pytest.approx(chance)
    # Nothing happens below while the total is unknown; with it, a cell that was not certain becomes so.
    assert divide.total_hidden[0] == divide.total_hidden[1]
    assert 0 < divide.total_known[0] < 1
    assert divide.total_known[1] == 0
