"""The reports' own examples, played by their agents."""

from __future__ import annotations

import numpy as np
import pytest
from naive_reports import Report000, Report003

from sapper.agents.guessing import Guess
from sapper.agents.reasoning import ReasoningAgent
from sapper.agents.registry import make_agent
from sapper.inference.facts import Facts
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.reasoning.one_two import deduce_one_two, deduce_walls
from sapper.inference.reasoning.single import deduce_newest, deduce_single
from sapper.inference.reasoning.subsets import deduce_pairs, deduce_subsets, deduce_subsets_and_total
from sapper.layout import Layout
from sapper.observation import Observation
from sapper.play.match import steps
from sapper.rules import Rules
from sapper.topology import topology
from sapper.world.game import Game, Outcome


class Scripted:
    """Guesses the cells that a report's agent guessed."""

    def __init__(self, *cells: tuple[int, int]) -> None:
        self._cells = list(cells)

    def guess(self, facts: Facts) -> Guess:
        row, col = self._cells.pop(0)
        return Guess(row * facts.board.cols + col, None, "as in the report")


REPORT_000 = Layout.parse("**--/-*--/---*/*--*")


def test_report_000_its_moves_lead_to_its_board_and_its_deductions_are_found() -> None:
    """The report's final board is X m 2 0 / 3 m 3 1 / 2 2 3 X / m 1 2 X with a score of 3/6."""
    game = Game(Rules.parse("report-000"), layout=REPORT_000)
    agent = make_agent("statements")
    found: set[tuple[tuple[int, int], bool]] = set()
    # The cell that the report's agent opens, and what it says it has deduced afterwards.
    moves: list[tuple[tuple[int, int], set[tuple[tuple[int, int], bool]]]] = [
        ((0, 3), set()),
        ((2, 3), {((2, 2), False)}),
        ((2, 2), {((0, 1), True), ((1, 1), True), ((2, 1), False)}),
        ((2, 1), set()),
        ((2, 0), set()),
        ((3, 3), {((3, 1), False), ((3, 2), False)}),
        ((3, 1), set()),
        ((3, 2), {((3, 0), True)}),
        ((0, 0), {((1, 0), False)}),
    ]
    for cell, said in moves:
        game.open(*cell)
        found |= {(one.cell, one.is_mine) for one in agent.decide(game.observation).deductions}
        assert said <= found
    for cell in ((0, 1), (1, 1), (3, 0)):
        game.flag(*cell)
    game.open(1, 0)
    assert str(game.observation) == "*F20/3F31/223*/F12*"
    assert game.score == 3 / 6


def test_report_000_misses_deductions_that_it_claims_to_have() -> None:
    """With the same guesses our agent needs one fewer and identifies four mines: (1, 0) follows before (0, 0)."""
    game = Game(Rules.parse("report-000"), layout=REPORT_000)
    guesses = Scripted((0, 3), (2, 3), (2, 0), (3, 3), (0, 0))
    played = list(steps(game, ReasoningAgent((deduce_single, deduce_subsets), guesses)))
    assert str(game.observation) == "FF20/3F31/223*/F12*"
    assert game.score == 4 / 6
    order = [step.decision.cell for step in played]
    assert order.index((3, 2)) < order.index((3, 3))


def test_report_000_is_played_to_the_cell_by_the_agent_of_its_play_by_play() -> None:
    """Its clicks, its deductions after each of them, and its three mines of six."""
    game = Game(Rules.parse("report-000"), layout=REPORT_000)
    guesses = Scripted((0, 3), (2, 3), (2, 0), (3, 3), (0, 0))
    played = list(steps(game, ReasoningAgent((deduce_newest,), guesses, newest_first=True)))
    # The report names (3, 1) before (3, 2). Clicked in that order, (3, 2) would already have given it (1, 0).
    order = [(0, 3), (2, 3), (2, 2), (2, 1), (2, 0), (3, 3), (3, 2), (3, 1), (0, 0), (1, 0)]
    assert [step.decision.cell for step in played] == order
    found = [{(one.cell, one.is_mine) for one in step.decision.deductions} for step in played[1:]]
    assert found == [
        {((0, 1), True), ((1, 1), True)},
        {((2, 2), False)},
        {((2, 1), False)},
        set(),
        set(),
        {((3, 1), False), ((3, 2), False)},
        set(),
        {((3, 0), True)},
        {((1, 0), False)},
    ]
    assert str(game.observation) == "*F20/3F31/223*/F12*"


def _follow(name: str, rules: str, seed: int, naive: type[Report000] | type[Report003], **how: bool) -> int:
    """Play a game beside the naive version, which has to allow every cell and to mark the same mines; count those."""
    game = Game(Rules.parse(rules), seed)
    grid: Report000 | Report003 | None = None
    n_marked = 0
    for step in steps(game, make_agent(name, seed)):
        if grid is None:
            assert game.layout is not None
            grid = naive(game.layout.mines.tolist(), **how)
        found = {one.cell for one in step.decision.deductions if one.is_mine}
        assert found == grid.marked
        grid.marked = set()
        n_marked += len(found)
        if step.moves and step.moves[-1].action == "open":
            assert step.decision.cell in grid.allowed()
            assert not (isinstance(grid, Report000) and grid.has_all())
            grid.query(step.decision.cell)
    return n_marked


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("simple-reported", {}),
        ("one-two-reported", {"punch": True}),
        ("one-two-corners-reported", {"punch": True, "corners": True}),
    ],
)
def test_report_003_is_played_as_its_text_says(name: str, how: dict[str, bool]) -> None:
    rules = "10x10/{} survey first-any no-cascade total-hidden"
    assert sum(_follow(name, rules.format(mines), mines, Report003, **how) for mines in (8, 15, 30, 60)) > 20


def test_report_000_is_played_as_its_play_by_play_shows() -> None:
    rules = "6x6/{} survey first-any total-hidden"
    marked = [_follow("statements-reported", rules.format(mines), mines, Report000) for mines in range(4, 16)]
    assert sum(marked) > 20


def test_report_000_is_played_with_the_number_of_mines_as_its_text_says() -> None:
    name, rules = "statements-count-reported", "{0}x{0}/{1} survey first-any{2}"
    told, untold = (
        [
            _follow(name, rules.format(side, mines, how), seed, Report000, total=not how)
            for side in (4, 6)
            for mines in range(2, side * side, side - 2)
            for seed in range(4)
        ]
        for how in ("", " total-hidden")
    )
    assert sum(told) > sum(untold) > 50


def test_report_000_counts_what_a_clue_leaves_for_the_rest_of_the_board() -> None:
    """Its example: a 3 on a board with 6 mines leaves 3 for all cells but its neighbours, newest statement first."""
    agent = make_agent("statements-count-reported")
    all_mines = agent.decide(Observation.parse("#3#.#/#.#.# 6")).deductions
    assert {(one.cell, one.is_mine) for one in all_mines} == set()
    three_left = make_agent("statements-count-reported").decide(Observation.parse("###.#/#3#.#/###.# 6"))
    assert {one.cell for one in three_left.deductions if one.is_mine} == {(0, 4), (1, 4), (2, 4)}
    assert three_left.deductions[0].reason == (
        "the 3 at (1, 1) and the total of 6 leave 3 mines for the 3 other unknown cells"
    )
    # The same clue on a board with 3 clears them. A 0 gives no such statement, and neither does the total alone.
    cleared = make_agent("statements-count-reported").decide(Observation.parse("###.#/#3#.#/###.# 3"))
    assert {one.cell for one in cleared.deductions if not one.is_mine} == {(0, 4), (1, 4), (2, 4)}
    for text in ("0.#/..# 2", "##/## 4"):
        assert make_agent("statements-count-reported").decide(Observation.parse(text)).deductions == ()


def test_the_bare_pattern_may_be_wrong_and_its_cells_are_opened_in_the_end() -> None:
    """The 2 touches a mine behind it, so nothing is known of the wall; a classic game is finished all the same."""
    facts = Facts(Observation.parse("##.../12.../###.."))
    assert [one.cell for one in deduce_walls(facts)] == [(2, 2)]
    assert deduce_walls(Facts(Observation.parse("##.../12#../###..")), waits=True) == []
    agent = make_agent("one-two-reported")
    seen = Observation.parse("12#/### 2")
    assert [one.cell for one in agent.decide(seen).deductions] == [(1, 2)]
    opened = agent.decide(Observation.parse("121/**# 2"))
    assert opened.cell == (1, 2)
    assert "one of them is wrong" in opened.reason


def test_report_000_counts_the_mines_outside_of_a_clue() -> None:
    """A clue of 3 on a board with 6 mines: the cells outside its neighbourhood hold 3."""
    position = Observation.parse("3##/### 5")
    facts = Facts(position)
    found = deduce_subsets_and_total(facts, facts.clues)
    assert {one.cell for one in found if one.is_mine} == {(0, 1), (0, 2), (1, 0), (1, 1), (1, 2)}
    one_less = Facts(Observation.parse("3##/### 3"))
    assert {one.cell for one in deduce_subsets_and_total(one_less, one_less.clues) if not one.is_mine} == {
        (0, 2),
        (1, 2),
    }


def test_report_001_finds_the_mine_of_its_figure() -> None:
    """The 3 with a mine on its left leaves 2 for three cells, the 1 beside it allows 1: the left one is a mine."""
    facts = Facts(Observation.parse("####/*31./110."))
    found = deduce_pairs(facts, list(facts.clues))
    assert [(one.cell, one.is_mine) for one in found] == [((0, 0), True), ((0, 3), False)]
    assert found[0].reason == "the 3 at (1, 1) and the 1 at (1, 2) leave 1 mine for it"


def test_report_001_searches_blindly_until_a_zero_shows() -> None:
    position = Observation.parse("1*#/### 2")
    assert make_agent("basic").decide(position).p_mine == 0.0
    for name in ("search", "infer"):
        made = [make_agent(name, seed).decide(position) for seed in range(5)]
        assert {decision.p_mine for decision in made} == {None}
        assert all("a random one of" in decision.reason for decision in made)
    # Once a zero shows, Infer's own estimate chooses.
    assert make_agent("infer").decide(Observation.parse("01#/12#/### 3")).p_mine is not None


def test_report_001_opens_at_random_whatever_its_estimate_says() -> None:
    """By its estimate the cells around the 4 are the worst; a random opening takes them too."""
    position = Observation.parse("#####/#4###/##### 4")
    chosen = {make_agent("infer", seed).decide(position).cell for seed in range(60)}
    assert len(chosen) == 14


def test_report_001_asks_a_silent_cell_until_it_answers_before_anything_else() -> None:
    agent = make_agent("infer")
    silent = Observation.parse("0.#/1.#/### 2 withheld:0.5:redraws")
    assert [agent.decide(silent).cell for _ in range(4)] == [(0, 1)] * 4
    assert agent.decide(Observation.parse("01#/1.#/### 2 withheld:0.5:redraws")).cell == (1, 1)
    # In the opening too; and never where no question is answered.
    assert agent.decide(Observation.parse(".##/### 2 withheld:0.5:redraws")).cell == (0, 0)
    for channel in ("withheld:0.5", "withheld:1.0:redraws"):
        assert agent.decide(Observation.parse(f".##/### 2 {channel}")).cell != (0, 0)


REPORT_003 = "01###/01##1/02###/02###/###F#"


def test_report_003_punches() -> None:
    """The report's grid, in which the punch proves (3, 2)."""
    facts = Facts(Observation.parse(REPORT_003))
    deduce_single(facts, list(facts.clues))
    found = deduce_one_two(facts, list(facts.clues))
    assert [(one.cell, one.is_mine, one.clues) for one in found] == [((3, 2), True, ((1, 1), (2, 1)))]
    assert found[0].reason == "the 2 at (2, 1) has one cell more than the 1 beside it at (1, 1)"


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_punch_works_in_any_orientation(turns: int, mirrored: bool) -> None:
    cells = Observation.parse(REPORT_003).cells
    numbers = np.arange(25).reshape(5, 5)
    if mirrored:
        cells, numbers = cells[:, ::-1], numbers[:, ::-1]
    cells, numbers = np.rot90(cells, turns), np.rot90(numbers, turns)
    facts = Facts(Observation(topology("square", 5, 5), np.ascontiguousarray(cells)))
    deduce_single(facts, list(facts.clues))
    found = deduce_one_two(facts, list(facts.clues))
    assert [numbers[one.cell] for one in found] == [3 * 5 + 2]


def test_the_punch_takes_known_mines_off() -> None:
    """A 2 beside a 3 with a mine that both touch is a 1 beside a 2."""
    facts = Facts(Observation.parse(".*../.23./####"))
    found = deduce_one_two(facts, list(facts.clues))
    assert [one.cell for one in found] == [(2, 3)]
    assert "(in effect 2)" in found[0].reason


def test_report_003_prefers_corners_then_edges() -> None:
    agent = make_agent("one-two-corners", 3)
    blank = Observation.parse("/".join(["....."] * 5).replace(".", "#"))
    cells = blank.cells.copy()
    order: list[tuple[int, int]] = []
    while len(order) < 25:
        decision = agent.decide(Observation(blank.topology, cells))
        assert decision.cell is not None
        order.append(decision.cell)
        cells = cells.copy()
        cells[decision.cell] = -4
    n_walls = [sum(x in (0, 4) for x in cell) for cell in order]
    assert n_walls == [2] * 4 + [1] * 12 + [0] * 9


def test_the_unit_test_of_min_cost() -> None:
    """2 A 1 / B C D / E 3 F with the total unknown: A 1/3, B 1, C 2/3, D 0, E 2/3, F 2/3."""
    position = Observation.parse("2#1/###/#3#")
    expected = {(0, 1): 1 / 3, (1, 0): 1, (1, 1): 2 / 3, (1, 2): 0, (2, 0): 2 / 3, (2, 2): 2 / 3}
    p = mine_probabilities(position).p_mine
    assert {cell: pytest.approx(float(p[cell]), abs=1e-12) for cell in expected} == expected
    for name in ("min-cost", "min-risk"):
        decision = make_agent(name).decide(position)
        assert (decision.cell, decision.p_mine) == ((1, 2), 0.0)


def test_min_cost_does_not_look_at_the_total() -> None:
    told, untold = Observation.parse("1##/### 1"), Observation.parse("1##/###")
    decisions = [make_agent("min-cost", 1).decide(position) for position in (told, untold)]
    assert decisions[0] == decisions[1]
    assert make_agent("exact").decide(told).p_mine == 0.0


def test_min_risk_weighs_what_could_be_worked_out() -> None:
    """By hand on 1##: q = 1/2 each; with the first known the second follows, so both are worth one cell."""
    decision = make_agent("min-risk", 0).decide(Observation.parse("1#/#1"))
    assert decision.p_mine == pytest.approx(0.5)
    assert "works out 1.00 cells" in decision.reason


def test_002_the_least_involved_variable_is_assumed_a_mine() -> None:
    decision = make_agent("contradiction").decide(Observation.parse("###/111"))
    assert decision.cell == (0, 0)
    assert decision.reason == "Opened (0, 0): if it were a mine, the 1 at (1, 2) would run out of cells."


def test_002_local_never_looks_back() -> None:
    """The 1 said nothing when it opened; once its mine is known, only an agent that looks again clears the rest."""
    layout = Layout.parse("-*-/---")
    game = Game(Rules.parse("2x3/1 first-any survey no-cascade"), layout=layout)
    local, basic = make_agent("local"), make_agent("basic")
    game.open(1, 0)
    for agent in (local, basic):
        agent.decide(game.observation)
    game.open(0, 1)
    assert [agent.decide(game.observation).p_mine for agent in (local, basic)] == [None, 0.0]


def test_report_000_stops_once_all_mines_of_a_survey_are_found() -> None:
    """The cells that are left are safe, and only mines count; where every safe cell has to be opened it goes on."""
    layout = Layout.parse("*---/----/----/----")
    game = Game(Rules.parse("4x4/1 survey no-cascade"), layout=layout)
    played = list(steps(game, make_agent("statements-count", 3)))
    assert played[-1].decision.has_all
    assert not any(move.action == "open" for move in played[-1].moves)
    assert game.score == 1.0
    assert game.observation.closed.sum() > 1
    to_the_end = Game(Rules.parse("4x4/1 survey no-cascade"), layout=layout)
    assert len(list(steps(to_the_end, make_agent("statements-count", 3), may_stop=False))) > len(played)
    classic = Game(Rules.parse("4x4/1 first-any no-cascade"), layout=Layout.parse("---*/----/----/----"))
    assert list(steps(classic, make_agent("statements-count", 3)))
    assert classic.outcome is Outcome.WON
    found = make_agent("statements-count").decide(Observation.parse("*#/## 1"))
    assert found.reason == "Opened (0, 1): the only mine is found."
