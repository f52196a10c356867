"""Games that go on from a position: the true layout of a game that is over, or one that the clues allow."""

from __future__ import annotations

import numpy as np
import pytest
from visitor import Visitor

from sapper.layout import Layout
from sapper.observation import FLAG
from sapper.play.record import Record
from sapper.play.review.review import review_record
from sapper.web.jobs.games import from_position

RECORD = """Sapper-Record: 1
Rules: 6x6/6 first-opening
Seed: 5
Moves:
open 0,0
flag 5,4
open 5,5
"""


def test_a_game_goes_on_after_any_move_on_its_own_layout_and_counts_for_nothing(visitor: Visitor) -> None:
    truth = Record.parse(RECORD).final_game().layout
    assert truth is not None
    state = visitor.post("/api/games/onward", 201, record=RECORD, moves=2)
    assert state["position"] == str(review_record(Record.parse(RECORD)).moves[2].before)
    assert state["played_on"] is True
    assert "layout" not in state
    assert "seed" not in state
    row, col = np.argwhere(truth.mines & (Record.parse(RECORD).final_game().observation.cells != FLAG))[0].tolist()
    lost = visitor.move(state, "open", row, col)
    assert lost["outcome"] == "lost"
    assert lost["layout"] == np.argwhere(truth.mines).tolist()
    # The same board again is worth as little, and the record has the layout.
    assert visitor.post(f"/api/games/{state['id']}/again", 201)["played_on"] is True
    told = visitor.ask("GET", f"/api/games/{state['id']}/download?format=record").body.decode()
    assert str(Record.parse(told).layout) == str(truth)


def test_a_position_goes_on_with_its_flags_and_clues(visitor: Visitor) -> None:
    state = visitor.post("/api/games/onward", 201, position="1F#/### 2")
    assert (state["position"], state["rules"]) == ("1F#/### 2", "2x3/2 first-any")
    assert visitor.get(f"/api/games/{state['id']}")["played_on"] is True


def test_only_the_moves_made_since_count_are_judged_and_can_be_undone(visitor: Visitor) -> None:
    truth = Record.parse(RECORD).final_game().layout
    assert truth is not None
    state = visitor.post("/api/games/onward", 201, record=RECORD, moves=2)
    assert (state["moves"], state["seconds"]) == (0, 0)
    assert "no move to undo" in visitor.post(f"/api/games/{state['id']}/undo", 409)["error"]
    row, col = np.argwhere(truth.mines & (Record.parse(RECORD).final_game().observation.cells != FLAG))[0].tolist()
    assert visitor.move(state, "open", row, col)["moves"] == 1
    review = visitor.post("/api/review", game=state["id"])
    assert review["start"] == review["moves"][0]["position_before"] == state["position"]
    assert [(one["row"], one["col"]) for one in review["moves"]] == [(row, col)]
    assert review["result"].startswith("lost after 1 move,")
    assert review["summary"][0].startswith("1 move: ")
    # The same position once more: from the start of that review, and as the same board again.
    once_more = visitor.post("/api/games/onward", 201, game=state["id"], moves=0)
    again = visitor.post(f"/api/games/{state['id']}/again", 201)
    assert once_more["position"] == again["position"] == state["position"]
    assert again["moves"] == 0
    assert "only 1 moves" in visitor.post("/api/games/onward", 422, game=state["id"], moves=2)["error"]


def test_a_guess_of_equal_risk_that_wins_less_often_is_a_mistake_wherever_it_is_asked(visitor: Visitor) -> None:
    position = "F112#1/112F#2/003F##/113FF2/1F2221/111000 8"
    for _ in range(64):  # half of the layouts have a mine there
        state = visitor.post("/api/games/onward", 201, position=position)
        assert visitor.get(f"/api/games/{state['id']}/hint")["cell"] == [2, 4]
        lost = visitor.move(state, "open", 0, 4)
        if lost["outcome"] == "lost":
            break
    assert lost["outcome"] == "lost"
    last = visitor.post("/api/review/last", game=state["id"])
    assert (last["verdict"], last["p_win"], last["proof"]) == ("mistake", 0.25, None)
    assert last["instead"] == {"cell": [2, 4], "p_mine": 0.5, "p_win": 0.5}
    (judged,) = visitor.post("/api/review", game=state["id"], games=20)["moves"]
    assert (judged["verdict"], judged["instead"]) == ("mistake", [[2, 4]])


def test_layouts_are_drawn_with_the_chance_that_each_has() -> None:
    # One mine of two cells beside the 1, or of two others: the second mine is far away.
    seen = [str(from_position("1##/### 2", seed)["layout"]) for seed in range(600)]
    every = {layout for layout in seen if Layout.parse(layout).clues()[0, 0] == 1}
    assert set(seen) == every
    assert len(every) == 6  # three cells beside the 1, two that are not
    assert all(60 < seen.count(layout) < 145 for layout in every)


def test_an_exploded_mine_makes_a_survey_of_it() -> None:
    told = from_position("*2#/12# 2", 1)
    assert "survey" in str(told["rules"])


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"position": "1#/## 1 withheld:0.3"}, 422, "may be missing or wrong"),
        ({"position": "1./## 1"}, 422, "may be missing or wrong"),
        ({"position": "1#/##"}, 422, "Enter the number of mines"),
        ({"position": "3#/00 1"}, 422, "("),
        ({"position": "00/00 0"}, 409, "cannot be continued"),
        ({"record": RECORD, "moves": 4}, 422, "only 3 moves"),
        ({"record": RECORD}, 422, "'moves'"),
    ],
)
def test_what_cannot_go_on_is_told_in_a_sentence(
    visitor: Visitor, fields: dict[str, object], status: int, words: str
) -> None:
    assert words in visitor.post("/api/games/onward", status, **fields)["error"]


def test_a_game_under_way_gives_nothing_away(visitor: Visitor) -> None:
    game = visitor.begin("5x5/5")
    visitor.post("/api/games/onward", 409, game=game["id"], moves=0)


def test_a_position_needs_few_moves() -> None:
    assert from_position("0001#/0001#/1112#/##### 4", 3)["moves"] == [["open", 0, 0]]


def test_a_record_goes_on_with_no_more_moves_than_a_game_may_have(visitor: Visitor) -> None:
    record = "Sapper-Record: 1\nRules: 5x5/3\nSeed: 5\nMoves:\n" + "flag 0,0\n" * 1051
    told = visitor.post("/api/games/onward", 409, record=record, moves=1051)
    assert told["error"] == "A game on this board has at most 1,050 moves."
    assert visitor.post("/api/games/onward", 201, record=record, moves=1050)["moves"] == 0
