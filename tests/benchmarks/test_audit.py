"""The audit finds what it is there to find."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import audit
from sapper.errors import Contradiction
from sapper.inference.posterior.exact import Engine, Posterior
from sapper.kernels.codes import MINE, SAFE


@pytest.mark.slow
def test_the_first_positions_are_answered_alike_by_both() -> None:
    tally = audit.check_chunk(0, 300)
    assert tally.positions + tally.left_out == 300
    assert tally.left_out < 5
    assert tally.wrong == []
    assert tally.again > 600
    assert 0 < tally.impossible < 100
    assert tally.certain > 100
    assert tally.worst < 1e-12


@pytest.mark.slow
def test_the_variants_are_answered_alike_too() -> None:
    tally = audit.check_chunk(0, 120, variants=True)
    assert tally.wrong == []
    assert any("liar" in kind for kind in tally.kinds)
    assert {kind.split(",")[0] for kind in tally.kinds} >= {"knight", "orthogonal"}


@pytest.mark.slow
def test_long_and_large_positions_are_among_them() -> None:
    sizes = [audit.make_position(number).topology for number in range(3_000)]
    assert max(board.rows * board.cols for board in sizes) > 1_000
    assert any(min(board.rows, board.cols) <= 6 and max(board.rows, board.cols) > 300 for board in sizes)


@pytest.mark.slow
def test_an_answer_that_changes_from_one_asking_to_the_next_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right: Any = Engine.posterior

    def wrong(engine: object, position: object) -> Posterior:
        found: Posterior = right(engine, position)
        return Posterior(
            found.question, found.p_mine + 1e-16, found.verdicts, found.log_weight, found.p_free, found.n_free
        )

    monkeypatch.setattr(Engine, "posterior", wrong)
    assert any("a reused engine" in fault for fault in audit.check_chunk(0, 50).wrong)


def test_a_number_is_a_position() -> None:
    assert [str(audit.make_position(number)) for number in (0, 7, 99)] == [
        str(audit.make_position(number)) for number in (0, 7, 99)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["chance", "verdict", "contradiction"])
def test_a_wrong_engine_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right: Any = audit.mine_probabilities  # type: ignore[attr-defined]

    def wrong(*arguments: object, **options: object) -> Posterior:
        found: Posterior = right(*arguments, **options)
        if fault == "contradiction":
            raise Contradiction("nothing fits")
        p_mine, verdicts = found.p_mine.copy(), found.verdicts.copy()
        if fault == "chance":
            p_mine += 1e-6
        else:
            verdicts = np.where(verdicts == SAFE, MINE, SAFE).astype(np.int8)
        return Posterior(found.question, p_mine, verdicts, found.log_weight, found.p_free, found.n_free)

    monkeypatch.setattr(audit, "mine_probabilities", wrong)
    assert audit.check_chunk(0, 50).wrong
