"""Chances to win by playing on: against every layout, against whole games, and what they say of single moves."""

from __future__ import annotations

import numpy as np
import pytest
from perfect import list_layouts

from sapper.errors import InputError
from sapper.inference.evaluation.endgame import solve_position
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.workspace import Budget
from sapper.layout import Layout
from sapper.observation import HIDDEN, Observation
from sapper.play.compiled import CompiledPlayer, ContinuingPlayer
from sapper.play.record import Move, Record
from sapper.play.review.review import review_record
from sapper.play.review.wins import appraise, estimate_wins
from sapper.rules import Rules
from sapper.world.game import Game, Outcome
from sapper.world.generation import generate_layout

pytestmark = pytest.mark.slow


def positions(rules: Rules, n: int, seed: int) -> list[Observation]:
    """Positions of games by random openings, in which something is left to decide."""
    rng = np.random.default_rng(seed)
    found: list[Observation] = []
    while len(found) < n:
        game = Game(rules, int(rng.integers(1 << 30)))
        for cell in rng.permutation(rules.n_cells)[: int(rng.integers(1, 6))].tolist():
            if game.outcome is Outcome.PLAYING and game.observation.cells.flat[cell] == HIDDEN:
                game.open(*rules.topology.cell(cell))
        if game.outcome is Outcome.PLAYING:
            found.append(game.observation)
    return found


@pytest.mark.oracle
@pytest.mark.parametrize(("agent", "n_games"), [("exact", 30), ("expert", 8)])
def test_playing_on_from_the_start_is_the_whole_game(agent: str, n_games: int) -> None:
    rules = Rules.parse("6x6/7 first-any")
    blank = Game(rules).observation
    whole, going_on = CompiledPlayer(rules, agent), ContinuingPlayer(rules, agent)
    first = rules.topology.cell(whole.first)
    for seed in range(n_games):
        layout = generate_layout(rules, seed, (0, 0))
        result = whole.play_layout(layout, whole.first)
        assert going_on.wins(blank, layout.mines, [first]) == result.won
        if result.n_moves > 1 and not layout.mines[first]:
            assert going_on.first_choice == rules.topology.cell(result.moves[1])


@pytest.mark.oracle
def test_a_safe_move_changes_no_game() -> None:
    rules = Rules.parse("5x5/5 first-any")
    player = ContinuingPlayer(rules)
    n_checked = 0
    for position in positions(rules, 25, 1):
        posterior = mine_probabilities(position)
        layouts = posterior.sample(10, np.random.default_rng(3))
        for cell in posterior.safe[:3]:
            for mines in layouts:
                n_checked += 1
                assert player.wins(position, mines) == player.wins(position, mines, [cell])
    assert n_checked > 100


def test_flags_are_opinions() -> None:
    rules = Rules.parse("1x7/2")
    player = ContinuingPlayer(rules)
    layout = Layout.parse("-*---*-")
    wrong = Observation.parse("1#F#F## 2")
    assert player.wins(wrong, layout.mines) == player.wins(Observation.parse("1###### 2"), layout.mines)


@pytest.mark.oracle
def test_few_layouts_are_searched_or_all_played() -> None:
    rules = Rules.parse("4x5/5")
    # 360 layouts, of which perfect play wins 285, beginning with (0, 2).
    position = Observation.parse("#####/#1###/#3###/##### 5")
    best = solve_position(position)
    assert (best.wins, best.layouts, best.best) == (285, 360, ((0, 2),))
    found = estimate_wins(rules, position, [(0, 2)], n_games=1000)
    assert (found.exact, found.n_games) == (True, 360)
    assert found.best.value == found.played.value == 285 / 360
    assert (found.choice, found.is_own_choice, found.lost) == ((0, 2), True, (0.0, 0.0, 0.0))
    # Two cells at once, as by a chord, are played.
    both = [(0, 2), (3, 4)]
    found = estimate_wins(rules, position, both, n_games=1000)
    assert (found.exact, found.n_games, found.choice) == (True, 360, (0, 2))
    assert found.lost.low == found.lost.high == pytest.approx(found.best.value - found.played.value)
    player = ContinuingPlayer(rules)
    layouts = list_layouts(position)
    assert found.played.value == sum(player.wins(position, layout.mines, both) for layout in layouts) / 360
    assert found.best.value == sum(player.wins(position, layout.mines, [(0, 2)]) for layout in layouts) / 360


def test_drawn_layouts_tell_what_all_layouts_tell() -> None:
    rules = Rules.parse("4x5/5")
    position = Observation.parse("#####/#1###/#3###/##### 5")
    both = [(0, 4), (3, 4)]
    truth = estimate_wins(rules, position, both, n_games=360)
    drawn = estimate_wins(rules, position, both, n_games=300, seed=1)
    assert truth.exact
    assert not drawn.exact
    assert drawn == estimate_wins(rules, position, both, n_games=300, seed=1)
    for name in ("best", "played", "lost"):
        low, high = getattr(drawn, name)[1:]
        assert low < getattr(truth, name).value < high
        assert low < high


def test_a_certain_mine_loses_everything() -> None:
    found = estimate_wins(Rules.parse("1x3/1"), Observation.parse("1## 1"), [(0, 1)], n_games=10)
    assert (found.best.value, found.played.value, found.lost.value, found.choice) == (1.0, 0.0, 1.0, (0, 2))


def review_of(rules: str, layout: str, *moves: tuple[str, int, int]) -> Record:
    played = tuple(Move(action, row, col) for action, row, col in moves)  # type: ignore[arg-type]
    chosen = Rules.parse(rules)
    return Record(chosen, 0, played, Layout.parse(layout, chosen.shape))


def test_the_moves_of_a_game() -> None:
    record = review_of("1x4/1 first-any", "*---", ("open", 0, 1), ("flag", 0, 0), ("open", 0, 2))
    review = review_record(record)
    assert [one.verdict for one in review.moves] == ["forced guess", "fair guess", "extra risk"]
    found = appraise(review, n_games=100)
    assert found.moves[1] is None  # flags cost nothing
    first, last = found.moves[0], found.moves[2]
    assert first is not None
    assert last is not None
    # After a 1 at (0, 1) both ends of the doubt are a mine equally often, and (0, 3) tells which.
    assert (last.best.value, last.played.value) == (1.0, 0.5)
    assert found.lost is not None
    assert found.lost.value == pytest.approx(first.lost.value + last.lost.value)


def test_the_best_cell_costs_nothing() -> None:
    record = review_of("1x3/1 first-any", "--*", ("open", 0, 1), ("open", 0, 0))
    last = appraise(review_record(record), n_games=50).moves[1]
    assert last is not None
    assert (last.choice, last.lost, last.is_own_choice) == ((0, 0), (0.0, 0.0, 0.0), True)
    assert last.best == last.played


def test_what_cannot_be_played_on() -> None:
    survey = review_record(review_of("1x4/1 survey first-any", "*---", ("open", 0, 1)))
    assert appraise(survey, n_games=10).reason == "rollouts need a classic game with exact clues"
    none = appraise(survey, n_games=0)
    assert (none.moves, none.lost) == ((None,), None)
    with pytest.raises(InputError, match="between 0 and"):
        appraise(survey, n_games=-1)
    with pytest.raises(InputError, match="exact, expert, optimal, master, not by random"):
        ContinuingPlayer(Rules.parse("beginner"), "random")
    with pytest.raises(InputError, match="Only classic games"):
        ContinuingPlayer(Rules.parse("beginner survey"))


def test_a_hard_position_is_left_out() -> None:
    # Isolated clues all over: few layouts of it can be summed within so small a budget.
    rules = Rules.parse("13x13/60 first-any no-cascade")
    layout = generate_layout(rules, 1, (0, 0))
    clear = [(row, col) for row in range(1, 13, 2) for col in range(1, 13, 2) if not layout.mines[row, col]]
    moves = tuple(Move("open", *cell) for cell in clear)
    review = review_record(Record(rules, 0, moves, layout))
    found = appraise(review, n_games=2, budget=Budget(states=2000, megabytes=64))
    assert found.moves[-1] is None
    assert found.moves[0] is not None or found.moves[1] is not None


def test_the_number_of_mines_may_be_unknown() -> None:
    rules = Rules.parse("4x4/3 first-any total-hidden")
    (position,) = positions(rules, 1, 5)
    assert position.total is None
    cell = tuple(int(k) for k in np.argwhere(position.closed)[0])
    found = estimate_wins(rules, position, [(cell[0], cell[1])], n_games=20)
    assert not found.exact
    assert 0.0 <= found.played.value <= found.best.value + 0.5
