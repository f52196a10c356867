"""Games without guesses over the wire."""

from __future__ import annotations

import numpy as np
import pytest
from visitor import Visitor

from sapper.inference.posterior.exact import mine_probabilities
from sapper.layout import Layout
from sapper.observation import HIDDEN, Observation
from sapper.play.noguess.generate import generate_no_guess
from sapper.rules import Rules

pytestmark = pytest.mark.slow


def test_the_page_is_told_that_there_are_such_boards(visitor: Visitor) -> None:
    assert visitor.get("/api/info")["no_guess"] is True


@pytest.mark.parametrize("text", ["beginner", "16x16/40 first-opening", "8x8/12 torus", "8x8/12 hex", "8x8/10 knight"])
def test_a_game_without_guesses_is_won_by_what_is_certain(visitor: Visitor, text: str) -> None:
    state = visitor.begin(text, seed=11, no_guess=True)
    assert state["no_guess"] is True
    state = visitor.move(state, "open", 3, 4)
    while not state["over"]:
        position = Observation.parse(state["position"])
        safe = mine_probabilities(position).safe
        assert safe, "a guess"
        for row, col in safe:
            if not state["over"] and Observation.parse(state["position"]).cells[row, col] == HIDDEN:
                state = visitor.move(state, "open", row, col)
    assert state["outcome"] == "won"
    rules = Rules.parse(text)
    expected = generate_no_guess(rules, 11, (3, 4))
    assert np.array_equal(expected.mines, _mines(state, rules).mines)


def _mines(state: dict[str, object], rules: Rules) -> Layout:
    position = Observation.parse(str(state["position"]))
    return Layout(rules.topology, position.cells < 0)


def test_the_same_board_again_needs_no_guess_either(visitor: Visitor) -> None:
    state = visitor.begin("6x6/8", seed=1, no_guess=True)
    state = visitor.move(state, "open", 0, 0)
    layout = generate_no_guess(Rules.parse("6x6/8"), 1, (0, 0))
    row, col = layout.mined_cells()[0]
    lost = visitor.move(state, "open", row, col)
    assert lost["outcome"] == "lost"
    again = visitor.post(f"/api/games/{lost['id']}/again", 201)
    assert again["position"] == state["position"]


def test_where_there_is_no_such_board_the_visitor_is_told(visitor: Visitor) -> None:
    refused = visitor.post("/api/games", 422, rules="9x9/10 withheld:0.3", no_guess=True)
    assert "need exact clues" in refused["error"]
    state = visitor.begin("1x3/1", no_guess=True, seed=2)
    gave_up = visitor.move(state, "open", 0, 1, status=422)
    assert gave_up["error"].startswith("Gave up after 1,000 tries")
    # Nothing was opened, so another first cell is still free.
    assert visitor.get(f"/api/games/{state['id']}")["moves"] == 0
