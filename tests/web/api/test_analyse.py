"""Positions, agents to watch, and what is told about the server."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from corpora import read_corpus
from skins import SKINS, draw_picture, play_position
from visitor import Visitor

from sapper import __version__
from sapper.agents.registry import AGENTS
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
from sapper.play.match import play_match
from sapper.rules import PRESETS, Rules
from sapper.web.jobs import games, positions
from sapper.world.game import Game


def test_info(visitor: Visitor) -> None:
    told = visitor.get("/api/info")
    assert told["version"] == __version__
    assert told["presets"] == {name: str(rules) for name, rules in PRESETS.items()}
    assert [agent["name"] for agent in told["agents"]] == list(AGENTS)
    assert told["limits"] == {"rows": 200, "cols": 200, "table": 8_000}
    assert isinstance(told["no_guess"], bool)


def test_the_page_s_probabilities_are_the_corpus_s(visitor: Visitor) -> None:
    for name, position, truth in list(read_corpus("expert"))[:5]:
        told = visitor.post("/api/analyse", position=str(position))
        assert truth is not None
        for row, values in enumerate(told["p"]):
            for col, p in enumerate(values):
                expected = truth.reshape(position.rows, position.cols)[row, col]
                assert (p is None) == (expected != expected), name
                if p is not None:
                    assert p == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("1#\n## 1", "1#/## 1"),
        ("2x2x1\n1H\nHH\n", "1#/## 1"),
        ("2 2 1\n1 -1\n-1 -1\n", "1#/## 1"),
        ("https://example.org/?b=54&m=g842", "##100/##210/###21/##### 4"),
        ("4x3:3,0,u840", "##10/##10/##10 2"),
    ],
)
def test_positions_are_read_in_every_form_that_people_paste(text: str, position: str, visitor: Visitor) -> None:
    told = visitor.post("/api/analyse", position=text)
    assert told["position"] == position
    assert told["caption"].endswith(("mine", "mines"))
    Observation.parse(told["position"])


def test_layouts_are_counted_exactly_or_not_at_all(visitor: Visitor) -> None:
    assert visitor.post("/api/analyse", position="1##/### 2")["layouts"] == "6"
    many = "/".join(["#" * 8] * 8) + " 20"
    assert visitor.post("/api/analyse", position=many)["layouts"] is None
    some = "/".join(["#" * 6] * 6) + " 15"
    assert visitor.post("/api/analyse", position=some)["layouts"] == str(
        mine_probabilities(Observation.parse(some)).n_layouts
    )


def test_an_impossible_position_names_the_clues(visitor: Visitor) -> None:
    said = visitor.post("/api/analyse", 422, position="1#/## 2")
    assert (said["clues"], said["total"]) == ([[0, 0]], True)
    assert "cannot both hold" in said["error"]


def test_a_cell_is_explained(visitor: Visitor) -> None:
    told = visitor.post("/api/explain", position="###/121", row=0, col=1)
    assert (told["verdict"], told["p_mine"], told["kind"] is not None) == ("safe", 0.0, True)
    assert told["clues"]
    assert told["steps"][-1]["sentence"].endswith(".")
    unsure = visitor.post("/api/explain", position="1##/### 2", row=0, col=1)
    assert unsure["verdict"] is None
    assert unsure["p_mine"] == pytest.approx(1 / 3)


@pytest.mark.slow
def test_a_large_position_is_answered(visitor: Visitor) -> None:
    large = "/".join(["#" * 200] * 200) + " 8000"
    told = visitor.post("/api/analyse", position=large)
    assert told["p"][0][0] == pytest.approx(0.2)
    too_large = "/".join(["#" * 200] * 201) + " 8000"
    assert "40,000" in visitor.post("/api/analyse", 422, position=too_large)["error"]


@pytest.mark.parametrize("agent", ["basic", "contradiction", "exact"])
def test_a_watched_game_is_the_one_that_the_library_plays(agent: str, visitor: Visitor) -> None:
    from sapper.agents.registry import make_agent

    rules = "8x8/12 first-any no-cascade survey total-hidden"
    told = visitor.post("/api/watch", rules=rules, seed=4, agent=agent)
    game = Game(Rules.parse(rules), 4)
    record = play_match(game, make_agent(agent, 4), flags=True)
    assert told["result"] == record.result
    moves = [f"{move['action']} {move['row']},{move['col']}" for step in told["steps"] for move in step["moves"]]
    assert moves == [f"{move.action} {move.row},{move.col}" for move in record.moves]
    assert told["steps"][-1]["position_after"] == str(game.observation)
    assert len(told["layout"]) == 12
    assert told["score"] == game.score
    assert all(step["reason"].endswith(".") for step in told["steps"])


def test_hints_take_marked_mines_for_known() -> None:
    # The mine at (0, 1) is marked, so what is left is that (0, 3) is safe.
    hint = positions.hint("1F1#/#### 1", False)
    assert hint["certain"]
    assert hint["verdict"] == "safe"


def test_a_board_without_guesses_is_made_by_whoever_can(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    from types import SimpleNamespace

    from sapper.world.generation import generate_layout

    monkeypatch.setitem(sys.modules, "sapper.play.noguess.generate", SimpleNamespace(generate_no_guess=generate_layout))
    rules = Rules.parse("9x9/10")
    assert games.no_guess_layout("9x9/10", 5, 0) == str(generate_layout(rules, 5, (0, 0)))


@pytest.mark.slow
def test_a_picture_is_read_in_a_worker_and_refused_in_a_sentence(visitor: Visitor) -> None:
    rng = np.random.default_rng(4)
    picture = draw_picture(play_position(rng, 9, 9, 10), SKINS["raised"], 24.0, rng)
    told = visitor.post("/api/picture", picture=base64.b64encode(picture.data()).decode())
    assert told["position"] == picture.position
    assert abs(told["grid"]["width"] - 9 * 24) < 5
    assert visitor.post("/api/analyse", position=told["position"])["safe"] is not None
    for wrong in ("not base64!", base64.b64encode(b"no picture").decode()):
        said = visitor.post("/api/picture", 422, picture=wrong)["error"]
        assert said.endswith(".")
