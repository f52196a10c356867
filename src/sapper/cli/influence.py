"""``sapper influence``: chains of influence, measured over many games or shown in one."""

from __future__ import annotations

import json
import re
import textwrap
from typing import TYPE_CHECKING

import typer

from sapper.cli.game import BOARD_HELP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.play.influence import Divide, Figures
    from sapper.play.influence_answers import Answer, Row
    from sapper.rules import Rules

_WIDTH = 110
_PROOFS_IN_ONE_GAME = 25
_VERDICTS = {
    "agrees": "The games agree with the report.",
    "agrees in part": "The games agree with the report in part.",
    "contradicts": "The games contradict the report.",
    "not told": "These games cannot tell.",
}


def influence(
    size: str = typer.Option("8,16,24", help="Sizes of boards: 8 for 8 x 8, or 16x30, joined by commas."),
    densities: str = typer.Option("0.05,0.1,0.15,0.2,0.25,0.3,0.4", help="Shares of mines, joined by commas."),
    games: int = typer.Option(10, min=1, max=100_000, help="Games for each size and density."),
    agent: str = typer.Option("contradiction-full", help="Who plays; one whose deductions name clues is quickest."),
    seed: int = typer.Option(0, help="Seed of the first game; the next ones follow. Same seed, same figures."),
    survey: bool = typer.Option(True, "--survey/--classic", help="Whether an opened mine explodes and play goes on."),
    total: bool = typer.Option(False, "--total/--no-total", help="Tell the player the number of mines."),
    proofs: int | None = typer.Option(None, min=0, max=10_000, help="Smallest proofs to look for in each game."),
    board: str | None = typer.Option(None, help="Show one game instead. " + BOARD_HELP),
    record: str | None = typer.Option(None, metavar="FILE", help="Show a recorded game instead; the agent looks on."),
    as_json: bool = typer.Option(False, "--json", help="Print the figures as JSON."),
) -> None:
    """Measure chains of influence: how long they are, how far they reach, what they cost.

    Plays games, follows which deduction rests on which clues and earlier deductions, and prints a table: the longest
    chain of each game, its span from root to end, the smallest proofs of some deductions and how far they reach. Then
    answers the seven questions of report 000 from these figures. Takes about half a minute.

    With --board or --record it shows the longest chain of one game in words.

    Example: sapper influence --board 'beginner survey' --seed 3
    """
    from sapper.errors import InputError

    if board is not None and record is not None:
        raise InputError("Give either --board or --record, not both.")
    if board is not None or record is not None:
        _show_one_game(board, record, seed, agent, _PROOFS_IN_ONE_GAME if proofs is None else proofs, as_json)
        return
    from sapper.agents.registry import agent_entry
    from sapper.play.influence import PROOFS_PER_GAME, show_divide
    from sapper.play.influence_answers import answer_questions
    from sapper.world.generate import check_seed

    agent_entry(agent)
    check_seed(seed)
    check_seed(seed + games - 1)
    boards = list(_boards(size, densities, survey, total))
    n_proofs = PROOFS_PER_GAME if proofs is None else proofs
    rows = _play_all(boards, games, agent, seed, n_proofs)
    divide = show_divide()
    answers = answer_questions(rows, divide)
    if as_json:
        print(json.dumps(_as_plain_values(agent, seed, n_proofs, rows, answers, divide)))
        return
    _print_table(agent, seed, rows)
    for number, answer in enumerate(answers, start=1):
        _print_answer(number, answer)
        if number == 2:
            _print_divide(divide)
    if n_proofs:
        _print_limits(n_proofs, rows)


def _boards(sizes: str, densities: str, survey: bool, total: bool) -> Iterator[tuple[float, Rules]]:
    """Yield the rules of every row of the table with their density."""
    from sapper.errors import InputError
    from sapper.rules import Rules

    for density in _numbers(densities):
        for word in sizes.split(","):
            match = re.fullmatch(r"(\d{1,6})(?:x(\d{1,6}))?", word.strip(), re.ASCII)
            if match is None:
                raise InputError(f"{word.strip()[:40]!r} is no size of a board; write 8 for 8 x 8, or 16x30.")
            rows, cols = int(match[1]), int(match[2] or match[1])
            yield (
                density,
                Rules.with_density(
                    rows,
                    cols,
                    density,
                    first_click="any" if survey else "safe",
                    opened_mine="explodes" if survey else "ends",
                    total_known=total,
                ),
            )


def _numbers(text: str) -> list[float]:
    from sapper.errors import InputError

    numbers = []
    for word in text.split(","):
        try:
            numbers.append(float(word))
        except ValueError:
            raise InputError(f"{word.strip()[:40]!r} is no density; write shares such as 0.1,0.2.") from None
    return numbers


def _play_all(boards: list[tuple[float, Rules]], games: int, agent: str, seed: int, n_proofs: int) -> list[Row]:
    from dataclasses import replace

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from sapper.play.influence import compare_players, measure_game
    from sapper.play.influence_answers import Row

    # What is loaded on first use should not be on the first game's bill.
    small = replace(boards[0][1], rows=5, cols=5, mines=5)
    measure_game(small, seed, agent, 1)
    compare_players(small, seed)
    console = Console(stderr=True)
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    found = []
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("influence", total=len(boards) * games)
        for density, rules in boards:
            measured, compared = [], []
            for number in range(seed, seed + games):
                measured.append(measure_game(rules, number, agent, n_proofs))
                compared.append(compare_players(rules, number))
                progress.advance(task)
            found.append(Row(rules.rows, rules.cols, density, tuple(measured), tuple(compared)))
    return found


def _print_table(agent: str, seed: int, rows: list[Row]) -> None:
    rules = rows[0].games[0].rules
    kind = "survey" if rules.opened_mine == "explodes" else "classic"
    known = "known" if rules.total_known else "unknown"
    last = seed + len(rows[0].games) - 1
    print(f"{agent} plays, {kind}, total {known}, seeds {seed} to {last}. Mean and most of each:\n")
    print("density   size  games      chain        span       proof       reach  deductions  ms/game")
    for row in rows:
        figures = row.figures()
        pairs = "".join(
            f"{figures[f'{name}_mean']:8.{places}f}{figures[f'{name}_max']:4.0f}"
            for name, places in (("chain", 1), ("span", 1), ("proof", 2), ("reach", 2))
        )
        counts = f"{figures['deductions']:10.1f}{figures['milliseconds']:9.1f}"
        print(f"{row.density:7g}{row.size:>7}{figures['games']:7.0f}{pairs}{counts}")
    print()


def _print_answer(number: int, answer: Answer) -> None:
    print(f"{number}. {answer.question}")
    print(_wrapped(f"Report: {answer.report}"))
    print(_wrapped(f"Games: {answer.measured}{' ' if answer.timing else ''}{answer.timing}"))
    print(f"   {_VERDICTS[answer.verdict]}\n")


def _print_divide(divide: Divide) -> None:
    before, after = (str(one).split()[0].split("/") for one in (divide.before, divide.after))
    for row, (left, right) in enumerate(zip(before, after, strict=True)):
        arrow = " →  " if row == len(before) // 2 else "    "
        print(f"   {' '.join(left)}{arrow}{' '.join(right)}")
    print()


def _print_limits(n_proofs: int, rows: list[Row]) -> None:
    samples = [one for row in rows for game in row.games for one in game.samples]
    n_cut = sum(not one.proof.is_smallest for one in samples)
    cut = f"; {n_cut} of {len(samples)} searches were cut short" if n_cut else ""
    text = (
        f"Smallest proofs are costly, so at most {n_proofs} deductions of each game, drawn at random, are proved{cut}."
    )
    print(textwrap.fill(text, _WIDTH))


def _wrapped(text: str) -> str:
    # A cell such as (6, 1) stays on one line.
    whole = re.sub(r"\((\d+), (\d+)\)", "(\\1,\xa0\\2)", text)
    return textwrap.fill(whole, _WIDTH, initial_indent="   ", subsequent_indent="   ").replace("\xa0", " ")


def _show_one_game(board: str | None, record: str | None, seed: int, agent: str, n_proofs: int, as_json: bool) -> None:
    from sapper.agents.registry import make_agent
    from sapper.cli.files import read_bytes
    from sapper.errors import InputError
    from sapper.play.influence import follow_match, follow_record, measure
    from sapper.play.record import read_record
    from sapper.rules import Rules
    from sapper.world.game import Game

    player = make_agent(agent, seed)
    if record is not None:
        data = read_bytes(record)
        try:
            followed = follow_record(read_record(data), player)
        except InputError as error:
            raise InputError(f"{record}: {error}") from error
    else:
        assert board is not None
        game = Game(Rules.parse(board), seed)
        followed = follow_match(game, player)
    figures = measure(followed, n_proofs)
    if as_json:
        print(json.dumps({"agent": agent, "outcome": followed.game.outcome.value, **_game_as_plain_values(figures)}))
        return
    n_identified = round(figures.score * figures.rules.mines)
    who = f"{agent} looks on" if record is not None else f"{agent} plays"
    print(f"{figures.rules}, seed {figures.seed}; {who}.")
    print(f"The game is {followed.game.outcome.value}, score {n_identified}/{figures.rules.mines}.")
    _print_chain(figures)


def _print_chain(figures: Figures) -> None:
    guesses = f"{figures.n_guesses} guess{'es' if figures.n_guesses != 1 else ''}"
    if not figures.chain:
        print(f"Nothing was deduced; {guesses}.")
        return
    print(
        f"The longest chain has {_count(figures.length, 'deduction')} and ends {_count(figures.span, 'step')} "
        f"from its root:\n"
    )
    for number, words in enumerate(figures.chain_in_words):
        print(f"{'→' if number else ' '} {words}")
    print(
        f"\n{_count(figures.n_deductions, 'deduction')} in all, {figures.n_from_hidden} resting on an earlier one "
        f"about a cell still hidden; {guesses}."
    )
    sizes = [one.proof.size for one in figures.samples]
    if sizes:
        reach = max(one.reach for one in figures.samples)
        print(
            f"Smallest proofs of {_count(len(sizes), 'deduction')} drawn at random: {sum(sizes) / len(sizes):.2f} "
            f"clues on average, at most {max(sizes)}; the farthest clue {_count(reach, 'step')} away."
        )
    print(f"The agent took {figures.milliseconds:.1f} ms.")


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'s' if n != 1 else ''}"


def _as_plain_values(
    agent: str, seed: int, n_proofs: int, rows: list[Row], answers: list[Answer], divide: Divide
) -> dict[str, object]:
    return {
        "agent": agent,
        "seed": seed,
        "proofs_per_game": n_proofs,
        "rows": [
            {"density": row.density, "size": row.size, "rules": str(row.games[0].rules), **row.figures()}
            for row in rows
        ],
        "players": [
            {
                "density": row.density,
                "size": row.size,
                "player": name,
                "score": sum(one[name].score for one in row.compared) / len(row.compared),
                "won": sum(one[name].won for one in row.compared) / len(row.compared),
                "guesses": sum(one[name].n_guesses for one in row.compared) / len(row.compared),
                "milliseconds": sum(one[name].milliseconds for one in row.compared) / len(row.compared),
            }
            for row in rows
            for name in row.compared[0]
        ],
        "answers": [answer._asdict() for answer in answers],
        "divide": {
            "before": str(divide.before),
            "after": str(divide.after),
            "opened": divide.opened,
            "watched": divide.watched,
            "total_hidden": divide.total_hidden,
            "total_known": divide.total_known,
        },
    }


def _game_as_plain_values(figures: Figures) -> dict[str, object]:
    return {
        "rules": str(figures.rules),
        "seed": figures.seed,
        "length": figures.length,
        "span": figures.span,
        "chain": [
            {
                "cell": node.cell,
                "kind": node.kind,
                "depth": node.depth,
                "clues": [cell for cell, _ in node.clues],
                "with_total": node.with_total,
                "words": words,
            }
            for node, words in zip(figures.chain, figures.chain_in_words, strict=True)
        ],
        "deductions": figures.n_deductions,
        "from_hidden": figures.n_from_hidden,
        "guesses": figures.n_guesses,
        "proofs": [
            {
                "cell": one.cell,
                "is_mine": one.is_mine,
                "clues": one.proof.clues,
                "with_total": one.proof.with_total,
                "is_smallest": one.proof.is_smallest,
                "reach": one.reach,
                "component": one.component,
            }
            for one in figures.samples
        ],
        "score": figures.score,
        "milliseconds": figures.milliseconds,
    }
