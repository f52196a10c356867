from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from command import complaint, run

SURVEY = "survey first-any total-hidden"
SMALL = ("influence", "--board", f"5x5,6x7/0.1,0.2,0.3 {SURVEY}", "--games", "6", "--seed", "3")


@cache
def small_run() -> dict[str, object]:
    done = run(*SMALL, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def without_time(value: object) -> object:
    if isinstance(value, dict):
        return {key: without_time(one) for key, one in value.items() if key not in ("milliseconds", "timing")}
    return [without_time(one) for one in value] if isinstance(value, list) else value


@pytest.mark.slow
def test_json_has_a_row_for_every_size_and_density_and_seven_answers() -> None:
    found = small_run()
    rows = found["rows"]
    assert isinstance(rows, list)
    assert [(row["density"], row["size"]) for row in rows] == [
        (density, size) for density in (0.1, 0.2, 0.3) for size in ("5x5", "6x7")
    ]
    for row in rows:
        assert row["games"] == 6
        assert row["rules"].endswith("first-any survey total-hidden")
        for name in ("chain", "span", "proof", "reach"):
            assert 0 <= row[f"{name}_mean"] <= row[f"{name}_max"]
        assert row["chain_max"] <= row["deductions"] * row["games"]
        assert row["proofs"] <= 4 * row["games"]
        assert row["milliseconds"] > 0
    answers = found["answers"]
    assert isinstance(answers, list)
    assert len(answers) == 7
    for answer in answers:
        assert set(answer) == {"question", "report", "measured", "verdict", "timing"}
        assert answer["verdict"] in ("agrees", "agrees in part", "contradicts", "not told")
    assert found["divide"] == {
        "before": "###/###/111/000/121/###/### 4",
        "after": "###/##2/111/000/121/###/### 4",
        "opened": [1, 2],
        "watched": [6, 1],
        "total_hidden": [0.5, 0.5],
        "total_known": [pytest.approx(1 / 6), 0.0],
    }
    players = found["players"]
    assert isinstance(players, list)
    assert len(players) == 4 * len(rows)


def test_answers_quote_the_table() -> None:
    found = small_run()
    rows, answers = found["rows"], found["answers"]
    assert isinstance(rows, list)
    assert isinstance(answers, list)
    n_deductions = round(sum(row["deductions"] * row["games"] for row in rows))
    assert f"Of {n_deductions:,} deductions in 36 games" in answers[0]["measured"]
    longest = max(row["chain_max"] for row in rows)
    assert f"has {longest} deductions" in answers[3]["measured"]
    n_proofs = sum(row["proofs"] for row in rows)
    assert f"of {n_proofs} smallest proofs" in answers[4]["measured"]
    assert f"the farthest {max(row['reach_max'] for row in rows)}." in answers[4]["measured"]


@pytest.mark.slow
def test_same_seed_same_figures_but_for_the_time() -> None:
    again = json.loads(run(*SMALL, "--json").stdout)
    assert without_time(again) == without_time(small_run())


def test_text_shows_the_table_the_answers_and_the_divided_board() -> None:
    done = run("influence", "--board", "5x5/0.2", "--games", "2")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "contradiction-full plays, classic, total known, seeds 0 to 1." in done.stdout
    lines = done.stdout.splitlines()
    assert sum(line.startswith("    0.2    5x5      2") for line in lines) == 1
    assert [line[:2] for line in lines if line[:1].isdigit()] == [f"{number}." for number in range(1, 8)]
    assert "   0 0 0 →  0 0 0" in lines
    # Two games are too few to judge averages by.
    assert done.stdout.count("These games cannot tell.") >= 4
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize("agent", ["random", "exact"])
def test_agents_without_deductions_or_without_clues_are_measured_too(agent: str) -> None:
    found = json.loads(
        run("influence", "--board", f"5x5/0.2 {SURVEY}", "--games", "2", "--agent", agent, "--json").stdout
    )
    assert (found["rows"][0]["chain_max"] > 0) == (agent == "exact")


def test_a_board_without_mines_or_full_of_them_is_measured_too() -> None:
    done = run("influence", "--board", f"1x1,4x4/0.0,1.0 {SURVEY}", "--games", "1", "--json")
    assert [row["chain_max"] for row in json.loads(done.stdout)["rows"]] == [0, 0, 0, 0]


def test_one_game_tells_its_longest_chain(tmp_path: Path) -> None:
    done = run("influence", "--board", "beginner survey", "--seed", "3")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    links = [line for line in lines if line.startswith("→ ")]
    assert f"The longest chain has {len(links)} deductions" in done.stdout
    assert lines[lines.index(links[0]) - 1].endswith(" guessed")
    found = json.loads(run("influence", "--board", "beginner survey", "--seed", "3", "--json").stdout)
    assert found["length"] == len(links) == len(found["chain"]) - 1
    assert [one["depth"] for one in found["chain"]] == list(range(found["length"] + 1))
    assert ["→ " + one["words"] for one in found["chain"][1:]] == links
    assert len(found["proofs"]) == 25


def test_a_recorded_game_is_looked_at_as_it_was_played(tmp_path: Path) -> None:
    record = tmp_path / "game.record"
    record.write_text(
        "Sapper-Record: 1\nRules: 1x4/1 first-any\nSeed: 0\nLayout: -*--\nMoves:\nopen 0,0\nopen 0,2\nopen 0,3\n"
    )
    done = run("influence", str(record))
    assert done.returncode == 0, done.stderr
    assert "→ (0, 3) safe because of the 1 at (0, 2), with (0, 1) a mine" in done.stdout
    assert "2 deductions in all, 1 resting on an earlier one about a cell still hidden; 2 guesses." in done.stdout
    record.write_text("Sapper-Record: 1\nRules: 1x2/1 first-any\nSeed: 0\nLayout: *-\nMoves:\nopen 0,0\n")
    assert "Nothing was deduced; 1 guess." in run("influence", str(record)).stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--board", "8x8,big/0.1"), "'8x8,big' is not a board size; write 8x8, or several as 8x8,16x16."),
        (("--board", "0x0/0.1"), "A board needs at least one row and one column, not 0 rows x 0 columns."),
        (("--board", "8x8/1.5"), "96 mines are more than the 64 cells of 8 x 8."),
        (
            ("--board", "8x8/0.1;0.2"),
            "'0.1;0.2' is not a list of mines; write 10,20 or 1:16:1, or densities such as 0.1:0.3:0.1.",
        ),
        (("--agent", "contradicton-full"), "There is no agent 'contradicton-full'; did you mean contradiction-full?"),
        (("--seed", "-1"), "A seed must be an integer from 0 to 9223372036854775807, not -1."),
        (("x", "--board", "beginner"), "--board has no effect with a recorded game; leave it out."),
        (("--board", "9x9"), "'9x9' is not a board"),
        (("no-such.record",), "There is no file no-such.record."),
        (("--games", "0"), "--games must be a whole number, at least 1."),
    ],
)
def test_wrong_input_is_answered_with_one_sentence(arguments: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    assert complaint("influence", *arguments, folder=tmp_path).startswith(sentence)


def test_a_broken_record_is_refused_by_name(tmp_path: Path) -> None:
    record = tmp_path / "broken.record"
    record.write_text("Sapper-Record: 1\nRules: 1x4/1\nSeed: 0\nMoves:\nopen 0,0\nopen 0,0\n")
    assert complaint("influence", str(record)).startswith(f"{record}: Move 2 (open 0,0) cannot be made")
    record.write_text("not a record")
    assert complaint("influence", str(record)).startswith(f"{record}: Line 1: a record begins with")
