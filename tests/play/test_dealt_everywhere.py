"""Fair, kind and cruel boards wherever games are played; and where they are not, a sentence says so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sapper.agents.registry import make_agent
from sapper.env.minesweeper import MinesweeperEnv
from sapper.env.vector import MinesweeperVectorEnv
from sapper.errors import InputError, RulesError
from sapper.experiments.sweep import sweep
from sapper.play.advice.typed_game import TypedGame, read_move
from sapper.play.compiled import CompiledPlayer, ContinuingPlayer
from sapper.play.dealt import DealtGame, start_game
from sapper.play.match import play_match
from sapper.play.narrative import narrate_game
from sapper.play.noguess.generate import generate_no_guess
from sapper.play.record import Record
from sapper.play.review.review import review_record
from sapper.play.review.sentences import ReviewReport
from sapper.play.review.wins import appraise
from sapper.rules import Rules
from sapper.web.jobs.games import after_moves

FAIR = Rules.parse("6x6/9 fair")


def test_the_strong_win_every_fair_game_in_a_sweep() -> None:
    found = {row.agent: row.won.value for row in sweep(["exact", "random"], "6x6/9 fair", games=20).rows}
    assert found["exact"] == 1.0
    assert found["random"] < 1.0


def test_an_environment_plays_them_and_a_vector_says_that_it_does_not() -> None:
    env = MinesweeperEnv("6x6/9 kind")
    _, info = env.reset(seed=1)
    rng = np.random.default_rng(1)
    ended, n_hit = False, 0
    while not ended:
        _, reward, ended, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        n_hit += reward < 0
    assert n_hit == (env.game.outcome.value == "lost")
    with pytest.raises(RulesError, match="A vector plays laid boards"):
        MinesweeperVectorEnv(2, "6x6/9 kind")


def test_who_needs_a_layout_says_so() -> None:
    with pytest.raises(InputError, match="standard boards"):
        CompiledPlayer(FAIR)
    with pytest.raises(InputError, match="standard boards"):
        ContinuingPlayer(FAIR)
    with pytest.raises(InputError, match="have fixed mines; remove the word fair"):
        generate_no_guess(FAIR, 0, (0, 0))


def test_a_typed_game_says_whether_a_guess_was_forced() -> None:
    typed = TypedGame(Rules.parse("5x5/5 fair"), seed=3)
    assert typed.play(read_move("4 4")) == []
    assert typed.play(read_move("0 0")) == [
        "Not a forced guess: (1, 1) was safe because of the 1 at (2, 2) and the 2 at (2, 3). It was a mine."
    ]
    typed.undo()
    assert not typed.finished
    pair = TypedGame(Rules.parse("2x2/1 kind"), seed=0)
    pair.play(read_move("0 0"))
    assert pair.play(read_move("0 1")) == ["A forced guess: nothing was safe anywhere. It survived."]


def test_a_game_is_told() -> None:
    assert narrate_game(FAIR, "exact", 3).ending[0].startswith("Won after")


@pytest.mark.parametrize(
    ("setting", "verdict", "ending"),
    [
        ("fair", "mistake", "Lost by a mistake: "),
        ("cruel", "mistake", "Lost by a mistake: "),
        ("kind", "extra risk", ""),
    ],
)
def test_a_review_says_what_was_forced(setting: str, verdict: str, ending: str) -> None:
    record = Record.parse(f"Sapper-Record: 1\nRules: 5x5/5 {setting}\nSeed: 3\nMoves:\nopen 4,4\nopen 0,0\n")
    told = ReviewReport(appraise(review_record(record), n_games=10))
    assert [one.verdict for one in told.review.moves] == ["safe", verdict]
    assert told.ending.startswith(ending)
    assert "not forced: (1, 1) was safe because of the 1 at (2, 2)" in told.describe_move(1)[1]
    guess = told.plain_move(1)["guesses"][0]
    assert (guess["cell"], guess["forced"], guess["survived"]) == ((0, 0), False, setting == "kind")
    # Chances to win by playing on mean nothing where a guess is not left to chance.
    assert told.appraisal.lost is None
    assert not any("Win chance" in sentence for sentence in told.summary)


def test_forced_guesses_are_no_mistakes_however_risky() -> None:
    for seed in range(30):
        record = play_match(start_game(FAIR, seed), make_agent("infer", seed))
        for one in review_record(record).moves:
            if one.guesses and all(guess.judgement.is_forced for guess in one.guesses):
                assert one.verdict == "forced guess"
                assert one.extra_risk == 0.0


@pytest.mark.parametrize("setting", ["fair", "kind", "cruel"])
def test_a_dealt_game_goes_on_as_it_was_dealt(setting: str) -> None:
    rules = replace(FAIR, dealing=setting)  # type: ignore[arg-type]
    record = play_match(start_game(rules, 3), make_agent("exact", 3))
    told = after_moves(str(record), None, 2)
    assert told["rules"] == str(rules)
    assert told["layout"] is None
    # The same moves deal the same mines, so it is the same game from there on.
    again = start_game(rules, told["seed"])  # type: ignore[arg-type]
    for move in record.moves:
        move.play(again)
    assert again.layout == record.final_game().layout


@pytest.mark.parametrize("agent", ["exact", "basic"])
def test_a_trace_says_which_guesses_were_forced(agent: str) -> None:
    """An agent that looks at single clues alone guesses where something is safe."""
    said = set()
    for seed in range(8):
        told = narrate_game(replace(FAIR, dealing="kind"), agent, seed)
        assert isinstance(told.game, DealtGame)
        notes = [note for step in told.steps for note in step.notes if "orced guess: " in note]
        assert len(notes) == len(told.game.guesses)
        said |= {note.split(":")[0] for note in notes}
    assert said == {"exact": {"A forced guess"}, "basic": {"A forced guess", "Not a forced guess"}}[agent]
