"""Parts of the board that are cut off from the rest: played by themselves they lose nothing of the whole."""

from __future__ import annotations

import pytest
from perfect import Solver, list_layouts

from sapper.agents.best import best_cell
from sapper.agents.registry import make_agent
from sapper.inference.evaluation.choice import How
from sapper.inference.evaluation.decision import Decider, Policy
from sapper.inference.evaluation.endgame import Endgame, EndgameMemory, SearchLimits, solve_position
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels import choose_in_part
from sapper.observation import Observation

# In the upper right corner, a mine and a clear cell that nothing will ever tell apart; half of the board is unknown.
HALF_AND_FIELD = "00002###/11213#31/2#3#2110/###32111/#####3##/########/########/######## 14"


# Guesses of real games, in each of which some part is cut off.
CUT_OFF = [
    "01#2####/1212##4#/#10123##/1101#222/0001#100/01121211/13#3#2#2/#####2## 14",
    "0000012#/011101##/01#1012#/0233112#/12##21##/##4#3232/##422#2#/###1112# 14",
    "01#1001#/1212123#/#101#3##/111334##/113##32#/2#4#####/########/######## 14",
    "00012####/0002###4#/0002#312#/000111122/2222211#1/##2##1111/#32233221/#1001##2# 16",
    "000011111/11112#11#/1#22#2111/23##32000/#####2000/2####4221/1234#####/0001##### 16",
    "0000002#20/0000003#30/0000002#20/1101111110/#101#21122/23122#23##/#4#324#4#3/###5#3#421/2###223#31/1#32102### 22",
    "012###2#1/112232211/1#2#101#1/113#312#1/002#3#211/113#312#1/3#3#211#3/#4#4#112#/23##432#3 17 torus",
    "001###200/11##4#200/##3##3#20/##2223#10/##311#210/22#111011/00110111#/00122#33#/001##3### 22 hex",
    "001112###/02#3#22##/01##2113#/012112###/00111#3#3/02#122121/12#22#11#/#312#213#/##11#21## 22 hex",
]


@pytest.mark.oracle
@pytest.mark.parametrize("text", CUT_OFF)
def test_the_best_cell_of_a_part_is_a_best_cell_of_the_whole(text: str) -> None:
    position = Observation.parse(text)
    posterior = mine_probabilities(position)
    found = Endgame(position.topology.n_cells).rank_in_part(posterior)
    layouts = list_layouts(position)
    solver = Solver(position.topology, layouts)
    best = solver.value(solver.everything)
    assert found[0].layouts < len(layouts)
    assert len(layouts) % found[0].layouts == 0
    for ending in found:
        # The chances multiply, so the wins in the whole are as the wins in the part.
        assert solver.wins_at(solver.everything, ending.cell) * found[0].wins == best * ending.wins
    chosen = Decider(position.topology, Policy(SearchLimits(found[0].layouts, 0))).decide(posterior)
    assert (chosen.how, chosen.wins) == (How.PART_SEARCH, found[0].wins)
    # Allowed too few layouts for the whole, it is solved in parts, with the same result.
    in_parts = solve_position(position, len(layouts) - 1)
    whole = solve_position(position)
    assert (in_parts.wins, in_parts.layouts, in_parts.best) == (whole.wins, whole.layouts, whole.best)


def test_a_part_that_takes_too_much_room_is_left_for_another_one() -> None:
    # The first part takes more states than there is room for here; two cells in a corner do not.
    position = Observation.parse(CUT_OFF[0])
    memory = EndgameMemory(64, 300, 8)
    found = mine_probabilities(position).as_position()
    assert choose_in_part(memory.search, position.topology.graph, found, 0) in memory.unknown == [56, 57]


def test_a_part_whose_number_of_mines_is_open_is_not_cut_off() -> None:
    # The corner above and the corner below share nothing but the mines that are left, and each may have more or fewer.
    position = Observation.parse("00112##/012#4##/01#3##3/13333#2/2##1111/##42211/##2#2#1 13")
    posterior = mine_probabilities(position)
    assert not posterior.safe
    assert Endgame(49).rank_in_part(posterior) == []


def test_a_part_is_played_at_once_and_the_answer_says_why() -> None:
    position = Observation.parse(HALF_AND_FIELD)
    found = best_cell(position, seconds=0.2)
    assert found.cell in {(0, 6), (0, 7)}
    assert [one.cell for one in found.candidates] == [(0, 6), (0, 7)]
    assert "a separate part wins 1 of its 2 layouts" in found.chosen.reason
    # Half of the games are lost here, whatever comes after.
    assert found.p_win is not None
    assert 0.1 < found.p_win < 0.5 + 3 * found.chosen.error
    decision = make_agent("expert", 0).decide(position)
    assert decision.cell in {(0, 6), (0, 7)}
    assert "this part of the board is separate" in decision.reason
