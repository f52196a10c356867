"""``sapper benchmark-text``: 300 questions for a reader of text, scored exactly."""

from __future__ import annotations

import json

import typer


def benchmark_text(
    agent: str = typer.Option("exact", help="Any agent, or program:COMMAND that chose words and reads the questions."),
    style: str = typer.Option("coordinates", metavar="STYLE", help="grid, coordinates or statements."),
    as_json: bool = typer.Option(False, "--json", help="Print the results as JSON."),
) -> None:
    """Ask a reader of text 300 questions about positions: a safe cell, the best guess, a count, a proof.

    Answers are scored exactly, from 0 to 1: a guess by its win chance as a share of the best, a proof by how few clues
    it names. A program that chose words (sapper agents --protocol) reads the questions; any other agent sees the
    positions and answers by its decisions and deductions.

    Example: sapper benchmark-text --agent statements

    Example: sapper benchmark-text --agent program:'python3 reader.py'
    """
    from sapper.cli.terminal import show_bar
    from sapper.experiments.dataset.benchmark import questions, read_as, run_benchmark

    read, asked = read_as(agent), questions()
    with show_bar("Questions", "questions") as watch:
        results = run_benchmark(read, style, asked, watch)  # type: ignore[arg-type]
    if as_json:
        print(json.dumps({"agent": agent, "style": style, "results": [one._asdict() for one in results]}))
        return
    print(f"{'questions':<10}{'n':>5}{'score':>9}{'answered':>10}")
    for one in results:
        print(f"{one.kind:<10}{one.n:>5}{one.score:>8.1%}{one.answered:>10.1%}")
