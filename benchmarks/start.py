"""Start-up time, memory, and what an installation takes.

The package is installed as users do it, into an environment of its own, from a copy of the source, by ``pip install .``
with ``constraints.txt``. CPU seconds count this and the compiler; the clock depends on the connection, too.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from benchmarks.load import Server
from benchmarks.results import ROOT, parse_arguments, save

SAPPER = Path(sys.executable).parent / "sapper"
IMPORT = "import sapper"
ASK = """
import resource
import sapper
game = sapper.Game(sapper.Rules.parse("expert"), seed=3)
game.open(8, 15)
sapper.mine_probabilities(game.observation)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
SOURCE = ("src", "setup.py", "pyproject.toml", "constraints.txt", "README.md", "LICENSE")
SECONDS_OF_START = 5.0  # until all processes of a server have started


def time_process(command: list[str], n_times: int = 9) -> float:
    """Return the least seconds from the start of a process to its end."""
    times = []
    for _ in range(n_times):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return min(times)


def measure_server() -> dict[str, float]:
    """Return the processes and the megabytes of a server at rest, memory that they share counted once."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            time.sleep(SECONDS_OF_START)
            main = psutil.Process(server.process.pid)
            family = [main, *main.children(recursive=True)]
            held = sum(process.memory_full_info().pss for process in family)
        finally:
            server.process.terminate()
            server.process.communicate()
    return {"server's processes": len(family), "server at rest, MB": round(held / 2**20, 1)}


def cpu_of_children() -> float:
    """Return the CPU seconds of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure_installation() -> dict[str, float]:
    """Install a copy of the source and build its engine once more, alone."""
    with tempfile.TemporaryDirectory() as folder:
        copy, venv = Path(folder) / "copy", Path(folder) / "venv"
        copy.mkdir()
        for name in SOURCE:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
            else:
                shutil.copy(ROOT / name, copy / name)
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        before, began = cpu_of_children(), time.perf_counter()
        install = ["-m", "pip", "install", "--quiet", "--constraint", "constraints.txt", "."]
        subprocess.run([venv / "bin" / "python", *install], cwd=copy, check=True)
        spent, seconds = cpu_of_children() - before, time.perf_counter() - began
        size = sum(path.stat().st_size for path in venv.rglob("*") if path.is_file() and not path.is_symlink())
        before = cpu_of_children()
        build = ["setup.py", "--quiet", "build_ext", "--build-lib", folder, "--build-temp", folder]
        subprocess.run([sys.executable, *build], cwd=copy, check=True, capture_output=True)
        return {
            "pip install, s": round(seconds, 1),
            "pip install, CPU-seconds": round(spent, 1),
            "building the engine, CPU-seconds": round(cpu_of_children() - before, 1),
            "environment, MB": round(size / 2**20, 1),
        }


def main() -> None:
    """Measure, print and save."""
    chosen = parse_arguments(argparse.ArgumentParser(description=__doc__))
    memory = subprocess.run([sys.executable, "-c", ASK], check=True, capture_output=True, text=True).stdout
    found = {
        "import sapper, s": round(time_process([sys.executable, "-c", IMPORT]), 3),
        "start to the end of a first answer, s": round(time_process([sys.executable, "-c", ASK]), 3),
        "sapper --help, s": round(time_process([str(SAPPER), "--help"]), 3),
        "memory after an expert position, MB": round(float(memory), 1),
        **measure_server(),
        **measure_installation(),
    }
    print(json.dumps(found, indent=1))
    if chosen.write:
        save("start", {"figures": found})


if __name__ == "__main__":
    main()
