"""The lab's line: nobody fills it alone, however they ask, and a fault of ours is told and logged."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from processes import PATIENCE, wait_until

from sapper.experiments.store import Store
from sapper.experiments.sweep import Sweep
from sapper.web.http.responses import Refusal
from sapper.web.jobs import lab as module
from sapper.web.jobs.lab import Laboratory, _Asked


class SlowLaboratory(Laboratory):
    """A lab that plays nothing, once it may."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.may_play = threading.Event()

    def _play(self, plan: int, asked: _Asked) -> str | None:
        del plan, asked
        assert self.may_play.wait(PATIENCE)
        return None


def sweep(n_games: int) -> Sweep:
    return Sweep(("random",), ((2, 2),), (0.2,), n_games=n_games)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[SlowLaboratory]:
    with closing(SlowLaboratory(tmp_path / "results.sqlite")) as made:
        yield made
        made.may_play.set()


def test_nobody_fills_the_lab_alone(lab: SlowLaboratory) -> None:
    for number in range(module.MAX_OWN_WAITING):
        lab.begin("greedy", sweep(1 + number))
    with pytest.raises(Refusal, match="2 of your sweeps") as refusal:
        lab.begin("greedy", sweep(100))
    assert refusal.value.status == 429
    plan = lab.begin("calm", sweep(100))
    assert lab.status(plan)["running"]
    lab.may_play.set()
    wait_until(lambda: not lab.status(plan)["running"], "it had its turn")
    lab.begin("greedy", sweep(200))


def test_whoever_comes_while_a_plan_is_noted_counts(lab: SlowLaboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    add_plan = Store.add_plan

    def be_overtaken(store: Store, *arguments: Any) -> int:
        monkeypatch.setattr(Store, "add_plan", add_plan)
        for number in range(module.MAX_OWN_WAITING):
            lab.begin("greedy", sweep(1 + number))
        return add_plan(store, *arguments)

    monkeypatch.setattr(Store, "add_plan", be_overtaken)
    with pytest.raises(Refusal, match="2 of your sweeps"):
        lab.begin("greedy", sweep(100))


def test_a_fault_of_ours_is_told_and_logged(
    lab: SlowLaboratory, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("nobody has foreseen this")

    monkeypatch.setattr(lab, "_play", fail)
    plan = lab.begin("ada", sweep(1))
    wait_until(lambda: not lab.status(plan)["running"], "it is over")
    assert lab.status(plan)["error"] == "The server made a mistake; see its log."
    assert "ZeroDivisionError: nobody has foreseen this" in capfd.readouterr().err
