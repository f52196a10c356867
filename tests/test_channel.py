from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import channels

from sapper.channel import Channel
from sapper.errors import InputError
from sapper.layout import Layout
from sapper.observation import NO_CLUE
from sapper.topology import topology
from sapper.world.clues import shown_clues


@given(channels())
def test_the_text_form_comes_back(channel: Channel) -> None:
    assert Channel.parse(str(channel)) == channel


@given(channels(), st.integers(0, 8))
def test_every_truth_is_shown_as_something(channel: Channel, degree: int) -> None:
    table = channel.likelihood(degree)
    assert table.shape == (degree + 2, degree + 1)
    assert (table >= 0).all()
    np.testing.assert_allclose(table.sum(axis=0), 1.0)


def test_optimistic_never_exceeds_and_cautious_never_falls_short() -> None:
    assert not np.tril(Channel("optimistic", 0.5).likelihood(8)[:9], -1).any()
    assert not np.triu(Channel("cautious", 0.5).likelihood(8)[:9], 1).any()


@pytest.mark.parametrize(
    "text",
    ["", "loud", "withheld", "withheld:x", "withheld:1.5", "exact:0.1", "optimistic:0.1:redraws", "withheld:nan"],
)
def test_a_wrong_channel_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Channel.parse(text)


@pytest.mark.parametrize("kind", ["withheld", "optimistic", "cautious"])
def test_clues_are_drawn_with_the_stated_likelihood(kind: str) -> None:
    channel = Channel(kind, 0.4)  # type: ignore[arg-type]
    board = topology("torus", 100, 100)  # every cell has eight neighbours
    layout = Layout(board, np.random.default_rng(1).random(10_000) < 0.3)
    truths = layout.clues().ravel()
    counts = np.zeros((10, 9))
    for seed in range(30):
        shown = shown_clues(layout, channel, seed)
        np.add.at(counts, (np.where(shown == NO_CLUE, 9, shown), truths), 1)
    expected = channel.likelihood(8) * counts.sum(axis=0)
    assert not counts[expected == 0].any()
    often = expected > 20
    deviation = (counts[often] - expected[often]) ** 2 / expected[often]
    # A sum of some 40 squared deviations; the seeds are fixed, so this passes for ever or never.
    assert deviation.sum() < 2.5 * often.sum()


def test_a_cell_shows_the_same_clue_whatever_was_opened_before() -> None:
    layout = Layout(topology("square", 9, 9), np.arange(81) % 7 == 0)
    channel = Channel("withheld", 0.5, redraws=True)
    assert (shown_clues(layout, channel, 5) == shown_clues(layout, channel, 5)).all()
    assert (shown_clues(layout, channel, 5) != shown_clues(layout, channel, 5, query=1)).any()
    fixed = Channel("withheld", 0.5)
    assert (shown_clues(layout, fixed, 5) == shown_clues(layout, fixed, 5, query=1)).all()
