"""``sapper train``: puzzles to learn from, in the terminal, as JSON or on paper; and what somebody has learned.

How somebody stands, in the terminal: ratings, streaks, what is due and what is weakest, and a small chart.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.options import BOARD_HELP, grouped
from sapper.words import count, percent, plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sapper.cli.diary import Diary
    from sapper.cli.puzzle_source import Supply, Teacher
    from sapper.rules import Rules
    from sapper.train import Kind, Learner, Puzzle
    from sapper.train.learner import Standing


@dataclass(frozen=True, slots=True)
class PuzzleOptions:
    """Which puzzles, and how many."""

    level: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Only puzzles of this kind: single, subsets, one-two, pairs, cases, total, guess, area or chain.",
            show_default="all levels, easiest first",
        ),
    ] = None
    count: Annotated[int, typer.Option(min=1, max=10_000, help="How many puzzles.")] = 10
    board: Annotated[str, typer.Option(help=BOARD_HELP)] = "beginner"
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**62, help="Same seed, same puzzles; without it, new ones every time.")
    ] = None
    way: Annotated[
        str | None,
        typer.Option(
            metavar="WAY",
            help="rated: as hard as you are strong, mistakes first; sprint: three minutes; survival: three lives.",
            show_default="level by level, without a rating",
        ),
    ] = None
    link: Annotated[
        str | None, typer.Option(metavar="WORD", help="One puzzle that somebody sent, such as pairs.9x9.10.7.")
    ] = None

    def kinds(self) -> tuple[Kind, ...]:
        """The kinds that are wanted; none for all."""
        from sapper.train import read_kind

        return () if self.level is None else (read_kind(self.level),)

    def check(self, asks: bool) -> None:
        """Raise `InputError` if these do not go together."""
        from sapper.cli.options import refuse_with
        from sapper.errors import InputError

        ways = ("rated", "sprint", "survival")
        if self.way is not None and self.way not in ways:
            raise InputError(f"There is no way of training {self.way[:40]!r}; choose from {', '.join(ways)}.")
        if self.way in ("sprint", "survival"):
            refuse_with(f"--way {self.way}", "--count")
        if self.link is not None:
            refuse_with("--link", "--level", "--count", "--board", "--seed")
        if self.way is not None and (self.link is not None or not asks):
            raise InputError("--way asks for answers, so it does not go with --link, --json, --export or --sheet.")


@dataclass(frozen=True, slots=True)
class FileOptions:
    """Puzzles to keep instead of answering them."""

    export: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Ask nothing; write the puzzles with solutions and proofs, one JSON object per line."
        ),
    ] = None
    sheet: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Ask nothing; write an HTML page to print, with the solutions at the end."),
    ] = None
    as_json: Annotated[
        bool, typer.Option("--json", help="Ask nothing; print the puzzles, or your progress, as JSON.")
    ] = False

    def check(self) -> bool:
        """Whether there is anything to keep; raise `InputError` if it cannot be written."""
        from sapper.cli.files import check_targets

        check_targets({"--export": self.export, "--sheet": self.sheet}, as_json=self.as_json)
        return self.as_json or self.export is not None or self.sheet is not None

    def keep(self, made: Iterator[Puzzle]) -> None:
        """Write the puzzles to wherever they are wanted."""
        from sapper.cli.files import write_bytes
        from sapper.train import sheet as draw_sheet
        from sapper.words import count as say_count

        kept, lines = [], []
        for puzzle in made:
            kept.append(puzzle)
            lines.append(json.dumps(puzzle.as_plain_values()))
            if self.as_json:
                print(lines[-1])
        files = []
        if self.export is not None:
            files.append((self.export, "".join(f"{line}\n" for line in lines)))
        if self.sheet is not None:
            files.append((self.sheet, draw_sheet(kept)))
        for name, text in files:
            write_bytes(name, text.encode())
            if name != "-":
                print(f"Wrote {say_count(len(kept), 'puzzle')} to {name}.", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class DiaryOptions:
    """What to do with the answers so far."""

    progress: Annotated[
        bool, typer.Option("--progress", help="Ask nothing; show your ratings, streaks, mistakes and weakest pattern.")
    ] = False
    forget: Annotated[bool, typer.Option("--forget", help="Ask nothing; delete all your answers so far.")] = False
    yes: Annotated[bool, typer.Option("--yes", help="With --forget: do not ask whether you are sure.")] = False


@grouped
def train(asked: PuzzleOptions, files: FileOptions, looking: DiaryOptions) -> None:
    """Train with puzzles from real games: find what is certain, and see the proof.

    A lucky guess is wrong here, and two layouts show why. Type 3 4 for the cell in row 3, column 4, or a number where
    one is asked for; hint, why, skip, quit, and ? for everything else. Three right answers in a row lead to the next
    level, two wrong ones back. With --way rated you get a rating, and your mistakes come back after a day, a week and a
    month. With --json, --export or --sheet and no --level, the puzzles are of all kinds. The course for beginners is on
    the page: sapper play.

    Example: sapper train --level subsets --count 3 --seed 1

    Example: sapper train --way rated

    Example: sapper train --progress

    Example: sapper train --count 12 --sheet puzzles.html
    """
    from sapper.cli.diary import Diary
    from sapper.cli.options import refuse_all_with, refuse_without
    from sapper.cli.puzzle_source import Supply
    from sapper.train import read_board, read_link

    diary = Diary()
    if looking.forget:
        refuse_all_with("--forget", "--yes")
        _forget(diary, looking.yes)
        return
    refuse_without("--forget", "--yes")
    if looking.progress:
        refuse_all_with("--progress", "--json")
        _show_progress(diary, files.as_json)
        return
    kinds, rules = asked.kinds(), read_board(asked.board)
    keeps = files.check()
    asked.check(asks=not keeps)
    seed = _seed(asked.seed)
    sent = None if asked.link is None else read_link(asked.link)
    if keeps:
        files.keep(iter([sent]) if sent is not None else _make(Supply(rules, seed), kinds, asked.count))
    else:
        _hold_session(diary, _find_teacher(asked, rules, seed, sent, diary), f"{rules}, seed {seed}")


def _find_teacher(asked: PuzzleOptions, rules: Rules, seed: int, sent: Puzzle | None, diary: Diary) -> Teacher:
    """Who sets the puzzles that are asked for."""
    from sapper.cli.puzzle_source import ByLevel, ByRating, InRound, Ladder, OfLink, Supply, Wishes
    from sapper.train import LEVELS, read_way

    kinds = asked.kinds()
    if sent is not None:
        return OfLink(sent)
    if asked.way is None:
        return ByLevel(Supply(rules, seed), Ladder(kinds or LEVELS), asked.count)
    wishes = Wishes(_learner(diary), rules, kinds, seed)
    return ByRating(wishes, asked.count) if asked.way == "rated" else InRound(wishes, read_way(asked.way))


def _hold_session(diary: Diary, teacher: Teacher, about: str) -> None:
    from contextlib import suppress

    from rich.console import Console

    from sapper.cli.session import Session

    with suppress(ImportError):
        import readline  # noqa: F401  (arrow keys and history at the prompt)
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{about}. Type ? for help.")
    Session(teacher, diary, console).hold()


def _learner(diary: Diary) -> Learner:
    from sapper.train import learn

    return learn(diary.read(), utc_offset=time.localtime().tm_gmtoff)


def _show_progress(diary: Diary, as_json: bool) -> None:
    from sapper.words import count, plural

    learner, now = _learner(diary), time.time()
    if as_json:
        print(json.dumps({**learner.as_plain_values(now), "file": str(diary.path), "unreadable": diary.n_unreadable}))
        return
    for line in describe_progress(learner, now):
        print(line)
    if learner.overall.n:
        print(f"\nYour answers are in {diary.path}.")
    if diary.n_unreadable:
        are = plural(diary.n_unreadable, "is", "are")
        print(f"{count(diary.n_unreadable, 'line')} of that file cannot be read and {are} left out.")


def _forget(diary: Diary, is_sure: bool) -> None:
    from sapper.words import count

    n_answers = len(diary.read())
    if not diary.path.exists():
        print("There is nothing to delete.")
        return
    if not is_sure:
        asked = f"Delete {count(n_answers, 'answer')} in {diary.path}, and your ratings with them? [y/N] "
        print(asked, end="", flush=True)
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            print("Nothing was deleted.")
            return
    diary.forget()
    print(f"Deleted {count(n_answers, 'answer')}.")


def _seed(seed: int | None) -> int:
    import secrets

    return secrets.randbelow(2**31) if seed is None else seed


def _make(supply: Supply, kinds: Sequence[Kind], count: int) -> Iterator[Puzzle]:
    """So many puzzles: of the kinds wanted, or of all that this board has, as evenly as possible and easiest first."""
    from sapper.errors import GaveUp
    from sapper.train import KINDS

    chosen = list(kinds or KINDS)
    for number in range(count):
        while True:
            kind = chosen[number * len(chosen) // count]
            try:
                yield supply.next(kind)
                break
            except GaveUp:
                if len(chosen) == 1:
                    raise
                chosen.remove(kind)


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
