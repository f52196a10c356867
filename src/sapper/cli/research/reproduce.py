"""``sapper reproduce``: every experiment of the reports, played again, on one page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from sapper.cli.common.groups import grouped
from sapper.cli.research.options import RunOptions

if TYPE_CHECKING:
    from sapper.experiments.reports.claims import Experiment
    from sapper.experiments.reports.page import Section
    from sapper.experiments.runs.running import Task
    from sapper.experiments.runs.store import Store


@grouped
def reproduce(
    *,
    output: str = typer.Option(
        "sapper-report.html", metavar="FILE", help="Where the page is written; a .md file gets tables."
    ),
    quick: bool = typer.Option(False, "--quick", help="Fewer games: some two minutes on two cores, not fifteen."),
    only: str | None = typer.Option(None, help="Only some: reports or experiments joined by commas, as in 000,003."),
    games: int | None = typer.Option(None, min=2, max=10**7, help="Just so many games for each condition."),
    running: RunOptions,
    as_json: bool = typer.Option(False, "--json", help="Print claims, measurements and verdicts as JSON."),
) -> None:
    """Play every experiment of the five reports again and write a page: figures, claims, measurements, verdicts.

    Verdicts are computed from the games. Results are kept as they come in: a run that was stopped goes on where it was,
    and the full run takes over what a quick one has played. Seeds are fixed, so everybody gets the same games.

    Example: sapper reproduce --quick --only 000,003 --output reports.html
    """
    import sys
    from pathlib import Path

    from sapper.cli.common.files import write_bytes
    from sapper.experiments.reports.catalogue import choose
    from sapper.experiments.reports.claims import Count
    from sapper.experiments.reports.figures import require_matplotlib
    from sapper.experiments.reports.page import draw_page
    from sapper.experiments.reports.table import draw_tables

    chosen = choose(only)
    # Better now than after a quarter of an hour.
    require_matplotlib()
    _check_output(output, as_json)
    count = Count(quick, games)
    tasks = {experiment.name: experiment.tasks(count) for experiment in chosen}
    with running.open_store() as results:
        # Some conditions belong to two experiments and are played once.
        running.play(results, list(_merge(tasks).values()), "Reproduce")
        sections = [_sum_up(experiment, tasks[experiment.name], results) for experiment in chosen]
    if Path(output).suffix == ".md":
        page = draw_tables(sections)
    else:
        page = draw_page(sections, _about(sections, tasks, quick))
    write_bytes(output, page.encode())
    if as_json:
        print(json.dumps([_plain(section, tasks[section.experiment.name]) for section in sections]))
    elif output != "-":
        _print(sections)
        print(f"Written to {output}.", file=sys.stderr)


def _check_output(output: str, as_json: bool) -> None:
    from pathlib import Path

    from sapper.errors import InputError

    if output == "-" and as_json:
        raise InputError("The page and the JSON cannot both go to standard output; name a file with --output.")
    if output != "-" and (Path(output).is_dir() or not Path(output).parent.is_dir()):
        raise InputError(f"The page cannot be written to {output}.")


def _sum_up(experiment: Experiment, tasks: list[Task], results: Store) -> Section:
    from sapper.experiments.reports.claims import Results
    from sapper.experiments.reports.page import Section

    found = Results.of_store(results, tasks)
    return Section(experiment, experiment.check(found), experiment.draw(found), _count_games(tasks))


def _merge(tasks: dict[str, list[Task]]) -> dict[object, Task]:
    merged: dict[object, Task] = {}
    for task in (task for listed in tasks.values() for task in listed):
        key = (task.condition, task.seed, task.chunk_size)
        if key not in merged or merged[key].n_games < task.n_games:
            merged[key] = task
    return merged


def _count_games(tasks: list[Task]) -> str:
    """Say how many games were played, and from which seeds."""
    if not tasks:
        return "No games."
    amounts = sorted({task.n_games for task in tasks})
    each = f"{amounts[0]:,}" if len(amounts) == 1 else f"{amounts[0]:,} to {amounts[-1]:,}"
    n_all = sum(task.n_games for task in tasks)
    seeds = "from 0" if not any(task.seed for task in tasks) else "of its own for every number of mines"
    return f"{n_all:,} games: {each} for each of {len(tasks)} conditions, seeds {seeds}."


def _about(sections: list[Section], tasks: dict[str, list[Task]], quick: bool) -> list[str]:
    from sapper import __version__

    n_games = sum(task.n_games for task in _merge(tasks).values())
    verdicts = [section.verdict for section in sections]
    counted = ", ".join(f"{verdicts.count(one)} {one}" for one in dict.fromkeys(verdicts))
    tightness = " A quick run: intervals are wide, and some claims cannot be told yet." if quick else ""
    return [
        f"What five student reports on Minesweeper found, and what Sapper {__version__} measures in {n_games:,} "
        f"games. Of {len(sections)} experiments: {counted}.",
        f"Square brackets are 95 % intervals. A claim holds or fails only where the whole interval says so; a verdict "
        f"sums up its claims.{tightness}",
    ]


def _print(sections: list[Section]) -> None:
    for section in sections:
        print(f"{section.experiment.name:<18}{section.verdict:<16}{section.experiment.title}")
        for check in section.checks:
            sign = {True: "+", False: "-", None: "?"}[check.holds]
            print(f"  {sign} {check.claim} {check.measured}")


def _plain(section: Section, tasks: list[Task]) -> dict[str, object]:
    experiment = section.experiment
    return {
        "name": experiment.name,
        "report": experiment.report,
        "title": experiment.title,
        "claim": experiment.claim,
        "verdict": section.verdict,
        "games": sum(task.n_games for task in tasks),
        "conditions": len(tasks),
        "checks": [check._asdict() | {"why": check.why if check.holds is False else ""} for check in section.checks],
    }
