"""Whole games on boards of one's own: whatever is played, kept, drawn, trained or learned elsewhere is here too."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from command import run
from own_boards import CROWD, MIXED, OWN_RULES, RING, crowd, mixed, ring

from sapper.agents.registry import make_agent
from sapper.draw.pixels import draw_pixels
from sapper.env import MinesweeperEnv
from sapper.errors import FormatError, GaveUp, InputError
from sapper.experiments.sweep import sweep
from sapper.formats import FORMATS, convert
from sapper.inference.proofs.explain import explain_certain
from sapper.layout import Layout
from sapper.observation import Observation
from sapper.play.advice.entries import read_entries, read_position
from sapper.play.match import play_match
from sapper.play.noguess.certificate import Certificate
from sapper.play.noguess.certify import certify
from sapper.play.noguess.generate import generate_no_guess
from sapper.play.noguess.verify import verify
from sapper.play.reading import read, rules_of, under_rules
from sapper.play.record import Record
from sapper.play.review.review import review_record
from sapper.rules import Rules
from sapper.train import KINDS, puzzle, read_link
from sapper.world.game import Game

BOARDS = pytest.mark.parametrize("text", OWN_RULES.values(), ids=OWN_RULES)


@BOARDS
def test_records_come_back_and_can_be_reviewed(text: str) -> None:
    rules = Rules.parse(text)
    for seed in range(3):
        record = play_match(Game(rules, seed), make_agent("exact", seed))
        again = Record.parse(str(record))
        assert again == record
        assert again.final_game().rules.topology == rules.topology
        assert len(review_record(record).moves) == len(record.moves)
        assert repr(record).startswith(f"<Record {rules.in_short}, seed {seed}")


@BOARDS
def test_boards_without_guesses_are_proved_from_paper(text: str) -> None:
    rules = Rules.parse(text)
    layout = generate_no_guess(rules, 1, (0, 0))
    certificate = certify(rules, layout, (0, 0))
    again = Certificate.parse(str(certificate))
    assert again == certificate
    verify(again)
    assert play_match(Game(rules, layout=layout), make_agent("exact")).result.startswith("won")


def test_hints_have_proofs() -> None:
    game = Game(Rules.parse(CROWD), 4)
    game.open(0, 0)
    found, n_certain = explain_certain(game.observation)
    assert (found is None) == (n_certain == 0)
    proved, _ = explain_certain(Observation.parse(f"2#1######### {RING.split()[1]}"))
    assert proved is not None
    assert "2 at (0, 0)" in str(proved)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("one-two", "pairs", "chain")])
def test_puzzles_have_links(kind: str) -> None:
    made = puzzle(kind, 5, board=Rules.on(mixed(8, 8), 8))  # type: ignore[arg-type]
    assert made.link.startswith(f"{kind}.8x8.8.own:")
    assert read_link(made.link).as_plain_values() == made.as_plain_values()


def test_a_board_without_one_two_says_so() -> None:
    with pytest.raises(GaveUp, match=r"This board, 1 x 12 own, has no one-two"):
        puzzle("one-two", 1, board=RING)


def test_the_environment_goes_as_far_as_the_clues_do() -> None:
    rules = Rules.on(crowd(4, 6), 18, opened_mine="explodes", first_click="any")
    env = MinesweeperEnv(rules, render_mode="rgb_array")
    assert env.task.observation_space().high.max() == 15
    assert MinesweeperEnv(Rules.on(ring(6), 2)).task.observation_space().high.max() == 8
    observation, _ = env.reset(seed=1)
    for action in range(24):
        observation, *_ = env.step(action)
        assert env.observation_space.contains(observation)
    assert observation.max() > 8
    assert env.render().shape == (64, 96, 3)  # type: ignore[union-attr]


def test_every_clue_has_a_picture_of_its_own() -> None:
    board = crowd(4, 5)
    cells = np.arange(20, dtype=np.int8).reshape(4, 5) % 15
    tiles = draw_pixels(Observation(board, cells)).reshape(4, 16, 5, 16, 3).swapaxes(1, 2).reshape(20, -1)
    assert len({tile.tobytes() for tile in tiles[:15]}) == 15


def test_experiments_keep_them(tmp_path: Path) -> None:
    store = tmp_path / "own.sqlite"
    played = sweep(["exact", "basic"], [Rules.parse(MIXED), Rules.parse(CROWD)], games=4, store=store)
    told: list[tuple[int, int]] = []
    kept = sweep(["exact", "basic"], [MIXED, CROWD], games=4, store=store, progress=lambda *done: told.append(done))
    assert str(kept) == str(played)
    assert told == [(16, 16)]  # nothing was left to play


def test_advice_reads_clues_beyond_eight() -> None:
    board = Observation(crowd(4, 6), np.full((4, 6), -1), 12)
    assert read_entries("a f", [(0, 0), (0, 1)], board) == {(0, 0): 10, (0, 1): 15}
    assert read_entries("row 1: 9a####", [], board) == {(1, 0): 9, (1, 1): 10}
    with pytest.raises(InputError, match="0-9, a-f, "):
        read_entries("0,0=g", [], board)
    rules = Rules.on(crowd(4, 6), 12)
    seen = read_position("a#####/######/######/###### 12", rules)
    assert under_rules(seen, rules) == seen
    assert rules_of(seen).topology == rules.topology


def test_the_command_takes_them_too() -> None:
    told = json.loads(run("trace", "--board", RING, "--agent", "exact", "--seed", "3", "--json").stdout)
    assert told["rules"] == RING
    assert "1x12/3 own" in run("trace", "--board", RING, "--agent", "exact", "--seed", "3").stdout
    assert (
        "(0, 0) touches (0, 1) and (0, 11)." in run("show", f"{12 * '#'} {RING.split()[1]}", "--around", "0,0").stdout
    )


def test_other_programs_files_refuse_them() -> None:
    position = Observation(ring(4), np.array([[1, -1, -1, -1]]), 1)
    with pytest.raises(FormatError, match=r"holds only square boards, not custom ones"):
        convert(position, FORMATS["csp"])


def test_a_position_of_letters_is_read_as_one() -> None:
    position = Observation(crowd(4, 5), Layout(crowd(4, 5), np.arange(20) % 3 > 0).clues())
    assert sum(symbol in "9abcdef" for symbol in str(position).split()[0]) > 10
    assert read(str(position)) == position
