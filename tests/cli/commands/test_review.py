"""``sapper review`` and ``sapper stats``: what they print, what they write, and how they complain."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import Call, complaint, run
from pages import Page

from sapper.layout import Layout
from sapper.play.metrics import record_statistics
from sapper.play.record import Move, Record
from sapper.play.review.review import review_record
from sapper.play.review.sentences import ReviewReport, draw_page
from sapper.play.review.verdict import FAIR
from sapper.play.review.wins import appraise
from sapper.rules import Rules
from sapper.web.jobs import games

REPLAYS = Path(__file__).parents[2] / "data" / "replays"
MISTAKE = "Sapper-Record: 1\nRules: 1x7/2 first-any\nSeed: 0\nLayout: -*---*-\nMoves:\nopen 0,0\nopen 0,2\nopen 0,5\n"
UNLUCKY = "Sapper-Record: 1\nRules: 1x3/1 first-any\nSeed: 0\nLayout: --*\nMoves:\nopen 0,1\nopen 0,2\n"


def told(text: str, n_games: int = 0) -> ReviewReport:
    record = Record.parse(text)
    review = review_record(record)
    return ReviewReport(appraise(review, n_games=n_games), record_statistics(record))


# -- words ----------------------------------------------------------------------------------------------------


def test_a_mistake_and_bad_luck_are_told_apart() -> None:
    assert told(MISTAKE).ending == (
        "Lost by extra risk: move 3, open (0, 5), took a risk of 33.3% while (0, 3) was safe."
    )
    assert told(MISTAKE, 100).ending == (
        "Lost by a mistake: move 3, open (0, 5), took a risk of 33.3% while (0, 3) was safe: win chance lost 33.3%."
    )
    assert told(UNLUCKY).ending == "Lost by bad luck: move 2, open (0, 2), took a risk of 50.0%; no cell was safer."
    won = told("Sapper-Record: 1\nRules: 3x3/1\nSeed: 0\nLayout: *--/---/---\nMoves:\nopen 2,2\n")
    assert won.ending == "Won without any risk."
    blind = told("Sapper-Record: 1\nRules: 1x3/1\nSeed: 0\nLayout: -*-\nMoves:\nopen 0,0\nopen 0,1\n")
    assert blind.ending == "Lost by a mistake: move 2, open (0, 1), opened a certain mine while (0, 2) was safe."


def test_the_summary_of_a_game() -> None:
    found = told(MISTAKE, 100)
    assert found.counts == "3 moves: 2 forced guesses, 1 mistake."
    assert found.last_safe == "Last move with a safe cell: 3."
    assert found.wins[0].startswith("Win chance before the first risk, move 1: ")
    assert found.wins[-1].endswith("exact: all layouts that fit were searched or played.")
    assert "from 5 rollouts per risky move" in told(MISTAKE, 5).wins[-1]
    assert told(UNLUCKY).wins == [
        "Win chances were not estimated because no rollouts were requested, so the cost of the risks is unknown."
    ]
    assert told("Sapper-Record: 1\nRules: beginner\nSeed: 0\nMoves:\n").counts == "Nothing was played."


def test_wins_lost_stand_beside_the_mistake() -> None:
    found = told(MISTAKE, 100)
    lost = found.appraisal.moves[2]
    assert lost is not None
    # Three layouts fit, in one of which the move hits a mine; (0, 3) tells them apart but for one pair.
    assert lost.exact
    assert lost.n_games == 3
    words = found.describe_move(2)
    assert words[0] == "Open (0, 5): mistake."
    assert "win chance lost" in words[-1]


def test_the_risks_of_all_moves_together() -> None:
    found = told(UNLUCKY)
    assert found.risks == (
        "The risks taken add up to a 66.7% chance of hitting a mine; "
        "with the least risk at each of these moves it would have been 66.7%."
    )


# -- a property -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_word_agrees_with_its_numbers() -> None:
    rng = np.random.default_rng(8)
    endings = set()
    for _ in range(60):
        rows, cols = int(rng.integers(2, 7)), int(rng.integers(2, 7))
        n_mines = int(rng.integers(1, rows * cols // 3 + 1))
        rules = Rules(rows, cols, n_mines, first_click="any")
        layout = Layout.of_numbers(rules.topology, rng.choice(rows * cols, n_mines, replace=False).tolist())
        found = told(str(_random_record(rules, layout, rng)), 20)
        plain = json.loads(json.dumps(found.as_plain_values()))
        assert len(plain["moves"]) == len(found.review.moves)
        for one, winning in zip(plain["moves"], found.appraisal.moves, strict=True):
            if one["verdict"] in ("forced guess", "fair guess", "unlucky"):
                assert one["extra_risk"] <= FAIR or (winning is not None and winning.lost.high <= 0)
            if one["hit"]:
                assert one["verdict"] in ("unlucky", "extra risk", "mistake")
            assert (one["verdict"] == "mistake") == is_shown_to_be_wrong(one)
            if winning is not None:
                assert one["figures"]["lost"] in one["words"][-1] or winning.lost == (0, 0, 0)
                assert winning.lost.value == pytest.approx(winning.best.value - winning.played.value)
                assert winning.played.value <= 1 - one["p_mine"] + 1e-9 or not winning.exact
        is_lost = found.review.result.startswith("lost")
        assert found.ending.startswith("Lost") == is_lost
        endings.add(found.ending.partition(":")[0])
        page = draw_page(found)
        assert page.count("<section ") == len(found.review.moves)
    assert {"Lost by a mistake", "Lost by bad luck"} <= endings


def is_shown_to_be_wrong(one: dict[str, Any]) -> bool:
    """The definition of a mistake, from the plain values alone."""
    if one["action"] == "flag":
        return bool(one["certain"] and one["p_mine"] == 0.0 and one["words"] != ["It removed a flag."])
    return bool((one["certain"] and one["p_mine"] == 1.0) or (one["wins"] and one["wins"]["lost"][1] > 0))


def _random_record(rules: Rules, layout: Layout, rng: np.random.Generator) -> Record:
    from sapper.errors import IllegalMove
    from sapper.world.game import Game, Outcome

    game, moves = Game(rules, layout=layout), []
    for cell in rng.permutation(rules.n_cells).tolist():
        move = Move("flag" if rng.random() < 0.2 else "open", *rules.topology.cell(cell))
        try:
            move.play(game)
        except IllegalMove:
            continue
        moves.append(move)
        if game.outcome is not Outcome.PLAYING:
            break
    return Record.of(game, tuple(moves))


# -- the commands ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_review_on_the_command_line(call: Call) -> None:
    Path("lost.sapper").write_text(MISTAKE, encoding="utf-8")
    status, said, _ = call("review", "lost.sapper", "--games", "50", "--output", "out.html")
    assert status == 0
    assert "Lost by a mistake: move 3" in said
    assert "    3  open 0,5" in said
    assert "open 0,2" not in said
    assert "    2  open 0,2" in call("review", "lost.sapper", "--games", "50", "--moves")[1]
    Page(Path("out.html").read_text(encoding="utf-8")).expect_whole()
    plain = json.loads(call("review", "lost.sapper", "--games", "50", "--json")[1])
    assert [move["verdict"] for move in plain["moves"]] == ["forced guess", "forced guess", "mistake"]
    assert plain["moves"][2]["wins"]["exact"] is True
    # The same from standard input, in a process of its own and without playing on.
    fast = json.loads(run("review", "-", "--games", "0", "--json", stdin=MISTAKE).stdout)
    assert {move["wins"] for move in fast["moves"]} == {None}
    assert [move["verdict"] for move in fast["moves"]] == ["forced guess", "forced guess", "extra risk"]


def test_the_same_words_in_the_terminal_as_json_and_on_the_page(call: Call) -> None:
    Path("lost.sapper").write_text(MISTAKE, encoding="utf-8")
    printed = call("review", "lost.sapper", "--games", "50", "--moves", "--output", "out.html")[1]
    plain = json.loads(call("review", "lost.sapper", "--games", "50", "--json")[1])
    served = games.review(MISTAKE, 50)
    page = html.unescape(Path("out.html").read_text(encoding="utf-8"))
    rows = printed.splitlines()[-len(plain["moves"]) :]
    assert plain["summary"] == served["summary"]
    assert all(line in printed and line in page for line in plain["summary"])
    moves: Any = json.loads(json.dumps(served["moves"]))
    for number, (one, other, row) in enumerate(zip(plain["moves"], moves, rows, strict=True), start=1):
        assert one.pop("position") == other["position_before"]
        assert one == {name: other[name] for name in one}
        assert row.split()[0] == str(number)
        assert one["verdict"] in row
        assert all(figure in row for name, figure in one["figures"].items() if name != "chance")
        assert all(line in page for line in one["words"])


@pytest.mark.slow
def test_a_replay_of_another_program(call: Call) -> None:
    pytest.importorskip("ms_toollib", reason="the extra `replays` is not installed")
    said = call("review", str(REPLAYS / "lost.avf"), "--games", "20")[1]
    assert "Lost by bad luck: move 242, open (14, 24), took a risk of 50.0%; no cell was safer." in said
    plain = json.loads(call("stats", str(REPLAYS / "lost.avf"), "--json")[1])[0]
    assert (plain["left"], plain["right"], plain["chords"]) == (24, 98, 120)
    assert plain["seconds"] == pytest.approx(74.5)
    assert plain["board"]["3bv"] == 170
    Path("broken.evf").write_bytes(b"\x04nonsense")
    assert complaint("review", "broken.evf") == "broken.evf: This is not a .evf file, or it is damaged."
    assert [path.name for path in Path().iterdir()] == ["broken.evf"]


def test_wrong_files_get_one_sentence(call: Call) -> None:
    Path("empty.sapper").write_bytes(b"")
    Path("text.txt.bak").write_text("nothing of the kind", encoding="utf-8")
    Path("board.mbf").write_bytes(bytes([2, 2, 0, 1, 0, 0]))
    Path("lost.sapper").write_text(MISTAKE, encoding="utf-8")
    Path("blank.sapper").write_text("Sapper-Record: 1\nRules: beginner\nSeed: 0\nMoves:\n", encoding="utf-8")
    assert complaint("review", "none.evf") == "There is no file none.evf."
    assert complaint("review", "empty.sapper") == "empty.sapper: The file is empty."
    assert complaint("review", "text.txt.bak").startswith("text.txt.bak: The content does not tell the format: ")
    assert complaint("review", "board.mbf").endswith("This is not a game but a layout.")
    assert "board: write rows x cols" in complaint("stats", "nonsense")
    wrong = complaint("review", "lost.sapper", "--games", "-3")
    assert wrong == "--games should be between 0 and 1,000,000."
    early = complaint("review", "empty.sapper", "--output", "no/such/page.html")
    assert early == "There is no folder no/such to write page.html into."
    assert "not 'basic'" in complaint("review", "lost.sapper", "--agent", "basic")
    assert "nothing was opened" in complaint("stats", "blank.sapper")
    assert complaint("stats", "3x3/1", "--count", "3", "--output", "x.doc") == (
        "--output writes .svg, .png or .json, not 'x.doc'."
    )


@pytest.mark.slow
def test_stats_of_boards(call: Call) -> None:
    assert call("stats", "*--/---")[1] == "*--/---: 2x3/1, 3BV 2, openings 1, islands 1, ZiNi 2 (human 2)\n"
    status, said, _ = call("stats", "beginner", "--count", "30", "--output", "spread.svg")
    assert status == 0
    lines = said.splitlines()
    assert lines[0].startswith("30 boards")
    assert [line.split("  ")[0].strip() for line in lines[1:]] == ["3BV", "openings", "islands", "ZiNi", "human ZiNi"]
    assert "<svg" in Path("spread.svg").read_text(encoding="utf-8")
    plain = json.loads(call("stats", "beginner", "--count", "3", "--seed", "5", "--json")[1])
    assert [one["source"] for one in plain] == ["beginner seed 5", "beginner seed 6", "beginner seed 7"]
    Path("board.mbf").write_bytes(bytes([2, 2, 0, 1, 0, 0]))
    assert call("stats", "board.mbf")[1].startswith("board.mbf: 2x2/1, 3BV 3,")
