"""``sapper train``: answer puzzles in the terminal, write them to a file, or show your progress."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.files import check_targets, write_bytes
from sapper.cli.options import BOARD_HELP, grouped, refuse_all_with, refuse_with
from sapper.errors import InputError
from sapper.words import count, percent, plural
from sapper.words import count as say_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sapper.cli.puzzle_source import PuzzleSource, Supply
    from sapper.rules import Rules
    from sapper.train import Kind, Learner, Puzzle
    from sapper.train.history import History, HistoryFile
    from sapper.train.learner import Performance


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """Which puzzles, and how many."""

    kind: Annotated[
        str | None,
        typer.Option(
            help="Kind of puzzle: single, subsets, one-two, pairs, cases, total, guess, area or chain.",
            show_default="all levels, easiest first",
        ),
    ] = None
    count: Annotated[int, typer.Option(min=1, max=10_000, help="Number of puzzles.")] = 10
    board: Annotated[str, typer.Option(help=BOARD_HELP)] = "beginner"
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**62, help="Same seed, same puzzles; random if not given.")
    ] = None
    mode: Annotated[
        str | None,
        typer.Option(
            help="rated: puzzles that match your rating, mistakes first; sprint: three minutes; survival: three lives.",
            show_default="level by level, unrated",
        ),
    ] = None
    link: Annotated[
        str | None, typer.Option(metavar="WORD", help="One puzzle by its link, such as pairs.9x9.10.7.")
    ] = None

    def kinds(self) -> list[Kind]:
        """Return the kinds to train; none for all."""
        from sapper.train import read_kind

        return [] if self.kind is None else [read_kind(self.kind)]

    def check(self, asks: bool) -> None:
        """Raise `InputError` if options cannot be combined."""
        modes = ("rated", "sprint", "survival")
        if self.mode is not None and self.mode not in modes:
            raise InputError(f"There is no training mode {self.mode[:40]!r}; choose from {', '.join(modes)}.")
        if self.mode in ("sprint", "survival"):
            refuse_with(f"--mode {self.mode}", "--count")
        if self.link is not None:
            refuse_with("--link", "--kind", "--count", "--board", "--seed")
        if self.mode is not None and (self.link is not None or not asks):
            raise InputError("--mode asks for answers, so it cannot be used with --link, --json or --output.")


@dataclass(frozen=True, slots=True)
class FileOptions:
    """Puzzles to store instead of answering them."""

    output: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the puzzles with solutions and proofs instead of asking: .html to print, .jsonl or - for one "
            "JSON object per line.",
        ),
    ] = None
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the puzzles, or your progress, as JSON instead of asking.")
    ] = False

    def check(self) -> bool:
        """Return whether puzzles are written rather than asked; raise `InputError` if they cannot be written."""
        check_targets({"--output": self.output}, as_json=self.as_json)
        if self.output not in (None, "-") and not str(self.output).endswith((".html", ".jsonl")):
            raise InputError(f"--output writes .html or .jsonl, not {str(self.output)[-40:]!r}.")
        return self.as_json or self.output is not None

    def write(self, puzzles: Iterator[Puzzle]) -> None:
        """Write the puzzles, and print them with --json."""
        from sapper.train import sheet

        kept, lines = [], []
        for puzzle in puzzles:
            kept.append(puzzle)
            lines.append(json.dumps(puzzle.as_plain_values()) + "\n")
            if self.as_json:
                print(lines[-1], end="")
        if self.output is not None:
            write_bytes(self.output, (sheet(kept) if self.output.endswith(".html") else "".join(lines)).encode())
            if self.output != "-":
                print(f"Wrote {say_count(len(kept), 'puzzle')} to {self.output}.", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class HistoryOptions:
    """What to do with the answers so far."""

    progress: Annotated[
        bool, typer.Option("--progress", help="Show your ratings, streaks, puzzles to repeat and weakest kind.")
    ] = False
    forget: Annotated[bool, typer.Option("--forget", help="Delete all your answers, after you confirm.")] = False


@grouped
def train(asked: TrainOptions, files: FileOptions, looking: HistoryOptions) -> None:
    """Train with puzzles from real games: find what is certain, and see the proof.

    A lucky guess is wrong, and two layouts show why. Type 3 4 for the cell in row 3, column 4, a number if the puzzle
    asks for one, or hint, why, skip, quit; ? lists everything. Three right answers in a row lead up a level, two wrong
    ones down. With --mode rated you get a rating, and your mistakes come back after a day, a week and a month. With
    --json or --output and no --kind, the puzzles are of all kinds. The course for beginners is in the web app: sapper
    play.

    Example: sapper train --kind subsets --count 3 --seed 1

    Example: sapper train --mode rated

    Example: sapper train --progress

    Example: sapper train --count 12 --output puzzles.html
    """
    from sapper.cli.puzzle_source import Supply
    from sapper.train import read_board, read_link
    from sapper.train.history import HistoryFile

    stored = HistoryFile()
    if looking.forget:
        refuse_all_with("--forget")
        _forget(stored)
        return
    if looking.progress:
        refuse_all_with("--progress", "--json")
        _show_progress(stored, files.as_json)
        return
    kinds, rules = asked.kinds(), read_board(asked.board)
    writes = files.check()
    asked.check(asks=not writes)
    import secrets

    seed = secrets.randbelow(2**31) if asked.seed is None else asked.seed
    sent = None if asked.link is None else read_link(asked.link)
    if writes:
        files.write(iter([sent]) if sent is not None else _make(Supply(rules, seed), kinds, asked.count))
    else:
        history = _history(stored)
        _run_session(history, _find_source(asked, rules, seed, sent, history), f"{rules}, seed {seed}")


def _find_source(asked: TrainOptions, rules: Rules, seed: int, sent: Puzzle | None, history: History) -> PuzzleSource:
    from sapper.cli.puzzle_source import ByLevel, ByRating, InRound, Ladder, OfLink, Supply, TrainingPlan
    from sapper.train import LEVELS, read_way

    kinds = asked.kinds()
    if sent is not None:
        return OfLink(sent)
    if asked.mode is None:
        return ByLevel(Supply(rules, seed), Ladder(kinds or list(LEVELS)), asked.count)
    request = TrainingPlan(history, rules, kinds, seed)
    return ByRating(request, asked.count) if asked.mode == "rated" else InRound(request, read_way(asked.mode))


def _run_session(history: History, source: PuzzleSource, about: str) -> None:
    from rich.console import Console

    from sapper.cli.session import Session

    with suppress(ImportError):
        import readline  # noqa: F401  (arrow keys and history at the prompt)
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{about}. Type ? for help.")
    Session(source, history, console).run()


def _history(stored: HistoryFile) -> History:
    from sapper.train.history import History

    history = History(stored)
    history.learner(utc_offset=time.localtime().tm_gmtoff)
    return history


def _show_progress(stored: HistoryFile, as_json: bool) -> None:
    learner, now = _history(stored).learner(), time.time()
    if as_json:
        print(json.dumps({**learner.as_plain_values(now), "file": str(stored.path), "unreadable": stored.n_unreadable}))
        return
    for line in describe_progress(learner, now):
        print(line)
    if learner.overall.n:
        print(f"\nYour answers are in {stored.path}.")
    if stored.n_unreadable:
        print(f"{count(stored.n_unreadable, 'line')} of the old answer file could not be read.")


def _forget(stored: HistoryFile) -> None:
    if not stored.exists():
        print("There is nothing to delete.")
        return
    n_answers = count(len(_history(stored).attempts()), "answer")
    print(f"Delete {n_answers} in {stored.path}, and your ratings with them? [y/N] ", end="", flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        print("Nothing was deleted.")
        return
    stored.forget()
    print(f"Deleted {n_answers}.")


def _make(supply: Supply, kinds: list[Kind], count: int) -> Iterator[Puzzle]:
    """Make puzzles of these kinds, or of all kinds that the board has, in equal shares and easiest first."""
    from sapper.train import KINDS
    from sapper.train.kinds import first_possible

    chosen = list(kinds or KINDS)
    for number in range(count):

        def pick(left: list[Kind], number: int = number) -> Kind:
            return left[number * len(left) // count]

        yield first_possible(chosen, lambda left: supply.next(pick(left)), pick)


_BLOCKS = " ▁▂▃▄▅▆▇█"
_WIDTH, _HEIGHT = 60, 6  # of the chart, in characters
_LEAST_RANGE = 100.0  # rating points: small changes must not look like mountains


def describe_progress(learner: Learner, now: float) -> Iterator[str]:
    """Describe a learner's progress, line by line."""
    if not learner.overall.n:
        yield "You have not answered any puzzles yet. Start with: sapper train --mode rated"
        return
    yield from _describe_standing(learner, now)
    yield ""
    yield f"{'kind':<8}  {'rating':>11}  {'answers':>7}  {'accuracy':>8}  {'seconds':>7}"
    for kind, standing in sorted(learner.by_kind.items(), key=lambda item: _order(item[0])):
        right = percent(standing.accuracy, certain=True)
        rating = _rating(standing, now)
        yield f"{kind:<8}  {rating:>11}  {standing.n:>7}  {right:>8}  {standing.mean_seconds:>7.1f}"
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
    yield f"{count(whole.n, 'answer')}, accuracy {right}, {whole.mean_seconds:.1f} seconds each on average."
    yield (
        f"Streaks: {count(streaks.right, 'right answer')} (best {streaks.most_right}), "
        f"{count(streaks.days(now), 'day')} (best {streaks.most_days})."
    )
    for way in ("sprint", "survival"):
        best = learner.best_round(way)
        if best is not None:
            yield f"Best {way}: {count(best.score, 'right answer')}."


def _order(kind: str) -> int:
    from sapper.train import KINDS

    return [*map(str, KINDS)].index(kind)


def _rating(standing: Performance, now: float) -> str:
    if not standing.points:
        return "-"
    return str(standing.rating_at(now))


def _advise(learner: Learner, now: float) -> Iterator[str]:
    weakest = learner.weakest()
    if weakest is None:
        yield "Your answers show no weak kind of puzzle."
    else:
        score, expected = (percent(part, certain=True) for part in (weakest.score, weakest.expected))
        yield f"Your weakest kind is {weakest.kind}: you score {score}, and your rating predicts {expected}."
        yield f"Practise it with: sapper train --mode rated --kind {weakest.kind}"
    n_due = sum(1 for _ in learner.schedule.due(now))
    n_later = len(learner.schedule.repetitions) - n_due
    if n_due:
        are = plural(n_due, "is", "are")
        yield f"{count(n_due, 'puzzle')} {are} due for repetition. Repeat with: sapper train --mode rated"
    if n_later:
        yield f"{count(n_later, 'puzzle')} {plural(n_later, 'is', 'are')} due later."
    if learner.schedule.n_learned:
        yield f"{count(learner.schedule.n_learned, 'puzzle')} learned."


def chart(values: Sequence[float], width: int = _WIDTH, height: int = _HEIGHT) -> Iterator[str]:
    r"""Draw a chart of blocks, with the highest and the lowest value beside it.

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
