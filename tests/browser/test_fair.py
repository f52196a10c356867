"""Fair, kind and cruel boards on the page."""

from __future__ import annotations

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
    expect(desk.page.locator(".play select[name=dealing]")).to_have_value("fair")
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


def test_the_choice_excludes_no_guessing_waits_for_a_game_under_way_and_goes_back_if_refused(desk: Driver) -> None:
    desk.visit("play?rules=9x9/10")
    dealing = desk.page.locator(".play select[name=dealing]")
    tick = desk.page.get_by_role("switch", name="No-guess board")
    with desk.page.expect_response("**/api/games") as answered:
        tick.check()
    assert answered.value.json()["no_guess"]
    with desk.page.expect_response("**/api/games") as answered:
        dealing.select_option("fair")
    said = answered.value.json()
    assert (said["rules"], said["no_guess"]) == ("9x9/10 fair", False)
    expect(tick).not_to_be_checked()
    expect(desk.page.locator(".play p").get_by_text("10 mines, fair")).to_be_visible()
    # A preset keeps the choice.
    with desk.page.expect_response("**/api/games") as answered:
        desk.page.get_by_role("button", name="Intermediate").click()
    assert answered.value.json()["rules"] == "16x16/40 first-opening fair"
    with desk.page.expect_response("**/api/games") as answered:
        tick.check()
    said = answered.value.json()
    assert (said["rules"], said["no_guess"]) == ("16x16/40 first-opening", True)
    expect(dealing).to_have_value("laid")
    # In the middle of a game it holds from the next board on.
    desk.visit("play?rules=9x9/10+first-opening")
    desk.click(4, 4)
    desk.expect_cell(4, 4, "empty")
    dealing.select_option("kind")
    with desk.page.expect_response("**/api/games") as answered:
        desk.press("n")
    assert answered.value.json()["rules"] == "9x9/10 first-opening kind"
    desk.visit("play?rules=9x9/10+survey")
    dealing.select_option("fair")
    expect(desk.page.locator("#message-card")).to_contain_text("does not go with survey")
    expect(dealing).to_have_value("laid")
