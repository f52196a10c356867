"""How somebody stands, in the terminal: ratings, streaks, what is due and what is weakest, and a small chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.words import count, percent, plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sapper.train import Learner
    from sapper.train.learner import Standing

_BLOCKS = " ▁▂▃▄▅▆▇█"
_WIDTH, _HEIGHT = 60, 6  # of the chart, in characters
_LEAST_RANGE = 100.0  # of ratings, or every chart would look like a mountain


def describe_progress(learner: Learner, now: float) -> Iterator[str]:
    """Everything there is to say, line by line."""
    if not learner.overall.n:
        yield "You have not answered any puzzle yet. Begin with: sapper train --way rated"
        return
    yield from _describe_standing(learner, now)
    yield ""
    yield from _table(learner, now)
    yield ""
    yield from _advise(learner, now)
    if len(learner.overall.points) > 1:
        yield ""
        yield "Your rating, from the first rated puzzle to the last:"
        yield from chart([point.rating for point in learner.overall.points])


def _describe_standing(learner: Learner, now: float) -> Iterator[str]:
    whole, streaks = learner.overall, learner.streaks
    if whole.points:
        rating = whole.rating_at(now)
        n_rated = count(len(whole.points), "rated puzzle")
        provisional = ", provisional" if rating.is_provisional else ""
        yield f"Rating {rating}{provisional}, after {n_rated}."
    right = percent(whole.accuracy, certain=True)
    yield f"{count(whole.n, 'answer')}, {right} right, {whole.mean_seconds:.1f} seconds each on average."
    yield (
        f"In a row: {count(streaks.right, 'right answer')} (best {streaks.most_right}), "
        f"{count(streaks.days(now), 'day')} (best {streaks.most_days})."
    )
    for way in ("sprint", "survival"):
        best = learner.best_round(way)
        if best is not None:
            yield f"Best {way}: {count(best.score, 'right answer')}."


def _table(learner: Learner, now: float) -> Iterator[str]:
    yield f"{'kind':<8}  {'rating':>11}  {'answers':>7}  {'right':>5}  {'seconds':>7}"
    for kind, standing in sorted(learner.by_kind.items(), key=lambda item: _order(item[0])):
        right = percent(standing.accuracy, certain=True)
        rating = _rating(standing, now)
        yield f"{kind:<8}  {rating:>11}  {standing.n:>7}  {right:>5}  {standing.mean_seconds:>7.1f}"


def _order(kind: str) -> int:
    from sapper.train import KINDS

    return [*map(str, KINDS)].index(kind)


def _rating(standing: Standing, now: float) -> str:
    if not standing.points:
        return "-"
    return str(standing.rating_at(now))


def _advise(learner: Learner, now: float) -> Iterator[str]:
    weakest = learner.weakest()
    if weakest is None:
        yield "No pattern is weaker than the others, as far as your answers tell."
    else:
        score, expected = (percent(part, certain=True) for part in (weakest.score, weakest.expected))
        yield f"Your weakest pattern is {weakest.kind}: {score} of the points, where your rating promises {expected}."
        yield f"Train it with: sapper train --way rated --level {weakest.kind}"
    n_due = sum(1 for _ in learner.schedule.due(now))
    n_later = len(learner.schedule.reviews) - n_due
    if n_due:
        are = plural(n_due, "is", "are")
        yield f"{count(n_due, 'mistake')} {are} due again. They come first with: sapper train --way rated"
    if n_later:
        yield f"{count(n_later, 'mistake')} {plural(n_later, 'comes', 'come')} back later."
    if learner.schedule.n_learned:
        yield f"{count(learner.schedule.n_learned, 'mistake')} learned for good."


def chart(values: Sequence[float], width: int = _WIDTH, height: int = _HEIGHT) -> Iterator[str]:
    r"""A chart of blocks, with the highest and the lowest value at its side.

    >>> print(*chart([1000, 1050, 1100, 1200], height=2), sep="\n")
    1200 │  ▁█
    1000 │▁▅██
    """
    from sapper.train.learner import thin

    values = thin(values, width)
    low, high = min(values), max(values)
    if high - low < _LEAST_RANGE:
        low = high = (low + high) / 2
        low, high = low - _LEAST_RANGE / 2, high + _LEAST_RANGE / 2
    steps = [1 + round((8 * height - 1) * (value - low) / (high - low)) for value in values]
    margin = max(len(f"{edge:.0f}") for edge in (low, high))
    for row in range(height - 1, -1, -1):
        edge = f"{high:.0f}" if row == height - 1 else f"{low:.0f}" if row == 0 else ""
        yield f"{edge:>{margin}} │{''.join(_BLOCKS[min(max(step - 8 * row, 0), 8)] for step in steps)}"
