"""Fair, kind and cruel boards on the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driver import Driver
from playwright.sync_api import expect

from sapper.agents.registry import make_agent
from sapper.play.dealt import DealtGame
from sapper.play.match import play_match
from sapper.rules import Rules

pytestmark = pytest.mark.browser


def test_an_unforced_guess_fails_and_is_reviewed_and_forced_ones_survive_and_are_counted(desk: Driver) -> None:
    desk.visit("play?rules=5x5/5+fair&seed=3")
    expect(desk.page.get_by_role("button", name="Fair")).to_have_attribute("aria-pressed", "true")
    desk.click(4, 4)
    expect(desk.page.locator("#guesses-so-far")).to_have_text("No guesses yet.")
    desk.click(0, 0)
    expect(desk.page.locator("#guesses")).to_have_text(
        "The last guess was unforced: there was a safe cell. The review shows it."
    )
    desk.page.locator("#review-this").click()
    expect(desk.page.locator("section.review")).to_contain_text(
        "not forced: (1, 1) was safe because of the 1 at (2, 2)"
    )
    rules = Rules.parse("5x5/6 fair")
    for seed in range(100):
        game = DealtGame(rules, seed)
        record = play_match(game, make_agent("exact", 0))
        if len(game.guesses) > 1:
            break
    desk.visit(f"play?rules=5x5/6+fair&seed={seed}")
    for move in record.moves:
        desk.click(move.row, move.col)
    expect(desk.page.locator("#guesses")).to_have_text(
        f"Forced guesses: {len(game.guesses)} of {len(game.guesses)} survived."
    )


def test_a_type_of_board_waits_for_a_game_under_way_and_goes_back_if_refused(desk: Driver) -> None:
    page = desk.page
    desk.visit("play?rules=9x9/10")
    types = page.get_by_role("group", name="Board type")
    chosen = types.locator("[aria-pressed=true]")

    def begin(choose: Callable[[], None]) -> tuple[str, bool]:
        with page.expect_response("**/api/games") as answered:
            choose()
        said = answered.value.json()
        return said["rules"], said["no_guess"]

    expect(chosen).to_have_text("Classic")
    assert begin(types.get_by_text("No guessing").click) == ("9x9/10", True)
    assert begin(types.get_by_text("Fair").click) == ("9x9/10 fair", False)
    expect(chosen).to_have_text("Fair")
    expect(page.locator(".play p").get_by_text("10 mines, fair")).to_be_visible()
    # A preset keeps the choice.
    assert begin(page.get_by_role("button", name="Intermediate").click) == ("16x16/40 first-opening fair", False)
    assert begin(types.get_by_text("No guessing").click) == ("16x16/40 first-opening", True)
    # In the middle of a game it holds from the next board on, and the page says so.
    waits = page.locator("#from-next")
    desk.visit("play?rules=9x9/10+first-opening")
    desk.click(4, 4)
    desk.expect_cell(4, 4, "empty")
    expect(waits).to_be_hidden()
    types.get_by_text("Fair").click()
    expect(waits).to_have_text("Takes effect on the next board.")
    types.get_by_text("Classic").click()
    expect(waits).to_be_hidden()
    # The others are offered with the fields of a custom board.
    page.get_by_text("Custom board", exact=True).click()
    page.locator(".play select[name=type]").select_option("kind")
    expect(waits).to_be_visible()
    assert begin(lambda: desk.press("n")) == ("9x9/10 first-opening kind", False)
    expect(waits).to_be_hidden()
    desk.visit("play?rules=9x9/10+survey")
    types.get_by_text("Fair").click()
    expect(page.locator("#message-card")).to_contain_text("does not go with survey")
    expect(chosen).to_have_text("Classic")
