"""Made-up results for the experiments of the reports, and a reader of the pages that are drawn of them."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np

from sapper.experiments.games import GameResult
from sapper.experiments.reports.catalogue import choose
from sapper.experiments.reports.claims import Count, Experiment, StudyResults
from sapper.rules import Rules


class Reader(HTMLParser):
    """Refuses a page whose tags do not match, and keeps what it holds."""

    VOID = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self._note(attributes)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        del tag
        self._note(attributes)

    def _note(self, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "xlink:href"):
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read_page(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def made_up(
    experiment: Experiment, scores: dict[str, float], n: int = 400, *, column: str = "identified"
) -> StudyResults:
    """Results of an experiment in which an agent's share of identified mines, or of others, wobbles around a value."""
    rng = np.random.default_rng(0)
    games = {}
    for task in experiment.tasks(Count(games=n)):
        rules = Rules.parse(task.condition.rules)
        share = scores.get(f"{task.condition.agent} {rules.mines}", scores.get(task.condition.agent, 0.5))
        table = np.zeros((n, len(GameResult._fields)), dtype=np.int32)
        if column == "won":
            table[:, 0] = rng.random(n) < share
        else:
            table[:, GameResult._fields.index(column)] = rng.binomial(rules.mines, share, n)
            if task.condition.source.startswith("probe:marks"):
                table[:, GameResult._fields.index("moves")] = table[:, GameResult._fields.index("identified")]
        games[task.condition] = table
    return StudyResults(games)


def by_name(name: str) -> Experiment:
    (experiment,) = choose(name)
    return experiment
