"""``sapper sweep``: agents on the same boards, compared with intervals; and the list of stored results."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.files import PICTURES, choose_output, in_words, read_bytes
from sapper.cli.options import (
    BOARDS_HELP,
    RunOptions,
    chunk_size,
    grouped,
    read_words,
    refuse_all_with,
    refuse_with,
    refuse_without,
)
from sapper.errors import InputError
from sapper.words import count

if TYPE_CHECKING:
    from sapper.cli.files import Output
    from sapper.experiments.grading.tournament import Tournament
    from sapper.experiments.results import Results
    from sapper.experiments.store import Run, Store
    from sapper.experiments.sweep import Sweep, SweepTask
    from sapper.rules import Rules
    from sapper.statistics import Comparison

    Plan = tuple[int, str, dict[str, object], str]

MANY = 3  # agents from which on they are ranked
USUAL_BOARDS = "8x8/0.05:0.4:0.05 survey first-any"


@dataclass(frozen=True, slots=True)
class SweepOptions:
    """The agents and boards, and how many games each combination gets."""

    agents: Annotated[
        str, typer.Option(help="The agents, joined by commas; see sapper agents. Your own: mymodule:make.")
    ] = "basic,statements,exact"
    board: Annotated[list[str] | None, typer.Option(help=BOARDS_HELP, show_default=USUAL_BOARDS)] = None
    boards: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Play given boards (plain or .gz): JSON lines with id, width, height, first [row, col], mines. The "
            "first cell is safe, unless --board says otherwise, such as '9x9/10 first-opening'.",
        ),
    ] = None
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10**9,
            help="Games for each agent and board; by default 1,000 for one board, 100 for several, or all given.",
        ),
    ] = None
    seed: Annotated[int, typer.Option(min=0, max=2**62, help="The first game's seed; the others follow.")] = 0
    restart_opening: Annotated[
        bool, typer.Option("--restart-opening", help="A mine before the first zero starts over (report 001).")
    ] = False

    def tasks(self) -> list[SweepTask]:
        """Return what is to be played, agent by agent; raises `InputError`."""
        return self.sweep().tasks() if self.boards is None else self._given_tasks()

    def sweep(self) -> Sweep:
        """Return the plan, unless the boards are given; raises `InputError`."""
        from sapper.experiments.sweep import Sweep, expand_boards

        boards = tuple(self.board or [USUAL_BOARDS])
        n_boards = sum(len(expand_boards(board)) for board in boards)
        return Sweep(
            agents=read_words(self.agents, "--agents"),
            boards=boards,
            words="",
            n_games=self.games or (1000 if n_boards == 1 else 100),
            seed=self.seed,
            restart_opening=self.restart_opening,
            chunk_size=chunk_size(),
        )

    def _given_tasks(self) -> list[SweepTask]:
        from sapper.experiments.games import Condition
        from sapper.experiments.sweep import SweepTask
        from sapper.formats.given_boards import read_boards

        refuse_with("--boards", "--seed", "--restart-opening")
        said = self._read_rules()
        data = read_bytes(self.boards or "")
        try:
            given = read_boards(data, "safe" if said is None else said.first_click)
        except InputError as error:
            raise InputError(f"{in_words(self.boards or '')}: {error}") from None
        if said is not None and said != given.rules:
            raise InputError(f"--board says {said}, but the boards of {self.boards} are {given.rules}.")
        n_games = min(self.games or len(given.boards), len(given.boards))
        conditions = [Condition.of(given.rules, name, given.name) for name in read_words(self.agents, "--agents")]
        return [SweepTask(one, n_games, 0, given.boards[:n_games], chunk_size()) for one in conditions]

    def _read_rules(self) -> Rules | None:
        """Return the rules that --board states for given boards."""
        from sapper.rules import Rules

        if self.board is None:
            return None
        if len(self.board) > 1:
            raise InputError("The boards of --boards are all alike, so there is one --board, which states their rules.")
        return Rules.parse(self.board[0])


@grouped
def sweep(
    *,
    asked: SweepOptions,
    figure: str | None = typer.Option(
        None,
        metavar="score|wins|detonations|time",
        help="What a figure shows; detonations by channel, time by size.",
        show_default="score of surveys, else wins",
    ),
    lists: bool = typer.Option(False, "--list", help="Play nothing; list the plans and results in the store."),
    running: RunOptions,
    output: str | None = typer.Option(
        None,
        metavar="FILE",
        help="Write a figure (.svg or .png; needs the extra plots), the table (.csv or .json) or a page "
        "with the ranking (.html).",
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the results as JSON."),
) -> None:
    """Compare agents on the same boards: score, wins, detonations, guesses and time, with 95% intervals.

    Every agent plays the same seeds on every board. Results are stored as they come in: what was played before is not
    played again, and running an interrupted sweep again resumes where it stopped.

    On a single board, agents are also compared game by game: on how many only one of them won, McNemar's test, and the
    interval of the difference; --json then has one 0 or 1 per game. Three and more are ranked over all boards, by
    Bradley-Terry ratings, with the difference of every pair; a star marks what is beyond chance.

    Example: sapper sweep --agents exact,statements --board intermediate --games 2000

    Example: sapper sweep --agents basic,exact --board '4x4/1:16:1 survey first-any' --output score.svg

    Example: sapper sweep --agents random,basic,statements,exact --board beginner --output tournament.html

    Example: sapper sweep --list --output results.csv
    """
    from sapper.experiments.grading.tournament import write_standings
    from sapper.experiments.results import Results
    from sapper.experiments.sweep import try_agents

    if lists:
        refuse_all_with("--list", "--store", "--output", "--json")
        _list(running, choose_output(output, ".csv", as_json=as_json), as_json)
        return
    # Invalid input fails before anything is played or written.
    target = choose_output(output, *PICTURES, ".csv", ".html", as_json=as_json, plots=True)
    tasks = asked.tasks()
    _check_figure(figure, target, tasks)
    if target is not None and target.form == ".html" and len({task.condition.agent for task in tasks}) < MANY:
        raise InputError(f"The page ranks agents, so it needs at least {MANY}.")
    try_agents(tasks)
    with running.open_store() as store:
        if asked.boards is None:
            store.add_plan("sweep", asked.sweep().settings(), datetime.now(UTC).isoformat(timespec="seconds"))
        running.play(store, tasks, "Sweep")
        found = Results.of_tasks(store, tasks)
        answer, pairs = _compare(store, tasks, found)
        held = _rank(store, tasks)
    if held is not None and isinstance(answer, dict):
        answer["tournament"] = held.as_plain_values()
    # The table first: if the figure fails, the results are printed.
    if as_json:
        print(json.dumps(answer))
    elif target is None or target.name != "-":
        print(found)
        if held is not None:
            print(f"\n{write_standings(held)}")
        else:
            for names, pair in pairs.items():
                print(_describe_pair(*names, pair))
    if target is not None:
        _write(target, figure, found, answer, held)


def _check_figure(figure: str | None, target: Output | None, tasks: list[SweepTask]) -> None:
    """Raise `InputError` if there is no such figure, or nothing to draw in it."""
    from sapper.experiments.plots import FIGURES, NO_SCORE

    if target is None or target.form not in PICTURES:
        refuse_without("--output FILE.svg", "--figure")
    if figure is not None and figure not in FIGURES:
        raise InputError(f"There is no figure {figure[:40]!r}; choose from {', '.join(FIGURES)}.")
    if figure == "score" and not any("survey" in task.condition.rules.split() for task in tasks):
        raise InputError(NO_SCORE)


def _compare(
    store: Store, tasks: list[SweepTask], found: Results
) -> tuple[list[object] | dict[str, object], dict[tuple[str, str], Comparison]]:
    """Return the results for JSON, and on a single board the paired comparisons."""
    from sapper.experiments.results import won_by_game
    from sapper.statistics import compare_paired

    if len({task.condition.rules for task in tasks}) > 1:
        return [row.as_plain_values() for row in found.rows], {}
    won = {task.condition.agent: won_by_game(store, task) for task in tasks}
    pairs = {(one, other): compare_paired(won[one], won[other]) for one, other in combinations(won, 2)}
    agents = {
        row.agent: row.as_plain_values()
        | {"wins": sum(won[row.agent]), "per_game": "".join("01"[game] for game in won[row.agent])}
        for row in found.rows
    }
    comparisons = [{"first": one, "second": other, **pair._asdict()} for (one, other), pair in pairs.items()]
    return {"agents": agents, "comparisons": comparisons}, pairs


def _describe_pair(first: str, second: str, pair: Comparison) -> str:
    return (
        f"{first} - {second}: {100 * pair.difference.value:+.2f} points "
        f"[{100 * pair.difference.low:+.2f}, {100 * pair.difference.high:+.2f}], "
        f"only {first} won {pair.only_first:,}, only {second} {pair.only_second:,}, p = {pair.p_value:.2g}"
    )


def _rank(store: Store, tasks: list[SweepTask]) -> Tournament | None:
    """Rank three or more agents that played the same boards."""
    from sapper.experiments.grading.tournament import hold_tournament
    from sapper.experiments.results import values_by_game

    values: dict[str, dict[str, list[float]]] = {}
    for task in tasks:
        values.setdefault(task.condition.agent, {})[task.condition.rules] = values_by_game(store, task)
    if len(values) < MANY or len({tuple(boards) for boards in values.values()}) > 1:
        return None
    return hold_tournament({agent: list(boards.values()) for agent, boards in values.items()})


def _write(target: Output, figure: str | None, found: Results, answer: object, held: Tournament | None) -> None:
    if target.form == ".csv":
        target.write(found.to_csv())
    elif target.form == ".json":
        target.write(f"{json.dumps(answer)}\n")
    elif target.form == ".html" and held is not None:
        from sapper.experiments.grading.tournament import draw_tournament

        target.write(draw_tournament(held, found))
    else:
        target.write(found.plot(what=figure))
    if target.name != "-":
        print(f"Written to {target.name}.", file=sys.stderr)


def _list(running: RunOptions, target: Output | None, as_json: bool) -> None:
    """List what the store holds; no agent is loaded for it."""
    from sapper.experiments.results import Results

    # The usual store may not exist yet; another one must.
    is_there = running.store is not None or running.path().exists()
    if target is not None and target.form == ".csv":
        target.write((Results.of_store(running.path()) if is_there else Results((), ())).to_csv())
        return
    plans: list[Plan] = []
    runs: list[tuple[Run, int, float]] = []
    if is_there:
        with running.open_store(must_exist=True) as store:
            plans, runs = store.plans(), store.runs()
    if as_json or target is not None:
        listed = [
            {
                "id": run.id, "rules": run.condition.rules, "agent": run.condition.agent,
                "version": run.condition.version, "boards": run.condition.source, "seed": run.seed,
                "games": n_games, "cpu_seconds": seconds,
            }
            for run, n_games, seconds in runs
        ]  # fmt: skip
        answer = json.dumps({"store": str(running.path()), "plans": plans, "runs": listed})
        if target is not None:
            target.write(f"{answer}\n")
        else:
            print(answer)
        return
    print(f"{running.path()}: {count(len(plans), 'plan')}, {count(len(runs), 'run')}.")
    for number, kind, settings, made in plans:
        print(f"plan {number}, {made}: {kind} {_describe_plan(settings)}")
    for run, n_games, seconds in runs:
        condition = run.condition
        source = f"seeds from {run.seed}" if condition.source == "seeds" else condition.source
        print(
            f"{run.id:>6}  {condition.agent:<26}{condition.rules:<44}{source:<32}{n_games:>9,} games{seconds:>9,.1f} s"
        )


def _describe_plan(settings: dict[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items() if value not in ([], False, ""))
