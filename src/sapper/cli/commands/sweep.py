"""``sapper sweep``: agents against boards, with intervals."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.options import AGENTS_HELP, ChunkSize, GameSeed, RunOptions, grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.experiments.results import Results
    from sapper.experiments.store import Store
    from sapper.experiments.sweep import Sweep, SweepTask


LONGEST_SIDE = 9999  # of a board, in cells


@dataclass(frozen=True, slots=True)
class SweepOptions:
    """What is varied, and how many games each combination gets."""

    agents: Annotated[str, typer.Option(help=AGENTS_HELP)] = "basic,statements,exact"
    size: Annotated[str, typer.Option(help="Sizes of boards, rows x cols, joined by commas.")] = "8x8"
    densities: Annotated[str | None, typer.Option(help="Shares of mines: 0.1,0.2 or 0.05:0.4:0.05.")] = None
    mines: Annotated[str | None, typer.Option(help="Or numbers of mines: 1,5,10 or 1:16:1.")] = None
    games: Annotated[int, typer.Option(min=1, max=10**9, help="Games for each combination.")] = 100
    channels: Annotated[str, typer.Option(help="How clues are shown, such as exact,withheld:0.3,liar:0.2.")] = "exact"
    words: Annotated[str, typer.Option(help="The rest of the rules, as in sapper boards.")] = "survey first-any"
    seed: GameSeed = 0
    restart_opening: Annotated[
        bool, typer.Option("--restart-opening", help="A mine before the first zero starts over (report 001).")
    ] = False
    chunk: ChunkSize = None

    def sweep(self) -> Sweep:
        """The sweep that is asked for."""
        from sapper.cli.options import parse_numbers, parse_whole_numbers, parse_words
        from sapper.experiments.store import CHUNK_SIZE
        from sapper.experiments.sweep import Sweep

        sizes = self._sizes()
        densities = "0.05:0.4:0.05" if self.densities is None and self.mines is None else self.densities
        return Sweep(
            agents=parse_words(self.agents, "agents"),
            sizes=sizes,
            densities=tuple(parse_numbers(densities, "densities")) if densities is not None else (),
            mines=tuple(parse_whole_numbers(self.mines, "mines")) if self.mines is not None else (),
            channels=parse_words(self.channels, "channels"),
            words=self.words,
            n_games=self.games,
            seed=self.seed,
            restart_opening=self.restart_opening,
            chunk_size=self.chunk or CHUNK_SIZE,
        )

    def _sizes(self) -> tuple[tuple[int, int], ...]:
        from sapper.cli.options import parse_size
        from sapper.errors import InputError

        sizes = []
        for word in self.size.split(","):
            size = parse_size(word) if "x" in word else None
            if size is None or max(size) > LONGEST_SIDE:
                raise InputError(f"--size {word[:40]!r} should look like 8x8.")
            sizes.append(size)
        return tuple(sizes)


@dataclass(frozen=True, slots=True)
class ResumeOptions:
    """Whether an earlier sweep goes on, and which."""

    resume: Annotated[bool, typer.Option("--resume", help="Continue the last sweep, or --plan N.")] = False
    plan: Annotated[
        int | None, typer.Option(metavar="N", help="With --resume: which one, as numbered by sapper runs.")
    ] = None

    def check(self) -> None:
        """Raise `InputError` if options have no effect: a sweep that goes on is as it was."""
        from sapper.cli.options import refuse_all_with, refuse_without

        if self.resume:
            refuse_all_with(
                "--resume", "--plan", "--store", "--jobs", "--cluster", "--patience", "--plot", "--figure", "--json"
            )
        else:
            refuse_without("--resume", "--plan")

    def sweep(self, results: Store) -> Sweep:
        """The sweep that goes on."""
        from sapper.errors import InputError
        from sapper.experiments.sweep import Sweep

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

    plot: Annotated[str | None, typer.Option(metavar="FILE", help="Draw the results as a figure (.png or .svg).")] = (
        None
    )
    figure: Annotated[
        str | None,
        typer.Option(
            metavar="score|wins|detonations|time",
            help="What to draw; detonations by channel, time by size.",
            show_default="score of surveys, else wins",
        ),
    ] = None

    def check(self) -> None:
        """Raise `InputError` if it cannot be drawn or written."""
        from sapper.cli.files import check_picture
        from sapper.cli.options import refuse_without
        from sapper.errors import InputError
        from sapper.experiments.plots import FIGURES

        if self.plot is None:
            refuse_without("--plot", "--figure")
        else:
            check_picture(self.plot)
        if self.figure is not None and self.figure not in FIGURES:
            raise InputError(f"There is no figure {self.figure[:40]!r}; choose from {', '.join(FIGURES)}.")

    def check_games(self, tasks: Sequence[SweepTask]) -> None:
        """Raise `InputError` if these games have nothing of the kind to draw."""
        from sapper.errors import InputError
        from sapper.experiments.plots import NO_SCORE

        if self.figure == "score" and not any("survey" in task.condition.rules.split() for task in tasks):
            raise InputError(NO_SCORE)

    def draw(self, found: Results) -> None:
        """Draw it, if that is asked for."""
        if self.plot is None:
            return
        import sys

        from sapper.cli.files import write_picture

        write_picture(self.plot, found.plot(what=self.figure))
        print(f"Drawn into {self.plot}.", file=sys.stderr)


@grouped
def sweep(
    asked: SweepOptions,
    drawing: PlotOptions,
    earlier: ResumeOptions,
    running: RunOptions,
    as_json: bool = typer.Option(False, "--json", help="Print the table as JSON."),
) -> None:
    """Let agents play boards of many kinds and compare score, wins, detonations, guesses and time.

    Every combination of agent, size, number of mines and channel plays the same seeds. Results are kept as they come
    in: what was played before is not played again, and a run that was stopped or killed goes on where it was.

    Example: sapper sweep --agents basic,exact --size 4x4 --mines 1:16:1 --plot score.svg
    """
    from datetime import UTC, datetime

    from sapper.experiments.results import Results
    from sapper.experiments.sweep import try_agents

    drawing.check()
    earlier.check()
    # Whatever is wrong with the input is said before anything is played or written.
    new = None if earlier.resume else asked.sweep()
    if new is not None:
        drawing.check_games(new.tasks())
        try_agents(new.tasks())
    with running.open_store(must_exist=new is None) as results:
        if new is not None:
            results.add_plan("sweep", new.settings(), datetime.now(UTC).isoformat(timespec="seconds"))
        tasks = (new or earlier.sweep(results)).tasks()
        drawing.check_games(tasks)
        running.play(results, tasks, "Sweep")
        found = Results.of_tasks(results, tasks)
    # The table first: whatever may come of the figure, what was played is told.
    print(json.dumps([row.as_plain_values() for row in found.rows]) if as_json else found)
    drawing.draw(found)
