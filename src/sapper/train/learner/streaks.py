"""Streaks: right answers in a row, and days in a row on which something was answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sapper.train.learner.attempts import Attempt

_DAY = 86_400


@dataclass(slots=True)
class Streaks:
    """Both streaks, each with its best so far.

    ``utc_offset`` says by how many seconds the learner's clock is ahead of UTC, for where a day begins.
    """

    utc_offset: float = 0.0
    right: int = 0
    most_right: int = 0
    most_days: int = 0
    _days: int = 0  # in a row, up to the last day
    _last_day: int | None = None

    def note(self, attempt: Attempt) -> None:
        """Take down an answer."""
        self.right = self.right + 1 if attempt.is_right else 0
        self.most_right = max(self.most_right, self.right)
        day = self._day(attempt.at)
        if day != self._last_day:
            self._days = self._days + 1 if self._last_day is not None and day == self._last_day + 1 else 1
            self._last_day = day
            self.most_days = max(self.most_days, self._days)

    def days(self, now: float) -> int:
        """Days in a row up to today; today may still be missing."""
        is_alive = self._last_day is not None and self._day(now) - self._last_day <= 1
        return self._days if is_alive else 0

    def as_plain_values(self, now: float) -> dict[str, Any]:
        """The same for JSON, as of now."""
        return {
            "right": self.right,
            "most_right": self.most_right,
            "days": self.days(now),
            "most_days": self.most_days,
        }

    def _day(self, at: float) -> int:
        return int((at + self.utc_offset) // _DAY)
