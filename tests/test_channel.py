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
from sapper.rules import Rules
from sapper.topology import topology
from sapper.world.game import Game
from sapper.world.generation import shown_clues


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
    [
        "",
        "loud",
        "withheld",
        "withheld:x",
        "withheld:1.5",
        "exact:0.1",
        "optimistic:0.1:redraws",
        "withheld:nan",
        "liar:",
        "liar:2",
    ],
)
def test_a_wrong_channel_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Channel.parse(text)


@pytest.mark.parametrize("kind", ["withheld", "optimistic", "cautious", "liar"])
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


@pytest.mark.parametrize(("text", "canonical"), [("liar", "liar"), ("liar:1", "liar"), ("liar:0.3", "liar:0.3")])
def test_a_liar_who_always_lies_needs_no_chance(text: str, canonical: str) -> None:
    assert str(Channel.parse(text)) == canonical
    assert Channel.parse(canonical) == Channel.parse(text)


@pytest.mark.parametrize("p", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("degree", range(16))
def test_a_liar_is_off_by_one_either_way_and_at_the_ends_the_only_way(degree: int, p: float) -> None:
    table = Channel("liar", p).likelihood(degree)
    for truth in range(degree + 1):
        expected = {truth: 1.0 - p}
        if degree == 0:
            expected = {0: 1.0}
        elif truth == 0:
            expected[1] = p
        elif truth == degree:
            expected[degree - 1] = p
        else:
            expected |= {truth - 1: p / 2, truth + 1: p / 2}
        assert table[:, truth].tolist() == pytest.approx([expected.get(shown, 0.0) for shown in range(degree + 2)])


def test_where_a_zero_may_lie_nothing_cascades() -> None:
    assert not Channel("liar", 0.1).zero_is_certain
    assert Channel("liar", 0.0).zero_is_certain
    game = Game(Rules.parse("5x5/0 liar"))
    assert game.open(2, 2) == [(2, 2)]
    assert game.observation.cells[2, 2] == 1
