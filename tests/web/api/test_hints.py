"""Hints over the wire: safe cells first, one after the other; a mine only where nothing is safe."""

from __future__ import annotations

import pytest
from visitor import Visitor

from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
from sapper.web.jobs import positions


def test_hints_go_through_the_safe_cells_and_begin_again(visitor: Visitor) -> None:
    state = visitor.move(visitor.begin("16x16/40 first-opening", seed=11), "open", 7, 7)
    posterior = mine_probabilities(Observation.parse(state["position"]))
    assert len(posterior.safe) > 3
    assert posterior.mines
    n_safe = len(posterior.safe)
    hints = [visitor.get(f"/api/games/{state['id']}/hint?skip={skip}") for skip in range(n_safe + 1)]
    assert {hint["n_certain"] for hint in hints} == {n_safe}
    assert [hint["verdict"] for hint in hints] == ["safe"] * (n_safe + 1)
    assert sorted(tuple(hint["cell"]) for hint in hints[:-1]) == sorted(posterior.safe)
    assert hints[-1] == hints[0]
    # The easiest comes first.
    assert len(hints[0]["clues"]) <= len(hints[n_safe - 1]["clues"])


def test_a_mine_is_hinted_at_where_no_cell_is_safe() -> None:
    hint = positions.hint("13#/### 3", False)
    assert (hint["verdict"], hint["n_certain"]) == ("mine", 2)
    assert positions.hint("13#/### 3", False, 1)["cell"] != hint["cell"]
    # One that is marked needs no hint any more.
    assert positions.hint("13F/### 3", False)["cell"] == [1, 2]
    assert positions.hint("13F/##F 3", False)["n_certain"] == 0


def test_proofs_beyond_the_easy_rules_come_last_and_each_once() -> None:
    text = "1####/#####/#####/#####/####1 2"
    safe = mine_probabilities(Observation.parse(text)).safe
    found = [positions.hint(text, False, skip) for skip in range(len(safe))]
    assert len(safe) > 8
    assert len({str(hint["cell"]) for hint in found}) == len(safe)


@pytest.mark.parametrize("skip", ["-1", "x", "1e3", "1234567", "%D9%A1"])
def test_only_a_small_whole_number_can_be_passed_over(skip: str, visitor: Visitor) -> None:
    state = visitor.begin("9x9/10", seed=5)
    reply = visitor.ask("GET", f"/api/games/{state['id']}/hint?skip={skip}")
    assert reply.status == 422
    assert "whole number" in reply.value["error"]


def test_to_analyse_a_game_under_way_is_help(visitor: Visitor) -> None:
    state = visitor.move(visitor.begin("9x9/10 first-opening"), "open", 4, 4)
    assert visitor.get(f"/api/games/{state['id']}/analysis") == {"position": state["position"]}
    exported = visitor.get("/api/you/export")
    assert [game["helped"] for game in exported["games"]] == [True]
