"""Plays a Minesweeper program that is on the screen, by screenshots and clicks alone.

``xvfb-run python examples/play_screen.py --mines 10 -- sgt-mines 9x9n10`` starts the program, takes screenshots with
ImageMagick's ``import``, reads them with `sapper.read_picture`, and opens cells with ``xdotool``: every safe cell, or
else the safest one.
"""

from __future__ import annotations

import argparse
import subprocess
import time

import sapper
from sapper.observation import EXPLODED
from sapper.pictures.image import PictureError
from sapper.pictures.reader import PictureReading

MAX_STEPS = 400
PATIENCE = 60.0  # seconds until the program shows its board


def take_screenshot() -> PictureReading:
    """Return what the screen shows now; the pointer waits in the corner, where it covers nothing."""
    subprocess.run(["xdotool", "mousemove", "0", "0"], check=True)
    time.sleep(0.8)  # until the program has drawn everything
    return sapper.read_picture(subprocess.run(["import", "-window", "root", "png:-"], check=True, stdout=-1).stdout)


def wait_for_board() -> None:
    """Wait until a board is on the screen; raise `PictureError` if none appears."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            take_screenshot()
        except PictureError:
            if time.monotonic() > end:
                raise
        else:
            return


def click(reading: PictureReading, row: int, col: int) -> None:
    """Open a cell."""
    grid = reading.grid
    x, y = grid.x + (col + 0.5) * grid.pitch_x, grid.y + (row + 0.5) * grid.pitch_y
    subprocess.run(["xdotool", "mousemove", str(round(x)), str(round(y)), "click", "1"], check=True)
    time.sleep(0.1)


def play(n_mines: int) -> str:
    """Play until the game is over; return how it ended."""
    for _ in range(MAX_STEPS):
        reading = take_screenshot()
        position = reading.position
        if (position.cells == EXPLODED).any():
            return "lost"
        try:
            known = sapper.Observation.of(position.without_flags(), mines=n_mines)
            found = sapper.mine_probabilities(known)
        except sapper.Contradiction as error:
            return f"stopped: {error}"
        if int(known.closed.sum()) == n_mines:
            return "won"
        cells = found.safe or found.safest[:1]
        print(f"{int(known.closed.sum())} hidden, {len(found.safe)} safe, {len(reading.doubts)} doubtful: {cells[0]}")
        for cell in cells:
            click(reading, *cell)
    return "not finished"


def main() -> None:
    """Start a program and play it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mines", type=int, required=True)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    with subprocess.Popen(options.command) as program:
        try:
            wait_for_board()
            print(play(options.mines))
        except PictureError as error:
            print(f"stopped: {error}")
        finally:
            program.terminate()


if __name__ == "__main__":
    main()
