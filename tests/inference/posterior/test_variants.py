"""Every neighbourhood and every channel that may be wrong, against brute force over all layouts of small boards."""

from __future__ import annotations

import math

import numpy as np
import pytest
from effort import times
from oracle import ask_brute_force
from small_boards import small_position

from sapper.channel import SOFT_KINDS, Channel
from sapper.errors import Contradiction
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels.codes import MINE, OPEN, SAFE, UNKNOWN
from sapper.observation import Observation
from sapper.topology import OWN, SHAPES

CHANNELS = ["exact", *(f"{kind}:{p}" for kind in SOFT_KINDS for p in ("0.3", "1.0"))]


def check(observation: Observation) -> bool:
    """Compare a position with all layouts; whether any fits."""
    weight, n_layouts, chances = ask_brute_force(observation)
    if not weight:
        with pytest.raises(Contradiction, match="No layout fits"):
            mine_probabilities(observation)
        return False
    found = mine_probabilities(observation)
    assert found.log_weight == pytest.approx(math.log(weight), abs=1e-9)
    assert found.n_layouts == n_layouts
    for p, verdict, chance in zip(found.p_mine.flat, found.verdicts.flat, chances, strict=True):
        if chance is None:
            assert verdict == OPEN
        else:
            assert p == pytest.approx(float(chance), abs=1e-12)
            assert verdict == (SAFE if chance == 0 else MINE if chance == 1 else UNKNOWN), str(observation)
    return True


def compare(shape: str, text: str, n_positions: int, seed: int) -> None:
    rng = np.random.default_rng([seed, len(shape), len(text)])
    n_possible = sum(check(small_position(shape, Channel.parse(text), rng)) for _ in range(n_positions))
    assert n_possible > n_positions // 2
    # Among many there are some that nothing fits.
    assert n_possible < n_positions or n_positions < 100


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("text", CHANNELS)
@pytest.mark.parametrize("shape", [*SHAPES, OWN])
def test_the_engine_equals_brute_force_on_every_shape_under_every_channel(shape: str, text: str) -> None:
    compare(shape, text, 20, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("text", CHANNELS)
@pytest.mark.parametrize("shape", ["knight", "orthogonal", OWN])
def test_on_thousands_of_boards(shape: str, text: str) -> None:
    compare(shape, text, times(30, 200), seed=2)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["liar", "liar:0.2", "liar:0.7"])
@pytest.mark.parametrize("shape", SHAPES)
def test_liars_on_thousands_of_boards(shape: str, text: str) -> None:
    compare(shape, text, times(30, 200), seed=3)
