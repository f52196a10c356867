"""What is called a mistake, and that no figure says otherwise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sapper.inference.forced import Judgement
from sapper.observation import Observation
from sapper.play.dealt import DealtGuess
from sapper.play.record import Record
from sapper.play.review.review import review_record
from sapper.play.review.sentences import ReviewReport
from sapper.play.review.verdict import FAIR, Evidence, Verdict, judge
from sapper.play.review.wins import appraise, estimate_wins
from sapper.rules import Rules
from sapper.statistics import Interval

FILES = Path(__file__).parents[3] / "src" / "sapper" / "web" / "static" / "modes" / "review" / "files.js"

# Move 31 risks 33.3 % while (0, 3) is safe; but that risk has to be taken in any case, and (0, 3) tells nothing of it.
SOONER_OR_LATER = """4,8 2,8 2,3 2,4 3,3 4,3 6,3 8,3 1,7 1,8 1,3 1,4 1,5 3,2 4,2 5,2 6,2 7,2 8,2 0,7 0,8 2,1 3,1 4,1 5,1
    7,1 8,1 2,0 3,0 6,0 0,4 0,3 0,6 1,0"""


CELL = ((0, 0),)
COST, NO_COST = Interval(0.1, 0.05, 0.2), Interval(-0.1, -0.2, 0.0)
GUESS = {kind: (DealtGuess((0, 0), 0.5, Judgement(kind), True),) for kind in ("unforced", "too-hard", "nothing-safe")}


@pytest.mark.parametrize(
    ("evidence", "verdict"),
    [
        (Evidence(), "safe"),
        (Evidence(opened=CELL, p_mine=0.0, is_certain=True), "safe"),
        (Evidence(opened=CELL, p_mine=1.0, is_certain=True, hit=True), "mistake"),
        (Evidence(opened=CELL), "unknown"),
        (Evidence(opened=CELL, p_mine=0.2), "forced guess"),
        (Evidence(opened=CELL, p_mine=0.2, hit=True), "unlucky"),
        (Evidence(opened=CELL, p_mine=0.2, wins_lost=COST), "mistake"),
        (Evidence(opened=CELL, p_mine=0.2, extra_risk=FAIR), "fair guess"),
        (Evidence(opened=CELL, p_mine=0.2, extra_risk=0.1), "extra risk"),
        (Evidence(opened=CELL, p_mine=0.2, extra_risk=0.1, wins_lost=NO_COST), "fair guess"),
        (Evidence(opened=CELL, p_mine=0.2, extra_risk=0.1, wins_lost=NO_COST, hit=True), "unlucky"),
        (Evidence(opened=CELL, p_mine=0.01, extra_risk=0.01, any_safe=True), "extra risk"),
        (Evidence(flagged=True, p_mine=1.0, is_certain=True), "safe"),
        (Evidence(flagged=True, p_mine=0.0, is_certain=True), "mistake"),
        (Evidence(flagged=True, p_mine=0.9), "fair guess"),
        (Evidence(flagged=True), "unknown"),
        (Evidence(opened=CELL, p_mine=0.5, dealing="fair", guesses=GUESS["unforced"]), "mistake"),
        (Evidence(opened=CELL, p_mine=0.5, dealing="kind", guesses=GUESS["unforced"]), "extra risk"),
        (Evidence(opened=CELL, p_mine=0.5, dealing="fair", guesses=GUESS["too-hard"]), "unknown"),
        (
            Evidence(opened=CELL, extra_risk=0.4, dealing="fair", guesses=GUESS["nothing-safe"]),
            "forced guess",
        ),
        (
            Evidence(opened=CELL, p_mine=1, extra_risk=1, dealing="cruel", guesses=GUESS["nothing-safe"]),
            "extra risk",
        ),
    ],
)
def test_the_verdict_follows_from_the_evidence(evidence: Evidence, verdict: Verdict) -> None:
    assert judge(evidence) == verdict


def record_of(seed: int, cells: str) -> Record:
    moves = "\n".join(f"open {cell}" for cell in cells.split())
    return Record.parse(f"Sapper-Record: 1\nRules: 9x9/14 first-opening\nSeed: {seed}\nMoves:\n{moves}\n")


def told(record: Record, n_games: int) -> ReviewReport:
    return ReviewReport(appraise(review_record(record), n_games=n_games))


def test_a_risk_that_costs_nothing_is_no_mistake() -> None:
    record = record_of(106, SOONER_OR_LATER)
    without, found = told(record, 0), told(record, 200)
    assert without.review.moves[30].verdict == "extra risk"
    assert found.review.moves[30].verdict == "fair guess"
    assert found.review.mistakes == without.review.mistakes == ()
    assert found.describe_move(30) == [
        "Open (0, 4): fair guess.",
        "It took a risk of 33.3% while (0, 3) was safe.",
        "Win chance 8.3% with (0, 3), 8.3% after this: no win chance lost.",
    ]


def test_the_example_of_the_page_shows_the_loss_that_makes_its_mistake() -> None:
    text = FILES.read_text(encoding="utf-8")
    cells, seed = re.search(r"const CELLS =([^;]*);", text), re.search(r"Seed: (\d+)", text)
    assert cells is not None
    assert seed is not None
    record = record_of(int(seed[1]), "".join(re.findall(r'"([^"]*)"', cells[1])))
    assert told(record, 0).counts == "30 moves: 27 safe, 1 forced guess, 1 extra risk, 1 unlucky."
    found = told(record, 200)
    assert found.counts == "30 moves: 27 safe, 1 forced guess, 1 unlucky, 1 mistake."
    (number,) = found.review.mistakes
    assert found.figures(number) == ("25.0%", "0%", "85.7%", "17.9%")
    assert found.describe_move(number)[-1] == "Win chance 85.7% with (2, 8), 67.9% after this: win chance lost 17.9%."


def test_a_guess_of_least_risk_may_give_wins_away() -> None:
    # One clue at the edge: the cells beyond it are equally risky, but a corner opens up more than (4, 2).
    text = "Sapper-Record: 1\nRules: 8x8/12\nSeed: 6\nMoves:\nopen 0,5\nopen 4,2\n"
    record = Record.parse(text)
    assert told(record, 0).review.moves[1].verdict == "forced guess"
    found = told(record, 1000)
    winning = found.appraisal.moves[1]
    assert winning is not None
    assert winning.lost.low > 0
    assert found.review.moves[1].verdict == "mistake"
    assert found.review.moves[1].extra_risk == 0.0
    assert found.instead(1) == (winning.choice,)
    assert found.figures(1).lost in found.describe_move(1)[-1]


@pytest.mark.parametrize("n_games", [5, 1000])
def test_a_certain_mine_loses_exactly_what_the_position_was_worth(n_games: int) -> None:
    # The 1 in the corner has one hidden neighbour left.
    position = Observation.parse("1#######/11######/######## 4")
    found = estimate_wins(Rules.parse("3x8/4"), position, [(0, 1)], n_games=n_games)
    assert found.exact == (n_games == 1000)
    assert found.played == (0.0, 0.0, 0.0)
    assert found.lost == found.best
    assert found.lost.value > 0


def test_certainties_are_said_as_certainties() -> None:
    record = Record.parse("Sapper-Record: 1\nRules: 1x3/1\nSeed: 0\nLayout: -*-\nMoves:\nopen 0,0\nopen 0,1\n")
    for n_games in (0, 10):
        found = told(record, n_games)
        assert found.review.mistakes == (1,)
        assert found.figures(1)[:2] == ("100%", "0%")
        assert not re.search(r"[<>]", " ".join([*found.summary, *found.describe_move(1), *found.figures(1)]))
    assert found.figures(1).lost == "100%"


def test_more_games_never_take_a_certain_mistake_back() -> None:
    text = "Sapper-Record: 1\nRules: 1x4/1\nSeed: 0\nLayout: -*--\nMoves:\nopen 0,0\nflag 0,2\nflag 0,2\nopen 0,1\n"
    for n_games in (0, 1, 100):
        found = told(Record.parse(text), n_games)
        assert [one.verdict for one in found.review.moves] == ["safe", "mistake", "safe", "mistake"]
        assert found.describe_move(1)[1] == "It flagged a safe cell."
        assert found.describe_move(2)[1] == "It removed a flag."
