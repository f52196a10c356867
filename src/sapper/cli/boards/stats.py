"""``sapper stats``: 3BV, openings, islands, ZiNi of boards; clicks and efficiency of games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from sapper.play.figures.measures import BoardStatistics, GameStatistics

MAX_BOARDS = 1_000_000
FEW = 5  # of fewer boards a spread says nothing; of more than twice as many, the single ones


SOURCES = typer.Argument(
    metavar="SOURCE...",
    help="Files (layouts .mbf .ptta .tatham .layout, records, replays), a layout as text such as '*--/---', or "
    "rules such as expert, of which --boards are laid.",
)


def stats(
    sources: list[str] = SOURCES,
    boards: int = typer.Option(1000, help="How many boards to lay where a source is rules."),
    seed: int = typer.Option(0, help="Of the first of these boards; the others follow."),
    as_json: bool = typer.Option(False, "--json", help="Print the figures as JSON, one object per board or game."),
    histogram: str | None = typer.Option(
        None, metavar="OUT", help="Write a picture of the spread here (.svg .png; takes the extra plots)."
    ),
) -> None:
    """Measure boards and games: 3BV, openings, islands, ZiNi; clicks, efficiency, 3BV per second.

    One board or game is told in full; of several boards, a table says how the figures are spread. Records of ours keep
    no times and no clicks that did nothing; replays keep both.

    Example: sapper stats expert --boards 500
    """
    from sapper.errors import InputError
    from sapper.play.figures.measures import GameStatistics
    from sapper.world.generate import check_seed

    if not 1 <= boards <= MAX_BOARDS:
        raise InputError(f"--boards should lie between 1 and {MAX_BOARDS:,}.")
    check_seed(seed + boards - 1)
    measured: list[tuple[str, BoardStatistics | GameStatistics]] = []
    for source in sources:
        measured += _measure(source, boards, seed)
    layouts = [one.board if isinstance(one, GameStatistics) else one for _, one in measured]
    if histogram is not None:
        _draw(histogram, layouts, ", ".join(sources))
    if as_json:
        print(json.dumps([{"source": name} | one.as_plain_values() for name, one in measured]))
        return
    if len(measured) <= 2 * FEW:
        for name, one in measured:
            print(f"{name}: " + (_describe_game(one) if isinstance(one, GameStatistics) else describe_board(one)))
    if len(measured) >= FEW:
        _print_table(layouts)


def _measure(source: str, boards: int, seed: int) -> list[tuple[str, BoardStatistics | GameStatistics]]:
    from sapper.cli.common.files import load_game, read_bytes
    from sapper.cli.common.progress import show_progress
    from sapper.errors import InputError
    from sapper.experiments.layouts.spread import measure_boards
    from sapper.formats import FORMATS, OpenedLayout
    from sapper.layout import Layout
    from sapper.play.figures.measures import board_statistics
    from sapper.rules import Rules

    is_file = source == "-" or (len(source) < 256 and Path(source).exists())
    if not is_file and set(source) <= set("*-/") and source:
        return [(source, board_statistics(Layout.parse(source)))]
    suffix = Path(source).suffix.lower() if len(source) < 256 else ""
    if not is_file and not suffix:
        rules = Rules.parse(source)
        found: list[tuple[str, BoardStatistics | GameStatistics]] = []
        with show_progress(f"Measuring {source}", "boards") as update:
            for number, one in enumerate(measure_boards(rules, boards, seed)):
                update(number, boards)
                found.append((f"{source} seed {seed + number}", one))
        return found
    layouts = {
        end: entry for entry in FORMATS.values() if entry.carries in (Layout, OpenedLayout) for end in entry.suffixes
    }
    if suffix in layouts:
        data = read_bytes(source)
        try:
            value = layouts[suffix].read(data)
        except InputError as error:
            raise InputError(f"{source}: {error}") from error
        layout = value.layout if isinstance(value, OpenedLayout) else value
        assert isinstance(layout, Layout)
        return [(source, board_statistics(layout))]
    game = load_game(source).statistics()
    if game is None:
        raise InputError(f"{source}: nothing was opened, so there is nothing to measure.")
    return [(source, game)]


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
    from sapper.experiments.layouts.spread import MEASURES, spread_of

    columns = "".join(f"{name:>9}" for name in ("least", "5 %", "median", "mean", "95 %", "most", "st. dev."))
    print(f"{len(layouts):,} boards".ljust(14) + columns)
    for one in spread_of(layouts):
        print(
            f"{MEASURES[one.measure]:<14}{one.least:>9}{one.low:>9.1f}{one.median:>9.1f}{one.mean:>9.2f}"
            f"{one.high:>9.1f}{one.most:>9}{one.deviation:>9.2f}"
        )


def _draw(name: str, layouts: list[BoardStatistics], title: str) -> None:
    from sapper.cli.common.files import write_bytes
    from sapper.errors import InputError
    from sapper.experiments.layouts.spread import draw_histograms
    from sapper.experiments.plots import render

    kind = Path(name).suffix.lower().removeprefix(".")
    if kind not in ("svg", "png"):
        raise InputError(f"A picture {name!r} should end in .svg or .png.")
    write_bytes(name, render(draw_histograms(layouts, title if len(title) < 60 else ""), kind))
