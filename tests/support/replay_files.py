"""Binary replays of a given game, for tests: ``.evf`` written by ms-toollib, ``.avf`` by its byte layout.

No program of ours writes these formats. The bytes of an ``.avf`` file, as far as readers look at them:

| bytes          | meaning                                                                           |
|----------------|-----------------------------------------------------------------------------------|
| 5              | version and padding                                                               |
| 1              | level: 3 beginner (8x8), 4 intermediate, 5 expert, 6 custom                       |
| 1, 1, 2        | custom only: columns - 1, rows - 1, mines (big-endian)                            |
| 2 per mine     | row, column, from 1                                                               |
| some 10        | a check of the board, a country; what else stands here is skipped up to the text  |
| 2              | question marks (17 on, 127 off), and one byte more                                |
| text           | ``[3|W8H9M10|day.month.year.h:m:s:t|day.h:m:s:t|B3BVTseconds]``, seconds from 1   |
| 1              | anything above 1                                                                  |
| 8 per event    | operation, x high, seconds low, x low, hundredths, y high, seconds high, y low    |
| 8 zeros        | the end of the events                                                             |
| text           | ``Skin: name``, carriage return, the player, carriage return                      |
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sapper.layout import Layout
    from sapper.play.record import Move

_AVF_CODES = {"mv": 1, "lc": 3, "lr": 5, "rc": 9, "rr": 17}
_SIZE = 16


def mouse_events(moves: tuple[Move, ...]) -> list[tuple[str, int, int]]:
    """What a mouse does for these moves: (operation, row, col)."""
    steps = {"open": ("mv", "lc", "lr"), "flag": ("rc", "rr"), "chord": ("lc", "rc", "rr", "lr")}
    return [(op, move.row, move.col) for move in moves for op in steps[move.action]]


def write_evf(layout: Layout, moves: tuple[Move, ...], player: str = "Ada") -> bytes:
    """Let ms-toollib record a game as it is played; takes some milliseconds of real time per event."""
    import ms_toollib

    video = ms_toollib.BaseVideo(np.where(layout.mines, -1, layout.clues()).tolist(), _SIZE)
    for op, row, col in mouse_events(moves):
        time.sleep(0.002)
        video.step(op, (row * _SIZE + 5, col * _SIZE + 9))
    video.player_identifier, video.software, video.country = player, "Sapper", "XX"
    video.race_identifier = video.unique_identifier = ""
    video.generate_evf_v4_raw_data()
    return bytes(video.raw_data)


def write_avf(layout: Layout, moves: tuple[Move, ...], player: str = "Ada") -> bytes:
    """Write a custom board with an event every tenth of a second."""
    rows, cols = layout.mines.shape
    mines = np.argwhere(layout.mines).tolist()
    events = mouse_events(moves)
    data = bytearray([0, 0, 0, 0, 0, 6, cols - 1, rows - 1]) + len(mines).to_bytes(2, "big")
    for row, col in mines:
        data += bytes([row + 1, col + 1])
    seconds = 1 + len(events) / 10
    size, begun = f"W{cols}H{rows}M{len(mines)}", "26.10.2022.23:13:27:2236|26.23:13:29:7764"
    data += bytes(24) + bytes([127, 0]) + f"[3|{size}|{begun}|B1T{seconds:.2f}]".encode() + bytes([2])
    for number, (op, row, col) in enumerate(events):
        whole, tenths = divmod(number, 10)
        x, y, whole = col * _SIZE + 9, row * _SIZE + 5, whole + 1
        high_low = [x >> 8, whole & 255, x & 255, 10 * tenths, y >> 8, whole >> 8, y & 255]
        data += bytes([_AVF_CODES[op], *high_low])
    return bytes(data + bytes(8) + f"Skin: none\r{player}\r".encode())
