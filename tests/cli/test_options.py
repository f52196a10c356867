"""The options that commands share, and how they are read."""

from __future__ import annotations

import pytest

from sapper.cli.options import first_cell, read_first
from sapper.errors import InputError
from sapper.rules import Rules


def test_the_first_cell_is_the_middle_unless_it_is_named() -> None:
    rules = Rules.parse("5x8/6")
    assert first_cell(rules, None) == (2, 4)
    assert first_cell(rules, "1,3") == (1, 3)
    with pytest.raises(InputError, match=r"There is no cell \(9, 9\)"):
        first_cell(rules, "9,9")


@pytest.mark.parametrize("text", ["", "3", "3,4,5", "a,b", "-1,2", "3;4", "1234567,0"])
def test_what_is_no_cell_is_answered_with_a_sentence(text: str) -> None:
    with pytest.raises(InputError, match=rf"--first should look like 3,4, not '{text}'\."):
        read_first(text)
