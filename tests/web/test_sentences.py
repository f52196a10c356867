"""A translation can have everything that the server says: it consists of the patterns that are listed."""

from __future__ import annotations

import json
import runpy
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sapper.agents.registry import AGENTS, make_agent
from sapper.errors import SapperError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.inference.proofs.sentences import summarise
from sapper.play.match import steps
from sapper.play.record import Record
from sapper.play.review.review import review_record
from sapper.play.review.sentences import ReviewReport
from sapper.play.review.wins import appraise
from sapper.rules import Rules
from sapper.train.kinds import KINDS
from sapper.train.making import puzzle
from sapper.world.game import Game, Outcome

ROOT = Path(__file__).parents[2]
patterns: Callable[[], list[str]] = runpy.run_path(str(ROOT / "scripts" / "sentences.py"))["sentences"]
find_npm: Callable[[], list[str] | None] = runpy.run_path(str(ROOT / "scripts" / "page.py"))["find_npm"]
BOARDS = (
    "6x6/6",
    "6x6/9 torus",
    "6x6/6 hex",
    "6x6/8 withheld:0.2",
    "6x6/8 optimistic:0.3",
    "6x6/8 liar",
    "5x5/5 knight",
)
# What is left of sentences in a language made from the patterns.
SCRIPT = """
import { phrasebook } from "./src/sapper/web/static/words/phrases.js";
import { stretched } from "./tests/page/pseudo.js";
let text = "";
for await (const part of process.stdin) text += part;
const { patterns, said } = JSON.parse(text);
const book = phrasebook(stretched(patterns));
console.log(JSON.stringify(said.filter((one) => /[A-Za-z]{2,}/.test(book(one)))));
"""


@pytest.mark.slow
def test_strings_are_patterns_and_docstrings_are_not() -> None:
    listed = patterns()
    assert {"{1} touches no mine", "nothing was safe anywhere", "{1}, {2}"} <= {*listed}
    assert not any("Explanations in words" in one for one in listed)


def said() -> Iterator[str]:
    """Yield sentences of every kind."""
    for text in BOARDS:
        yield from proofs(Game(Rules.parse(text), seed=2))
    for agent in AGENTS:
        game = Game(Rules.parse("6x6/6"), seed=3)
        for step in steps(game, make_agent(agent, 3)):
            yield step.decision.reason
            yield from (found.reason for found in step.decision.deductions)
    for kind in KINDS:
        one = puzzle(kind, 1)
        yield from (one.answer, one.reason, *one.explanation)
    cells = "".join(f"open {cell}\n" for cell in ("0,0", "8,8", "0,8", "8,0", "4,4", "3,3"))
    rules = "Rules: 9x9/14 first-opening survey"
    record = Record.parse(f"Sapper-Record: 1\n{rules}\nSeed: 1\nMoves:\n{cells}")
    report = ReviewReport(appraise(review_record(record), n_games=10))
    yield from report.summary
    for number in range(len(report.review.moves)):
        yield from report.describe_move(number)[1:]
    for text in ("9x9", "9x9/99"):
        with pytest.raises(SapperError) as refused:
            Rules.parse(text)
        yield str(refused.value)


def proofs(game: Game) -> Iterator[str]:
    while game.outcome is Outcome.PLAYING:
        posterior = mine_probabilities(game.observation)
        for cell in (*posterior.safe[:2], *posterior.mines[:2], *posterior.safest[:1]):
            found = explain(game.observation, *cell)
            yield from (*summarise(found), *(step.sentence for step in found.steps))
        game.open(*posterior.safest[0])


@pytest.mark.slow
def test_everything_that_is_said_consists_of_patterns() -> None:
    npm = find_npm()
    if npm is None:
        pytest.skip("there is no Node.js")
    given = json.dumps({"patterns": patterns(), "said": sorted(set(said()))})
    command = [npm[0], "--input-type=module", "--eval", SCRIPT]
    left = subprocess.run(command, input=given, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert left.stderr == ""
    assert json.loads(left.stdout) == [], "\n".join(json.loads(left.stdout))
