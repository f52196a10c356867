"""Letters that the output lacks."""

from __future__ import annotations

import io

import pytest

from sapper.cli.terminal import in_letters_of_output


@pytest.mark.parametrize(("encoding", "shown"), [("ascii", "~ ~ ?"), ("utf-8", "… ± ☃"), ("latin-1", "~ ± ?")])
def test_a_letter_that_is_missing_is_replaced_by_one_that_looks_alike(
    encoding: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert in_letters_of_output("… ± ☃") == shown
