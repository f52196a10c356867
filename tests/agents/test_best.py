"""The best cell, asked for from programs: with progress, cancelled, from threads and after a fork."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import sapper
from sapper.agents.best import best_cell
from sapper.agents.registry import make_agent
from sapper.errors import InputError, OutOfTime
from sapper.observation import HIDDEN, Observation

GUESS = "1#######" + "/########" * 7 + " 10"  # nothing is safe, and there is much to play on


def test_every_form_of_a_position_will_do() -> None:
    text = "F2#/### 2"
    by_text = best_cell(text, seconds=0.0)
    assert by_text == best_cell(Observation.parse(text), seconds=0.0)
    assert by_text == best_cell(Observation.parse(text).cells, seconds=0.0, mines=2)
    with pytest.raises(InputError, match="known number of mines"):
        best_cell("#2#/###")


@pytest.mark.parametrize("agent", ["exact", "expert", "master"])
def test_a_named_agent_is_asked(agent: str) -> None:
    for text in (GUESS, "1####/#####/###3#/##### 7", "/".join(["#" * 9] * 9) + " 10"):
        found = best_cell(text, agent, seconds=0.0)
        assert (found.agent, found.cell) == (agent, make_agent(agent).decide(Observation.parse(text)).cell)
    assert best_cell(GUESS, seconds=0.0).agent is None


@pytest.mark.slow
def test_progress_rises_to_one() -> None:
    told: list[float] = []
    best_cell(GUESS, seconds=0.3, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert all(0.0 <= share <= 1.0 for share in told)
    assert len(told) > 2


def test_cancelling_ends_it_with_what_was_found() -> None:
    cancel = threading.Event()
    told: list[float] = []

    def tell(share: float) -> None:
        told.append(share)
        if len(told) == 3:
            cancel.set()

    # It would take an hour.
    found = best_cell(GUESS, seconds=3600.0, progress=tell, cancel=cancel)
    assert found.chosen.risk < 1.0
    assert len(told) < 10


def test_a_sum_can_be_cancelled_too() -> None:
    """The sum takes seconds, and is never finished."""
    cells = np.full((24, 24), HIDDEN)
    cells[1::2, 1::2] = 2
    cancel = threading.Event()
    threading.Timer(0.1, cancel.set).start()
    with pytest.raises(OutOfTime):
        best_cell(cells, seconds=3600.0, mines=120, cancel=cancel)


def test_threads_do_not_disturb_each_other() -> None:
    positions = [GUESS, "F2#/### 2", "1##/### 2", "#####/#1###/#3###/##### 5"]
    # These have few layouts and are played perfectly, so that the answer does not depend on the time.
    alone = {text: best_cell(text, seconds=60.0).cell for text in positions[1:]}
    answers: dict[tuple[int, str], tuple[int, int]] = {}

    def ask(number: int) -> None:
        for text in positions[1:]:
            answers[number, text] = best_cell(text, seconds=60.0).cell

    asking = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    # One that runs out of time all along must not stop the others.
    busy = threading.Thread(target=lambda: [best_cell(GUESS, seconds=0.0) for _ in range(10)])
    for thread in (*asking, busy):
        thread.start()
    for thread in (*asking, busy):
        thread.join()
    assert answers == {(number, text): cell for number in range(4) for text, cell in alone.items()}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows does not fork")
def test_a_process_that_forks_meanwhile_can_ask_too() -> None:
    code = f"""
import os, threading, time
from sapper import best_cell
busy = threading.Thread(target=best_cell, args=({GUESS!r},), kwargs=dict(seconds=1.0))
busy.start()
time.sleep(0.2)
child = os.fork()
if child == 0:
    os._exit(0 if best_cell("F2#/### 2", seconds=0.2).cell == (0, 2) else 1)
_, status = os.waitpid(child, 0)
busy.join()
raise SystemExit(os.waitstatus_to_exitcode(status))
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=False, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_loop_is_not_held_up() -> None:
    async def ask() -> tuple[tuple[int, int], int]:
        ticks = 0
        answer = asyncio.create_task(asyncio.to_thread(sapper.best_cell, GUESS, seconds=0.5))
        while not answer.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return (await answer).cell, ticks

    cell, ticks = asyncio.run(ask())
    assert Observation.parse(GUESS).closed[cell]
    assert ticks > 1
