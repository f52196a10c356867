"""Hints over the wire: safe cells first, one after the other; a mine only where nothing is safe."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

import numpy as np
import pytest
from effort import times
from visitor import Visitor

from sapper.agents.best import best_cell
from sapper.agents.registry import make_agent
from sapper.errors import InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.layout import Layout
from sapper.observation import Observation
from sapper.play.record import Move, Record
from sapper.play.review.review import review_record
from sapper.play.review.wins import Appraisal, appraise, estimate_wins
from sapper.rules import Rules
from sapper.train import lesson, of_position
from sapper.web.jobs import positions
from sapper.world.game import Game, Outcome


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


def test_every_part_gives_one_answer_where_risks_are_equal_and_win_chances_are_not(visitor: Visitor) -> None:
    """All four cells have a risk of one half. Two of them settle the others, two leave another guess."""
    text = "F112#1/112F#2/003F##/113FF2/1F2221/111000 8"
    hint: dict[str, Any] = positions.hint(text, False)
    best, told = best_cell(text), visitor.post("/api/best", position=text)
    assert (best.cell, best.p_win) == ((2, 4), 0.5)
    assert (told["cell"], told["p_win"]) == (hint["cell"], 0.5) == ([2, 4], 0.5)
    assert hint["best"]["p_win"] == 0.5
    assert "a win chance of 50.0%: perfect play wins 2 of the 4 layouts that are left." in hint["best"]["reason"]
    for agent in ("expert", "optimal", "master"):
        decision = make_agent(agent).decide(Observation.parse(text))
        assert decision.cell == best_cell(text, agent).cell == (2, 4)
        assert "perfect play wins 2 of the 4 layouts that are left" in decision.reason
    # It opens a safest cell, and does not call it the best.
    assert make_agent("exact").decide(Observation.parse(text)).why == "nothing is certain; the least risk is 50.0%"
    # Analyse knows risks only, which are equal; Train and Review say which of these cells win more often.
    assert positions.analyse(text)["best"] == [[0, 4], [1, 4], [2, 4], [2, 5]]
    assert of_position(text, "guess").solution == ((2, 4), (2, 5))
    for cell, verdict, lost in (((0, 4), "mistake", 0.25), ((2, 4), "unlucky", 0.0), ((2, 5), "unlucky", 0.0)):
        found = review_of_guess(Observation.parse(text), cell)
        winning = found.moves[-1]
        assert winning is not None
        assert (found.review.moves[-1].verdict, winning.lost.value, winning.best.value) == (verdict, lost, 0.5)
        assert winning.choice == (cell if lost == 0.0 else (2, 4))
        # Risks alone do not show it.
        assert review_record(record_of_guess(Observation.parse(text), cell)).moves[-1].verdict == "unlucky"


def test_hints_agree_with_the_course() -> None:
    for number in (11, 12):
        for puzzle in lesson(number).puzzles:
            hint: dict[str, Any] = positions.hint(str(puzzle.position), False)
            assert tuple(hint["cell"]) in puzzle.solution
            assert hint["best"]["p_win"] == dict(puzzle.chances)[puzzle.solution[0]]
            for cell, p_win in puzzle.chances:
                winning = review_of_guess(puzzle.position, cell).moves[-1]
                assert winning is not None
                assert winning.played.value == p_win


def record_of_guess(position: Observation, cell: tuple[int, int]) -> Record:
    """A game that begins at a position, on a layout in which its one move hits a mine."""
    posterior = mine_probabilities(position.without_flags())
    layouts = posterior.sample(1000, np.random.default_rng(0))
    mines = next(layout for layout in layouts if layout[cell])
    rules = Rules.on(position.topology, int(mines.sum()), first_click="any")
    # Flags need no move: they are opinions.
    opened = [Move("open", row, col) for row, col in np.argwhere(position.cells >= 0).tolist()]
    game, given = Game(rules, 0, Layout(position.topology, mines)), []
    for move in sorted(opened, key=lambda one: int(position.cells[one.row, one.col]) != 0):
        if game.observation.closed[move.row, move.col]:
            move.play(game)
            given.append(move)
    moves = (*given, Move("open", *cell))
    return Record(rules, 0, moves, game.given_layout, n_given=len(given))


def review_of_guess(position: Observation, cell: tuple[int, int]) -> Appraisal:
    return appraise(review_record(record_of_guess(position, cell)), n_games=20)


def test_every_part_gives_one_answer_in_positions_of_games() -> None:
    """Hints, agents, best cells, puzzles and reviews, wherever nothing is certain and few layouts are left."""
    rules, n_wanted, found = Rules.parse("6x6/8 first-opening"), times(20, 200), 0
    for seed in itertools.count():
        game, agent = Game(rules, seed), make_agent("exact", seed)
        while game.outcome is Outcome.PLAYING and found < n_wanted:
            decision = agent.decide(game.observation)
            seen = game.observation
            posterior = mine_probabilities(seen)
            if seen.closed.all() or posterior.safe or not 2 < posterior.n_layouts <= 300:
                game.open(*decision.cell)  # type: ignore[misc]
                continue
            found += 1
            hint: dict[str, Any] = positions.hint(str(seen), False)
            cell = tuple(hint["cell"])
            if hint["certain"]:  # a mine to flag
                cell = best_cell(seen).cell
            else:
                assert (best_cell(seen).cell, best_cell(seen).p_win) == (cell, hint["best"]["p_win"])
            assert make_agent("master").decide(seen).cell == cell
            with contextlib.suppress(InputError):  # where the cells hardly differ there is no puzzle
                assert cell in of_position(seen, "guess").solution
            winning = review_of_guess(seen, cell).moves[-1]
            assert winning is not None
            assert (winning.choice, winning.best.value) == (cell, best_cell(seen).p_win)
            game.open(*decision.cell)  # type: ignore[misc]
        if found == n_wanted:
            return


@pytest.mark.slow
def test_a_guess_is_the_same_everywhere_where_exact_search_is_out_of_reach() -> None:
    """In positions of games with too many layouts to search: hint, risks, Analyse, the agent and the review."""
    n_wanted, found, differing = times(12, 200), 0, 0
    for seed in itertools.count():
        rules = Rules.parse(("9x9/12", "12x12/30", "16x30/99")[seed % 3] + " first-opening")
        game, agent = Game(rules, seed), make_agent("exact", seed)
        while game.outcome is Outcome.PLAYING and found < n_wanted:
            decision, seen = agent.decide(game.observation), game.observation
            posterior = mine_probabilities(seen)
            if not seen.closed.all() and not posterior.safe and posterior.log_layouts > 8.0:
                found += 1
                told, shown = positions.best(str(seen), 0, "safe"), positions.chances(str(seen), False)
                hint: dict[str, Any] = positions.hint(str(seen), False)
                cell: Any = told["cell"]
                assert cell == shown["guess"]
                assert hint["certain"] or hint["cell"] == cell  # a mine to flag comes before a guess
                assert make_agent("master").decide(seen).cell == tuple(cell)
                winning = estimate_wins(rules, seen, [tuple(cell)], n_games=1, seed=0)
                assert winning.is_own_choice
                candidates: Any = told["candidates"]
                differing += candidates[0]["cell"] != cell
            game.open(*decision.cell)  # type: ignore[misc]
        if found == n_wanted:
            break
    # Candidates are ordered by what is known of their win chances: now and then another one comes first.
    assert differing > 0


def test_certain_mines_are_neither_candidates_nor_among_the_safest_cells() -> None:
    hint: dict[str, Any] = positions.hint("F112#1/112F#2/003F##/113FF2/1F2221/111000 8", False)
    assert [one["cell"] for one in hint["candidates"]] == [[0, 4], [1, 4], [2, 4], [2, 5]]
    found = positions.analyse("3#/## 3")
    assert (found["best"], found["mines"]) == ([], [[0, 1], [1, 0], [1, 1]])


def test_a_hint_names_the_best_cell_and_the_safest_where_they_differ() -> None:
    text = "001##/112##/##2##/###2#/##### 6"
    hint: dict[str, Any] = positions.hint(text, False)
    posterior = mine_probabilities(text)
    best, safest = tuple(hint["best"]["cell"]), tuple(hint["safest"]["cell"])
    assert hint["cell"] == hint["best"]["cell"]
    assert best not in posterior.safest
    assert safest in posterior.safest
    assert hint["safest"]["p_mine"] == posterior.p_mine[safest] < hint["best"]["p_mine"]
    by_cell = {one.cell: one.p_win for one in best_cell(text).candidates}
    assert by_cell[best] == hint["best"]["p_win"] > by_cell[safest]
    assert f"{safest} is safest, with" in hint["best"]["reason"]
    assert "safest" not in " ".join(hint["details"])  # which the page says by itself


@pytest.mark.parametrize(("start", "cell"), [("safe", [0, 0]), ("opening", [3, 3])])
def test_the_first_hint_is_the_one_of_the_opening_book(start: str, cell: list[int], visitor: Visitor) -> None:
    state = visitor.begin(f"16x30/99 first-{start}", seed=1)
    hint = visitor.get(f"/api/games/{state['id']}/hint")
    blank = "/".join(["#" * 30] * 16) + " 99"
    assert hint["cell"] == cell == list(best_cell(blank, start=start).cell)
    assert "by the opening book" in hint["summary"]


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
