"""Play-by-play: what the command prints, what it writes, and the page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import Call, complaint, run
from naive_reports import Report003
from pages import Page

from sapper.draw.pages import Scene, draw_trace
from sapper.errors import FormatError, InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import NO_CLUE, Observation
from sapper.play.narrative import NarratedStep, draw_grid, narrate_as_reported, narrate_game
from sapper.play.record import read_record
from sapper.rules import Rules

SMALL = ("--agent", "statements", "--board", "4x4/6 survey", "--seed", "3")


# -- boards that are given ------------------------------------------------------------------------------------


def test_a_given_layout_is_played_as_it_lies(call: Call, tmp_path: Path) -> None:
    (tmp_path / "a.mbf").write_bytes(bytes([3, 2, 0, 2, 0, 0, 2, 1]))
    for layout in ("*--/--*", "a.mbf"):
        status, said, complaint = call("trace", "--layout", layout, "--board", "2x3/2 survey", "--output", "a.sapper")
        assert (status, complaint) == (0, "")
        assert said.startswith("Agent exact on 2x3/2 first-any survey, seed 0, on the layout given.\n")
        record = read_record((tmp_path / "a.sapper").read_bytes())
        assert str(record.layout) == "*--/--*"
        assert (
            record.final_game().observation
            == narrate_game(record.rules, "exact", 0, layout=record.layout).game.observation
        )


def test_a_given_layout_is_told_as_reported_too(call: Call) -> None:
    said = call("trace", "--agent", "one-two", "--as-reported", "--layout", "*--/--*/---")[1]
    assert said.startswith("[['?' '?' '?']\n ['?' '?' '?']\n ['?' '?' '?']]\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("--restart-opening",),
            "--restart-opening plays other boards until one opens, so it cannot be used with --layout.",
        ),
        (("--board", "4x3/2"), "does not fit the rules 4x3/2 first-any."),
        (("--board", "expert"), "does not fit the rules 16x30/99 first-any."),
    ],
)
def test_what_cannot_go_with_a_layout_is_a_sentence(arguments: tuple[str, ...], says: str, call: Call) -> None:
    status, said, complaint = call("trace", "--layout", "*--/--*", *arguments)
    assert (status, said) == (2, "")
    assert complaint.endswith(f"{says}\n")


# -- the sentences --------------------------------------------------------------------------------------------


def test_every_step_leads_to_the_next() -> None:
    told = narrate_game(Rules.parse("4x4/6 survey"), "statements", 3)
    assert str(told.steps[0].step.before) == "####/####/####/#### 6"
    for earlier, later in zip(told.steps, told.steps[1:], strict=False):
        assert earlier.step.after is later.step.before
        assert later.number == earlier.number + 1
    assert told.record.result in told.ending[0].lower()
    assert told.record.final_game().observation == told.steps[-1].step.after


def test_a_guess_stands_beside_its_exact_risk() -> None:
    told = narrate_game(Rules.parse("4x4/6 survey first-any"), "statements", 3)
    guesses = [step for step in told.steps if step.p_exact is not None]
    assert len(guesses) > 1
    for step in guesses:
        assert step.chosen is not None
        assert step.p_exact == mine_probabilities(step.step.before).p_mine[step.chosen]
        assert any(note.startswith("Exact risk") and "the agent has no estimate" in note for note in step.notes)
    own = [narrate_game(Rules.parse("report-001"), "infer", seed, restart_opening=True) for seed in range(4)]
    assert any("the agent's own estimate is" in note for game in own for step in game.steps for note in step.notes)
    exact = narrate_game(Rules.parse("4x4/6 survey first-any"), "exact", 3)
    assert any("as the agent says" in note for step in exact.steps for note in step.notes)


def test_what_an_agent_overlooks_is_told() -> None:
    notes = [
        note
        for seed in range(4)
        for step in narrate_game(Rules.parse("5x5/6 survey"), "random", seed).steps
        for note in step.notes
    ]
    assert any(note.startswith("Exact risk 0%: the cell is safe") for note in notes)
    assert any(note.startswith("Overlooked safe cells: ") for note in notes)
    assert any("is a certain mine" in note for note in notes)


def test_a_deduced_choice_names_its_clues_even_if_they_were_read_earlier() -> None:
    told = narrate_game(Rules.parse("beginner"), "basic", 3)
    deduced = [step for step in told.steps if step.step.decision.p_mine == 0.0]
    assert deduced
    for step in deduced:
        assert step.clues
        assert all(step.step.before.cells[clue] >= 0 for clue in step.clues)
        assert str(step.clues[0]) in step.decision


def test_the_first_click_policy_is_no_risk() -> None:
    first = narrate_game(Rules.parse("beginner"), "random", 0).steps[0]
    assert first.p_exact == 0.0
    assert first.notes[0] == "The rules promise that the first cell is safe."
    assert "It showed" in first.notes[1]
    risky = narrate_game(Rules.parse("beginner first-any"), "random", 0).steps[0]
    assert risky.p_exact == pytest.approx(10 / 81)


def test_a_mine_before_the_opening_starts_the_next_seed() -> None:
    rules = Rules.parse("report-001")
    told = [narrate_game(rules, "search", seed, restart_opening=True) for seed in range(12)]
    restarted = [game for game in told if game.lost_seeds]
    assert restarted
    for game in restarted:
        first, *_, last = *game.lost_seeds, game.game.seed
        assert [*game.lost_seeds, game.game.seed] == list(range(first, last + 1))
        assert len(game.about) == len(game.lost_seeds)
        before_the_end = [step.step.after.cells for step in game.steps]
        hit = next((k for k, cells in enumerate(before_the_end) if (cells == -3).any()), None)
        opened = next((k for k, cells in enumerate(before_the_end) if (cells == 0).any()), None)
        assert opened is not None
        assert hit is None or opened < hit
    for seed in restarted[0].lost_seeds:
        lost = narrate_game(rules, "search", seed)
        assert lost.game.outcome.value == "lost"
        assert not (lost.steps[-1].step.after.cells == 0).any()


def test_a_board_without_zeros_is_not_tried_for_ever() -> None:
    with pytest.raises(InputError, match="1000 games in a row"):
        narrate_game(Rules.parse("2x2/4 survey first-any"), "random", 0, restart_opening=True)


# -- the command ----------------------------------------------------------------------------------------------


def test_the_play_by_play_is_printed() -> None:
    done = run("trace", *SMALL)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Agent statements on 4x4/6 survey, seed 3.\n\nStep 1\n  Opened (")
    told = narrate_game(Rules.parse("4x4/6 survey"), "statements", 3)
    for step in told.steps:
        assert f"\nStep {step.number}\n" in done.stdout
        assert step.step.after.pretty() in done.stdout
        for sentence in (*step.deductions, step.decision, *step.notes):
            assert f"  {sentence}\n" in done.stdout
    assert done.stdout.endswith("\n".join(told.ending) + "\n")
    assert "mines safely identified" in done.stdout


@pytest.mark.slow
def test_the_steps_are_there_for_scripts(tmp_path: Path) -> None:
    done = run("trace", *SMALL, "--json", "--output", "game.record", folder=tmp_path)
    answer = json.loads(done.stdout)
    assert (answer["rules"], answer["seed"], answer["agent"]) == ("4x4/6 survey", 3, "statements")
    record = read_record((tmp_path / "game.record").read_bytes())
    assert record.player == "statements"
    game = record.final_game()
    assert answer["score"] == game.score
    assert answer["result"] == record.result
    assert answer["steps"][-1]["after"] == str(game.observation)
    assert [move for step in answer["steps"] for move in step["moves"]] == [
        f"{move.action} {move.row},{move.col}" for move in record.moves
    ]
    deduced = [found for step in answer["steps"] for found in step["deductions"]]
    assert deduced
    assert set(deduced[0]) == {"cell", "is_mine", "rule", "clues", "reason"}
    for found in deduced:
        assert game.layout is not None
        assert bool(game.layout.mines[tuple(found["cell"])]) == found["is_mine"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "rules"),
    [
        (("--board", "report-000"), "4x4/6 first-any survey total-hidden"),
        (("--board", "report-000 total-known first-safe"), "4x4/6 survey"),
        (("--board", "2x2/4 survey"), "2x2/4 first-any survey"),
        (
            (
                "--board",
                "5x5/15 survey withheld:0.3 hex",
            ),
            "5x5/15 hex survey withheld:0.3",
        ),
    ],
)
def test_words_of_the_board_change_the_rules(options: tuple[str, ...], rules: str) -> None:
    assert json.loads(run("trace", *options, "--json").stdout)["rules"] == rules


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--agent", "statments"], "did you mean statements?"),
        (["--board", "huge"], "'huge'"),
        (["--board", "0x9/1"], "at least one row"),
        (["--board", "9x9/82"], "82 mines"),
        (["--board", "9x9/10 first-never"], "'first-never'"),
        (["--seed", "-1"], "seed"),
        (["--seed", "x"], "--seed"),
        (["--output", "no/such/page.html"], "no folder"),
        (["--output", "no/such/game.record"], "no folder"),
        (["--output", "page.pdf"], "--output writes .html, .record, .sapper or .json, not 'page.pdf'."),
        (["--agent", "random", "--board", "2x2/4 first-any survey", "--restart-opening"], "1000 games in a row"),
        # Refused before the games are played.
        (["--board", "2x2/4 first-any survey", "--restart-opening", "--output", "no/such.html"], "no folder"),
        (["--board", "2x2/4 first-any survey", "--restart-opening", "--output", "no/such"], "no folder"),
    ],
)
def test_wrong_options_are_answered_with_one_sentence(arguments: list[str], says: str, tmp_path: Path) -> None:
    assert says in complaint("trace", *arguments, folder=tmp_path)
    assert not list(tmp_path.iterdir())


# -- report 003, as it tells its game ------------------------------------------------------------------------

# Six rounds; the report prints the third grid twice, on either side of a paragraph.
REPORTED = """[['0' '1' '?' '?' '?']
 ['0' '1' '?' '?' '1']
 ['?' '2' '?' '?' '?']
 ['?' '?' '?' '?' '?']
 ['?' '?' '?' 'm' '?']]

[['0' '1' '?' '?' '?']
 ['0' '1' '?' '?' '1']
 ['0' '2' '?' '?' '?']
 ['?' '?' '?' '?' '?']
 ['?' '?' '?' 'm' '?']]

[['0' '1' '?' '?' '?']
 ['0' '1' '?' '?' '1']
 ['0' '2' '?' '?' '?']
 ['0' '?' '?' '?' '?']
 ['?' '?' '?' 'm' '?']]

[['0' '1' '?' '?' '?']
 ['0' '1' '?' '?' '1']
 ['0' '2' '?' '?' '?']
 ['0' '2' '?' '?' '?']
 ['?' '?' '?' 'm' '?']]

Found hidden mine with method

[['0' '1' '?' '?' '?']
 ['0' '1' '?' '?' '1']
 ['0' '2' '?' '?' '?']
 ['0' '2' 'm' '?' '?']
 ['0' '?' '?' 'm' '?']]
"""


def test_report_003_is_told_as_it_stands_there(tmp_path: Path) -> None:
    done = run("trace", "--agent", "one-two", "--as-reported", "--output", "game.record", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(REPORTED)
    told = narrate_as_reported("one-two", 0)
    assert done.stdout.endswith("\n".join(told.ending) + "\n")
    # One grid to begin with and one a round, up to the end of the game.
    assert done.stdout.count("[[") == len(told.steps) + 1
    game = read_record((tmp_path / "game.record").read_bytes()).final_game()
    assert game.observation == told.steps[-1].step.after
    assert draw_grid(game.observation) in done.stdout


def test_the_punch_does_not_wait_for_safe_cells() -> None:
    told = narrate_as_reported("one-two", 0)
    (at,) = [number for number, step in enumerate(told.steps) if (3, 2) in _punched(step)]
    # (4, 0) has been waiting since (3, 0) showed its zero, and is opened in the same round.
    assert told.steps[at].chosen == (4, 0)
    assert told.steps[at].step.decision.p_mine == 0.0
    assert "flag 3,2" in told.steps[at].as_plain_values()["moves"]  # type: ignore[operator]


def _punched(step: NarratedStep) -> set[tuple[int, int]]:
    return {found.cell for found in step.step.decision.deductions if found.rule == "one-two"}


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "corners"), [("one-two", False), ("one-two-corners", True)])
def test_other_boards_are_played_as_the_report_s_grids_show_it(agent: str, corners: bool) -> None:
    """Against a version of the report's text whose pattern waits for the tile beyond the 2."""
    n_punched = 0
    for seed in range(6):
        told = narrate_as_reported(agent, seed, Rules.parse("8x8/12 survey first-any no-cascade total-hidden"))
        assert told.game.layout is not None
        grid = Report003(told.game.layout.mines.tolist(), punch=True, corners=corners, waits=True)
        for step in told.steps:
            assert {one.cell for one in step.step.decision.deductions} == grid.marked
            grid.marked = set()
            n_punched += len(_punched(step))
            if step.chosen is not None:
                assert step.chosen in grid.allowed()
                grid.query(step.chosen)
    assert n_punched > 3


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--agent", "exact"), "Only statements, one-two and one-two-corners play as reported, not exact."),
        (("--agent", "one-two", "--restart-opening"), "choose one"),
    ],
)
def test_what_no_report_tells(options: tuple[str, ...], says: str, tmp_path: Path) -> None:
    assert says in complaint("trace", *options, "--as-reported", "--output", "game.record", folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_board_may_be_told_as_reported_too() -> None:
    done = run("trace", "--agent", "one-two", "--as-reported", "--board", "3x3/1")
    assert done.stdout.startswith("[['?' '?' '?']\n ['?' '?' '?']\n ['?' '?' '?']]\n\n[[")
    full = run("trace", "--agent", "one-two", "--as-reported", "--board", "1x2/2")
    assert full.stdout == "[['?' '?']]\n\nWon after 0 moves, score 0/2.\n"


# -- report 000, as it tells its game ---------------------------------------------------------------------------

# Figures 7 to 9 (the report numbers the last one 10) as they stand there, but for empty cells; 1 to 6 from its words.
FIGURES = [
    ". . 2 0/. . 3 1/. . . ./. . . .",
    ". . 2 0/. . 3 1/. . . X/. . . .",
    ". . 2 0/. . 3 1/. . 3 X/. . . .",
    ". . 2 0/. . 3 1/. 2 3 X/. . . .",
    ". . 2 0/. . 3 1/2 2 3 X/. . . .",
    ". . 2 0/. . 3 1/2 2 3 X/. . . X",
    ". . 2 0/. . 3 1/2 2 3 X/. 1 2 X",
    "X . 2 0/. . 3 1/2 2 3 X/. 1 2 X",
    "X . 2 0/3 . 3 1/2 2 3 X/. 1 2 X",
]


@pytest.mark.parametrize("agent", ["statements", "statements-reported"])
def test_report_000_is_told_figure_by_figure_with_what_it_missed(agent: str) -> None:
    printed = run("trace", "--agent", agent, "--as-reported").stdout
    for number, figure in enumerate(FIGURES, start=1):
        board = figure.replace("/", "\n")
        assert f"\nFigure {number}\n{board}\n" in printed
    missed = [line for line in printed.splitlines() if line.startswith("Missed: ")]
    assert [line[8:14] for line in missed] == ["(2, 1)", "(3, 2)", "(1, 0)"]
    # Each of them before a click at random that hit a mine.
    assert re.findall(r"Missed: .*\nOpened (\(\d, \d\)): at random, as in the report. It was a mine.", printed) == [
        "(2, 3)",
        "(3, 3)",
        "(0, 0)",
    ]
    assert "score 3/6" in printed


def test_any_board_may_be_told_in_figures() -> None:
    printed = run(
        "trace", "--agent", "statements", "--as-reported", "--layout", "*--/---/--*", "--board", "3x3/2 survey"
    ).stdout
    assert printed.count("After ") == len(re.findall("^Opened", printed, re.MULTILINE)) > 0
    assert "Figure" not in printed


# -- silent cells ---------------------------------------------------------------------------------------------


def test_report_001_asks_a_silent_cell_again_and_says_what_came_of_it() -> None:
    told = [narrate_game(Rules.parse("5x5/5 survey withheld:0.5:redraws"), "infer", seed) for seed in range(6)]
    answers = []
    for game in told:
        assert game.about == ("A cell without a clue may be queried; each query has a 50% chance of showing one.",)
        for step in game.steps:
            if step.decision.startswith("Asked "):
                assert step.chosen is not None
                assert step.decision == f"Asked {step.chosen} again: it showed no clue."
                assert step.clues == ()
                shown = step.step.after.cells[step.chosen]
                expected = "It showed no clue again." if shown == NO_CLUE else f"This time it showed {shown}"
                assert step.notes[0].startswith(expected)
                answers.append(expected)
            else:
                assert not any("again" in note or "This time" in note for note in step.notes)
    assert len(set(answers)) > 2
    silent = narrate_game(Rules.parse("5x5/5 survey withheld:0.5"), "infer", 3)
    assert silent.about == ()
    assert not any(step.decision.startswith("Asked ") for step in silent.steps)


# -- the page -------------------------------------------------------------------------------------------------


def test_the_page_holds_a_picture_and_the_sentences_of_every_step(tmp_path: Path) -> None:
    done = run("trace", *SMALL, "--output", "game.html", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    source = (tmp_path / "game.html").read_text(encoding="utf-8")
    page = Page(source)
    told = narrate_game(Rules.parse("4x4/6 survey"), "statements", 3)
    assert page.n_pictures == len(told.steps)
    for step in told.steps:
        for sentence in (*step.deductions, step.decision, *step.notes):
            assert sentence in page.text
    for line in (told.title, *told.ending):
        assert line in page.text
    assert page.classes.count("chosen") == len(told.steps)
    assert page.classes.count("ring") == sum(len(step.clues) for step in told.steps)
    # Every link leads to a step of this page, and nothing else is ever fetched.
    assert page.links
    page.expect_whole()
    assert "url(" not in source
    assert "@import" not in source
    assert set(re.findall(r"https?://[^\s\"']+", source)) == {"http://www.w3.org/2000/svg"}
    assert source.count("<style>") == 1


def test_everything_on_the_page_is_escaped() -> None:
    nasty = "<script>alert('1')</script> & \"quotes\""
    scene = Scene(Observation.parse("1# 1"), nasty, (nasty,), (nasty,), opened=0)
    source = draw_trace(nasty, [nasty], [scene], [nasty])
    assert "<script>alert" not in source
    assert Page(source).text.count(nasty) >= 5


def test_a_page_without_steps_and_on_hexagons() -> None:
    assert Page(draw_trace("Empty", [], [], ["Nothing was played."])).n_pictures == 0
    scene = Scene(Observation.parse("1#/#1 2 hex"), "Opened.", opened=3, clues=(0,), uncovered=(3, 0))
    source = draw_trace("Hex", [], [scene], [])
    page = Page(source)
    assert (page.classes.count("chosen"), page.classes.count("ring"), page.classes.count("uncovered")) == (1, 1, 1)
    # Odd rows stand half a cell to the right: 26 of margin, half of 24, one cell, and one of edge.
    assert '<rect class="chosen" x="63" y="51"' in source


def test_a_page_that_no_browser_could_show_is_refused() -> None:
    scene = Scene(Observation.parse("/".join(["#" * 100] * 100)), "Opened.")
    with pytest.raises(FormatError, match="50 pictures would show 500,000 cells"):
        draw_trace("Large", [], [scene] * 50, [])
