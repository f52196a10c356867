"""``sapper reproduce``: every experiment of the five student reports, repeated on one page."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sapper.cli.files import check_target, write_bytes
from sapper.cli.options import RunOptions, grouped
from sapper.errors import InputError
from sapper.version import __version__

if TYPE_CHECKING:
    from sapper.experiments.reports.claims import Check, Experiment
    from sapper.experiments.reports.page import Section
    from sapper.experiments.store import Store
    from sapper.experiments.sweep import SweepTask


@grouped
def reproduce(
    *,
    only: str | None = typer.Option(None, help="Only some: reports or experiments joined by commas, as in 000,003."),
    games: str | None = typer.Option(
        None,
        metavar="N|quick",
        help="Games per condition; quick takes about a minute on two cores instead of ten.",
    ),
    running: RunOptions,
    output: str = typer.Option(
        "sapper-report.html",
        metavar="FILE",
        help="Where the page is written: .html or .htm, or .md for tables; - is HTML on standard output.",
    ),
    as_json: bool = typer.Option(False, "--json", help="Print claims, measurements and verdicts as JSON."),
) -> None:
    """Repeat every experiment of the five student reports and write a page: figures, claims, measurements, verdicts.

    Verdicts are computed from the games. A claim holds, fails or is open; after few games, as with --games quick, many
    are. Results are stored as they come in: an interrupted run resumes where it stopped, and the full run reuses what a
    quick one has played. Seeds are fixed, so everybody gets the same games.

    Example: sapper reproduce --games quick --only 000,003 --output reports.html
    """
    from sapper.experiments.plots import require_matplotlib
    from sapper.experiments.reports.catalogue import choose
    from sapper.experiments.reports.claims import Count
    from sapper.experiments.reports.page import draw_page, draw_tables

    n_games = _read_games(games)
    chosen = choose(only)
    # Fail before ten minutes of games, not after.
    require_matplotlib()
    _check_output(output, as_json)
    count = Count(games == "quick", n_games)
    tasks = {experiment.name: experiment.tasks(count) for experiment in chosen}
    with running.open_store() as results:
        # Some conditions belong to two experiments and are played once.
        running.play(results, list(_merge(tasks).values()), "Reproduce")
        sections = [_sum_up(experiment, tasks[experiment.name], results) for experiment in chosen]
    draw = draw_tables if Path(output).suffix.lower() == ".md" else draw_page
    write_bytes(output, draw(sections, _about(sections, tasks)).encode())
    if as_json:
        print(json.dumps([_plain(section, tasks[section.experiment.name]) for section in sections]))
    elif output != "-":
        _print(sections)
        print(f"Written to {output}.", file=sys.stderr)


def _read_games(text: str | None) -> int | None:
    """Return the number of games per condition, or None for the usual or the quick one."""
    if text is None or text == "quick":
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 8 and 2 <= int(text) <= 10**7):
        raise InputError("--games must be quick or a whole number from 2 to 10,000,000.")
    return int(text)


def _check_output(output: str, as_json: bool) -> None:
    if output == "-":
        if as_json:
            raise InputError("The page and the JSON cannot both go to standard output; name a file with --output.")
        return
    check_target(output)
    if Path(output).suffix.lower() not in (".html", ".htm", ".md"):
        raise InputError(f"The page is written as .html, .htm or .md, not as {Path(output).name!r}.")


def _sum_up(experiment: Experiment, tasks: list[SweepTask], results: Store) -> Section:
    from sapper.experiments.reports.catalogue import REPORTS
    from sapper.experiments.reports.claims import StudyResults
    from sapper.experiments.reports.page import Section

    found = StudyResults.of_store(results, tasks)
    rows = experiment.compare(found) if experiment.compare is not None else []
    played, report = _count_games(tasks), REPORTS[experiment.report]
    return Section(experiment, experiment.judge(found), experiment.draw(found), played, rows, report)


def _merge(tasks: dict[str, list[SweepTask]]) -> dict[object, SweepTask]:
    merged: dict[object, SweepTask] = {}
    for task in (task for listed in tasks.values() for task in listed):
        key = (task.condition, task.seed, task.chunk_size)
        if key not in merged or merged[key].n_games < task.n_games:
            merged[key] = task
    return merged


def _count_games(tasks: list[SweepTask]) -> str:
    """Say how many games were played, and from which seeds."""
    if not tasks:
        return "No games."
    amounts = sorted({task.n_games for task in tasks})
    each = f"{amounts[0]:,}" if len(amounts) == 1 else f"{amounts[0]:,} to {amounts[-1]:,}"
    n_all = sum(task.n_games for task in tasks)
    seeds = "seeds from 0" if not any(task.seed for task in tasks) else "separate seeds for every number of mines"
    return f"{n_all:,} games: {each} for each of {len(tasks)} conditions, {seeds}."


def _about(sections: list[Section], tasks: dict[str, list[SweepTask]]) -> list[str]:
    n_games = sum(task.n_games for task in _merge(tasks).values())
    return [
        f"What five student reports on Minesweeper claim, and what Sapper {__version__} measures in {n_games:,} games.",
        *_count_all(sections),
    ]


def _count_all(sections: list[Section]) -> list[str]:
    """Count the verdicts, and the claims that are open for lack of games."""
    from sapper.experiments.reports.claims import count_verdicts, of_ours, of_reports
    from sapper.words import count

    checks = [check for section in sections for check in section.checks]
    few = sum(check.is_short for check in checks)
    reported, ours = count_verdicts(of_reports(checks)), count_verdicts(of_ours(checks))
    said = [f"The reports' claims: {reported}. Our claims: {ours}."]
    if few:
        said.append(f"{count(few, 'claim')} cannot be judged from so few games; without --games more are played.")
    return said


def _print(sections: list[Section]) -> None:
    from sapper.experiments.reports.claims import count_verdicts

    for section in sections:
        print(f"{section.experiment.name}: {section.experiment.title}")
        for name, checks in section.groups:
            print(f"  {name}: {count_verdicts(checks)}")
            for check in checks:
                number = f" Compared with {check.number}." if check.number else ""
                short = f" {check.reason}" if check.holds is None else ""
                print(f"    {check.verdict:<6}{check.claim} {check.measured}{number}{short}")
    print("\n".join(_count_all(sections)))


def _plain(section: Section, tasks: list[SweepTask]) -> dict[str, object]:
    from sapper.experiments.reports.claims import of_ours, of_reports

    experiment = section.experiment
    return {
        "name": experiment.name,
        "report": experiment.report,
        "title": experiment.title,
        "about": experiment.about,
        "games": sum(task.n_games for task in tasks),
        "conditions": len(tasks),
        "numbers": [row._asdict() for row in section.rows],
        "reported": _plain_group(of_reports(section.checks)),
        "ours": _plain_group(of_ours(section.checks)),
    }


def _plain_group(checks: list[Check]) -> dict[str, object]:
    from sapper.experiments.reports.claims import VERDICTS

    found = [check.verdict for check in checks]
    return {
        **{verdict: found.count(verdict) for verdict in VERDICTS},
        "claims": [check.as_plain_values() for check in checks],
    }
