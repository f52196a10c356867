"""Agents over the environments, games on named boards, and the example that learns."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sapper.agents.registry import make_agent
from sapper.env import AgentPolicy, MinesweeperEnv, play_games
from sapper.errors import IllegalMove, InputError
from sapper.observation import EXPLODED
from sapper.play.match import play_match
from sapper.rules import Rules
from sapper.world.game import Game

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "train_agent.py"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("basic", "6x6/6"),
        ("random", "5x5/3 hex"),
        ("random", "5x5/3 knight liar"),
        ("statements", "5x5/6 survey"),
        ("infer", "4x4/4 survey withheld:0.3:redraws"),
        ("local", "5x5/5 first-any"),
    ],
)
def test_an_agent_plays_in_the_environment_as_it_plays_anywhere(name: str, text: str) -> None:
    rules = Rules.parse(text)
    policy = AgentPolicy(name, rules)
    env = MinesweeperEnv(rules, invalid_action="error")
    results = []
    for seed in range(8):
        observation, info = env.reset(options={"game_seed": seed})
        moves, ended = [], False
        while not ended:
            action = policy.act(observation, info)
            moves.append(("open" if action < rules.n_cells else "flag", *rules.topology.cell(action % rules.n_cells)))
            observation, _, ended, _, info = env.step(action)
        record = play_match(Game(rules, seed), make_agent(name, seed))
        assert moves == [(move.action, move.row, move.col) for move in record.moves]
        results.append(info["result"])
    # Fewer environments than games: the second lot begins where the first ended.
    assert play_games(policy, rules, range(8), num_envs=5).tolist() == results


def test_policies_are_held_to_the_mask() -> None:
    def first_cell(observations: np.ndarray, infos: dict[str, Any]) -> np.ndarray:
        return np.zeros(len(observations), dtype=np.int64)

    with pytest.raises(IllegalMove, match=r"Action 0 in game 4, to open \(0, 0\), is invalid"):
        play_games(first_cell, "3x3/4", [4])
    assert play_games(first_cell, "3x3/4", [4], max_steps=5).tolist() == [0.0]
    with pytest.raises(InputError, match="at least one seed"):
        play_games(first_cell, "3x3/4", [])
    with pytest.raises(InputError, match="no agent 'nobody'"):
        AgentPolicy("nobody", "beginner")


def test_a_lost_game_has_won_nothing() -> None:
    def any_cell(observations: np.ndarray, infos: dict[str, Any]) -> np.ndarray:
        chosen: np.ndarray = infos["action_mask"].argmax(axis=1)
        return chosen

    results = play_games(any_cell, "3x3/2 first-any", range(60))
    games = [Game(Rules.parse("3x3/2 first-any"), seed) for seed in range(60)]
    for game, result in zip(games, results.tolist(), strict=True):
        while game.outcome.value == "playing":
            game.open(*game.rules.topology.cell(int((game.observation.cells.ravel() == -1).argmax())))
        assert result == float(not (game.observation.cells == EXPLODED).any())


@pytest.mark.long
def test_the_example_learns_to_beat_chance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    figure = tmp_path / "learning.svg"
    arguments = ["--rules", "6x6/4", "--steps", "150", "--envs", "64", "--games", "100", "--figure", str(figure)]
    table = dict(main(arguments))
    shown = capsys.readouterr().out
    assert table["trained"].low > table["random"].high
    assert table["exact"].low > table["random"].high
    with pytest.raises(SystemExit):
        main(["--rules", "6x6/4 hex"])
    assert "classic games with exact clues on squares" in capsys.readouterr().err
    assert "trained" in shown
    assert figure.read_text(encoding="utf-8").startswith("<?xml")
