"""A text → the days that it may name: several where the order of day and month is open."""

import re
from functools import lru_cache

Day = tuple[int | None, int, int]
"""Year, month and day; no year where the text has none."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAME = r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,20}\.?"
_ISO = re.compile(
    r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"
    r"(?:[T ](?P<time>\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"
)
_SPELLED = (
    re.compile(
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s{{1,20}}(?:of\s+)?{_NAME}(?:,?\s{{1,20}}(?P<year>\d{{4}}))?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_NAME}\s{{1,20}}(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s{{1,20}}(?P<year>\d{{4}}))?",
        re.IGNORECASE,
    ),
)
_SLASHED = re.compile(r"(?P<first>\d{1,2})[./-](?P<second>\d{1,2})[./-](?P<year>\d{4}|\d\d)")


@lru_cache(maxsize=8192)
def days_named(text: str) -> tuple[Day, ...]:
    """The days that a whole text can mean; empty where it is no date."""
    text = text.strip()
    if match := _ISO.fullmatch(text):
        return _valid((int(match["year"]), int(match["month"]), int(match["day"])))
    for form in _SPELLED:
        if match := form.fullmatch(text):
            month = _MONTHS.index(match["name"].lower()) + 1
            return _valid((int(match["year"]) if match["year"] else None, month, int(match["day"])))
    if match := _SLASHED.fullmatch(text):
        year = int(match["year"]) + (2000 if len(match["year"]) == 2 else 0)
        first, second = int(match["first"]), int(match["second"])
        return _valid((year, first, second), (year, second, first))
    return ()


def _valid(*days: Day) -> tuple[Day, ...]:
    return tuple(dict.fromkeys(day for day in days if 1 <= day[1] <= 12 and 1 <= day[2] <= 31))


def time_named(text: str) -> str:
    """The time of day that an ISO text carries, to the minute; empty for none and for midnight."""
    match = _ISO.fullmatch(text.strip())
    time = (match["time"] or "")[:5] if match else ""
    return "" if time == "00:00" else time


def same_day(one: str, other: str) -> bool:
    """Both texts are dates and can mean one day; a date without a year fits any year."""
    return any(
        a[1:] == b[1:] and (a[0] == b[0] or a[0] is None or b[0] is None)
        for a in days_named(one)
        for b in days_named(other)
    )


def same_date(one: str, other: str) -> bool:
    """Both texts are full dates, of one day and one time of day."""
    return time_named(one) == time_named(other) and any(
        a[0] is not None and a in days_named(other) for a in days_named(one)
    )
