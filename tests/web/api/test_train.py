"""Training: puzzles whose solutions stay on the server, answers that are kept, and what follows from them."""

from __future__ import annotations

import asyncio
import csv
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from in_process import visiting
from visitor import Server, Visitor

from sapper.train import KINDS, LEVELS, Attempt, Puzzle, check, read_link
from sapper.train.attempts import LIVES
from sapper.train.course import lessons
from sapper.train.learner import learn
from sapper.web.api import train
from sapper.web.http.responses import encode
from sapper.web.jobs.pool import JobResult
from sapper.web.jobs.training import PuzzleRequest
from sapper.web.services import Services
from sapper.web.settings import Settings

LINKS = [f"{kind}.9x9.10.5" for kind in KINDS]
HELD_BACK = {"solution", "number", "answer", "explanation", "reason", "chances", "proof"}


def right(puzzle: Puzzle) -> dict[str, int]:
    """An answer that is right."""
    if puzzle.number is not None:
        return {"number": puzzle.number}
    row, col = puzzle.solution[0]
    return {"row": row, "col": col}


def wrong(puzzle: Puzzle) -> dict[str, Any]:
    """An answer that is wrong: the first that is allowed."""
    if puzzle.number is not None:
        return {"number": puzzle.number + 1}
    board = puzzle.position.topology
    for cell in map(board.cell, range(board.n_cells)):
        symbol = puzzle.position.cells[cell]
        fits = symbol > 0 if puzzle.kind == "chain" else symbol == -1
        if fits and not check(puzzle, cell).is_right:
            return {"row": cell[0], "col": cell[1]}
    raise AssertionError("every answer is right")


def answer(visitor: Visitor, link: str, *, is_right: bool = True, **fields: Any) -> Any:
    puzzle = read_link(link)
    return visitor.post("/api/train/check", link=link, **(right(puzzle) if is_right else wrong(puzzle)), **fields)


@pytest.mark.parametrize("link", LINKS)
def test_a_puzzle_tells_its_task_and_holds_its_solution_back(visitor: Visitor, link: str) -> None:
    told = visitor.post("/api/train/puzzle", link=link)
    made = read_link(link)
    assert told["puzzle"] == {
        "link": link, "kind": made.kind, "board": made.rules, "seed": 5, "position": str(made.position),
        "task": made.task, "marked": [list(cell) for cell in made.marked], "difficulty": made.difficulty,
        "answer_with": told["puzzle"]["answer_with"],
        "proven": made.proof.verdict if made.kind == "chain" and made.proof else None,
    }  # fmt: skip
    assert not HELD_BACK & set(told["puzzle"])


@pytest.mark.parametrize("link", LINKS)
def test_answers_are_judged_as_the_library_does(visitor: Visitor, link: str) -> None:
    puzzle = read_link(link)
    good = answer(visitor, link)
    assert (good["right"], good["score"], good["counts"]) == (True, 1.0, True)
    assert good["solution"] == [list(cell) for cell in puzzle.solution]
    bad = answer(visitor, link, is_right=False)
    assert bad["right"] is False
    assert bad["counts"] is False, "the first answer to a puzzle counts, and no other"
    given = wrong(puzzle)
    expected = check(puzzle, given["number"] if "number" in given else (given["row"], given["col"]))
    assert bad["said"] == list(expected.said)
    assert bad["score"] == expected.score
    if expected.layouts is not None:
        cell = [given["row"], given["col"]]
        assert [cell in mines for mines in bad["layouts"]] == [True, False]
        for mines, layout in zip(bad["layouts"], expected.layouts, strict=True):
            assert mines == [list(one) for one in layout.mined_cells()]


def test_a_guess_is_weighed_against_the_best(visitor: Visitor) -> None:
    link = "guess.9x9.10.5"
    told = answer(visitor, link, is_right=False)
    guess, chances = told["guess"], dict(read_link(link).chances)
    assert told["score"] == 0  # far more than a tenth of the best chance is given away
    assert {tuple(one["cell"]): one["p_win"] for one in guess["cells"]} == chances
    row, col = guess["own"]["cell"]
    assert guess["own"]["risk"] == guess["chances"]["p"][row][col]


def test_who_gives_up_gets_the_solution_and_no_point(visitor: Visitor) -> None:
    told = visitor.post("/api/train/check", link=LINKS[1], give_up=True)
    made = read_link(LINKS[1])
    assert (told["right"], told["score"], told["said"]) == (False, 0.0, [])
    assert told["answer"] == made.answer
    assert told["proof"]["steps"][0]["sentence"] == made.proof.steps[0].sentence  # type: ignore[union-attr]


def test_a_hint_says_where_to_look_and_halves_the_answer(visitor: Visitor) -> None:
    link = LINKS[3]
    assert visitor.post("/api/train/hint", link=link) == {"hint": read_link(link).hint}
    answer(visitor, link, hinted=True)
    (kept,) = json.loads(visitor.ask("GET", "/api/you/export").body)["attempts"]
    assert kept["score"] == 0.5


def test_rating_streak_and_repetition_follow_from_the_answers(visitor: Visitor) -> None:
    told = visitor.get("/api/train")
    assert (told["overall"]["attempts"], told["weakest"], told["best"]["sprint"]) == (0, None, None)
    first = answer(visitor, LINKS[0], seconds=4.0)
    assert first["before"] == 1000.0
    assert first["rating"] > 1000.0
    second = answer(visitor, LINKS[2], is_right=False, seconds=8.0)
    assert second["before"] == first["rating"] > second["rating"]
    told = visitor.get("/api/train?utc_offset=-3600")
    assert told["overall"]["rating"] == pytest.approx(second["rating"])
    assert (told["overall"]["accuracy"], told["overall"]["mean_seconds"]) == (0.5, 6.0)
    assert told["streaks"] == {"right": 0, "most_right": 1, "days": 1, "most_days": 1}
    assert (told["repetition"]["due"], told["repetition"]["waiting"]) == ([], 1)
    exported = json.loads(visitor.ask("GET", "/api/you/export").body)["attempts"]
    learner = learn([Attempt.from_plain_values(one) for one in exported])
    assert learner.overall.rating.rating == pytest.approx(second["rating"])


def test_free_puzzles_move_no_rating(visitor: Visitor) -> None:
    told = answer(visitor, LINKS[1], way="free")
    assert (told["counts"], told["before"], told["rating"]) == (True, None, None)


def test_the_next_puzzle_is_new_and_of_the_kind_that_was_asked_for(visitor: Visitor) -> None:
    seen = set()
    for _ in range(4):
        told = visitor.post("/api/train/next", kind="pairs", board="6x6/6")
        link = told["puzzle"]["link"]
        assert link.startswith("pairs.6x6.6.")
        assert link not in seen
        assert (told["repetition"], told["round"]) == (False, None)
        seen.add(link)
        answer(visitor, link, kind="pairs", board="6x6/6")


def test_a_kind_that_a_board_does_not_have_is_left_out(server: Server) -> None:
    for _ in range(6):
        told = server.visitor().post("/api/train/next", way="sprint", board="8x8/14 orthogonal")
        assert told["puzzle"]["kind"] in LEVELS
        assert told["puzzle"]["kind"] != "one-two"


def test_the_same_puzzle_comes_until_it_is_answered(visitor: Visitor) -> None:
    assert visitor.post("/api/train/next") == visitor.post("/api/train/next")


def test_somebody_new_meets_only_levels(server: Server) -> None:
    kinds = {server.visitor().post("/api/train/next")["puzzle"]["kind"] for _ in range(12)}
    assert kinds <= set(LEVELS)


def test_rounds_on_other_boards_have_bests_of_their_own(visitor: Visitor) -> None:
    for board, n_right in (("9x9/10", 1), ("9x9/16 hex", 2)):
        began = None
        for _ in range(n_right):
            told = visitor.post("/api/train/next", way="survival", board=board, began=began)
            began = told["round"]["began"]
            answer(visitor, told["puzzle"]["link"], way="survival", began=began)
    told = visitor.get("/api/train")
    assert told["best_by_board"] == {"sprint": {}, "survival": {"9x9/10": 1, "9x9/16 hex": 2}}
    assert told["best"]["survival"]["right"] == 2


def test_a_sprint_counts_what_is_right(visitor: Visitor) -> None:
    begun = visitor.post("/api/train/next", way="sprint")
    began = begun["round"]["began"]
    assert begun["round"] == {
        "way": "sprint", "began": began, "right": 0, "wrong": 0, "lives": None, "over": False,
        "seconds_left": begun["round"]["seconds_left"],
    }  # fmt: skip
    assert 175 < begun["round"]["seconds_left"] <= 180
    link = begun["puzzle"]["link"]
    first = answer(visitor, link, way="sprint", began=began)
    assert (first["round"]["right"], first["before"]) == (1, None)
    link = visitor.post("/api/train/next", way="sprint", began=began)["puzzle"]["link"]
    assert answer(visitor, link, is_right=False, way="sprint", began=began)["round"]["wrong"] == 1
    # A reload finds the round as it stands.
    assert visitor.post("/api/train/puzzle", link=link, way="sprint", began=began)["round"]["right"] == 1
    assert visitor.get("/api/train")["best"]["sprint"]["right"] == 1


def test_survival_ends_with_the_last_life(visitor: Visitor) -> None:
    began = None
    for number in range(LIVES):
        told = visitor.post("/api/train/next", way="survival", began=began)
        began = told["round"]["began"]
        assert told["round"]["lives"] == LIVES - number
        told = answer(visitor, told["puzzle"]["link"], is_right=False, way="survival", began=began)
    assert (told["round"]["lives"], told["round"]["over"]) == (0, True)


def test_a_position_makes_a_puzzle_or_says_which_kind_would_fit(visitor: Visitor) -> None:
    made = visitor.post("/api/train/puzzle", position="0001#/11111/#####/##### 4", way="free")
    assert made["puzzle"]["link"] == "single.0001_-11111-_____-_____.4"
    told = answer(visitor, made["puzzle"]["link"], way="free")
    assert told["right"]
    # Nothing is certain, but one cell is better than the others.
    guess = visitor.post("/api/train/puzzle", position="1###/####/####/##2# 5")
    assert guess["puzzle"] is None or guess["puzzle"]["kind"] == "guess"
    # Two cells, one mine: no choice is better.
    assert visitor.post("/api/train/puzzle", position="## 1") == {
        "puzzle": None, "kind": "guess", "repetition": False, "rating": None, "deviation": None, "provisional": None,
        "round": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "fields", "sentence"),
    [
        ("next", {"kind": "magic"}, "There is no puzzle kind"),
        ("next", {"way": "lazy"}, "There is no training mode"),
        ("next", {"board": "100x100/900"}, "too large for puzzles"),
        ("next", {"board": "beginner", "kind": "one-two", "way": "sprint", "began": 5}, "'began' must be a number"),
        ("next", {"board": "8x8/14 orthogonal", "kind": "one-two"}, "has no one-two"),
        ("puzzle", {}, "'link' must be a string"),
        ("puzzle", {"link": "nonsense"}, "is not a link to a puzzle"),
        ("puzzle", {"link": "pairs.99x99.500.7"}, "too large for puzzles"),
        ("puzzle", {"link": "pairs.99999x99999.500.7"}, "the limit is"),
        ("puzzle", {"link": "x" * 12_000}, "characters; the limit is"),
        ("puzzle", {"position": "1#/## 2"}, "No layout fits"),
        ("check", {"link": "pairs.9x9.10.7"}, "The answer must be a cell"),
        ("check", {"link": "pairs.9x9.10.7", "row": 8, "col": 8}, "is not hidden"),
        ("check", {"link": "pairs.9x9.10.7", "row": 0, "col": 99}, "no cell"),
        ("check", {"link": "pairs.9x9.10.7", "number": 1}, "The answer must be a cell"),
        ("check", {"link": "pairs.9x9.10.7", "row": 0, "col": 0, "seconds": -1}, "must be a number from 0"),
    ],
)
def test_what_is_wrong_is_one_sentence(visitor: Visitor, path: str, fields: dict[str, Any], sentence: str) -> None:
    told = visitor.post(f"/api/train/{path}", 422, **fields)
    assert sentence in told["error"]
    assert visitor.get("/api/train")["overall"]["attempts"] == 0


def test_an_offset_is_a_number(visitor: Visitor) -> None:
    assert visitor.ask("GET", "/api/train?utc_offset=noon").status == 422
    assert visitor.ask("GET", "/api/train?utc_offset=99999").status == 422


def test_answers_belong_to_the_visitor_and_can_be_deleted(visitor: Visitor, server: Server) -> None:
    other = server.visitor()
    answer(other, LINKS[0])
    answer(visitor, LINKS[0])
    assert visitor.ask("DELETE", "/api/you", b"{}").status == 200
    assert visitor.get("/api/train")["overall"]["attempts"] == 0
    assert json.loads(visitor.ask("GET", "/api/you/export").body)["attempts"] == []
    assert other.get("/api/train")["overall"]["attempts"] == 1


def test_the_course_tells_its_lessons_and_holds_the_solutions_back(visitor: Visitor) -> None:
    told = visitor.get("/api/train/course")["lessons"]
    assert [one["number"] for one in told] == list(range(1, len(lessons()) + 1))
    assert told[0]["puzzles"][0].keys() == {"link", "kind", "solved"}
    first = visitor.get(f"/api/train/course/{told[0]['name']}")
    written = lessons()[0]
    assert (first["title"], first["text"], first["remember"]) == (
        written.title, list(written.text), written.remember,
    )  # fmt: skip
    assert first["example"] == json.loads(json.dumps([frame.as_plain_values() for frame in written.example]))
    assert first["next"] == told[1]["name"]
    assert visitor.get(f"/api/train/course/{told[-1]['name']}")["next"] is None
    assert visitor.get("/api/train/course/1") == first
    assert visitor.ask("GET", "/api/train/course/nowhere").status == 404


def test_the_puzzles_of_lessons_are_asked_as_they_were_written_and_are_solved_once(visitor: Visitor) -> None:
    for written in lessons():
        for puzzle in written.puzzles:
            told = visitor.post("/api/train/puzzle", link=puzzle.link, way="free")["puzzle"]
            assert (told["position"], told["task"]) == (str(puzzle.position), puzzle.task)
            judged = visitor.post("/api/train/check", link=puzzle.link, way="free", **right(puzzle))
            assert judged["right"], puzzle.link
    told = visitor.get("/api/train/course")["lessons"]
    assert all(puzzle["solved"] for one in told for puzzle in one["puzzles"])
    assert visitor.get("/api/train")["overall"]["rated"] == 0


def test_a_lesson_can_be_finished_after_a_mistake(visitor: Visitor) -> None:
    written = lessons()[0]
    puzzle = written.puzzles[0]
    for given, is_solved in ((wrong(puzzle), False), (right(puzzle), True), (right(puzzle), True)):
        visitor.post("/api/train/check", link=puzzle.link, way="free", **given)
        assert visitor.get(f"/api/train/course/{written.name}")["puzzles"][0]["solved"] is is_solved
    # The second right answer adds nothing, and the mistake still comes back.
    told = visitor.get("/api/train")
    assert (told["overall"]["attempts"], told["repetition"]["waiting"]) == (2, 1)


def test_answers_can_be_had_as_a_table(visitor: Visitor) -> None:
    answer(visitor, LINKS[1], seconds=4)
    rows = list(csv.DictReader(visitor.ask("GET", "/api/you/export?format=csv&of=puzzles").body.decode().splitlines()))
    (only,) = rows
    assert (only["puzzle"], only["kind"], only["score"], only["seconds"], only["round"]) == (
        LINKS[1], KINDS[1], "1.0", "4.0", "",
    )  # fmt: skip
    assert datetime.fromisoformat(only["answered"]).year >= 2024
    assert visitor.ask("GET", "/api/you/export?format=csv&of=cells").status == 422


@pytest.mark.slow
def test_a_mistake_in_a_lesson_comes_back_as_it_was(tmp_path: Path) -> None:
    puzzle = lessons()[0].puzzles[1]
    attempt = Attempt.of(puzzle, 0.0, seconds=1.0, at=1000.0, way="free")

    async def look() -> None:
        services = Services(Settings(folder=tmp_path))
        try:
            services.history("ada").add(attempt)
            wanted = PuzzleRequest("rated", (), "beginner", 0.0, seed=3)
            choice, made = await train._choose(services, "ada", wanted, services.history("ada").learner())
            assert choice.is_repetition
            assert (made["link"], made["position"]) == (puzzle.link, str(puzzle.position))
        finally:
            services.close()

    asyncio.run(look())


@pytest.mark.slow
def test_what_comes_next_is_made_while_the_answer_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def think(services: Services) -> None:
        wanted = PuzzleRequest("rated", ("pairs", "subsets"), "6x6/6", 0.0, seed=3)
        await train._prepare_next(services, "ada", wanted)

        async def run(*_: object) -> None:
            raise AssertionError("nothing is left to be made")

        monkeypatch.setattr(services.hints, "run", run)
        choice, made = await train._choose(services, "ada", wanted, services.history("ada").learner())
        assert made["link"] in [str(name) for name in choice.names]

    async def look() -> None:
        services = Services(Settings(folder=tmp_path))
        try:
            await think(services)
        finally:
            services.close()

    asyncio.run(look())


NONE = [{"link": "", "why_not": "There is none."}]


@pytest.mark.parametrize(
    ("answered", "told", "n_asked"),
    [
        (JobResult(200, encode(NONE)), (422, "There is none."), 2),
        (JobResult(422, encode({"error": "Too hard."})), (422, "Too hard."), 1),
        (JobResult(503, encode({"error": "Busy."})), (503, "Busy."), 1),
    ],
)
def test_another_kind_is_tried_where_there_is_no_puzzle_and_after_no_other_refusal(
    answered: JobResult, told: tuple[int, str], n_asked: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: list[str] = []

    async def refuse(owner: str, job: object, links: list[str]) -> JobResult:
        del owner, job
        kinds.append(links[0].split(".")[0])
        return answered

    async def visit() -> tuple[int, Any]:
        async with visiting(tmp_path) as guest:
            monkeypatch.setattr(guest.services.hints, "run", refuse)
            monkeypatch.setattr(train, "usual_kinds", lambda *_: ("single", "pairs"))
            return await guest.ask("POST", "/api/train/next")

    assert asyncio.run(visit()) == (told[0], {"error": told[1]})
    assert len(set(kinds)) == len(kinds) == n_asked
