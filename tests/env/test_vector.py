"""The compiled vector plays what single environments play, step for step, and keeps its promises to Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from effort import times
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st
from own_boards import OWN_RULES, crowd, words_of

import sapper.env
from sapper.env import MinesweeperVectorEnv
from sapper.errors import IllegalMove, InputError
from sapper.observation import HIDDEN

KEYS = ("action_mask", "game_seed", "n_opened", "result")
BOARDS = (
    "beginner",
    "6x7/12 hex first-opening",
    "6x7/8 knight first-opening",
    "6x7/12 orthogonal",
    "5x5/6 torus survey",
    "4x4/5 first-any withheld:0.3:redraws",
    "4x4/5 survey optimistic:0.4",
    "4x4/5 cautious:0.4 no-cascade",
    "4x4/4 survey liar",
    "4x4/4 liar:0.3",
    "3x3/5 first-opening",
    "3x3/2 survey first-any total-hidden withheld:0.3:redraws",
    "2x2/0",
    "1x2/2 survey first-any",
)
OWN_BOARDS = {**OWN_RULES, "crowd of mines": f"{words_of(crowd(4, 6), 14)} survey"}  # where clues of ten are common


def pair(rules: str, mode: str, n: int, guess: float = 0.0) -> tuple[gymnasium.vector.VectorEnv, ...]:
    """Return the same task twice: compiled, and as single environments."""
    same: dict[str, Any] = {"rules": rules, "rewards": {"safe_cell": 0.1, "guess": guess}, "max_episode_steps": 25}
    compiled = gymnasium.make_vec("sapper/Minesweeper-v0", n, autoreset_mode=mode, **same)
    singles = gymnasium.make_vec(
        "sapper/Minesweeper-v0", n, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **same
    )
    assert isinstance(compiled, MinesweeperVectorEnv)
    assert isinstance(singles, gymnasium.vector.SyncVectorEnv)
    return compiled, singles


def choose(rng: np.random.Generator, infos: dict[str, Any], n_actions: int) -> np.ndarray:
    """Mostly allowed actions, now and then any."""
    return np.array(
        [
            rng.choice(np.flatnonzero(mask)) if mask.any() and rng.random() < 0.85 else rng.integers(n_actions)
            for mask in infos["action_mask"]
        ]
    )


def same_infos(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert set(one) == set(other)
    for key in KEYS:
        has = other[f"_{key}"]
        assert one[f"_{key}"].tolist() == has.tolist()
        assert one[key][has].tolist() == other[key][has].tolist(), key
    if "final_obs" in other:
        assert one["_final_obs"].tolist() == other["_final_obs"].tolist() == one["_final_info"].tolist()
        for which in np.flatnonzero(other["_final_obs"]):
            assert one["final_obs"][which].tolist() == other["final_obs"][which].tolist()
        same_infos(one["final_info"], other["final_info"])


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("rules", [*BOARDS, *(pytest.param(text, id=name) for name, text in OWN_BOARDS.items())])
def test_the_vector_plays_what_single_environments_play(rules: str, mode: str) -> None:
    compiled, singles = pair(rules, mode, 4)
    rng = np.random.default_rng(5)
    observations, infos = compiled.reset(seed=11)
    theirs, their_infos = singles.reset(seed=11)
    n_ended = 0
    for _ in range(times(40, 70)):
        assert observations.tolist() == theirs.tolist()
        assert compiled.observation_space.contains(observations)
        same_infos(infos, their_infos)
        actions = choose(rng, infos, compiled.single_action_space.n)  # type: ignore[attr-defined]
        observations, *paid, infos = compiled.step(actions)
        theirs, *their_paid, their_infos = singles.step(actions)
        for mine, other in zip(paid, their_paid, strict=True):
            assert mine.dtype == other.dtype
            assert mine.tolist() == other.tolist()
        n_ended += int((paid[1] | paid[2]).sum())
    assert n_ended > 1


@pytest.mark.slow
def test_guesses_cost_the_same_in_both() -> None:
    compiled, singles = pair("5x5/5", "SameStep", 4, guess=-0.25)
    rng = np.random.default_rng(1)
    _, infos = compiled.reset(seed=2)
    singles.reset(seed=2)
    paid = set()
    for _ in range(60):
        actions = choose(rng, infos, 25)
        _, rewards, _, _, infos = compiled.step(actions)
        assert rewards.tolist() == singles.step(actions)[1].tolist()
        paid |= set(rewards.round(6).tolist())
    assert {-0.15, 0.1, -1.25} <= paid  # a lucky guess, a safe cell, a guess that was none


@pytest.mark.slow
@settings(max_examples=15)
@given(st.integers(0, 2**40), st.integers(1, 6))
def test_what_an_environment_plays_does_not_depend_on_how_many_there_are(seed: int, n: int) -> None:
    few, many = MinesweeperVectorEnv(1, "4x4/4"), MinesweeperVectorEnv(n, "4x4/4")
    observations, infos = few.reset(seed=[seed + n - 1])
    theirs, _ = many.reset(seed=seed)
    for step in range(12):
        assert observations[0].tolist() == theirs[n - 1].tolist()
        allowed = np.flatnonzero(infos["action_mask"][0])
        action = int(allowed[step * 7 % len(allowed)]) if len(allowed) else 0
        observations, _, _, _, infos = few.step([action])
        theirs = many.step(np.full(n, action))[0]


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["beginner", "6x6/9 torus first-opening", "7x5/6 hex"])
def test_first_cells_are_safe_and_no_zero_has_a_hidden_neighbour(rules: str) -> None:
    envs = MinesweeperVectorEnv(50, rules, autoreset_mode="SameStep")
    board, promised = envs.task.rules.topology, envs.task.rules.first_click
    rng = np.random.default_rng(0)
    observations, infos = envs.reset(seed=0)
    n_first = n_zeros = 0
    for _ in range(40):
        is_first = (observations == -1).all(axis=(1, 2))
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        observations, _, _, _, infos = envs.step(actions)
        for which, cells in enumerate(observations.reshape(50, -1)):
            seen = infos["final_obs"][which] if infos.get("_final_obs", np.zeros(50, bool))[which] else cells
            seen = seen.ravel()
            if is_first[which]:
                n_first += 1
                assert seen[actions[which]] >= 0
                assert promised == "safe" or seen[actions[which]] == 0
            for zero in np.flatnonzero(seen == 0).tolist():
                n_zeros += 1
                assert (seen[list(board.neighbours_of(zero))] >= 0).all()
    assert n_first > 100
    assert n_zeros > 1000


def test_the_same_seed_gives_the_same_games_and_no_seed_goes_on() -> None:
    envs = MinesweeperVectorEnv(3, "4x4/4")
    first = envs.reset(seed=8)[1]["game_seed"].tolist()
    second = envs.reset()[1]["game_seed"].tolist()
    assert first == envs.reset(seed=[8, 9, 10])[1]["game_seed"].tolist()
    assert second == envs.reset()[1]["game_seed"].tolist()
    assert not set(first) & set(second)
    mixed = envs.reset(seed=[None, 9, None])[1]["game_seed"].tolist()
    assert mixed[1] == first[1]
    assert mixed[0] not in (first[0], second[0])


def test_games_can_be_named_and_some_be_reset() -> None:
    envs = MinesweeperVectorEnv(2, "4x4/4", autoreset_mode=AutoresetMode.DISABLED)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    _, infos = envs.reset(seed=0, options={"game_seed": [7, 8]})
    assert infos["game_seed"].tolist() == [7, 8]
    before = envs.step([0, 0])[0]
    mask = np.array([False, True])
    after, infos = envs.reset(options={"game_seed": np.array([1, 2]), "reset_mask": mask})
    assert infos["game_seed"].tolist() == [7, 2]
    assert infos["_game_seed"].tolist() == [False, True]
    assert after[0].tolist() == before[0].tolist()
    assert (after[1] == -1).all()


def test_without_autoreset_an_ended_game_has_to_be_reset() -> None:
    envs = MinesweeperVectorEnv(2, "2x2/0", autoreset_mode="Disabled")
    envs.reset(seed=0)
    _, rewards, terminated, _, infos = envs.step([0, 1])
    assert terminated.all()
    assert rewards.tolist() == [1.0, 1.0]
    assert not infos["action_mask"].any()
    with pytest.raises(IllegalMove, match="environment 0 is over"):
        envs.step([0, 0])
    envs.reset(options={"reset_mask": np.array([True, True])})
    envs.step([0, 0])


def test_what_is_returned_belongs_to_the_caller() -> None:
    envs = MinesweeperVectorEnv(2, "5x5/3")
    observations, infos = envs.reset(seed=3)
    kept = [observations.copy(), infos["action_mask"].copy()]
    observations[:], infos["action_mask"][:] = 5, 0
    assert (envs.step([0, 0])[0] != 5).any()
    envs.reset(seed=3)
    assert envs.render() is None
    assert kept[0].tolist() == envs.reset(seed=3)[0].tolist()
    assert kept[1].tolist() == envs.reset(seed=3)[1]["action_mask"].tolist()


def test_an_invalid_action_costs_or_is_refused() -> None:
    envs = MinesweeperVectorEnv(2, "5x5/3", rewards={"invalid_action": -0.5})
    envs.reset(seed=3)
    before = envs.step([12, 0])[0]
    after, rewards, terminated, _, _ = envs.step([12, 24])
    assert rewards[0] == -0.5
    assert not terminated[0]
    assert after[0].tolist() == before[0].tolist()
    strict = MinesweeperVectorEnv(2, "5x5/3", invalid_action="error")
    strict.reset(seed=3)
    before = strict.step([12, 0])[0]
    with pytest.raises(IllegalMove, match=r"Action 12 of environment 0, to open \(2, 2\), is invalid: .*open already"):
        strict.step([12, 24])
    assert strict.render_mode is None
    assert strict._observations().tolist() == before.tolist()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MinesweeperVectorEnv(0), "at least one environment"),
        (lambda: MinesweeperVectorEnv(1, max_episode_steps=0), "must be at least 1, not 0"),
        (lambda: MinesweeperVectorEnv(1, autoreset_mode="sometimes"), "Unknown autoreset mode 'sometimes'"),
        (lambda: MinesweeperVectorEnv(2).step([0, 0]), "call reset"),
        (lambda: ready(2).step([0]), "2 integers"),
        (lambda: ready(2).step(np.array([0.0, 1.0])), "2 integers"),
        (lambda: ready(2).step([0, 81]), "action 81 of environment 1"),
        (lambda: ready(2).step([-1, 0]), "action -1 of environment 0"),
        (lambda: ready(2).reset(seed=[1]), "1 seed does not fit 2"),
        (lambda: ready(2).reset(seed=-1), "non-negative integer"),
        (lambda: ready(2).reset(options={"game_seed": [1]}), "2 integers"),
        (lambda: ready(2).reset(options={"game_seed": [1, -1]}), "A seed must be an integer"),
        (lambda: ready(2).reset(options={"layout": 1}), "Unknown reset option 'layout'"),
        (lambda: ready(2).reset(options={"reset_mask": [True, False]}), "boolean array"),
        (lambda: MinesweeperVectorEnv(2).reset(options={"reset_mask": np.ones(2, bool)}), "first reset"),
    ],
)
def test_wrong_use_is_a_sentence(make: Any, message: str) -> None:
    with pytest.raises((InputError, IllegalMove), match=message):
        make()


def ready(n: int) -> MinesweeperVectorEnv:
    envs = MinesweeperVectorEnv(n)
    envs.reset(seed=0)
    return envs


def test_the_vector_draws_every_board() -> None:
    text = MinesweeperVectorEnv(2, "2x3/1", render_mode="ansi")
    text.reset(seed=0)
    assert text.render() == ("    0 1 2\n0 | # # #\n1 | # # #\n1 mine",) * 2
    pictures = sapper.env.MinesweeperVectorEnv(2, "2x3/1", render_mode="rgb_array")
    pictures.reset(seed=0)
    frames = pictures.render()
    assert frames is not None
    assert [frame.shape for frame in frames] == [(32, 48, 3)] * 2


def test_flagging_everything_blindly_wins_nothing() -> None:
    results = []
    for seed in range(20):
        env = MinesweeperVectorEnv(1, "5x5/3 survey")
        env.reset(seed=seed)
        cells, _, ended, _, infos = env.step([0])
        while not ended[0]:
            cells, _, ended, _, infos = env.step([25 + int((cells.ravel() == HIDDEN).argmax())])
        results.append(float(infos["result"][0]))
    assert sorted(results)[10] == 0.0
    assert max(results) < 1.0
