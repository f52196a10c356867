"""Checks for custom agents: legal, honest, blind to hidden mines, repeatable and finite.

>>> from sapper.agents.registry import AGENTS
>>> check_agent(AGENTS["basic"].make, n_games=1)
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sapper.agents.agent import Agent, Decision, Maker, ask, make_checked, most_decisions
from sapper.errors import AgentFault, TooHard
from sapper.inference.posterior.exact import mine_probabilities
from sapper.layout import Layout
from sapper.observation import FLAG, NO_CLUE, Observation
from sapper.play.dealt import start_game
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

# Every kind of game that an agent may have to play, small enough to check every step against the engine.
TRIALS = (
    "6x6/6",
    "5x7/9 first-opening",
    "5x5/6 survey first-any",
    "4x4/6 survey first-any total-hidden",
    "5x6/7 torus",
    "6x5/6 hex survey",
    "6x6/6 knight",
    "5x6/6 orthogonal survey",
    "5x5/5 survey no-cascade",
    "5x5/6 survey withheld:0.3",
    "5x5/6 withheld:0.4:redraws",
    "5x5/5 survey optimistic:0.3 total-hidden",
    "5x5/5 cautious:0.3",
    "5x5/5 survey liar",
    "5x5/5 liar:0.3 total-hidden",
    "1x1/0",
    "1x2/1",
    "3x3/9 survey first-any",
)


def check_agent(make: Maker, n_games: int = 3, trials: tuple[str, ...] = TRIALS, *, sound: bool = True) -> None:
    """Play games of every kind with an agent and raise `AgentFault`, in one sentence, at the first fault.

    ``make`` takes a random generator and returns a new agent. At every step, the agent must raise nothing and return a
    `Decision` with a cell that can be opened, a sentence as its reason and a probability as its risk; the exact engine
    must not refute its deductions or cells called safe. Over whole games, it must finish, accept a position in
    mid-game, and decide the same for the same generator and observations, whatever the hidden mines are. Deductions of
    an agent that is not ``sound`` may be wrong.
    """
    for text in trials:
        rules = Rules.parse(text)
        for seed in range(n_games):
            try:
                _check_game(make, rules, seed, sound)
            except AgentFault as fault:
                raise AgentFault(f"{fault} (rules {text}, seed {seed})") from fault.__cause__


def _check_game(make: Maker, rules: Rules, seed: int, sound: bool) -> None:
    game = start_game(rules, seed)
    agent, twin = _make_agent(make, seed), _make_agent(make, seed)
    seen: list[Observation] = []
    decisions: list[Decision] = []
    for _ in range(most_decisions(game.observation)):
        if game.outcome is not Outcome.PLAYING:
            break
        observation = game.observation
        before = str(observation)
        decision = ask(agent, observation)
        if str(observation) != before:
            raise AgentFault("The agent changed the observation.")
        _check_decision(observation, decision, sound)
        if ask(twin, observation) != decision:
            raise AgentFault("Two agents made from the same generator decided differently on the same observations.")
        seen.append(observation)
        decisions.append(decision)
        _carry_out(game, decision)
    else:
        raise AgentFault("The agent does not come to an end.")
    _check_blindness(make, game, seed, seen, decisions)
    if seen:
        middle = seen[len(seen) // 2]
        _check_decision(middle, ask(_make_agent(make, seed), middle), sound)


def _make_agent(make: Maker, seed: int) -> Agent:
    return make_checked(make, np.random.default_rng(seed))


def _carry_out(game: Game, decision: Decision) -> None:
    if game.rules.opened_mine == "explodes":
        for found in decision.deductions:
            if found.is_mine:
                game.flag(*found.cell)
    if game.outcome is Outcome.PLAYING:
        if decision.cell is None:
            raise AgentFault("The agent sees nothing to open although the game goes on.")
        if game.observation.cells[decision.cell] == FLAG:
            game.flag(*decision.cell)
        game.open(*decision.cell)


def _check_decision(observation: Observation, decision: Decision, sound: bool) -> None:
    reason = decision.reason
    if not reason or reason != reason.strip() or not reason.endswith(".") or "\n" in reason:
        raise AgentFault(f"The reason is not a sentence: {reason!r}.")
    if decision.p_mine is not None and not 0.0 <= decision.p_mine <= 1.0:
        raise AgentFault(f"The risk {decision.p_mine} is not a probability from 0 to 1.")
    try:
        posterior = mine_probabilities(observation) if sound else None
    except TooHard:
        posterior = None
    for found in decision.deductions:
        if posterior is not None and found.cell not in (posterior.mines if found.is_mine else posterior.safe):
            raise AgentFault(f"The deduction is refuted by a layout that fits {observation}: {found}")
    cell = decision.cell
    if cell is None:
        return
    silent = observation.cells[cell] == NO_CLUE
    if decision.p_mine == 0.0 and not silent and posterior is not None and cell not in posterior.safe:
        raise AgentFault(f"The agent calls {cell} safe although a layout that fits {observation} has a mine there.")


def _check_blindness(make: Maker, game: Game, seed: int, seen: list[Observation], decisions: list[Decision]) -> None:
    """Play another layout that looks the same at first: while it does, the decisions must be the same."""
    if not seen or game.layout is None:
        return
    middle = seen[len(seen) // 2]
    try:
        other = mine_probabilities(middle).sample(1, np.random.default_rng(seed))[0]
    except TooHard:
        return
    layout = Layout(game.rules.topology, other.ravel())
    if layout.n_mines != game.rules.mines:
        return
    elsewhere = Game(replace(game.rules, dealing="laid"), game.seed, layout)
    agent = _make_agent(make, seed)
    for observation, decision in zip(seen, decisions, strict=True):
        if elsewhere.outcome is not Outcome.PLAYING or elsewhere.observation != observation:
            return
        if ask(agent, elsewhere.observation) != decision:
            raise AgentFault("The agent decided differently where only the hidden mines differ.")
        _carry_out(elsewhere, decision)
