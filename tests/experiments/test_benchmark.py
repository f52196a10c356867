"""The questions for readers of text: fixed, scored exactly, and put to programs good and bad."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from command import SAPPER, complaint, run

from sapper.agents.registry import make_agent
from sapper.errors import InputError
from sapper.experiments.dataset.benchmark import (
    KINDS,
    PER_KIND,
    Question,
    choose_questions,
    questions,
    read_as,
    run_benchmark,
)
from sapper.inference.evaluation.endgame import solve_position
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.kernels.codes import MINE
from sapper.observation import Observation
from sapper.play.match import play_match
from sapper.text import Style
from sapper.world.game import Game

READER = Path(__file__).parents[2] / "examples" / "players" / "reader.py"

# A program that knows one kind of answer, writes another kind wrong, gives a third up, and ends at the last.
TROUBLED = """
import json, sys
for line in sys.stdin:
    if line.startswith("sapper"):
        print("words", flush=True)
        continue
    asked = json.loads(line)
    answers = {"count": json.dumps({"answer": "I think:\\n0"}), "safe": "no idea", "explain": '{"error": "too hard"}'}
    if asked["kind"] == "guess":
        sys.exit()
    print(answers[asked["kind"]], flush=True)
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


def program(path: Path) -> str:
    return f"program:{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def of_each_kind(n: int) -> list[Question]:
    by_kind = [[one for one in questions() if one.kind == kind][:n] for kind in KINDS]
    return [asked for turn in zip(*by_kind, strict=True) for asked in turn]


@pytest.mark.slow
@pytest.mark.parametrize("style", ["grid", "coordinates"])
def test_a_program_in_words_reads_the_questions(style: Style) -> None:
    results = {one.kind: one for one in run_benchmark(read_as(program(READER)), style, of_each_kind(3))}
    assert [results[kind].answered for kind in KINDS] == [1.0] * 4
    assert results["safe"].score == results["count"].score == 1.0
    assert 0.0 < results["explain"].score < 1.0


@pytest.mark.slow
def test_a_program_in_words_plays_games_as_any_other() -> None:
    agent, game = make_agent(program(READER)), Game("5x5/4", seed=3)
    assert "Its mine probability is" in agent.decide(game.observation).reason
    assert play_match(game, agent).result.startswith("won after")


@pytest.mark.slow
def test_a_program_in_moves_answers_by_its_moves_and_claims() -> None:
    asked = of_each_kind(4)
    served = run_benchmark(read_as(f"program:{shlex.quote(str(SAPPER))} serve-agent exact"), asked=asked)
    ours = run_benchmark(read_as("exact"), asked=asked)
    assert [one.score for one in served[:3]] == [one.score for one in ours[:3]]  # a move names no clues


@pytest.mark.slow
def test_what_a_program_cannot_answer_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "reader.py").write_text(TROUBLED, encoding="utf-8")
    results = {one.kind: one for one in run_benchmark(read_as(program(tmp_path / "reader.py")), asked=of_each_kind(2))}
    assert [results[kind].answered for kind in KINDS] == [0.0, 0.0, 1.0, 0.0]
    assert results["all"].n == 8
    read = read_as(program(tmp_path / "reader.py"))
    guess = next(one for one in questions() if one.kind == "guess")
    assert [read(guess, "?") for _ in range(2)] == [None, None]
    with pytest.raises(InputError, match=r"failed 3 times in a row\. It ended its own process"):
        read(guess, "?")


def test_the_command_prints_a_table_and_refuses_nonsense() -> None:
    done = run("benchmark-text", "--agent", "random")
    assert [line.split()[0] for line in done.stdout.split("\n")[:-1]] == ["questions", *KINDS, "all"]
    found = json.loads(run("benchmark-text", "--agent", "random", "--json").stdout)
    assert found["results"][-1]["n"] == 300
    assert "There is no style 'prose'" in complaint("benchmark-text", "--style", "prose")
    assert "There is no program '/no/such/reader'" in complaint("benchmark-text", "--agent", "program:/no/such/reader")
    assert "instead of text, json or words" in complaint("benchmark-text", "--agent", "program:sh -c 'echo hello; cat'")
