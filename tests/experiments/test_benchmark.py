"""The questions for readers of text: fixed, scored exactly, and put to programs good and bad."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from command import complaint, run

from sapper.experiments.dataset.benchmark import (
    KINDS,
    PER_KIND,
    Question,
    choose_questions,
    questions,
    read_as,
    run_benchmark,
)
from sapper.experiments.dataset.program import TextPlayer
from sapper.inference.evaluation.endgame import solve_position
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.kernels.codes import MINE
from sapper.observation import Observation

# A program that knows the answers to two kinds, ends at a third and never stops thinking about nothing.
READER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["kind"] == "guess":
        sys.exit()
    if asked["kind"] == "count":
        print(json.dumps({"answer": "I think:\\n0"}), flush=True)
    elif asked["kind"] == "safe":
        print(asked["question"].split("Hidden: ")[1].split("), ")[0] + ")", flush=True)
    else:
        print("no idea", flush=True)
"""


def ask(kind: str, text: str, answer: str, cell: tuple[int, int] | None = None) -> float | None:
    return Question(kind, Observation.parse(text), cell).score(answer)  # type: ignore[arg-type]


def test_answers_are_scored_exactly() -> None:
    assert ask("safe", "01#/02#/02# 2", "open (0, 2)") == 1.0
    assert ask("safe", "01#/02#/02# 2", "open (1, 2)") == 0.0
    assert ask("safe", "01#/02#/02# 2", "open (0, 0)") is None
    assert ask("count", "01#/02#/02# 2", "Well, 7 cells.\nSo: 2") == 1.0
    proof = ("###/121", (0, 1))
    assert ask("explain", proof[0], "(1, 0), (1, 1)", (0, 0)) is not None
    found = explain(Observation.parse("01#/02#/02# 2"), 0, 2)
    enough = ", ".join(map(str, found.clues))
    assert ask("explain", "01#/02#/02# 2", enough, (0, 2)) == 1.0
    assert ask("explain", "01#/02#/02# 2", "(0, 0)", (0, 2)) == 0.0
    everything = ", ".join(f"({row}, {col})" for row in range(3) for col in range(2))
    assert ask("explain", "01#/02#/02# 2", everything, (0, 2)) == pytest.approx(len(found.clues) / 6)
    assert ask("explain", "01#/02#/02# 2", "I cannot say.", (0, 2)) is None


@pytest.mark.slow
def test_guesses_are_worth_their_share_of_the_best_win_chance() -> None:
    for question in [one for one in questions() if one.kind == "guess"][::5]:
        optimum = solve_position(question.position)
        for cell in np.argwhere(question.position.closed).tolist():
            worth = question.score(f"open ({cell[0]}, {cell[1]})")
            wins = optimum.by_cell.get((cell[0], cell[1]), 0)
            assert worth is not None
            if worth == 1.0:
                assert wins == optimum.wins
            else:
                assert worth <= wins / optimum.wins + 1e-9 or wins == 0


@pytest.mark.long
def test_the_questions_are_those_of_the_file() -> None:
    assert sorted(map(str, questions())) == sorted(map(str, choose_questions()))


@pytest.mark.slow
def test_the_engine_answers_every_question() -> None:
    asked = questions()
    assert Counter(one.kind for one in asked) == dict.fromkeys(KINDS, PER_KIND)
    for question in [one for one in asked if one.kind == "explain"][::8]:
        assert question.cell is not None
        verdict = mine_probabilities(question.position).verdicts[question.cell]
        assert f"{question.cell} is certainly {'a mine' if verdict == MINE else 'safe'}" in question.text("grid")
        proof = explain(question.position, *question.cell)
        assert question.score(", ".join(map(str, proof.clues))) == 1.0
    scores = {}
    for name in ("basic", "master"):
        scores[name] = {one.kind: one.score for one in run_benchmark(read_as(name), "grid", asked)}
    assert scores["master"]["safe"] == scores["master"]["guess"] == scores["master"]["count"] == 1.0
    assert scores["basic"]["all"] < scores["master"]["all"]


@pytest.mark.slow
def test_a_program_answers_by_lines(tmp_path: Path) -> None:
    (tmp_path / "reader.py").write_text(READER, encoding="utf-8")
    command = f"{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'reader.py'))}"
    by_kind = {kind: [one for one in questions() if one.kind == kind][:2] for kind in KINDS}
    asked = [by_kind[kind][number] for number in range(2) for kind in KINDS]
    with TextPlayer(command) as program:
        results = {one.kind: one for one in run_benchmark(program.read, asked=asked)}
    assert [results[kind].answered for kind in KINDS] == [1.0, 0.0, 1.0, 0.0]
    assert results["all"].n == 8
    with TextPlayer(f"{shlex.quote(sys.executable)} -c 'import time; time.sleep(60)'", seconds=0.1) as silent:
        assert silent.read(asked[0], "?") is None
    assert "3 times in a row" in complaint("benchmark-text", "--agent", f"program:{shlex.quote(sys.executable)} -c ''")


def test_the_command_prints_a_table_and_refuses_nonsense() -> None:
    done = run("benchmark-text", "--agent", "random")
    assert [line.split()[0] for line in done.stdout.split("\n")[:-1]] == ["questions", *KINDS, "all"]
    found = json.loads(run("benchmark-text", "--agent", "random", "--json").stdout)
    assert found["results"][-1]["n"] == 300
    assert "There is no style 'prose'" in complaint("benchmark-text", "--style", "prose")
    assert "cannot be started" in complaint("benchmark-text", "--agent", "program:/no/such/reader")
    assert "is empty" in complaint("benchmark-text", "--agent", "program:")
