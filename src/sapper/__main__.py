"""``python -m sapper`` is the ``sapper`` command."""

from __future__ import annotations

import os
import signal


def main() -> None:
    """Load the command and run it; Ctrl-C ends it silently even while it is loading."""
    is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_ours:
        # Nothing needs cleaning up yet, and a traceback would help nobody.
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from sapper.cli import main as run

    if is_ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


if __name__ == "__main__":
    main()
