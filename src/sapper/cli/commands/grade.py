"""``sapper grade``: students' agents, judged by the engine, with a proof for every fault."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.options import grouped

if TYPE_CHECKING:
    from sapper.experiments.grading.results import Grade
    from sapper.experiments.grading.rubric import Rubric
    from sapper.experiments.grading.run import Class
    from sapper.observation import Observation


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Where the results go."""

    html: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a page; for several submissions, one for the class and one for each."),
    ] = None
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write a table.")] = None
    results: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the results.json of Gradescope, for one submission.")
    ] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False

    def check(self, n_submissions: int) -> None:
        """Raise `InputError` before any game is played if something cannot be written."""
        from sapper.cli.files import check_targets
        from sapper.errors import InputError

        check_targets({"--html": self.html, "--csv": self.csv, "--results": self.results}, as_json=self.as_json)
        if self.results is not None and n_submissions > 1:
            raise InputError("--results is for one submission; grade each of them by itself.")
        if self.html == "-" and n_submissions > 1:
            raise InputError("The pages of several submissions need a file: --html report.html.")


@grouped
def grade(
    submissions: Annotated[
        list[str],
        typer.Argument(
            help="Files or folders, one for each submission, a folder of them, or agents such as program:./player."
        ),
    ],
    *,
    rubric: str | None = typer.Option(
        None, metavar="FILE.toml", help="What is played and what it is worth.", show_default="the usual of CS50 AI"
    ),
    games: int | None = typer.Option(
        None, min=1, max=10**6, help="Games of each submission.", show_default="as the rubric says, usually 200"
    ),
    position: str | None = typer.Option(
        None,
        metavar="POSITION",
        help="Play nothing; judge what the submission does here. '1#/1# opened 1,0 0,0' opens the cells in that order.",
    ),
    seed: int | None = typer.Option(None, min=0, max=2**62, help="The first game's seed; that of the agent."),
    workers: int | None = typer.Option(
        None, min=1, max=1024, help="How many processes play.", show_default="one per core"
    ),
    store: str | None = typer.Option(
        None, metavar="FILE", help="The file for finished games (SQLite).", show_default="in your data folder"
    ),
    report: ReportOptions,
) -> None:
    """Grade students' agents as they are: what is wrong with each, the smallest position that shows it, and the proof.

    The engine judges every move and every claim: whether it follows from the clues, and which safe cells the agent does
    not find, by the reasoning that they take. Wins and scores come with intervals, beside agents of Sapper on the same
    boards. Each submission runs in processes of its own, with limits. What was played before is not played again, and
    running an interrupted command again resumes where it stopped.

    A submission is a minesweeper.py of CS50 AI, or what the rubric's kind says: cs50, uci, program or process.

    Example: sapper grade submissions/ --rubric examples/rubrics/cs50.toml --html report.html

    Example: sapper grade cs50:minesweeper.py --position '#1/#1/##'
    """
    from dataclasses import replace

    from sapper.cli.options import refuse_all_with
    from sapper.cli.terminal import show_progress
    from sapper.experiments.grading.results import grade_submission
    from sapper.experiments.grading.run import Notebook
    from sapper.experiments.grading.run import grade as grade_all

    chosen = _read_rubric(rubric, submissions)
    if seed is not None:
        chosen = replace(chosen, seed=seed)
    if games is not None:
        chosen = replace(chosen, games=games)
    listed = chosen.find(submissions)
    if position is not None:
        refuse_all_with("--position", "SUBMISSIONS", "--rubric", "--seed", "--json")
        _judge(listed, chosen, position, report.as_json)
        return
    report.check(len(listed))
    notebook = Notebook(None if store is None else Path(store))
    try:
        with show_progress("Grading") as watch:
            made = grade_all(chosen, listed, notebook, workers, watch)
    finally:
        notebook.close()
    grades = [grade_submission(made, one) for one in made.submissions]
    _write(made, grades, report)


def _read_rubric(rubric: str | None, submissions: list[str]) -> Rubric:
    from sapper.agents.foreign.agent import is_foreign
    from sapper.experiments.grading.rubric import Rubric

    if rubric is not None:
        return Rubric.read(rubric)
    return Rubric.usual(submissions[0].partition(":")[0] if is_foreign(submissions[0]) else "cs50")


def _write(made: Class, grades: list[Grade], report: ReportOptions) -> None:
    import sys

    from sapper.cli.files import write_bytes
    from sapper.experiments.grading.results import write_csv

    written = []
    if report.html is not None:
        written += _write_pages(made, grades, report.html)
    if report.csv is not None:
        write_bytes(report.csv, write_csv(grades).encode())
        written.append(report.csv)
    if report.results is not None:
        write_bytes(report.results, json.dumps(_gradescope(grades[0]), indent=1).encode())
        written.append(report.results)
    if report.as_json:
        print(json.dumps({"submissions": [one.as_plain_values() for one in grades]}))
    elif "-" not in (report.html, report.csv, report.results):
        _print(grades)
    for name in written:
        if name != "-":
            print(f"Written to {name}.", file=sys.stderr)


def _write_pages(made: Class, grades: list[Grade], name: str) -> list[str]:
    """Write the page of one submission, or that of a class and a folder of the others beside it."""
    from urllib.parse import quote

    from sapper.cli.files import write_bytes
    from sapper.experiments.grading.page import draw_class, draw_student

    if len(grades) == 1:
        write_bytes(name, draw_student(made, grades[0]).encode())
        return [name]
    folder = Path(name).with_suffix("")
    folder = folder.with_name(f"{folder.name}-submissions")
    folder.mkdir(exist_ok=True)
    pages = {}
    for one in grades:
        page = folder / f"{one.submission.name}.html"
        write_bytes(str(page), draw_student(made, one).encode())
        pages[one.submission.name] = quote(f"{folder.name}/{page.name}")
    write_bytes(name, draw_class(made, grades, pages).encode())
    return [name, f"{folder}/"]


def _print(grades: list[Grade]) -> None:
    """Print a table of a class, or the findings about one submission."""
    from sapper.experiments.grading.judge import LEVELS
    from sapper.experiments.grading.words import ABOUT, describe
    from sapper.experiments.results import Column, write_table

    def share(value: float | None) -> str:
        return (
            "-" if value is None else f"{value:.0%}" if value in (0.0, 1.0) or 0.005 < value < 0.995 else f"{value:.1%}"
        )

    ordered = sorted(grades, key=lambda one: (-one.total, one.submission.name))
    first = [one.first_to_mend or "" for one in ordered]
    names = ("runs", "sound", *LEVELS, "wins", "score")
    columns = [
        Column("submission", 12, [one.submission.name for one in ordered]),
        Column("points", 8, [f"{one.total:.1f}" for one in ordered], ">"),
        *(Column(name, 7, [share(one.shares[name]) for one in ordered], ">") for name in names),
        Column("first to mend", 0, [ABOUT[kind][0] if kind else "" for kind in first]),
    ]
    print(write_table(columns))
    for one in ordered:
        if one.submission.missing:
            print(f"{one.submission.name} could not be run: {one.submission.missing}")
    if len(grades) > 1:
        return
    for example in grades[0].submission.examples.values():
        found = describe(grades[0].submission, example)
        print(f"\n{found.what} ({found.often}).")
        if found.observation is not None:
            print(found.observation.pretty())
        for line in (found.shown, *found.proof):
            if line:
                print(f"  {line}")
        if found.layout is not None:
            print(f"  {found.layout}")
        print(f"  {found.advice}\n  {found.command}")


def _gradescope(one: Grade) -> dict[str, object]:
    """Return what Gradescope reads: the score, and a test for each criterion and each fault."""
    from sapper.experiments.grading.rubric import CRITERIA
    from sapper.experiments.grading.words import as_theirs, describe

    tests: list[dict[str, object]] = []
    for name, points in one.points.items():
        share = one.shares[name]
        output = "Nothing of the kind came up." if share is None else f"{100 * share:.1f}%"
        tests.append({
            "name": CRITERIA[name], "score": round(points, 2), "output": output,
            "max_score": one.maxima[name], "visibility": "visible",
        })  # fmt: skip
    for example in one.submission.examples.values():
        found = describe(as_theirs(one.submission), example)
        board = [] if found.observation is None else [found.observation.pretty()]
        lines = [found.often, *board, found.shown, *found.proof, found.advice, found.command]
        tests.append({"name": found.what, "status": "failed", "output": "\n".join(line for line in lines if line)})
    output = one.submission.missing or "Each fault comes with the smallest position found that shows it."
    return {"score": round(one.total, 2), "output": output, "visibility": "visible", "tests": tests}


def _judge(listed: list[tuple[str, str]], rubric: Rubric, position: str, as_json: bool) -> None:
    """Judge one decision and print what is wrong with it."""
    from sapper.errors import InputError
    from sapper.experiments.grading.judge import Example
    from sapper.experiments.grading.run import Submission
    from sapper.experiments.grading.shrink import judge_position
    from sapper.experiments.grading.words import describe
    from sapper.inference.posterior.exact import mine_probabilities
    from sapper.observation import Observation
    from sapper.rules import Rules

    if len(listed) > 1:
        raise InputError("--position judges one submission.")
    text, word, opened = position.partition(" opened ")
    observation = Observation.parse(text)
    mine_probabilities(observation)  # that some layout fits
    order = _read_order(opened, observation) if word else ()
    mines = observation.total if observation.total is not None else round(0.2 * observation.topology.n_cells)
    rules = Rules.on(
        observation.topology, mines, first_click="any", cascade=False, total_known=observation.total is not None
    )
    name, agent = listed[0]
    verdict = judge_position(agent, observation, rules, rubric.seed, rubric.limits, order)
    one = Submission(name, agent)
    findings = [
        describe(one, Example(kind, str(rules), rubric.seed, text, "", cell, detail, order=order, is_whole=False))
        for kind, (cell, detail) in verdict.faults.items()
    ]
    if as_json:
        told = {kind: {"cell": cell, "detail": detail} for kind, (cell, detail) in verdict.faults.items()}
        mines_claimed, safe = verdict.claims
        print(json.dumps({"opens": verdict.opened, "mines": mines_claimed, "safe": safe, "faults": told}))
        return
    print(observation.pretty())
    for kind, cells in (("mines", verdict.claims[0]), ("safe", verdict.claims[1])):
        hidden = [str(cell) for cell in cells if observation.closed[cell]]
        if hidden:
            print(f"It claims {kind}: {', '.join(hidden)}.")
    if verdict.opened is not None:
        print(f"It opens {verdict.opened}.")
    for found in findings:
        print(f"\n{found.what}.")
        for line in (found.shown, *found.proof):
            if line:
                print(f"  {line}")
        if found.layout is not None:
            print(f"  {found.layout}")
    if verdict.output.strip():
        print(f"\nIt printed:\n{verdict.output.rstrip()}")
    if not findings:
        print("Nothing is wrong with that.")


def _read_order(opened: str, observation: Observation) -> tuple[tuple[int, int], ...]:
    import re

    from sapper.errors import InputError

    if re.fullmatch(r"\s*(\d{1,6},\d{1,6}\s*)+", opened, re.ASCII) is None:
        raise InputError(f"After opened come cells such as 0,1 2,0, not {opened[:40]!r}.")
    cells = tuple((int(row), int(col)) for row, col in (word.split(",") for word in opened.split()))
    are_open = {(row, col) for row in range(observation.rows) for col in range(observation.cols)}
    are_open = {cell for cell in are_open if not observation.closed[cell]}
    if len(cells) != len(are_open) or {*cells} != are_open:
        raise InputError("After opened, every open cell of the position must come once.")
    return cells
