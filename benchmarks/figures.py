"""Write docs/figures.md and the tables of the README from the results of all benchmarks: ``make figures``.

``--list`` says what was measured with earlier code and how many minutes it took; ``--measure`` measures that again, one
after the other, and ``--measure env load`` these, current or not.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

from benchmarks.results import ROOT, is_current, load, names

from benchmarks import growth_tables, tables

PAGE = ROOT / "docs" / "figures.md"
README = ROOT / "README.md"
# What results may speak of, in words.
CODE = {
    "kernels": "kernels", "web": "server or pages", "train": "puzzles", "inference": "reasoning",
    "pictures": "reading of pictures", "experiments": "experiments", "env": "environments",
}  # fmt: skip
HEAD = """\
# Figures

Everything that was measured, on one page. `make figures` writes it from the files in `benchmarks/results`, \
which the commands named below save with `--write`; `make figures MEASURE=1` measures again what is older than the \
code it speaks of. Such figures say so: a results file holds a hash of the code, to which comments do not matter.

Machines were shared and noisy unless a load of about 0 is given: compare ratios, which come from turns in one run. \
Intervals are 95%.
"""


class Section(NamedTuple):
    """A section of the page: what was measured, and the table of a results file."""

    title: str
    results: str
    about: str
    table: Callable[[dict[str, Any]], str]


CHAPTERS: dict[str, tuple[Section, ...]] = {
    "Engine": (
        Section(
            "Exact probabilities", "positions",
            "Microseconds per position, one thread, in turns with ms_toollib (Rust): the kernel alone, and the public "
            "call `mine_probabilities`.",
            tables.positions,
        ),
        Section(
            "Many positions at once", "many",
            "Mean microseconds per position in batches of 12,000; ratios with their range over the turns.",
            tables.many,
        ),
        Section(
            "Lattices", "positions", "The hardest positions, lattices of isolated clues, one run each.",
            tables.lattices,
        ),
        Section(
            "Neighbourhoods and clues", "variants_times", "The public call on other boards and with other clues.",
            tables.variants_times,
        ),
        Section(
            "Now and before", "versions", "Two versions of Sapper, in fresh processes in turns; the best counts.",
            tables.versions,
        ),
    ),
    "Growth": (
        Section(
            "Size", "growth_size", "One position, a fifth mined, all zeros open, a process for each.",
            growth_tables.growth_size,
        ),
        Section(
            "Games, processes, workers", "growth_work",
            "Games of `exact` on expert boards, in one or two processes and on a Dask cluster on the same two cores.",
            growth_tables.growth_work,
        ),
        Section("Start, memory, installation", "start", "Least of nine starts; one installation.", tables.start),
    ),
    "Correctness": (
        Section(
            "A million positions", "audit",
            "The engine against a reference in exact fractions, on every kind of position.",
            tables.audit,
        ),
        Section(
            "Other neighbourhoods, wrong clues", "audit_variants",
            "The same on knight and orthogonal boards and for liars.",
            tables.audit,
        ),
        Section(
            "Reasoning", "variants_reasoning",
            "Deductions by each way of reasoning, with single clues, and how many of them the engine refutes.",
            tables.variants_reasoning,
        ),
    ),
    "Players": (
        Section("Win rates", "strength", "On boards that four other solvers played, too.", tables.starts),
        Section(
            "Against others", "strength",
            "Paired differences on the same boards, in percentage points, and how many boards.", tables.rivals,
        ),
        Section("Millions of games", "millions", "`expert` on boards drawn from seeds.", tables.millions),
        Section(
            "Perfect play", "strength", "Wins over every layout with a safe first cell, beside those of perfect play.",
            tables.small,
        ),
        Section("Every agent", "agents", "16x16 with 40 mines, one core, agents in turns.", tables.agents),
    ),
    "Boards": (
        Section(
            "No-guess boards", "noguess",
            "CPU milliseconds per board, in turns with `laymine_solvable` of ms_toollib, which does not use the number "
            "of mines.",
            tables.noguess,
        ),
        Section(
            "Proofs of no-guess boards", "noguess_checked",
            "Agents solve the boards at their level without guessing, and certificates are verified.",
            tables.noguess_checked,
        ),
        Section(
            "Moves on fair boards", "fair_times",
            "CPU time, median / longest, least of three plays. *Judging* is what a guess adds while something is safe.",
            tables.fair_times,
        ),
        Section(
            "Fair boards: forced guesses", "fair_games", "Games in which every guess is forced.", tables.fair_games
        ),
        Section(
            "Fair boards: any guess", "fair_guesses", "Players that guess although there are safe cells.",
            tables.fair_guesses,
        ),
    ),
    "Machine learning": (
        Section(
            "Environment", "env",
            "Random allowed moves on 1,024 boards, in turns. Random players die after five moves, so every fifth move "
            "draws a new board. jumanji is written for accelerators; without new games it uses both cores, opens one "
            "cell and never cascades.",
            tables.env,
        ),
    ),
    "Pictures and learning": (
        Section(
            "Pictures", "pictures",
            "Pictures drawn in fourteen skins: fonts, scales, noise, JPEG, desktops. CPU seconds.",
            tables.pictures,
        ),
        Section(
            "Pictures of programs", "pictures_given",
            "Screenshots of three programs and of look-alikes. Why one was read wrongly was looked at, and mended on "
            "other pictures; no number was fitted to these.",
            tables.pictures,
        ),
        Section(
            "Making a puzzle", "training_times",
            "CPU milliseconds: median / 95% / worst. Goals: 50 on beginner, 200 on expert boards.",
            tables.training_times,
        ),
        Section(
            "Puzzles of every level", "training_checks",
            "Each is verified; a player restricted to the level counts looks at clues, to compare with the difficulty.",
            tables.training_checks,
        ),
        Section(
            "The same on unseen seeds", "training_fresh", "They had no part in choosing the difficulty.",
            tables.training_checks,
        ),
        Section(
            "Backtracking search", "puzzles",
            "Median expanded nodes over random puzzles with 10 mines per 36 cells; in brackets, how many were solved "
            "within 20,000 nodes and 3 seconds, if not all.",
            tables.puzzles,
        ),
    ),
    "Web app": (
        Section(
            "Load", "load",
            "Players on expert boards of a real server, each with a connection, on loopback; then it is killed and "
            "restarted. Goal: 1,000 moves per second.",
            tables.load,
        ),
        Section("Greedy visitors", "greedy", "One plays while seven ask for all they can.", tables.greedy),
        Section("Soak", "soak", "Kills, full disks and clock jumps.", tables.soak),
        Section(
            "First visit", "first_visit",
            "A new Chromium each time, until the board takes a click; medians. Goals: 0.8 s, and 2.5 s over the slow "
            "link.",
            tables.first_visit,
        ),
        Section(
            "Large boards", "frames",
            "Headless Chromium without a graphics card, moving a partly open 100 x 100 board.",
            tables.frames,
        ),
    ),
}  # fmt: skip


def provenance(name: str, measured: dict[str, Any]) -> str:
    """Return how, when, where and with which code a results file was made."""
    on = date.fromisoformat(measured["on"])
    words = [f"[`{measured['by']}`](../benchmarks/results/{name}.json)", f"{on.day} {on:%B %Y}", measured["machine"]]
    if measured["load before"] is not None:
        words.append(f"load before: {measured['load before']:g}")
    words += [f"{package} {version}" for package, version in measured["versions"].items()]
    if measured["seeds"]:
        words.append(f"seeds: {measured['seeds']}")
    if not is_current(measured):
        words.append(f"**measured with earlier {' or '.join(CODE[folder] for folder in measured['of'].split())}**")
    return "; ".join(words) + "."


def write_page() -> str:
    """Return docs/figures.md."""
    parts = [HEAD]
    for chapter, sections in CHAPTERS.items():
        parts.append(f"## {chapter}\n")
        for section in sections:
            found = load(section.results)
            if not found:
                continue  # never measured
            parts.append(
                f"### {section.title}\n\n{section.about}\n\n{section.table(found)}\n\n"
                f"{provenance(section.results, found['measured'])}\n"
            )
    return "\n".join(parts)


def headlines() -> str:
    """Return the table of the README, each row with a link to its section."""
    by_corpus = {row["corpus"]: row for row in load("positions")["positions"]}
    boards = {row["rules"]: row for row in load("noguess")["rows"]}
    steps = {(row["who"], row["rules"]): row["moves_per_second"] for row in load("env")["results"]}
    server = load("load")
    expert, large, huge = (by_corpus[name] for name in ("expert", "large50", "huge100"))
    board = boards["16x30/99 first-opening"]
    micro = tables.short
    return tables.table(
        "measured|Sapper|ms_toollib",
        (
            (
                "[expert position](docs/figures.md#exact-probabilities)", f"{micro(expert['library']['median'])} µs",
                f"{expert['library_ratio']:,.0f} times as long",
            ),
            (
                "[50 x 50, 100 x 100](docs/figures.md#exact-probabilities)",
                f"{micro(large['library']['median'])}, {micro(huge['library']['median'])} µs",
                f"{large['library_ratio']:,.0f}, {huge['library_ratio']:,.0f} times as long",
            ),
            (
                "[no-guess expert board](docs/figures.md#no-guess-boards)", f"{board['ms_per_board']['repair']:.2f} ms",
                f"{micro(board['ratio'])} times as long",
            ),
            (
                "[random beginner moves per second](docs/figures.md#environment)",
                f"{steps['compiled, same-step', '9x9/10']:,} (`SameStep`), "
                f"{steps['compiled, next-step', '9x9/10']:,} (`NextStep`)", "",
            ),
            (
                "[moves per second, 200 players](docs/figures.md#load)",
                f"{server['without_thinking']['requests_per_second']}; "
                f"{server['games_lost_by_sigkill']} games lost by a kill", "",
            ),
        ),
    )  # fmt: skip


def write_readme(text: str) -> str:
    """Return the README with its tables as the results are."""
    for mark, block in (("figures", headlines()), ("strength", tables.starts(load("strength")))):
        head, begin, rest = text.partition(f"<!-- {mark} -->\n")
        _, end, tail = rest.partition(f"<!-- /{mark} -->\n")
        text = f"{head}{begin}\n{block}\n\n{end}{tail}"
    return text


def stale() -> dict[str, dict[str, Any]]:
    """Return what was measured with earlier code: each results file's name, and how it was made."""
    found = {name: load(name)["measured"] for name in names()}
    return {name: measured for name, measured in found.items() if not is_current(measured)}


def measure(names: list[str]) -> None:
    """Run the benchmarks again that made some results, or all that are stale."""
    for name in names or stale():
        command = [*load(name)["measured"]["by"].removeprefix("python ").split(), "--write"]
        if "…" in command:
            print(f"{name}: takes files that are not here; run it by hand.", file=sys.stderr)
            continue
        print(f"{name}: {' '.join(command)}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, *command], cwd=ROOT, check=True)


def main() -> None:
    """List, measure or only write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="what was measured with earlier code")
    parser.add_argument("--measure", nargs="*", metavar="RESULTS", help="measure again first; by default what is stale")
    chosen = parser.parse_args()
    if chosen.list:
        for name, measured in stale().items():
            print(f"{name:20} {measured['minutes'] or '?':>5} minutes  {measured['by']}")
        return
    if chosen.measure is not None:
        measure(chosen.measure)
    PAGE.write_text(write_page(), encoding="utf-8")
    for name, draw in growth_tables.PICTURES.items():
        (PAGE.parent / "pictures" / name).write_text(draw(), encoding="utf-8")
    README.write_text(write_readme(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
