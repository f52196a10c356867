"""Data sets of positions: planned in chunks, made by a backend, kept as they come, joined to one file.

Finished chunks lie in a folder beside the file until it is whole, so a run that is killed resumes where it stopped. The
same plan gives the same bytes, whatever made them and however often it was interrupted. No board and no position for
training is among those for testing, mirrored or turned.
"""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapper.errors import InputError, MissingExtra
from sapper.experiments.backends import Backend
from sapper.experiments.dataset.rows import EXTRAS, LEVELS, PHASES, check_rules, chunk_of
from sapper.play.reading import write_file
from sapper.rules import Rules
from sapper.version import __version__

Columns = dict[str, NDArray[Any]]


FORMS = (".parquet", ".npz")
ROWS_PER_CHUNK = 500
_VERSION = 2  # of the rows; a change of what a seed gives counts it up

# Column → what it holds, for the card.
COLUMNS = {
    "cells": "what the player sees, (rows, cols): 0 to 8 a clue, -1 hidden",
    "p_mine": "exact mine probability, (rows, cols); NaN where open",
    "verdicts": "(rows, cols): 0 undecided, 1 certainly safe, 2 certainly a mine, 3 open",
    "game": "seed of the game",
    "first": "the cell that it opened first, row * cols + col",
    "move": "openings before the position",
    "phase": f"{', '.join(PHASES)}: thirds of the safe cells that are open",
    "level": f"the easiest reasoning that proves a cell safe: {', '.join(LEVELS[:-1])}; guess: nothing is safe",
    "position": "hash of the cells, the same for mirrored and turned positions",
    "board": "hash of the mines, the same for mirrored and turned boards",
    "split": "train or test, by board; shared: on a board for testing, but a position for training is the same",
    "best": "cell with the highest win chance, row * cols + col",
    "p_win": "its win chance; NaN if unknown",
    "p_win_error": "standard error of the win chance; 0: exact",
    "proof": "why the easiest certain cell is safe or a mine, or why the safest cell is the safest, in words",
}
SPLITS = ("train", "test", "shared")
NAMES = {"phase": PHASES, "level": LEVELS, "split": SPLITS}  # of the numbers in a column
_COLUMNS_OF = {"best": "best", "p_win": "best", "p_win_error": "best", "proof": "proof"}  # column → the extra it is of


@dataclass(frozen=True, slots=True)
class Plan:
    """What is in a data set.

    extras: ``best`` and ``proof``, which take longer than all the rest.
    test_share: the share of boards whose positions are for testing.
    """

    rules: str
    n_positions: int
    seed: int = 0
    extras: tuple[str, ...] = ()
    test_share: float = 0.1

    def __post_init__(self) -> None:
        check_rules(Rules.parse(self.rules))
        for one in self.extras:
            if one not in EXTRAS:
                raise InputError(f"There is no column {one[:40]!r} to add; choose from {', '.join(EXTRAS)}.")

    def as_plain_values(self) -> dict[str, Any]:
        """Return the plan as JSON can write it."""
        rules = str(Rules.parse(self.rules))
        return {**asdict(self), "rules": rules, "extras": list(self.extras), "rows": _VERSION, "sapper": __version__}

    def sizes(self) -> list[int]:
        """Return the number of positions of each chunk."""
        whole, rest = divmod(self.n_positions, ROWS_PER_CHUNK)
        return [ROWS_PER_CHUNK] * whole + [rest] * (rest > 0)


def make_dataset(
    plan: Plan, output: Path, backend: Backend, watch: Callable[[int, int], None] = lambda _done, _all: None
) -> None:
    """Make what is missing of a data set, then write its file and its card, ``output`` with ``.md`` appended."""
    form = form_of(plan, output)
    parts = _open_folder(plan, output)
    rules, sizes = Rules.parse(plan.rules), plan.sizes()
    names = [parts / f"{number:06d}.npz" for number in range(len(sizes))]
    # A chunk that was cut short, as by a power failure, is made again.
    missing = [number for number, name in enumerate(names) if not zipfile.is_zipfile(name)]
    done = plan.n_positions - sum(sizes[number] for number in missing)
    watch(done, plan.n_positions)
    chunks = ((number, chunk_of(rules, plan.seed, number, sizes[number], plan.extras)) for number in missing)
    try:
        for number, packed in backend.play(chunks):
            write_file(names[number], packed.games)
            done += packed.n_games
            watch(done, plan.n_positions)
    finally:
        if not done:  # nothing to resume
            (parts / "plan.json").unlink(missing_ok=True)
            with suppress(OSError):
                parts.rmdir()
    whole = parts / f"whole{form}"
    counts: Counter[tuple[int, ...]] = Counter()
    _WRITERS[form](plan, _read_parts(plan, names, counts), whole)
    write_file(f"{output}.md", _write_card(plan, output, counts).encode())
    whole.replace(output)
    shutil.rmtree(parts)


def form_of(plan: Plan, output: Path) -> str:
    """Return the form that the suffix names; raise `InputError` or `MissingExtra` if it cannot be written."""
    form = output.suffix.lower()
    if form not in FORMS:
        raise InputError(f"A data set is written as {' or '.join(FORMS)}, not {output.name!r}.")
    if form == ".npz" and "proof" in plan.extras:
        raise InputError("Proofs are words, which .npz does not hold; write .parquet.")
    if form == ".parquet" and find_spec("pyarrow") is None:
        raise MissingExtra("Parquet needs pyarrow: pip install 'sapper[datasets]'. A file .npz needs nothing.")
    return form


def _open_folder(plan: Plan, output: Path) -> Path:
    """Return the folder of the finished chunks; raise `InputError` if they are of another plan."""
    parts = output.with_name(f"{output.name}.parts")
    settings = json.dumps(plan.as_plain_values(), indent=1) + "\n"
    file = parts / "plan.json"
    if any(parts.glob("0*.npz")) and (not file.exists() or file.read_text(encoding="utf-8") != settings):
        raise InputError(f"{parts} holds parts of another data set. Remove it, or choose another --output.")
    parts.mkdir(exist_ok=True)
    write_file(file, settings.encode())
    return parts


def _read_parts(plan: Plan, names: list[Path], counts: Counter[tuple[int, ...]]) -> Iterator[Columns]:
    """Yield the columns of each chunk and count its strata by split."""
    for_training = _positions_for_training(plan, names)
    for name in names:
        with np.load(name) as part:
            columns: Columns = dict(part)
        position, split = columns["position"], _is_for_testing(plan, columns["board"]).astype(np.int8)
        if for_training.size:
            nearest = for_training[np.searchsorted(for_training, position).clip(max=for_training.size - 1)]
            split[(split == 1) & (nearest == position)] = SPLITS.index("shared")
        columns["split"] = split
        counts.update(zip(*(columns[label].tolist() for label in NAMES), strict=True))
        yield {label: columns[label] for label in COLUMNS if label in columns}


def _is_for_testing(plan: Plan, boards: NDArray[np.int64]) -> NDArray[np.bool_]:
    return boards < int(plan.test_share * 2**63)


def _positions_for_training(plan: Plan, names: list[Path]) -> NDArray[np.int64]:
    """Return the hashes of all positions on boards for training, in order."""
    found = []
    for name in names:
        with np.load(name) as part:
            found.append(part["position"][~_is_for_testing(plan, part["board"])])
    return np.unique(np.concatenate(found))


def _write_parquet(plan: Plan, parts: Iterator[Columns], target: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    def column(label: str, values: NDArray[Any]) -> Any:
        if label in NAMES:
            return pa.array([NAMES[label][number] for number in values.tolist()])
        if values.ndim == 1:
            return pa.array(values.tolist() if values.dtype.kind == "U" else values)
        return pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), values[0].size)

    about = {"sapper": json.dumps(plan.as_plain_values())}
    writer: Any = None
    for columns in parts:
        made = pa.table({label: column(label, values) for label, values in columns.items()})
        if writer is None:
            writer = parquet.ParquetWriter(target, made.schema.with_metadata(about), compression="zstd")
        writer.write_table(made.replace_schema_metadata(about))
    writer.close()


def _write_archive(plan: Plan, parts: Iterator[Columns], target: Path) -> None:
    """Write a NumPy archive, which holds column after column, by way of a file for each."""
    files: dict[str, Any] = {}
    firsts: Columns = {}
    for columns in parts:
        for label, values in columns.items():
            if label not in files:
                files[label] = target.with_suffix(f".{label}").open("wb")
                firsts[label] = values
            files[label].write(values.tobytes())
    with zipfile.ZipFile(target, "w", compresslevel=1) as archive:
        for label, file in files.items():
            file.close()
            header = io.BytesIO()
            first = firsts[label]
            shape = (plan.n_positions, *first.shape[1:])
            np.lib.format.write_array_header_1_0(
                header, {"descr": np.lib.format.dtype_to_descr(first.dtype), "fortran_order": False, "shape": shape}
            )
            about = zipfile.ZipInfo(f"{label}.npy")  # without a date, so that the bytes depend on nothing else
            about.compress_type = zipfile.ZIP_DEFLATED
            with (
                archive.open(about, "w", force_zip64=True) as member,
                target.with_suffix(f".{label}").open("rb") as column,
            ):
                member.write(header.getvalue())
                shutil.copyfileobj(column, member)


_WRITERS = {".parquet": _write_parquet, ".npz": _write_archive}


def _write_card(plan: Plan, output: Path, counts: Counter[tuple[int, ...]]) -> str:
    """Return the data card: what the positions are, how they were made, and how many there are of each kind."""
    rules = Rules.parse(plan.rules)
    extras = f" --with {','.join(plan.extras)}" if plan.extras else ""
    columns = [label for label in COLUMNS if label not in _COLUMNS_OF or _COLUMNS_OF[label] in plan.extras]
    is_archive = output.suffix.lower() == ".npz"
    table = [f"|phase|level|{'|'.join(SPLITS)}|", "|---|---|---|---|---|"]
    for phase, level in sorted({(phase, level) for phase, level, _ in counts}):
        numbers = (f"{counts[phase, level, split]:,}" for split in range(len(SPLITS)))
        table.append(f"|{PHASES[phase]}|{LEVELS[level]}|{'|'.join(numbers)}|")
    return "\n".join(
        [
            f"# {output.name}: {plan.n_positions:,} Minesweeper positions",
            "",
            f"Positions of games on {rules}, {rules.rows} rows and {rules.cols} columns with {rules.mines} mines, with "
            "exact mine probabilities. Every game opens safe cells, some at a time in random order, and the safest "
            "cell where none is safe. Positions are taken as evenly from phases and levels as the games allow, so "
            "they are not as frequent as in play.",
            "",
            f"Made by Sapper {__version__}:",
            "",
            f"    sapper dataset --board '{rules}' --positions {plan.n_positions} --seed {plan.seed}"
            f" --test {plan.test_share:g}{extras} --output {output.name}",
            "",
            "The same command gives the same bytes with the same versions of Sapper, NumPy, zlib and pyarrow.",
            "",
            "|column|what it holds|",
            "|---|---|",
            *(
                f"|`{label}`|{COLUMNS[label]}{' (by number, from 0)' if is_archive and label in NAMES else ''}|"
                for label in columns
            ),
            "",
            "No board and no position for training, mirrored or turned, is among those for testing. Different boards "
            "may share a position, mostly early ones; on boards for testing they are `shared`.",
            "",
            *table,
            "",
        ]
    )
