"""The single environment: Gymnasium's own checks, the rules of the game, rewards, pictures, errors."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from effort import times
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.draw.pixels import SIZE, draw_pixels
from sapper.env import ENVIRONMENTS, MinesweeperEnv, Rewards
from sapper.errors import IllegalMove, InputError, RulesError
from sapper.layout import Layout
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.world.game import Game

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_gymnasium_knows_the_environments_and_their_rules(name: str) -> None:
    env = gymnasium.make(name)
    assert isinstance(env.unwrapped, MinesweeperEnv)
    assert env.unwrapped.task.rules == Rules.parse(ENVIRONMENTS[name])
    other = gymnasium.make(name, rules=Rules(4, 5, 3))
    assert other.observation_space.shape == (4, 5)


@pytest.mark.parametrize(
    "rules", ["beginner", "5x4/3 hex first-opening", "4x4/4 survey withheld:0.4:redraws", "4x4/3 knight liar", "2x2/0"]
)
@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_gymnasiums_checker_is_content(rules: str, render_mode: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make("sapper/Minesweeper-v0", rules=rules, render_mode=render_mode).unwrapped)


def test_the_entry_point_is_declared_and_is_what_importing_does() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, function = project["entry-points"]["gymnasium.envs"]["sapper"].partition(":")
    before = dict(gymnasium.registry)
    getattr(import_module(module), function)()
    assert gymnasium.registry == before
    for name in ENVIRONMENTS:
        del gymnasium.registry[name]
    try:
        getattr(import_module(module), function)()
        assert set(ENVIRONMENTS) <= set(gymnasium.registry)
    finally:
        gymnasium.registry |= before


@pytest.mark.slow
def test_the_full_name_needs_no_import() -> None:
    code = "import gymnasium; print(gymnasium.make('sapper.env:sapper/Minesweeper-Expert-v0').reset(seed=1)[0].shape)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "(16, 30)\n"


@pytest.mark.slow
def test_without_gymnasium_sapper_works_and_the_environments_say_what_to_install() -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "import sapper\n"
        "sapper.Game(sapper.Rules.parse('beginner'), seed=1).open(0, 0)\n"
        "try:\n    import sapper.env\n"
        "except ImportError as error:\n    print(error, isinstance(error, sapper.SapperError))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "The environments need Gymnasium: pip install 'sapper[rl]'. True\n"


@settings(max_examples=times(12, 40))
@given(st.sampled_from(["4x4/4", "5x5/4 first-opening torus", "4x4/5 first-any"]), st.integers(0, 10**6), st.data())
def test_the_environment_plays_the_game_of_its_seed(text: str, seed: int, data: st.DataObject) -> None:
    rules = Rules.parse(text)
    env, game = MinesweeperEnv(rules, rewards={"safe_cell": 1.0, "mine": -100.0, "win": 1000.0}), Game(rules, seed)
    observation, info = env.reset(options={"game_seed": seed})
    total, ended, n_steps = 0.0, False, 0
    while not ended:
        assert observation.tolist() == game.observation.cells.tolist()
        assert info["action_mask"].tolist() == (observation.ravel() == -1).astype(int).tolist()
        action = data.draw(st.sampled_from(np.flatnonzero(info["action_mask"]).tolist()))
        opened = game.open(*rules.topology.cell(action))
        observation, reward, ended, truncated, info = env.step(action)
        assert not truncated
        n_steps += 1
        total += reward
        if n_steps == 1 and rules.first_click != "any":
            assert observation.ravel()[action] >= 0
            assert rules.first_click == "safe" or observation.ravel()[action] == 0
        assert info["n_opened"] in (0, len(opened))
    n_safe = game.counters.cells_opened
    assert info["result"] == float(game.outcome.value == "won")
    assert total == (1000.0 + n_safe if info["result"] else n_safe - 100.0)
    assert not info["action_mask"].any()
    with pytest.raises(IllegalMove, match="The game is over"):
        env.step(0)


def test_a_zero_cascades_and_pays_for_every_cell() -> None:
    env = MinesweeperEnv("3x3/1", rewards=Rewards(win=0.0, safe_cell=0.5))
    env.reset(options={"layout": "--*/---/---"})
    observation, reward, terminated, _, info = env.step(6)
    assert observation.tolist() == [[0, 1, -1], [0, 1, 1], [0, 0, 0]]
    assert (reward, terminated, info["n_opened"], info["result"]) == (4.0, True, 8, 1.0)


def test_only_what_nothing_proves_safe_is_a_guess() -> None:
    rewards = {"guess": -7.0, "mine": 0.0, "win": 0.0}
    for rules, paid in (("1x5/2", 0.0), ("1x5/2 first-any", -7.0)):
        # A first cell that the rules promise to be safe is no guess.
        env = MinesweeperEnv(rules, rewards=rewards)
        env.reset(seed=0)
        assert env.step(0)[1] == paid
    env = MinesweeperEnv("1x4/1", rewards=rewards)
    env.reset(options={"layout": Layout.parse("--*-")})
    env.step(1)
    # The 1 has a neighbour to each side: opening one is a guess; when it shows no mine, the rest is proved.
    assert env.step(0)[1] == -7.0
    assert env.step(3)[1] == 0.0


def test_a_survey_is_paid_by_its_score_and_takes_flags() -> None:
    env = MinesweeperEnv("1x4/2 survey", rewards={"win": 10.0, "mine": -1.0})
    assert env.action_space == gymnasium.spaces.Discrete(8)
    env.reset(options={"layout": "*--*"})
    assert env.step(4)[1] == 0.0  # a flag on the first cell
    _, _, _, _, info = env.step(1)
    assert info["action_mask"].tolist() == [0, 0, 1, 1, 1, 0, 1, 1]
    assert env.step(0)[1] == -1.0  # not allowed: it is flagged
    env.step(4)
    assert env.step(4)[0].tolist() == [[-2, 1, -1, -1]]
    assert env.step(3)[1] == -1.0  # a mine, and play goes on
    _, reward, terminated, _, info = env.step(2)
    assert (reward, terminated, info["result"]) == (5.0, True, 0.5)


def test_a_flag_on_a_safe_cell_costs_what_a_right_one_earns() -> None:
    env = MinesweeperEnv("1x4/2 survey", rewards={"win": 10.0})
    env.reset(options={"layout": "*--*"})
    for flagged in (4, 7, 5):
        env.step(flagged)
    _, reward, terminated, _, info = env.step(2)
    assert (reward, terminated, info["result"]) == (5.0, True, 0.5)


def test_a_first_cell_without_room_for_its_opening_is_masked() -> None:
    env = MinesweeperEnv("3x3/5 first-opening", not_allowed="error")
    _, info = env.reset(seed=0)
    assert info["action_mask"].tolist() == [1, 0, 1, 0, 0, 0, 1, 0, 1]
    with pytest.raises(IllegalMove, match="leaves no room"):
        env.step(4)


def test_an_action_that_is_not_allowed_costs_or_is_refused() -> None:
    env = MinesweeperEnv("4x4/3")
    env.reset(seed=1)
    before = env.step(5)[0]
    after, reward, terminated, truncated, info = env.step(5)
    assert (reward, terminated, truncated, info["n_opened"]) == (-1.0, False, False, 0)
    assert after.tolist() == before.tolist()
    strict = MinesweeperEnv("4x4/3", not_allowed="error")
    strict.reset(seed=1)
    strict.step(5)
    with pytest.raises(IllegalMove, match=r"Action 5, to open \(1, 1\), is not allowed: the cell is open already"):
        strict.step(5)


def test_a_limit_of_steps_truncates() -> None:
    env = gymnasium.make("sapper/Minesweeper-v0", rules="4x4/3", max_episode_steps=3)
    env.reset(seed=1)
    ends = [env.step(5)[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MinesweeperEnv("2x2/4"), "every cell is a mine"),
        (lambda: MinesweeperEnv("9x9"), "not a board"),
        (lambda: MinesweeperEnv(7), "The rules are a Rules or its text"),  # type: ignore[arg-type]
        (lambda: MinesweeperEnv(not_allowed="laugh"), "ignore and error, not 'laugh'"),
        (lambda: MinesweeperEnv(render_mode="human"), "no render mode 'human'"),
        (lambda: MinesweeperEnv(rewards={"victory": 1.0}), "no reward 'victory'; choose from win"),
        (lambda: MinesweeperEnv(rewards={"win": float("nan")}), "'win' must be a finite number"),
        (lambda: MinesweeperEnv(rewards=3), "not 3"),  # type: ignore[arg-type]
        (lambda: MinesweeperEnv().step(0), "call reset"),
        (lambda: ready().step(81), "from 0 to 80, not 81"),
        (lambda: ready().step(10**30), "not 1000000"),
        (lambda: ready().step(1.5), "from 0 to 80, not 1.5"),  # type: ignore[arg-type]
        (lambda: ready().reset(options={"bored": 1}), "no option 'bored'"),
        (lambda: ready().reset(options={"game_seed": -3}), "A seed must be an integer"),
        (lambda: ready().reset(options={"layout": "*-"}), "does not fit the rules"),
    ],
)
def test_wrong_use_is_a_sentence(make: Any, message: str) -> None:
    with pytest.raises((InputError, RulesError, IllegalMove), match=message):
        make()


def ready() -> MinesweeperEnv:
    env = MinesweeperEnv()
    env.reset(seed=0)
    return env


def test_rendering_shows_what_the_player_sees() -> None:
    env = MinesweeperEnv("2x3/1", render_mode="ansi")
    env.reset(options={"layout": "--*/---"})
    env.step(0)
    assert env.render() == "    0 1 2\n0 | 0 1 #\n1 | 0 1 #\n1 mine"
    silent = MinesweeperEnv("2x3/1")
    silent.reset(seed=0)
    assert silent.render() is None


def test_every_kind_of_cell_has_a_picture_of_its_own() -> None:
    hidden = "#" * 13
    picture = draw_pixels(Observation.parse(f"{hidden}/012345678#F*./{hidden}"))
    assert picture.dtype == np.uint8
    picture = picture[SIZE : 2 * SIZE]
    tiles = {picture[:, left : left + SIZE].tobytes() for left in range(0, picture.shape[1], SIZE)}
    assert len(tiles) == 13
    assert draw_pixels(Observation.parse("1#/## 1 hex")).shape == (32, 40, 3)
