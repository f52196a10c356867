from __future__ import annotations

import contextlib
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import rules

from sapper.errors import InputError, SapperError
from sapper.layout import Layout
from sapper.play.record import Move, Record, read_record
from sapper.rules import Rules
from sapper.world.game import Game, Outcome


def random_record(some: Rules, seed: int) -> tuple[Record, Game]:
    game, rng, moves = Game(some, seed), np.random.default_rng(seed), []
    for number in range(60):
        if game.outcome is not Outcome.PLAYING:
            break
        move = Move(rng.choice(["open", "flag", "chord"]), int(rng.integers(some.rows)), int(rng.integers(some.cols)))
        with contextlib.suppress(SapperError):
            move.play(game)
            moves.append(Move(move.action, move.row, move.col, f"reason {number} | with: signs\nand lines"))
    return Record.of(game, tuple(moves), player="A. Player: the first"), game


@given(rules(), st.integers(0, 10**6))
def test_a_record_comes_back_and_replays_to_the_same_position(some: Rules, seed: int) -> None:
    record, game = random_record(some, seed)
    again = Record.parse(str(record))
    assert again == record
    assert again.final_game().observation == game.observation
    assert again.final_game().counters == game.counters


def test_a_given_layout_is_kept() -> None:
    game = Game(Rules(2, 2, 1), layout=Layout.parse("*-/--"))
    game.open(1, 1)
    record = Record.parse(str(Record.of(game, (Move("open", 1, 1),))))
    assert record.layout == game.layout
    assert record.final_game().observation == game.observation


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Line 1"),
        ("hello", "Line 1"),
        ("Sapper-Record: 1\nnonsense\n", "Line 2: 'nonsense'"),
        ("Sapper-Record: 1\nSeed: 1\nMoves:\n", "rules"),
        ("Sapper-Record: 1\nRules: 2x2/1\nMoves:\n", "seed"),
        ("Sapper-Record: 1\nRules: 2x2/1\nSeed: x\n", "'x' is not an integer"),
        ("Sapper-Record: 1\nRules: 2x2/1\nSeed: 1\nMoves:\njump 0,0\n", "Line 5: 'jump 0,0' is not a move"),
        ("Sapper-Record: 1\nRules: 2x2/1\nSeed: 1\nMoves:\nopen 0\n", "Line 5"),
        ("Sapper-Record: 1\nRules: 2x2/9\nSeed: 1\nMoves:\n", "9 mines"),
    ],
)
def test_wrong_records_are_named_with_their_line(text: str, says: str) -> None:
    with pytest.raises(SapperError, match=says):
        Record.parse(text)


def test_a_move_that_cannot_be_made_is_numbered() -> None:
    record = Record(Rules(3, 3, 1), 0, (Move("open", 0, 0), Move("open", 0, 0)))
    with pytest.raises(InputError, match=r"Move 2 \(open 0,0\) cannot be made"):
        record.final_game()


def test_a_record_that_counted_right_flags_alone_still_plays() -> None:
    text = "Sapper-Record: 1\nRules: 1x5/2 first-any\nSeed: 0\nLayout: *---*\n{}Moves:\nflag 0,0\nflag 0,4\nflag 0,2\n"
    assert Record.parse(text.format("Result: playing after 3 moves, score 1/2 so far\n")).final_game().n_identified == 1
    assert Record.parse(text.format("Result: playing after 3 moves, score 2/2 so far\n")).final_game().n_identified == 1
    with pytest.raises(InputError, match="playing it again gives 'playing after 3 moves, score 1/2 so far'"):
        Record.parse(text.format("Result: playing after 3 moves, score 0/2 so far\n")).final_game()


def test_a_result_that_does_not_come_true_is_noticed() -> None:
    record = Record(Rules(3, 3, 1), 0, (Move("open", 0, 0),), result="won after 9 moves, score 1/1")
    with pytest.raises(InputError, match="playing it again gives"):
        record.final_game()


@given(st.binary(max_size=80) | st.text(max_size=80).map(lambda text: ("Sapper-Record: 1\n" + text).encode()))
def test_any_bytes_give_a_record_or_our_own_error(data: bytes) -> None:
    with contextlib.suppress(SapperError):
        read_record(data)


@given(st.data())
def test_a_damaged_record_gives_a_record_or_our_own_error(data: st.DataObject) -> None:
    whole = (files("sapper") / "data" / "demo.record").read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    damaged = whole[:at] + data.draw(st.binary(max_size=3)) + whole[at + data.draw(st.integers(0, 3)) :]
    with contextlib.suppress(SapperError):
        read_record(damaged).final_game()


def test_the_demo_is_a_game_won() -> None:
    record = read_record((files("sapper") / "data" / "demo.record").read_bytes())
    assert record.final_game().outcome is Outcome.WON
    assert all(move.reason for move in record.moves)


def test_given_moves_lead_to_the_start_and_are_not_the_players_own() -> None:
    text = (
        "Sapper-Record: 1\nRules: 1x4/1 first-any\nSeed: 5\nLayout: *---\nGiven-Moves: 1\nMoves:\nopen 0,1\nopen 0,0\n"
    )
    record = Record.parse(text)
    assert (record.n_given, record.n_own, str(record)) == (1, 1, text)
    made = Record.of(record.final_game(), record.moves, n_given=1)
    assert made.result == "lost after 1 move, score 0/1"
    assert Record.parse(str(made)).final_game().outcome is Outcome.LOST
    for wrong in ("3", "-1", "two"):
        with pytest.raises(InputError, match="not an integer up to 2"):
            Record.parse(text.replace("Given-Moves: 1", f"Given-Moves: {wrong}"))
