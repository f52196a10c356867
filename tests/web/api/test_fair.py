"""Fair, kind and cruel boards over the wire."""

from __future__ import annotations

from visitor import Visitor

from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import HIDDEN, Observation
from sapper.play.dealt import DealtGame
from sapper.rules import Rules


def test_the_page_is_told_that_there_are_such_boards(visitor: Visitor) -> None:
    assert visitor.get("/api/info")["dealings"] == ["laid", "fair", "kind", "cruel"]


def test_whoever_opens_what_is_safe_first_wins_and_the_guesses_are_counted(visitor: Visitor) -> None:
    state = visitor.begin("6x6/9 fair", seed=4)
    state = visitor.move(state, "open", 2, 2)
    while not state["over"]:
        position = Observation.parse(state["position"])
        found = mine_probabilities(position)
        for row, col in found.safe or found.safest[:1]:
            if not state["over"] and Observation.parse(state["position"]).cells[row, col] == HIDDEN:
                state = visitor.move(state, "open", row, col)
    assert state["outcome"] == "won"
    forced = state["guesses"]["forced"]
    assert forced["made"] == forced["survived"] > 0
    assert state["guesses"]["unforced"]["made"] == 0
    assert visitor.get(f"/api/games/{state['id']}")["guesses"] == state["guesses"]


def test_a_guess_that_nobody_had_to_make_ends_a_fair_game_and_the_review_says_why(visitor: Visitor) -> None:
    state = visitor.begin("5x5/5 fair", seed=3)
    state = visitor.move(state, "open", 4, 4)
    lost = visitor.move(state, "open", 0, 0)
    assert lost["outcome"] == "lost"
    assert lost["guesses"]["unforced"] == {"made": 1, "survived": 0}
    again = DealtGame(Rules.parse("5x5/5 fair"), 3)
    again.open(4, 4)
    again.open(0, 0)
    assert again.layout is not None
    assert sorted(map(tuple, lost["layout"])) == again.layout.mined_cells()
    review = visitor.post("/api/review", game=lost["id"])
    last = review["moves"][-1]
    assert last["verdict"] == "mistake"
    assert any(
        "it was not forced: (1, 1) was safe because of the 1 at (2, 2)" in sentence for sentence in last["words"]
    )
    assert "1 unforced guess, 0 survived." in review["summary"]
    # Undone, it can be played on, and the same guess meets the same mine.
    undone = visitor.post(f"/api/games/{lost['id']}/undo")
    assert undone["position"] == state["position"]
    assert visitor.move(undone, "open", 0, 0)["layout"] == lost["layout"]


def test_what_does_not_go_together_is_said(visitor: Visitor) -> None:
    refused = visitor.post("/api/games", 422, rules="9x9/10 fair", no_guess=True)
    assert refused["error"] == "No-guess boards have fixed mines; remove the word fair."
    refused = visitor.post("/api/games", 422, rules="9x9/10 survey kind")
    assert "does not go with survey" in refused["error"]


def test_a_laid_game_has_no_such_count(visitor: Visitor) -> None:
    assert "guesses" not in visitor.begin("9x9/10", seed=1)
