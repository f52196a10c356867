"""Reads one binary replay with ms-toollib, in a separate process that a damaged file may crash.

Run as a script (`formats.videos` does): the name of the class on the command line, the file on standard input; JSON on
standard output. It imports nothing of ours, so that it starts quickly.
"""

from __future__ import annotations

import json
import sys

# Not 1, which Python returns for other errors.
UNREADABLE = 3


def main() -> int:
    """Print what the replay holds; return `UNREADABLE` if it cannot be read."""
    import ms_toollib

    video = getattr(ms_toollib, sys.argv[1])("replay", sys.stdin.buffer.read())
    try:
        video.parse()
    except Exception:  # noqa: BLE001 - any error is about the file
        return UNREADABLE
    events = []
    changes_board = False
    for entry in video.events:
        if entry.event is None or not entry.event.is_mouse():
            changes_board |= entry.event is not None and entry.event.is_board()
            continue
        mouse = entry.event.unwrap_mouse()
        events.append([round(1000 * entry.time), mouse.mouse, mouse.x, mouse.y])
    told = {
        "board": [[cell == -1 for cell in row] for row in video.board],
        "player": video.player_identifier,
        "program": video.software,
        "square": getattr(video, "pix_size", 16),
        "changes_board": changes_board,
        "events": events,
    }
    json.dump(told, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
