"""Binary replays of Minesweeper programs (``.avf .evf .rmv .mvf``), read through the optional package ms-toollib.

The result is a `Replay`, as from a RawVF file. A damaged file can crash ms-toollib, so it runs in a separate process.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from sapper.errors import InputError
from sapper.formats.rawvf import OPERATIONS, Event, Header, Operation, Replay
from sapper.layout import Layout
from sapper.topology import check_size, topology

READERS = {".avf": "AvfVideo", ".evf": "EvfVideo", ".rmv": "RmvVideo", ".mvf": "MvfVideo"}

# Replays of long games take hundreds of kilobytes.
MAX_BYTES = 8 * 2**20
_SECONDS = 60.0
_PROCESS = Path(__file__).with_name("video_process.py")


def read_video(data: bytes, suffix: str, seconds: float = _SECONDS) -> Replay:
    """Read a binary replay within ``seconds``; ``suffix`` is one of `READERS`."""
    if not data:
        raise InputError(f"The {suffix} file is empty.")
    if len(data) > MAX_BYTES:
        raise InputError(f"The {suffix} file is larger than {MAX_BYTES // 2**20} MiB, too large for a replay.")
    if find_spec("ms_toollib") is None:
        raise InputError(f'Reading {suffix} files needs the extra "replays": pip install "sapper[replays]".')
    told = _ask_process(data, suffix, seconds)
    if told["changes_board"]:
        raise InputError(
            f"In this {suffix} file the mines move during the game, so it is not a replay of a single board."
        )
    mines = np.array(told["board"], dtype=np.bool_)
    if mines.ndim != 2 or not mines.size:
        raise InputError(f"The {suffix} file does not hold a board.")
    check_size(*mines.shape)
    layout = Layout(topology("square", *mines.shape), mines)
    size = min(max(int(told["square"]), 1), 255)
    named = {"Program": told["program"], "Player": told["player"], "SquareSize": str(size)}
    header: Header = tuple((key, " ".join(str(value).split())) for key, value in named.items() if value)
    return Replay(header, layout, tuple(_read_events(told["events"], size, suffix)))


def _ask_process(data: bytes, suffix: str, seconds: float) -> dict[str, Any]:
    # -P: do not import from the folder of the script, which has our modules.
    command = [sys.executable, "-P", str(_PROCESS), READERS[suffix]]
    try:
        # On failure it leaves a log in its working folder.
        with tempfile.TemporaryDirectory(prefix="sapper-") as folder:
            done = subprocess.run(command, input=data, capture_output=True, check=False, timeout=seconds, cwd=folder)
    except subprocess.TimeoutExpired:
        raise InputError(f"Reading the {suffix} file took more than {seconds:g} seconds.") from None
    if done.returncode == 0:
        told: dict[str, Any] = json.loads(done.stdout)
        return told
    if done.returncode in (1, 2):
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise InputError(f"ms-toollib does not work here: {''.join(last)[:200]}")
    # It reported that, or it crashed.
    raise InputError(f"This is not a {suffix} file, or it is damaged.")


def _read_events(events: list[list[Any]], size: int, suffix: str) -> Iterator[Event]:
    is_down = {"l": False, "r": False, "m": False}
    for number, (milliseconds, told, x, y) in enumerate(events):
        for op in _plain_operations(told, is_down, number, suffix):
            if op[0] in is_down:
                is_down[op[0]] = op[1] == "c"
            yield Event(milliseconds, op, y // size, x // size, x, y)


def _plain_operations(told: str, is_down: dict[str, bool], number: int, suffix: str) -> tuple[Operation, ...]:
    """Return the operations of an event; some programs do not distinguish presses, releases or buttons."""
    if told in OPERATIONS:
        return (told,)
    if told == "pf":  # a flag from before the game
        return ("rc", "rr")
    if told == "cc":
        return ("rc",) if is_down["l"] else ("lc",)
    if told in is_down:
        return (told + ("r" if is_down[told] else "c"),)  # type: ignore[return-value]
    raise InputError(f"Event {number} of the {suffix} file, {told!r}, is not a mouse operation.")
