"""What a course plays and what it is worth: a TOML file, or the usual of a kind of submission.

A file gives what differs from the usual::

    course = "CS50 AI"
    kind = "cs50"                  # cs50, uci, program or process
    games = 200
    seed = 0
    compare = ["basic", "exact"]
    words = "first-any no-cascade total-hidden"
    [boards]                       # board → its share of the games
    "8x8/8" = 0.6
    "8x8/13 survey" = 0.4
    [limits]                       # seconds of processor time, megabytes
    move = 1
    game = 10
    memory = 512
    submission = 40
    [points.single]                # a criterion of `CRITERIA`
    points = 20
    none = 0.5                     # at most this: no points; in between in proportion
    full = 1.0                     # at least this: all points
"""

from __future__ import annotations

import shlex
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sapper.agents.foreign.agent import KINDS, Limits, is_foreign
from sapper.agents.foreign.files import ARCHIVES, FILES, is_hidden
from sapper.agents.registry import AGENTS
from sapper.errors import InputError, SapperError
from sapper.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

# What points are given for: name → what the share means.
CRITERIA = {
    "runs": "games played to their end",
    "sound": "claims that the clues prove",
    "single": "certain cells found that a single clue proves",
    "subset": "certain cells found that take a clue within another",
    "pair": "certain cells found that take two overlapping clues",
    "cases": "certain cells found that take a case split",
    "count": "certain cells found that take the number of mines",
    "guesses": "guesses of nearly the least risk",
    "repeatable": "same seed, same game",
    "quiet": "games without prints",
    "wins": "classic games won",
    "wins-of-exact": "classic games won, relative to exact",
    "score": "score of surveys",
    "score-of-exact": "score of surveys, relative to exact",
}

_NO_CASCADE = {
    "8x8/8": 0.3, "6x10/9": 0.15, "16x16/40": 0.05,
    "8x8/6 survey": 0.125, "8x8/13 survey": 0.125, "8x8/19 survey": 0.125, "8x8/26 survey": 0.125,
}  # fmt: skip
_UCI = {"8x8/10": 0.5, "6x10/9": 0.25, "16x16/40": 0.2, "16x30/99": 0.05}
_SURVEYS = {
    "9x9/10": 0.2, "6x10/9": 0.1,
    "10x10/5 survey": 0.1, "10x10/10 survey": 0.15, "10x10/20 survey": 0.15, "10x10/30 survey": 0.15,
    "10x10/40 survey": 0.15,
}  # fmt: skip
_WORDS = {
    "cs50": ("first-any no-cascade total-hidden", _NO_CASCADE),
    "uci": ("first-opening no-cascade", _UCI),
    "program": ("first-any", _SURVEYS),
    "process": ("first-any", _SURVEYS),
}


@dataclass(frozen=True, slots=True)
class Criterion:
    """Points for a share: none up to ``none``, all from ``full`` on."""

    points: float
    none: float = 0.0
    full: float = 1.0

    def worth(self, share: float) -> float:
        """Return the points of a share.

        >>> Criterion(10, 0.5, 1.0).worth(0.75)
        5.0
        """
        return self.points * min(max((share - self.none) / (self.full - self.none), 0.0), 1.0)


_LIMITS = Limits(load=10.0, move=1.0, game=10.0, memory=512.0)
_POINTS = {
    "runs": Criterion(20), "sound": Criterion(20, 0.9), "single": Criterion(20, 0.5), "subset": Criterion(20),
    "wins-of-exact": Criterion(10, 0.3, 0.9), "score-of-exact": Criterion(10, 0.5, 0.95),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rubric:
    """What is played and what it is worth."""

    course: str = ""
    kind: str = "cs50"
    games: int = 200
    seed: int = 0
    compare: tuple[str, ...] = ("basic", "statements", "one-two", "contradiction-full", "exact")
    boards: tuple[tuple[str, float], ...] = ()
    limits: Limits = _LIMITS
    submission: float = 40.0  # seconds of processor time for all games of a submission
    points: dict[str, Criterion] = field(default_factory=lambda: dict(_POINTS))

    @classmethod
    def usual(cls, kind: str) -> Rubric:
        """Return the usual for a kind of submission."""
        words, boards = _WORDS[kind]
        points = dict(_POINTS)
        if kind == "uci":
            del points["score-of-exact"]
        listed = tuple((_write(board, words), share) for board, share in boards.items())
        return cls(course="", kind=kind, boards=listed, points=points)

    @classmethod
    def read(cls, path: str) -> Rubric:
        """Read a file, or raise `InputError` in a sentence."""
        try:
            with Path(path).open("rb") as file:
                found = tomllib.load(file)
        except FileNotFoundError:
            raise InputError(f"There is no file {path}.") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: {error}.") from None
        try:
            return cls._of(found)
        except SapperError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def _of(cls, found: dict[str, Any]) -> Rubric:
        _check_keys(found, ("course", "kind", "games", "seed", "compare", "words", "boards", "limits", "points"), "")
        kind = found.get("kind", "cs50")
        if kind not in KINDS:
            raise InputError(f"There is no kind of submission {kind!r}; choose from {', '.join(KINDS)}.")
        usual = cls.usual(kind)
        words, boards = found.get("words", _WORDS[kind][0]), found.get("boards", _WORDS[kind][1])
        _check(isinstance(boards, dict) and boards and all(_is_number(one) and one > 0 for one in boards.values()),
               "boards must be a table of boards, each with its share of the games.")  # fmt: skip
        listed = tuple((_write(board, str(words)), float(share)) for board, share in boards.items())
        limits = found.get("limits", {})
        _check_keys(limits, ("load", "move", "game", "memory", "submission"), "limits.")
        _check(all(_is_number(one) and one > 0 for one in limits.values()), "limits must be numbers above 0.")
        submission = float(limits.get("submission", usual.submission))
        limits = {name: float(value) for name, value in limits.items() if name != "submission"}
        games, seed = found.get("games", usual.games), found.get("seed", 0)
        _check(type(games) is int and 1 <= games <= 10**6, "games must be a whole number of at least 1.")
        _check(type(seed) is int and 0 <= seed <= 2**62, "seed must be a whole number from 0 on.")
        compare = found.get("compare", list(usual.compare))
        _check(
            isinstance(compare, list) and all(one in AGENTS for one in compare), "compare must list agents of Sapper."
        )
        points = usual.points
        if "points" in found:
            _check_keys(found["points"], tuple(CRITERIA), "points.")
            points = {name: _read_criterion(name, one) for name, one in found["points"].items()}
        return replace(
            usual, course=str(found.get("course", "")), games=games, seed=seed, compare=tuple(compare), boards=listed,
            limits=replace(usual.limits, **limits), submission=submission, points=points,
        )  # fmt: skip

    def plan(self) -> list[tuple[Rules, int]]:
        """Return the boards with the number of games on each."""
        whole = sum(share for _, share in self.boards)
        return [(Rules.parse(board), max(1, round(self.games * share / whole))) for board, share in self.boards]

    def name_of(self, submission: str) -> str:
        """Return the agent that a submission is: a file or folder, or what is named like an agent already."""
        if is_foreign(submission):
            return submission
        if submission in AGENTS:
            raise InputError(f"{submission} is an agent of Sapper; grade a submission.")
        if self.kind == "process" or not Path(submission).exists():
            if ":" in submission:
                return f"process:{submission}"
            raise InputError(f"There is no file or folder {submission[:200]}.")
        if self.kind == "program":
            return f"program:{shlex.quote(str(Path(submission).resolve()))}"
        return f"{self.kind}:{submission}"

    def find(self, given: Sequence[str]) -> list[tuple[str, str]]:
        """Return the submissions, each with the name it is called by: a folder may hold one or many."""
        found: list[tuple[str, str]] = []
        for one in given:
            path = Path(one)
            wanted = FILES[self.kind][0] if self.kind in FILES else None
            if not path.is_dir() or is_foreign(one) or (wanted is not None and (path / wanted).is_file()):
                found.append((_call(one), self.name_of(one)))
                continue
            inside = sorted(child for child in path.iterdir() if self._is_submission(child))
            if not inside:
                raise InputError(
                    f"{one} holds no submissions: a file or a folder for each, with {wanted or 'a program'}."
                )
            found += [(_call(str(child)), self.name_of(str(child))) for child in inside]
        names = [name for name, _ in found]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"Two submissions are called {twice}.")
        return found

    def _is_submission(self, path: Path) -> bool:
        # A folder without the file is somebody's, too, and so is an archive: the report says what is missing.
        if is_hidden(path) or self.kind not in FILES:
            return not is_hidden(path)
        return path.suffix in (".py", *ARCHIVES) or path.is_dir()


def _call(submission: str) -> str:
    path = Path(submission.partition(":")[2] if is_foreign(submission) else submission)
    path = path.resolve() if path.is_dir() else path
    if path.name in {usual for usual, _ in FILES.values()} and path.parent.name:
        return path.parent.name
    # The name of a folder may have dots: anna.maria.
    return (path.name if path.is_dir() else path.stem) or submission


def _write(board: str, words: str) -> str:
    return str(Rules.parse(f"{board} {words}"))


def _read_criterion(name: str, found: Any) -> Criterion:
    if _is_number(found):
        found = {"points": found}
    _check(isinstance(found, dict), f"points.{name} must be a number or a table.")
    _check_keys(found, ("points", "none", "full"), f"points.{name}.")
    _check(all(_is_number(one) for one in found.values()) and "points" in found, f"points.{name} must have points.")
    made = Criterion(**{key: float(value) for key, value in found.items()})
    _check(made.points >= 0 and made.none < made.full, f"points.{name}: none must be below full.")
    return made


def _is_number(found: Any) -> bool:
    return isinstance(found, (int, float)) and not isinstance(found, bool)


def _check_keys(found: Any, known: tuple[str, ...], where: str) -> None:
    _check(isinstance(found, dict), f"{where.rstrip('.')} must be a table.")
    for key in found:
        _check(key in known, f"There is no {where}{key}; choose from {', '.join(known)}.")


def _check(is_right: Any, sentence: str) -> None:
    if not is_right:
        raise InputError(sentence)
