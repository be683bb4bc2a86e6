"""A moment as foreign files write it → seconds since 1970; and a clock that never runs backwards."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from misstep.core.tool import JSON

MOMENTS = tuple("timestamp created_at ts time created date datetime sent_at created_time at when".split())
"""What the moment of a message is called, the likeliest name first."""
_YEAR_2100 = 4_102_444_800
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
_FRACTION = re.compile(r"(\.\d{6})\d+")


def moment_of(message: Mapping[str, JSON]) -> JSON:
    """The first that is a moment, under whatever name."""
    return next((message[name] for name in MOMENTS if name in message and epoch_s(message[name]) is not None), None)


def epoch_s(moment: JSON) -> float | None:
    """Seconds since 1970 of an ISO text, or of a number of seconds, milliseconds, micro- or nanoseconds; else None."""
    if isinstance(moment, str):
        return _of_text(moment)
    if isinstance(moment, bool) or not isinstance(moment, int | float):
        return None
    if not 0 < moment < 1e20 or not math.isfinite(moment):
        return None
    seconds = float(moment)
    while seconds > _YEAR_2100:
        seconds /= 1000
    return seconds


def _of_text(moment: str) -> float | None:
    if not _ISO.match(moment):
        return None
    try:
        read = datetime.fromisoformat(_FRACTION.sub(r"\1", moment[:40]))
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


class Clock:
    """Moments → seconds since the first of them; what is earlier than one before it counts as the same moment."""

    def __init__(self) -> None:
        self._first: float | None = None
        self._latest = 0.0
        self.began: str | None = None
        """The first moment, as an ISO date and time."""

    def at_s(self, moment: JSON) -> float:
        seconds = epoch_s(moment)
        if seconds is None:
            return self._latest
        if self._first is None:
            self._first = seconds
            self.began = datetime.fromtimestamp(seconds, UTC).isoformat()
        self._latest = max(self._latest, seconds - self._first)
        return self._latest
