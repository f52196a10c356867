"""Puzzles by name."""

from __future__ import annotations

import json

from command import Call

from sapper.experiments.reports.studies.backtracking import PUZZLES


def test_the_puzzles_of_the_report_have_a_name(call: Call) -> None:
    status, said, complaint = call("puzzle", "report-004", "--json")
    assert (status, complaint) == (0, "")
    answers = json.loads(said)
    assert [answer["position"] for answer in answers] == list(PUZZLES.values())
    assert all(answer["count"] == 1 for answer in answers)


def test_one_of_them_can_be_chosen(call: Call) -> None:
    said = call("puzzle", "report-004", "--number", "3")[1]
    assert said.startswith("Puzzle 3: 20 cells, 20 nodes expanded, 1 found.\n")
    assert call("puzzle", "report-004", "--number", "5") == (2, "", "sapper: There is no puzzle 5, only 4.\n")


def test_the_number_of_cells_agrees_with_its_word(call: Call) -> None:
    assert call("puzzle", "1# 1")[1].startswith("Puzzle 1: 1 cell, 1 node expanded, 1 found.\n")
