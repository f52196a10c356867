"""What single steps earn, against every layout of small boards; infos; functions as rewards."""

from __future__ import annotations

from fractions import Fraction
from math import log2
from typing import Any

import numpy as np
import pytest
from brute_force import brute_force
from effort import more

from sapper.env import MinesweeperEnv, MinesweeperVectorEnv, Transition
from sapper.errors import InputError
from sapper.kernels.codes import EXPLODED, FLAG, HIDDEN
from sapper.rules import Rules

SMALL = (
    "3x3/2",
    "3x4/3 first-any",
    "4x3/2 first-opening hex",
    "3x3/3 survey",
    "3x3/3 total-hidden",
    "3x3/2 liar:0.4 survey",
    "2x4/2 withheld:0.4:redraws",
)


def weigh(rules: Rules, cells: np.ndarray, promised: frozenset[int] = frozenset()) -> tuple[Fraction, list[Any]]:
    """Weigh the layouts that fit, without mines in the cells that the rules promise to be safe."""
    board = rules.topology
    codes = [-4 if cell in promised else int(code) for cell, code in enumerate(cells.ravel())]
    likelihood = None
    if rules.channel.kind not in ("exact", "withheld"):
        likelihood = {int(n): rules.channel.likelihood(int(n)).tolist() for n in np.unique(board.degree)}
    neighbours = [board.neighbours_of(cell) for cell in range(board.n_cells)]
    weight, _, chances = brute_force(codes, neighbours, rules.mines if rules.total_known else None, likelihood)
    return weight, chances


def worth(rules: Rules, before: np.ndarray, after: np.ndarray, action: int) -> dict[str, float]:
    """Work out what an action earned from the layouts that fit before and after it."""
    nothing = {"risk": 0.0, "excess-risk": 0.0, "information": 0.0}
    if action >= rules.n_cells:
        return nothing
    is_first = bool(np.isin(before, (HIDDEN, FLAG)).all())
    promised = rules.reserved(action) if is_first else frozenset()
    weight, chances = weigh(rules, before, promised)
    later, _ = weigh(rules, after)
    if after.ravel()[action] != EXPLODED:
        nothing["information"] = log2(weight / later)
    if before.ravel()[action] == HIDDEN and not promised:
        nothing["risk"] = -float(chances[action])
        nothing["excess-risk"] = -float(chances[action] - min(chance for chance in chances if chance is not None))
    return nothing


@pytest.mark.slow
@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize("seed", [1, *more(2, 3)])
def test_steps_earn_what_all_layouts_say(text: str, seed: int) -> None:
    rules, n = Rules.parse(text), 3
    named = ("risk", "excess-risk", "information")
    told = ("p_mine", "safe", "mines")
    vectors = {
        name: MinesweeperVectorEnv(n, rules, reward=name, info=told, autoreset_mode="Disabled")  # type: ignore[arg-type]
        for name in named
    }
    singles = {name: [MinesweeperEnv(rules, reward=name, info=told) for _ in range(n)] for name in named}  # type: ignore[arg-type]
    rng = np.random.default_rng(seed)
    for _ in range(2):
        first_seed = int(rng.integers(1000))
        for vector in vectors.values():
            before, infos = vector.reset(seed=first_seed)
        for alone in singles.values():
            for which, env in enumerate(alone):
                env.reset(seed=first_seed + which)
        while infos["action_mask"].any(axis=1).all():
            actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
            for name, vector in vectors.items():
                after, paid, _, _, infos = vector.step(actions)
                for which, action in enumerate(actions.tolist()):
                    expected = worth(rules, before[which], after[which], action)[name]
                    assert paid[which] == pytest.approx(expected, abs=1e-9), (before[which], action)
                    _, reward, _, _, info = singles[name][which].step(action)
                    assert reward == paid[which]
                    for one in told:
                        np.testing.assert_array_equal(info[one], infos[one][which])
                    _, chances = weigh(rules, after[which])
                    shown = [np.nan if chance is None else float(chance) for chance in chances]
                    assert info["p_mine"].ravel() == pytest.approx(shown, abs=1e-12, nan_ok=True)
                    assert info["safe"].ravel().tolist() == [chance == 0 for chance in chances]
                    assert info["mines"].ravel().tolist() == [chance == 1 for chance in chances]
            before = after


def test_a_needless_guess_costs_even_if_it_survives() -> None:
    env = MinesweeperEnv("1x6/2", reward="excess-risk")
    env.reset(options={"layout": "--*-*-"})
    env.step(1)
    # A 1 with one mine beside it, where a cell is a mine half of the time; the other mine is among three cells.
    assert env.step(0)[1] == pytest.approx(1 / 3 - 1 / 2)


def test_a_reward_adds_to_the_sums_and_replaces_their_defaults() -> None:
    env = MinesweeperEnv("1x3/1", reward="win")
    env.reset(options={"layout": "*--"})
    assert [env.step(1)[1], env.step(1)[1], env.step(2)[1]] == [0.0, -1.0, 1.0]
    env = MinesweeperEnv("1x3/1", reward="risk", rewards={"win": 3.0, "invalid_action": -9.0})
    env.reset(options={"layout": "*--"})
    assert [env.step(1)[1], env.step(1)[1], env.step(2)[1]] == pytest.approx([-1 / 3, -9.0, 2.5])


def test_a_function_sees_the_step() -> None:
    seen: list[Transition] = []

    def reward(step: Transition) -> float:
        seen.append(step)
        return 10.0 * step.result - step.excess_risk

    envs = MinesweeperVectorEnv(2, "1x3/1", reward=reward, autoreset_mode="SameStep")
    envs.reset(seed=0, options={"game_seed": [3, 4]})
    first = envs.step([1, 1])
    assert [str(one.before) for one in seen] == ["### 1", "### 1"]
    assert [str(one.after) for one in seen] == ["#1# 1", "#1# 1"]
    assert first[1].tolist() == [0.0, 0.0]
    _, paid, ended, _, _ = envs.step([0, 1])
    assert len(seen) == 3  # an invalid action is not a step
    last = seen[-1]
    assert (last.cell, last.risk, last.excess_risk, last.ended) == ((0, 0), 0.5, 0.0, True)
    assert (last.result, last.exploded, last.information) in ((1.0, False, 1.0), (0.0, True, 0.0))
    assert paid.tolist() == [10.0 * last.result, -1.0]
    assert ended.tolist() == [True, False]


def test_a_final_info_describes_the_end_of_its_game() -> None:
    envs = MinesweeperVectorEnv(
        1, "1x3/1 first-any", info=("mines", "p_mine", "action_mask"), autoreset_mode="SameStep"
    )
    envs.reset(seed=1)
    envs.step([1])
    infos = envs.step([0])[4] if envs._games.cells[0, 1] >= 0 else envs.step([1])[4]
    assert infos["p_mine"].round(6).tolist() == [[[0.333333] * 3]]
    if "final_info" in infos:
        assert np.isnan(infos["final_info"]["p_mine"]).any()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"reward": "luck"}, "must be win, risk, excess-risk, information or a function, not 'luck'"),
        ({"info": ("p_win",)}, "p_mine, safe, mines and action_mask, not 'p_win'"),
        ({"info": "p_mine"}, "not 'p_mine'"),
        ({"info": None}, "not None"),
        ({"reward": "risk", "rewards": 3}, "not 3"),
    ],
)
def test_wrong_use_is_a_sentence(settings: dict[str, Any], message: str) -> None:
    for make in (MinesweeperEnv, MinesweeperVectorEnv):
        with pytest.raises(InputError, match=message):
            make(**settings)


def test_a_function_must_return_a_number() -> None:
    env = MinesweeperEnv("1x3/1", reward=lambda _: None)  # type: ignore[arg-type]
    env.reset(seed=0)
    with pytest.raises(InputError, match="must return a finite number, not None"):
        env.step(1)
