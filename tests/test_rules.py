from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import rules

from sapper.errors import InputError, RulesError, SapperError
from sapper.rules import PRESETS, Rules


@given(rules())
def test_the_text_form_comes_back(some: Rules) -> None:
    assert Rules.parse(str(some)) == some


def test_the_presets_are_the_usual_boards() -> None:
    sizes = {name: (rules.rows, rules.cols, rules.mines) for name, rules in PRESETS.items()}
    assert sizes == {
        "beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (16, 30, 99), "report-000": (4, 4, 6),
        "report-000-total": (4, 4, 6), "report-000-uncertain": (5, 5, 15), "report-001": (16, 16, 40),
        "report-002": (16, 16, 40), "report-003": (10, 10, 20), "report-003-play": (5, 5, 6), "report-004": (6, 6, 10),
    }  # fmt: skip
    assert all(Rules.parse(str(rules)) == rules for rules in PRESETS.values())


def test_a_density_becomes_the_nearest_count() -> None:
    assert Rules.with_density(10, 10, 0.126).mines == 13
    with pytest.raises(RulesError, match="density"):
        Rules.with_density(10, 10, 1.2)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", "empty"),
        ("gigantic", "gigantic"),
        ("9x9", "9x9"),
        ("9x9/82", "82 mines"),
        ("9x9/81 first-safe", "leave no room"),
        ("3x3/6 first-opening", "leave no room"),
        ("0x9/0", "at least one row"),
        ("2000x2000/1", "the limit is 1,000,000"),
        ("9x9/10 sideways", "sideways"),
        ("9x9/10 withheld:2", "between 0 and 1"),
        ("99999999999x1/1", "is not a board"),
        ("expert torus hex", "The rules say both 'torus' and 'hex'; remove one of them."),
        ("expert hex square", "both 'hex' and 'square'"),
        ("9x9/10 survey classic", "both 'survey' and 'classic'"),
        ("9x9/10 first-any first-opening", "both 'first-any' and 'first-opening'"),
        ("9x9/10 no-cascade cascade", "both 'no-cascade' and 'cascade'"),
        ("9x9/10 total-hidden total-known", "both 'total-hidden' and 'total-known'"),
        ("9x9/10 withheld:0.1 cautious:0.2", "both 'withheld:0.1' and 'cautious:0.2'"),
        ("9x9/10 torus torus", "both 'torus' and 'torus'"),
    ],
)
def test_wrong_rules_are_named(text: str, names: str) -> None:
    with pytest.raises(SapperError, match=names):
        Rules.parse(text)


def test_a_board_full_of_mines_promises_nothing() -> None:
    assert Rules.parse("9x9/81").first_click == "any"


def test_a_word_may_change_what_a_preset_says() -> None:
    assert Rules.parse("report-000 classic total-known").opened_mine == "ends"


def test_words_may_come_in_any_order() -> None:
    assert Rules.parse("3x3/1 torus survey first-any") == Rules.parse("3x3/1 first-any torus survey")


def test_negative_mines_are_refused() -> None:
    with pytest.raises(RulesError, match="-1 mines"):
        Rules(3, 3, -1)
    with pytest.raises(RulesError, match=r"integer, not 2\.5"):
        Rules(3, 3, 2.5)  # type: ignore[arg-type]


def test_unknown_choices_are_refused_by_name() -> None:
    with pytest.raises(RulesError, match="There is no first-click policy 'kind'"):
        Rules(3, 3, 1, first_click="kind")  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="topology"):
        Rules(3, 3, 1, shape="moebius")  # type: ignore[arg-type]


@given(st.text(max_size=40))
def test_any_text_gives_rules_or_one_of_our_errors(text: str) -> None:
    with contextlib.suppress(RulesError, InputError):
        Rules.parse(text)


@pytest.mark.parametrize("dealing", ["fair", "kind", "cruel"])
def test_a_board_may_be_dealt_as_it_is_played(dealing: str) -> None:
    some = Rules.parse(f"expert torus {dealing} first-any no-cascade")
    assert some.dealing == dealing
    assert str(some) == f"16x30/99 torus first-any no-cascade {dealing}"
    assert Rules.parse(str(some)) == some
    assert str(Rules.parse("beginner laid")) == "9x9/10"
    with pytest.raises(RulesError, match="both"):
        Rules.parse(f"beginner {dealing} laid")
    for word in ("survey", "total-hidden", "withheld:0.3"):
        with pytest.raises(RulesError, match=f"^A {dealing} board needs .* does not go with {word}.$"):
            Rules.parse(f"beginner {dealing} {word}")
