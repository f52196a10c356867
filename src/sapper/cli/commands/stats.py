"""``sapper stats``: 3BV, openings, islands, ZiNi of boards; clicks of games; kinds of boards compared."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.errors import give_up
from sapper.cli.files import PICTURES, choose_output, load_game, load_layout
from sapper.cli.options import (
    KINDS_HELP,
    BoardSeed,
    FirstCell,
    first_cell,
    grouped,
    read_method,
    read_words,
    refuse_with,
    refuse_without,
)
from sapper.cli.terminal import show_progress
from sapper.errors import GaveUp, InputError, RulesError
from sapper.words import percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from sapper.cli.files import Output
    from sapper.experiments.layouts import LayoutComparison
    from sapper.layout import Layout
    from sapper.play.metrics import BoardStatistics, GameStatistics
    from sapper.rules import Rules
    from sapper.topology import Cell

    Measured = tuple[str, BoardStatistics | GameStatistics]

MAX_BOARDS = 1_000_000
FEW = 5  # fewer boards have no spread to speak of; more than twice as many are not listed one by one


@dataclass(frozen=True, slots=True)
class StatsOptions:
    """What is measured."""

    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="A file (.mbf .ptta .tatham .layout, a record or a replay), a layout as text such as '*--/---', or a "
            "board such as expert, of which --count random ones are generated.",
        ),
    ]
    count: Annotated[int, typer.Option(min=1, max=MAX_BOARDS, help="How many random boards to generate.")] = 1000
    seed: BoardSeed = 0
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="[KINDS]",
            help="Compare kinds of one board: plain, reject (no-guess boards found by rejection; too slow for large "
            "boards) and repair, or repair:N as in sapper generate.",
        ),
    ] = None
    first: FirstCell = None
    no_guess: Annotated[str | None, typer.Option(metavar="KIND", help=f"For boards without guesses, {KINDS_HELP}.")] = (
        None
    )

    def kinds(self) -> tuple[tuple[str, ...], int]:
        """Return the kinds of boards to compare, and the swaps of repaired ones; raises `InputError`."""
        from sapper.experiments.layouts import KINDS

        assert self.compare is not None
        methods = dict(read_method(word, "--compare") for word in read_words(self.compare, "--compare"))
        for kind in methods:
            if kind not in KINDS:
                raise InputError(f"There is no kind {kind[:40]!r} of boards; choose from {', '.join(KINDS)}.")
        if [*methods] == ["plain"]:
            refuse_with("--compare plain", "--no-guess")
        return tuple(methods), methods.get("repair", 0)

    def compare_kinds(
        self, rules: Rules, first: Cell, kinds: tuple[str, ...], mix: int, watch: Callable[[int, int], None]
    ) -> LayoutComparison:
        """Generate boards of each kind and measure them."""
        from sapper.experiments.layouts import compare_layouts

        reasoning = None if self.no_guess == "any" else self.no_guess
        return compare_layouts(
            rules,
            first,
            self.count,
            seed=self.seed,
            reasoning=reasoning,  # type: ignore[arg-type]
            kinds=kinds,
            mix=mix,
            watch=watch,
        )


@grouped
def stats(
    asked: StatsOptions,
    output: str | None = typer.Option(
        None, metavar="FILE", help="Draw how the figures are spread (.svg or .png; needs the extra plots), or .json."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the figures as JSON, an object per board or game."),
) -> None:
    """Measure boards and games: 3BV, openings, islands, ZiNi; clicks, efficiency, 3BV per second.

    A single board or game is described in full; for several boards, a table shows how the figures are spread. Records
    keep neither times nor clicks that did nothing; replays keep both.

    With --compare, plain boards are compared with no-guess boards found by rejection or repair: where their mines are,
    their 3BV and their openings, as means with 95% intervals and differences in units of their standard error, which
    are noise up to about 2.

    Example: sapper stats '*--/---/--*'

    Example: sapper stats expert --count 20

    Example: sapper stats intermediate --compare plain,repair --count 200
    """
    from sapper.experiments.plots import draw_histograms
    from sapper.play.metrics import GameStatistics
    from sapper.rules import Rules
    from sapper.world.generation import check_seed

    check_seed(asked.seed + asked.count - 1)
    # Invalid input fails before anything is measured.
    target = choose_output(output, *PICTURES, as_json=as_json, plots=True)
    read = [_read_source(source) for source in asked.sources]
    if asked.compare is not None:
        rules = read[0]
        if len(read) > 1 or not isinstance(rules, Rules):
            raise InputError("--compare needs one board, such as expert.")
        _compare(asked, rules, target, as_json)
        return
    refuse_without("--compare", "--first", "--no-guess")
    if not any(isinstance(given, Rules) for given in read):
        refuse_without("a board such as expert", "--count", "--seed")
    measured: list[Measured] = []
    for source, given in zip(asked.sources, read, strict=True):
        measured += _measure_file(source) if given is None else _measure(source, given, asked.count, asked.seed)
    layouts = [one.board if isinstance(one, GameStatistics) else one for _, one in measured]
    answer = json.dumps([{"source": name} | one.as_plain_values() for name, one in measured])
    if as_json:
        print(answer)
    elif target is None or target.name != "-":
        _print(measured, layouts)
    if target is not None:
        title = ", ".join(asked.sources)
        figure = target.form != ".json"
        target.write(draw_histograms(layouts, title if len(title) < 60 else "") if figure else f"{answer}\n")


def _compare(asked: StatsOptions, rules: Rules, target: Output | None, as_json: bool) -> None:
    from sapper.experiments.layouts import draw_comparison, write_table

    first = first_cell(rules, asked.first)
    kinds, mix = asked.kinds()
    try:
        with show_progress("Generating", "boards") as watch:
            found = asked.compare_kinds(rules, first, kinds, mix, watch)
    except GaveUp as gave_up:
        raise give_up(gave_up) from None
    measures = [{"group": one.group, "name": one.name, **one.by_kind} for one in found.measures]
    described = {"rules": str(rules), "first": list(first), "boards": asked.count, "seed": asked.seed}
    answer = json.dumps({**described, "measures": measures})
    if as_json:
        print(answer)
    elif target is None or target.name != "-":
        print(f"{rules}, first cell {first}, {asked.count:,} boards of each kind, seeds from {asked.seed}.\n")
        print(write_table(found), end="")
    if target is not None:
        target.write(draw_comparison(found) if target.form != ".json" else f"{answer}\n")


def _print(measured: list[Measured], layouts: list[BoardStatistics]) -> None:
    from sapper.play.metrics import GameStatistics

    if len(measured) <= 2 * FEW:
        for name, one in measured:
            print(f"{name}: " + (_describe_game(one) if isinstance(one, GameStatistics) else describe_board(one)))
    if len(measured) >= FEW:
        _print_table(layouts)


def _read_source(source: str) -> Layout | Rules | None:
    """Return a layout or rules, or None for a file, which is read later; raises `InputError` for anything else."""
    from sapper.layout import Layout
    from sapper.play.reading import is_file, refuse_folder
    from sapper.rules import PRESETS, Rules

    if source == "-" or is_file(source):
        return None
    if source and set(source) <= set("*-/"):
        return Layout.parse(source)
    if not source:
        raise InputError("A source is empty; name a file or a board, or write a layout like '*--/---'.")
    try:
        return Rules.parse(source)
    except RulesError as error:
        refuse_folder(source)
        words = source.split()
        if not words or words[0] in PRESETS or words[0][0].isdecimal():
            raise
        if Path(source).suffix:
            raise InputError(f"There is no file {source[:200]}.") from None
        raise InputError(f"There is no file {source[:200]}, and it is not a board either: {error}") from None


def _measure(source: str, given: Layout | Rules, boards: int, seed: int) -> list[Measured]:
    from sapper.experiments.plots import measure_boards
    from sapper.layout import Layout
    from sapper.play.metrics import board_statistics

    if isinstance(given, Layout):
        return [(source, board_statistics(given))]
    found: list[Measured] = []
    with show_progress(f"Measuring {source}", "boards") as update:
        for number, one in enumerate(measure_boards(given, boards, seed)):
            update(number, boards)
            found.append((f"{source} seed {seed + number}", one))
    return found


def _measure_file(name: str) -> list[Measured]:
    from sapper.formats import FORMATS, OpenedLayout
    from sapper.layout import Layout
    from sapper.play.metrics import board_statistics

    layouts = [end for entry in FORMATS.values() if entry.carries in (Layout, OpenedLayout) for end in entry.suffixes]
    if Path(name).suffix.lower() in layouts:
        return [(name, board_statistics(load_layout(name)))]
    game = load_game(name).statistics()
    if game is None:
        raise InputError(f"{name}: nothing was opened, so there is nothing to measure.")
    return [(name, game)]


def describe_board(found: BoardStatistics) -> str:
    """Write the figures of a board in a line."""
    return (
        f"{found.rows}x{found.cols}/{found.mines}, 3BV {found.bbbv}, openings {found.openings}, "
        f"islands {found.islands}, ZiNi {found.zini} (human {found.human_zini})"
    )


def _describe_game(found: GameStatistics) -> str:
    def share(value: float | None) -> str:
        return "-" if value is None else percent(value, True)

    missing = "" if found.has_every_click else " (those that the game answered)"
    lines = [
        f"{describe_board(found.board)}; {found.outcome}",
        f"3BV done {found.bbbv_done} of {found.board.bbbv}",
        f"clicks {found.clicks}: left {found.left}, right {found.right}, chords {found.chords}; "
        f"effective {found.effective}{missing}",
        f"IOE {share(found.ioe)}, throughput {share(found.throughput)}, correctness {share(found.correctness)}",
    ]
    if found.efficiency is not None:
        lines.append(f"efficiency {share(found.efficiency)} of 3BV, {share(found.zini_efficiency)} of ZiNi")
    if found.seconds is not None:
        rate = "" if found.bbbv_per_second is None else f", 3BV per second {found.bbbv_per_second:.2f}"
        lines.append(f"seconds {found.seconds:.3f}{rate}")
    return "\n  ".join(lines)


def _print_table(layouts: list[BoardStatistics]) -> None:
    from sapper.experiments.plots import MEASURES, spread_of

    columns = "".join(f"{name:>9}" for name in ("least", "5%", "median", "mean", "95%", "most", "st. dev."))
    print(f"{len(layouts):,} boards".ljust(14) + columns)
    for one in spread_of(layouts):
        print(
            f"{MEASURES[one.measure]:<14}{one.least:>9}{one.low:>9.1f}{one.median:>9.1f}{one.mean:>9.2f}"
            f"{one.high:>9.1f}{one.most:>9}{one.deviation:>9.2f}"
        )
