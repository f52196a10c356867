"""Draw the pictures that the README shows."""

from __future__ import annotations

import tempfile
from pathlib import Path

from sapper.draw.svg import draw_svg
from sapper.rules import Rules
from sapper.world.game import Game

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


def draw_expert() -> str:
    """An expert board after its opening, the best-known sight of the game."""
    game = Game(Rules.parse("expert first-opening"), seed=21)
    game.open(7, 12)
    return draw_svg(game.observation)


def draw_report_000() -> str:
    """A figure of `sapper reproduce`: report 000's agent on 4 x 4, without the number of mines and with it."""
    from sapper.experiments.backends import InProcess
    from sapper.experiments.plots import render
    from sapper.experiments.reports.catalogue import choose
    from sapper.experiments.reports.claims import Count, StudyResults
    from sapper.experiments.store import Store
    from sapper.experiments.sweep import run_tasks

    (experiment,) = choose("000-total")
    tasks = experiment.tasks(Count(quick=True))
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite") as store:
        run_tasks(store, tasks, InProcess())
        *_, picture = experiment.draw(StudyResults.of_store(store, tasks))
    return render(picture.figure, "svg").decode()


def draw_statistics() -> str:
    """The figure of ``sapper stats expert --count 200``."""
    from sapper.experiments.plots import draw_histograms, measure_boards, render

    measured = list(measure_boards(Rules.parse("expert"), 200))
    return render(draw_histograms(measured, "expert"), "svg").decode()


PICTURES = {"expert.svg": draw_expert, "reproduce.svg": draw_report_000, "statistics.svg": draw_statistics}


def main() -> None:
    """Write every picture into docs/pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
        print(f"docs/pictures/{name}")


if __name__ == "__main__":
    main()
