"""``sapper sweep``: agents against boards, with intervals; ``sapper runs``: what the store holds."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import typer

from sapper.cli.experiment_options import CHUNK, CLUSTER, JOBS, SEED, STORE

if TYPE_CHECKING:
    from sapper.experiments.store import Store
    from sapper.experiments.summary import Summary
    from sapper.experiments.sweep import Sweep


def sweep(
    agents: str = typer.Option("basic,statements,exact", help="Which agents, joined by commas; see sapper agents."),
    size: str = typer.Option("8x8", help="Sizes of boards, rows x cols, joined by commas."),
    densities: str | None = typer.Option(None, help="Shares of mines: 0.1,0.2 or 0.05:0.4:0.05."),
    mines: str | None = typer.Option(None, help="Or numbers of mines: 1,5,10 or 1:16:1."),
    channels: str = typer.Option("exact", help="How clues are shown: exact,withheld:0.3,optimistic:0.2."),
    words: str = typer.Option("survey first-any", help="The rest of the rules, as in sapper boards."),
    games: int = typer.Option(100, min=1, max=10**9, help="Games for each combination."),
    seed: int = SEED,
    restart_opening: bool = typer.Option(
        False, "--restart-opening", help="A mine before the first zero starts over (report 001)."
    ),
    resume: bool = typer.Option(
        False, "--resume", help="Go on with the last sweep, or with --plan N; nothing else is read."
    ),
    plan: int | None = typer.Option(None, metavar="N", help="With --resume: which one, as numbered by sapper runs."),
    store: str | None = STORE,
    chunk: int | None = CHUNK,
    jobs: int | None = JOBS,
    cluster: str | None = CLUSTER,
    plot: str | None = typer.Option(None, metavar="FILE", help="Draw a figure of it (.png or .svg)."),
    figure: str = typer.Option("score", help="What is drawn: score, wins, detonations (by channel) or time (by size)."),
    as_json: bool = typer.Option(False, "--json", help="Print the table as JSON."),
) -> None:
    """Let agents play boards of many kinds and compare score, wins, detonations, guesses and time.

    Every combination of agent, size, number of mines and channel plays the same seeds. Results are kept as they come
    in: what was played before is not played again, and a run that was stopped or killed goes on where it was.

    Example: sapper sweep --agents basic,statements --size 4x4 --mines 1:16:1 --games 1000 --plot score.svg
    """
    import sys
    from datetime import UTC, datetime

    from sapper.cli.experiment_options import open_store, play_tasks
    from sapper.errors import InputError
    from sapper.experiments.summary import summarise

    if plot is not None:
        from sapper.errors import InputError
        from sapper.experiments.plots import FIGURES, check_figure_name, save

        check_figure_name(plot)
        if figure not in FIGURES:
            raise InputError(f"There is no figure {figure!r}; choose from {', '.join(FIGURES)}.")
    if plan is not None and not resume:
        raise InputError("--plan goes with --resume.")
    # Whatever is wrong with the input is said before anything is played or written.
    asked = None
    if not resume:
        asked = _read_sweep(agents, size, densities, mines, channels, words, games, seed, restart_opening, chunk)
        asked.tasks()
    with open_store(store) as results:
        if asked is not None:
            results.add_plan("sweep", asked.settings(), datetime.now(UTC).isoformat(timespec="seconds"))
        tasks = (asked or _resumed(results, plan)).tasks()
        play_tasks(results, tasks, jobs, cluster, "Sweep")
        rows = [summarise(results, task) for task in tasks]
    if plot is not None:
        save(FIGURES[figure](rows), plot)
        print(f"Drawn into {plot}.", file=sys.stderr)
    if as_json:
        print(json.dumps([row.as_plain_values() for row in rows]))
    else:
        _print_table(rows)


def _read_sweep(
    agents: str,
    size: str,
    densities: str | None,
    mines: str | None,
    channels: str,
    words: str,
    games: int,
    seed: int,
    restart_opening: bool,
    chunk: int | None,
) -> Sweep:
    from sapper.cli.experiment_options import parse_numbers, parse_whole_numbers
    from sapper.errors import InputError
    from sapper.experiments.store import CHUNK_SIZE
    from sapper.experiments.sweep import Sweep

    sizes = []
    for word in size.split(","):
        match = re.fullmatch(r"(\d{1,4})x(\d{1,4})", word.strip(), re.ASCII)
        if match is None:
            raise InputError(f"--size {word[:40]!r} should read like 8x8.")
        sizes.append((int(match[1]), int(match[2])))
    if densities is None and mines is None:
        densities = "0.05:0.4:0.05"
    return Sweep(
        tuple(name.strip() for name in agents.split(",")),
        tuple(sizes),
        tuple(parse_numbers(densities, "densities")) if densities is not None else (),
        tuple(parse_whole_numbers(mines, "mines")) if mines is not None else (),
        tuple(channel.strip() for channel in channels.split(",")),
        words,
        games,
        seed,
        restart_opening,
        chunk or CHUNK_SIZE,
    )


def _resumed(results: Store, plan: int | None) -> Sweep:
    from sapper.errors import InputError
    from sapper.experiments.sweep import Sweep

    sweeps = {number: settings for number, kind, settings, _ in results.plans() if kind == "sweep"}
    if not sweeps:
        raise InputError(f"There is no sweep in {results.path} to go on with.")
    number = max(sweeps) if plan is None else plan
    if number not in sweeps:
        raise InputError(f"There is no sweep {number} in {results.path}; sapper runs lists them.")
    try:
        return Sweep.of_settings(sweeps[number])
    except (TypeError, KeyError, ValueError):
        raise InputError(f"Sweep {number} in {results.path} is not one that this version of Sapper knows.") from None


def _print_table(rows: list[Summary]) -> None:
    header = f"{'agent':<19}{'board':>9}{'mines':>6}  {'channel':<15}{'games':>8}  {'score':<23}{'won':<22}"
    print(f"{header}{'detonations':>11}{'guesses':>9}{'ms/game':>9}")
    for row in rows:
        score = f"{row.score.value:.3f} [{row.score.low:.3f}, {row.score.high:.3f}]"
        won = f"{row.won.value:6.1%} [{row.won.low:.1%}, {row.won.high:.1%}]"
        print(
            f"{row.agent:<19}{f'{row.rows}x{row.cols}':>9}{row.mines:>6}  {row.channel:<15}{row.n_games:>8,}  "
            f"{score:<23}{won:<22}{row.detonations.value:>11.2f}{row.guesses.value:>9.2f}{1000 * row.seconds:>9.3f}"
        )


def runs(
    store: str | None = STORE,
    as_json: bool = typer.Option(False, "--json", help="Print the list as JSON."),
) -> None:
    """List what the store holds: plans that can be gone on with, and runs with the games they have."""
    from sapper.cli.experiment_options import open_store

    with open_store(store) as results:
        plans, found = results.plans(), results.runs()
    if as_json:
        listed = [
            {
                "id": run.id, "rules": run.condition.rules, "agent": run.condition.agent,
                "version": run.condition.version, "boards": run.condition.source, "seed": run.seed,
                "games": n_games, "cpu_seconds": seconds,
            }
            for run, n_games, seconds in found
        ]  # fmt: skip
        print(json.dumps({"store": str(results.path), "plans": plans, "runs": listed}))
        return
    print(f"{results.path}: {len(plans)} plans, {len(found)} runs.")
    for number, kind, settings, made in plans:
        print(f"plan {number}, {made}: {kind} {_describe(settings)}")
    for run, n_games, seconds in found:
        condition = run.condition
        source = f"seeds from {run.seed}" if condition.source == "seeds" else condition.source
        print(
            f"{run.id:>6}  {condition.agent:<19}{condition.rules:<44}{source:<32}{n_games:>9,} games{seconds:>9,.1f} s"
        )


def _describe(settings: dict[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items() if value not in ([], False))
