from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import rules as any_rules

from sapper.agents.registry import AGENTS, make_agent
from sapper.errors import Contradiction, IllegalMove, InputError, SapperError
from sapper.observation import EXPLODED, NO_CLUE, Observation
from sapper.play.advice.entries import looks_like_a_position, name_run, read_cell, read_entries, read_position
from sapper.play.advice.real_game import Advice
from sapper.play.reading import rules_of, under_rules
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

Cell = tuple[int, int]


def session(rules: str, agent: str = "exact", start: str | None = None) -> Advice:
    return Advice(Rules.parse(rules), make_agent(agent), None if start is None else Observation.parse(start))


def shown(game: Game, cells: tuple[Cell, ...]) -> dict[Cell, int]:
    return {cell: int(game.observation.cells[cell]) for cell in cells}


def follow(advice: Advice, game: Game) -> None:
    """Answer every question truthfully until the advice is at its end."""
    while not advice.finished:
        if game.outcome is not Outcome.PLAYING and not advice.asks_for_region:
            # A person whose game is won although the number of mines was never told.
            assert game.outcome is Outcome.WON
            assert game.observation.total is None
            advice.declare_won()
            return
        if not advice.asks_for_region:
            assert advice.decision.cell is not None
            game.open(*advice.decision.cell)
        advice.enter(shown(game, advice.asked))


# -- a real game ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(any_rules(), st.integers(0, 2**32), st.sampled_from(sorted(AGENTS)))
def test_an_advisor_of_a_real_game_ends_with_the_same_cells_open(rules: Rules, seed: int, agent: str) -> None:
    game, advice = Game(rules, seed), Advice(rules, make_agent(agent, seed))
    follow(advice, game)
    assert advice.observation == game.observation
    if rules.opened_mine == "ends":
        assert advice.outcome is game.outcome
    else:
        assert game.layout is not None or rules.mines in (0, rules.n_cells)
        assert advice.outcome is Outcome.FINISHED
    if advice.outcome is not Outcome.LOST and game.layout is not None:
        assert (game.layout.mines >= advice.observation.closed).all()


@pytest.mark.slow
@given(any_rules(), st.integers(0, 2**32), st.sampled_from(sorted(AGENTS)), st.data())
def test_any_entries_can_be_taken_back_at_any_time(rules: Rules, seed: int, agent: str, data: st.DataObject) -> None:
    game, advice = Game(rules, seed), Advice(rules, make_agent(agent, seed))
    follow(advice, game)
    truth = game.observation
    for n_back in data.draw(st.lists(st.integers(1, 5), max_size=4)):
        for _ in range(min(n_back, advice.n_entries)):
            advice.undo()
        for _ in range(data.draw(st.integers(0, 3))):
            if advice.finished:
                break
            cell = advice.decision.cell
            assert cell is not None
            assert advice.observation.closed[cell] or advice.observation.cells[cell] == NO_CLUE
            code = int(truth.cells[cell])
            if truth.closed[cell] or code == advice.observation.cells[cell]:
                break
            advice.enter({cell: code})
        known = ~advice.observation.closed
        silent = advice.observation.cells == NO_CLUE  # some have spoken later
        assert (advice.observation.cells == truth.cells)[known & ~silent].all()
    while advice.n_entries:
        advice.undo()
    assert advice.observation.closed.all()


def test_a_whole_expert_game_is_advised() -> None:
    rules = Rules.parse("expert")
    game, advice = Game(rules, 6), Advice(rules, make_agent("exact", 6))
    follow(advice, game)
    assert advice.outcome is game.outcome is Outcome.WON
    assert len(advice.mines) == 99


# -- what is asked --------------------------------------------------------------------------------------------


def test_a_zero_asks_for_its_region_row_by_row() -> None:
    advice = session("4x4/3")
    assert list(advice.asked) == [advice.decision.cell] == [(0, 0)]
    advice.enter({(0, 0): 0})
    assert advice.asks_for_region
    assert list(advice.asked) == [(0, 1)]
    advice.enter({(0, 1): 0})
    assert list(advice.asked) == [(0, 2)]
    advice.enter({(0, 2): 1})
    assert list(advice.asked) == [(1, 0), (1, 1), (1, 2)]
    advice.enter({(1, 0): 1, (1, 1): 1, (1, 2): 2})
    assert advice.region == ()


def test_a_region_that_nobody_wants_to_type_is_advised_cell_by_cell() -> None:
    advice = session("4x4/3")
    advice.enter({(0, 0): 0})
    advice.skip_region()
    assert not advice.asks_for_region
    assert advice.asked == (advice.decision.cell,)
    assert advice.risk == 0.0
    advice.enter({(0, 1): 1})
    assert not advice.asks_for_region
    advice.enter({(1, 0): 0})
    assert advice.asks_for_region


@pytest.mark.parametrize("rules", ["4x4/3 no-cascade", "4x4/3 optimistic:0.5", "4x4/3 liar"])
def test_without_a_cascade_a_zero_asks_for_nothing_more(rules: str) -> None:
    advice = session(rules)
    advice.enter({(0, 0): 0})
    assert advice.region == ()
    assert not advice.asks_for_region


def test_another_cell_can_be_opened_instead() -> None:
    advice = session("4x4/3")
    advice.ask((2, 2))
    assert advice.asked == ((2, 2),)
    advice.undo()
    assert advice.asked == ((0, 0),)
    advice.ask((2, 2))
    advice.enter({(2, 2): 3})
    assert advice.asked == (advice.decision.cell,)
    with pytest.raises(IllegalMove, match=r"\(2, 2\) is open already"):
        advice.ask((2, 2))
    with pytest.raises(InputError, match="no cell"):
        advice.ask((4, 0))


def test_a_certain_mine_is_not_opened_instead() -> None:
    advice = session("1x4/1", start="1### 1")
    with pytest.raises(IllegalMove, match=r"\(0, 1\) is a mine because of the 1 at \(0, 0\)"):
        advice.ask((0, 1))


def test_a_silent_cell_may_be_asked_again_where_that_helps() -> None:
    advice = session("2x6/2 first-any withheld:0.5:redraws", "search")
    advice.enter({(0, 0): NO_CLUE, (0, 1): 0})
    while advice.asks_for_region:
        advice.enter(dict.fromkeys(advice.asked, NO_CLUE))
    assert advice.decision.cell in ((0, 2), (1, 2))  # silent, and beside what is unknown
    assert advice.risk == 0.0
    advice.ask((0, 0))
    advice.enter({(0, 0): NO_CLUE})
    advice.enter({(0, 0): 0})
    with pytest.raises(IllegalMove, match="open already and shows 0, not 1"):
        advice.enter({(0, 0): 1})
    fixed = session("2x6/2 withheld:0.5")
    fixed.enter({(0, 0): NO_CLUE})
    with pytest.raises(IllegalMove, match="open already"):
        fixed.enter({(0, 0): 1})


# -- what is known --------------------------------------------------------------------------------------------


def test_new_mines_are_those_since_the_last_entry() -> None:
    advice = session("1x6/2", start="###### 2")
    advice.enter({(0, 0): 1})
    assert advice.new_mines == ((0, 1),)
    advice.enter({(0, 2): 2})
    assert list(advice.mines) == [(0, 1), (0, 3)]
    assert list(advice.new_mines) == [(0, 3)]
    advice.undo()
    assert list(advice.mines) == [(0, 1)]


def test_the_risk_is_exact_whoever_advises() -> None:
    start = "1##/### 2"
    exact = session("2x3/2", "exact", start)
    assert exact.risk == pytest.approx(1 / 3)
    product = session("2x3/2", "random", start)
    assert product.decision.p_mine is None
    cell = product.decision.cell
    assert cell is not None
    assert product.posterior is not None
    assert product.risk == product.posterior.p_mine[cell]


def test_the_first_click_policy_is_believed() -> None:
    assert session("9x9/10").risk == 0.0
    assert session("9x9/10 first-any").risk == pytest.approx(10 / 81)
    with pytest.raises(IllegalMove, match="promise that the first cell is not a mine"):
        session("9x9/10").enter({(4, 4): EXPLODED})
    with pytest.raises(IllegalMove, match="promise that the first cell is a zero"):
        session("9x9/10 first-opening").enter({(4, 4): 1})
    lost = session("9x9/10 first-any")
    lost.enter({(4, 4): EXPLODED})
    assert lost.outcome is Outcome.LOST


def test_a_position_too_hard_to_sum_is_advised_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from sapper.errors import TooHard
    from sapper.play.advice import real_game as module

    def give_up(observation: Observation) -> None:
        raise TooHard("too hard", 99)

    monkeypatch.setattr(module, "mine_probabilities", give_up)
    rules = Rules.parse("5x5/4")
    game, advice = Game(rules, 3), Advice(rules, make_agent("exact"))
    follow(advice, game)
    assert advice.posterior is None
    assert advice.outcome is game.outcome
    if advice.outcome is Outcome.WON:
        assert advice.observation == game.observation


# -- ends -----------------------------------------------------------------------------------------------------


def test_a_mine_ends_a_classic_game_and_can_be_taken_back() -> None:
    advice = session("2x2/1 first-any")
    advice.enter({(0, 0): EXPLODED})
    assert advice.outcome is Outcome.LOST
    assert advice.decision.cell is None
    assert advice.asked == ()
    with pytest.raises(IllegalMove, match="over"):
        advice.enter({(0, 1): 1})
    advice.undo()
    advice.enter({(0, 0): 1})
    assert not advice.finished


def test_a_survey_goes_on_after_a_mine() -> None:
    advice = session("2x2/2 survey first-any")
    advice.enter({(0, 0): EXPLODED})
    assert not advice.finished
    advice.enter({(0, 1): 2})
    assert not advice.finished
    advice.enter({(1, 0): 2})
    assert advice.outcome is Outcome.FINISHED
    assert advice.mines == ((1, 1),)


def test_a_game_with_a_hidden_total_may_be_declared_won() -> None:
    advice = session("1x3/1 total-hidden first-any", "basic", "1##")
    assert not advice.finished
    advice.declare_won()
    assert advice.outcome is Outcome.WON
    assert advice.mines == ((0, 1), (0, 2))
    advice.undo()
    assert not advice.finished
    with pytest.raises(IllegalMove, match=r"1 safe cell is still hidden, by the total of 1 mine"):
        session("1x3/1", start="1## 1").declare_won()


def test_a_silent_cell_taken_back_is_hidden_for_the_agent_too() -> None:
    advice = session("1x2/1 survey first-any total-hidden withheld:0.5", "random")
    advice.enter({(0, 0): NO_CLUE})
    advice.undo()
    advice.enter({(0, 1): NO_CLUE})
    assert advice.decision.cell == (0, 0)


def test_undo_without_an_entry_is_refused() -> None:
    with pytest.raises(IllegalMove, match="nothing to undo"):
        session("4x4/3").undo()


# -- what is refused, and changes nothing ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entries", "error", "says"),
    [
        ({(0, 1): 0}, Contradiction, r"\(0, 1\) is a mine because of the 1 at \(0, 0\)"),
        ({(0, 2): EXPLODED}, Contradiction, r"\(0, 2\) is safe because of the 1 at \(0, 0\)"),
        ({(0, 2): 2}, Contradiction, r"the 1 at \(0, 0\) and the total of 1 mine|the 2 at \(0, 2\)"),
        ({(0, 2): 1, (0, 3): 1}, Contradiction, "cannot"),
        ({(0, 0): 1}, IllegalMove, r"\(0, 0\) is open already\."),
        ({(0, 0): 0}, IllegalMove, "open already and shows 1, not 0"),
        ({(0, 2): NO_CLUE}, IllegalMove, "must show a clue"),
        ({(0, 4): 0}, InputError, "no cell"),
        ({(0, 2): 3}, InputError, "the clue 3 touches only 2 cells"),
        ({(0, 2): -1}, InputError, "not something that an open cell shows"),
        ({(0, 2): 77}, InputError, "not something that an open cell shows"),
        ({(0, 2): 1, (0, 0): 0}, IllegalMove, "open already"),
        ({}, IllegalMove, "nothing"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    entries: dict[Cell, int], error: type[SapperError], says: str
) -> None:
    advice = session("1x4/1", start="1### 1")
    before, decision = advice.observation, advice.decision
    with pytest.raises(error, match=says):
        advice.enter(entries)
    assert advice.observation is before
    assert advice.decision is decision
    assert advice.n_entries == 0
    advice.enter({(0, 2): 1})


def test_more_explosions_than_mines_are_refused() -> None:
    advice = session("1x4/1 survey", start="*### 1")
    assert advice.finished is False
    with pytest.raises(InputError, match="more than the total"):
        advice.enter({(0, 2): EXPLODED})


@pytest.mark.slow
@given(any_rules(), st.integers(0, 2**32), st.data())
def test_nonsense_is_refused_with_an_error_of_ours(rules: Rules, seed: int, data: st.DataObject) -> None:
    advice = Advice(rules, make_agent("exact", seed))
    cells = st.tuples(st.integers(0, rules.rows), st.integers(0, rules.cols))
    for _ in range(4):
        before = advice.observation
        entries = data.draw(st.dictionaries(cells, st.sampled_from([EXPLODED, NO_CLUE, *range(9)]), max_size=3))
        try:
            advice.enter(entries)
        except SapperError:
            assert advice.observation is before
        else:
            assert all(advice.observation.cells[cell] == code for cell, code in entries.items())


# -- positions ------------------------------------------------------------------------------------------------


def test_a_position_replaces_what_is_known_and_can_be_taken_back() -> None:
    advice = session("2x3/1")
    advice.enter({(0, 0): 1})
    advice.replace(Observation.parse("F1#/### 1"))
    assert str(advice.observation) == "#1#/### 1"
    advice.undo()
    assert str(advice.observation) == "1##/### 1"


@pytest.mark.parametrize(
    ("position", "says"),
    [
        ("##/## 1", "another board"),
        ("###/### 2", "says 2 mines"),
        ("###/### 1 torus", "another board"),
        ("###/### 1 withheld:0.5", "withheld"),
    ],
)
def test_a_position_of_another_game_is_refused(position: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        under_rules(Observation.parse(position), Rules.parse("2x3/1"))
    with pytest.raises(InputError, match="unknown"):
        under_rules(Observation.parse("###/### 1"), Rules.parse("2x3/1 total-hidden"))


def test_a_position_takes_what_it_leaves_out_from_the_rules() -> None:
    rules = Rules.parse("2x3/1 torus withheld:0.5")
    assert str(under_rules(read_position("1##/.##", rules), rules)) == "1##/.## 1 torus withheld:0.5"


@pytest.mark.parametrize(
    "text", ["1#/## 1", "1#/##", "1*/## 2 torus", "1#/.# 1 hex withheld:0.5", "1##/###/### 2 knight liar"]
)
def test_the_rules_of_a_position_allow_it(text: str) -> None:
    position = Observation.parse(text)
    assert under_rules(position, rules_of(position)) == position
    assert (rules_of(position).opened_mine == "explodes") == ("*" in text)


# -- typed entries --------------------------------------------------------------------------------------------

BOARD = Observation.parse("###/### 2")


@pytest.mark.parametrize(
    ("line", "asked", "read"),
    [
        ("2", [(0, 1)], {(0, 1): 2}),
        ("mine", [(0, 1)], {(0, 1): EXPLODED}),
        ("MINE", [(0, 1)], {(0, 1): EXPLODED}),
        (" * ", [(0, 1)], {(0, 1): EXPLODED}),
        (".", [(0, 1)], {(0, 1): NO_CLUE}),
        ("1 2 0", [(0, 0), (0, 1), (0, 2)], {(0, 0): 1, (0, 1): 2, (0, 2): 0}),
        ("1,2,0", [(0, 0), (0, 1), (0, 2)], {(0, 0): 1, (0, 1): 2, (0, 2): 0}),
        ("1 mine", [(0, 0), (0, 1)], {(0, 0): 1, (0, 1): EXPLODED}),
        ("0,1=2 1,2=.", [], {(0, 1): 2, (1, 2): NO_CLUE}),
        ("0,1=2,1,2=0", [], {(0, 1): 2, (1, 2): 0}),
        ("(0, 1) = 2; (1, 2) = mine", [], {(0, 1): 2, (1, 2): EXPLODED}),
        ("at 0,1 2", [], {(0, 1): 2}),
        ("at 0 1 2", [], {(0, 1): 2}),
        ("at (0, 1) mine", [], {(0, 1): EXPLODED}),
        ("row 1: 0#2", [], {(1, 0): 0, (1, 2): 2}),
        ("row 1 : 0 F *", [], {(1, 0): 0, (1, 2): EXPLODED}),
        ("Row 1 0f*", [], {(1, 0): 0, (1, 2): EXPLODED}),
    ],
)
def test_typed_lines_are_read(line: str, asked: list[Cell], read: dict[Cell, int]) -> None:
    assert read_entries(line, asked, BOARD) == read


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "takes 2 symbols, not 0"),
        ("1", "row 0, columns 0-1 takes 2 symbols, not 1"),
        ("112", "takes 2 symbols, not 3"),
        ("19", "'9' is not something"),
        ("1#", "'#' is not something"),
        ("hello", "'hello' is not an answer"),
        ("0,0=1 x", "'x' is not a pair"),
        ("0,0=1 0,0=2", "given two different values"),
        ("0,0=9", "'9' is not something"),
        ("0,0=", "is not a pair"),
        ("row 1: 01", "takes 3 symbols, not 2"),
        ("row 1: 01x", "Row 1, column 2: 'x' is not one of"),
        ("row 7: 011", "no cell"),
        ("row x", "is not an answer"),
        ("at 0,0", "is not an answer"),
        ("at 0,0 q", "'q' is not something"),
    ],
)
def test_slips_are_answered_with_a_sentence(line: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        read_entries(line, [(0, 0), (0, 1)], BOARD)
    assert says in str(caught.value)


@given(st.text(max_size=30))
def test_any_line_is_read_or_refused(line: str) -> None:
    try:
        read = read_entries(line, [(0, 0)], BOARD)
    except InputError:
        return
    assert all(code in (EXPLODED, NO_CLUE) or 0 <= code <= 8 for code in read.values())


def test_cells_and_positions_are_told_from_the_rest() -> None:
    assert read_cell("3,4") == read_cell(" (3, 4) ") == read_cell("3 4") == (3, 4)
    with pytest.raises(InputError, match="is not a cell"):
        read_cell("3")
    assert looks_like_a_position("1#/## 1", Rules.parse("2x2/1"))
    assert looks_like_a_position("1### 1", Rules.parse("1x4/1"))
    assert not looks_like_a_position("2", Rules.parse("2x2/1"))
    assert name_run([(1, 2)]) == "(1, 2)"
