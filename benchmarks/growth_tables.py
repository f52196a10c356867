"""The tables and the two plots of growth, from results files."""

from __future__ import annotations

from benchmarks.results import load
from benchmarks.tables import Results, short, table

from sapper.experiments.plots import Curve, draw_lines, render
from sapper.statistics import Interval

N_MACHINES, N_CORES = 100, 16
CHUNKS_PER_SECOND = 50
LEAST_CELLS = 10_000  # below, the memory of the board is lost in that of Python


def growth_size(found: Results) -> str:
    """Time and memory of a position, by the size of its board."""
    rows = []
    for row in found["rows"]:
        times = [row[name] for name in ("seconds", "seconds, mines unknown", "seconds in tiles")]
        per_cell = [f"{1e9 * one / row['cells']:.0f}" if one else "" for one in times]
        rows.append([f"{row['side']}x{row['side']}", short(1000 * times[0]), *per_cell, f"{row['MB']:.0f}"])
    heads = "board|CPU ms|ns per cell|mines unknown|cut into boards of 50x50|process, MB"
    return table(heads, rows)


def growth_work(found: Results) -> str:
    """Games, by processes and workers, and what a chunk costs."""
    games, chunks = [], []
    for row in found["rows"]:
        about = [row["where"], row["workers"]]
        workers, scheduler = row["CPU of workers"], row.get("CPU of scheduler")
        if row["games"] == row["chunks"]:
            costs = (row["CPU here"], scheduler, workers)
            chunks.append([*about, *("" if one is None else f"{1000 * one / row['chunks']:.2f}" for one in costs)])
        else:
            rates = [row["games"] / seconds for seconds in (row["seconds"], workers + row["CPU here"])]
            games.append([*about, f"{row['games']:,}", *(f"{rate:,.0f}" for rate in rates)])
    size = found["bytes"]
    return (
        table("where|workers|games|per second|per CPU-second", games)
        + "\n\n"
        + table("chunks of one trivial game|workers|command, CPU ms a chunk|scheduler|workers", chunks)
        + f"\n\nA chunk weighs {size['chunk']:,} bytes on its way out, its result of {size['games']:,} games "
        f"{size['result']:,}.\n\n{on_paper(found)}"
    )


def on_paper(found: Results) -> str:
    """Calculate what a large cluster would do, by what games, chunks and their traffic cost here."""
    games = next(row for row in found["rows"] if row["where"] == "cluster" and row["games"] > row["chunks"])
    chunk = next(row for row in found["rows"] if row["where"] == "cluster" and row["games"] == row["chunks"])
    rate = N_MACHINES * N_CORES * games["games"] / games["CPU of workers"]
    size = round(rate / CHUNKS_PER_SECOND, -3)
    scheduler, command = (
        CHUNKS_PER_SECOND * chunk[name] / chunk["chunks"] for name in ("CPU of scheduler", "CPU here")
    )
    weight = found["bytes"]["chunk"] + found["bytes"]["result"] / found["bytes"]["games"] * size
    return table(
        f"on paper: {N_MACHINES} machines of {N_CORES} cores, {CHUNKS_PER_SECOND} chunks per second|",
        (
            ("expert games of `exact` per second", f"{rate:,.0f}"),
            ("a billion games, minutes", f"{1e9 / rate / 60:,.0f}"),
            ("games in a chunk", f"{size:,.0f}"),
            ("the scheduler's core, the command's", f"{scheduler:.0%}, {command:.0%}"),
            ("MB per second through the scheduler, there and back", f"{2 * CHUNKS_PER_SECOND * weight / 1e6:.1f}"),
        ),
    )


def curve(name: str, points: list[tuple[float, float]]) -> Curve:
    """Return a line without intervals."""
    return Curve(name, [x for x, _ in points], [Interval(y, y, y) for _, y in points])


def draw_size() -> str:
    """Nanoseconds and bytes per cell, against cells."""
    rows = load("growth_size")["rows"]
    names = {
        "seconds": "ns, mines known",
        "seconds, mines unknown": "ns, mines unknown",
        "seconds in tiles": "ns, cut into boards of 50 x 50",
    }
    lines = [
        curve(shown, [(row["cells"], 1e9 * row[name] / row["cells"]) for row in rows if row[name]])
        for name, shown in names.items()
    ]
    large = [row for row in rows if row["cells"] >= LEAST_CELLS]
    memory = [(row["cells"], 2**20 * (row["MB"] - rows[0]["MB"]) / row["cells"]) for row in large]
    return render(draw_lines([*lines, curve("bytes", memory)], "cells", "per cell", log=True), "svg").decode()


def draw_work() -> str:
    """Games per second and per CPU-second, against processes and workers."""
    rows = load("growth_work")["rows"]
    lines = []
    for where in ("processes", "cluster"):
        some = [row for row in rows if row["where"] == where and row["games"] > row["chunks"]]
        most = max(row["games"] for row in some)
        full = [row for row in some if row["games"] == most]
        lines.append(curve(f"{where}, per second", [(row["workers"], most / row["seconds"]) for row in full]))
        costs = [(row["workers"], most / (row["CPU of workers"] + row["CPU here"])) for row in full]
        lines.append(curve(f"{where}, per CPU-second", costs))
    return render(draw_lines(lines, "processes or workers, on two cores", "games of `exact`, expert"), "svg").decode()


PICTURES = {"growth-size.svg": draw_size, "growth-work.svg": draw_work}
