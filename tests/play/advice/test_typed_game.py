"""A game by typed moves, without anybody who prints it."""

from __future__ import annotations

import pytest

from sapper.errors import IllegalMove, InputError
from sapper.layout import Layout
from sapper.play.advice.typed_game import TypedGame, read_move
from sapper.rules import Rules

RULES = Rules.parse("3x3/2 first-any")
LAYOUT = Layout.parse("*--/---/--*")


@pytest.mark.parametrize("line", ["", "x", "3", "jump 3,4", "3 4 5", "open 3", "open 1234567,0", "f", "open 3;4"])
def test_what_is_not_a_move_is_a_sentence(line: str) -> None:
    with pytest.raises(InputError, match=r"is not a move; type \? to see what you can type\."):
        read_move(line)


def test_a_move_that_cannot_be_made_changes_nothing() -> None:
    typed = TypedGame(RULES, 0, LAYOUT)
    typed.play(read_move("0 1"))
    with pytest.raises(IllegalMove):
        typed.play(read_move("0 1"))
    assert len(typed.moves) == 1


def test_undo_leads_back_through_the_same_game() -> None:
    typed = TypedGame(Rules.parse("beginner"), 7)
    seen = [str(typed.game.observation)]
    for line in ("8 8", "f 0 0", "f 0 0", "0 0"):
        typed.play(read_move(line))
        seen.append(str(typed.game.observation))
    while typed.moves:
        assert str(typed.game.observation) == seen.pop()
        typed.undo()
    assert [str(typed.game.observation)] == seen
    with pytest.raises(IllegalMove, match="no move to undo"):
        typed.undo()


def test_a_record_keeps_the_moves_that_were_not_taken_back() -> None:
    typed = TypedGame(RULES, 0, LAYOUT)
    for line in ("0 0", "0 1"):
        if typed.finished:
            typed.undo()
        typed.play(read_move(line))
    assert [str(move) for move in typed.record.moves] == ["open 0,1"]
    assert typed.record.layout == LAYOUT
    assert typed.record.final_game().observation == typed.game.observation


def test_where_nothing_is_certain_the_hint_is_the_least_risk_that_can_be_opened() -> None:
    typed = TypedGame(Rules.parse("1x4/2 first-any"), 0, Layout.parse("*-*-"))
    assert "uncertain" in typed.hint()
    typed.play(read_move("f 0 0"))
    assert "(0, 1) is uncertain" in typed.hint()


def test_there_is_no_hint_after_the_end() -> None:
    typed = TypedGame(RULES, 0, LAYOUT)
    typed.play(read_move("0 0"))
    with pytest.raises(IllegalMove, match="The game is over: lost"):
        typed.hint()
