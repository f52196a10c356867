"""``sapper review``: a finished game, move by move, with mistakes told from bad luck."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from sapper.cli.files import choose_output, load_game
from sapper.cli.options import refuse_with
from sapper.cli.terminal import show_progress
from sapper.errors import InputError
from sapper.words import name_cells

if TYPE_CHECKING:
    from sapper.play.review.sentences import ReviewReport


GAME_HELP = "A record, a replay (.rawvf; with the extra replays also .avf .evf .rmv .mvf), or - for standard input."


def review(
    game: str = typer.Argument(metavar="FILE", help=GAME_HELP),
    games: int = typer.Option(1000, help="Rollouts after each risky move, and after the best choice; 0 for none."),
    agent: str = typer.Option(
        "exact", metavar="exact|expert|optimal|master", help="Rollout agent, from fastest to strongest."
    ),
    seed: int = typer.Option(0, help="Rollout seed: same seed, same estimates."),
    moves: bool = typer.Option(False, "--moves", help="List every move, not only those that decided something."),
    output: str | None = typer.Option(
        None, metavar="FILE", help="Write a page with a picture of every move (.html), or .json."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print everything as JSON."),
) -> None:
    """Say what decided a game: the risk of each move beside the least risk, mistakes, bad luck, win chance lost.

    A mistake is a move that was provably wrong: it opened a certain mine, flagged a safe cell, or lost win chance (the
    95% interval for win chance lost is above zero). Extra risk is more than 3 percentage points above the least risk,
    or any risk while a cell was safe. Bad luck is a mine hit by a guess that was neither. Win chance lost is estimated
    by rollouts over layouts drawn with their exact probability.

    Example: sapper review lost.sapper --games 100
    """
    from sapper.play.compiled import AGENTS
    from sapper.play.review.review import review_record
    from sapper.play.review.sentences import ReviewReport, draw_page
    from sapper.play.review.wins import MAX_GAMES, appraise
    from sapper.world.generation import check_seed

    if agent not in AGENTS:
        raise InputError(f"--agent should be one of {', '.join(AGENTS)}, not {agent!r}.")
    if not 0 <= games <= MAX_GAMES:
        raise InputError(f"--games should be between 0 and {MAX_GAMES:,}.")
    check_seed(seed)
    if games == 0:
        refuse_with("--games 0", "--agent", "--seed")
    target = choose_output(output, ".html", as_json=as_json)
    is_printed = not as_json and (target is None or target.name != "-")
    if not is_printed:
        refuse_with("--json" if as_json else "--output -", "--moves")
    loaded = load_game(game)
    reviewed = review_record(loaded.record)
    with show_progress("Rollouts", "moves") as update:
        appraisal = appraise(reviewed, n_games=games, agent=agent, seed=seed, progress=update)
    told = ReviewReport(appraisal, loaded.statistics())
    answer = json.dumps(told.as_plain_values())
    if target is not None:
        target.write(draw_page(told) if target.form == ".html" else f"{answer}\n")
    if as_json:
        print(answer)
    elif is_printed:
        _print(told, moves)


def _print(told: ReviewReport, every_move: bool) -> None:
    print(f"{told.title}.")
    for line in told.summary:
        print(line)
    if told.statistics is not None:
        found = told.statistics
        print(
            f"3BV {found.bbbv_done} of {found.board.bbbv}, ZiNi {found.board.zini}, {found.clicks} clicks; "
            "sapper stats tells more."
        )
    chosen = [number for number in range(len(told.review.moves)) if every_move or told.is_notable(number)]
    if not chosen:
        return
    print(f"\n{'move':>5}  {'what':<16}{'risk':>7}{'least':>8}  {'verdict':<13}{'win chance lost (95%)':<22}instead")
    for number in chosen:
        print(_describe_row(told, number))


def _describe_row(told: ReviewReport, number: int) -> str:
    one, figures = told.review.moves[number], told.figures(number)
    what = f"{one.move.action} {one.move.row},{one.move.col}"
    risk, instead = figures.risk, name_cells(told.instead(number), 2)
    if one.move.action == "flag":
        risk, instead = "", "it was certainly safe" if one.verdict == "mistake" else ""
    row = f"{number + 1:>5}  {what:<16}{risk:>7}{figures.least:>8}  {one.verdict:<13}{figures.lost:<22}{instead}"
    return row.rstrip()
