"""What holds for every registered agent, and what the conformance checks refuse."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from effort import times
from own_boards import CROWD, OWN_RULES

from sapper.agents import exact
from sapper.agents.agent import Decision
from sapper.agents.best import best_cell
from sapper.agents.guessing import RandomGuess
from sapper.agents.reasoning import ReasoningAgent
from sapper.agents.registry import AGENTS, Entry, agent_entry, make_agent, register
from sapper.errors import AgentFault, InputError, RulesError, TooHard
from sapper.inference.posterior.exact import Posterior
from sapper.inference.reasoning.single import Deduction, deduce_single
from sapper.observation import Observation
from sapper.play.compiled import CompiledPlayer
from sapper.play.match import play_match, steps
from sapper.play.record import Record
from sapper.rules import Rules
from sapper.testing import check_agent
from sapper.world.game import Game, Outcome

TRACES = Path(__file__).parent.parent / "data" / "traces"
TRACED = {"report-000": 3, "5x6/6 hex survey": 1, "beginner": 7, "6x6/7 torus survey withheld:0.3:redraws": 2}


@pytest.mark.slow
@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_keeps_the_contract(name: str) -> None:
    check_agent(AGENTS[name].make, n_games=1, sound=AGENTS[name].sound)


@pytest.mark.slow
@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_keeps_the_contract_on_boards_of_ones_own(name: str) -> None:
    trials = (*OWN_RULES.values(), f"{CROWD} survey liar:0.3")
    check_agent(AGENTS[name].make, n_games=1, trials=trials, sound=AGENTS[name].sound)


@pytest.mark.long
@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_keeps_the_contract_over_many_games(name: str) -> None:
    check_agent(AGENTS[name].make, n_games=6, sound=AGENTS[name].sound)


class _Wrong(ReasoningAgent):
    """An agent with a fault."""

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__((deduce_single,), RandomGuess(rng))
        self.rng = rng


class OpensOpenCells(_Wrong):
    def decide(self, observation: Observation) -> Decision:
        is_open = np.argwhere(~observation.closed)
        if not len(is_open):
            return super().decide(observation)
        row, col = (int(x) for x in is_open[0])
        return Decision((row, col), None, "Why not.")


class Overconfident(_Wrong):
    def decide(self, observation: Observation) -> Decision:
        decision = super().decide(observation)
        return Decision(decision.cell, 0.0, decision.reason, decision.deductions)


class Unsound(_Wrong):
    def decide(self, observation: Observation) -> Decision:
        decision = super().decide(observation)
        row, col = (int(x) for x in np.argwhere(observation.closed)[0])
        found = Deduction((row, col), True, "single", (), "it looks like one")
        return Decision(decision.cell, decision.p_mine, decision.reason, (found,))


class Mumbles(_Wrong):
    def decide(self, observation: Observation) -> Decision:
        decision = super().decide(observation)
        return Decision(decision.cell, decision.p_mine, "", decision.deductions)


class Moody(_Wrong):
    mood = 0

    def decide(self, observation: Observation) -> Decision:
        Moody.mood += 1
        closed = np.argwhere(observation.closed)
        row, col = (int(x) for x in closed[Moody.mood % len(closed)])
        return Decision((row, col), None, "I feel like it.")


class GivesUp(_Wrong):
    def decide(self, observation: Observation) -> Decision:
        del observation
        return Decision(None, None, "It is hopeless.")


class NoChance(_Wrong):
    def decide(self, observation: Observation) -> Decision:
        decision = super().decide(observation)
        return Decision(decision.cell, 1.5, decision.reason, decision.deductions)


@pytest.mark.parametrize(
    ("agent", "complaint"),
    [
        (OpensOpenCells, "open already"),
        (Overconfident, "safe although"),
        (Unsound, "refuted"),
        (Mumbles, "not a sentence"),
        (Moody, "decided differently"),
        (GivesUp, "nothing to open"),
        (NoChance, "not a probability"),
    ],
)
def test_the_checks_refuse_a_faulty_agent(agent: type[_Wrong], complaint: str) -> None:
    with pytest.raises(AgentFault, match=complaint):
        check_agent(agent, trials=("5x5/6 survey first-any",))


@pytest.mark.parametrize("name", AGENTS)
def test_golden_traces_are_played_again(name: str) -> None:
    """Every decision with its words. To write them anew after a wanted change: SAPPER_REWRITE=1."""
    for text, seed in TRACED.items():
        rules = Rules.parse(text)
        record = play_match(Game(rules, seed), make_agent(name, seed), player=name)
        path = TRACES / f"{name}_{rules.rows}x{rules.cols}.record"
        if os.environ.get("SAPPER_REWRITE"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(str(record), encoding="utf-8")
        assert str(record) == path.read_text(encoding="utf-8")
        game = Record.parse(str(record)).final_game()
        # A survey may be left once all of its mines are found.
        is_complete = game.n_right_flags + game.counters.detonations == rules.mines
        assert game.outcome is not Outcome.PLAYING or (name.startswith("statements-count") and is_complete)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "beginner",
        "8x8/12 torus",
        "9x7/10 hex first-opening",
        "8x8/10 knight",
        "8x8/12 orthogonal",
        "4x4/10 first-any",
        *(pytest.param(text, id=name) for name, text in OWN_RULES.items()),
    ],
)
@pytest.mark.parametrize("name", ["exact", "expert", "optimal", "master"])
def test_compiled_games_are_the_same_move_for_move(name: str, text: str) -> None:
    rules = Rules.parse(text)
    player = CompiledPlayer(rules, name)
    for seed in range(times(4, 12)):
        game = Game(rules, seed)
        record = play_match(game, make_agent(name, seed))
        result = player.play(seed)
        assert result.moves == tuple(move.row * rules.cols + move.col for move in record.moves)
        assert result.won == (game.outcome is Outcome.WON)
        assert result.n_guesses == sum("nothing is certain" in move.reason for move in record.moves)


def test_a_compiled_game_may_begin_with_a_given_cell() -> None:
    rules = Rules.parse("beginner")
    player = CompiledPlayer(rules)
    game = Game(rules, 3)
    game.open(4, 4)
    assert game.layout is not None
    result = player.play_layout(game.layout, first=4 * 9 + 4)
    agent = make_agent("exact")
    record = play_match(game, agent)
    assert result.moves[0] == 40
    assert result.won == (game.outcome is Outcome.WON)
    assert len(result.moves) == len(record.moves) + 1


def test_a_compiled_game_without_room_for_its_mines_is_refused() -> None:
    player = CompiledPlayer(Rules.parse("2x4/3 first-opening"), "optimal")
    with pytest.raises(RulesError, match=r"no room to begin at \(0, 1\)"):
        player.play(0)


def test_compiled_games_are_classic() -> None:
    with pytest.raises(InputError, match="classic"):
        CompiledPlayer(Rules.parse("beginner survey"))
    with pytest.raises(InputError, match="not by basic"):
        CompiledPlayer(Rules.parse("beginner"), "basic")


@pytest.mark.parametrize("name", ["exact", "expert", "min-cost", "min-risk", "most-information"])
def test_agents_fall_back_where_the_sum_is_too_hard(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(observation: Observation) -> Posterior:
        raise TooHard("Too hard.", 30)

    monkeypatch.setattr(exact, "mine_probabilities", refuse)
    n_guesses = 0
    for seed in range(5):
        game = Game(Rules.parse("8x8/12 survey"), seed)
        for step in steps(game, make_agent(name, seed)):
            if step.decision.p_mine:
                assert "too hard" in step.decision.reason
                n_guesses += 1
        assert game.outcome is Outcome.FINISHED
    assert n_guesses > 3


def test_an_unknown_agent_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean statements"):
        make_agent("statments")
    with pytest.raises(InputError, match="choose from random, basic"):
        agent_entry("zzz")


@pytest.mark.parametrize("seed", [-1, "one", 0.5])
def test_a_seed_that_is_none_is_named(seed: object) -> None:
    with pytest.raises(InputError, match=f"A seed must be a non-negative integer, not {seed!r}"):
        make_agent("basic", seed)  # type: ignore[arg-type]


def test_a_name_is_registered_once() -> None:
    with pytest.raises(InputError, match="already"):
        register(Entry("basic", 1, AGENTS["basic"].make, "Another."))


def test_one_agent_may_play_game_after_game() -> None:
    for name in ("statements", "exact", "one-two-corners"):
        agent = make_agent(name, 5)
        for seed in range(4):
            game = Game(Rules.parse("6x6/6 survey"), seed)
            play_match(game, agent)
            assert game.outcome is Outcome.FINISHED


def test_flags_are_set_in_surveys_and_on_request() -> None:
    rules = Rules.parse("beginner")
    records = [play_match(Game(rules, 7), make_agent("exact"), flags=flags) for flags in (None, True)]
    assert [any(move.action == "flag" for move in record.moves) for record in records] == [False, True]


@pytest.mark.parametrize("name", ["basic", "exact", "expert", "master"])
def test_a_board_on_which_every_closed_cell_is_flagged_leaves_nothing_to_open(name: str) -> None:
    position = Observation.parse("1FFFFF/FFFFFF/FFFFFF/FFFFFF/FFFFFF 8")
    assert make_agent(name, 0).decide(position).cell is None
    with pytest.raises(InputError, match="flagged"):
        best_cell(position, name)


@pytest.mark.parametrize("name", [name for name, entry in AGENTS.items() if entry.sound])
def test_what_a_sound_agent_marks_is_a_mine(name: str) -> None:
    for text in ("6x6/8 survey", "5x5/8 first-any survey total-hidden withheld:0.3", "5x5/5 hex survey optimistic:0.3"):
        game = Game(Rules.parse(text), seed=3)
        for _ in steps(game, make_agent(name, 3)):
            pass
        assert game.n_identified == game.n_right_flags
