"""Measure how many mutants the tests kill: small changes to the source, each of which should make a test fail.

``python scripts/mutants.py --count 300 --seed 1 --jobs 2 --output results.json`` draws mutants evenly from `AREAS` and,
within an area, from its lines. Each runs in a copy of the source and the tests, so nothing here changes. Survivors are
listed for a person to look at: some of them change nothing that could be tested.

``--tests CHECKOUT`` runs the tests of another checkout on the same mutants, and ``--again results.json`` runs only
those that survived there: together they say which survivors of one suite another suite kills.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent.parent))  # the files beside this one, as type checkers know them

from scripts.mutations import Mutant, mutants_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Area:
    """A part of the source, and the tests that should kill its mutants, besides its doctests."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    marker: str = ""
    environment: dict[str, str] = field(default_factory=dict)


AREAS = {
    # Uncompiled, for compiling each mutant would take longer than its tests.
    "engine": Area(
        ("src/sapper/kernels/engine",),
        ("tests/inference/posterior", "tests/kernels"),
        marker="oracle",
        environment={"SAPPER_KERNELS": "python"},
    ),
    "reasoning": Area(
        ("src/sapper/inference/reasoning", "src/sapper/inference/facts.py"),
        ("tests/inference/reasoning", "tests/inference/posterior", "tests/agents"),
    ),
    "world": Area(
        ("src/sapper/world", "src/sapper/rules.py", "src/sapper/layout.py"),
        ("tests/world", "tests/test_rules.py", "tests/test_layout.py", "tests/test_notebook.py"),
    ),
    "store": Area(
        tuple(f"src/sapper/experiments/{name}.py" for name in ("backends", "games", "probes", "store", "sweep")),
        ("tests/experiments",),
    ),
    "learner": Area(
        tuple(f"src/sapper/train/{name}.py" for name in ("attempts", "choosing", "glicko", "learner")),
        ("tests/train/test_choosing.py", "tests/train/test_glicko.py", "tests/train/test_learning.py"),
    ),
}

TIMES_LONGER, SECONDS_LONGER = 5, 30  # than without a mutant: then it is taken for an endless loop
MAX_MEMORY = 4 * 2**30  # bytes; a mutant may ask for any amount
OUTCOMES = ("killed", "timed out", "survived")

# A pytest plugin: nobody reads the examples of tests that fail, so hypothesis need not make them small.
NO_SHRINKING = """
from hypothesis import Phase, settings

def pytest_configure():
    phases = [Phase.explicit, Phase.generate]
    settings.register_profile("mutants", settings(), phases=phases, report_multiple_bugs=False)
    settings.load_profile("mutants")
"""


def draw(root: Path, areas: dict[str, Area], count: int, seed: int) -> list[Mutant]:
    """Draw mutants at random, evenly over the areas and, within an area, over the lines that can change."""
    drawn = []
    for number, (name, area) in enumerate(areas.items()):
        rng = random.Random(f"{seed} {name}")
        ranked = []
        for path in files_of(root, area.sources):
            mutants = mutants_of((root / path).read_bytes(), name, path)
            for _, of_line in groupby(mutants, key=lambda one: one.line):
                shuffled = sorted(of_line, key=lambda _: rng.random())
                ranked += [(rank, rng.random(), mutant) for rank, mutant in enumerate(shuffled)]
        ranked.sort(key=lambda one: one[:2])  # a second change to a line only when every line has had one
        share = count // len(areas) + (number < count % len(areas))
        drawn += [mutant for _, _, mutant in ranked[:share]]
    return drawn


def files_of(root: Path, places: Iterable[str]) -> list[str]:
    """Return the Python files in these files and folders; of a folder of tests, those with tests."""
    found = []
    for place in places:
        pattern = "test_*.py" if place.startswith("tests") else "*.py"
        paths = sorted((root / place).rglob(pattern)) if (root / place).is_dir() else [root / place]
        found += [path.relative_to(root).as_posix() for path in paths if path.exists()]
    return found


@dataclass
class Suite:
    """The tests of an area, and how they do without a mutant."""

    area: Area
    files: list[str]
    marker: str
    left_out: list[str] = field(default_factory=list)  # fail without a mutant, as those of another checkout may
    seconds: float = 0.0

    def try_out(self, folder: Path) -> None:
        """Run without a mutant: leave out what fails, and measure how long the rest takes."""
        _, output = self.run(folder, ("--continue-on-collection-errors",))
        self.left_out = re.findall(r"^(?:FAILED|ERROR) ([^\s\[]+)", output, re.MULTILINE)
        self.files = [path for path in self.files if path not in self.left_out]
        began = time.monotonic()
        status, output = self.run(folder, ("-x",))
        self.seconds = time.monotonic() - began
        if status != 0:
            sys.exit(f"Without a mutant, the tests end with status {status}:\n{output}")

    def judge(self, folder: Path, mutant: Mutant) -> dict[str, Any]:
        """Run with a mutant, the tests that are most likely to notice it first; return what came of it."""
        path, module = folder / mutant.path, Path(mutant.path).stem
        dotted = mutant.path.removeprefix("src/").removesuffix(".py").replace("/", ".")

        def is_unlikely(test: str) -> tuple[bool, bool]:
            return Path(test).stem not in (module, f"test_{module}"), dotted not in (folder / test).read_text("utf-8")

        original, times = path.read_bytes(), path.stat()
        path.write_bytes(mutant.apply(original))
        os.utime(path, (0, 0))  # not what the cached bytecode was compiled from
        began = time.monotonic()
        limit = TIMES_LONGER * self.seconds + SECONDS_LONGER
        files, unreliable = sorted(self.files, key=is_unlikely), list[str]()
        while True:
            status, output = self.run(folder, ("-x", *(f"--deselect={test}" for test in unreliable)), files, limit)
            killer = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", output, re.MULTILINE)
            # What failed has to fail alone too: a test that fails by chance does not kill.
            if not status or not killer or self.run(folder, ("-x",), [killer[1]], limit)[0] != 0:
                break
            unreliable.append(killer[1])
        seconds = round(time.monotonic() - began, 1)
        path.write_bytes(original)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        outcome = "timed out" if status is None else "survived" if status == 0 else "killed"
        found = {"outcome": outcome, "seconds": seconds, "killed_by": killer and killer[1], "unreliable": unreliable}
        return asdict(mutant) | {"shown": mutant.show(original)} | found

    def run(
        self, folder: Path, options: tuple[str, ...], files: list[str] | None = None, limit: float | None = None
    ) -> tuple[int | None, str]:
        """Run pytest in a copy; return its status, or None where the time ran out, and its output."""
        command = [sys.executable, "-m", "pytest", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider"]
        command += ["-p", "no_shrinking", *options]
        command += [f"--deselect={test}" for test in self.left_out] + ["-m", self.marker, *(files or self.files)]
        home = dict.fromkeys(("HOME", "TMPDIR", "XDG_DATA_HOME"), str(folder / "home"))
        # On CI, hypothesis tries the same examples every time: a mutant is killed or not, whatever ran before it.
        settings = {"PYTHONPATH": str(folder / "src"), "CI": "1"} | home | self.area.environment
        if limit is not None:
            settings["PYTHONDONTWRITEBYTECODE"] = "1"  # of a mutant
        with (folder / "output").open("w+", encoding="utf-8") as output:
            process = subprocess.Popen(
                command, cwd=folder, env=os.environ | settings, stdout=output, stderr=output, start_new_session=True
            )
            if sys.platform == "linux":
                resource.prlimit(process.pid, resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # also what the tests started and left
                process.wait()
            output.seek(0)
            return status, output.read()


def measure(
    root: Path, tests: Path, areas: dict[str, Area], mutants: list[Mutant], jobs: int, fast: bool
) -> Iterator[dict[str, Any]]:
    """Yield what came of each mutant, as it comes."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        first, folders = Path(name, "0"), queue.SimpleQueue[Path]()
        shutil.copytree(root / "src", first / "src", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(tests / "tests", first / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        (first / "home").mkdir()
        (first / "no_shrinking.py").write_text(NO_SHRINKING, "utf-8")
        for settings in ("conftest.py", "pyproject.toml"):
            if (tests / settings).exists():
                shutil.copy2(tests / settings, first)
        suites = {}
        for one in sorted({mutant.area for mutant in mutants}):
            markers = [areas[one].marker, "not slow and not browser" if fast else ""]
            files = files_of(first, (*areas[one].sources, *areas[one].tests))
            suites[one] = Suite(areas[one], files, " and ".join(filter(None, markers)))
            suites[one].try_out(first)
            left_out = f", without {', '.join(suites[one].left_out)}" if suites[one].left_out else ""
            say(f"{one}: {suites[one].seconds:.0f} s without a mutant{left_out}")
        for job in range(jobs):  # with the bytecode of the first
            folders.put(Path(shutil.copytree(first, Path(name, str(job))) if job else first))

        def judge(mutant: Mutant) -> dict[str, Any]:
            folder = folders.get()
            try:
                return suites[mutant.area].judge(folder, mutant)
            finally:
                folders.put(folder)

        with ThreadPoolExecutor(jobs) as pool:
            try:
                yield from pool.map(judge, mutants)
            finally:
                pool.shutdown(cancel_futures=True)


def main() -> None:
    """Draw, run, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same source: same mutants")
    parser.add_argument("--jobs", type=int, default=1, help="how many mutants to run at once")
    parser.add_argument(
        "--only", metavar="AREA_OR_FILE", help=f"one of {', '.join(AREAS)}, or a file or folder in them"
    )
    parser.add_argument("--tests", type=Path, default=ROOT, metavar="CHECKOUT", help="where the tests come from")
    parser.add_argument("--fast", action="store_true", help="leave out tests marked slow or browser")
    parser.add_argument("--again", type=Path, metavar="RESULTS", help="run only the mutants that survived there")
    parser.add_argument("--output", type=Path, metavar="RESULTS", help="write everything to this file, as JSON")
    given = parser.parse_args()
    areas = AREAS if given.only is None else choose(given.only)
    if given.again:
        kept = [one for one in json.loads(given.again.read_text("utf-8")) if one["outcome"] == "survived"]
        names = [each.name for each in fields(Mutant)]
        mutants = [Mutant(**{name: one[name] for name in names}) for one in kept if one["area"] in areas]
        if changed := [mutant.path for mutant in mutants if not mutant.fits((ROOT / mutant.path).read_bytes())]:
            sys.exit(f"{changed[0]} has changed since {given.again} was written.")
    else:
        mutants = draw(ROOT, areas, given.count, given.seed)
    results: list[dict[str, Any]] = []
    for result in measure(ROOT, given.tests.resolve(), AREAS, mutants, given.jobs, given.fast):
        results.append(result)
        say(f"[{len(results)}/{len(mutants)}] {result['outcome']} in {result['seconds']} s: {describe(result)}")
        if given.output:
            given.output.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    print(summarise(results))


def choose(only: str) -> dict[str, Area]:
    """Return an area by its name, or the part of it that is a file or folder."""
    if only in AREAS:
        return {only: AREAS[only]}
    path = Path(only).as_posix()
    for name, area in AREAS.items():
        if any(file == path or file.startswith(f"{path}/") for file in files_of(ROOT, area.sources)):
            return {name: replace(area, sources=(path,))}
    sys.exit(f"{only} is neither an area ({', '.join(AREAS)}) nor a file or folder in one.")


def describe(result: dict[str, Any]) -> str:
    """Return where a mutant is and what it changes."""
    return f"{result['path']}:{result['line']}: {result['shown']}"


def summarise(results: list[dict[str, Any]]) -> str:
    """Return a table by area, the survivors, and the tests that fail by chance."""
    lines = [f"{'area':12}{'mutants':>10}" + "".join(f"{outcome:>12}" for outcome in OUTCOMES)]
    for area in [*dict.fromkeys(result["area"] for result in results), "all"]:
        counts = Counter(result["outcome"] for result in results if area in (result["area"], "all"))
        lines.append(f"{area:12}{counts.total():10}" + "".join(f"{counts[outcome]:12}" for outcome in OUTCOMES))
    survivors = [f"  {describe(result)}" for result in results if result["outcome"] == "survived"]
    unreliable = [f"  {test}" for test in sorted({test for result in results for test in result["unreliable"]})]
    for title, entries in (("Survivors:", survivors), ("Tests that failed and then passed:", unreliable)):
        lines += [title, *entries] if entries else []
    return "\n".join(lines)


def say(progress: str) -> None:
    """Report progress."""
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
