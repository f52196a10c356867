from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from oracle import ask_brute_force
from strategies import played_positions, positions

from sapper.inference.posterior.reference import posterior
from sapper.observation import Observation

densities = st.sampled_from((Fraction(1, 2), Fraction(1, 5), Fraction(2, 3)))


def check(observation: Observation, density: Fraction) -> None:
    weight, _, chances = ask_brute_force(observation, density)
    found = posterior(observation, density)
    if not weight:
        assert found is None
        return
    assert found is not None
    assert found.weight == weight
    assert found.p_mine == {cell: chance for cell, chance in enumerate(chances) if chance is not None}


@given(played_positions(), densities)
def test_the_reference_equals_brute_force(observation: Observation, density: Fraction) -> None:
    check(observation, density)


@given(positions().filter(lambda position: int(position.closed.sum()) <= 10), densities)
def test_the_reference_equals_brute_force_on_nonsense_too(observation: Observation, density: Fraction) -> None:
    check(observation, density)


def test_trusted_flags_are_mines() -> None:
    observation = Observation.parse("F1##/#### 2")
    found = posterior(observation, trust_flags=True)
    assert found is not None
    assert 0 not in found.p_mine
    assert posterior(observation) != found


def test_the_positions_of_the_min_cost_assignment() -> None:
    # 2 A 1 / B C D / E 3 F, total unknown: A 1/3, B 1, C 2/3, D 0, E 2/3, F 2/3.
    found = posterior(Observation.parse("2#1/###/#3#"))
    assert found is not None
    third = Fraction(1, 3)
    assert found.p_mine == {1: third, 3: 1, 4: 2 * third, 5: 0, 6: 2 * third, 8: 2 * third}
