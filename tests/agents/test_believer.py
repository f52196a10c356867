"""The agent that believes every clue: right where it may, wrong where it must, done in the end."""

from __future__ import annotations

import numpy as np
import pytest

from sapper.agents.agent import Decision
from sapper.agents.believer import Believer
from sapper.agents.registry import AGENTS, make_agent
from sapper.errors import AgentFault
from sapper.layout import Layout
from sapper.observation import Observation
from sapper.play.match import play_match, steps
from sapper.rules import Rules
from sapper.testing import check_agent
from sapper.world.game import Game, Outcome


@pytest.mark.parametrize("text", ["9x9/10 survey first-any", "6x6/9 torus withheld:0.4", "5x5/15 survey withheld:0.5"])
def test_where_no_clue_is_wrong_it_plays_as_exact_does(text: str) -> None:
    rules = Rules.parse(text)
    for seed in range(12):
        games = [play_match(Game(rules, seed), make_agent(name, seed)) for name in ("exact", "believer")]
        assert games[0].moves == games[1].moves


def test_it_believes_an_optimistic_zero() -> None:
    """The zero may stand for up to three mines; who knows the channel says so, who believes it opens at once."""
    position = Observation.parse("0##/##1/#1# 2 optimistic:0.5")
    assert make_agent("believer").decide(position).p_mine == 0.0
    assert make_agent("exact").decide(position).p_mine != 0.0


def test_its_deductions_may_be_wrong() -> None:
    """A cautious 3 in the corner: believed, all three neighbours are mines; in truth one is."""
    position = Observation.parse("3#/## cautious:0.9")
    found = make_agent("believer").decide(position).deductions
    assert {one.cell for one in found if one.is_mine} == {(0, 1), (1, 0), (1, 1)}
    assert make_agent("exact").decide(position).deductions == ()


def test_of_clues_that_cannot_both_hold_one_is_doubted_and_it_stays_so() -> None:
    """A 1 in the corner beside a 4 that needs all its neighbours: believed alone, they say quite different things."""
    position, later = (Observation.parse(f"14##/###{last} cautious:0.5") for last in "#.")
    minds = set()
    for seed in range(20):
        agent = make_agent("believer", seed)
        mines = frozenset(one.cell for one in agent.decide(position).deductions if one.is_mine)
        minds.add(mines)
        # What was called a mine is not called so again, and nothing new follows from the clue that is believed.
        assert not any(one.is_mine for one in agent.decide(later).deductions)
    everything_around_the_4 = frozenset({(0, 2), (1, 0), (1, 1), (1, 2)})
    assert minds == {frozenset(), everything_around_the_4}


def test_an_exploded_cell_makes_it_doubt_the_clue_that_called_it_safe() -> None:
    agent = Believer(np.random.default_rng(0))
    first = agent.decide(Observation.parse("0##/### 2 optimistic:0.5"))
    assert (first.cell, first.p_mine) == ((0, 1), 0.0)
    second = agent.decide(Observation.parse("0*#/### 2 optimistic:0.5"))
    # The cells that the zero had cleared and that are still hidden are unknown again.
    assert second.p_mine == pytest.approx(1 / 4)


@pytest.mark.parametrize("flags", [None, True])
def test_a_classic_game_comes_to_an_end_although_a_safe_cell_was_called_a_mine(flags: bool | None) -> None:
    """The corner shows 3 for 1: all its neighbours look like mines, and nothing else is left to open."""
    rules = Rules.parse("2x2/1 first-any total-hidden cautious:0.9")
    n_reopened = 0
    for seed in range(40):
        game = Game(rules, seed, Layout.parse("--/-*"))
        record = play_match(game, make_agent("believer", seed), flags=flags)
        assert game.outcome in (Outcome.WON, Outcome.LOST)
        n_reopened += any("looks like a mine" in move.reason for move in record.moves)
    assert n_reopened > 5


def test_a_survey_ends_with_wrong_marks_that_count_nothing() -> None:
    rules = Rules.parse("9x9/10 survey first-any cautious:0.5")
    n_wrong = 0
    for seed in range(10):
        game = Game(rules, seed)
        for step in steps(game, make_agent("believer", seed)):
            for found in step.decision.deductions:
                assert game.layout is not None
                n_wrong += found.is_mine and not game.layout.mines[found.cell]
        assert game.outcome is Outcome.FINISHED
        assert game.score * 10 + game.counters.detonations <= 10
    assert n_wrong > 10


def test_it_starts_afresh_in_another_game() -> None:
    rules = Rules.parse("6x6/6 survey first-any optimistic:0.4")
    agent = make_agent("believer", 3)
    for seed in range(6):
        games = [play_match(Game(rules, seed), player) for player in (agent, make_agent("believer", 3))]
        assert games[0].moves == games[1].moves


def test_the_checks_let_an_unsound_agent_be_wrong_but_nothing_else() -> None:
    trials = ("5x5/5 cautious:0.3", "5x5/5 liar:0.3")
    with pytest.raises(AgentFault, match=r"refuted|safe although"):
        check_agent(AGENTS["believer"].make, n_games=10, trials=trials)
    check_agent(AGENTS["believer"].make, n_games=10, trials=trials, sound=False)

    class Mumbles(Believer):
        def decide(self, observation: Observation) -> Decision:
            decision = super().decide(observation)
            return Decision(decision.cell, decision.p_mine, "", decision.deductions)

    with pytest.raises(AgentFault, match="not a sentence"):
        check_agent(Mumbles, n_games=1, trials=trials, sound=False)


def test_only_the_believer_and_the_bare_pattern_are_unsound() -> None:
    unsound = {entry.name for entry in AGENTS.values() if not entry.sound}
    assert unsound == {"one-two-reported", "one-two-corners-reported", "believer"}
