"""A program that runs many commands, each in a process of its own, without starting Python for each.

Its streams are what the shell made of them, and every command inherits them: closed, broken or in few letters. It takes
a file with the arguments of all commands and writes, for each, its exit status and the lengths of both outputs.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import sys
from pathlib import Path

import sapper
from sapper.cli import main

FEW = 3  # commands for which it does not pay to import everything first
LEFT_OUT = ("sapper.kernels.", "sapper.env", "sapper.mcp.server", "sapper.__main__")


def load_everything() -> None:
    """Import once what every command would otherwise import for itself."""
    for module in pkgutil.walk_packages(sapper.__path__, "sapper."):
        if not module.name.startswith(LEFT_OUT):
            importlib.import_module(module.name)
    importlib.import_module("matplotlib.pyplot")
    gc.freeze()  # what is collected in every child again would be copied for it


def size(number: int) -> int:
    """How long the file behind a stream is; nothing if it is closed or a pipe."""
    try:
        return os.fstat(number).st_size
    except OSError:
        return 0


if __name__ == "__main__":
    asked, answered = map(Path, sys.argv[1:])
    commands = json.loads(asked.read_text())
    if len(commands) > FEW:
        load_everything()
    found = []
    for arguments in commands:
        before = size(1), size(2)
        if (child := os.fork()) == 0:
            main(arguments)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        found.append((status, size(1) - before[0], size(2) - before[1]))
    answered.write_text(json.dumps(found))
