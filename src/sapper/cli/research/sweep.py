"""``sapper sweep``: agents against boards, with intervals; ``sapper runs``: what the store holds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.common.groups import grouped
from sapper.cli.research.options import ChunkSize, GameSeed, RunOptions, StoreOptions

if TYPE_CHECKING:
    from sapper.experiments.runs.store import Run, Store
    from sapper.experiments.runs.summary import Summary
    from sapper.experiments.runs.sweep import Sweep

    Plan = tuple[int, str, dict[str, object], str]

LONGEST_SIDE = 9999  # of a board, in cells


@dataclass(frozen=True, slots=True)
class SweepOptions:
    """What is varied, and how many games each combination gets."""

    agents: Annotated[str, typer.Option(help="Which agents, joined by commas; see sapper agents.")] = (
        "basic,statements,exact"
    )
    size: Annotated[str, typer.Option(help="Sizes of boards, rows x cols, joined by commas.")] = "8x8"
    densities: Annotated[str | None, typer.Option(help="Shares of mines: 0.1,0.2 or 0.05:0.4:0.05.")] = None
    mines: Annotated[str | None, typer.Option(help="Or numbers of mines: 1,5,10 or 1:16:1.")] = None
    channels: Annotated[str, typer.Option(help="How clues are shown: exact,withheld:0.3,optimistic:0.2.")] = "exact"
    words: Annotated[str, typer.Option(help="The rest of the rules, as in sapper boards.")] = "survey first-any"
    games: Annotated[int, typer.Option(min=1, max=10**9, help="Games for each combination.")] = 100
    seed: GameSeed = 0
    restart_opening: Annotated[
        bool, typer.Option("--restart-opening", help="A mine before the first zero starts over (report 001).")
    ] = False
    chunk: ChunkSize = None

    def sweep(self) -> Sweep:
        """The sweep that is asked for."""
        from sapper.cli.research.options import parse_numbers, parse_whole_numbers, parse_words
        from sapper.experiments.runs.store import CHUNK_SIZE
        from sapper.experiments.runs.sweep import Sweep

        sizes = self._sizes()
        densities = "0.05:0.4:0.05" if self.densities is None and self.mines is None else self.densities
        return Sweep(
            agents=parse_words(self.agents),
            sizes=sizes,
            densities=tuple(parse_numbers(densities, "densities")) if densities is not None else (),
            mines=tuple(parse_whole_numbers(self.mines, "mines")) if self.mines is not None else (),
            channels=parse_words(self.channels),
            words=self.words,
            n_games=self.games,
            seed=self.seed,
            restart_opening=self.restart_opening,
            chunk_size=self.chunk or CHUNK_SIZE,
        )

    def _sizes(self) -> tuple[tuple[int, int], ...]:
        from sapper.cli.research.options import parse_size
        from sapper.errors import InputError

        sizes = []
        for word in self.size.split(","):
            size = parse_size(word) if "x" in word else None
            if size is None or max(size) > LONGEST_SIDE:
                raise InputError(f"--size {word[:40]!r} should read like 8x8.")
            sizes.append(size)
        return tuple(sizes)


@dataclass(frozen=True, slots=True)
class ResumeOptions:
    """Whether an earlier sweep goes on, and which."""

    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the last sweep, or with --plan N; nothing else is read.")
    ] = False
    plan: Annotated[
        int | None, typer.Option(metavar="N", help="With --resume: which one, as numbered by sapper runs.")
    ] = None

    def check(self) -> None:
        """Raise `InputError` if a plan is named for nothing."""
        from sapper.errors import InputError

        if self.plan is not None and not self.resume:
            raise InputError("--plan goes with --resume.")

    def sweep(self, results: Store) -> Sweep:
        """The sweep that goes on."""
        from sapper.errors import InputError
        from sapper.experiments.runs.sweep import Sweep

        sweeps = {number: settings for number, kind, settings, _ in results.plans() if kind == "sweep"}
        if not sweeps:
            raise InputError(f"There is no sweep in {results.path} to go on with.")
        number = max(sweeps) if self.plan is None else self.plan
        if number not in sweeps:
            raise InputError(f"There is no sweep {number} in {results.path}; sapper runs lists them.")
        try:
            return Sweep.of_settings(sweeps[number])
        except (TypeError, KeyError, ValueError):
            raise InputError(
                f"Sweep {number} in {results.path} is not one that this version of Sapper knows."
            ) from None


@dataclass(frozen=True, slots=True)
class PlotOptions:
    """Whether a figure is drawn, and of what."""

    plot: Annotated[str | None, typer.Option(metavar="FILE", help="Draw a figure of it (.png or .svg).")] = None
    figure: Annotated[
        str, typer.Option(help="What is drawn: score, wins, detonations (by channel) or time (by size).")
    ] = "score"

    def check(self) -> None:
        """Raise `InputError` if it cannot be drawn or written."""
        from sapper.cli.common.files import check_picture
        from sapper.errors import InputError
        from sapper.experiments.plots import FIGURES

        if self.plot is not None:
            check_picture(self.plot)
        if self.figure not in FIGURES:
            raise InputError(f"There is no figure {self.figure!r}; choose from {', '.join(FIGURES)}.")

    def draw(self, rows: list[Summary]) -> None:
        """Draw it, if that is asked for."""
        if self.plot is None:
            return
        import sys

        from sapper.cli.common.files import write_picture
        from sapper.experiments.plots import FIGURES

        write_picture(self.plot, FIGURES[self.figure](rows))
        print(f"Drawn into {self.plot}.", file=sys.stderr)


@grouped
def sweep(
    asked: SweepOptions,
    earlier: ResumeOptions,
    running: RunOptions,
    drawing: PlotOptions,
    as_json: bool = typer.Option(False, "--json", help="Print the table as JSON."),
) -> None:
    """Let agents play boards of many kinds and compare score, wins, detonations, guesses and time.

    Every combination of agent, size, number of mines and channel plays the same seeds. Results are kept as they come
    in: what was played before is not played again, and a run that was stopped or killed goes on where it was.

    Example: sapper sweep --agents basic,statements --size 4x4 --mines 1:16:1 --games 1000 --plot score.svg
    """
    from datetime import UTC, datetime

    from sapper.experiments.runs.summary import summarise

    drawing.check()
    earlier.check()
    # Whatever is wrong with the input is said before anything is played or written.
    new = None if earlier.resume else asked.sweep()
    if new is not None:
        new.tasks()
    with running.open_store(must_exist=new is None) as results:
        if new is not None:
            results.add_plan("sweep", new.settings(), datetime.now(UTC).isoformat(timespec="seconds"))
        tasks = (new or earlier.sweep(results)).tasks()
        running.play(results, tasks, "Sweep")
        rows = [summarise(results, task) for task in tasks]
    # The table first: whatever may come of the figure, what was played is told.
    if as_json:
        print(json.dumps([row.as_plain_values() for row in rows]))
    else:
        _print_table(rows)
    drawing.draw(rows)


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


@grouped
def runs(
    kept: StoreOptions,
    as_json: bool = typer.Option(False, "--json", help="Print the list as JSON."),
) -> None:
    """List what the store holds: plans of sweeps that --resume goes on with, and runs with the games they have."""
    from sapper.words import count

    plans, found = _read_store(kept)
    if as_json:
        listed = [
            {
                "id": run.id, "rules": run.condition.rules, "agent": run.condition.agent,
                "version": run.condition.version, "boards": run.condition.source, "seed": run.seed,
                "games": n_games, "cpu_seconds": seconds,
            }
            for run, n_games, seconds in found
        ]  # fmt: skip
        print(json.dumps({"store": str(kept.path()), "plans": plans, "runs": listed}))
        return
    print(f"{kept.path()}: {count(len(plans), 'plan')}, {count(len(found), 'run')}.")
    for number, kind, settings, made in plans:
        print(f"plan {number}, {made}: {kind} {_describe(settings)}")
    for run, n_games, seconds in found:
        condition = run.condition
        source = f"seeds from {run.seed}" if condition.source == "seeds" else condition.source
        print(
            f"{run.id:>6}  {condition.agent:<19}{condition.rules:<44}{source:<32}{n_games:>9,} games{seconds:>9,.1f} s"
        )


def _read_store(kept: StoreOptions) -> tuple[list[Plan], list[tuple[Run, int, float]]]:
    """The plans and runs of the store; none if it is the usual one and nothing was ever played."""
    if kept.store is None and not kept.path().exists():
        return [], []
    with kept.open_store(must_exist=True) as results:
        return results.plans(), results.runs()


def _describe(settings: dict[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items() if value not in ([], False))
