"""A value and its name → what kind of thing it tells, and ways to write it that can be read back (`slots.toml`)."""

import re
import tomllib
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Literal

import msgspec
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


_IDENTIFYING = frozenset("id ids number no nr code reference ref identifier key uuid guid locator".split())
_SELF = frozenset(
    """customer client user member patient passenger guest subscriber traveller employee student tenant account
    policyholder cardholder""".split()
)


_ADJECTIVE = re.compile(r"[a-z]{2,}ed|wrong|broken|faulty|late|missing|defective|torn|lost")
_REFERENCE = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])[\w#-]{1,24}")


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    """How values of one kind are told."""

    names: tuple[str, ...] = ()
    shape: str = ""
    role: str = ""
    state: tuple[str, ...] = ()
    list: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    adjective: bool = False


@lru_cache(maxsize=1)
def _kinds() -> dict[str, Kind]:
    text = files("misstep.wording.requests").joinpath("slots.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Kind])


def kind_of(saying: Saying) -> str:
    """The name of the kind; `other` where nothing else fits."""
    return _kind(spoken_name(saying.name).lower(), _shape(saying), saying.role)


@lru_cache(maxsize=4096)
def _kind(spoken: str, shape: str, role: str) -> str:
    listed = spoken.split()
    for name, kind in _kinds().items():
        if kind.role not in ("", role) or kind.shape not in ("", shape):
            continue
        if any(_ends_with(listed, each.split()) for each in kind.names) or (kind.shape and not kind.names):
            return name
    return "other_content" if role == "content" else "other"


def kind_named(name: str) -> Kind:
    """The frames of a kind."""
    return _kinds()[name]


def _ends_with(listed: list[str], ending: list[str]) -> bool:
    last = listed[-len(ending) :]
    return len(last) == len(ending) and all(
        word == wanted or (wanted[0] == "*" and word.endswith(wanted[1:]) and len(word) > len(wanted))
        for word, wanted in zip(last, ending, strict=True)
    )


def _shape(saying: Saying) -> str:
    value = saying.value
    if not isinstance(value, str):
        return ""
    if ISO.fullmatch(value) or ISO_TIME.fullmatch(value):
        return "date"
    if CLOCK.fullmatch(value):
        return "time"
    return "adjective" if _ADJECTIVE.fullmatch(value) else ""


def noun_of(saying: Saying) -> str:
    """What a saying identifies: `order` for `order number`; empty for `number` and for what identifies nothing.

    By the value too: whatever its last word is, a name of several words for something like `KY-51` names a thing.
    """
    listed = spoken_name(saying.name).lower().split()
    if kind_of(saying) == "phone":
        return ""
    identifies = bool(listed) and (listed[-1] in _IDENTIFYING or (len(listed) > 1 and _is_code(saying)))
    return " ".join(listed[:-1]) if identifies else ""


def _is_code(saying: Saying) -> bool:
    return isinstance(saying.value, str) and _shape(saying) == "" and _REFERENCE.fullmatch(saying.value) is not None


def is_of_speaker(noun: str) -> bool:
    """Whether the noun is a word for whoever talks to a service: its `customer`, its `patient`."""
    return noun.rpartition(" ")[2] in _SELF
