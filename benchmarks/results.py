"""Results of benchmarks: a JSON file each in results/, which says when, where and with which code it was measured.

Benchmarks run from the root of the repository: ``python -m benchmarks.NAME``, with ``--write`` to save the results.
`figures` turns them into docs/figures.md.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import platform
import re
import sys
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "benchmarks" / "results"
SOURCE = ROOT / "src" / "sapper"
GENERATED = "constants.js"  # from Python, by the checks of the page's scripts
PACKAGES = ("numpy", "ms-toollib", "gymnasium", "jumanji", "jax", "distributed")  # whose versions may matter

# Before the benchmark adds its own.
_LOAD, _BEGAN = os.getloadavg()[0] if hasattr(os, "getloadavg") else None, time.perf_counter()


def parse_arguments(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Add ``--write`` and read the command line."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--write", action="store_true", help="save the results in benchmarks/results")
    return parser.parse_args()


def save(name: str, figures: Mapping[str, Any], *, seeds: str = "", of: str = "kernels") -> None:
    """Save the figures of a benchmark, measured since it was imported, with the code of Sapper that they speak ``of``.

    ``of`` names folders of the source, separated by blanks.
    """
    measured = {
        "by": _command(),
        "on": datetime.now(UTC).date().isoformat(),
        "minutes": round((time.perf_counter() - _BEGAN) / 60.0, 1),
        "machine": machine(),
        "load before": None if _LOAD is None else round(_LOAD, 1),
        "versions": dict(_versions()),
        "seeds": seeds,
        "of": of,
        "code": fingerprint(of),
    }
    text = json.dumps({"measured": measured, **figures}, indent=1, ensure_ascii=False)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def _command() -> str:
    """Return what was called; files of this machine are left out, and so is ``--write``."""
    words = ["…" if Path(word).is_absolute() else word for word in sys.argv[1:] if word != "--write"]
    words = [f'"{word}"' if " " in word else word for word in words]
    return " ".join(["python -m", f"benchmarks.{Path(sys.argv[0]).stem}", *words])


def load(name: str) -> dict[str, Any]:
    """Return the results of a benchmark; empty if there are none."""
    path = FOLDER / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def names() -> list[str]:
    """Return the names of all results."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def is_current(measured: Mapping[str, Any]) -> bool:
    """Return whether results were measured with today's code."""
    return bool(measured["code"] == fingerprint(measured["of"]))


def machine() -> str:
    """Return the processor, its cores, the system and Python."""
    information = Path("/proc/cpuinfo")
    text = information.read_text(encoding="utf-8") if information.exists() else ""
    named = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    processor = named[1] if named else platform.processor()
    cores = f"{os.cpu_count()} cores"
    return f"{processor} ({platform.machine()}), {cores}, {platform.system()}, Python {platform.python_version()}"


def _versions() -> Iterator[tuple[str, str]]:
    for name in PACKAGES:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue


@cache
def fingerprint(of: str, source: Path = SOURCE) -> str:
    """Return a hash of folders of the source, to which comments, docstrings and the form of Python do not matter."""
    digest = hashlib.sha256()
    for path in sorted(path for folder in of.split() for path in (source / folder).rglob("*")):
        if path.is_file() and path.suffix not in (".pyc", ".so", ".pyd", ".c") and path.name != GENERATED:
            digest.update(path.relative_to(source).as_posix().encode())
            if path.suffix == ".py":
                digest.update(" ".join(_meaning(ast.parse(path.read_bytes()))).encode())
            else:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _meaning(tree: object) -> Iterator[str]:
    """Yield what a syntax tree says; fields that are empty are left out, as every version of Python adds some."""
    if isinstance(tree, ast.AST):
        yield type(tree).__name__
        for name, value in ast.iter_fields(tree):
            if value is not None and value != []:
                yield name
                yield from _meaning(value)
    elif isinstance(tree, list):
        for one in tree:
            is_docstring = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
            if not is_docstring:
                yield from _meaning(one)
        yield "."
    else:
        yield repr(tree)
