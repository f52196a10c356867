"""``sapper stats``: 3BV, openings, islands, ZiNi of boards; clicks and efficiency of games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from sapper.layout import Layout
    from sapper.play.metrics import BoardStatistics, GameStatistics
    from sapper.rules import Rules


if TYPE_CHECKING:
    Measured = tuple[str, BoardStatistics | GameStatistics]

MAX_BOARDS = 1_000_000
FEW = 5  # of fewer boards a spread says nothing; of more than twice as many, the single ones


SOURCES = typer.Argument(
    metavar="SOURCE...",
    help="A file (.mbf .ptta .tatham .layout, a record or a replay), a layout as text such as '*--/---', or a board "
    "such as expert, of which --boards random ones are made.",
)


def stats(
    sources: list[str] = SOURCES,
    boards: int = typer.Option(1000, help="How many random boards to make."),
    seed: int = typer.Option(0, help="The seed of the first of them; the others follow."),
    histogram: str | None = typer.Option(
        None, metavar="FILE", help="Draw how the figures are spread, as .svg or .png (needs the extra plots)."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the figures as JSON, an object per board or game."),
) -> None:
    """Measure boards and games: 3BV, openings, islands, ZiNi; clicks, efficiency, 3BV per second.

    A single board or game is described in full; for several boards, a table shows how the figures are spread. Records
    keep neither times nor clicks that did nothing; replays keep both.

    Example: sapper stats '*--/---/--*'

    Example: sapper stats expert --boards 20
    """
    from sapper.cli.files import check_picture, write_picture
    from sapper.cli.options import refuse_without
    from sapper.errors import InputError
    from sapper.experiments.plots import draw_histograms
    from sapper.play.metrics import GameStatistics
    from sapper.rules import Rules
    from sapper.world.generation import check_seed

    if not 1 <= boards <= MAX_BOARDS:
        raise InputError(f"--boards should be between 1 and {MAX_BOARDS:,}.")
    check_seed(seed + boards - 1)
    # Whatever is wrong with the input is said before anything is measured.
    if histogram is not None:
        check_picture(histogram)
    read = [_read_source(source) for source in sources]
    if not any(isinstance(given, Rules) for given in read):
        refuse_without("a board such as expert", "--boards", "--seed")
    measured: list[Measured] = []
    for source, given in zip(sources, read, strict=True):
        measured += _measure_file(source) if given is None else _measure(source, given, boards, seed)
    layouts = [one.board if isinstance(one, GameStatistics) else one for _, one in measured]
    if as_json:
        print(json.dumps([{"source": name} | one.as_plain_values() for name, one in measured]))
    else:
        _print(measured, layouts)
    if histogram is not None:
        title = ", ".join(sources)
        write_picture(histogram, draw_histograms(layouts, title if len(title) < 60 else ""))


def _print(measured: list[Measured], layouts: list[BoardStatistics]) -> None:
    from sapper.play.metrics import GameStatistics

    if len(measured) <= 2 * FEW:
        for name, one in measured:
            print(f"{name}: " + (_describe_game(one) if isinstance(one, GameStatistics) else describe_board(one)))
    if len(measured) >= FEW:
        _print_table(layouts)


def _read_source(source: str) -> Layout | Rules | None:
    """What a source is if it is no file: a layout or rules; a file is read later. Raises `InputError` if it is none."""
    from sapper.errors import InputError, RulesError
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
    from sapper.cli.terminal import show_progress
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
    from sapper.cli.files import load_game, load_layout
    from sapper.errors import InputError
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
    from sapper.words import percent

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

    columns = "".join(f"{name:>9}" for name in ("least", "5 %", "median", "mean", "95 %", "most", "st. dev."))
    print(f"{len(layouts):,} boards".ljust(14) + columns)
    for one in spread_of(layouts):
        print(
            f"{MEASURES[one.measure]:<14}{one.least:>9}{one.low:>9.1f}{one.median:>9.1f}{one.mean:>9.2f}"
            f"{one.high:>9.1f}{one.most:>9}{one.deviation:>9.2f}"
        )
