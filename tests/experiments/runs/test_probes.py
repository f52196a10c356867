"""Games in which something else is measured than how they end."""

from __future__ import annotations

import pytest

from sapper.errors import InputError
from sapper.experiments.runs.games import Chunk, Condition, play_chunk
from sapper.play.influence.measuring import measure_game
from sapper.rules import Rules


@pytest.mark.parametrize(
    ("rules", "agent", "source"),
    [
        ("8x8/10 survey first-any total-hidden", "contradiction-full", "probe:chains"),
        ("report-001", "infer", "probe:missed"),
        ("report-003", "local", "probe:once"),
        ("report-003", "local", "probe:once-border"),
        ("report-003", "one-two-corners", "probe:border"),
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


def test_the_border_is_walked_cell_by_cell() -> None:
    from sapper.experiments.runs.probes import _border

    walk = _border(3, 4)
    assert walk[:4] == [0, 3, 8, 11]
    assert sorted(walk) == [0, 1, 2, 3, 4, 7, 8, 9, 10, 11]
