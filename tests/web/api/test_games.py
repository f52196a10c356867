"""Games over the wire: moves, taking back, playing again, downloads; and what never crosses the wire."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from effort import times
from visitor import Server, Visitor

from sapper.formats import FORMATS
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import HIDDEN, Observation
from sapper.play.record import read_record
from sapper.rules import Rules
from sapper.world.game import Game


def hidden_cells(state: Any) -> list[tuple[int, int]]:
    return [(int(row), int(col)) for row, col in np.argwhere(Observation.parse(state["position"]).cells == HIDDEN)]


def lose(visitor: Visitor, rules: str = "beginner") -> Any:
    """Play until a mine goes off, by opening what is likeliest to be one."""
    state = visitor.move(visitor.begin(rules), "open", 0, 0)
    while not state["over"]:
        p = np.nan_to_num(mine_probabilities(Observation.parse(state["position"])).p_mine, nan=-1.0)
        row, col = np.unravel_index(int(np.argmax(p)), p.shape)
        state = visitor.move(state, "open", int(row), int(col))
        if state["outcome"] == "won":
            return lose(visitor, rules)
    return state


def win(visitor: Visitor, rules: str, seed: int) -> Any:
    """Play a game whose seed we gave, and whose mines we know from it, to its end."""
    state = visitor.move(visitor.begin(rules, seed=seed), "open", 0, 0)
    known = Game(Rules.parse(rules), seed)
    known.open(0, 0)
    assert known.layout is not None
    while not state["over"]:
        row, col = next(cell for cell in hidden_cells(state) if not known.layout.mines[cell])
        state = visitor.move(state, "open", row, col)
    return state


def test_a_game_is_played_as_the_library_plays_it(visitor: Visitor) -> None:
    state = visitor.begin("9x9/10 torus", seed=5)
    game = Game(Rules.parse("9x9/10 torus"), 5)
    assert state["position"] == str(game.observation)
    for action, row, col in (("open", 4, 4), ("flag", 0, 0), ("flag", 0, 0)):
        getattr(game, action)(row, col)
        before = Observation.parse(state["position"])
        state = visitor.move(state, action, row, col)
        assert state["position"] == str(game.observation)
        after = before.cells.copy()
        for changed_row, changed_col, code in state["changed"]:
            after[changed_row, changed_col] = code
        assert np.array_equal(after, game.observation.cells)
    assert visitor.get(f"/api/games/{state['id']}")["position"] == state["position"]
    assert (state["moves"], state["seed"], state["over"]) == (3, 5, False)


def test_a_won_game_tells_the_truth_and_the_measures(visitor: Visitor) -> None:
    state = win(visitor, "9x9/10", 4)
    assert (state["outcome"], state["over"], len(state["layout"])) == ("won", True, 10)
    metrics = state["metrics"]
    assert metrics["clicks"] == state["moves"]
    assert 0 < metrics["zini"] <= metrics["3bv"]
    assert metrics["efficiency"] == pytest.approx(metrics["3bv"] / metrics["clicks"])
    assert state["seconds"] > 0
    # No flag was set, and yet nothing is left to find.
    assert ("F" not in state["position"], state["mines_left"]) == (True, 0)


def test_a_won_game_stays_won(visitor: Visitor) -> None:
    state = win(visitor, "9x9/10", 4)
    assert "cannot be undone" in visitor.post(f"/api/games/{state['id']}/undo", 409)["error"]
    after = visitor.get(f"/api/games/{state['id']}")
    assert (after["outcome"], after["undone"], after["moves"]) == ("won", False, state["moves"])


def test_illegal_moves_change_nothing(visitor: Visitor) -> None:
    state = visitor.move(visitor.begin("9x9/10", seed=5), "open", 0, 0)
    for action, row, col, status in (
        ("open", 0, 0, 409),
        ("flag", 0, 0, 409),
        ("chord", 8, 8, 409),
        ("open", 9, 0, 422),
        ("open", -1, 0, 422),
        ("jump", 1, 1, 422),
    ):
        assert visitor.move(state, action, row, col, status)["error"].endswith(".")
    assert visitor.get(f"/api/games/{state['id']}")["moves"] == 1


def test_a_lost_game_goes_on_after_undo_and_does_not_count_any_more(visitor: Visitor) -> None:
    lost = lose(visitor)
    assert (lost["outcome"], lost["undone"], lost["score"]) == ("lost", False, 0.0)
    undone = visitor.post(f"/api/games/{lost['id']}/undo")
    assert (undone["outcome"], undone["undone"], undone["moves"]) == ("playing", True, lost["moves"] - 1)
    assert "layout" not in undone
    assert "*" not in undone["position"]
    visitor.move(undone, "flag", *hidden_cells(undone)[0])


def test_undo_takes_back_one_move_after_the_other_down_to_none(visitor: Visitor) -> None:
    state = visitor.begin("9x9/10", seed=5)
    positions = [state["position"]]
    for move in (("open", 0, 0), ("flag", 8, 8), ("flag", 8, 7)):
        state = visitor.move(state, *move)
        positions.append(state["position"])
    for position in positions[-2::-1]:
        assert visitor.post(f"/api/games/{state['id']}/undo")["position"] == position
    assert "no move" in visitor.post(f"/api/games/{state['id']}/undo", 409)["error"]


def test_the_same_board_again(visitor: Visitor) -> None:
    lost = lose(visitor)
    again = visitor.post(f"/api/games/{lost['id']}/again", 201)
    assert again["id"] != lost["id"]
    assert (again["moves"], again["over"]) == (1, False)
    game = Game(Rules.parse(lost["rules"]), lost["seed"])
    game.open(0, 0)
    assert again["position"] == str(game.observation)


@pytest.mark.parametrize("name", ["record", "text", "mbf", "ptta", "layout"])
def test_downloads_of_a_finished_game_can_be_read(name: str, visitor: Visitor) -> None:
    state = win(visitor, "9x9/10", 4)
    reply = visitor.ask("GET", f"/api/games/{state['id']}/download?format={name}")
    assert reply.status == 200
    assert "attachment" in reply.headers["content-disposition"]
    if name == "record":
        record = read_record(reply.body)
        assert str(record.final_game().observation) == state["position"]
    elif name == "text":
        assert reply.body.decode().strip() == state["position"]
    else:
        layout = FORMATS[name].read(reply.body)
        assert np.argwhere(layout.mines).tolist() == state["layout"]  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", [1, 5])
def test_hints_prove_or_weigh_and_never_repeat_what_is_marked(seed: int, visitor: Visitor) -> None:
    state = visitor.move(visitor.begin("9x9/12 first-opening", seed=seed), "open", 4, 4)
    game = Game(Rules.parse("9x9/12 first-opening"), seed)
    game.open(4, 4)
    assert game.layout is not None
    n_certain = 0
    for _ in range(40):
        hint = visitor.get(f"/api/games/{state['id']}/hint")
        row, col = hint["cell"]
        if not hint["certain"]:
            assert hint["best"]["cell"] == [row, col]
            risks = [one["p_mine"] for one in hint["candidates"]]
            assert risks == sorted(risks)
            assert 0 < len(risks) <= 12
            break
        n_certain += 1
        # What is marked already is no news.
        assert [row, col] in [list(cell) for cell in hidden_cells(state)]
        assert (hint["verdict"] == "mine") == bool(game.layout.mines[row, col])
        assert hint["steps"]
        assert "exploded" not in json.dumps(hint)
        state = visitor.move(state, "flag" if hint["verdict"] == "mine" else "open", row, col)
        if state["over"]:
            break
    assert n_certain > 5


def test_chances_are_the_engine_s(visitor: Visitor) -> None:
    state = visitor.move(visitor.begin("9x9/10", seed=5), "open", 0, 0)
    told = visitor.get(f"/api/games/{state['id']}/chances")
    found = mine_probabilities(Observation.parse(state["position"]))
    expected = [[None if p != p else p for p in row] for row in found.p_mine.tolist()]
    assert told["p"] == expected
    assert told["safe"] == [list(cell) for cell in found.safe]
    assert told["mines"] == [list(cell) for cell in found.mines]
    assert told["log_layouts"] == pytest.approx(found.log_layouts)


def test_wrong_flags_are_found_by_proof_alone(visitor: Visitor) -> None:
    state = visitor.move(visitor.begin("9x9/10", seed=5), "open", 0, 0)
    found = mine_probabilities(Observation.parse(state["position"]))
    wrong, right = found.safe[0], found.mines[0]
    uncertain = next(cell for cell in hidden_cells(state) if cell not in (*found.safe, *found.mines))
    for cell in (wrong, right, uncertain):
        visitor.move(state, "flag", *cell)
    assert visitor.get(f"/api/games/{state['id']}/wrong-flags") == {"cells": [list(wrong)]}


def test_another_visitor_sees_no_game_of_ours(server: Server, visitor: Visitor) -> None:
    state = visitor.move(visitor.begin("9x9/10"), "open", 0, 0)
    stranger = server.visitor()
    stranger.begin("9x9/10")
    for method, path, body in (
        ("GET", "", None),
        ("GET", "/hint", None),
        ("GET", "/chances", None),
        ("GET", "/wrong-flags", None),
        ("GET", "/download?format=text", None),
        ("POST", "/moves", b'{"action":"flag","row":8,"col":8}'),
        ("POST", "/undo", b"{}"),
        ("POST", "/again", b"{}"),
    ):
        assert stranger.ask(method, f"/api/games/{state['id']}{path}", body).status == 404
    assert stranger.post("/api/review", 404, game=state["id"])["error"] == "There is no such game."
    assert state["id"] not in [one["id"] for one in stranger.get("/api/games")]
    visitor.post("/api/games", 201, rules="beginner")  # not listed before its first move
    assert [one["id"] for one in visitor.get("/api/games")] == [state["id"]]
    assert visitor.get(f"/api/games/{state['id']}")["moves"] == 1


def test_ids_cannot_be_guessed(server: Server) -> None:
    tokens = set()
    for _ in range(20):
        one = server.visitor()
        tokens |= {one.begin("9x9/10")["id"], one.cookie.partition("=")[2]}
    assert len(tokens) == 40
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{32}", token) for token in tokens)


# -- the truth ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules", ["9x9/10", "8x8/12 torus first-opening", "8x8/10 hex", "8x8/8 knight", "6x6/6 survey first-any"]
)
def test_the_truth_stays_on_the_server_until_the_game_is_over(rules: str, server: Server) -> None:
    for _ in range(times(1, 3)):
        visitor = server.visitor()
        state = visitor.begin(rules)
        rng = np.random.default_rng(11)
        flagged = 0
        while True:
            game_id = state["id"]
            # Everything that can be asked of a game, at every move.
            for path in ("", "/hint", "/chances", "/wrong-flags", *(
                f"/download?format={name}" for name in ("record", "text", "mbf", "ptta", "layout")
            )):  # fmt: skip
                visitor.ask("GET", f"/api/games/{game_id}{path}")
            visitor.ask("POST", f"/api/games/{game_id}/again", b"{}")
            visitor.ask("POST", "/api/review", json.dumps({"game": game_id}).encode())
            visitor.ask("GET", "/api/games")
            during = list(visitor.replies)
            cells = hidden_cells(state)
            row, col = cells[int(rng.integers(len(cells)))]
            # Right and wrong flags must be answered alike.
            action = "flag" if flagged < 3 and state["moves"] else "open"
            flagged += action == "flag"
            state = visitor.move(state, action, row, col)
            if state["over"]:
                break
        mines = {tuple(cell) for cell in state["layout"]}
        assert len(mines) == Rules.parse(rules).mines
        exploded_before = set()
        for reply in during:
            text = reply.body.decode("utf-8", "replace")
            assert str(state["seed"]) not in text
            assert '"layout"' not in text
            if reply.headers["content-type"] == "application/json":
                value = reply.value
                if isinstance(value, dict) and "position" in value:
                    assert value["score"] is None
                    assert not {"layout", "metrics", "seed"} & set(value)
                    # What is shown of a mine is that it has exploded, or our own flag, or nothing.
                    shown = Observation.parse(value["position"])
                    for cell in mines:
                        assert shown.cells[cell] in (HIDDEN, -2, -3)
                        if shown.cells[cell] == -3:
                            exploded_before.add(cell)
            else:
                # Files: only the position, which was checked above in its other form.
                assert "Sapper-Record" not in text
                assert re.fullmatch(r"[0-8#F*.]+(/[0-8#F*.]+)* ?.*\n", text)
        if "survey" not in rules:
            assert not exploded_before
        # And what is computed is the same for every truth that fits: the processes that compute get the position alone.
        for status in {reply.status for reply in during}:
            assert status in (200, 201, 409)


def test_answers_during_play_do_not_depend_on_the_truth(server: Server) -> None:
    """Two games with the same position and other mines get the same answers, but for names and times."""
    rules = "6x6/8 first-any"
    by_position: dict[str, tuple[int, Any]] = {}
    compared = 0
    for seed in range(300):
        game = Game(Rules.parse(rules), seed)
        game.open(0, 0)
        position = str(game.observation)
        assert game.layout is not None
        if game.observation.cells[0, 0] < 0 or int((game.observation.cells != HIDDEN).sum()) > 1:
            continue
        visitor = server.visitor()
        state = visitor.move(visitor.begin(rules, seed=seed), "open", 0, 0)
        state = visitor.move(state, "flag", 5, 5)
        answers = {name: visitor.get(f"/api/games/{state['id']}/{name}") for name in ("hint", "chances", "wrong-flags")}
        answers["state"] = {
            name: value for name, value in state.items() if name not in ("id", "seed", "started", "seconds")
        }
        if position in by_position:
            assert by_position[position][1] == answers
            compared += 1
        by_position[position] = seed, answers
        if compared == 4:
            return
    pytest.fail("no two games showed the same position")
