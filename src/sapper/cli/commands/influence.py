"""``sapper influence``: chains of influence, measured over many games or shown in one."""

from __future__ import annotations

import json
import re
import textwrap
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.files import in_words, read_bytes
from sapper.cli.options import BOARDS_HELP, grouped, refuse_with
from sapper.cli.terminal import show_progress
from sapper.errors import InputError
from sapper.words import count

if TYPE_CHECKING:
    from sapper.play.influence.answers import InfluenceAnswer
    from sapper.play.influence.follow import Divide, Followed
    from sapper.play.influence.measure import InfluenceFigures, InfluenceRow
    from sapper.rules import Rules


_WIDTH = 110
_PROOFS_IN_ONE_GAME = 25
_VERDICTS = {
    "agrees": "The games agree with the report.",
    "agrees in part": "The games agree with the report in part.",
    "contradicts": "The games contradict the report.",
    "not told": "These games cannot tell.",
}


USUAL_BOARDS = "8x8,16x16,24x24/0.05,0.1,0.15,0.2,0.25,0.3,0.4 survey first-any total-hidden"


@dataclass(frozen=True, slots=True)
class GameOptions:
    """Which games: those of a table, a single one, or a recorded one."""

    record: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="Show a recorded game instead, through the eyes of the agent."),
    ] = None
    board: Annotated[list[str] | None, typer.Option(help=BOARDS_HELP, show_default="three sizes, seven densities")] = (
        None
    )
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100_000,
            help="Games for each board; by default 10. Without it, one game of a single board is shown in words.",
        ),
    ] = None

    @property
    def n_games(self) -> int:
        """How many games each board of the table gets."""
        return 10 if self.games is None else self.games

    def boards(self) -> list[tuple[float, Rules]]:
        """Return the boards with their densities, the lowest density first."""
        from sapper.experiments.sweep import expand_boards

        found = [one for text in self.board or [USUAL_BOARDS] for one in expand_boards(text)]
        return sorted(found, key=lambda one: one[0])

    def single(self) -> bool:
        """Return whether one game is shown; raise `InputError` if an option has no effect."""
        if self.record is not None:
            refuse_with("a recorded game", "--board", "--games")
            return True
        return self.board is not None and self.games is None and len(self.boards()) == 1

    def follow(self, player: PlayerOptions) -> Followed:
        """Let the agent play the game, or watch it."""
        from sapper.agents.registry import make_agent
        from sapper.play.dealt import start_game
        from sapper.play.influence.follow import follow_match, follow_record
        from sapper.play.record import read_record

        agent = make_agent(player.agent, player.seed)
        if self.record is None:
            return follow_match(start_game(self.boards()[0][1], player.seed), agent)
        data = read_bytes(self.record)
        try:
            return follow_record(read_record(data), agent)
        except InputError as error:
            raise InputError(f"{in_words(self.record)}: {error}") from error


@dataclass(frozen=True, slots=True)
class PlayerOptions:
    """The agent, and how closely it is followed."""

    agent: Annotated[str, typer.Option(help="The agent that plays; one whose deductions name clues is quickest.")] = (
        "contradiction-full"
    )
    seed: Annotated[
        int, typer.Option(help="Seed of the first game; the next ones follow. Same seed, same figures.")
    ] = 0
    proofs: Annotated[int | None, typer.Option(min=0, max=10_000, help="Smallest proofs to look for in each game.")] = (
        None
    )

    def check(self, n_games: int) -> None:
        """Raise `InputError` unless the agent and the seeds exist."""
        from sapper.agents.registry import agent_entry
        from sapper.world.generation import check_seed

        agent_entry(self.agent)
        check_seed(self.seed)
        check_seed(self.seed + n_games - 1)

    def n_proofs(self, usual: int) -> int:
        """Return how many proofs to look for: the usual number unless --proofs says another."""
        return usual if self.proofs is None else self.proofs


@grouped
def influence(
    asked: GameOptions,
    player: PlayerOptions,
    as_json: bool = typer.Option(False, "--json", help="Print the figures as JSON."),
) -> None:
    """Measure chains of influence: how long they are, how far they reach, what they cost.

    Plays games, follows which deduction depends on which clues and earlier deductions, and prints a table: the longest
    chain of each game, its span from root to end, the smallest proofs of some deductions and how far they reach. Then
    answers the seven questions of report 000 from these figures. Takes about half a minute.

    For a single --board or a recorded game it shows the longest chain of one game in words.

    Example: sapper influence --board 'beginner survey' --seed 3

    Example: sapper influence --board '8x8/0.1,0.2 survey first-any total-hidden' --games 3
    """
    if asked.single():
        _show_one_game(asked, player, as_json)
        return
    from sapper.play.influence.answers import answer_questions
    from sapper.play.influence.follow import show_divide
    from sapper.play.influence.measure import PROOFS_PER_GAME

    player.check(asked.n_games)
    n_proofs = player.n_proofs(PROOFS_PER_GAME)
    rows = _play_all(asked.boards(), asked.n_games, player, n_proofs)
    divide = show_divide()
    answers = answer_questions(rows, divide)
    if as_json:
        about = {"agent": player.agent, "seed": player.seed, "proofs_per_game": n_proofs}
        print(json.dumps(about | _as_plain_values(rows, answers, divide)))
        return
    _print_table(player, rows)
    for number, answer in enumerate(answers, start=1):
        print(f"{number}. {answer.question}")
        print(_wrapped(f"Report: {answer.report}"))
        print(_wrapped(f"Games: {answer.measured}{' ' if answer.timing else ''}{answer.timing}"))
        print(f"   {_VERDICTS[answer.verdict]}\n")
        if number == 2:
            _print_divide(divide)
    if n_proofs:
        _print_limits(n_proofs, rows)


def _play_all(
    boards: list[tuple[float, Rules]], games: int, player: PlayerOptions, n_proofs: int
) -> list[InfluenceRow]:
    from sapper.play.influence.follow import compare_players
    from sapper.play.influence.measure import InfluenceRow, measure_game

    # Modules loaded on first use should not count for the first game.
    small = replace(boards[0][1], rows=5, cols=5, mines=5)
    measure_game(small, player.seed, player.agent, 1)
    compare_players(small, player.seed)
    found = []
    n_done, n_games = 0, len(boards) * games
    with show_progress("Playing") as watch:
        watch(n_done, n_games)
        for density, rules in boards:
            measured, compared = [], []
            for seed in range(player.seed, player.seed + games):
                measured.append(measure_game(rules, seed, player.agent, n_proofs))
                compared.append(compare_players(rules, seed))
                n_done += 1
                watch(n_done, n_games)
            found.append(InfluenceRow(rules.rows, rules.cols, density, tuple(measured), tuple(compared)))
    return found


def _print_table(player: PlayerOptions, rows: list[InfluenceRow]) -> None:
    rules = rows[0].games[0].rules
    kind = "survey" if rules.opened_mine == "explodes" else "classic"
    known = "known" if rules.total_known else "unknown"
    last = player.seed + len(rows[0].games) - 1
    print(f"{player.agent} plays, {kind}, total {known}, seeds {player.seed} to {last}. Mean and most of each:\n")
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


def _print_divide(divide: Divide) -> None:
    before, after = (str(one).split()[0].split("/") for one in (divide.before, divide.after))
    for row, (left, right) in enumerate(zip(before, after, strict=True)):
        arrow = " →  " if row == len(before) // 2 else "    "
        print(f"   {' '.join(left)}{arrow}{' '.join(right)}")
    print()


def _print_limits(n_proofs: int, rows: list[InfluenceRow]) -> None:
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


def _show_one_game(asked: GameOptions, player: PlayerOptions, as_json: bool) -> None:
    from sapper.play.influence.measure import measure

    player.check(1)
    followed = asked.follow(player)
    figures = measure(followed, player.n_proofs(_PROOFS_IN_ONE_GAME))
    outcome = followed.game.outcome.value
    if as_json:
        print(json.dumps({"agent": player.agent, "outcome": outcome, **_game_as_plain_values(figures)}))
        return
    who = f"{player.agent} watches" if asked.record is not None else f"{player.agent} plays"
    print(f"{figures.rules}, seed {figures.seed}; {who}.")
    score = ""
    if figures.rules.opened_mine == "explodes":
        score = f", score {round(figures.score * figures.rules.mines)}/{figures.rules.mines}"
    print(f"The game is {outcome}{score}.")
    _print_chain(figures)


def _print_chain(figures: InfluenceFigures) -> None:
    guesses = count(figures.n_guesses, "guess", "guesses")
    if not figures.chain:
        print(f"Nothing was deduced; {guesses}.")
        return
    print(
        f"The longest chain has {count(figures.length, 'deduction')} and ends {count(figures.span, 'step')} "
        f"from its root:\n"
    )
    for number, words in enumerate(figures.chain_in_words):
        print(f"{'→' if number else ' '} {words}")
    print(
        f"\n{count(figures.n_deductions, 'deduction')} in all, {figures.n_from_hidden} resting on an earlier one "
        f"about a cell still hidden; {guesses}."
    )
    sizes = [one.proof.size for one in figures.samples]
    if sizes:
        reach = max(one.reach for one in figures.samples)
        print(
            f"Smallest proofs of {count(len(sizes), 'deduction')} drawn at random: {sum(sizes) / len(sizes):.2f} "
            f"clues on average, at most {max(sizes)}; the farthest clue {count(reach, 'step')} away."
        )
    print(f"The agent took {figures.milliseconds:.1f} ms.")


def _as_plain_values(rows: list[InfluenceRow], answers: list[InfluenceAnswer], divide: Divide) -> dict[str, object]:
    return {
        "rows": [
            {"density": row.density, "size": row.size, "rules": str(row.games[0].rules), **row.figures()}
            for row in rows
        ],
        "players": [_player_as_plain_values(row, name) for row in rows for name in row.compared[0]],
        "answers": [answer._asdict() for answer in answers],
        "divide": divide._asdict() | {"before": str(divide.before), "after": str(divide.after)},
    }


def _player_as_plain_values(row: InfluenceRow, name: str) -> dict[str, object]:
    played = [one[name] for one in row.compared]
    is_survey = row.games[0].rules.opened_mine == "explodes"
    return {
        "density": row.density,
        "size": row.size,
        "player": name,
        "score": sum(one.score for one in played) / len(played) if is_survey else None,
        "won": sum(one.won for one in played) / len(played),
        "guesses": sum(one.n_guesses for one in played) / len(played),
        "milliseconds": sum(one.milliseconds for one in played) / len(played),
    }


def _game_as_plain_values(figures: InfluenceFigures) -> dict[str, object]:
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
        "score": figures.score if figures.rules.opened_mine == "explodes" else None,
        "milliseconds": figures.milliseconds,
    }
