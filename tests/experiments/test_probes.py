"""Games in which something else is measured than how they end."""

from __future__ import annotations

import pytest

from sapper.errors import InputError
from sapper.experiments.games import Chunk, Condition, play_chunk
from sapper.experiments.probes import consolidate
from sapper.play.influence.measure import measure_game
from sapper.rules import Rules


@pytest.mark.parametrize(
    ("rules", "agent", "source"),
    [
        ("8x8/10 survey first-any total-hidden", "contradiction-full", "probe:chains"),
        ("report-001", "infer", "probe:missed"),
        ("report-001", "infer", "probe:guesses"),
        ("report-001", "infer", "probe:all-guesses"),
        ("report-001", "infer", "probe:explorations"),
        ("9x9/10 first-any withheld:0.5:redraws", "infer", "probe:asked-late"),
        ("9x9/10 first-any withheld:0.5:redraws", "infer", "probe:asked-once"),
        ("report-000", "statements-reported", "probe:least-risk"),
        ("8x8/10 survey first-any total-hidden", "statements-reported", "probe:looks"),
        ("8x8/10 survey first-any no-cascade total-hidden", "contradiction", "probe:calls"),
        ("8x8/10 survey first-any total-hidden", "statements", "probe:compared"),
        ("report-003", "one-two-reported", "probe:marks"),
        ("report-003", "one-two-corners-reported", "probe:marks-waiting"),
        ("report-003", "simple-reported", "probe:marks-known"),
        ("report-003", "simple-reported", "probe:fringe"),
    ],
)
def test_a_probe_measures_the_same_wherever_its_chunk_begins(rules: str, agent: str, source: str) -> None:
    condition = Condition.of(Rules.parse(rules), agent, source)
    whole = play_chunk(Chunk(condition, 0, 6)).games
    assert whole == play_chunk(Chunk(condition, 0, 2)).games + play_chunk(Chunk(condition, 2, 4)).games
    assert len(set(whole)) > 1


def test_the_chain_that_is_kept_is_the_longest() -> None:
    rules = Rules.parse("8x8/10 survey first-any total-hidden")
    (game,) = play_chunk(Chunk(Condition.of(rules, "contradiction-full", "probe:chains"), 5, 1)).games
    assert game.moves == measure_game(rules, 5, n_proofs=0).length > 3


@pytest.mark.slow
def test_pairs_of_clues_miss_some_deductions_and_the_exact_agent_none() -> None:
    rules = Rules.parse("report-001")
    for agent, misses in (("infer", True), ("exact", False)):
        games = play_chunk(Chunk(Condition.of(rules, agent, "probe:missed"), 0, 60)).games
        n_missed, n_guesses = sum(game.moves for game in games), sum(game.guesses for game in games)
        assert n_guesses > 10
        assert n_missed <= n_guesses
        assert bool(n_missed) is misses


def test_an_unknown_probe_is_refused() -> None:
    with pytest.raises(InputError, match="no probe 'x'"):
        play_chunk(Chunk(Condition.of(Rules.parse("beginner"), "basic", "probe:x"), 0, 1))


def test_marks_are_counted_right_and_wrong() -> None:
    rules = Rules.parse("10x10/15 survey first-any no-cascade total-hidden")
    games = play_chunk(Chunk(Condition.of(rules, "one-two-reported", "probe:marks"), 0, 12)).games
    assert sum(game.guesses for game in games) > 3
    assert all(game.identified == max(0, game.moves - game.guesses) for game in games)
    # Every mine is marked or stepped on.
    assert all(game.moves + game.detonations == 15 for game in games)


def test_all_differences_are_compared_until_none_is_new() -> None:
    """By hand: {a}, {a, b}, {b, c} give {b}, then {c}; 3, 4 and 5 sets are compared with each other."""
    assert consolidate({0b001, 0b011, 0b110}) == 9 + 16 + 25
    assert consolidate(set()) == 0


def test_a_fringe_grows_by_many_and_shrinks_by_one() -> None:
    rules = Rules.parse("4x4/14 survey first-any no-cascade total-hidden")
    (game,) = play_chunk(Chunk(Condition.of(rules, "simple-reported", "probe:fringe"), 0, 1)).games
    assert (game.identified, game.guesses, game.moves) == (0, 0, 0)
    # The first zero puts the other three cells into the fringe, which leave it one by one.
    empty = Rules.parse("2x2/0 survey first-any no-cascade total-hidden")
    (game,) = play_chunk(Chunk(Condition.of(empty, "simple-reported", "probe:fringe"), 0, 1)).games
    assert (game.identified, game.guesses, game.moves) == (3, 1, 3)


def test_the_report_s_agent_looks_at_each_statement_once_a_click() -> None:
    """So never at more than the square of their number; and its games are those of the listed agent."""
    rules = Rules.parse("8x8/13 survey first-any total-hidden")
    looks, listed = (
        play_chunk(Chunk(Condition.of(rules, "statements-reported", source), 0, 8)).games
        for source in ("probe:looks", "seeds")
    )
    assert all(0 < game.moves <= game.guesses for game in looks)
    assert [game.detonations for game in looks] == [game.detonations for game in listed]


@pytest.mark.slow
def test_silent_cells_that_are_asked_later_or_less_often_win_less() -> None:
    rules = Rules.parse("9x9/10 first-any withheld:0.5:redraws")
    once, late, at_once = (
        sum(game.won for game in play_chunk(Chunk(Condition.of(rules, "infer", source), 0, 60)).games)
        for source in ("probe:asked-once", "probe:asked-late", "seeds")
    )
    assert once < late < at_once


def test_a_guess_at_which_a_cell_is_safe_counts_only_if_asked() -> None:
    rules = Rules.parse("16x16/51 first-any")
    some, every = (
        play_chunk(Chunk(Condition.of(rules, "infer", source), 0, 40)).games
        for source in ("probe:guesses", "probe:all-guesses")
    )
    assert all(one.guesses <= other.guesses for one, other in zip(some, every, strict=True))
    assert sum(game.guesses for game in some) < sum(game.guesses for game in every)
