"""The compiled engine against brute force, the reference, and what must hold of any posterior."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from corpora import read_corpus
from effort import times
from evenness import p_of_evenness
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import ask_brute_force
from strategies import channels, played_positions, positions

from sapper.errors import Contradiction, InputError, TooHard
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.posterior.reference import posterior
from sapper.inference.posterior.workspace import Budget
from sapper.kernels.codes import MINE, OPEN, SAFE, UNKNOWN
from sapper.layout import Layout
from sapper.observation import HIDDEN, Observation
from sapper.rules import Rules
from sapper.topology import topology
from sapper.world.game import Game, Outcome

densities = st.sampled_from((0.5, 0.2, 0.75, 1e-12, 1.0 - 1e-12))


def check_against(found: Posterior, chances: list[Fraction | None]) -> None:
    for p, verdict, chance in zip(found.p_mine.flat, found.verdicts.flat, chances, strict=True):
        if chance is None:
            assert math.isnan(p)
            assert verdict == OPEN
        else:
            assert p == pytest.approx(float(chance), abs=1e-12, rel=1e-9)
            # Certain means certain: exactly where the fraction is 0 or 1, and nowhere else.
            assert verdict == (SAFE if chance == 0 else MINE if chance == 1 else UNKNOWN)


@pytest.mark.oracle
@given(played_positions(), densities)
def test_the_engine_equals_brute_force(observation: Observation, density: float) -> None:
    weight, n_layouts, chances = ask_brute_force(observation, Fraction(density))
    found = mine_probabilities(observation, density=density)
    check_against(found, chances)
    assert found.log_weight == pytest.approx(math.log(weight), abs=1e-9)
    assert found.n_layouts == n_layouts
    assert found.log_layouts == pytest.approx(math.log(n_layouts), abs=1e-9)


@pytest.mark.slow
@pytest.mark.oracle
@given(positions().filter(lambda position: int(position.closed.sum()) <= 10))
def test_the_engine_equals_brute_force_on_nonsense_too(observation: Observation) -> None:
    weight, _, chances = ask_brute_force(observation)
    if weight:
        check_against(mine_probabilities(observation), chances)
    else:
        with pytest.raises(Contradiction, match="No layout fits"):
            mine_probabilities(observation)


@pytest.mark.slow
@pytest.mark.oracle
def test_a_position_that_fails_half_way_leaves_nothing_behind() -> None:
    # All of one size, so that they share a workspace: what one of them left there must not touch the next.
    rng = np.random.default_rng(3)
    for _ in range(times(150, 300)):
        cells = np.where(rng.random(20) < 0.55, HIDDEN, rng.integers(0, 4, 20))
        observation = Observation(topology("square", 4, 5), cells, int(rng.integers(3, 7)))
        weight, _, chances = ask_brute_force(observation) if (cells == HIDDEN).sum() <= 11 else (None, 0, [])
        try:
            found = mine_probabilities(observation)
        except Contradiction:
            assert not weight
            continue
        if weight is not None:
            check_against(found, chances)


def position_in_play(text: str, seed: int, n_moves: int) -> Observation:
    """A position of a game in which random safe cells were opened; in a survey mines too."""
    game = Game(Rules.parse(text), seed)
    rng = np.random.default_rng(seed)
    game.open(int(rng.integers(game.rules.rows)), int(rng.integers(game.rules.cols)))
    for _ in range(n_moves):
        assert game.layout is not None
        hidden = game.observation.cells == HIDDEN
        if game.rules.opened_mine == "ends":
            hidden &= ~game.layout.mines
        if game.outcome is not Outcome.PLAYING or not hidden.any():
            break
        row, col = np.argwhere(hidden)[rng.integers(hidden.sum())]
        game.open(int(row), int(col))
    return game.observation


BOARDS = [
    "9x9/10",
    "8x8/16 torus",
    "9x9/14 hex",
    "9x9/14 knight",
    "9x9/18 orthogonal",
    "10x10/20 survey first-any",
    "8x12/20 total-hidden",
    "7x7/12 optimistic:0.3",
    "7x7/12 cautious:0.2 total-hidden",
    "7x7/12 liar",
    "7x7/12 liar:0.3 total-hidden",
    "9x9/20 withheld:0.3",
    "1x30/9",
]


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("text", BOARDS)
def test_the_engine_equals_the_reference_on_boards_of_every_kind(text: str) -> None:
    for seed in range(0, 8, times(2, 1)):
        observation = position_in_play(text, seed, n_moves=4 * seed)
        found = mine_probabilities(observation, density=0.25)
        expected = posterior(observation, Fraction(1, 4))
        assert expected is not None
        check_against(found, [expected.p_mine.get(cell) for cell in range(observation.topology.n_cells)])
        assert found.log_weight == pytest.approx(float(math.log(expected.weight)), abs=1e-8)


@pytest.mark.parametrize("name", ["beginner", "intermediate", "expert", "expert_late", "large50", "huge100", "snake"])
def test_known_answers_are_met(name: str) -> None:
    for identity, position, truth in read_corpus(name):
        assert truth is not None
        found = mine_probabilities(position)
        p = found.p_mine.ravel()
        np.testing.assert_allclose(p, truth, atol=1e-9, rtol=0, err_msg=identity)
        assert ((found.verdicts.ravel() == SAFE) == (truth == 0)).all(), identity
        assert ((found.verdicts.ravel() == MINE) == (truth == 1)).all(), identity


@pytest.mark.slow
def test_known_answers_of_lattices_are_met() -> None:
    for identity, position, truth in read_corpus("lattice"):
        if truth is None:  # too wide for whoever computed the answers
            continue
        found = mine_probabilities(position)
        np.testing.assert_allclose(found.p_mine.ravel(), truth, atol=1e-9, rtol=0, err_msg=identity)
        assert ((found.verdicts.ravel() == SAFE) == (truth == 0)).all(), identity
        assert ((found.verdicts.ravel() == MINE) == (truth == 1)).all(), identity


def test_layouts_of_a_lattice_fit_though_most_states_of_its_sum_lead_nowhere() -> None:
    lattice = next(position for name, position, _ in read_corpus("lattice") if name == "lattice-13-50")
    shown = lattice.cells >= 0
    for mines in mine_probabilities(lattice).sample(20, np.random.default_rng(0)):
        layout = Layout(lattice.topology, mines)
        assert layout.n_mines == lattice.total
        assert not mines[shown].any()
        assert (layout.clues()[shown] == lattice.cells[shown]).all()


GOLDEN = {
    # Counted by brute force, and by the reference.
    "1#/## 1": 3,
    "1##/### 2": 6,
    "####/####/####/#### 4": 1820,
    "2#1/###/#3#": 3,
    "#####/#1###/#3###/##### 5": 360,
    "#1##/####/##2#/#### 3 torus": 56,
    "#1##/####/##2#/#### 3 hex": 55,
    "#1##/####/##2#/#### 3 knight": 6,
    "#1##/####/##2#/#### 3 orthogonal": 18,
    "#1##/####/##2#/#### 3 liar": 80,
}


@pytest.mark.parametrize(("text", "n_layouts"), GOLDEN.items())
def test_golden_positions_have_exact_counts(text: str, n_layouts: int) -> None:
    found = mine_probabilities(Observation.parse(text))
    assert found.n_layouts == n_layouts
    assert found.log_layouts == pytest.approx(math.log(n_layouts))


def test_a_count_beyond_every_float_is_exact() -> None:
    found = mine_probabilities(Observation.parse("/".join(["#" * 60] * 40) + " 500"))
    assert found.n_layouts == math.comb(2400, 500)
    assert found.log_layouts == pytest.approx(math.lgamma(2401) - math.lgamma(501) - math.lgamma(1901))


@given(played_positions(max_hidden=20, noisy=False))
def test_chances_sum_to_the_mines_that_are_left(observation: Observation) -> None:
    assume(observation.total is not None)
    assert observation.total is not None
    found = mine_probabilities(observation)
    n_exploded = int((observation.cells == -3).sum())
    assert np.nansum(found.p_mine) == pytest.approx(observation.total - n_exploded, abs=1e-9)


@pytest.mark.slow
@given(played_positions(max_hidden=20), st.integers(0, 3), st.booleans())
def test_the_eight_symmetries_turn_the_answer_along(observation: Observation, turns: int, mirror: bool) -> None:
    assume(observation.topology.shape not in ("hex", "own"))
    cells = np.rot90(observation.cells.T if mirror else observation.cells, turns)
    board = topology(observation.topology.shape, *cells.shape)
    turned = mine_probabilities(Observation(board, cells, observation.total, observation.channel))
    found = mine_probabilities(observation)
    expected = np.rot90(found.p_mine.T if mirror else found.p_mine, turns)
    np.testing.assert_allclose(turned.p_mine, expected, atol=1e-12)
    assert turned.log_weight == pytest.approx(found.log_weight, abs=1e-9)


@pytest.mark.oracle
@given(played_positions(), st.data())
def test_the_clues_of_a_cell_and_its_mine_have_chance_one(observation: Observation, data: st.DataObject) -> None:
    hidden = [tuple(cell) for cell in np.argwhere(observation.closed).tolist()]
    assume(hidden)
    row, col = data.draw(st.sampled_from(hidden))
    found = mine_probabilities(observation)
    assert found.p_clue(row, col).sum() + found.p_mine[row, col] == pytest.approx(1.0)


@pytest.mark.oracle
@given(played_positions(noisy=False), st.data())
def test_conditioning_on_an_opened_cell_is_the_posterior_of_the_new_position(
    observation: Observation, data: st.DataObject
) -> None:
    hidden = [tuple(cell) for cell in np.argwhere(observation.closed).tolist()]
    assume(hidden)
    row, col = data.draw(st.sampled_from(hidden))
    found = mine_probabilities(observation)
    mixture = np.zeros(observation.cells.shape)
    for clue, chance in enumerate(found.p_clue(row, col)):
        if chance > 0:
            cells = observation.cells.copy()
            cells[row, col] = clue
            mixture += chance * mine_probabilities(Observation(observation.topology, cells, observation.total)).p_mine
    # What remains is the case of a mine there, which an exploded cell stands for.
    if found.p_mine[row, col] > 0:
        cells = observation.cells.copy()
        cells[row, col] = -3
        exploded = mine_probabilities(Observation(observation.topology, cells, observation.total))
        mixture += found.p_mine[row, col] * exploded.p_mine
    others = observation.closed.copy()
    others[row, col] = False
    np.testing.assert_allclose(mixture[others], found.p_mine[others], atol=1e-9)


@pytest.mark.oracle
@given(played_positions(max_hidden=9), st.integers(0, 10**6))
@settings(max_examples=25)
def test_sampled_layouts_fit_and_match_the_chances(observation: Observation, seed: int) -> None:
    found = mine_probabilities(observation)
    drawn = found.sample(600, np.random.default_rng(seed))
    rates = drawn.mean(axis=0)[observation.closed]
    chances = found.p_mine[observation.closed]
    assert (rates[chances == 0] == 0).all()
    assert (rates[chances == 1] == 1).all()
    assert (np.abs(rates - chances) <= 6 * np.sqrt(chances * (1 - chances) / 600) + 1e-12).all()
    if observation.total is not None:
        assert (drawn.sum(axis=(1, 2)) == observation.total).all()
    if observation.channel.kind == "exact":
        for layout in drawn[:20]:
            cells = np.where(layout, -3, observation.cells)
            assert (layout[observation.cells == -3]).all()
            padded = np.append(layout.ravel(), False)
            clues = padded[observation.topology.table].sum(axis=1)
            shown = cells.ravel() >= 0
            assert (clues[shown] == cells.ravel()[shown]).all()


def test_samples_are_uniform_over_the_layouts_that_fit() -> None:
    found = mine_probabilities(Observation.parse("##1##/1###2/##### 4"))
    drawn = found.sample(30 * found.n_layouts, np.random.default_rng(5))
    counts = np.unique(drawn.reshape(len(drawn), -1), axis=0, return_counts=True)[1]
    assert len(counts) == found.n_layouts
    assert p_of_evenness(counts) > 1e-6


def test_flags_are_opinions_unless_trusted() -> None:
    observation = Observation.parse("F1##/#### 2")
    assert mine_probabilities(observation).p_mine[0, 0] == pytest.approx(0.2)
    trusted = mine_probabilities(observation, trust_flags=True)
    assert trusted.p_mine[0, 0] == 1.0
    assert (0, 2) in trusted.safe


def test_exploded_mines_count() -> None:
    found = mine_probabilities(Observation.parse("*1##/#### 2"))
    assert (0, 2) in found.safe
    assert np.isnan(found.p_mine[0, 0])
    assert found.p_mine[0, 3] == pytest.approx(0.5)
    with pytest.raises(Contradiction):
        mine_probabilities(Observation.parse("*1*/### 2"))


@given(channels())
def test_withheld_clues_say_nothing(channel: object) -> None:
    found = mine_probabilities(Observation.parse("..#/### 2 withheld:0.4"))
    assert found.p_mine[0, 2] == pytest.approx(0.5)


def test_a_wrong_density_is_refused() -> None:
    with pytest.raises(InputError, match="density"):
        mine_probabilities(Observation.parse("1#/##"), density=1.0)


@pytest.mark.oracle
def test_a_position_beyond_the_budget_says_so_with_its_width() -> None:
    lattice = next(position for name, position, _ in read_corpus("lattice") if name == "lattice-21-50")
    with pytest.raises(TooHard, match="clues are open at once") as caught:
        mine_probabilities(lattice, budget=Budget(states=2000))
    assert caught.value.width >= 8


@pytest.mark.slow
def test_a_frontier_too_wide_for_any_budget_is_refused_at_once() -> None:
    rows = ["#" * 81 if row % 2 else "2#" * 40 + "2" for row in range(81)]
    with pytest.raises(TooHard):
        mine_probabilities(Observation.parse("/".join(rows) + " 1600"), budget=Budget(states=100_000))


def test_p_clue_of_an_open_cell_is_refused() -> None:
    with pytest.raises(InputError, match="is open already"):
        mine_probabilities(Observation.parse("1#/## 1")).p_clue(0, 0)


@pytest.mark.parametrize(
    ("n_pieces", "n_free", "n_mines"),
    [
        pytest.param(500, 30, 760, marks=pytest.mark.oracle),
        pytest.param(500, 0, 750, marks=pytest.mark.oracle),
        (2500, 300, 3600),
        (2500, 0, 3500),
    ],
)
def test_thousands_of_components_are_tied_together_exactly(n_pieces: int, n_free: int, n_mines: int) -> None:
    # Each piece #1#1# holds one mine in the middle or one at each end; x of them hold one.
    text = "." + "#1#1#." * n_pieces + "#" * n_free + f" {n_mines} withheld:0.5"
    ways = {
        x: math.comb(n_pieces, x) * math.comb(n_free, left)
        for x in range(n_pieces + 1)
        if 0 <= (left := n_mines - 2 * n_pieces + x) <= n_free
    }
    total = sum(ways.values())
    p_middle = Fraction(sum(x * count for x, count in ways.items()), n_pieces * total)
    found = mine_probabilities(Observation.parse(text))
    p = found.p_mine[0, 1 : 6 * n_pieces + 1].reshape(n_pieces, 6)
    np.testing.assert_allclose(p[:, 2], float(p_middle), rtol=1e-10)
    np.testing.assert_allclose(p[:, 0], float(1 - p_middle), rtol=1e-10)
    if n_free:
        p_free = (n_mines - n_pieces * (2 - p_middle)) / n_free
        np.testing.assert_allclose(found.p_mine[0, -n_free:], float(p_free), rtol=1e-9)
    assert found.log_layouts == pytest.approx(math.log(total), rel=1e-12)
    drawn = found.sample(20, np.random.default_rng(1))
    assert (drawn.sum(axis=(1, 2)) == n_mines).all()


def test_what_is_certain_stays_certain_however_small_its_weight() -> None:
    # With one mine fewer than the pieces need at most, exactly one piece may hold one mine: the others are forced only
    # together, so nothing is certain; with the most mines everything is.
    n_pieces = 800
    text = "." + "#1#1#." * n_pieces
    loose = mine_probabilities(Observation.parse(f"{text} {2 * n_pieces - 1} withheld:0.5"))
    assert loose.safe == loose.mines == ()
    assert loose.p_mine[0, 3] == pytest.approx(1 / n_pieces)
    tight = mine_probabilities(Observation.parse(f"{text} {2 * n_pieces} withheld:0.5"))
    assert len(tight.mines) == 2 * n_pieces
    assert len(tight.safe) == n_pieces


def test_a_conflict_of_many_clues_is_named_in_short() -> None:
    text = "." + "#1#1#." * 20
    with pytest.raises(Contradiction, match=r"and the total of 41 mines cannot all hold") as caught:
        mine_probabilities(Observation.parse(f"{text} 41 withheld:0.5"))
    # One clue of each piece is enough: it leaves its three cells two mines at most.
    assert len(caught.value.clues) == 20
    assert "13 more clues" in str(caught.value)


@given(played_positions(), densities)
@settings(max_examples=10)
def test_a_posterior_is_the_same_after_pickling_and_cannot_be_written_to(
    observation: Observation, density: float
) -> None:
    found = mine_probabilities(observation, density=density)
    again = pickle.loads(pickle.dumps(found))
    assert (again.observation, again.question.density) == (observation, density)
    assert (again.log_weight, again.p_free, again.n_free) == (found.log_weight, found.p_free, found.n_free)
    assert (again.p_mine.tobytes(), again.verdicts.tobytes()) == (found.p_mine.tobytes(), found.verdicts.tobytes())
    assert found.p_mine is found.p_mine
    for array in (found.p_mine, found.verdicts, again.p_mine, again.verdicts):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0
