"""A text or a record → the days, the days of the week and the times of day that it names."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from misstep.core.tool import JSON
from misstep.core.words import atoms, split_identifier
from misstep.objectives.dates import Day, days_named
from misstep.objectives.times import times_named
from misstep.objectives.values import leaves

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FULL = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
# An abbreviation stands for a day only where a date is: `Sat 12 May`, `Thu, 09:00`.
_IN_DATES = re.compile(
    rf"\b(?:(?P<day>{_FULL})|(?P<short>mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\b\.?(?=\s*$|,|\s+\d))\b", re.IGNORECASE
)
_RANGE = re.compile(
    rf"\b(?:{_FULL}|mon|tue|wed|thu|fri|sat|sun)\s*(?:-|–|—|to|till?|until)\s*(?:mon|tue|wed|thu|fri|sat|sun)",
    re.IGNORECASE,
)
# When a thing was made, or until when it holds, is not when it takes place.
_OTHER_TIMES = frozenset(
    """born birth birthday dob created creation updated modified issued registered since expires expiry expiration last
    previous prior joined valid due deadline open opens opening closed closes hours booked ordered paid received sent
    changed signed""".split()
)
_LONGEST = 40
_ANY_YEAR = 2025


class When(NamedTuple):
    """What one value says of when something is."""

    weekday: int | None
    """0 is Monday."""
    day: Day | None
    week: date | None
    """The Monday before, in any year where the year is not said."""
    times: frozenset[tuple[int, int]]


@lru_cache(maxsize=8192)
def when(text: str) -> When | None:
    """The day or time that a short text names; None where it names none, or more than one day."""
    if len(text) > _LONGEST or _RANGE.search(text):
        return None
    named = {weekday_of(match.group()) for match in _IN_DATES.finditer(text)}
    days = [day for atom in atoms(text) if atom.kind == "date" for day in days_named(atom.text)]
    times = times_named(_without_date(text))
    if len(named) > 1 or len(days) > 1 or not (named or days or times):
        return None
    day, weekday = (days[0] if days else None), (named.pop() if named else None)
    full = _date(day)
    if weekday is None and full is not None and day is not None and day[0] is not None:
        weekday = full.weekday()
    week = full - timedelta(days=weekday) if full is not None and weekday is not None else None
    return When(weekday, day, week, times)


def weekday_of(name: str) -> int:
    return WEEKDAYS.index(name[:3].lower())


def _without_date(text: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\d[T ]?|\d{1,2}[./]\d{1,2}[./]\d{2,4}", " ", text)


def _date(day: Day | None) -> date | None:
    try:
        return date(day[0] or _ANY_YEAR, day[1], day[2]) if day else None
    except ValueError:
        return None


def times_of(record: JSON) -> Iterator[tuple[str, When]]:
    """The fields of a record, or the arguments of a call, that say when it is to be, and what they say."""
    for name, value in leaves(record):
        if isinstance(value, str) and _OTHER_TIMES.isdisjoint(split_identifier(name)) and (said := when(value)):
            yield name, said


_SPOKEN = re.compile(rf"\b{_FULL}", re.IGNORECASE)
_WEEK_OF = re.compile(
    rf"\bweek\s+(?:of|from|beginning|starting|that begins|commencing)\s+(?:on\s+)?(?:the\s+)?{_FULL}", re.I
)


def names_weekday(text: str, days: frozenset[int]) -> bool:
    """A text speaks of one of these days, other than to say when a week begins."""
    return any(weekday_of(match.group()) in days for match in _SPOKEN.finditer(_WEEK_OF.sub(" ", text)))
