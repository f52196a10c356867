"""What the commands that run experiments share: where results are kept, who plays, how a run ends."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.experiments.running import Task
    from sapper.experiments.store import Store

STORE = typer.Option(None, "--store", metavar="FILE", help="Where results are kept (SQLite); see sapper runs.")
JOBS = typer.Option(None, "--jobs", min=1, max=1024, help="Processes to play with; as many as there are cores.")
CLUSTER = typer.Option(None, "--cluster", metavar="ADDRESS", help="Play on a Dask cluster: tcp://host:8786.")
CHUNK = typer.Option(
    None,
    "--chunk",
    metavar="GAMES",
    min=1,
    max=10**6,
    help="Games that are played and kept together; 100. Names a run.",
)
SEED = typer.Option(0, min=0, max=2**62, help="The first game's seed; the others follow.")


@contextmanager
def open_store(name: str | None) -> Iterator[Store]:
    """Open the store of this name, or the usual one."""
    from sapper.experiments.store import Store, default_path

    with Store(Path(name) if name is not None else default_path(), _seconds_to_wait()) as store:
        yield store


def _seconds_to_wait() -> float:
    """How long to wait for another process that is writing: SAPPER_STORE_WAIT, or half a minute."""
    from sapper.errors import InputError

    text = os.environ.get("SAPPER_STORE_WAIT", "30")
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.0 <= seconds <= 1e6:
        raise InputError(f"SAPPER_STORE_WAIT={text[:40]} should be a number of seconds.")
    return seconds


def play_tasks(store: Store, tasks: list[Task], jobs: int | None, cluster: str | None, what: str) -> None:
    """Play what is missing, with a bar; Ctrl-C keeps what is done and says how to go on."""
    import sys

    from sapper.cli.progress import show_progress
    from sapper.experiments.backends import make_backend
    from sapper.experiments.running import run_tasks

    began = time.monotonic()
    try:
        with show_progress(what) as watch:
            n_played = run_tasks(store, tasks, make_backend(jobs, cluster), watch)
    except KeyboardInterrupt:
        print("Stopped; what is done is kept, and the same command goes on from there.", file=sys.stderr)
        raise
    n_games = sum(task.n_games for task in tasks)
    spent = time.monotonic() - began
    known = f", {n_games - n_played:,} were known already" if n_played < n_games else ""
    print(f"{what}: {n_played:,} games in {spent:,.1f} s{known}.", file=sys.stderr)


def parse_whole_numbers(text: str, name: str) -> list[int]:
    """Read ``1,5,10`` or ``1:16:1``.

    >>> parse_whole_numbers("1:4:1", "mines")
    [1, 2, 3, 4]
    """
    from sapper.errors import InputError

    numbers = parse_numbers(text, name)
    if any(number != int(number) for number in numbers):
        raise InputError(f"--{name} {text[:40]!r} should be whole numbers.")
    return [int(number) for number in numbers]


def parse_numbers(text: str, name: str, most: int = 1000) -> list[float]:
    """Read ``0.1,0.2,0.3`` or a range ``0.1:0.5:0.1`` (ends included).

    >>> parse_numbers("1,2", "mines"), parse_numbers("0.1:0.3:0.1", "densities")
    ([1.0, 2.0], [0.1, 0.2, 0.3])
    """
    from sapper.errors import InputError

    try:
        if ":" in text:
            first, last, step = (float(part) for part in text.split(":"))
            if not step > 0 or last < first:
                raise ValueError
            n_steps = int((last - first) / step + 1e-9)
            numbers = [round(first + index * step, 12) for index in range(min(n_steps, most) + 1)]
        else:
            numbers = [float(part) for part in text.split(",")]
    except (ValueError, OverflowError):
        raise InputError(f"--{name} {text[:40]!r} should read like 0.1,0.2 or like 0.1:0.5:0.1.") from None
    if not numbers or len(numbers) > most or any(number != number or abs(number) > 1e9 for number in numbers):
        raise InputError(f"--{name} takes up to {most} plain numbers.")
    return numbers
