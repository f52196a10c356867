"""Layouts without guesses: what is found can be cleared, whoever checks it, and is what was asked for."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from brute_force import brute_force
from effort import times
from hypothesis import given
from hypothesis import strategies as st
from own_boards import CROWD, MIXED, RING
from restricted import play_without_guess
from strategies import boards_of

from sapper.errors import GaveUp, InputError, RulesError
from sapper.layout import Layout
from sapper.play.noguess.generate import METHODS, REASONINGS, NoGuessMaker, Reasoning, generate_no_guess, needs_no_guess
from sapper.rules import Rules
from sapper.topology import OWN, SHAPES
from sapper.world.generation import generate_layout

KNOWN_MINE, OPEN = 2, 3


@st.composite
def games(draw: st.DrawFn, most: int = 7) -> tuple[Rules, Layout, int]:
    """Rules, a layout and a first cell without a mine."""
    rows, cols = draw(st.integers(1, most)), draw(st.integers(2, most))
    share = draw(st.sampled_from((0.1, 0.2, 0.3)))
    board = draw(boards_of(draw(st.sampled_from((*SHAPES, OWN))), rows, cols))
    rules = Rules.on(board, round(share * rows * cols))
    first = draw(st.integers(0, rules.n_cells - 1))
    return rules, generate_layout(rules, draw(st.integers(0, 2**40)), rules.topology.cell(first)), first


def naive_no_guess(rules: Rules, layout: Layout, first: int, with_total: bool) -> bool:
    """The same by listing every layout that fits, again and again."""
    board = layout.topology
    neighbours = [board.neighbours_of(cell) for cell in range(board.n_cells)]
    clues, mines = layout.clues().ravel().tolist(), layout.mines.ravel().tolist()
    cells = [-1] * board.n_cells
    cells[first] = clues[first]
    while sum(code >= 0 for code in cells) < board.n_cells - rules.mines:
        _, _, chances = brute_force(cells, neighbours, rules.mines if with_total else None)
        safe = [cell for cell, chance in enumerate(chances) if cells[cell] < 0 and chance == 0]
        if not safe:
            return False
        for cell in safe:
            assert not mines[cell]
            cells[cell] = clues[cell]
    return True


@pytest.mark.oracle
@given(games(), st.sampled_from(("single", "subsets", "pairs")))
def test_the_compiled_player_knows_what_the_reasoners_know(game: tuple[Rules, Layout, int], how: Reasoning) -> None:
    rules, layout, first = game
    maker = NoGuessMaker(rules, rules.topology.cell(first), reasoning=how)
    won, opened, mines = play_without_guess(rules, layout, first, how)
    assert maker.clears(layout) is won
    known = maker.known_cells()
    assert np.array_equal(known == OPEN, opened)
    if mines is not None:
        assert set(np.flatnonzero(known == KNOWN_MINE).tolist()) == mines


@pytest.mark.slow
@pytest.mark.oracle
@given(games(most=4), st.booleans())
def test_everything_that_follows_is_found(game: tuple[Rules, Layout, int], with_total: bool) -> None:
    rules, layout, first = game
    found = needs_no_guess(rules, layout, rules.topology.cell(first), "count" if with_total else "complete")
    assert found is naive_no_guess(rules, layout, first, with_total)


@pytest.mark.oracle
def test_harder_reasoning_clears_whatever_easier_does() -> None:
    rules = Rules.parse("6x6/7")
    cleared = []
    for how in REASONINGS:
        maker = NoGuessMaker(rules, (0, 0), reasoning=how)
        cleared.append({seed for seed in range(150) if maker.clears(generate_layout(rules, seed, (0, 0)))})
    assert all(easier <= harder for easier, harder in pairwise(cleared))
    assert cleared[0] < cleared[-1]


@pytest.mark.slow
@pytest.mark.parametrize("how", REASONINGS)
@pytest.mark.parametrize(
    "text",
    [
        "expert first-opening",
        "16x16/40",
        "9x9/14 torus",
        "10x10/20 hex",
        "9x9/12 knight",
        "9x9/18 orthogonal",
        "9x9/18 no-cascade",
        pytest.param(RING, id="ring"),
        pytest.param(MIXED, id="mixed"),
        pytest.param(CROWD, id="crowd"),
    ],
)
def test_boards_are_won_by_an_agent_that_may_reason_so_and_never_guess(text: str, how: Reasoning) -> None:
    rules = Rules.parse(text)
    for seed in range(times(2, 4)):
        first = seed * 53 % rules.n_cells
        layout = generate_no_guess(rules, seed, rules.topology.cell(first), reasoning=how)
        assert layout.n_mines == rules.mines
        won, _, _ = play_without_guess(rules, layout, first, how)
        assert won


@pytest.mark.oracle
@given(st.data())
def test_the_first_cell_is_as_the_rules_promise(data: st.DataObject) -> None:
    policy = data.draw(st.sampled_from(("first-any", "first-safe", "first-opening")))
    rules = Rules.parse(f"6x7/6 {data.draw(st.sampled_from(SHAPES))} {policy}")
    first = data.draw(st.integers(0, rules.n_cells - 1))
    method = data.draw(st.sampled_from(METHODS))
    layout = generate_no_guess(rules, data.draw(st.integers(0, 2**62)), rules.topology.cell(first), method=method)
    assert not layout.mines.flat[first]
    if policy == "first-opening":
        assert layout.clues().flat[first] == 0
    assert needs_no_guess(rules, layout, rules.topology.cell(first))


@pytest.mark.oracle
@pytest.mark.parametrize("method", METHODS)
def test_a_seed_means_a_layout_whatever_was_made_before(method: str) -> None:
    rules = Rules.parse("7x7/9")
    maker = NoGuessMaker(rules, (1, 3), method=method)  # type: ignore[arg-type]
    assert needs_no_guess(rules, NoGuessMaker(rules, (1, 1), mix=20).make(1).layout, (1, 1))
    made = [maker.make(seed) for seed in (1, 2, 3, 1)]
    assert made[0] == made[3]
    assert made[0].layout != made[1].layout
    assert made[2].layout == generate_no_guess(rules, 3, (1, 3), method=method)  # type: ignore[arg-type]


def all_no_guess(rules: Rules, first: int) -> set[Layout]:
    others = [cell for cell in range(rules.n_cells) if cell != first]
    layouts = (Layout.of_numbers(rules.topology, mines) for mines in combinations(others, rules.mines))
    return {layout for layout in layouts if naive_no_guess(rules, layout, first, with_total=True)}


@pytest.mark.slow
def test_rejection_finds_every_layout_equally_often() -> None:
    rules = Rules.parse("3x4/3")
    wanted = all_no_guess(rules, 0)
    maker = NoGuessMaker(rules, (0, 0), method="reject")
    counts = dict.fromkeys(wanted, 0)
    n = times(100, 300) * len(wanted)
    for seed in range(n):
        counts[maker.make(seed).layout] += 1
    expected = n / len(wanted)
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    # Mean k - 1, variance 2 (k - 1): five standard deviations above.
    freedom = len(wanted) - 1
    assert freedom > 20
    assert chi_square < freedom + 5 * (2 * freedom) ** 0.5


@pytest.mark.slow
def test_repair_finds_every_layout_and_no_other() -> None:
    rules = Rules.parse("3x4/3")
    maker = NoGuessMaker(rules, (0, 0))
    made = [maker.make(seed) for seed in range(3000)]
    assert {one.layout for one in made} == all_no_guess(rules, 0)
    assert any(one.n_repairs for one in made)


@pytest.mark.slow
def test_mixing_evens_out_what_repair_prefers() -> None:
    rules = Rules.parse("3x4/3")
    wanted = all_no_guess(rules, 0)
    n = 150 * len(wanted)
    chi_squares = []
    for mix in (0, 60):
        maker = NoGuessMaker(rules, (0, 0), mix=mix)
        counts = dict.fromkeys(wanted, 0)
        for seed in range(n):
            counts[maker.make(seed).layout] += 1
        expected = n / len(wanted)
        chi_squares.append(sum((count - expected) ** 2 / expected for count in counts.values()))
    freedom = len(wanted) - 1
    assert chi_squares[1] < freedom + 5 * (2 * freedom) ** 0.5 < chi_squares[0]


@pytest.mark.slow
def test_large_and_dense_boards() -> None:
    for text in ("50x50/500 first-opening", "16x30/120 first-opening"):
        rules = Rules.parse(text)
        layout = generate_no_guess(rules, 1, rules.topology.cell(rules.n_cells // 2))
        assert play_without_guess(rules, layout, rules.n_cells // 2, "count")[0]


@pytest.mark.oracle
def test_giving_up_is_said_with_the_number_of_tries() -> None:
    # A clue between two hidden cells can never tell them apart.
    says = (
        r"^Gave up after 7 tries and 0 repairs: .* for seed 3 that needs no guess from \(0, 1\) by count reasoning\.$"
    )
    with pytest.raises(GaveUp, match=says) as caught:
        generate_no_guess(Rules.parse("1x3/1"), 3, (0, 1), most_tries=7)
    assert caught.value.n_tries == 7
    with pytest.raises(GaveUp, match=r"^Gave up after 1 try: "):
        generate_no_guess(Rules.parse("1x3/1"), 3, (0, 1), most_tries=1, method="reject")


@pytest.mark.oracle
def test_boards_with_nothing_to_find_out() -> None:
    assert generate_no_guess(Rules.parse("1x1/0"), 0, (0, 0)).n_mines == 0
    assert generate_no_guess(Rules.parse("4x4/0 first-opening"), 0, (1, 1)).n_mines == 0
    assert generate_no_guess(Rules.parse("3x3/8"), 0, (1, 1)).mines.sum() == 8


@pytest.mark.parametrize(
    ("text", "first", "options", "message"),
    [
        ("9x9/10 withheld:0.3", (0, 0), {}, "need exact clues"),
        ("9x9/10", (9, 0), {}, r"no cell \(9, 0\)"),
        ("9x9/10", 40, {}, r"A cell must be given as \(row, col\), not as 40"),
        ("9x9/10 total-hidden", (0, 0), {"reasoning": "count"}, "hide the number of mines"),
        ("9x9/10", (0, 0), {"reasoning": "magic"}, "no reasoning 'magic'; choose from single, subsets"),
        ("9x9/10", (0, 0), {"method": "magic"}, "no method 'magic'; choose from repair, reject"),
        ("9x9/10", (0, 0), {"mix": -1}, "mixed by 0 to 1,000,000 exchanges, not -1"),
        ("9x9/10", (0, 0), {"most_tries": 0}, "at least one try, not 0"),
    ],
)
def test_what_cannot_be_asked_for(text: str, first: tuple[int, int], options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        generate_no_guess(Rules.parse(text), 1, first, **options)  # type: ignore[arg-type]


def test_what_does_not_fit() -> None:
    with pytest.raises(RulesError, match=r"12 mines leave no room to begin at \(2, 2\)"):
        generate_no_guess(Rules.parse("4x4/12 first-opening"), 1, (2, 2))
    with pytest.raises(RulesError, match="does not fit"):
        needs_no_guess(Rules.parse("3x3/1"), Layout.parse("**-/---/---"), (2, 2))
    assert not needs_no_guess(Rules.parse("3x3/1"), Layout.parse("*--/---/---"), (0, 0))
    # Without the number of mines nobody counts, and that is the usual reasoning there.
    assert NoGuessMaker(Rules.parse("9x9/10 total-hidden"), (0, 0)).reasoning == "complete"
