"""``sapper warm`` compiles the kernels ahead of time."""

from __future__ import annotations

import time


def mention_compiling() -> None:
    """Say on standard error that the engine is about to be compiled, if it is: a silent wait looks like a hang."""
    import sys
    from pathlib import Path

    from sapper.kernels import CACHE_FOLDER

    if not any(Path(CACHE_FOLDER).rglob("posterior.solve*.nbi")):
        print("Compiling the engine; this happens once and takes some 20 seconds.", file=sys.stderr, flush=True)


def warm() -> None:
    """Compile the fast parts now, so that nobody waits for them later.

    Takes seconds the first time and after an update; the result is kept in your cache folder.
    """
    from rich.console import Console

    from sapper.kernels.warm import WARM_UPS

    console = Console(stderr=True, highlight=False)
    began = time.perf_counter()
    with console.status("Warming up") as status:
        for number, (name, compile_it) in enumerate(WARM_UPS.items(), start=1):
            line = f"Warming up {number}/{len(WARM_UPS)}: {name}"
            status.update(line)
            if not console.is_terminal:
                console.print(line)
            compile_it()
    console.print(f"Ready after {time.perf_counter() - began:.1f} s.")
