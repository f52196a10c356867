"""Games whose mines are dealt as they are played: what a guess meets, how games end, and that records replay."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from dealing import Dealer, Ending
from effort import times
from own_boards import MIXED

from sapper.agents.registry import make_agent
from sapper.errors import RulesError
from sapper.inference import forced
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.workspace import Budget
from sapper.kernels.codes import MINE, SAFE
from sapper.layout import Layout
from sapper.observation import EXPLODED
from sapper.play import dealt as fair_game
from sapper.play.dealt import DealtGame, start_game
from sapper.play.match import play_match
from sapper.play.record import Move, Record
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

N_GAMES = times(200, 800)
OWN = "1x7/3 own:1,3,6/2/3,5/4/5/6 first-any"  # a ring with two chords


def play_out(game: Game, is_patient: bool) -> None:
    """Open cells by their number: what is safe first, or whatever is not certainly a mine."""
    while game.outcome is Outcome.PLAYING:
        verdicts = mine_probabilities(game.observation).verdicts.ravel()
        safe = np.flatnonzero(verdicts == SAFE)
        unproved = np.flatnonzero(game.observation.closed.ravel() & (verdicts != MINE))
        game.open(*game.rules.topology.cell(safe[0] if is_patient and len(safe) else unproved[0]))


def is_likely(counted: Counter[Ending], expected: dict[Ending, float]) -> bool:
    """Whether counts may well come from these chances, by chi-square in Wilson and Hilferty's form, at five sigma."""
    n = counted.total()
    statistic = sum((counted[one] - n * p) ** 2 / (n * p) for one, p in expected.items())
    degrees = len(expected) - 1
    if degrees == 0:
        return statistic == 0
    spread = 2 / (9 * degrees)
    return (math.cbrt(statistic / degrees) - (1 - spread)) / math.sqrt(spread) < 5.0


@pytest.mark.slow
@pytest.mark.parametrize("is_patient", [True, False], ids=["patient", "hasty"])
@pytest.mark.parametrize("setting", ["fair", "kind", "cruel"])
@pytest.mark.parametrize(
    "board",
    [
        "2x3/2 first-any",
        "2x4/3 first-safe",
        "3x3/2 hex first-any",
        "2x5/3 first-opening",
        "1x7/3 own:1,3,6/2/3,5/4/5/6 first-any",
    ],
)
def test_games_end_as_often_as_they_should(board: str, setting: str, is_patient: bool) -> None:
    rules = Rules.parse(f"{board} {setting}")
    topology = rules.topology
    around = [topology.neighbours_of(cell) for cell in range(topology.n_cells)]
    reserved = {"any": [], "safe": [0], "opening": [0, *around[0]]}[rules.first_click]
    expected = Dealer(setting, around, rules.mines, is_patient).endings(frozenset(reserved))
    counted: Counter[Ending] = Counter()
    for seed in range(N_GAMES):
        game = DealtGame(rules, seed)
        if reserved:
            game.open(0, 0)
        play_out(game, is_patient)
        assert game.layout is not None
        counted[Ending(frozenset(game.layout.mine_numbers()), game.outcome is Outcome.WON)] += 1
    assert sum(expected.values()) == 1
    possible = {one: float(p) for one, p in expected.items() if p}
    assert not counted.keys() - possible.keys()
    assert is_likely(counted, possible)


@pytest.mark.parametrize(
    "board", ["5x6/8", "6x6/9 torus", "6x6/10 hex", "4x8/9 first-any", "6x5/8 first-opening no-cascade", MIXED]
)
def test_whoever_opens_what_is_safe_first_never_loses_a_fair_game(board: str) -> None:
    n_guesses = 0
    rng = np.random.default_rng(0)
    for seed in range(60):
        game = DealtGame(Rules.parse(f"{board} fair"), seed)
        while game.outcome is Outcome.PLAYING:
            verdicts = mine_probabilities(game.observation).verdicts.ravel()
            safe = np.flatnonzero(verdicts == SAFE)
            unproved = np.flatnonzero(game.observation.closed.ravel() & (verdicts != MINE))
            if game.layout is None or not len(safe):
                safe = unproved
            game.open(*game.rules.topology.cell(rng.choice(safe)))
        assert game.outcome is Outcome.WON
        assert all(guess.survived and guess.judgement.verdict == "nothing-safe" for guess in game.guesses)
        n_guesses += len(game.guesses)
    assert n_guesses > 10


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["fair", "kind", "cruel"])
def test_a_guess_meets_what_its_setting_says(setting: str) -> None:
    """A player who opens any cell that may be clear."""
    rng = np.random.default_rng(1)
    guesses = []
    for seed in range(250):
        game = DealtGame(Rules.parse(f"6x6/9 {setting}"), seed)
        while game.outcome is Outcome.PLAYING:
            verdicts = mine_probabilities(game.observation).verdicts.ravel()
            choices = np.flatnonzero(game.observation.closed.ravel() & (verdicts != MINE))
            if game.layout is not None and rng.random() < 0.9 and (verdicts == SAFE).any():
                choices = np.flatnonzero(verdicts == SAFE)
            game.open(*game.rules.topology.cell(rng.choice(choices)))
        assert (game.outcome is Outcome.LOST) == any(not guess.survived for guess in game.guesses)
        guesses += game.guesses
    forced = [guess for guess in guesses if guess.judgement.is_forced]
    unforced = [guess for guess in guesses if guess.judgement.verdict == "unforced"]
    assert len(forced) > 50
    assert len(unforced) > 50
    assert len(forced) + len(unforced) == len(guesses)
    assert all(guess.survived is (setting == "kind") for guess in unforced)
    if setting != "cruel":
        assert all(guess.survived for guess in forced)
        return
    p = np.array([guess.p_mine for guess in forced], dtype=float)
    n_lost = sum(not guess.survived for guess in forced)
    assert abs(n_lost - p.sum()) < 3.5 * math.sqrt((p * (1 - p)).sum())


@pytest.mark.slow
def test_what_is_pencilled_in_always_fits_what_is_shown() -> None:
    rules = Rules.parse("5x5/6 kind")
    rng = np.random.default_rng(2)
    for seed in range(40):
        game = DealtGame(rules, seed)
        while game.outcome is Outcome.PLAYING:
            verdicts = mine_probabilities(game.observation).verdicts
            game.open(*rng.choice(np.argwhere(game.observation.closed & (verdicts != MINE))).tolist())
            shown = game.observation.cells
            assert game.layout is not None
            assert game.layout.n_mines == rules.mines
            assert np.array_equal(game.layout.clues()[shown >= 0], shown[shown >= 0])
            assert not game.layout.mines[shown >= 0].any()
        assert game.outcome is Outcome.WON


def test_a_certain_mine_is_a_mine_in_every_setting() -> None:
    for setting in ("fair", "kind", "cruel"):
        game = DealtGame(Rules.parse(f"1x3/2 {setting}"), seed=0)
        game.open(0, 0)
        assert game.outcome is Outcome.WON
        game = DealtGame(Rules.parse(f"1x4/2 {setting}"), seed=0)
        game.open(0, 1)
        verdicts = mine_probabilities(game.observation).verdicts
        if (verdicts == MINE).any():
            game.open(*np.argwhere(verdicts == MINE)[0].tolist())
            assert game.outcome is Outcome.LOST
            assert game.guesses == []


def test_the_first_click_is_no_guess_where_it_is_promised() -> None:
    for words, n_guesses in (("first-safe", 0), ("first-opening", 0), ("first-any", 1)):
        for seed in range(30):
            game = DealtGame(Rules.parse(f"4x4/4 fair {words}"), seed)
            game.open(1, 1)
            assert game.outcome is not Outcome.LOST
            assert len(game.guesses) == n_guesses
            assert words != "first-opening" or game.observation.cells[1, 1] == 0


def test_a_chord_opens_its_cells_one_after_the_other() -> None:
    for seed in range(200):
        game = DealtGame(Rules.parse("3x3/2 fair first-any"), seed)
        game.open(1, 1)
        assert game.observation.cells[1, 1] == 2
        # Two flags on a guess; the other six are guesses too, of which only the first is forced.
        game.flag(0, 0)
        game.flag(0, 1)
        game.chord(1, 1)
        assert game.guesses[1].judgement.verdict == "nothing-safe"
        assert game.guesses[1].survived
        if game.outcome is Outcome.LOST:
            assert (game.observation.cells == EXPLODED).sum() == 1
            return
    pytest.fail("no chord met a mine")


@pytest.mark.parametrize("setting", ["fair", "kind", "cruel"])
@pytest.mark.parametrize("agent", ["exact", "random"])
def test_records_replay(setting: str, agent: str) -> None:
    rules = Rules.parse(f"9x9/20 {setting}")
    for seed in range(12):
        game = start_game(rules, seed)
        record = play_match(game, make_agent(agent, seed), player=agent)
        assert record.layout is None
        again = Record.parse(str(record)).final_game()
        assert isinstance(again, DealtGame)
        assert isinstance(game, DealtGame)
        assert again.observation == game.observation
        assert again.layout == game.layout
        assert again.guesses == game.guesses


def test_moves_taken_back_and_made_again_meet_the_same() -> None:
    rules = Rules.parse("6x6/9 fair")
    moves = [Move("open", 2, 2), Move("open", 0, 0), Move("open", 5, 5), Move("open", 0, 5)]
    seen = []
    for _ in range(2):
        game = DealtGame(rules, 5)
        for move in moves:
            if game.outcome is Outcome.PLAYING and game.observation.closed[move.row, move.col]:
                move.play(game)
        seen.append((game.observation, game.layout))
    assert seen[0] == seen[1]


def test_where_it_is_too_hard_the_pencilled_layout_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forced, "BUDGET", Budget(states=1, megabytes=1))
    monkeypatch.setattr(fair_game, "BUDGET", Budget(states=1, megabytes=1))
    game = DealtGame(Rules.parse("15x31/80 kind no-cascade"), seed=0)
    # A lattice of clues that share cells, all of them open at once; then whatever is left.
    lattice = [(row, col) for row in range(1, 15, 2) for col in range(1, 31, 2)]
    others = [(row, col) for row in range(15) for col in range(31) if (row, col) not in lattice]
    for cell in (*lattice, *others):
        if game.outcome is Outcome.PLAYING:
            layout = game.layout
            game.open(*cell)
            if game.guesses and game.guesses[-1].cell == cell and game.guesses[-1].p_mine is None:
                assert game.layout is layout
                assert layout is not None
                assert game.guesses[-1].survived == (not layout.mines[cell])
    verdicts = Counter((guess.judgement.verdict, guess.survived) for guess in game.guesses)
    assert verdicts["too-hard", True] > 0
    assert verdicts["too-hard", False] == 1
    assert game.outcome is Outcome.LOST


def test_a_laid_game_and_a_dealt_one_are_not_mistaken_for_each_other() -> None:
    with pytest.raises(RulesError, match="start_game"):
        Game(Rules.parse("beginner fair"))
    with pytest.raises(RulesError):
        DealtGame(Rules.parse("beginner"))
    with pytest.raises(RulesError, match="mines of a given layout are fixed"):
        start_game(Rules.parse("1x3/1 kind"), 0, Layout.parse("*--"))
    assert type(start_game(Rules.parse("beginner"))) is Game
