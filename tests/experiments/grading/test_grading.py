"""Grading: each typical fault is found, named and proved; what is sound is told to be; an interrupted run goes on."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
import submissions
from command import complaint, run

from sapper.agents.agent import Decision
from sapper.agents.foreign.agent import ForeignAgent, Limits
from sapper.agents.registry import make_agent
from sapper.experiments.grading.judge import LEVELS, Example, Tally, play_judged
from sapper.experiments.grading.results import completeness, grade_submission
from sapper.experiments.grading.rubric import Rubric
from sapper.experiments.grading.run import Notebook, Part, Submission, grade, play_part
from sapper.experiments.grading.shrink import judge_position, shrink
from sapper.experiments.grading.words import counterexample, describe
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.topology import Cell

pytestmark = pytest.mark.slow

LIMITS = Limits(move=0.2, memory=512)
WORDS = "first-any no-cascade total-hidden"
RUBRICS = Path(__file__).parents[3] / "examples" / "rubrics"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return submissions.write(tmp_path_factory.mktemp("class"))


def play(folder: Path, name: str, rules: str = f"7x5/8 survey {WORDS}", n_games: int = 6, seed: int = 0) -> Tally:
    agent = f"cs50:{folder / name}"
    return play_part(Part("games", agent, 0, rules, seed, n_games, 30.0, LIMITS, checks_repeats=True))


def find(folder: Path, name: str, kind: str, **where: object) -> tuple[Submission, Example]:
    """Return the smallest position for a fault that a submission must show."""
    one = Submission(name, f"cs50:{folder / name}", {"": play(folder, name, **where)})  # type: ignore[arg-type]
    assert kind in one.total.examples, one.total.faults
    return one, shrink(one.agent, one.total.examples[kind], LIMITS)


@pytest.mark.parametrize(
    ("name", "kind", "n_cells", "said"),
    [
        ("no-subsets", "missed-subset", 6, "is safe because of the"),
        ("count-not-reduced", "mine-claim", 20, ""),
        ("repeats-moves", "illegal", 35, "which is open already"),
        ("changes-while-iterating", "crash", 2, "Set changed size during iteration in minesweeper.py, line 5"),
        ("endless-loop", "hang", 35, "It had not answered after"),
        ("too-much-memory", "memory", 35, "It ran out of the memory"),
        ("exits", "exit", 12, "It ended its own process (sys.exit in minesweeper.py, line 39)."),
        ("swaps-coordinates", "illegal", 6, "outside the board of "),
        ("stops-early", "none", 35, "It makes no move although"),
        ("prints", "prints", 2, "It printed"),
        ("peeks", "snoops", 1, "It calls"),
        ("not-repeatable", "not-repeatable", 35, "when the same game was played again"),
        ("does-not-load", "load", 35, "No module named 'minesweeper_helpers'"),
        ("asks-for-input", "load", 35, "It asks for input in minesweeper.py, line 3, and nobody is there to answer."),
        ("sleeps", "hang", 35, "in which it computed nothing; the limit is 0.2 s."),
        ("marks-its-move", "mutates", 2, "Its make_safe_move changes moves_made."),
        ("order-of-sets", "not-repeatable", 35, "when the same game was played again"),
        ("claims-no-mines", "missed-mine-single", 2, "It does not claim that (0, 1) is a mine."),
    ],
)
def test_each_fault_is_found_named_and_proved(folder: Path, name: str, kind: str, n_cells: int, said: str) -> None:
    one, example = find(folder, name, kind)
    found = describe(one, example)
    assert said in " ".join((found.shown, *found.proof))
    assert example.size[0] <= n_cells, example
    assert found.often.endswith("of 6 games")


def test_what_follows_from_one_inference_and_is_missed_takes_two_clues(folder: Path) -> None:
    where = {"rules": f"8x8/13 survey {WORDS}", "n_games": 8}
    one, example = find(folder, "infers-once", "missed-single", **where)
    found = describe(one, example)
    assert example.size[0] <= 12
    # The command shows the same fault again.
    words = shlex.split(found.command)
    done = run(*words[1:], "--json")
    assert "missed-single" in json.loads(done.stdout)["faults"]


def test_a_wrong_claim_is_refuted_by_a_layout_that_fits(folder: Path) -> None:
    one, example = find(folder, "count-not-reduced", "mine-claim")
    found = describe(one, example)
    position = Observation.parse(example.position)
    assert example.cell is not None
    if found.layout is None:
        assert example.cell in mine_probabilities(position).safe
    else:
        assert not found.layout.mines[example.cell]
        clues = found.layout.clues()
        assert all(clues[cell] == position.cells[cell] for cell in zip(*(position.cells >= 0).nonzero(), strict=True))


def test_a_counterexample_fits_the_clues() -> None:
    found = counterexample(Observation.parse("1##/###"), (1, 1), is_mine=True)
    assert found.mines[1, 1]
    assert int(found.clues()[0, 0]) == 1


def test_a_sound_submission_is_told_to_be(folder: Path) -> None:
    tally = play(folder, "sound", f"8x8/10 {WORDS}", n_games=16)
    assert {"safe-claim", "mine-claim", "missed-single", "missed-subset"}.isdisjoint(tally.faults)
    assert tally.claims[0] == tally.claims[1] > 100
    assert all(tally.found[level][0] == tally.found[level][1] for level in ("single", "subset"))
    assert not any(game[4] for game in tally.games)


@pytest.mark.parametrize(("name", "complete"), [("basic", LEVELS[:1]), ("statements", LEVELS[:2]), ("exact", LEVELS)])
def test_the_levels_are_those_of_our_own_agents(name: str, complete: tuple[str, ...]) -> None:
    total = Tally()
    for seed in range(40):
        total.add(play_judged(Rules.parse("6x6/9 survey first-any"), seed, make_agent(name, seed))[0])
    for level, (found, chances) in total.found.items():
        assert (found == chances) is (level in complete), (level, found, chances)
    assert {*complete} <= {*total.found}


class Claiming:
    """An agent of ours with its deductions as claims, as a foreign agent makes them."""

    def __init__(self, name: str, seed: int) -> None:
        self.agent = make_agent(name, seed)
        self.mines: set[Cell] = set()
        self.claims: tuple[frozenset[Cell], frozenset[Cell]] = frozenset(), frozenset()

    def decide(self, observation: Observation) -> Decision:
        decision = self.agent.decide(observation)
        self.mines |= {found.cell for found in decision.deductions if found.is_mine}
        self.claims = frozenset(self.mines), frozenset()
        return decision


@pytest.mark.parametrize(("name", "complete"), [("basic", LEVELS[:1]), ("statements", LEVELS[:2]), ("exact", LEVELS)])
def test_mines_are_counted_by_the_same_levels(name: str, complete: tuple[str, ...]) -> None:
    total = Tally()
    for seed in range(60):
        total.add(play_judged(Rules.parse("6x6/12 survey first-any no-cascade"), seed, Claiming(name, seed))[0])
    for level, (found, chances) in total.mines.items():
        assert (found == chances) is (level in complete), (level, found, chances)
        assert (f"missed-mine-{level}" in total.faults) is (found < chances)
    assert {*complete, "subset"} - {"pair", "cases"} <= {*total.mines}  # those come with safe cells


def test_who_claims_no_mines_and_need_not_misses_none() -> None:
    tally, _ = play_judged(Rules.parse("6x6/9 survey first-any"), 1, make_agent("exact", 1))
    assert sum(chances for _, chances in tally.mines.values()) > 0
    assert completeness(Submission("", "uci:MyAI.py"), tally, "single")[1] == (0, 0)
    assert completeness(Submission("", "cs50:minesweeper.py"), tally, "single")[1][1] > 0
    assert not any(kind.startswith("missed-mine") for kind in tally.faults)


def test_a_submission_that_hangs_is_not_waited_for_again_and_again(folder: Path) -> None:
    tally = play(folder, "endless-loop", n_games=12)
    assert len(tally.games) == 12
    assert sum(game[2] > 0 for game in tally.games) <= 6


def test_a_position_is_judged_alone(folder: Path) -> None:
    rules = Rules.parse("1x4/1 first-any total-hidden")
    verdict = judge_position(f"cs50:{folder / 'sound'}", Observation.parse("1#1#"), rules, 0, LIMITS)
    assert verdict.claims[0] == ((0, 1),)
    assert verdict.opened == (0, 3)
    assert not verdict.faults


def test_a_uci_agent_answers_for_the_clues_that_it_asked_for(tmp_path: Path) -> None:
    (tmp_path / "MyAI.py").write_text(submissions.UCI, "utf-8")
    name, rules = f"uci:{tmp_path}", Rules.parse("1x4/1 first-any")
    agent = ForeignAgent(name, 1, limits=LIMITS)
    assert agent.decide(Observation.parse("####/####/#### 1")).cell == (1, 2)  # where games begin
    # It opens the last cell without having asked for the clue beside it, or with it.
    assert judge_position(name, Observation.parse("#01# 1"), rules, 0, LIMITS).faults == {}
    found = judge_position(name, Observation.parse("###1 1"), rules, 0, LIMITS)
    assert {*found.faults} == {"opens-mine", "missed-count"}
    example = play_part(Part("games", name, 0, "7x7/6 first-opening no-cascade", 0, 12, 30.0, LIMITS)).examples
    smaller = shrink(name, example["opens-mine"], LIMITS)
    assert smaller.size < example["opens-mine"].size
    assert mine_probabilities(Observation.parse(smaller.position)).p_mine[smaller.cell] == 1.0


# -- a class --------------------------------------------------------------------------------------------------

SMALL = replace(
    Rubric.usual("cs50"),
    games=6,
    boards=((f"5x7/5 {WORDS}", 0.5), (f"5x5/6 survey {WORDS}", 0.5)),
    compare=("basic", "exact"),
    limits=LIMITS,
)


class Stop(Exception):
    pass


def test_an_interrupted_run_goes_on_where_it_was(folder: Path, tmp_path: Path) -> None:
    listed = [(name, f"cs50:{folder / name}") for name in ("sound", "exits")]

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise Stop

    notebook = Notebook(tmp_path / "grades.sqlite")
    with pytest.raises(Stop):
        grade(SMALL, listed, notebook, 1, stop)
    notebook.close()
    seen: list[int] = []
    notebook = Notebook(tmp_path / "grades.sqlite")
    made = grade(SMALL, listed, notebook, 1, lambda done, _: seen.append(done))
    assert seen[0] > 0
    whole = grade(SMALL, listed, Notebook(tmp_path / "other.sqlite"), 1)
    for one, other in zip(made.submissions, whole.submissions, strict=True):
        mine, theirs = grade_submission(made, one), grade_submission(whole, other)
        assert mine.shares == theirs.shares
        assert mine.points == theirs.points
    assert grade_submission(made, made.submissions[0]).total > grade_submission(made, made.submissions[1]).total


def test_the_command_grades_a_class(folder: Path, tmp_path: Path) -> None:
    few = tmp_path / "class"
    for name in ("sound", "does-not-load"):
        (few / name).mkdir(parents=True)
        (few / name / "minesweeper.py").write_text((folder / name / "minesweeper.py").read_text("utf-8"), "utf-8")
    (few / "nothing <b>").mkdir()
    (tmp_path / "rubric.toml").write_text(
        f'games = 4\nwords = "{WORDS}"\ncompare = ["exact"]\n[boards]\n"5x7/5" = 1\n"5x5/6 survey" = 1\n', "utf-8"
    )
    base = ("grade", "class", "--rubric", "rubric.toml", "--store", "g.sqlite", "--workers", "1")
    done = run(*base, "--html", "r.html", "--csv", "r.csv", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1].startswith("sound")
    assert "nothing <b> could not be run: There is no minesweeper.py in" in done.stdout
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "nothing &lt;b&gt;" in page
    assert "nothing <b>" not in page
    student = (tmp_path / "r-submissions" / "does-not-load.html").read_text("utf-8")
    assert "No module named &#x27;minesweeper_helpers&#x27;" in student
    assert len((tmp_path / "r.csv").read_text("utf-8").splitlines()) == 4
    again = json.loads(run(*base, "--json", folder=tmp_path).stdout)["submissions"]
    assert {one["name"]: one["games"] for one in again} == {"sound": 4, "does-not-load": 4, "nothing <b>": 0}
    gradescope = ("grade", "class/sound", *base[2:], "--results", "results.json")
    assert run(*gradescope, folder=tmp_path).returncode == 0
    results = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert results["score"] == pytest.approx(sum(test.get("score", 0) for test in results["tests"]), abs=0.05)
    assert all(test.keys() >= {"name", "output"} for test in results["tests"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "There is no file or folder nowhere."),
        (("exact",), "exact is an agent of Sapper; grade a submission."),
        ((".", "--rubric", "no.toml"), "There is no file no.toml."),
        ((".",), ". holds no submissions: a file or a folder for each, with minesweeper.py."),
        (("a.py", "--position", "1# opened 0,1"), "After opened, every open cell of the position must come once."),
        (("a.py", "--position", "1# opened x"), "After opened come cells such as 0,1 2,0, not 'x'."),
        (("a.py", "--position", "1#", "--html", "x.html"), "--html has no effect with --position; leave it out."),
        (("a.py", "b.py", "--results", "r.json"), "--results is for one submission; grade each of them by itself."),
        (("a.py", "c/a.py",), "Two submissions are called a."),
    ],
)  # fmt: skip
def test_wrong_input_is_a_sentence(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    if arguments[0] != ".":
        for name in ("a.py", "b.py", "c/a.py"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(submissions.SOUND, "utf-8")
    assert complaint("grade", *arguments, folder=tmp_path) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind = 'x'", "There is no kind of submission 'x'"),
        ("game = 3", "There is no game; choose from course, kind, games"),
        ("[points]\nsingles = 3", "There is no points.singles; choose from runs, sound"),
        ("[points.single]\npoints = 3\nnone = 1\nfull = 0.5", "points.single: none must be below full."),
        ("[boards]\n'8x8' = 1", "'8x8' is not a board"),
        ("[boards]\n'8x8/8' = 0", "boards must be a table of boards"),
        ("games = 0", "games must be a whole number of at least 1."),
        ("[limits]\nmove = -1", "limits must be numbers above 0."),
        ("games = ", "Invalid value"),
    ],
)
def test_a_wrong_rubric_is_explained(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text(text, "utf-8")
    assert re.match(f"r.toml: {re.escape(said)}", complaint("grade", ".", "--rubric", "r.toml", folder=tmp_path))


@pytest.mark.parametrize("name", ["cs50", "uci", "rutgers"])
def test_the_rubrics_of_the_three_courses_can_be_read(name: str) -> None:
    rubric = Rubric.read(str(RUBRICS / f"{name}.toml"))
    assert sum(n for _, n in rubric.plan()) == rubric.games == 200
    assert sum(one.points for one in rubric.points.values()) == 100
    assert rubric.course


def test_a_program_of_any_language_can_be_graded(tmp_path: Path) -> None:
    player = Path(__file__).parents[3] / "examples" / "players" / "player.py"
    agent = ForeignAgent(f"program:python3 {player}", 1)
    tally, _ = play_judged(Rules.parse("6x7/6 survey first-any"), 1, agent)
    assert tally.claims[0] == tally.claims[1] > 0
    assert tally.found["single"][0] == tally.found["single"][1]
