"""A value → ways to write it that can be read back: dates, times and amounts in several forms, quotes where needed."""

import re
from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Literal

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.core.words import split_identifier
from misstep.wording.requests.act import Saying
from misstep.wording.requests.inflection import is_participle

Standing = Literal["value", "thing", "clause", "whole", "block"]
"""A value that goes with its name; one that is understood without it, as a thing or as a clause; one that holds its
name already; or a long one, which gets lines of its own."""

ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:$|[T ])")
ISO_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::00)?")
CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_MONTHS = "January February March April May June July August September October November December".split()
_PLAIN = re.compile(r"[\w+#/~.](?:[\w .,'’@#/+&:()=?%~-]*[\w)/])?")
_THING = re.compile(r"(?:the|my|our|this|that|these|those|an?|one|his|her|their)\s", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:i|it|it's|we|they|there|he|she|you|i'm|i've|that's)\b", re.IGNORECASE)
_QUOTES = (("“", "”"), ('"', '"'), ("'", "'"), ("«", "»"), ("‹", "›"))
_LASTING = ("until", "till", "since")
_NO_NOUNS = frozenset("to from by on at in of for with until till since before after into via".split())
_LEFT_OPEN = _NO_NOUNS | {"out", "off", "up", "down", "over"}
_LONG = 60
_WORDS_UNQUOTED = 4
_LARGEST = 1e9
_FIRST_YEAR = 1000


class Written(Struct, frozen=True):
    """A value as it will stand in a text."""

    text: str
    standing: Standing = "value"


def spoken_name(name: str) -> str:
    """A name as people say it: `order_id` → `order id`; what is already in words stays."""
    bare = "".join(character for character in name if not "\ue000" <= character <= "\uf8ff")
    if " " in bare.strip() or not bare.strip():
        return " ".join(bare.split())
    return " ".join(split_identifier(bare)) or bare.strip()


def written(saying: Saying, *, amount: bool, random: Random) -> Written:
    """One way to write a saying's value. An `amount` may have pence and thousands."""
    if saying.says and random.random() < 0.5:
        way = random.choice(saying.says)
        return Written(_quoted(way, saying.role == "content", random), _standing(way))
    value = saying.value
    if isinstance(value, bool) or value == "":
        return Written(random.choice(named_ways(spoken_name(saying.name), value)), "whole")
    if isinstance(value, (int, float)):
        return Written(_pick(number_forms(value, amount=amount), random))
    forms = dated_forms(value, year=saying.role != "mark")
    if forms:
        return Written(_pick(forms, random))
    if len(value) > _LONG * 4 or "\n" in value or "\r" in value:
        return Written(_fenced(value, random), "block")
    return Written(_quoted(value, saying.role == "content", random))


def named_ways(name: str, value: Scalar) -> tuple[str, ...]:
    """What can only be said with its name: a flag, or that something is empty."""
    if name in ("on", "off") and isinstance(value, bool):
        state = "on" if value == (name == "on") else "off"
        return (f"it should be switched {state}", f"I want it switched {state}")
    if isinstance(value, bool):
        name = name.removeprefix("new ")
    if value == "":
        return (f"{name}: (empty)", f"{name}: leave it blank", f"{name} = nothing")
    return (
        (f"{name}: yes", f"{name}: true", f"{name} = yes")
        if value
        else (f"{name}: no", f"{name}: false", f"{name} = no")
    )


def is_nominal(name: str) -> bool:
    """Whether a name can stand behind "the": not `planted on`, `last watered` or `to`."""
    last = name.rpartition(" ")[2]
    return (
        last not in _NO_NOUNS
        and not (" " in name and (last.endswith("ed") or is_participle(last, frozenset())))
        and name != "due"
    )


def day_until(name: str, thing: str) -> str:
    """What a day is called that goes by no noun: `valid until` → the date until which the ticket is valid."""
    so, _, until = name.rpartition(" ")
    return f"the date {until} which {thing} is {so}" if lasts(name) else ""


def lasts(name: str) -> bool:
    """Whether a name says how long something is so: `valid until`, `rented since`."""
    so, _, until = name.rpartition(" ")
    return bool(so) and until in _LASTING


def _pick(forms: Sequence[str], random: Random) -> str:
    """The value as it is about half of the time."""
    return forms[0] if len(forms) == 1 or random.random() < 0.5 else random.choice(forms[1:])


def number_forms(value: float, *, amount: bool) -> tuple[str, ...]:
    """`25.0` → `25`, `25.0` and, for an amount, `25.00`; `1250.5` → `1,250.50` too."""
    forms = [str(value)]
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST:
        forms.insert(0, str(int(value)))
    if amount and 0 < value < _LARGEST and round(value, 2) == value:
        forms.append(f"{value:.2f}")
        if value >= 1000:
            forms.append(f"{value:,.2f}" if not float(value).is_integer() else f"{value:,.0f}")
    return tuple(dict.fromkeys(forms))


def dated_forms(value: str, *, year: bool) -> tuple[str, ...]:
    """Other forms of a date or a time of day; without the `year` only where a day is enough to tell one from others."""
    if match := CLOCK.fullmatch(value):
        return (value, *_clock_forms(int(match[1]), int(match[2])))
    if match := ISO_TIME.fullmatch(value):
        days = _day_forms(match[1], year=True)
        return (value, *(f"{day} at {match[2]}:{match[3]}" for day in days[1:4])) if days else ()
    return _day_forms(value, year=year) if ISO.fullmatch(value) else ()


def _day_forms(value: str, *, year: bool) -> tuple[str, ...]:
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return ()
    if day.year < _FIRST_YEAR:
        return (value,)
    month, nth = _MONTHS[day.month - 1], f"{day.day}{_ordinal(day.day)}"
    forms = [value, f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}", f"{month} {nth}, {day.year}"]
    if month != "May":  # in `may 4` it is a verb to many readers
        forms.append(f"{day.day} {month[:3]} {day.year}")
    if day.day > 12:
        forms.append(f"{day.day}/{day.month:02}/{day.year}")
    if not year:
        forms += [f"{day.day} {month}", f"{month} {day.day}", f"{month} {nth}", f"the {nth} of {month}"]
    return tuple(forms)


def _ordinal(day: int) -> str:
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _clock_forms(hour: int, minute: int) -> tuple[str, ...]:
    half, twelve = ("pm" if hour >= 12 else "am"), hour % 12 or 12
    forms = [f"{twelve}:{minute:02} {half}", f"{twelve}:{minute:02}{half}"]
    return (*forms, f"{twelve} {half}") if minute == 0 else tuple(forms)


def _standing(way: str) -> Standing:
    if _CLAUSE.match(way):
        return "clause"
    return "thing" if _THING.match(way) else "value"


def _quoted(value: str, content: bool, random: Random) -> str:
    """As it is where it reads as part of a sentence; else between quotes that it does not use itself."""
    # "Its state is in" reads as if something were missing.
    plain = _PLAIN.fullmatch(value) and len(value) <= _LONG and value not in _LEFT_OPEN
    if plain and (len(value.split()) <= (_WORDS_UNQUOTED if not content else 2) or _is_name(value)):
        return value
    free = [pair for pair in _QUOTES if pair[0] not in value and pair[1] not in value]
    if not free:
        return f"\n{value}\n"
    opening, closing = free[0] if random.random() < 0.3 else random.choice(free[:3])
    return f"{opening}{value}{closing}"


def _is_name(value: str) -> bool:
    """Words that all begin with a capital or a digit: `50 Tower Row`, `Maria Schulz`."""
    return all(not word[:1].islower() for word in value.split())


def _fenced(value: str, random: Random) -> str:
    """On lines of its own, between marks that it does not use itself."""
    marks = [mark for mark in ("---", "```", "~~~", "===") if mark not in value]
    if '"' not in value and random.random() < 0.5:
        return f'"{value}"'
    return f"{marks[0]}\n{value}\n{marks[0]}" if marks else value
