"""Times as files write them → nanoseconds since 1970; 0 for what is none."""

import re
from datetime import UTC, datetime

from misstep.core.tool import JSON

_DURATION = re.compile(r"P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?$")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FRACTION = re.compile(r"\.(\d{6})\d+")
_LATEST = 2**63 - 1


def nanoseconds(value: JSON) -> int:
    """A count of nanoseconds, also where it is written as text."""
    try:
        found = int(value) if isinstance(value, (int, float)) or (isinstance(value, str) and len(value) < 25) else 0
    except (ValueError, OverflowError):
        return 0
    return found if 0 < found <= _LATEST else 0


def instant(value: JSON) -> int:
    """An ISO date and time, UTC unless it says otherwise."""
    if not isinstance(value, str) or len(value) > 64:
        return 0
    try:
        moment = datetime.fromisoformat(_FRACTION.sub(r".\1", value))
        since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH
    except (ValueError, OverflowError):
        return 0
    return max(0, (since.days * 86_400 + since.seconds) * 1_000_000_000 + since.microseconds * 1000)


def moment(value: JSON) -> int:
    """A time however it is written: ISO, or seconds, milliseconds, microseconds or nanoseconds, told by their size."""
    if isinstance(value, str) and not value.strip().isdecimal():
        return instant(value)
    try:
        found = float(value) if isinstance(value, (int, float, str)) else 0.0
    except (ValueError, OverflowError):
        return 0
    for limit, factor in ((1e11, 1_000_000_000), (1e14, 1_000_000), (1e17, 1000)):
        if 0 < found < limit:
            return int(found * factor)
    return nanoseconds(value)


def duration(value: JSON) -> int:
    """An ISO duration in nanoseconds."""
    found = _DURATION.match(value) if isinstance(value, str) and len(value) < 64 else None
    if found is None:
        return 0
    days, hours, minutes, seconds = (int(found[group] or 0) for group in range(1, 5))
    fraction = int((found[5] or "").ljust(9, "0")[:9])
    return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000_000_000 + fraction
