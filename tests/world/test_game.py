from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import rules

from sapper.errors import IllegalMove, InputError, RulesError
from sapper.kernels import reveal
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.rules import Rules
from sapper.world import game as game_module
from sapper.world.game import Game, Outcome


def game_on(layout: str, words: str = "") -> Game:
    truth = Layout.parse(layout)
    size = f"{truth.topology.rows}x{truth.topology.cols}/{truth.n_mines}"
    return Game(Rules.parse(f"{size} first-any {words}"), layout=truth)


def play_randomly(game: Game, seed: int) -> None:
    """Make random moves, legal or not, until the game ends or patience does."""
    rng = np.random.default_rng(seed)
    for _ in range(200):
        if game.outcome is not Outcome.PLAYING:
            return
        move = rng.choice(["open", "open", "flag", "chord"])
        try:
            getattr(game, move)(int(rng.integers(game.rules.rows)), int(rng.integers(game.rules.cols)))
        except (IllegalMove, RulesError):
            continue


def test_a_zero_cascades_to_its_border() -> None:
    game = game_on("-----/----*")
    assert len(game.open(0, 0)) == 8
    assert str(game.observation) == "0001#/0001# 1"


def test_without_cascade_one_cell_opens_at_a_time() -> None:
    game = game_on("-----/----*", "no-cascade")
    assert game.open(0, 0) == [(0, 0)]


def test_a_cascade_leaves_flags_alone() -> None:
    game = game_on("-----/----*")
    game.flag(0, 2)
    game.open(0, 0)
    assert str(game.observation) == "00F1#/0001# 1"


def test_classic_is_won_when_every_safe_cell_is_open() -> None:
    game = game_on("-----/----*")
    game.open(0, 0)
    game.open(0, 4)
    assert game.outcome is Outcome.WON
    with pytest.raises(IllegalMove, match="The game is over: won"):
        game.open(1, 4)


def test_classic_is_lost_on_a_mine() -> None:
    game = game_on("-----/----*")
    assert game.open(1, 4) == [(1, 4)]
    assert game.outcome is Outcome.LOST
    assert game.observation.cells[1, 4] == EXPLODED


def test_a_survey_goes_on_after_an_explosion_and_scores_marked_mines() -> None:
    game = game_on("*-*/---", "survey")
    game.open(0, 0)
    assert game.outcome is Outcome.PLAYING
    for cell in ((0, 1), (1, 0), (1, 1), (1, 2)):
        game.open(*cell)
    assert game.outcome is Outcome.PLAYING
    game.flag(0, 2)
    assert (game.outcome, game.score, game.counters.detonations) == (Outcome.FINISHED, 0.5, 1)


def test_a_wrong_mark_costs_what_a_right_one_earns() -> None:
    game = game_on("*-*/---", "survey")
    marked = []
    for cell in ((0, 0), (0, 2), (0, 1), (1, 0), (1, 1), (1, 2)):
        game.flag(*cell)
        marked.append(game.score)
    assert marked == [0.5, 1.0, 0.5, 0.0, 0.0, 0.0]
    assert (game.outcome, game.n_right_flags) == (Outcome.FINISHED, 2)


def test_marking_everything_blindly_scores_nothing() -> None:
    for seed in range(100):
        game = Game(Rules.parse("8x8/10 survey"), seed)
        game.open(0, 0)
        for cell in np.argwhere(game.observation.cells == HIDDEN).tolist():
            game.flag(*cell)
        assert game.outcome is Outcome.FINISHED
        # Right only where the opening left little but mines.
        assert game.score == max(0, 10 - (game.counters.flags - 10)) / 10
        assert game.score == 0.0 or game.counters.flags < 20


def test_chording_opens_the_rest_when_the_marks_are_right_in_number() -> None:
    game = game_on("*--/---")
    game.open(0, 1)
    assert game.chord(0, 1) == []
    game.flag(0, 0)
    # (0, 2) is a zero: its cascade opens everything to the right, then (1, 0) follows.
    assert set(game.chord(0, 1)) == {(0, 2), (1, 0), (1, 1), (1, 2)}
    assert game.outcome is Outcome.WON


def test_chording_on_a_wrong_flag_explodes() -> None:
    game = game_on("*--/---")
    game.open(0, 1)
    game.flag(1, 0)
    game.chord(0, 1)
    assert game.outcome is Outcome.LOST


def test_moves_that_make_no_sense_are_refused_and_change_nothing() -> None:
    game = game_on("*--/---")
    game.open(0, 1)
    before = game.observation
    for move, cell, says in (
        ("open", (0, 1), "is open already"),
        ("flag", (0, 1), "only hidden cells take a flag"),
        ("chord", (0, 2), "only an open clue"),
    ):
        with pytest.raises(IllegalMove, match=says):
            getattr(game, move)(*cell)
    with pytest.raises(InputError, match=r"no cell \(9, 9\)"):
        game.open(9, 9)
    assert game.observation == before
    game.flag(0, 0)
    with pytest.raises(IllegalMove, match="flagged"):
        game.open(0, 0)


def test_the_first_click_keeps_its_promise() -> None:
    for seed in range(200):
        safe, opening = (Game(Rules.parse(f"6x6/20 first-{policy}"), seed) for policy in ("safe", "opening"))
        safe.open(2, 3)
        assert safe.outcome is not Outcome.LOST
        opening.open(2, 3)
        assert opening.observation.cells[2, 3] == 0


def test_a_layout_must_fit_the_rules() -> None:
    with pytest.raises(RulesError, match="does not fit"):
        Game(Rules(2, 2, 2), layout=Layout.parse("*-/--"))


def test_the_total_is_told_only_when_the_rules_say_so() -> None:
    assert Game(Rules(3, 3, 2)).observation.total == 2
    assert Game(Rules(3, 3, 2, total_known=False)).observation.total is None


def test_a_withheld_clue_can_be_asked_for_again() -> None:
    game = Game(Rules.parse("5x5/5 survey first-safe withheld:0.9:redraws"), seed=3)
    game.open(2, 2)
    assert game.observation.cells[2, 2] == NO_CLUE
    for _ in range(200):
        game.open(2, 2)
        if game.observation.cells[2, 2] != NO_CLUE:
            break
    assert game.layout is not None
    assert game.observation.cells[2, 2] == game.layout.clues()[2, 2]
    assert game.counters.queries > 1
    assert game.counters.opens == 1


def test_a_withheld_clue_stays_withheld_without_redraws() -> None:
    game = Game(Rules.parse("5x5/5 survey withheld:1"), seed=3)
    game.open(2, 2)
    assert [game.open(2, 2) for _ in range(20)] == [[]] * 20


def test_a_doubtful_zero_does_not_cascade() -> None:
    game = Game(Rules.parse("5x5/0 optimistic:0.5"))
    assert game.open(0, 0) == [(0, 0)]
    assert len(Game(Rules.parse("5x5/0 cautious:0")).open(0, 0)) == 25


@given(rules(), st.integers(0, 1000))
def test_what_is_shown_is_always_consistent_with_the_truth(some: Rules, seed: int) -> None:
    game = Game(some, seed)
    play_randomly(game, seed)
    cells = game.observation.cells
    if game.layout is None:
        assert (cells < 0).all()
        return
    mines, clues = game.layout.mines, game.layout.clues()
    opened = cells >= 0
    assert not (mines & (opened | (cells == NO_CLUE))).any()
    assert (mines | (cells != EXPLODED)).all()
    if some.channel.kind in ("exact", "withheld"):
        assert (cells[opened] == clues[opened]).all()
    assert game.counters.detonations == (cells == EXPLODED).sum()
    assert game.counters.cells_opened == opened.sum() + (cells == NO_CLUE).sum()
    assert 0 <= game.score <= 1
    closed = (cells == HIDDEN) | (cells == FLAG)
    if some.opened_mine == "explodes":
        assert (game.outcome is Outcome.FINISHED) == (not (cells == HIDDEN).any())
    elif game.counters.detonations:
        assert game.outcome is Outcome.LOST
    else:
        assert (game.outcome is Outcome.WON) == bool((closed == mines).all())


def test_flags_on_a_board_full_of_mines_count_before_anything_is_opened() -> None:
    game = Game(Rules.parse("2x2/4 first-any survey"))
    for cell in ((0, 0), (0, 1), (1, 0)):
        game.flag(*cell)
    assert game.score == 3 / 4
    game.flag(1, 1)
    assert (game.outcome, game.score) == (Outcome.FINISHED, 1.0)


def test_an_observation_that_is_read_during_a_move_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_on("-----/----*")

    def read_first(*arguments: Any) -> int:
        # Another thread looks while the cells are being opened.
        assert str(game.observation) == "#####/##### 1"
        return reveal(*arguments)

    monkeypatch.setattr(game_module, "reveal", read_first)
    game.open(0, 0)
    assert str(game.observation) == "0001#/0001# 1"


@pytest.mark.parametrize("move", ["open", "flag"])
def test_an_observation_that_a_move_overtakes_is_not_kept(move: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_on("*--")

    def move_meanwhile(*arguments: Any) -> Observation:
        seen = of_game(*arguments)
        monkeypatch.undo()
        # Another thread plays before this one has kept what it saw.
        getattr(game, move)(0, 0)
        return seen

    of_game = Observation.of_game
    monkeypatch.setattr(Observation, "of_game", move_meanwhile)
    assert str(game.observation) == "### 1"
    assert str(game.observation) == {"open": "*## 1", "flag": "F## 1"}[move]
