"""A value that names a month, quarter, week or year → the days, months and words from which it can be derived."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import Literal, NamedTuple

from misstep.provenance.known import Known
from misstep.provenance.reading import Day, Place, has_digit

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_ORDINALS = (("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"))
_KEPT = 200
_LONGEST = 40

_YEAR = r"(?P<year>(?:19|20)\d\d)"
_WORD = r"(?P<word>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_GAP = r"[-/._ ]?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_YEAR}{_GAP}m?(?P<month>0?[1-9]|1[0-2])",
        rf"(?P<month>0?[1-9]|1[0-2]){_GAP}{_YEAR}",
        rf"{_WORD}(?:{_GAP}{_YEAR}|[-'’](?P<short>\d\d))?",
        rf"{_YEAR}{_GAP}{_WORD}",
        rf"{_YEAR}{_GAP}q(?P<quarter>[1-4])",
        rf"q(?P<quarter>[1-4])(?:{_GAP}{_YEAR}|[-/'’ ]?(?P<short>\d\d))?",
        rf"{_YEAR}{_GAP}(?:w|kw|cw|wk|week)[- ]?(?P<week>0?[1-9]|[1-4]\d|5[0-3])(?:-[1-7])?",
        rf"(?:w|kw|cw|wk|week)[- ]?(?P<week>0?[1-9]|[1-4]\d|5[0-3])(?:{_GAP}{_YEAR})?",
        rf"{_YEAR}{_GAP}h(?P<half>[12])",
        rf"h(?P<half>[12])(?:{_GAP}{_YEAR})?",
        rf"fy{_GAP}(?:{_YEAR}|(?P<short>\d\d))(?:[-/]\d\d(?:\d\d)?)?",
        rf"{_YEAR}[-/](?:20)?(?P<next>\d\d)",
        rf"{_YEAR}(?P<month>0[1-9]|1[0-2])(?P<day>[0-2]\d|3[01])(?:t\d{{4,6}}z?)?",
        r"(?:--)?(?P<month>0?[1-9]|1[0-2])[-/.](?P<day>0?[1-9]|[12]\d|3[01])\.?",
        r"(?P<day>0?[1-9]|[12]\d|3[01])[-/.](?P<month>0?[1-9]|1[0-2])\.?",
    )
)
_SPAN = re.compile(r"\s{0,20}(?:/|\.\.\.?|,|\bto\b|–|—|\s-\s|(?<=\d)_(?=\d{4}))\s{0,20}")
_DATED = re.compile(r"(?:19|20)\d\d[-_/.]?(?:(?:0[1-9]|1[0-2])(?!\d)|q[1-4]|w\d\d)", re.IGNORECASE)


class Period(NamedTuple):
    """What a value says of when; the year where it names one."""

    kind: Literal["day", "month", "quarter", "week", "half", "year"]
    year: int | None
    number: int
    """Which month, quarter, week or half of the year; the month of a day."""
    day: int = 0


@lru_cache(maxsize=4096)
def periods(text: str) -> tuple[Period, ...]:
    """Each reading of a text that is nothing but a month, quarter, week, year or part of a date."""
    if len(text) > _LONGEST:
        return ()
    return tuple(dict.fromkeys(each for form in _FORMS if (match := form.fullmatch(text)) for each in _read(match)))


def _read(match: re.Match[str]) -> Iterator[Period]:
    said = match.groupdict()
    year = int(said["year"]) if said.get("year") else None
    if said.get("short"):
        year = 2000 + int(said["short"])
    if said.get("day"):
        yield Period("day", year, int(said["month"]), int(said["day"]))
    elif said.get("month"):
        yield Period("month", year, int(said["month"]))
    elif word := said.get("word"):
        yield Period("month", year, 1 + next(n for n, name in enumerate(_MONTHS) if name.startswith(word.lower())))
    elif said.get("next"):
        if year is not None and (year + 1) % 100 == int(said["next"]):
            yield Period("year", year, 0)
    else:
        for kind in ("quarter", "week", "half"):
            if said.get(kind):
                yield Period(kind, year, int(said[kind]))
                return
        yield Period("year", year, 0)


def of_period(known: Known, text: str) -> Place | None:
    """Where a value that names a period comes from: it, or a day or a longer or shorter period around it, was named."""
    if not has_digit(text):
        return None
    for period in periods(text):
        if found := _derived(known, period):
            return found
    return _of_span(known, text)


def _of_span(known: Known, text: str) -> Place | None:
    """From one to another, where both can be derived."""
    parts = _SPAN.split(text) if len(text) <= _LONGEST else []
    if len(parts) != 2 or not all(map(has_digit, parts)):
        return None
    found = [_of_end(known, part) for part in parts]
    return found[0] if all(found) else None


def _of_end(known: Known, text: str) -> Place | None:
    for period in (*periods(text), *_days(text)):
        if found := _derived(known, period):
            return found
    return None


_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ].*)?")


def _days(text: str) -> Iterator[Period]:
    if match := _DAY.fullmatch(text):
        yield Period("day", int(match[1]), int(match[2]), int(match[3]))


def of_named_period(known: Known, text: str) -> Place | None:
    """A name that is put together from words that are known and a period that can be derived."""
    match = _DATED.search(text) if len(text) <= _LONGEST else None
    if match is None:
        return None
    found = of_period(known, match.group())
    rest = [piece for piece in re.split(r"[\W_]+", text[: match.start()] + " " + text[match.end() :]) if piece]
    if found and rest and all(known.place(piece.casefold()) for piece in rest):
        return "derived", found[1]
    return None


def _derived(known: Known, period: Period) -> Place | None:
    if known.dates_implied:
        return "derived", None
    found = _named(known, period) or next((place for day, place in _known_days(known) if _belongs(day, period)), None)
    return ("derived", found[1]) if found else None


def _named(known: Known, period: Period) -> Place | None:
    """The words or figures by which people name it."""
    number = period.number
    match period.kind:
        case "day":
            day = (period.year, number, period.day)
            return known.day(day) or (edge_of_period(known, (day[0], number, day[2])) if day[0] else None)
        case "month":
            return _month_named(known, period.year, number) or _month_named(known, None, number)
        case "quarter":
            return known.place(f"q{number}") or (known.place("quarter") and _ordinal(known, number))
        case "half":
            return known.place(f"h{number}") or (known.place("half") and _ordinal(known, number))
        case "week":
            forms = (f"w{number:02}", f"w{number}", f"kw{number}", f"cw{number}", f"wk{number}", f"week{number}")
            return _any_place(known, forms) or (known.place("week") and known.number(float(number)))
        case "year":
            years = (period.year, period.year + 1, period.year - 1) if period.year else ()
            return next((found for year in years if (found := known.number(float(year)))), None)


def _ordinal(known: Known, number: int) -> Place | None:
    return _any_place(known, _ORDINALS[number - 1])


def _any_place(known: Known, forms: tuple[str, ...]) -> Place | None:
    return next((found for form in forms if (found := known.place(form))), None)


def _month_named(known: Known, year: int | None, month: int) -> Place | None:
    if year is not None:
        return _any_place(known, (f"{year}{month:02}", f"{month:02}{year}", f"{month}{year}"))
    name = _MONTHS[month - 1]
    # `May` and `March` are other words as well: the texts are read for them apart.
    forms = (f"month {name}",) if name in ("may", "march") else (name, name[:3], f"{name[:3]}t")
    return _any_place(known, forms)


def _known_days(known: Known) -> Iterator[tuple[Day, Place]]:
    for index in (known.said, known.policy, known.agreed):
        yield from islice(reversed(index.days.items()), _KEPT)


def _belongs(day: Day, period: Period) -> bool:
    """The day lies in the period, or in the one before or after it, or a year from it: as people reckon from a day."""
    year, month, number = day
    apart = 0 if year is None or period.year is None else period.year - year
    match period.kind:
        case "day":
            return (month, number) == (period.number, period.day) and period.year is None
        case "year":
            return year is not None and apart in (-1, 0, 1)
        case "month":
            return apart * 12 + period.number - month in (-12, -1, 0, 1, 12) or (
                year is None and month == period.number
            )
        case "quarter":
            return apart * 4 + period.number - (month + 2) // 3 in (-4, -1, 0, 1, 4)
        case "half":
            return apart * 2 + period.number - (month + 5) // 6 in (-2, -1, 0, 1, 2)
        case "week":
            return _week_is_near(day, period)


def _week_is_near(day: Day, period: Period) -> bool:
    year, month, number = day
    try:
        named = date(year or period.year or date.min.year, month, number).isocalendar()
    except ValueError:
        return False
    return (period.year is None or year is None or abs(named.year - period.year) <= 1) and (
        abs(named.week - period.number) <= 1 or abs(named.week - period.number) >= 51
    )


def edge_of_period(known: Known, day: tuple[int, int, int]) -> Place | None:
    """The first or last day of a month, a quarter or a year that was named."""
    year, month, number = day
    if not 1 <= month <= 12 or number not in (1, monthrange(year, month)[1]):
        return None
    periods_of_day = [Period("month", year, month)]
    if month % 3 == (1 if number == 1 else 0):
        periods_of_day.append(Period("quarter", year, (month + 2) // 3))
    if month % 6 == (1 if number == 1 else 0):
        periods_of_day.append(Period("half", year, (month + 5) // 6))
    found = next((place for each in periods_of_day if (place := _named(known, each))), None)
    if found is None and month in (1, 12) and number == (1 if month == 1 else 31):
        found = known.number(float(year))
    found = found or next((place for known_day, place in _known_days(known) if _same_month(known_day, day)), None)
    return ("derived", found[1]) if found else None


def _same_month(known: Day, day: tuple[int, int, int]) -> bool:
    return known[1] == day[1] and known[0] in (None, day[0])
