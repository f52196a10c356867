"""Ways to train in the terminal, and what is kept of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import Call

from sapper.cli.commands.train import chart, describe_progress
from sapper.cli.errors import Status
from sapper.cli.puzzle_source import ByRating, InRound, TrainingPlan
from sapper.train import Attempt, Learner, Puzzle, learn, next_puzzle, puzzle, read_board, read_link
from sapper.train.history import History, HistoryFile

DAY = 86_400


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Where the command keeps answers in the tests here."""
    return tmp_path / "data" / "sapper" / "training.sqlite"


def stored(kept: Path) -> list[Attempt]:
    return History(HistoryFile(kept)).attempts()


def right(made: Puzzle) -> str:
    return str(made.number) if made.number is not None else "{} {}".format(*made.solution[0])


def attempt(score: float = 1.0, at: float = 1000.0, seed: int = 1) -> Attempt:
    return Attempt("pairs", "9x9/10", seed, 1325, score, 10.0, at)


# -- what is kept ---------------------------------------------------------------------------------------------


def test_every_answer_is_kept_as_it_is_given(call: Call, kept: Path) -> None:
    made = puzzle("subsets", 5)
    status, _, complaint = call(
        "train", "--seed", "5", "--kind", "subsets", "--count", "3", stdin=f"{right(made)}\nskip\nwhy\n"
    )
    assert (status, complaint) == (0, "")
    first, second = stored(kept)
    assert (first.name, first.score, first.way) == (Attempt.of(made, 1, seconds=0, at=0).name, 1, "free")
    assert second.score == 0
    assert first.at <= second.at


def test_a_hint_counts_half(call: Call, kept: Path) -> None:
    made = puzzle("subsets", 5)
    call("train", "--seed", "5", "--kind", "subsets", "--count", "1", stdin=f"hint\n{right(made)}\n")
    assert [one.score for one in stored(kept)] == [0.5]


def test_a_session_goes_on_where_nothing_can_be_kept(call: Call, kept: Path) -> None:
    kept.parent.parent.mkdir()
    kept.parent.write_text("a file where the folder should be")
    status, said, complaint = call("train", "--seed", "5", "--count", "3", stdin="why\nwhy\nwhy\n")
    assert (status, complaint) == (0, "")
    assert said.count("Your answers cannot be stored.") == 1
    assert "0 of 3 right" in said


# -- ways -----------------------------------------------------------------------------------------------------


def test_a_rated_session_moves_the_rating(call: Call, kept: Path) -> None:
    first = next_puzzle(Learner(), 0, board=read_board("beginner"), seed=6)
    status, said, _ = call("train", "--mode", "rated", "--seed", "5", "--count", "2", stdin=f"{right(first)}\nlink\n")
    assert status == 0
    assert re.search(r"\nYour rating so far is 1\d\d\d ± \d+, provisional\.\n\nPuzzle 2 of 2: ", said)
    assert re.search(r"\nRating 1\d\d\d ± \d+, \+\d+ in this session\.\n$", said)
    (only,) = stored(kept)
    assert (only.way, only.began, only.is_right) == ("rated", 0, True)
    shown = re.search(r"> link\n(\S+)\n", said)
    assert shown is not None
    assert read_link(shown[1]).link == shown[1]


def test_mistakes_come_back_first_and_leave_the_rating_alone(kept: Path) -> None:
    now = 10.0 * DAY
    history = History(HistoryFile(kept))
    history.add(attempt(0.0, now - 2 * DAY, seed=7))
    source = ByRating(TrainingPlan(history, read_board("beginner"), (), 1, lambda: now), 1)
    made = source.next()
    assert made is not None
    assert made.link == "pairs.9x9.10.7"
    done = Attempt.of(made, 1, seconds=1, at=now)
    said = source.note(done, history.record(done), is_right=True, was_helped=False)
    assert said == "You have seen this puzzle before, so your rating stays. It comes back in 7 days."
    assert source.next() is None


def test_survival_ends_with_the_third_mistake(call: Call, kept: Path) -> None:
    status, said, _ = call("train", "--mode", "survival", "--seed", "5", stdin="why\n" * 5)
    assert status == 0
    assert re.findall(r"(Puzzle .*) left", said) == ["Puzzle 1, 3 lives", "Puzzle 2, 2 lives", "Puzzle 3, 1 life"]
    assert "Puzzle 4" not in said
    assert said.endswith("Survival: 0 right answers.\n")
    done = stored(kept)
    assert len({one.began for one in done}) == 1
    assert learn(done).overall.points == []


def test_a_sprint_ends_when_time_is_up(kept: Path) -> None:
    now, history = [1000.0], History(HistoryFile(kept))
    source = InRound(TrainingPlan(history, read_board("beginner"), (), 1, lambda: now[0]), "sprint")
    too_late = "Time is up; this answer came too late to count."
    for left, later, said in (("180 seconds", 100, ""), ("80 seconds", 79, ""), ("1 second", 2, too_late)):
        made = source.next()
        assert made is not None
        assert source.title(1) == f"Puzzle 1, {left} left"
        now[0] += later
        done = Attempt.of(made, 1, seconds=1, at=now[0], way="sprint", began=source.began)
        assert source.note(done, history.record(done), is_right=True, was_helped=False) == said
    assert source.next() is None
    assert list(source.farewell()) == ["Sprint: 2 right answers."]


def test_a_better_round_is_praised(kept: Path) -> None:
    history = History(HistoryFile(kept))
    said: list[str] = []
    for began, n_right in ((100.0, 1), (1000.0, 2), (2000.0, 0)):
        source = InRound(TrainingPlan(history, read_board("beginner"), (), 1, iter([began]).__next__), "survival")
        for seed in range(n_right):
            done = Attempt("single", "9x9/10", round(began) + seed, 600, 1.0, 1.0, began, "survival", began)
            source.note(done, history.record(done), is_right=True, was_helped=False)
        said += source.farewell()
    assert said == [
        "Survival: 1 right answer.",
        "Survival: 2 right answers, a new best. Your previous best was 1.",
        "Survival: 0 right answers. Your best is 2.",
    ]


def test_one_puzzle_that_somebody_sent(call: Call, kept: Path) -> None:
    status, said, _ = call("train", "--link", "subsets.____-1221", stdin="0 0\n")
    assert status == 0
    assert "Your puzzle: subsets (" in said
    assert "Right. (0, 0) is certainly safe." in said
    assert str(stored(kept)[0].name) == "subsets.____-1221"
    status, said, _ = call("train", "--link", "pairs.9x9.10.7", "--json")
    assert json.loads(said)["link"] == "pairs.9x9.10.7"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--mode", "walk"), "There is no training mode 'walk'; choose from rated, sprint, survival."),
        (("--mode", "free"), "There is no training mode 'free'"),
        (("--mode", "rated", "--json"), "--mode asks for answers, so it cannot be used with"),
        (("--link", "nonsense"), "'nonsense' is not a link to a puzzle; one looks like pairs.9x9.10.7."),
    ],
)  # fmt: skip
def test_wrong_wishes_are_one_sentence(options: tuple[str, ...], sentence: str, call: Call) -> None:
    status, _, complaint = call("train", *options)
    assert status == Status.WRONG
    assert sentence in complaint
    assert complaint.count("\n") == 1


# -- progress -------------------------------------------------------------------------------------------------


def test_progress_of_nothing(call: Call) -> None:
    assert call("train", "--progress") == (
        0,
        "You have not answered any puzzles yet. Start with: sapper train --mode rated\n",
        "",
    )
    status, said, _ = call("train", "--progress", "--json")
    assert status == 0
    assert json.loads(said)["overall"]["attempts"] == 0


def test_progress_shows_everything(call: Call, kept: Path) -> None:
    history = History(HistoryFile(kept))
    for number in range(30):
        history.add(Attempt("single", "9x9/10", number, 620, 1.0, 4.0, 1000 + number))
        history.add(Attempt("pairs", "9x9/10", number, 1325, float(number % 3 == 0), 20.0, 1000.5 + number))
    status, said, _ = call("train", "--progress")
    assert status == 0
    assert re.search(r"^Rating \d+ ± \d+, provisional, after 60 rated puzzles\.\n", said)
    assert "\n60 answers, accuracy 67%, 12.0 seconds each" in said
    assert "Streaks: 0 right answers (best 3), 0 days (best 1)." in said
    assert re.search(r"\nsingle +\d+ ± \d+ +30 +100% +4\.0\npairs +\d+ ± \d+ +30 +33% +20\.0\n", said)
    assert re.search(r"Your weakest kind is pairs: you score 33%, and your rating predicts \d\d%\.", said)
    assert "\nPractise it with: sapper train --mode rated --kind pairs\n" in said
    assert "20 puzzles are due for repetition." in said
    assert f"Your answers are in {kept}." in said
    status, listed, _ = call("train", "--progress", "--json")
    told = json.loads(listed)
    assert told["weakest"]["kind"] == "pairs"
    assert len(told["repetition"]["due"]) == 20
    assert len(told["progress"]["overall"]) == 60


def test_unreadable_lines_are_mentioned(call: Call, kept: Path) -> None:
    History(HistoryFile(kept)).add(attempt())
    assert call("train", "--progress")[1].endswith(f"Your answers are in {kept}.\n")
    kept.unlink()
    kept.with_suffix(".jsonl").write_text("{")
    assert call("train", "--progress")[1].endswith("1 line of the old answer file could not be read.\n")


def test_what_is_learned_and_what_waits_is_said() -> None:
    done = [attempt(0.0)] + [attempt(1.0, 1000 + days * DAY) for days in (1, 8, 38)]
    said = "\n".join(describe_progress(learn([*done, attempt(0.0, 1000 + 38 * DAY, seed=2)]), 1000 + 38 * DAY))
    assert "1 puzzle learned." in said
    assert "1 puzzle is due later." in said


def test_a_chart_is_as_wide_as_it_may_be_and_never_falls_where_values_rise() -> None:
    rows = list(chart(range(500), width=40, height=4))
    assert {len(row.partition("│")[2]) for row in rows} == {40}
    heights = [sum(" ▁▂▃▄▅▆▇█".index(row.partition("│")[2][col]) for row in rows) for col in range(40)]
    assert heights == sorted(heights)
    assert (heights[0], heights[-1]) == (1, 32)
    assert list(chart([1000.0], height=2)) == ["1050 │▁", " 950 │█"]


# -- forgetting -----------------------------------------------------------------------------------------------


def test_answers_are_deleted_only_on_request_and_after_a_question(call: Call, kept: Path) -> None:
    assert call("train", "--forget")[1] == "There is nothing to delete.\n"
    History(HistoryFile(kept)).add(attempt())
    for answer in ("", "n\n", "\n", "perhaps\n"):
        status, said, _ = call("train", "--forget", stdin=answer)
        assert status == 0
        assert said == f"Delete 1 answer in {kept}, and your ratings with them? [y/N] Nothing was deleted.\n"
    assert kept.exists()
    assert call("train", "--forget", stdin="y\n")[1].endswith("Deleted 1 answer.\n")
    assert not kept.exists()
